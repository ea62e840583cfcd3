// Solids as lists of faces; the corners of each go around it anticlockwise, seen from outside.
// @ts-check

import { addScaled3, norm3, perpendicularFrame, rotate3 } from "./vectors.js";

/** @typedef {number[][][]} Faces */

/**
 * @param {number[]} from
 * @param {number[]} to
 * @param {number} r0
 * @param {number} [r1]
 * @param {number} [sides]
 * @param {number} [parts]
 */
export function tube(
  from,
  to,
  r0,
  r1 = r0,
  sides = 16,
  parts = Math.min(12, Math.ceil(norm3(addScaled3(to, from, -1)) / (2.5 * Math.max(r0, r1)))),
) {
  // in short parts, so that sorting by depth is right
  if (!parts) return [];
  const way = addScaled3(to, from, -1);
  const [u, v] = perpendicularFrame(way);
  const faces = [];
  const rings = Array.from({ length: parts + 1 }, (_, j) => {
    const part = j / parts;
    const middle = addScaled3(from, way, part);
    const r = r0 + part * (r1 - r0);
    return Array.from({ length: sides }, (_, k) =>
      addScaled3(
        addScaled3(middle, u, r * Math.cos((2 * Math.PI * k) / sides)),
        v,
        r * Math.sin((2 * Math.PI * k) / sides),
      ),
    );
  });
  for (let j = 0; j < parts; j++)
    for (let k = 0; k < sides; k++) {
      const next = (k + 1) % sides;
      const low = [rings[j][k], rings[j][next]];
      faces.push(j === parts - 1 && !r1 ? [...low, to] : [...low, rings[j + 1][next], rings[j + 1][k]]);
    }
  return [...faces, [...rings[0]].reverse(), ...(r1 ? [rings[parts]] : [])];
}

/**
 * @param {number} around
 * @param {number} along
 */
export const directions = (around, along) =>
  Array.from({ length: along + 1 }, (_, j) =>
    Array.from({ length: around }, (_, k) => {
      // of a net over the unit sphere
      const p = (Math.PI * j) / along;
      const a = (2 * Math.PI * k) / around;
      return [Math.sin(p) * Math.cos(a), Math.sin(p) * Math.sin(a), Math.cos(p)];
    }),
  );

/**
 * The faces of a net of rows, each closed.
 * @param {number[][][]} rows
 */
export function gridFaces(rows) {
  const faces = [];
  for (let j = 0; j + 1 < rows.length; j++)
    for (let k = 0; k < rows[j].length; k++) {
      const next = (k + 1) % rows[j].length;
      const quad = [rows[j][k], rows[j + 1][k], rows[j + 1][next], rows[j][next]];
      faces.push(j === 0 ? quad.slice(0, 3) : j === rows.length - 2 ? [quad[0], quad[1], quad[3]] : quad);
    }
  return faces;
}

/**
 * @param {number[]} middle
 * @param {number} r
 * @param {number} [around]
 */
export const ball = (middle, r, around = 16) =>
  gridFaces(directions(around, around / 2).map(row => row.map(d => addScaled3(middle, d, r))));

/**
 * Six faces, +x -x +y -y +z -z, of a box with axes R.
 * @param {number[][]} R
 * @param {number[]} middle
 * @param {number[]} half
 */
export function boxFaces(R, middle, half) {
  /**
   * @param {number} x
   * @param {number} y
   * @param {number} z
   */
  const at = (x, y, z) => addScaled3(middle, rotate3(R, [x * half[0], y * half[1], z * half[2]]));
  return [
    [at(1, -1, -1), at(1, 1, -1), at(1, 1, 1), at(1, -1, 1)],
    [at(-1, -1, -1), at(-1, -1, 1), at(-1, 1, 1), at(-1, 1, -1)],
    [at(-1, 1, -1), at(-1, 1, 1), at(1, 1, 1), at(1, 1, -1)],
    [at(-1, -1, -1), at(1, -1, -1), at(1, -1, 1), at(-1, -1, 1)],
    [at(-1, -1, 1), at(1, -1, 1), at(1, 1, 1), at(-1, 1, 1)],
    [at(-1, -1, -1), at(-1, 1, -1), at(1, 1, -1), at(1, -1, -1)],
  ];
}
