// The pen of all pictures: lines, arrows, text and axes on a canvas, and numbers as they are written.

const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};
const subtract = (a, b) => [a[0] - b[0], a[1] - b[1]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1];
const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);

// Where a pointer is in a canvas, in its own pixels: a slide shows it larger or smaller.
function pointerPosition(canvas, event) {
  const box = canvas.getBoundingClientRect();
  const scale = canvas.clientWidth / box.width || 1;
  return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
}

// An empty canvas as sharp as the screen, in CSS pixels.
function clearCanvas(canvas) {
  const ratio = Math.min(window.devicePixelRatio || 1, 2);
  const w = canvas.clientWidth;
  const h = canvas.clientHeight;
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

// The circle with two black quarters.
function center(ctx, [x, y], r, theme) {
  disk(ctx, [x, y], r, theme.paper, theme.ink, 1.4);
  for (const start of [0, Math.PI]) {
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.arc(x, y, r, start, start + Math.PI / 2);
    ctx.fillStyle = theme.ink;
    ctx.fill();
  }
}

function arrow(ctx, from, to, color) {
  const long = distance(from, to);
  if (long < 8) return;
  const u = subtract(to, from).map(v => v / long);
  const tip = to;
  const wing = s => [tip[0] - 9 * u[0] - s * 5 * u[1], tip[1] - 9 * u[1] + s * 5 * u[0]];
  line(ctx, [from, to], color, 2, "round", [5, 5]);
  line(ctx, [wing(1), tip, wing(-1)], color, 2);
}

// A path with a head at its end, the head no longer than the path.
function drawArrowAlong(ctx, points, color, width) {
  const [from, tip] = [points[0], points[points.length - 1]];
  const back = points[Math.floor(0.8 * points.length)];
  const long = distance(back, tip);
  line(ctx, points, color, width, "butt");
  if (distance(from, tip) < 3 || !long) return;
  const [u, v] = subtract(tip, back).map(x => (x * 2.6 * width) / long);
  const half = 0.55;
  fill(
    ctx,
    [
      [tip[0] + u * 0.6, tip[1] + v * 0.6],
      [tip[0] - u * 0.4 - half * v, tip[1] - v * 0.4 + half * u],
      [tip[0] - u * 0.4 + half * v, tip[1] - v * 0.4 - half * u],
    ],
    color,
  );
}

function drawText(ctx, text, x, y, theme, align = "left", color = theme.ink) {
  Object.assign(ctx, { font: `13px ${theme.font}`, fillStyle: color, textAlign: align, textBaseline: "middle" });
  ctx.fillText(text, x, y);
}

// Words on any ground, within the picture, at the first place that no other label has taken.
function label(ctx, text, places, taken, color, theme) {
  Object.assign(ctx, {
    font: `600 14px ${theme.font}`,
    textAlign: "center",
    textBaseline: "middle",
    lineWidth: 4,
    strokeStyle: theme.paper,
    fillStyle: color,
  });
  const half = ctx.measureText(text).width / 2 + 4;
  const wide = ctx.canvas.clientWidth;
  const high = ctx.canvas.clientHeight;
  const within = places.map(([x, y]) => [
    Math.min(Math.max(x, half), wide - half),
    Math.min(Math.max(y, 10), high - 10),
  ]);
  const [x, y] =
    within.find(([x, y]) => taken.every(([u, v, other]) => Math.abs(x - u) > half + other || Math.abs(y - v) > 18)) ||
    within[0];
  taken.push([x, y, half]);
  ctx.strokeText(text, x, y);
  ctx.fillText(text, x, y);
}

const formatRounded = v =>
  withMinusSign(v.toFixed(Math.abs(v) < 9.995 ? 2 : Math.abs(v) < 99.95 ? 1 : 0)).replace(/^−(0\.00)$/, "$1");
// A number and its unit stay on one line.
const bindUnits = text => text.replace(/([\d)]) (?=(rad|kg|m|s|J|N)\b)/g, "$1\u00a0").replaceAll("N m", "N\u00a0m");
const withMinusSign = text => text.replaceAll("-", "−");
const formatShort = x =>
  withMinusSign(
    x === 0 ? "0" : Math.abs(x) >= 1e4 || Math.abs(x) < 1e-2 ? x.toExponential(0) : String(Number(x.toPrecision(3))),
  );

// A round number near a quarter of a span.
function roundStep(span) {
  const power = 10 ** Math.floor(Math.log10(span / 4 || 1));
  const part = span / 4 / power;
  return (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10) * power;
}

// A frame with round numbers on both axes.
class Axes {
  constructor(canvas, theme, [x0, x1], [y0, y1], xlabel, ylabel, entries = [], whole = false) {
    const ctx = clearCanvas(canvas);
    const w = canvas.clientWidth;
    const h = canvas.clientHeight;
    ctx.font = `13px ${theme.font}`;
    const wide = entries.reduce(
      (sum, [text]) => sum + ctx.measureText(text).width + 42,
      ctx.measureText(ylabel).width + 12,
    );
    const low = wide > w - 12; // a legend that does not fit beside the label stands below it
    Object.assign(this, { ctx, theme, box: [52, low ? 42 : 24, w - 8, h - 36], x: [x0, x1], y: [y0, y1] });
    const [left, top, right, bottom] = this.box;
    for (const [[low, high], perpendicularFrame] of [
      [this.x, true],
      [this.y, false],
    ]) {
      const step = perpendicularFrame && whole ? 1 : roundStep(high - low);
      for (let v = Math.ceil(low / step) * step; v <= high + 1e-9 * step; v += step) {
        const value = Math.abs(v) < 1e-9 * step ? 0 : v;
        const [px, py] = this.at(perpendicularFrame ? value : x0, perpendicularFrame ? y0 : value);
        line(
          ctx,
          perpendicularFrame
            ? [
                [px, top],
                [px, bottom],
              ]
            : [
                [left, py],
                [right, py],
              ],
          theme.grid,
          1,
          "butt",
        );
        perpendicularFrame
          ? drawText(ctx, formatShort(value), px, bottom + 11, theme, "center")
          : drawText(ctx, formatShort(value), left - 5, py, theme, "right");
      }
    }
    drawText(ctx, xlabel, right, bottom + 27, theme, "right");
    drawText(ctx, ylabel, left - 44, 10, theme);
    this.legend(entries, low ? 29 : 10);
  }

  at(x, y) {
    const [left, top, right, bottom] = this.box;
    return [
      left + ((x - this.x[0]) / (this.x[1] - this.x[0])) * (right - left),
      bottom - ((y - this.y[0]) / (this.y[1] - this.y[0])) * (bottom - top),
    ];
  }

  curve(xs, ys, color, width = 2, dashes = []) {
    line(
      this.ctx,
      xs.map((x, k) => this.at(x, ys[k])),
      color,
      width,
      "butt",
      dashes,
    );
  }

  // At the right, from the last entry to the first; narrower where there are many.
  legend(entries, y) {
    const gap = entries.length > 4 ? 8 : 14;
    const dash = entries.length > 4 ? 12 : 20;
    let x = this.box[2];
    for (const [text, color, dashes] of [...entries].reverse()) {
      drawText(this.ctx, text, x, y, this.theme, "right", this.theme.ink);
      x -= this.ctx.measureText(text).width + 6;
      line(
        this.ctx,
        [
          [x - dash, y],
          [x, y],
        ],
        color,
        2.5,
        "butt",
        dashes,
      );
      x -= dash + gap;
    }
  }
}

// Lowest and highest number of all rows, with some room, at least `least` apart.
function range(rows, least) {
  let low = Infinity;
  let high = -Infinity;
  for (const row of rows)
    for (const v of row)
      if (Number.isFinite(v)) {
        low = Math.min(low, v);
        high = Math.max(high, v);
      }
  if (low > high) return [-least, least];
  const room = Math.max(0.06 * (high - low), (least - (high - low)) / 2, 1e-9);
  return [low - room, high + room];
}

const DASHES = [[], [7, 4], [7, 4, 2, 4], [2, 3], [1, 7], [7, 3, 2, 3, 2, 3], [3, 7]]; // of joints 1 to 7 and again
const jointDashes = i => DASHES[i % DASHES.length];
const recentRange = t => {
  const last = t[t.length - 1] || 0;
  return [Math.max(0, last - 8), Math.max(8, last)];
};
const column = (rows, i) => rows.map(row => row[i]);
const SUB = "₀₁₂₃₄₅₆₇₈₉";
const jointLegend = (q, letter, color) => q.map((_, i) => [withIndex(letter, i), color, jointDashes(i)]);
const withIndex = (letter, i) => letter + [...String(i + 1)].map(d => SUB[d]).join("");
