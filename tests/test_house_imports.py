"""The house rule of imports: each part of the library uses only the parts below it, and `import robotdyn` is light."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

LIBRARY = Path(__file__).parent.parent / "robotdyn"

# What each part may import of the library; a new part is written down here first.
MAY_IMPORT = {
    "columns": set(),
    "recording": set(),
    "backend": {"columns", "recording"},
    "trigterms": set(),
    "trigpoly": {"trigterms"},
    "lifted": {"trigpoly", "trigterms"},
    "quadratic": set(),
    "formulas": {"quadratic", "trigpoly", "trigterms"},
    "christoffel": {"backend"},
    "equations": {"backend", "christoffel"},
    "lagrange": {"christoffel", "energy", "equations", "formulas", "lifted", "recursive", "trigpoly"},
    "spatial": {"backend"},
    "arm": {"backend", "dh", "urdf"},  # dh and urdf: inside the classmethods that are their doors
    "dh": {"arm", "backend", "spatial"},
    "urdf": {"arm", "spatial"},
    "robots": {"arm", "backend"},
    "kinematics": {"backend", "spatial"},
    "energy": {"backend", "kinematics"},
    "recursive": {"backend", "kinematics", "spatial"},
    "planar": {"backend", "numeric"},
    "forces": {"kinematics", "numeric", "specialization"},
    "numeric": {"backend"},
    "factorization": {"backend", "recursive"},
    "parametric": {"backend", "recording"},
    "straightline": {"backend", "differentiation", "recording"},  # differentiation: inside the methods
    "tracing": {"backend", "parametric", "recording", "straightline"},
    "differentiation": {"parametric", "recording", "straightline"},
    "printing": {"parametric", "recording", "straightline"},
    "languages": {"printing", "recording"},
    "columnwise": {"languages", "parametric", "printing", "recording", "straightline"},
    "sines": set(),
    "cache": set(),
    "compiled": {"cache", "parametric", "printing", "sines"},
    "calling": {"columnwise", "compiled", "languages", "recording"},
    "specialization": {
        *("calling", "factorization", "languages", "parametric"),
        *("recursive", "straightline", "tracing"),
    },
    "trajectory": {"energy"},
    "events": set(),
    "progress": set(),
    "integrators": set(),
    "simulation": {
        *("events", "integrators", "marching", "numeric", "programs"),
        *("progress", "recursive", "specialization", "trajectory"),
    },
    "programs": {
        *("differentiation", "factorization", "integrators", "kinematics"),
        *("recursive", "specialization", "tracing"),
    },
    "linearization": {"numeric", "planar", "programs", "recursive", "specialization"},
    "stacking": {"numeric", "planar"},
    "orientation": {"kinematics"},
    "cost": set(),
    "costs": {"cost", "kinematics", "numeric", "orientation", "programs", "specialization"},
    "boxed": set(),
    "riccati": {"boxed"},
    "discrete": {"riccati"},
    "loops": set(),
    "sweep": {"cache", "loops", "riccati"},
    "marching": {"cache", "compiled", "loops", "programs", "riccati"},
    "arm_motion": {
        *("compiled", "discrete", "integrators", "linearization", "marching"),
        *("numeric", "planar", "programs", "recursive", "specialization"),
    },
    "solution": set(),
    "descent": {"discrete", "riccati", "stacking"},
    "optimal_control": {"descent", "discrete", "numeric", "progress", "riccati", "solution", "sweep"},
    "reaching": {"arm_motion", "costs", "numeric", "optimal_control", "planar"},
    "control": {"numeric"},
    "relations": {"energy", "kinematics"},
    "proof": set(),  # it judges what the library says, and must not lean on it
    "later": set(),
    "check": {"later"},
    "grading": {"check"},
}


def imported_parts(path):
    """Return the parts of the library that a file imports, at its top or inside a function."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "robotdyn":
            found |= {node.module.split(".")[1]} if "." in node.module else {alias.name for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {name.name.split(".")[1] for name in node.names if name.name.startswith("robotdyn.")}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} imports relatively; write robotdyn.part"
    return found


@pytest.mark.parametrize("path", sorted(LIBRARY.rglob("*.py")), ids=lambda path: str(path.relative_to(LIBRARY)))
def test_imports_point_one_way(path):
    """No part of the library imports a part that stands above it, nor the book, the exercises or the tests."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf8"))):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        assert not {name.split(".")[0] for name in names} & {"book", "exercises", "tests", "benchmarks"}
    part = path.relative_to(LIBRARY).parts[0].removesuffix(".py")
    if part in ("show", "__init__"):  # show draws what any part computes; __init__ is the door
        return
    if path.relative_to(LIBRARY).parts[:2] == ("check", "assignments"):  # exercises may ask about any part ...
        assert not imported_parts(path) & {"grading"}  # ... but never know how they are graded
        return
    assert part in MAY_IMPORT, f"write down in MAY_IMPORT what {part} may import"
    assert imported_parts(path) - {part} <= MAY_IMPORT[part]


def test_import_is_light():
    """`import robotdyn` pulls in neither NumPy, SymPy, SciPy, Matplotlib nor Numba; each comes when it is first needed."""
    code = "import sys, robotdyn; print(sorted({'numpy', 'sympy', 'scipy', 'matplotlib', 'numba', 'jax'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=LIBRARY.parent)
    assert done.stdout.strip() == "[]"


def test_every_name_loads():
    """Each public name of the library can be had, and dir() tells them all."""
    import robotdyn as rd

    assert all(hasattr(rd, name) for name in rd.__all__)
    assert sorted(rd.__all__) == dir(rd)
    assert callable(rd.simulate) and callable(rd.derive)


def test_editors_read_the_names_that_python_loads_later():
    """The imports that only editors and type checkers see are the table of what is loaded when first used."""
    import robotdyn

    tree = ast.parse((LIBRARY / "__init__.py").read_text())
    told = {
        name.name: name.name if node.module == "robotdyn" else node.module.removeprefix("robotdyn.")
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        for name in node.names
    }
    assert told == robotdyn._LATER
