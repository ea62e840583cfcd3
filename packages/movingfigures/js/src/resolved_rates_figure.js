// A planar arm whose hand follows the finger, or a square that runs by itself: one step of the rates at a time, and
// behind the arm the pose in which the first round began.
// @ts-check

import { clearCanvas, disk, line, ring } from "./drawing.js";
import { HandStage } from "./hand_stage.js";
import { withMinusSign } from "./numbers.js";
import { SpatialPose } from "./spatial_arm.js";
import { distance } from "./vectors.js";

/** @import { Figure } from "./figure.js" */
/** @import { Theme } from "./theme.js" */

export const TRAIL = 500; // places of the hand that are kept
const JUMP = 0.1; // m in a step, of a finger that is put down elsewhere
const SQUARE = [
  [0, 0],
  [-1, 0],
  [-1, -1],
  [0, -1],
  [0, 0],
];

export class Follow extends SpatialPose {
  /**
   * Also where Python sets a pose: its hand is the new target.
   * @param {number[]} q
   * @param {number[]} qd
   */
  setState(q, qd) {
    super.setState(q, qd);
    this.place = this.hand();
    this.previous = [...this.place];
    /** @type {number[][]} */
    this.trail = [];
    this.beginSquare();
  }

  hand() {
    return this.points().ends[this.n - 1];
  }

  beginSquare() {
    /** @type {number[] | null} */
    this.corner = [...this.place];
    this.count = 0;
    this.steps = 0;
    this.first = this.q;
    this.from = this.q;
    /** @type {number | null} */
    this.gap = null;
  }

  /**
   * The finger has moved; the next square begins where it is.
   * @param {number[]} place
   */
  aim(place) {
    this.place = [...place];
    this.corner = null;
  }

  /**
   * A place on the square: a side for each 1 of the phase, from 0 to 4.
   * @param {number} phase
   */
  onSquare(phase) {
    const k = Math.floor(phase);
    const { side } = this.figure.spec;
    return this.corner.map((v, i) => v + side * (SQUARE[k][i] + (phase - k) * (SQUARE[k + 1][i] - SQUARE[k][i])));
  }

  /**
   * The target goes on along the square, and the arm after it.
   * @param {number} h
   */
  step(h) {
    if (!this.corner) this.beginSquare();
    const around = Math.round((4 * this.figure.spec.side_time) / h);
    this.t += h;
    this.steps = (this.steps + 1) % around;
    this.place = this.onSquare((4 * this.steps) / around);
    this.follow(h);
    if (this.steps) return;
    this.count += 1;
    this.gap = Math.max(...this.q.map((v, i) => Math.abs(v - this.from[i])));
    this.from = this.q;
  }

  /** @param {number} h */
  follow(h) {
    const { gain, damping, posture, limit } = this.figure.parameters;
    const jump = distance(this.place, this.previous) > JUMP; // feedback alone goes after it
    const velocity = this.place.map((v, i) => (jump ? 0 : (v - this.previous[i]) / h));
    const [rates, hand] = this.programs.tracking_rates(
      this.q,
      this.place,
      velocity,
      gain,
      damping,
      posture,
      limit,
      this.figure.parameters,
    );
    // A step is finite, so it may cross a limit that the rates themselves do not.
    const q = this.q.map((v, i) => Math.min(limit, Math.max(-limit, v + h * rates[i])));
    this.state = [...q, ...rates, 0];
    this.previous = [...this.place];
    this.trail.push(hand);
    if (this.trail.length > TRAIL) this.trail.shift();
  }

  // While nothing plays the arm goes after the finger until it rests.
  iterate() {
    if (this.figure.playing || this.corner) return false;
    this.follow(this.dt);
    return this.figure.stages[0].dragging || Math.max(...this.qd.map(Math.abs)) > 2e-3;
  }

  pressing() {
    const { limit } = this.figure.parameters;
    return this.q.map(v => Math.abs(v) > 0.97 * limit);
  }

  describe() {
    /** @param {number[]} q */
    const row = q => withMinusSign(`(${q.map(v => v.toFixed(2).replace(/^-0\.00$/, "0.00")).join(", ")}) rad`);
    const away = 1000 * distance(this.hand(), this.place);
    const held = this.pressing().flatMap((pressed, i) => (pressed ? [`joint ${i + 1}`] : []));
    return [
      `the hand is ${away < 0.05 ? "at the target" : `${away.toFixed(away < 10 ? 1 : 0)} mm from the target`}`,
      held.length ? `at a limit: ${held.join(", ")}` : "no joint at a limit",
      "",
      `q = ${row(this.q)}`,
      "",
      this.corner && this.count
        ? `after round ${this.count} a joint is ${this.gap.toFixed(3)} rad from where it was a round ago`
        : "Play: the target runs around the square",
    ];
  }
}

/**
 * @template {Follow} [R=Follow]
 * @extends {HandStage<R>}
 */
export class FollowStage extends HandStage {
  /**
   * @param {Figure} figure
   * @param {R} run
   */
  constructor(figure, run) {
    super(figure, run);
    this.canvas.setAttribute("aria-roledescription", "target to drag");
    this.canvas.setAttribute(
      "aria-label",
      `${figure.spec.title}. Arrow keys move the target, which the hand follows, ` +
        "space lets it run around a square, S goes a little further, R restarts.",
    );
  }

  /** @param {Theme} theme */
  draw(theme) {
    const { run } = this;
    const ctx = clearCanvas(this.canvas);
    this.fit();
    const width = Math.max(5, Math.min(11, 0.06 * this.size * this.scale));
    if (run.corner) {
      const corners = [0, 1, 2, 3, 0].map(phase => this.pixels(run.onSquare(phase)));
      line(ctx, corners, theme.faint, 1.6, "butt", [4, 4]);
      this.drawChain(ctx, run.first, width, theme, 0.3, true);
    }
    if (run.trail.length > 1)
      line(
        ctx,
        run.trail.map(p => this.pixels(p)),
        theme.mark,
        1.8,
      );
    this.base(ctx, this.pixels([0, 0]), width, theme);
    this.drawChain(ctx, run.q, width, theme, 1, false);
    const { origins } = run.points();
    run
      .pressing()
      .forEach((pressed, i) => pressed && disk(ctx, this.pixels(origins[i]), 0.7 * width, theme.mark, theme.ink, 2));
    ring(ctx, this.pixels(run.place), 1.1 * width, theme.ink);
  }
}

export const RESOLVED_RATES_SCENE = { run: Follow, stage: FollowStage };
