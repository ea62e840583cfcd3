// The state of a figure in words and numbers: for the line below the picture, and for those who listen.
// @ts-check

import { formatShort, withMinusSign } from "./numbers.js";
import { TERMS } from "./terms.js";

/** @import { Figure } from "./figure.js" */
/** @import { Run } from "./motion.js" */

/** @param {number[]} x */
const vectorText = x => withMinusSign(`(${x.map(v => v.toFixed(2)).join(", ")})`);

/**
 * Where an arm is, how fast, with how much energy, and how hard it is pulled.
 * @param {Figure} figure
 * @param {Run} run
 */
function runTexts(figure, run) {
  const texts = [];
  const name = run.spec.label ? `${run.spec.label}: ` : "";
  const { E, drift } = run.energy();
  if (name) texts.push(""); // each of several arms begins a line
  texts.push(`${name}q = ${vectorText(run.q)} ${figure.units("q")}`);
  if (!figure.stored) {
    texts.push(`q̇ = ${vectorText(run.qd)} ${figure.units("qd")}`);
    const energy = withMinusSign(E.toFixed(2).replace(/^-0\.00$/, "0.00"));
    texts.push(`${figure.spec.learned ? "V" : "energy"} ${energy} J, error ${formatShort(drift)} J`);
  }
  if (run.isHeld && figure.playing)
    texts.push(`pull ${Math.hypot(...run.appliedTorque(run.q, run.qd)[2]).toFixed(0)} N`);
  return texts;
}

/**
 * The terms of the equation, a text a joint.
 * @param {Figure} figure
 */
function termTexts(figure) {
  const parts = figure.runs[0].terms();
  return figure.spec.joints.map((joint, i) => {
    const values = figure.spec.terms
      .map((word, k) => `${TERMS[word][0]}\u00a0=\u00a0${withMinusSign(parts[k][i].toFixed(2))}`)
      .join(", ");
    return `joint ${i + 1}: ${values} ${joint.units.tau}`;
  });
}

/**
 * The masses that a push at the tip feels, the most and the least.
 * @param {number[]} mobility its entries, of which the two off the diagonal are one
 */
function massText([a, b, d]) {
  const middle = (a + d) / 2;
  const half = Math.hypot((a - d) / 2, b);
  /** @param {number} v */
  const mass = v => (v < 1e-6 * (middle + half) ? "∞" : `${(1 / v).toPrecision(3)} kg`);
  return `mass felt at the tip: from ${mass(middle + half)} to ${mass(middle - half)}`;
}

/**
 * What the picture shows, in numbers.
 * @param {Figure} figure
 */
export function readout(figure) {
  const [run] = figure.runs;
  const own = run.describe();
  if (own) return own;
  const texts = [`t = ${run.t.toFixed(2)} s`, ...(figure.sensitivity ? figure.sensitivity.report() : [])];
  for (const one of figure.runs) texts.push(...runTexts(figure, one));
  if (run.programs.terms && figure.started && !figure.equation) texts.push(...termTexts(figure));
  texts.push(...run.report());
  if (figure.covariance) texts.push("", ...figure.covariance.report());
  if (figure.prediction?.description) texts.push(figure.prediction.description);
  const { mobility } = figure.stages[0];
  if (mobility) texts.push(massText(mobility));
  return texts;
}
