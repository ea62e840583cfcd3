// How fast the distance of two motions grows.
// @ts-check

import { mean, slope } from "./numbers.js";

export const SATURATION = 0.1; // rad or m, where the growth is over

/**
 * The rate at which a distance grows, 1/s, until it is APART: slope of its logarithm over all that time, and the
 * standard deviation of the slopes second by second; nothing before two seconds.
 * @param {number[]} times
 * @param {number[]} gaps
 */
export function growth(times, gaps) {
  const last = gaps.findIndex(gap => gap >= SATURATION);
  const end = last < 0 ? gaps.length : last + 1;
  const rows = times
    .slice(0, end)
    .map((t, k) => [t, Math.log(gaps[k])])
    .filter(([, v]) => Number.isFinite(v));
  const seconds = Math.floor(rows.length ? rows[rows.length - 1][0] : 0);
  /** @param {number[][]} part */
  const rate = part =>
    slope(
      part.map(r => r[0]),
      part.map(r => r[1]),
    );
  if (seconds < 2) return null;
  const parts = Array.from({ length: seconds }, () => /** @type {number[][]} */ ([]));
  for (const row of rows) {
    const k = Math.floor(row[0]);
    parts[k]?.push(row);
    if (row[0] === k) parts[k - 1]?.push(row); // a whole second ends one part and begins the next
  }
  const rates = parts.map(rate);
  const middle = mean(rates);
  return {
    rate: rate(rows),
    spread: Math.sqrt(rates.reduce((s, v) => s + (v - middle) ** 2, 0) / (seconds - 1)),
    until: rows[rows.length - 1][0],
    rows,
  };
}
