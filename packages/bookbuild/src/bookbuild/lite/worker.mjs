// The Python behind the cells of a page: a worker that loads it, with the packages that the page imports, and runs one
// cell after another.
import { loadPyodide } from "./static/pyodide/pyodide.mjs";

const say = words => postMessage({ words });
const env = { HOME: "/home/pyodide", MPLBACKEND: "agg", ROBOTDYN_LIVE: "0", ROBOTDYN_PROGRESS: "0" };
let python;
let cells;

async function load() {
  say("Loading Python …");
  python = await loadPyodide({ env });
  python.FS.writeFile("run_cell.py", await (await fetch("run_cell.py")).text());
  cells = python.pyimport("run_cell");
}

onmessage = async ({ data: { code, name, shown, fresh } }) => {
  try {
    if (!python) await load();
    const messageCallback = words => words.startsWith("Loading") && say(`${words} …`);
    await python.loadPackagesFromImports(code, { messageCallback });
    if (fresh) cells.begin();
    say(`Running ${name} …`);
    postMessage({ done: cells.run(code, name, shown, (kind, content) => postMessage({ kind, content })) });
  } catch (error) {
    postMessage({ broken: String(error) });
  }
};
