// Numbers as they are written, round steps of an axis, ranges, means: what needs no page.
// @ts-check

/**
 * @param {number} value
 * @param {string} unit
 */
export const formatValue = (value, unit) => withMinusSign(`${Number(value.toPrecision(4))}${unit ? ` ${unit}` : ""}`);

/** @param {number} v */
export const formatRounded = v =>
  withMinusSign(v.toFixed(Math.abs(v) < 9.995 ? 2 : Math.abs(v) < 99.95 ? 1 : 0)).replace(/^−(0\.00)$/, "$1");

/**
 * A number and its unit stay on one line.
 * @param {string} text
 */
export const bindUnits = text =>
  text.replace(/([\d)]) (?=(rad|kg|m|s|J|N)\b)/g, "$1\u00a0").replaceAll("N m", "N\u00a0m");

/** @param {string} text */
export const withMinusSign = text => text.replaceAll("-", "−");

/** @param {number} x */
export const formatShort = x =>
  withMinusSign(
    x === 0 ? "0" : Math.abs(x) >= 1e4 || Math.abs(x) < 1e-2 ? x.toExponential(0) : String(Number(x.toPrecision(3))),
  );

/**
 * A round number near a quarter of a span.
 * @param {number} span
 */
export function roundStep(span) {
  const power = 10 ** Math.floor(Math.log10(span / 4 || 1));
  const part = span / 4 / power;
  return (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10) * power;
}

/**
 * The round numbers of an axis from low to high; whole: every whole number.
 * @param {number} low
 * @param {number} high
 * @param {boolean} [whole]
 */
export function ticks(low, high, whole = false) {
  const step = whole ? 1 : roundStep(high - low);
  const values = [];
  for (let v = Math.ceil(low / step) * step; v <= high + 1e-9 * step; v += step)
    values.push(Math.abs(v) < 1e-9 * step ? 0 : v);
  return values;
}

/**
 * Lowest and highest number of all rows, with some room, at least `least` apart.
 * @param {number[][]} rows
 * @param {number} least
 * @returns {number[]}
 */
export function range(rows, least) {
  let low = Infinity;
  let high = -Infinity;
  for (const row of rows)
    for (const v of row)
      if (Number.isFinite(v)) {
        low = Math.min(low, v);
        high = Math.max(high, v);
      }
  if (low > high) return [-least, least];
  const room = Math.max(0.06 * (high - low), (least - (high - low)) / 2, 1e-9);
  return [low - room, high + room];
}

/**
 * @param {number[]} t
 * @returns {number[]}
 */
export const recentRange = t => {
  const last = t[t.length - 1] || 0;
  return [Math.max(0, last - 8), Math.max(8, last)];
};

/**
 * @param {number[][]} rows
 * @param {number} i
 */
export const column = (rows, i) => rows.map(row => row[i]);
export const SUB = "₀₁₂₃₄₅₆₇₈₉";
/**
 * @param {string} letter
 * @param {number} i
 */
export const withIndex = (letter, i) => letter + [...String(i + 1)].map(d => SUB[Number(d)]).join("");
/**
 * @param {number[]} x
 * @param {...[number, number[]]} terms
 */
export const sum = (x, ...terms) => x.map((v, i) => terms.reduce((s, [c, y]) => s + c * y[i], v));
/**
 * @param {number[]} v
 * @param {string} unit
 */
export const vector = (v, unit) => withMinusSign(`(${v.map(x => formatRounded(x)).join(", ")}) ${unit}`);
/** @param {number[]} v */
export const mean = v => v.reduce((s, u) => s + u, 0) / v.length;

/**
 * Of the line of least squares.
 * @param {number[]} x
 * @param {number[]} y
 */
export function slope(x, y) {
  const [mx, my] = [mean(x), mean(y)];
  return x.reduce((s, v, k) => s + (v - mx) * (y[k] - my), 0) / x.reduce((s, v) => s + (v - mx) ** 2, 0);
}
