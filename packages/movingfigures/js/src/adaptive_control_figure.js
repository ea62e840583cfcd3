// An arm that learns: beside its motion it carries what it believes and a clock, and its energy is the function V that
// never rises.
// @ts-check

import { Axes } from "./axes.js";
import { disk, line } from "./drawing.js";
import { HISTORY_LENGTH, Run } from "./motion.js";
import { column, formatRounded, range } from "./numbers.js";

/** @import { Figure } from "./figure.js" */
/** @import { Theme } from "./theme.js" */
/** @import { Panel } from "./panels.js" */

export class AdaptiveArm extends Run {
  restart() {
    this.state = null;
    /** @type {number[][]} */
    this.path = [];
    super.restart();
  }

  // The estimates and the clock, which a hand that poses the arm leaves as they are.
  extraState() {
    return this.state ? this.state.slice(2 * this.n + 1) : [...this.figure.spec.learned.start, 0];
  }

  get z() {
    return this.state.slice(2 * this.n + 1, -1);
  }

  /**
   * @param {number[]} x
   * @param {number[]} [hold]
   */
  at(x, hold = this.hold) {
    const { n, figure } = this;
    const { damping, gain, fast, slow } = figure.parameters;
    const clock = x[x.length - 1];
    return this.programs.adaptive_torque(
      x.slice(0, n),
      x.slice(n, 2 * n),
      x.slice(2 * n + 1, -1),
      clock,
      hold,
      this.along,
      this.target,
      damping,
      gain,
      fast,
      slow,
      figure.parameters,
    );
  }

  /**
   * @param {number[]} q
   * @param {number[]} qd
   * @param {number[]} hold
   */
  appliedTorque(q, qd, hold) {
    return this.at([...q, ...qd, 0, ...this.extraState()], hold);
  }

  /** @param {number[]} x */
  rates(x) {
    const { n } = this;
    const q = x.slice(0, n);
    const qd = x.slice(n, 2 * n);
    const [total, power, , , , , zd] = this.at(x);
    return [...qd, ...this.accelerations(q, qd, total), power, ...zd, 1];
  }

  // V, its parts, and what neither dampers nor hand account for.
  energy() {
    const [T, U] = this.at(this.state).slice(7);
    const drift = T + U - this.state[2 * this.n] - this.initial;
    this.scale = Math.max(this.scale, T + U, 1e-12);
    return { T, U, E: T + U, drift, share: drift / this.scale };
  }

  get trueParameters() {
    return this.at(this.state)[9];
  }
  get goal() {
    return this.at(this.state)[10];
  }

  recordHistory() {
    super.recordHistory();
    this.path.push(this.z);
    if (this.path.length > 6 * HISTORY_LENGTH) this.path.shift();
  }

  report() {
    const { z, trueParameters: truth } = this; // a name is "letter (unit)"
    return this.figure.spec.learned.names.map((name, k) =>
      name.replace(/ \((.*)\)/, ` = ${formatRounded(z[k])}, in truth ${formatRounded(truth[k])} $1`),
    );
  }
}

/** @type {Panel} */
export const ESTIMATES_PANEL = {
  description: "The two estimates as a point in a plane, with its path, and a cross at their true values",
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Theme} theme
   * @param {Figure} figure
   */
  draw(canvas, theme, figure) {
    const run = /** @type {AdaptiveArm} */ (figure.runs[0]);
    const { names, start } = figure.spec.learned;
    const { z, trueParameters: truth, path } = run;
    /** @param {number} k */
    const all = k => [...column(path, k), start[k], truth[k], z[k]];
    const axes = new Axes(canvas, theme, range([all(0)], 0.4), range([all(1)], 0.4), names[0], names[1], [
      ["path", theme.prediction, []],
      ["truth: ✕", theme.paper, []],
    ]);
    axes.curve([start[0], ...column(path, 0)], [start[1], ...column(path, 1)], theme.prediction, 2);
    const [x, y] = axes.at(truth[0], truth[1]);
    for (const s of [-6, 6])
      line(
        axes.ctx,
        [
          [x - 6, y - s],
          [x + 6, y + s],
        ],
        theme.ink,
        2.4,
      );
    // A ring about the point that has not left it yet.
    disk(axes.ctx, axes.at(start[0], start[1]), 7, theme.paper, theme.prediction, 1.6);
    disk(axes.ctx, axes.at(z[0], z[1]), 4, theme.prediction, theme.prediction, 0);
  },
};
