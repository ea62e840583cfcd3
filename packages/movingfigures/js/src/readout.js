// The state of a figure in words and numbers: for the line below the picture, and for those who listen.
// @ts-check

import { formatShort, withMinusSign } from "./numbers.js";
import { TERMS } from "./terms.js";

/** @import { Figure } from "./figure.js" */

/**
 * What the picture shows, in numbers.
 * @param {Figure} figure
 */
export function readout(figure) {
  const own = figure.runs[0].describe();
  if (own) return own;
  const texts = [`t = ${figure.runs[0].t.toFixed(2)} s`, ...(figure.sensitivity ? figure.sensitivity.report() : [])];
  /** @param {number[]} x */
  const row = x => withMinusSign(`(${x.map(v => v.toFixed(2)).join(", ")})`);
  for (const run of figure.runs) {
    const name = run.spec.label ? `${run.spec.label}: ` : "";
    const { E, drift } = run.energy();
    if (name) texts.push(""); // each of several arms begins a line
    texts.push(`${name}q = ${row(run.q)} ${figure.units("q")}`);
    if (!figure.stored) texts.push(`q̇ = ${row(run.qd)} ${figure.units("qd")}`);
    if (!figure.stored) {
      const energy = withMinusSign(E.toFixed(2).replace(/^-0\.00$/, "0.00"));
      texts.push(`${figure.spec.learned ? "V" : "energy"} ${energy} J, error ${formatShort(drift)} J`);
    }
    if (run.isHeld && figure.playing)
      texts.push(`pull ${Math.hypot(...run.appliedTorque(run.q, run.qd)[2]).toFixed(0)} N`);
  }
  if (figure.runs[0].programs.terms && figure.started && !figure.equation) {
    const parts = figure.runs[0].terms();
    for (let i = 0; i < figure.spec.n; i++) {
      const values = figure.spec.terms
        .map(word => TERMS[word])
        .map(([name], k) => `${name}\u00a0=\u00a0${withMinusSign(parts[k][i].toFixed(2))}`)
        .join(", ");
      texts.push(`joint ${i + 1}: ${values} ${figure.spec.joints[i].units.tau}`);
    }
  }
  texts.push(...figure.runs[0].report());
  if (figure.covariance) texts.push("", ...figure.covariance.report());
  if (figure.prediction && figure.prediction.description) texts.push(figure.prediction.description);
  const mobility = figure.stages[0].mobility;
  if (mobility) {
    const [a, b, d] = mobility;
    const middle = (a + d) / 2;
    const half = Math.hypot((a - d) / 2, b);
    /** @param {number} v */
    const mass = v => (v < 1e-6 * (middle + half) ? "∞" : `${(1 / v).toPrecision(3)} kg`);
    texts.push(`mass felt at the tip: from ${mass(middle + half)} to ${mass(middle - half)}`);
  }
  return texts;
}
