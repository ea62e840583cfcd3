// A frame with round numbers on both axes, its curves and its legend.
// @ts-check

import { clearCanvas, drawText, line } from "./drawing.js";
import { formatShort, ticks, withIndex } from "./numbers.js";

/** @import { Theme } from "./theme.js" */

/**
 * Text, color and dashes of each entry.
 * @typedef {[string, string, number[]][]} Legend
 */

// A frame with round numbers on both axes.
export class Axes {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Theme} theme
   * @param {number[]} range
   * @param {number[]} point
   * @param {string} xlabel
   * @param {string} ylabel
   * @param {Legend} [entries]
   * @param {boolean} [whole]
   */
  constructor(canvas, theme, [x0, x1], [y0, y1], xlabel, ylabel, entries = [], whole = false) {
    const ctx = clearCanvas(canvas);
    const w = canvas.clientWidth;
    const h = canvas.clientHeight;
    ctx.font = `13px ${theme.font}`;
    const wide = entries.reduce(
      (all, [text]) => all + ctx.measureText(text).width + 42,
      ctx.measureText(ylabel).width + 12,
    );
    const low = wide > w - 12; // a legend that does not fit beside the label stands below it
    this.ctx = ctx;
    this.theme = theme;
    this.box = [52, low ? 42 : 24, w - 8, h - 36];
    this.x = [x0, x1];
    this.y = [y0, y1];
    const [left, top, right, bottom] = this.box;
    for (const value of ticks(x0, x1, whole)) {
      const [x] = this.at(value, y0);
      line(
        ctx,
        [
          [x, top],
          [x, bottom],
        ],
        theme.grid,
        1,
        "butt",
      );
      drawText(ctx, formatShort(value), x, bottom + 11, theme, "center");
    }
    for (const value of ticks(y0, y1)) {
      const [, y] = this.at(x0, value);
      line(
        ctx,
        [
          [left, y],
          [right, y],
        ],
        theme.grid,
        1,
        "butt",
      );
      drawText(ctx, formatShort(value), left - 5, y, theme, "right");
    }
    drawText(ctx, xlabel, right, bottom + 27, theme, "right");
    drawText(ctx, ylabel, left - 44, 10, theme);
    this.legend(entries, low ? 29 : 10);
  }

  /**
   * @param {number} x
   * @param {number} y
   * @returns {[number, number]}
   */
  at(x, y) {
    const [left, top, right, bottom] = this.box;
    return [
      left + ((x - this.x[0]) / (this.x[1] - this.x[0])) * (right - left),
      bottom - ((y - this.y[0]) / (this.y[1] - this.y[0])) * (bottom - top),
    ];
  }

  /**
   * @param {number[]} xs
   * @param {number[]} ys
   * @param {string} color
   * @param {number} [width]
   * @param {number[]} [dashes]
   */
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

  /**
   * At the right, from the last entry to the first; narrower where there are many.
   * @param {Legend} entries
   * @param {number} y
   */
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

// Of joints 1 to 7 and again.
export const DASHES = [[], [7, 4], [7, 4, 2, 4], [2, 3], [1, 7], [7, 3, 2, 3, 2, 3], [3, 7]];
/** @param {number} i */
export const jointDashes = i => DASHES[i % DASHES.length];
/**
 * @param {number[]} q
 * @param {string} letter
 * @param {string} color
 * @returns {Legend}
 */
export const jointLegend = (q, letter, color) => q.map((_, i) => [withIndex(letter, i), color, jointDashes(i)]);
