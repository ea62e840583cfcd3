// Lets the cells of a page run: a button starts Python in a worker and runs the cell and those before it, as edited;
// nothing loads before.
const HERE = new URL("./", import.meta.url);
const NOTEBOOK = document.querySelector(".run-chapter").dataset.notebook;
const STYLE = `
.rd-run { display: flex; flex-wrap: wrap; gap: 0.3rem 0.5rem; align-items: baseline; font-size: 0.85rem;
  margin: 0.3rem 0; }
.rd-run button { font: inherit; color: inherit; background: none; border: 1px solid; border-radius: 0.25rem;
  padding: 0.1rem 0.6rem; min-height: 1.7rem; }
.rd-run [role="status"] { overflow-wrap: anywhere; min-width: 0; }
.rd-edit { display: block; width: 100%; font: 0.875em/1.5 var(--pst-font-family-monospace, monospace);
  padding: 1rem; white-space: pre; overflow: auto; resize: vertical;
  color: var(--pst-color-text-base); background: var(--pst-color-surface);
  border: 1px solid var(--pst-color-border); border-radius: 0.25rem; }
.rd-result { margin-block: 0.5rem; overflow-x: auto; }
.rd-result pre { margin: 0 0 0.5rem; border-left: 3px solid var(--pst-color-border); white-space: pre-wrap;
  overflow-wrap: anywhere; }
.rd-result pre.rd-error { border-left-color: var(--pst-color-danger); }
.rd-result img { max-width: 100%; background: none; }
html[data-theme="dark"] .rd-result img { filter: invert(0.93) hue-rotate(180deg); }
.rd-ran > .cell_output:not(:has(figcaption)), .rd-ran > .cell_output img { display: none; }
.rd-stale > :is(.cell_output, .rd-result) { opacity: 0.45; }
.rd-note { font-size: 0.85rem; margin: 0.3rem 0; }
@media print { .rd-run { display: none; } }`;
const make = (tag, props = {}, ...inside) => {
  const made = Object.assign(document.createElement(tag), props);
  made.append(...inside);
  return made;
};
const trimmed = text => text.replace(/^\n+|\s+$/g, "");
let places = [];
let cells;
let ran = [];
let worker;
let finish;
let mathjax; // cells: of the notebook; ran: what the worker has run of them

// A cell that the page shows.
class Place {
  constructor(element, input, number) {
    this.element = element;
    this.input = input;
    this.source = trimmed(input.querySelector("pre").textContent);
    const name = (this.name = `cell ${number}`);
    this.button = make("button", {
      type: "button",
      textContent: "Run",
      onclick: () => (finish ? stop() : start(this)),
    });
    this.button.setAttribute("aria-label", `Run ${name}`);
    this.button.title = "Runs the cells before this one, too";
    this.change = make("button", { type: "button", textContent: "Edit", onclick: () => this.edit(name) });
    this.change.setAttribute("aria-label", `Edit ${name}`);
    this.status = make("span");
    this.status.setAttribute("role", "status");
    input.after(make("div", { className: "rd-run" }, this.button, this.change, this.status));
    this.note = make("p", {
      className: "rd-note",
      hidden: true,
      textContent: "This result is of the code before an edit: run the cell again.",
    });
    element.append(this.note);
  }

  get text() {
    return this.area ? this.area.value : this.source;
  }

  edit(name) {
    const shown = this.input.querySelector(".highlight").parentElement;
    shown.hidden = !this.area;
    this.change.textContent = this.area ? "Edit" : "Undo edit";
    if (this.area) {
      this.area.remove();
      this.area = null;
    } else {
      this.area = make("textarea", {
        className: "rd-edit",
        value: this.source,
        spellcheck: false,
        oninput: mark,
        rows: this.source.split("\n").length + 1,
      });
      this.area.setAttribute("aria-label", `Code of ${name}; Shift and Enter run it`);
      this.area.onkeydown = event => {
        if (event.key !== "Enter" || !(event.shiftKey || event.ctrlKey)) return;
        event.preventDefault();
        if (!finish) start(this);
      };
      this.input.append(this.area);
      this.area.focus();
    }
    this.change.setAttribute("aria-label", `${this.change.textContent} ${name}`);
    mark();
  }

  // Of: the code, from the first cell on, whose result comes.
  clear(of) {
    this.of = of;
    this.result?.remove();
    this.result = make("div", { className: "rd-result" });
    this.element.insertBefore(this.result, this.element.querySelector(":scope > .cell_output") ?? this.note);
    this.element.classList.add("rd-ran");
    return true;
  }

  show(kind, content) {
    const last = this.result.lastElementChild;
    if (kind === "text" && last?.className === "rd-text") last.append(content);
    else if (kind === "text" || kind === "error")
      this.result.append(make("pre", { className: `rd-${kind}`, textContent: content }));
    else if (kind === "html")
      this.result.append(document.createRange().createContextualFragment(content)); // its scripts run
    else if (kind === "latex") typeset(content, this.result);
    else {
      const data = new Blob([content], { type: "image/svg+xml" });
      const alt = this.element.querySelector(".cell_output img")?.alt || "The picture that this cell draws";
      this.result.append(make("img", { src: URL.createObjectURL(data), alt }));
    }
  }
}

async function typeset(tex, result) {
  const line = make("div", { textContent: tex });
  result.append(line);
  mathjax ??= new Promise((done, fail) => {
    window.MathJax = {
      tex: { macros: { textcolor: ["\\class{rd-#1}{#2}", 2] } },
      startup: { typeset: false, pageReady: async () => done() },
      options: { enableMenu: false },
    };
    document.head.append(make("script", { src: new URL("mathjax.js", HERE), onerror: fail }));
  });
  await mathjax;
  document.head.append(window.MathJax.svgStylesheet());
  line.replaceChildren(window.MathJax.tex2svg(tex.replace(/^\$+(\\displaystyle)?|\$+$/g, ""), { display: true }));
}

// The code cells of the notebook, and where the page shows them.
async function read() {
  const notebook = await (await fetch(new URL(`files/${NOTEBOOK}.ipynb`, HERE))).json();
  let next = 0;
  return notebook.cells
    .filter(cell => cell.cell_type === "code")
    .map(cell => {
      const source = trimmed([cell.source].flat().join(""));
      const place = places.find((other, index) => index >= next && other.source === source);
      if (place) next = places.indexOf(place) + 1;
      return { source, place, name: place?.name ?? "a hidden cell", check: cell.metadata.tags?.includes("check") };
    });
}

const known = () => cells ?? places.map(place => ({ place, source: place.source }));
const texts = () => known().map(cell => cell.place?.text ?? cell.source);

// Says which results are not those of the code as it is now.
function mark() {
  const now = texts();
  const printed = known().map(cell => cell.source);
  known().forEach(({ place }, index) => {
    if (!place) return;
    const shows = place.result?.hasChildNodes() || place.element.querySelector(".cell_output, details.check");
    const stale =
      Boolean(shows) && (place.of ?? printed.slice(0, index + 1)).some((text, other) => text !== now[other]);
    place.element.classList.toggle("rd-stale", stale);
    place.note.hidden = !stale;
  });
}

// Runs one cell; kept when it has ended, or is stopped.
function ask(code, name, shown, fresh, hear) {
  return new Promise(done => {
    finish = done;
    worker ??= new Worker(new URL("worker.mjs", HERE), { type: "module" });
    worker.onerror = event => done({ broken: event.message || "its files did not load" });
    worker.onmessage = ({ data }) => ("done" in data || "broken" in data ? done(data) : hear(data));
    worker.postMessage({ code, name, shown, fresh });
  });
}

function stop(answer = { stopped: true }) {
  worker?.terminate();
  worker = undefined;
  ran = [];
  finish?.(answer);
}

async function start(place) {
  const say = words => {
    place.status.textContent = words;
  };
  const label = (button, verb) => {
    button.textContent = verb;
    button.setAttribute("aria-label", `${verb} ${place.name}`);
  };
  for (const other of places) other.button.disabled = other !== place;
  label(place.button, "Stop");
  try {
    finish = () => {};
    cells ??= await read();
    say(await runTo(place, say));
  } catch (error) {
    say(`This page cannot run: ${error.message}`);
  }
  finish = undefined;
  label(place.button, "Run");
  for (const other of places) other.button.disabled = false;
  mark();
}

// Returns what the reader is told at the end.
async function runTo(place, say) {
  const last = cells.findIndex(cell => cell.place === place);
  const now = texts().slice(0, last + 1);
  if (last < 0) return "The notebook of this page does not have this cell.";
  if (ran.length > last + 1 || ran.some((text, index) => index < last && text !== now[index])) ran = []; // from the top
  for (let index = Math.min(ran.length, last); index <= last; index++) {
    const { place: own, name, check } = cells[index];
    const at = own ?? place;
    const changed = own?.result || now.some((text, other) => other <= index && text !== cells[other].source);
    const shown = index === last || Boolean(own && changed);
    let cleared = false;
    const clear = () => {
      cleared ||= at.clear(now.slice(0, index + 1));
    };
    if (shown) clear();
    const answer = await ask(now[index], name, shown, index === 0, ({ words, kind, content }) => {
      if (words) return say(words);
      clear();
      at.show(kind, content);
    });
    if (answer.stopped) return "Stopped. Run starts Python anew.";
    if (answer.broken) {
      stop();
      return `Python stopped: ${answer.broken}`;
    }
    if (answer.done || (check && index < last))
      ran[index] = now[index]; // a check that an edit broke does not keep later cells from running
    else
      return index === last || !own ? "An error: see below." : `An error in ${name}, before this one: it stands there.`;
  }
  return `${place.name[0].toUpperCase()}${place.name.slice(1)} has run${last ? ", after those before it" : ""}.`;
}

// All cells are there.
if (document.readyState === "loading") await new Promise(done => document.addEventListener("DOMContentLoaded", done));
document.head.append(make("style", { textContent: STYLE }));
const shown = [...document.querySelectorAll(".bd-article .cell")].filter(cell => cell.querySelector(".cell_input pre"));
places = shown.map((cell, index) => new Place(cell, cell.querySelector(".cell_input"), index + 1));
