// What an arm in motion tells about its own parameters: it reads its torques ten times a second, and the page draws how
// far each pair may still be wrong.
// @ts-check

import { Axes } from "./axes.js";
import { fill, line } from "./drawing.js";
import { SUB, sum } from "./numbers.js";

/** @import { Figure } from "./figure.js" */
/** @import { Run } from "./motion.js" */
/** @import { Theme } from "./theme.js" */
/** @import { Panel } from "./panels.js" */

const PRIOR_INFORMATION = 1e-6; // what is known before the first reading: next to nothing
const MAX_ERROR = 100; // a standard error beyond this is none

export class Covariance {
  /** @param {Figure} figure */
  constructor(figure) {
    this.figure = figure;
    const { names, units, pairs, width } = figure.spec.covariance;
    this.names = names;
    this.units = units;
    this.pairs = pairs;
    this.width = width;
    this.shown = this.names.map(name => name.replace(/_(\d)/g, (_, digit) => SUB[digit]));
    this.readings = 0;
    /** @type {number[][]} */
    this.A = [];
    this.clear();
  }

  clear() {
    this.readings = 0;
    this.A = this.names.map((_, i) => this.names.map((_, j) => (i === j ? PRIOR_INFORMATION : 0)));
  }

  /**
   * One reading of all torques, each wrong by 1 N m, adds Y^T Y.
   * @param {Run} run
   */
  addReading(run) {
    const { q, qd } = run;
    const qdd = run.accelerations(q, qd, run.appliedTorque(q, qd)[0]);
    const gained = run.programs.information_matrix(q, qd, qdd, run.figure.parameters);
    this.readings += 1;
    this.A = this.A.map((row, i) => row.map((v, j) => v + gained[i][j]));
  }

  /**
   * The information on some parameters, if the others are not known either: those are eliminated.
   * @param {number[]} kept
   */
  marginalInformation(kept) {
    const S = this.A.map(row => [...row]);
    const all = S.map((_, k) => k);
    for (const k of all.filter(k => !kept.includes(k)))
      for (const i of all.filter(i => i !== k)) S[i] = sum(S[i], [-S[i][k] / S[k][k], S[k]]);
    return kept.map(i => kept.map(j => S[i][j]));
  }

  /** @param {number} k */
  error(k) {
    return 1 / Math.sqrt(this.marginalInformation([k])[0][0]);
  }

  /**
   * Of one standard error: x^T S x = 1.
   * @param {number[]} point
   */
  ellipse([i, j]) {
    const [[s, t]] = this.marginalInformation([i, j]);
    const error = this.error(j);
    return Array.from({ length: 97 }, (_, k) => (2 * Math.PI * k) / 96).map(angle => {
      const y = error * Math.sin(angle);
      return [Math.cos(angle) / Math.sqrt(s) - (t / s) * y, y];
    });
  }

  report() {
    const errors = this.names.map((_, k) => this.error(k));
    return [
      `readings: ${this.readings}`,
      ...errors.map((e, k) =>
        e > MAX_ERROR ? `${this.shown[k]} unknown` : `${this.shown[k]} ± ${e.toPrecision(2)} ${this.units[k]}`,
      ),
    ];
  }

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Theme} theme
   * @param {number} pair
   */
  draw(canvas, theme, pair) {
    const { width, pairs, shown, units } = this;
    const [i, j] = pairs[pair];
    const axes = new Axes(
      canvas,
      theme,
      [-width, width],
      [-width, width],
      `error of ${shown[i]} (${units[i]})`,
      `error of ${shown[j]} (${units[j]})`,
    );
    const {
      ctx,
      box: [left, top, right, bottom],
    } = axes;
    const points = this.ellipse(pairs[pair]).map(([x, y]) => axes.at(x, y));
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, right - left, bottom - top);
    ctx.clip();
    ctx.globalAlpha = 0.25;
    fill(ctx, points, theme.mark);
    ctx.globalAlpha = 1;
    line(ctx, points, theme.mark, 2);
    ctx.restore();
  }
}

/**
 * The panels of the pairs, up to three.
 * @type {Record<string, Panel>}
 */
export const PAIR_PANELS = Object.fromEntries(
  [0, 1, 2].map(pair => [
    `pair_${pair}`,
    {
      description: "How far two parameters may still be wrong together, as an ellipse",
      draw: (canvas, theme, figure) => figure.covariance.draw(canvas, theme, pair),
    },
  ]),
);
