// The terms of the equation of motion as arcs about the joints of an arm, or as arrows beside one that slides.
// @ts-check

import { drawArrowAlong, drawText, label } from "./drawing.js";
import { formatRounded } from "./numbers.js";
import { isRightTerm, isVelocityTerm, TERMS } from "./terms.js";

/** @import { Stage } from "./stage.js" */
/** @import { Theme } from "./theme.js" */

/**
 * The terms of the left side as arcs about each joint, the longer the larger, straight where it slides; one that is
 * pointed at alone, with its value.
 * @param {Stage} stage
 * @param {CanvasRenderingContext2D} ctx
 * @param {Record<string, number[][]>} px
 * @param {number} w
 * @param {Theme} theme
 */
export function drawTorqueArcs(stage, ctx, px, w, theme) {
  const { run, figure } = stage;
  const { terms } = figure.spec;
  const parts = run.terms();
  const alone = figure.highlightedTerm;
  const size = Math.max(...parts.flat().map(Math.abs).filter(Number.isFinite), 1e-9);
  stage.largest = Math.max(size, 0.99 * stage.largest);
  const drawn = terms.filter(
    word =>
      (alone ? word === alone : !isRightTerm(word)) &&
      !(isVelocityTerm(word) && run.spec.dynamics === "acceleration_without_coriolis"),
  );
  /** @type {number[][]} */
  const taken = [];
  for (let i = 0; i < run.n; i++) {
    const [from, to] = [px.origins[i], px.ends[run.bars.indexOf(i)]];
    const along = Math.atan2(from[1] - to[1], to[0] - from[0]);
    const slides = figure.spec.joints[i].units.q === "m";
    drawn.forEach((word, k) => {
      const value = parts[terms.indexOf(word)][i];
      const r = 2.1 * w + 8 * k;
      const turn = (2.4 * value) / stage.largest;
      const color = theme[TERMS[word][1]];
      if (!Number.isFinite(turn)) return;
      /**
       * @param {number} s
       * @param {number} r
       */
      const at = (s, r) =>
        slides // beside the rod, or about the joint
          ? [
              from[0] + 40 * s * Math.cos(along) - r * Math.sin(along),
              from[1] - 40 * s * Math.sin(along) - r * Math.cos(along),
            ]
          : [from[0] + r * Math.cos(along + s), from[1] - r * Math.sin(along + s)];
      drawArrowAlong(
        ctx,
        Array.from({ length: 25 }, (_, j) => at((turn * j) / 24, r)),
        color,
        alone ? 5 : 3,
      );
      const side = Math.sign(turn || 1) * Math.max(0.8, Math.abs(turn) / 2);
      const places = [side, -side, side + 1.2, -side - 1.2].map(s => at(s, r + 30));
      if (alone) label(ctx, `${formatRounded(value)} ${figure.spec.joints[i].units.tau}`, places, taken, color, theme);
    });
  }
  if (!figure.equation)
    terms
      .filter(word => !isRightTerm(word))
      .forEach((word, k) => drawText(ctx, TERMS[word][0], 12 + 58 * k, 16, theme, "left", theme[TERMS[word][1]]));
}
