// The reader's own curve: drawn before the motion is played, so that the truth can appear over it.
// @ts-check

import { Axes } from "./axes.js";
import { ARROWS, pointerPosition, RELEASES, setAttributes } from "./dom.js";
import { disk } from "./drawing.js";
import { withIndex, withMinusSign } from "./numbers.js";

/** @import { Figure } from "./figure.js" */
/** @import { Theme } from "./theme.js" */
/** @import { Panel } from "./panels.js" */

const PREDICTION_DESCRIPTION = "Your prediction, drawn by hand, and the motion over it";

const POINTS = 160; // of a guess, over the time shown

export class Prediction {
  /**
   * @param {Figure} figure
   * @param {HTMLCanvasElement} canvas
   */
  constructor(figure, canvas) {
    this.figure = figure;
    this.canvas = canvas;
    this.at = 0;
    /** @type {(number | null)[]} */
    this.curve = new Array(POINTS + 1).fill(null);
    /** @type {Axes | null} */
    this.axes = null;
    /** @type {number[] | null} */
    this.pen = null;
    this.drawing = false;
    this.description = "";
    const { letter, joint, unit } = figure.spec.predict;
    setAttributes(canvas, {
      role: "application",
      tabindex: 0,
      "aria-roledescription": "curve to draw",
      "aria-label":
        `${PREDICTION_DESCRIPTION}: ${letter} of joint ${joint + 1} in ${unit}. ` +
        "Left and right arrow keys move the pen in time, up and down draw.",
    });
    canvas.addEventListener("pointerdown", event => {
      canvas.setPointerCapture(event.pointerId);
      this.pen = null;
      this.drawing = true;
      this.drawTo(event);
    });
    canvas.addEventListener("pointermove", event => this.drawing && this.drawTo(event));
    for (const type of RELEASES)
      canvas.addEventListener(type, () => {
        this.drawing = false;
      });
    canvas.addEventListener("keydown", event => this.key(event));
  }

  get clear() {
    return !this.curve.some(v => v !== null);
  }

  /**
   * The curve goes on from the last place of the pen to this one.
   * @param {PointerEvent} event
   */
  drawTo(event) {
    const [x, y] = pointerPosition(this.canvas, event);
    const [left, top, right, bottom] = this.axes.box;
    const [low, high] = this.axes.y;
    const part = Math.min(1, Math.max(0, (x - left) / (right - left)));
    const k = Math.round(part * POINTS);
    const up = Math.min(1, Math.max(0, (bottom - y) / (bottom - top)));
    const value = low + up * (high - low);
    const [from, was] = this.pen || [k, value];
    const steps = Math.abs(k - from);
    for (let j = 0; j <= steps; j++)
      this.curve[from + Math.sign(k - from) * j] = steps ? was + ((value - was) * j) / steps : value;
    this.pen = [k, value];
    event.preventDefault();
    this.figure.requestFrame();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const way = ARROWS[event.key];
    if (!way) return;
    event.preventDefault();
    const [low, high] = this.axes.y;
    const here = this.curve[this.at] ?? this.figure.spec.predict.start;
    const next = Math.min(POINTS, Math.max(0, this.at + 4 * way[0]));
    const value = Math.min(high, Math.max(low, here + (way[1] * (high - low)) / 40));
    for (let k = Math.min(this.at, next); k <= Math.max(this.at, next); k++)
      this.curve[k] = way[0] ? (this.curve[k] ?? value) : value;
    this.at = next;
    const time = (this.at / POINTS) * this.figure.spec.predict.seconds;
    this.figure.announceState(`Your curve: ${withMinusSign(value.toFixed(2))} at ${time.toFixed(1)} s.`);
    this.figure.requestFrame();
  }

  /**
   * How far the curve is from what came, as far as both go.
   * @param {number[]} times
   * @param {number[]} values
   */
  measureError(times, values) {
    const { seconds, unit } = this.figure.spec.predict;
    let worst = 0;
    times.forEach((t, j) => {
      const drawn = this.curve[Math.round((t / seconds) * POINTS)];
      if (drawn !== null && drawn !== undefined) worst = Math.max(worst, Math.abs(drawn - values[j]));
    });
    this.description = this.clear || !times.length ? "" : `your curve is off by up to ${worst.toFixed(2)} ${unit}`;
  }
}

/** @type {Panel} */
export const PREDICT_PANEL = {
  description: PREDICTION_DESCRIPTION,
  begin: (figure, canvas) => {
    figure.prediction = new Prediction(figure, canvas);
  },
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Theme} theme
   * @param {Figure} figure
   */
  draw(canvas, theme, figure) {
    const { letter, name, joint, low, high, seconds, unit } = figure.spec.predict;
    const { prediction } = figure;
    const [run] = figure.runs;
    const title =
      prediction.clear && !figure.started
        ? `${withIndex(letter, joint)} (${unit}): draw what you expect`
        : `${withIndex(letter, joint)} (${unit})`;
    const axes = (prediction.axes = new Axes(
      canvas,
      theme,
      [0, seconds],
      [low, high],
      "time (s)",
      title,
      prediction.clear
        ? []
        : [
            ["you", theme.prediction, [2, 3]],
            ["motion", theme.ink, []],
          ],
    ));
    /** @type {number[][]} */
    const shown = run.history.t.map((t, k) => [t, run.history[name][k][joint]]).filter(([t]) => t <= seconds);
    const mine = prediction.curve.map((v, k) => [(k * seconds) / POINTS, v]).filter(([, v]) => v !== null);
    axes.curve(
      mine.map(p => p[0]),
      mine.map(p => p[1]),
      theme.prediction,
      2.4,
      [2, 3],
    );
    if (!figure.started) return disk(axes.ctx, axes.at(0, figure.spec.predict.start), 4, theme.ink, theme.paper, 1);
    axes.curve(
      shown.map(p => p[0]),
      shown.map(p => p[1]),
      theme.ink,
      2.4,
    );
    prediction.measureError(
      shown.map(p => p[0]),
      shown.map(p => p[1]),
    );
  },
};
