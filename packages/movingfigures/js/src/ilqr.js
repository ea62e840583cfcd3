// iLQR around the step, its Jacobians, the cost of the end and the step back that Python printed.
// @ts-check

/** @import { Programs, TaskSpec } from "./spec.js" */

/**
 * States (T + 1, 2n), torques (T, n), the cost of the end with its derivatives, and the cost of all.
 * @typedef {{ x: number[][], u: number[][], end: any[], c: number }} Motion
 */

/**
 * A share of what the backward pass asks for, about the states of a motion.
 * @typedef {{ length: number, k: number[][], K: number[][][], x: number[][] }} Change
 */

// Of a step along the direction found, the longest first.
const LENGTHS = Array.from({ length: 13 }, (_, k) => 0.5 ** k);

/**
 * A motion from x under the torques u; change: {length, k, K, x} moves them as the backward pass asks, about the motion
 * x.
 * @param {Programs} programs
 * @param {TaskSpec} task
 * @param {number[]} x
 * @param {number[][]} u
 * @param {Change} [change]
 * @returns {Motion}
 */
export function rollout(programs, task, x, u, change) {
  /** @type {Motion} */
  const motion = { x: [x], u: [], end: [], c: 0 };
  u.forEach((u_t, t) => {
    const x_t = motion.x[t];
    if (change)
      u_t = u_t.map(
        (v, i) =>
          v + change.length * change.k[t][i] + change.K[t][i].reduce((s, K, j) => s + K * (x_t[j] - change.x[t][j]), 0),
      );
    motion.u.push(u_t);
    motion.x.push(programs.next_state(x_t, u_t));
  });
  motion.end = programs.final_cost(motion.x[u.length], task.goal, task.position, task.velocity);
  motion.c = motion.end[0] + task.effort * motion.u.flat().reduce((s, v) => s + v * v, 0);
  return motion;
}

/**
 * One round of iLQR: a better motion, or nothing where a full step promises less than this part of the cost, or no step
 * helps.
 * @param {Programs} programs
 * @param {TaskSpec} task
 * @param {Motion} motion
 * @param {number} [tolerance]
 */
export function ilqrIteration(programs, task, motion, tolerance = 1e-12) {
  let [, v, V] = motion.end;
  let slope = 0;
  let curvature = 0;
  /** @type {number[][]} */
  const k = [];
  /** @type {number[][][]} */
  const K = [];
  for (let t = motion.u.length - 1; t >= 0; t--) {
    const [A, B] = programs.step_jacobians(motion.x[t], motion.u[t]);
    const back = programs.backward_pass_step(A, B, motion.u[t], task.effort, v, V);
    [k[t], K[t], v, V] = back;
    slope += back[4];
    curvature += back[5];
  }
  if (!(-(slope + curvature) > tolerance * Math.abs(motion.c))) return null;
  for (const length of LENGTHS) {
    const next = rollout(programs, task, motion.x[0], motion.u, { length, k, K, x: motion.x });
    if (next.c <= motion.c + 1e-4 * length * slope) return next;
  }
  return null;
}
