// Two arms whose starts differ in one decimal of the first coordinate: how far apart they are, and how fast that grows.
// @ts-check

import { Axes } from "./axes.js";
import { Digits } from "./controls.js";
import { disk, line } from "./drawing.js";
import { growth, SATURATION } from "./growth.js";
import { formatShort, mean } from "./numbers.js";

/** @import { Legend } from "./axes.js" */
/** @import { Figure } from "./figure.js" */
/** @import { Stage } from "./stage.js" */
/** @import { Theme } from "./theme.js" */
/** @import { Panel } from "./panels.js" */

export class Sensitivity {
  /** @param {Figure} figure */
  constructor(figure) {
    this.figure = figure;
    this.digit = figure.spec.digit;
    this.home = figure.spec.start.q;
    /** @type {number[]} */
    this.times = [];
    /** @type {number[]} */
    this.gaps = [];
    /** @type {ReturnType<typeof growth>} */
    this.growthFit = null;
    this.control = new Digits(figure, this.digit, digit => {
      this.digit = digit;
      this.begin(figure.spec.start.q);
      figure.announceState(`Starts 1e-${digit} rad apart.`);
    });
    this.begin(this.home);
  }

  /**
   * A new start for both.
   * @param {number[]} q
   */
  begin(q) {
    const { figure } = this;
    const start = { q, qd: figure.spec.start.qd };
    figure.spec.start = start;
    figure.runs[1].spec.start = { ...start, q: q.map((v, i) => (i ? v : v + 10 ** -this.digit)) };
    this.control.show(q[0], figure.runs[1].spec.start.q[0]);
    for (const run of figure.runs) run.restart();
    this.clear();
    figure.requestFrame();
  }

  reset() {
    this.digit = this.figure.spec.digit;
    this.control.radios[this.digit - 1].checked = true;
    this.begin(this.home);
  }

  clear() {
    this.times = [];
    this.gaps = [];
    this.growthFit = null;
    this.record();
  }

  record() {
    const [a, b] = this.figure.runs;
    if (this.times.length && a.t <= this.times[this.times.length - 1]) return;
    this.times.push(a.t);
    this.gaps.push(Math.hypot(...a.q.map((v, i) => v - b.q[i])));
    const over = this.gaps.length > 1 && this.gaps.slice(0, -1).some(gap => gap >= SATURATION);
    if (!over) this.growthFit = growth(this.times, this.gaps);
  }

  /**
   * The other arm within the first one, until they part.
   * @param {CanvasRenderingContext2D} ctx
   * @param {Stage} stage
   * @param {number} width
   * @param {Theme} theme
   */
  drawSecondArm(ctx, stage, width, theme) {
    const run = this.figure.runs[1];
    const { origins, ends } = run.points();
    if (this.figure.spec.marks.includes("trail"))
      line(
        ctx,
        run.history.tip.slice(-240).map(p => stage.pixels(p)),
        theme.run(1),
        1.2,
      );
    run.bars.forEach((i, k) =>
      line(ctx, [stage.pixels(origins[i]), stage.pixels(ends[k])], theme.run(1), 0.45 * width),
    );
    disk(ctx, stage.pixels(ends.at(-1)), 0.35 * width, theme.run(1), theme.paper, 1);
  }

  report() {
    const { growthFit } = this;
    const gap = this.gaps[this.gaps.length - 1];
    const over = this.gaps.some(g => g >= SATURATION);
    const texts = [`distance ${formatShort(gap)} rad`];
    if (growthFit)
      texts.push(
        `grows at ${growthFit.rate.toFixed(2)} ± ${growthFit.spread.toFixed(2)} per second`,
        growthFit.rate > 0 ? `a digit in ${(Math.LN10 / growthFit.rate).toFixed(1)} s` : "",
      );
    if (over)
      texts.push(`${SATURATION} rad apart after ${this.times[this.gaps.findIndex(g => g >= SATURATION)].toFixed(2)} s`);
    return texts.filter(Boolean);
  }
}

/** @type {Panel} */
export const SENSITIVITY_PANEL = {
  description: "Distance of the two arms over time, on a logarithmic scale, with the line of its mean growth",
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Theme} theme
   * @param {Figure} figure
   */
  draw(canvas, theme, figure) {
    const { times, gaps, growthFit } = figure.sensitivity;
    const last = times[times.length - 1];
    const log = gaps.map(gap => Math.log10(Math.max(gap, 1e-16)));
    const low = log.reduce((a, b) => Math.min(a, b), -figure.sensitivity.digit - 1);
    const high = log.reduce((a, b) => Math.max(a, b), 1.5);
    /** @type {Legend} */
    const entries = [
      ["distance", theme.ink, []],
      ["mean growth", theme.mark, [7, 4]],
    ];
    const axes = new Axes(canvas, theme, [0, Math.max(10, last)], [low, high], "time (s)", "log₁₀ of rad", entries);
    axes.curve([axes.x[0], axes.x[1]], [Math.log10(SATURATION), Math.log10(SATURATION)], theme.faint, 1, [2, 3]);
    axes.curve(times, log, theme.ink, 2);
    if (!growthFit) return;
    const t = growthFit.rows.map(r => r[0]);
    const y = growthFit.rows.map(r => r[1] / Math.LN10);
    /** @param {number} time */
    const at = time => mean(y) + (growthFit.rate / Math.LN10) * (time - mean(t));
    axes.curve([0, growthFit.until], [at(0), at(growthFit.until)], theme.mark, 2.4, [7, 4]);
  },
};
