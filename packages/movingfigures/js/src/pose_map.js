// The map of poses of an arm of two joints: a quantity as color, the pose as a cross that can be moved.
// @ts-check

import { Axes } from "./axes.js";
import { ARROWS, make, pointerPosition, RELEASES, setAttributes } from "./dom.js";
import { drawText, line } from "./drawing.js";
import { formatShort, withIndex } from "./numbers.js";
import { distance } from "./vectors.js";

/** @import { Figure } from "./figure.js" */
/** @import { JointSpec } from "./spec.js" */
/** @import { Theme } from "./theme.js" */
/** @import { Panel } from "./panels.js" */

const MAP_DESCRIPTION =
  "Map of poses, the first coordinate to the right, the second up, with the pose of the arm as a cross";

/**
 * A canvas that knows where its frame is.
 * @typedef {HTMLCanvasElement & { axes?: Axes }} MapCanvas
 */

export const QUANTITIES = [
  { name: "det M, determinant of the mass matrix" },
  { name: "g₁, gravity torque of joint 1", joint: 0 },
  { name: "g₂, gravity torque of joint 2", joint: 1 },
];

const RAMP = [
  [68, 1, 84],
  [59, 82, 139],
  [33, 145, 140],
  [94, 201, 98],
  [253, 231, 37],
]; // dark to bright, even for the color-blind

/** @type {Panel} */
export const MAP_PANEL = {
  description: MAP_DESCRIPTION,
  begin: attachMapInput,
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Theme} theme
   * @param {Figure} figure
   */
  draw(canvas, theme, figure) {
    const [run] = figure.runs;
    const { joints } = figure.spec;
    const ranges = joints.map(joint => joint.range);
    const axes = new Axes(
      canvas,
      theme,
      ranges[0],
      ranges[1],
      `${withIndex("q", 0)} (${joints[0].units.q})`,
      `${withIndex("q", 1)} (${joints[1].units.q})`,
    );
    const [left, top, right, bottom] = axes.box;
    const { image, low, high } = figure.mapQuantityImage();
    axes.ctx.imageSmoothingEnabled = true;
    axes.ctx.drawImage(image, left, top, right - left, bottom - top);
    for (const piece of piecesOnMap([...run.history.q, run.q], joints))
      line(
        axes.ctx,
        piece.map(([u, v]) => axes.at(u, v)),
        "#fff",
        1.6,
      );
    const [u, v] = onMap(run.q, joints);
    drawCross(axes.ctx, axes.at(u, v));
    drawText(
      axes.ctx,
      `dark ${formatShort(low)}, bright ${formatShort(high)} ${joints[figure.quantity.joint]?.units.tau ?? ""}`,
      right,
      10,
      theme,
      "right",
    );
    /** @type {MapCanvas} */ (canvas).axes = axes;
  },
};

/**
 * A path over the map, in pieces: where it leaves at one edge it comes in at the other.
 * @param {number[][]} path
 * @param {JointSpec[]} joints
 */
export function piecesOnMap(path, joints) {
  /** @param {number[]} p */
  const part = p => p.map((v, i) => (v - joints[i].range[0]) / (joints[i].range[1] - joints[i].range[0]));
  /** @type {number[][][]} */
  const pieces = [[]];
  for (const q of path) {
    const p = onMap(q, joints);
    const piece = pieces[pieces.length - 1];
    if (piece.length && distance(part(p), part(piece[piece.length - 1])) > 0.5) pieces.push([p]);
    else piece.push(p);
  }
  return pieces;
}

/**
 * White within black, so that it is seen on every color.
 * @param {CanvasRenderingContext2D} ctx
 * @param {number[]} point
 */
function drawCross(ctx, [x, y]) {
  const across = [
    [x - 9, y],
    [x + 9, y],
  ];
  const down = [
    [x, y - 9],
    [x, y + 9],
  ];
  for (const bar of [across, down]) line(ctx, bar, "#000", 5);
  for (const bar of [across, down]) line(ctx, bar, "#fff", 2);
}

/**
 * The map can be pointed at, and walked over with the arrow keys.
 * @param {Figure} figure
 * @param {HTMLCanvasElement} canvas
 */
function attachMapInput(figure, canvas) {
  setAttributes(canvas, {
    role: "application",
    tabindex: 0,
    "aria-roledescription": "map of poses",
    "aria-label": `${MAP_DESCRIPTION}. Arrow keys move it.`,
  });
  /** @param {number[]} q */
  const pose = q => {
    for (const run of figure.runs) run.setState(q, [0, 0]);
    figure.sendToKernel("motion");
    figure.requestFrame();
  };
  /** @param {PointerEvent} event */
  const point = event => {
    const [x, y] = pointerPosition(canvas, event);
    const [left, top, right, bottom] = /** @type {MapCanvas} */ (canvas).axes.box;
    pose(mapCoordinates(figure, [(x - left) / (right - left), (bottom - y) / (bottom - top)]));
  };
  canvas.addEventListener("pointerdown", event => {
    canvas.setPointerCapture(event.pointerId);
    figure.pointing = true;
    point(event);
  });
  canvas.addEventListener("pointermove", event => figure.pointing && point(event));
  for (const type of RELEASES)
    canvas.addEventListener(type, () => {
      figure.pointing = false;
    });
  canvas.addEventListener("keydown", event => {
    const way = ARROWS[event.key];
    if (!way) return;
    event.preventDefault();
    pose(figure.runs[0].q.map((v, i) => v + 0.05 * way[i]));
    figure.announceState("");
  });
}

/**
 * The same pose on the map, as near as the map goes.
 * @param {number[]} q
 * @param {JointSpec[]} joints
 */
export const onMap = (q, joints) =>
  q.map((v, i) => {
    const [low, high] = joints[i].range;
    const turn = 2 * Math.PI;
    return Math.min(high, Math.max(low, joints[i].periodic ? v - turn * Math.floor((v + Math.PI) / turn) : v));
  });

/**
 * From fractions of the map, 0 to 1, to coordinates.
 * @param {Figure} figure
 * @param {number[]} parts
 */
export const mapCoordinates = (figure, parts) =>
  parts.map((part, i) => {
    const [low, high] = figure.spec.joints[i].range;
    return low + Math.min(1, Math.max(0, part)) * (high - low);
  });

/**
 * Red, green and blue of a part, 0 to 1, of the way from dark to bright.
 * @param {number} part
 */
export function mapColor(part) {
  const place = part * (RAMP.length - 1);
  const i = Math.min(Math.floor(place), RAMP.length - 2);
  return RAMP[i].map((v, c) => v + (place - i) * (RAMP[i + 1][c] - v));
}

/**
 * The map's picture.
 * @param {Figure} figure
 */
export function renderMap(figure) {
  const size = 96;
  const values = [];
  const image = make("canvas", { width: size, height: size });
  const ctx = image.getContext("2d");
  const pixels = ctx.createImageData(size, size);
  for (let row = 0; row < size; row++)
    for (let k = 0; k < size; k++)
      values.push(
        figure.programs.map_quantities(
          mapCoordinates(figure, [(k + 0.5) / size, 1 - (row + 0.5) / size]),
          figure.parameters,
        )[figure.quantity.index],
      );
  const low = Math.min(...values);
  const high = Math.max(...values);
  values.forEach((value, k) => {
    pixels.data.set([...mapColor(high > low ? (value - low) / (high - low) : 0.5), 255], 4 * k);
  });
  ctx.putImageData(pixels, 0, 0);
  return { image, low, high };
}
