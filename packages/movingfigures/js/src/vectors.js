// Vectors of the plane and of space, and the principal directions of a symmetric matrix.
// @ts-check

/**
 * @param {number[]} a
 * @param {number[]} b
 * @returns {number[]}
 */
export const subtract = (a, b) => [a[0] - b[0], a[1] - b[1]];
/**
 * @param {number[]} a
 * @param {number[]} b
 */
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1];
/**
 * @param {number[]} a
 * @param {number[]} b
 */
export const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);

/**
 * Of a symmetric matrix, by Jacobi's rotations: values from small to large, and their directions.
 * @param {number[][]} A
 */
export function principal(A) {
  const V = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const S = A.map(row => [...row]);
  for (let sweep = 0; sweep < 12; sweep++)
    for (const [i, j] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ]) {
      const angle = 0.5 * Math.atan2(2 * S[i][j], S[j][j] - S[i][i]);
      const c = Math.cos(angle);
      const s = Math.sin(angle);
      for (const row of [...S, ...V]) [row[i], row[j]] = [c * row[i] - s * row[j], s * row[i] + c * row[j]];
      [S[i], S[j]] = [0, 1].map(k => S[i].map((v, m) => (k ? s * v + c * S[j][m] : c * v - s * S[j][m])));
    }
  const order = [0, 1, 2].sort((a, b) => S[a][a] - S[b][b]);
  return { values: order.map(k => S[k][k]), axes: order.map(k => V.map(row => row[k])) };
}

/**
 * @param {number} k
 * @param {number} s
 */
export const along = (k, s) => [0, 1, 2].map(i => (i === k ? s : 0)); // a place on an axis
/** @param {number} v */
export const wrapAngle = v => Math.atan2(Math.sin(v), Math.cos(v));
/**
 * @param {number[]} a
 * @param {number[]} b
 * @param {number} [s]
 * @returns {number[]}
 */
export const addScaled3 = (a, b, s = 1) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
/**
 * @param {number[]} a
 * @param {number[]} b
 */
export const dot3 = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
/**
 * @param {number[]} a
 * @param {number[]} b
 */
export const cross3 = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
/**
 * @param {number[]} a
 * @param {number} s
 */
export const scale3 = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
/** @param {number[]} a */
export const norm3 = a => Math.hypot(a[0], a[1], a[2]);
/** @param {number[]} a */
export const normalize3 = a => scale3(a, 1 / (norm3(a) || 1));
/**
 * @param {number[][]} R
 * @param {number[]} a
 */
export const rotate3 = (R, a) => [dot3(R[0], a), dot3(R[1], a), dot3(R[2], a)];
/**
 * By the transpose.
 * @param {number[][]} R
 * @param {number[]} a
 */
export const rotateBack3 = (R, a) => [0, 1, 2].map(k => R[0][k] * a[0] + R[1][k] * a[1] + R[2][k] * a[2]);
export const UP = [0, 0, 1];

/** @param {number[][]} points */
export const centroid = points =>
  scale3(
    points.reduce((total, p) => addScaled3(total, p)),
    1 / points.length,
  );

/**
 * Two unit vectors that make a right-handed frame with a direction.
 * @param {number[]} way
 */
export function perpendicularFrame(way) {
  const w = normalize3(way);
  const u = normalize3(cross3(Math.abs(w[2]) < 0.9 ? UP : [1, 0, 0], w));
  return [u, cross3(w, u)];
}
