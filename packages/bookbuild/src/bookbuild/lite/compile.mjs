// Adds to the wheels in a folder the compiled form of what a first cell imports, made by the Python of the browser:
// compiling was most of a start.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const { packages } = JSON.parse(readFileSync(`${folder}/pyodide-lock.json`));
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`));
const python = await loadPyodide({ env: { MPLBACKEND: "agg" } });
await python.loadPackage(Object.keys(packages), { messageCallback: () => {} });
python.mountNodeFS("/wheels", folder);
python.runPython(`
import sys, zipfile
from importlib.util import cache_from_source, source_hash
from importlib._bootstrap_external import _code_to_hash_pyc
from pathlib import Path

import IPython, ipywidgets, anywidget, matplotlib.pyplot, numpy, robotdyn, scipy.optimize, sympy
from matplotlib.backends import backend_agg, backend_svg

home = next(path for path in sys.path if path.endswith("site-packages"))
wanted = {str(getattr(module, "__file__", "")) for module in [*sys.modules.values()]}
for wheel in Path("/wheels").glob("*.whl"):
    with zipfile.ZipFile(wheel, "a", zipfile.ZIP_DEFLATED) as files:
        for name in files.namelist():
            if f"{home}/{name}" in wanted and name.endswith(".py"):
                source = files.read(name)
                code = compile(source, f"{home}/{name}", "exec", dont_inherit=True)
                files.writestr(cache_from_source(name), _code_to_hash_pyc(code, source_hash(source), False))
`);
