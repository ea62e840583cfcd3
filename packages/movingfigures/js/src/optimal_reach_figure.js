// The best motion to a goal that the reader drags: iLQR, around the step, its Jacobians, the end's cost and the step
// back that Python printed.
// @ts-check

import { ARROWS, listenerOf, REACH, RELEASES, STAGE_KEYS } from "./dom.js";
import { ilqrIteration, rollout } from "./ilqr.js";
import { Replay } from "./motion.js";
import { formatShort, withMinusSign } from "./numbers.js";
import { distance } from "./vectors.js";

/** @import { Touch2D } from "./dom.js" */
/** @import { Stage } from "./stage.js" */

// A motion that is solved again whenever the goal or a price has changed.
export class OptimalReach extends Replay {
  get solution() {
    return { label: "", q: this.best.x.map(x => x.slice(0, this.n)), tau: this.best.u };
  }
  get solutions() {
    return [this.solution];
  }
  get goal() {
    return this.task.goal;
  }

  restart() {
    const { spec } = this.figure;
    const { q, qd } = spec.start;
    this.task = { ...spec.task, goal: [...spec.task.goal] };
    this.rounds = 0;
    this.best = rollout(this.programs, this.taskWithWeights(), [...q, ...qd], spec.task.u);
    this.converged = false;
    this.seek(0);
  }

  // The sliders hold powers of ten.
  taskWithWeights() {
    const { effort, velocity } = this.figure.parameters;
    return Object.assign(this.task, { effort: 10 ** effort, velocity: 10 ** velocity });
  }

  // A price has changed.
  resetEnergy() {
    if (this.best) this.aim(this.goal);
  }

  /**
   * The motion of now is the first guess.
   * @param {number[]} goal
   */
  aim(goal) {
    this.task.goal = goal;
    this.best = rollout(this.programs, this.taskWithWeights(), this.best.x[0], this.best.u);
    this.converged = false;
    this.rounds = 0;
    this.figure.requestFrame();
  }

  // Rounds for so long; returns whether there is more to do.
  iterate(milliseconds = 5) {
    const began = performance.now();
    while (!this.converged && performance.now() - began < milliseconds) {
      const next = ilqrIteration(this.programs, this.task, this.best);
      if (next) this.best = next;
      this.converged = !next || ++this.rounds >= 500;
    }
    this.seek(this.t);
    return !this.converged;
  }

  /** @param {number} t */
  seek(t) {
    super.seek(t);
    this.history.tip = this.best.x.map(x => this.points(x.slice(0, this.n)).ends[this.n - 1]);
  }

  // Poses of the arm at six times of the motion.
  get shadowPoses() {
    const { q } = this.solution;
    const last = q.length - 1;
    return [0, 1, 2, 3, 4, 5].map(k => this.points(q[Math.round((k * last) / 5)]));
  }

  report() {
    const tip = this.history.tip[this.history.tip.length - 1];
    const rate = this.best.x[this.best.u.length].slice(this.n);
    const squares = this.best.u.flat().reduce((s, v) => s + v * v, 0);
    return [
      `cost ${formatShort(this.best.c)}`,
      `sum of τ² ${formatShort(squares)}`,
      `ends ${(1000 * distance(tip, this.goal)).toFixed(1)} mm from the goal`,
      `rates there ${withMinusSign(`(${rate.map(v => v.toFixed(2)).join(", ")})`)}`,
      `${this.rounds} iteration${this.rounds === 1 ? "" : "s"}${this.converged ? "" : " so far"}`,
    ];
  }
}

/**
 * The hand on the goal: it jumps to where the picture is pressed, and follows; arrow keys move it.
 * @param {Stage} stage
 */
export function attachGoal(stage) {
  const { canvas, figure } = stage;
  const run = /** @type {OptimalReach} */ (stage.run);
  const on = listenerOf(canvas);
  /** @param {Touch2D} event */
  const near = event => distance(stage.place(event), run.goal) * stage.scale <= (REACH[event.pointerType] || 40);
  const end = () => {
    if (!stage.dragging) return;
    stage.dragging = false;
    figure.announceState("Solved for this goal.");
    figure.replay();
  };
  on("pointerdown", event => {
    if (event.button || (event.pointerType !== "mouse" && !near(event))) return;
    canvas.setPointerCapture(event.pointerId);
    canvas.focus({ preventScroll: true });
    stage.dragging = true;
    figure.play(false);
    run.t = run.length;
    run.aim(stage.place(event));
    event.preventDefault();
  });
  on("pointermove", event => {
    if (stage.dragging) run.aim(stage.place(event));
    else canvas.style.cursor = near(event) ? "grab" : "crosshair";
  });
  for (const type of RELEASES) on(type, end);
  on(
    "touchstart",
    event =>
      near({ clientX: event.touches[0].clientX, clientY: event.touches[0].clientY, pointerType: "touch" }) &&
      event.preventDefault(),
    { passive: false },
  );
  on("keydown", event => {
    const act = STAGE_KEYS[event.key.toLowerCase()];
    const way = ARROWS[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || !(act || way)) return;
    event.preventDefault();
    if (act) return act(figure);
    figure.play(false);
    run.t = run.length;
    run.aim(run.goal.map((x, k) => x + 0.02 * stage.size * way[k]));
    figure.announce("The goal has moved.");
  });
}
