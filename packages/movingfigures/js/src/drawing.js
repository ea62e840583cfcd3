// The pen of all pictures: lines, arrows, text and axes on a canvas, and numbers as they are written.
// @ts-check

import { distance, subtract } from "./vectors.js";

/** @import { Theme } from "./theme.js" */

/**
 * An empty canvas as sharp as the screen, in CSS pixels.
 * @param {HTMLCanvasElement} canvas
 * @returns {CanvasRenderingContext2D}
 */
export function clearCanvas(canvas) {
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

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {number[][]} points
 */
export function trace(ctx, points) {
  ctx.beginPath();
  points.forEach(([x, y], k) => (k ? ctx.lineTo(x, y) : ctx.moveTo(x, y)));
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {number[][]} points
 * @param {string} color
 * @param {number} width
 * @param {CanvasLineCap} [cap]
 * @param {number[]} [dashes]
 */
export function line(ctx, points, color, width, cap = "round", dashes = []) {
  if (points.length < 2) return;
  trace(ctx, points);
  Object.assign(ctx, { strokeStyle: color, lineWidth: width, lineCap: cap, lineJoin: "round" });
  ctx.setLineDash(dashes);
  ctx.stroke();
  ctx.setLineDash([]);
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {number[][]} points
 * @param {string} color
 */
export function fill(ctx, points, color) {
  trace(ctx, points);
  ctx.fillStyle = color;
  ctx.fill();
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {number[]} point
 * @param {number} radius
 * @param {string} inside
 * @param {string} edge
 * @param {number} width
 */
export function disk(ctx, [x, y], radius, inside, edge, width) {
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 2 * Math.PI);
  Object.assign(ctx, { fillStyle: inside, strokeStyle: edge, lineWidth: width });
  ctx.fill();
  ctx.stroke();
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {number[]} point
 * @param {number} radius
 * @param {string} color
 */
export function ring(ctx, [x, y], radius, color) {
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 2 * Math.PI);
  Object.assign(ctx, { strokeStyle: color, lineWidth: 2 });
  ctx.setLineDash([4, 3]);
  ctx.stroke();
  ctx.setLineDash([]);
}

/**
 * The circle with two black quarters.
 * @param {CanvasRenderingContext2D} ctx
 * @param {number[]} point
 * @param {number} r
 * @param {Theme} theme
 */
export function center(ctx, [x, y], r, theme) {
  disk(ctx, [x, y], r, theme.paper, theme.ink, 1.4);
  for (const start of [0, Math.PI]) {
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.arc(x, y, r, start, start + Math.PI / 2);
    ctx.fillStyle = theme.ink;
    ctx.fill();
  }
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {number[]} from
 * @param {number[]} to
 * @param {string} color
 */
export function arrow(ctx, from, to, color) {
  const long = distance(from, to);
  if (long < 8) return;
  const u = subtract(to, from).map(v => v / long);
  const tip = to;
  /** @param {number} s */
  const wing = s => [tip[0] - 9 * u[0] - s * 5 * u[1], tip[1] - 9 * u[1] + s * 5 * u[0]];
  line(ctx, [from, to], color, 2, "round", [5, 5]);
  line(ctx, [wing(1), tip, wing(-1)], color, 2);
}

/**
 * A path with a head at its end, the head no longer than the path.
 * @param {CanvasRenderingContext2D} ctx
 * @param {number[][]} points
 * @param {string} color
 * @param {number} width
 */
export function drawArrowAlong(ctx, points, color, width) {
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

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {Theme} theme
 * @param {CanvasTextAlign} [align]
 * @param {string} [color]
 */
export function drawText(ctx, text, x, y, theme, align = "left", color = theme.ink) {
  Object.assign(ctx, { font: `13px ${theme.font}`, fillStyle: color, textAlign: align, textBaseline: "middle" });
  ctx.fillText(text, x, y);
}

/**
 * Words on any ground, within the picture, at the first place that no other label has taken.
 * @param {CanvasRenderingContext2D} ctx
 * @param {string} text
 * @param {number[][]} places
 * @param {number[][]} taken
 * @param {string} color
 * @param {Theme} theme
 */
export function label(ctx, text, places, taken, color, theme) {
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
