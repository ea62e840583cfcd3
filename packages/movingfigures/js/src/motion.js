// One arm in motion: steps it through time with the programs that Python printed, keeps an account of its energy, and
// recovers from what is not finite.
// @ts-check

import { sum } from "./numbers.js";

/** @import { Figure } from "./figure.js" */
/** @import { Integrator, Programs, RunSpec, Solution } from "./spec.js" */

export const HISTORY_LENGTH = 600; // samples of the past that plots show, 60 a second

/**
 * Places of an arm, m: where joints are carried, links begin and end, centers of mass are, and the axes of the joints.
 * @typedef {{ homes: number[][], origins: number[][], ends: number[][], coms: number[][], axes: number[][] }} Points
 */

/**
 * Samples of the past, by name.
 * @typedef {Record<string, any[]>} History
 */

export class Run {
  /**
   * @param {Figure} figure
   * @param {RunSpec} spec
   * @param {Programs} programs
   */
  constructor(figure, spec, programs) {
    this.figure = figure;
    this.spec = spec;
    this.programs = programs;
    this.n = figure.spec.n;
    /** @type {number[]} */
    this.state = [];
    this.t = 0;
    this.timeOwed = 0;
    /** @type {History} */
    this.history = {};
    /** @type {any} */
    this.initial = 0;
    this.initialPotential = 0;
    this.scale = 0;
    /** @type {number[]} */
    this.lastFinite = [];
    this.parents = figure.spec.parents || Array.from({ length: this.n }, (_, i) => i - 1); // of each link, -1 the base
    this.bars = figure.spec.bars || this.parents.map((_, i) => i); // the link of each bar
    this.hold = this.bars.map(() => 0); // 1 at the bar that the reader holds
    this.along = 1; // where on its bar
    this.target = [0, 0]; // where the reader's hand is, m
    this.restart();
  }

  restart() {
    const start = this.spec.start || this.figure.spec.start;
    this.setState(start.q, start.qd);
  }

  /**
   * From a new state the account of energy begins anew. The state is q, qd, the work done on the arm, and what its
   * motors remember.
   * @param {number[]} q
   * @param {number[]} qd
   */
  setState(q, qd) {
    this.state = [...q, ...qd, 0, ...this.extraState()];
    this.t = 0;
    this.timeOwed = 0;
    this.history = { t: [], T: [], U: [], E: [], q: [], qd: [], tip: [] };
    this.resetEnergy();
  }

  /**
   * What a state has besides q, qd and the work.
   * @returns {number[]}
   */
  extraState() {
    return [];
  }

  // ---- what a motion of another kind may have

  /**
   * When it ends.
   * @returns {number}
   */
  get length() {
    return Infinity;
  }

  /**
   * The place that it shall reach.
   * @returns {number[] | null}
   */
  get goal() {
    return null;
  }

  /**
   * Poses that stand behind the arm.
   * @returns {Points[]}
   */
  get shadowPoses() {
    return [];
  }

  /**
   * What the line below the picture says instead of what it always says.
   * @returns {string[] | null}
   */
  describe() {
    return null;
  }

  /**
   * What it says besides.
   * @returns {string[]}
   */
  report() {
    return [];
  }

  /**
   * Computes for a moment; returns whether there is more to do.
   * @returns {boolean}
   */
  iterate() {
    return false;
  }

  /**
   * To another time of a motion that is known as a whole.
   * @param {number} _t
   */
  seek(_t) {}

  /**
   * On to another stage, or back.
   * @param {number} _way
   */
  goToStage(_way) {}

  get q() {
    return this.state.slice(0, this.n);
  }
  get qd() {
    return this.state.slice(this.n, 2 * this.n);
  }
  get isHeld() {
    return this.hold.includes(1);
  }
  get dt() {
    return this.spec.dt || this.figure.dt;
  }

  // T, U and the part of their sum that neither motors nor friction nor the reader's hand account for.
  energy() {
    if (!this.programs.energies) return { T: 0, U: 0, E: 0, drift: 0, share: 0 };
    const [T, U] = this.programs.energies(this.q, this.qd, ...this.figure.springs, this.figure.parameters);
    const drift = T + U - this.state[2 * this.n] - this.initial;
    this.scale = Math.max(this.scale, Math.abs(T), Math.abs(U - this.initialPotential), 1e-12);
    return { T, U, E: T + U, drift, share: drift / this.scale };
  }

  resetEnergy() {
    this.state[2 * this.n] = 0;
    this.scale = this.initial = this.initialPotential = 0;
    const { E, U } = this.energy();
    this.initial = E;
    this.initialPotential = U;
    this.scale = 0;
    this.lastFinite = this.state.slice();
  }

  /**
   * What acts on the joints besides the weight, its power, the pull of the hand, and the parts of the first.
   * @param {number[]} q
   * @param {number[]} qd
   * @param {number[]} [hold]
   */
  appliedTorque(q, qd, hold = this.hold) {
    const { tau, friction, springs, parameters } = this.figure;
    return this.programs[this.spec.applied_torque](
      q,
      qd,
      tau,
      friction,
      hold,
      this.along,
      this.target,
      ...springs,
      parameters,
    );
  }

  /**
   * @param {number[]} q
   * @param {number[]} qd
   * @param {number[]} total
   */
  accelerations(q, qd, total) {
    return this.programs[this.spec.dynamics](q, qd, total, this.figure.parameters);
  }

  /**
   * Those of the equation that the figure shows, (n,) each; a hand that poses a paused arm does not pull.
   * @returns {number[][]}
   */
  terms() {
    const { q, qd, figure } = this;
    const hold = figure.playing ? this.hold : this.hold.map(() => 0);
    const [torque, , , motors, friction, hand] = this.appliedTorque(q, qd, hold);
    /** @type {Record<string, number[]>} */
    const right = { torque, motors, friction, hand };
    const left = this.programs.terms(q, qd, this.accelerations(q, qd, torque), figure.parameters);
    return figure.spec.terms.map((word, k) => right[word] || left[k]);
  }

  /** @param {number[]} x */
  rates(x) {
    const n = this.n;
    const q = x.slice(0, n);
    const qd = x.slice(n, 2 * n);
    const [total, power] = this.appliedTorque(q, qd);
    const qdd = this.accelerations(q, qd, total);
    const r = new Array(2 * n + 1);
    for (let i = 0; i < n; i++) {
      r[i] = qd[i];
      r[n + i] = qdd[i];
    }
    r[2 * n] = power;
    return r;
  }

  /** @param {number} h */
  step(h) {
    const tenth = Math.floor(10 * this.t);
    this.state = integratorStep(this.spec.integrator, x => this.rates(x), this.state, h, this.n);
    this.t += h;
    // by the clock of the arm, not by frames
    if (Math.floor(10 * this.t) > tenth) this.figure.covariance?.addReading(this);
  }

  /** @param {number} seconds */
  advance(seconds) {
    advanceTogether([this], seconds);
    return this.checkFinite();
  }

  // Returns a sentence if something is wrong.
  checkFinite() {
    if (!this.state.every(x => Number.isFinite(x) && Math.abs(x) < 1e7)) {
      this.state = this.lastFinite.slice();
      return (
        `The motion stopped being finite at ${this.t.toFixed(2)} s: ` +
        "a link may move no mass, or the time step is too long. " +
        "Here is the last state before; change a value, or reset."
      );
    }
    this.lastFinite = this.state.slice();
    this.recordHistory();
    return "";
  }

  recordHistory() {
    const { T, U, E } = this.energy();
    const h = this.history;
    const points = this.points();
    for (const [name, value] of Object.entries({
      t: this.t,
      T,
      U,
      E,
      q: this.q,
      qd: this.qd,
      tip: points.ends.at(-1),
    })) {
      h[name].push(value);
      if (h[name].length > HISTORY_LENGTH) h[name].shift();
    }
  }

  /**
   * @param {number[]} [q]
   * @returns {Points}
   */
  points(q = this.q) {
    const [homes, origins, ends, coms, axes] = this.programs.points(q, this.figure.parameters);
    return { homes, origins, ends, coms, axes };
  }

  // Bring the held point to the hand without any dynamics: the arm is paused.
  pose(steps = 25) {
    let q = this.q;
    for (let k = 0; k < steps; k++)
      q = this.programs.ik_step(q, this.hold, this.along, this.target, this.figure.parameters);
    if (q.every(Number.isFinite)) this.setState(q, this.figure.setsRates ? this.qd : new Array(this.n).fill(0));
  }
}

/**
 * Arms side by side take their steps by turns, so that they stay at one time.
 * @param {Run[]} runs
 * @param {number} seconds
 */
export function advanceTogether(runs, seconds) {
  const began = performance.now();
  for (const run of runs) run.timeOwed += seconds;
  while (runs.some(run => run.timeOwed >= run.dt)) {
    for (const run of runs) {
      if (run.timeOwed < run.dt) continue;
      run.step(run.dt);
      run.timeOwed -= run.dt;
    }
    if (performance.now() - began <= 12) continue;
    for (const run of runs) run.timeOwed = 0; // never hold up the page
  }
}

/**
 * One step of an integrator of the library, by its table: rows a, weights b, and whether q moves with the new velocity.
 * @param {Integrator} options
 * @param {(x: number[]) => number[]} rates
 * @param {number[]} x
 * @param {number} h
 * @param {number} n
 */
export function integratorStep({ a, b, velocity_first }, rates, x, h, n) {
  /** @type {number[][]} */
  const slopes = [];
  /** @param {number[]} weights */
  const moved = weights => sum(x, ...weights.map((w, j) => /** @type {[number, number[]]} */ ([h * w, slopes[j]])));
  for (const row of a) slopes.push(rates(moved(row)));
  const next = moved(b);
  if (velocity_first) for (let i = 0; i < n; i++) next[i] = x[i] + h * next[n + i];
  return next;
}

// A stored motion: time is scrubbed, nothing is integrated.
export class Replay extends Run {
  /** @returns {Solution[]} */
  get solutions() {
    return this.figure.spec.solutions;
  }
  /** @returns {Solution} */
  get solution() {
    return this.solutions[this.figure.chosen];
  }
  get length() {
    return (this.solution.q.length - 1) * this.figure.dt;
  }

  restart() {
    this.seek(0);
  }

  /** @param {number} t */
  seek(t) {
    this.t = Math.min(Math.max(t, 0), this.length);
    const place = this.t / this.figure.dt;
    const k = Math.min(Math.floor(place), this.solution.q.length - 2);
    const part = place - k;
    const [a, b] = [this.solution.q[k], this.solution.q[k + 1]];
    this.index = k;
    this.state = [...a.map((v, i) => v + part * (b[i] - v)), ...new Array(this.n + 1).fill(0)];
    const upTo = this.solution.q.slice(0, k + 1);
    this.history = {
      t: upTo.map((_, i) => i * this.figure.dt),
      q: upTo,
      tip: upTo.map(q => this.points(q).ends[this.n - 1]),
    };
  }

  /** @param {number} seconds */
  advance(seconds) {
    this.seek(this.t + seconds);
    return "";
  }
}
