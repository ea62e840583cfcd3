// The pictures beside the arm: energy, phase, joints, torques over time, terms of the equation as bars; and the pen they share.

const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};
const less = (a, b) => [a[0] - b[0], a[1] - b[1]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1];
const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);

function under(canvas, event) { // where a pointer is in a canvas, in its own pixels: a slide shows it larger or smaller
  const box = canvas.getBoundingClientRect(), scale = canvas.clientWidth / box.width || 1;
  return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
}

function ready(canvas) { // an empty canvas as sharp as the screen, in CSS pixels
  const ratio = Math.min(window.devicePixelRatio || 1, 2), w = canvas.clientWidth, h = canvas.clientHeight;
  if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
    canvas.width = Math.round(w * ratio);
    canvas.height = Math.round(h * ratio);
  }
  const ctx = canvas.getContext("2d");
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.clearRect(0, 0, w, h);
  return ctx;
}

function trace(ctx, points) {
  ctx.beginPath();
  points.forEach(([x, y], k) => (k ? ctx.lineTo(x, y) : ctx.moveTo(x, y)));
}

function line(ctx, points, color, width, cap = "round", dashes = []) {
  if (points.length < 2) return;
  trace(ctx, points);
  Object.assign(ctx, { strokeStyle: color, lineWidth: width, lineCap: cap, lineJoin: "round" });
  ctx.setLineDash(dashes);
  ctx.stroke();
  ctx.setLineDash([]);
}

function fill(ctx, points, color) {
  trace(ctx, points);
  ctx.fillStyle = color;
  ctx.fill();
}

function disk(ctx, [x, y], radius, inside, edge, width) {
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 2 * Math.PI);
  Object.assign(ctx, { fillStyle: inside, strokeStyle: edge, lineWidth: width });
  ctx.fill();
  ctx.stroke();
}

function ring(ctx, [x, y], radius, color) {
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 2 * Math.PI);
  Object.assign(ctx, { strokeStyle: color, lineWidth: 2 });
  ctx.setLineDash([4, 3]);
  ctx.stroke();
  ctx.setLineDash([]);
}

function center(ctx, [x, y], r, look) { // the circle with two black quarters
  disk(ctx, [x, y], r, look.paper, look.ink, 1.4);
  for (const start of [0, Math.PI]) {
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.arc(x, y, r, start, start + Math.PI / 2);
    ctx.fillStyle = look.ink;
    ctx.fill();
  }
}

function arrow(ctx, from, to, color) {
  const long = distance(from, to);
  if (long < 8) return;
  const u = less(to, from).map(v => v / long), tip = to, wing = s => [tip[0] - 9 * u[0] - s * 5 * u[1], tip[1] - 9 * u[1] + s * 5 * u[0]];
  line(ctx, [from, to], color, 2, "round", [5, 5]);
  line(ctx, [wing(1), tip, wing(-1)], color, 2);
}

function pointed(ctx, points, color, width) { // a path with a head at its end, the head no longer than the path
  const [from, tip] = [points[0], points[points.length - 1]], back = points[Math.floor(0.8 * points.length)], long = distance(back, tip);
  line(ctx, points, color, width, "butt");
  if (distance(from, tip) < 3 || !long) return;
  const [u, v] = less(tip, back).map(x => (x * 2.6 * width) / long), half = 0.55;
  fill(ctx, [[tip[0] + u * 0.6, tip[1] + v * 0.6], [tip[0] - u * 0.4 - half * v, tip[1] - v * 0.4 + half * u], [tip[0] - u * 0.4 + half * v, tip[1] - v * 0.4 - half * u]], color);
}

function words(ctx, text, x, y, look, align = "left", color = look.ink) {
  Object.assign(ctx, { font: `13px ${look.font}`, fillStyle: color, textAlign: align, textBaseline: "middle" });
  ctx.fillText(text, x, y);
}

function label(ctx, text, places, taken, color, look) { // words on any ground, within the picture, at the first place that no other label has taken
  Object.assign(ctx, { font: `600 14px ${look.font}`, textAlign: "center", textBaseline: "middle", lineWidth: 4, strokeStyle: look.paper, fillStyle: color });
  const half = ctx.measureText(text).width / 2 + 4, wide = ctx.canvas.clientWidth, high = ctx.canvas.clientHeight;
  const within = places.map(([x, y]) => [Math.min(Math.max(x, half), wide - half), Math.min(Math.max(y, 10), high - 10)]);
  const [x, y] = within.find(([x, y]) => taken.every(([u, v, other]) => Math.abs(x - u) > half + other || Math.abs(y - v) > 18)) || within[0];
  taken.push([x, y, half]);
  ctx.strokeText(text, x, y);
  ctx.fillText(text, x, y);
}

const rounded = v => minus(v.toFixed(Math.abs(v) < 9.995 ? 2 : Math.abs(v) < 99.95 ? 1 : 0)).replace(/^−(0\.00)$/, "$1");
const bound = text => text.replace(/([\d)]) (?=(rad|kg|m|s|J|N)\b)/g, "$1\u00a0").replaceAll("N m", "N\u00a0m"); // a number and its unit stay on one line
const minus = text => text.replaceAll("-", "−");
const short = x => minus(x === 0 ? "0" : Math.abs(x) >= 1e4 || Math.abs(x) < 1e-2 ? x.toExponential(0) : String(Number(x.toPrecision(3))));

function round(span) { // a round number near a quarter of a span
  const power = 10 ** Math.floor(Math.log10(span / 4 || 1)), part = span / 4 / power;
  return (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10) * power;
}

class Axes { // a frame with round numbers on both axes
  constructor(canvas, look, [x0, x1], [y0, y1], xlabel, ylabel, entries = [], whole = false) {
    const ctx = ready(canvas), w = canvas.clientWidth, h = canvas.clientHeight;
    ctx.font = `13px ${look.font}`;
    const wide = entries.reduce((sum, [text]) => sum + ctx.measureText(text).width + 42, ctx.measureText(ylabel).width + 12);
    const low = wide > w - 12; // a legend that does not fit beside the label stands below it
    Object.assign(this, { ctx, look, box: [52, low ? 42 : 24, w - 8, h - 36], x: [x0, x1], y: [y0, y1] });
    const [left, top, right, bottom] = this.box;
    for (const [[low, high], across] of [[this.x, true], [this.y, false]]) {
      const step = across && whole ? 1 : round(high - low);
      for (let v = Math.ceil(low / step) * step; v <= high + 1e-9 * step; v += step) {
        const value = Math.abs(v) < 1e-9 * step ? 0 : v;
        const [px, py] = this.at(across ? value : x0, across ? y0 : value);
        line(ctx, across ? [[px, top], [px, bottom]] : [[left, py], [right, py]], look.grid, 1, "butt");
        across ? words(ctx, short(value), px, bottom + 11, look, "center") : words(ctx, short(value), left - 5, py, look, "right");
      }
    }
    words(ctx, xlabel, right, bottom + 27, look, "right");
    words(ctx, ylabel, left - 44, 10, look);
    this.legend(entries, low ? 29 : 10);
  }

  at(x, y) {
    const [left, top, right, bottom] = this.box;
    return [left + ((x - this.x[0]) / (this.x[1] - this.x[0])) * (right - left), bottom - ((y - this.y[0]) / (this.y[1] - this.y[0])) * (bottom - top)];
  }

  curve(xs, ys, color, width = 2, dashes = []) {
    line(this.ctx, xs.map((x, k) => this.at(x, ys[k])), color, width, "butt", dashes);
  }

  legend(entries, y) { // at the right, from the last entry to the first; narrower where there are many
    const gap = entries.length > 4 ? 8 : 14, dash = entries.length > 4 ? 12 : 20;
    let x = this.box[2];
    for (const [text, color, dashes] of [...entries].reverse()) {
      words(this.ctx, text, x, y, this.look, "right", this.look.ink);
      x -= this.ctx.measureText(text).width + 6;
      line(this.ctx, [[x - dash, y], [x, y]], color, 2.5, "butt", dashes);
      x -= dash + gap;
    }
  }
}

function range(rows, least) { // lowest and highest number of all rows, with some room, at least `least` apart
  let low = Infinity, high = -Infinity;
  for (const row of rows) for (const v of row) if (Number.isFinite(v)) { low = Math.min(low, v); high = Math.max(high, v); }
  if (low > high) return [-least, least];
  const room = Math.max(0.06 * (high - low), (least - (high - low)) / 2, 1e-9);
  return [low - room, high + room];
}

const DASHES = [[], [7, 4], [7, 4, 2, 4], [2, 3]]; // of joints 1, 2, 3, 4 and again
const dashed = i => DASHES[i % DASHES.length];
const lately = t => { const last = t[t.length - 1] || 0; return [Math.max(0, last - 8), Math.max(8, last)]; };
const column = (rows, i) => rows.map(row => row[i]);
const SUB = "₀₁₂₃₄₅₆₇₈₉";
const jointly = (q, letter, color) => q.map((_, i) => [numbered(letter, i), color, dashed(i)]);
const numbered = (letter, i) => letter + [...String(i + 1)].map(d => SUB[d]).join("");

function stored(canvas, look, figure, name, unit) { // a stored motion as a whole, in a frame for all of them, a line at the time shown
  const [run] = figure.runs, rows = run.solution[name], t = rows.map((_, k) => k * figure.dt);
  const all = run.solutions.flatMap(solution => solution[name]);
  const color = name === "tau" ? look.torque : look.ink;
  const axes = new Axes(canvas, look, [0, run.length], range(all, 1), "time (s)", unit, jointly(run.q, name === "tau" ? "τ" : name, color));
  for (let i = 0; i < figure.spec.n; i++) axes.curve(t, column(rows, i), color, 1.8, dashed(i));
  line(axes.ctx, [axes.at(run.t, axes.y[0]), axes.at(run.t, axes.y[1])], look.ink, 1.5, "butt", [4, 3]);
}

const TERMS = { // of the equation of motion: formula, name of the color, name in words, and what it is for; left of the equals sign, then right of it
  inertia: ["M q̈", "inertia", "inertia torque", "accelerates the links"],
  velocity: ["C q̇", "velocity", "velocity torque", "keeps the masses on their curved paths"],
  centrifugal: ["Γ q̇ᵢ²", "velocity", "centrifugal torque", "is what each rate asks for alone"],
  coriolis: ["Γ q̇ᵢq̇ⱼ", "velocity", "Coriolis torque", "is what two rates ask for together"],
  gravity: ["g", "gravity", "gravity torque", "carries the weight"],
  torque: ["τ", "torque", "torque", "is all that acts on the joints"],
  motors: ["τ", "torque", "torque of the motors", "is what the sliders set"],
  friction: ["τ_f", "faint", "torque of friction", "works against each rate"],
  hand: ["Jᵀw", "mind", "torque of your pull", "is what your hand does to the joints"],
};
const onTheRight = word => ["torque", "motors", "friction", "hand"].includes(word);
const ofRates = word => ["velocity", "centrifugal", "coriolis"].includes(word); // what an arm without velocity terms lacks

const PLOTS = { // each: words for those who do not see it, and how it is drawn
  energy: {
    told: "Energy in joules over time",
    draw(canvas, look, figure) {
      const rows = [], falls = figure.spec.learned || figure.spec.goal ? figure.runs : []; // what only falls lies between zero and its start
      figure.runs.forEach((run, k) => {
        const one = figure.runs.length === 1, label = run.spec.label;
        const [moving, left, both] = figure.spec.learned ? ["arm", "beliefs", "V"] : figure.spec.goal ? ["T", "springs", "H"] : ["T", "U", "T + U"];
        if (one) rows.push([run, "T", moving, look.inertia, DASHES[1]], [run, "U", left, look.gravity, DASHES[2]]);
        rows.push([run, "E", one ? both : label, look.run(k), one ? [] : DASHES[k]]);
      });
      const axes = new Axes(canvas, look, lately(figure.runs[0].history.t), range([...rows.map(([run, name]) => run.history[name]), ...falls.map(run => [0, run.opening])], falls.length ? 0.1 : 1), "time (s)", "J", rows.map(([, , text, color, dashes]) => [text, color, dashes]));
      for (const [run, name, , color, dashes] of rows) axes.curve(run.history.t, run.history[name], color, name === "E" ? 2.4 : 1.8, dashes);
    },
  },
  phase: {
    told: "Rate of each joint over its coordinate",
    draw(canvas, look, figure) {
      const { history, n, q, qd } = figure.runs[0];
      const all = name => [...Array(n).keys()].map(i => column(history[name], i));
      const axes = new Axes(canvas, look, range([...all("q"), q], 2), range([...all("qd"), qd], 2), `q (${figure.units("q")})`, `rate (${figure.units("qd")})`, jointly(q, "q", look.ink));
      for (let i = 0; i < n; i++) {
        axes.curve(all("q")[i], all("qd")[i], look.ink, 1.4, dashed(i));
        disk(axes.ctx, axes.at(q[i], qd[i]), 4, look.ink, look.paper, 1);
      }
    },
  },
  joints: {
    told: "Coordinate of each joint over time",
    draw(canvas, look, figure) {
      if (figure.stored) return stored(canvas, look, figure, "q", figure.units("q"));
      const rows = [], x = lately(figure.runs[0].history.t);
      figure.runs.forEach((run, k) => run.q.forEach((_, i) => rows.push([run.history.t, column(run.history.q, i), look.run(k), dashed(i)])));
      const axes = new Axes(canvas, look, x, range(rows.map(row => row[1]), 1), "time (s)", figure.units("q"), jointly(figure.runs[0].q, "q", look.ink));
      for (const [t, q, color, dashes] of rows) axes.curve(t, q, color, 1.8, dashes);
    },
  },
  torques: {
    told: "Torque of each motor over time",
    draw(canvas, look, figure) {
      stored(canvas, look, figure, "tau", figure.units("tau"));
    },
  },
  terms: {
    told: "The terms of the equation of motion as bars, one group a joint",
    draw(canvas, look, figure) {
      const [run] = figure.runs, { n } = run, { terms } = figure.spec, parts = figure.begun ? run.terms() : terms.map(() => new Array(n).fill(0));
      const colors = terms.map(word => look[TERMS[word][1]]), names = terms.map(word => (word === "torque" ? `sum = ${TERMS[word][0]}` : TERMS[word][0]));
      figure.terms = parts;
      const size = Math.max(...parts.flat().map(Math.abs).filter(Number.isFinite), 1);
      figure.highest = Math.max(size, 0.985 * (figure.highest || 0), 1);
      const axes = new Axes(canvas, look, [0.5, n + 0.5], [-1.1 * figure.highest, 1.1 * figure.highest], "joint", figure.units("tau"), names.map((name, k) => [name, colors[k], []]), true);
      const wide = (axes.at(1, 0)[0] - axes.at(0, 0)[0]) / (terms.length + 1.5);
      for (let i = 0; i < n; i++) parts.forEach((part, k) => {
        const [x, y] = axes.at(i + 1, part[i]), zero = axes.at(i + 1, 0)[1], left = x + (k - terms.length / 2) * wide;
        axes.ctx.globalAlpha = figure.seen(terms[k]) ? 1 : 0.2;
        if (Number.isFinite(y)) fill(axes.ctx, [[left + 1, zero], [left + 1, y], [left + wide - 1, y], [left + wide - 1, zero]], colors[k]);
      });
      axes.ctx.globalAlpha = 1;
      line(axes.ctx, [axes.at(0.5, 0), axes.at(n + 0.5, 0)], look.ink, 1.2, "butt");
    },
  },
};
