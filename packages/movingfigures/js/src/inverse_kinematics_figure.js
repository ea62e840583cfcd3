// A planar arm of three links whose hand is dragged: the arm, its other elbow as a ghost, and behind them how many
// solutions within the limits each place has.
// @ts-check

import { make, STAGE_KEYS } from "./dom.js";
import { clearCanvas, drawText, line, ring } from "./drawing.js";
import { HandStage } from "./hand_stage.js";
import { formatRounded, withMinusSign } from "./numbers.js";
import { SpatialPose } from "./spatial_arm.js";
import { distance, subtract, wrapAngle } from "./vectors.js";

/** @import { Touch2D } from "./dom.js" */
/** @import { Figure } from "./figure.js" */
/** @import { Theme } from "./theme.js" */

const CELL = 4; // pixels of the map of numbers of solutions
const SHADE = 0.13; // of a place with one solution; one with two is twice as dark

class Branches extends SpatialPose {
  restart() {
    this.t = 0;
    this.elbow = 0;
    this.aim(this.figure.spec.place);
  }

  /**
   * From Python comes a pose: its hand is the new place.
   * @param {number[]} q
   * @param {number[]} qd
   */
  setState(q, qd) {
    super.setState(q, qd);
    if (!this.aiming) this.aim(this.points(q).ends[this.n - 1]);
  }

  // A slider has moved.
  resetEnergy() {
    super.resetEnergy();
    if (this.place && !this.aiming) this.aim(this.place);
  }

  /** @param {number[]} place */
  aim(place) {
    this.aiming = true;
    this.place = [...place];
    this.found = this.solve(place);
    this.setState(this.found.solutions[this.elbow].q, new Array(this.n).fill(0));
    this.aiming = false;
  }

  flip() {
    this.elbow = 1 - this.elbow;
    this.aim(this.place);
  }

  /**
   * Both elbows, and how far the place is from those that the arm reaches with its hand in this direction.
   * @param {number[]} place
   */
  solve(place) {
    const { phi, limit } = this.figure.parameters;
    /** @type {(p: number[]) => [number[], number[], number[][]]} */
    const ask = p => this.programs.elbow_branches(p, phi, this.figure.parameters);
    let [wrist, ends, rows] = ask(place);
    const [folded, stretched] = ends;
    const r = Math.hypot(...wrist);
    const nearest = Math.min(Math.max(r, folded * (1 + 1e-9)), stretched * (1 - 1e-12));
    const gap = Math.abs(nearest - r);
    let reached = place;
    if (gap > 0) {
      const way = r > 1e-9 ? wrist.map(v => v / r) : [1, 0];
      reached = place.map((v, k) => v + way[k] * (nearest - r));
      [wrist, , rows] = ask(reached);
    }
    const solutions = rows.map(([c1, s1, c2, s2]) => {
      const q1 = Math.atan2(s1, c1);
      const q2 = Math.atan2(s2, c2);
      const q = [q1, q2, wrapAngle(phi - q1 - q2)];
      return { q, within: q.every(v => Math.abs(v) <= limit + 1e-12) };
    });
    return { solutions, reached, wrist, gap: gap > 1e-6 * stretched ? gap : 0, radii: [folded, stretched] };
  }

  /**
   * Of a place: how many solutions within the limits.
   * @param {number[]} place
   */
  count(place) {
    const { solutions, gap } = this.solve(place);
    return gap ? 0 : solutions.filter(solution => solution.within).length;
  }

  /**
   * It glides by itself toward the base, past it, and back.
   * @param {number} h
   */
  step(h) {
    if (this.figure.stages?.[0].dragging) return;
    if (!this.from || this.t === 0 || this.moved) {
      this.from = this.place;
      this.glideStart = this.t;
      this.moved = false;
    }
    this.t += h;
    const share = 0.4 + 0.6 * Math.cos(((this.t - this.glideStart) * Math.PI) / 4);
    this.aim(this.from.map(v => v * share));
  }

  describe() {
    const { solutions, gap } = this.found;
    /** @param {number[]} q */
    const row = q => withMinusSign(`(${q.map(v => v.toFixed(2).replace(/^-0\.00$/, "0.00")).join(", ")}) rad`);
    const within = solutions.filter(solution => solution.within).length;
    const reach = gap
      ? `out of reach by ${formatRounded(gap)} m: the nearest place is shown`
      : `${within === 1 ? "1 solution" : `${within} solutions`} within the limits`;
    return [
      `hand at ${withMinusSign(`(${this.place.map(v => v.toFixed(2)).join(", ")})`)} m`,
      reach,
      "",
      ...solutions.flatMap(({ q, within }, k) => [
        `${k === this.elbow ? "arm" : "ghost"}: q = ${row(q)}${within ? "" : ", beyond a limit"}`,
        "",
      ]),
    ];
  }
}

/** @extends {HandStage<Branches>} */
class BranchesStage extends HandStage {
  /**
   * @param {Figure} figure
   * @param {Branches} run
   */
  constructor(figure, run) {
    super(figure, run);
    this.canvas.setAttribute("aria-roledescription", "hand to drag");
    this.canvas.setAttribute(
      "aria-label",
      `${figure.spec.title}. Arrow keys move the hand, F takes the other elbow, ` +
        "space lets the hand glide past the base and back, S goes a little further, R restarts.",
    );
    this.mapKey = "";
    /** @type {HTMLCanvasElement | null} */
    this.mapImage = null;
    this.acts = { ...STAGE_KEYS, f: () => this.flip() };
  }

  flip() {
    this.run.flip();
    this.figure.announceState("The other elbow.");
    this.figure.requestFrame();
  }

  /**
   * How many solutions each place has, painted once for a direction, a limit and a size.
   * @param {Theme} theme
   * @param {number[]} offset
   */
  map(theme, offset) {
    const { clientWidth: w, clientHeight: h } = this.canvas;
    const { phi, limit } = this.figure.parameters;
    const key = [w, h, phi, limit, theme.mark].join();
    if (this.mapKey === key) return this.mapImage;
    this.mapKey = key;
    this.mapImage = make("canvas", { width: Math.ceil(w / CELL), height: Math.ceil(h / CELL) });
    const ctx = this.mapImage.getContext("2d");
    ctx.fillStyle = theme.mark;
    for (let i = 0; i < w / CELL; i++)
      for (let j = 0; j < h / CELL; j++) {
        const at = [((i + 0.5) * CELL - this.middle[0]) / this.scale, (this.middle[1] - (j + 0.5) * CELL) / this.scale];
        if (distance(at, offset) > this.run.found.radii[1]) continue;
        ctx.globalAlpha = SHADE * this.run.count(at);
        if (ctx.globalAlpha > 0) ctx.fillRect(i, j, 1, 1);
      }
    return this.mapImage;
  }

  /** @param {Theme} theme */
  draw(theme) {
    const { run } = this;
    const ctx = clearCanvas(this.canvas);
    this.fit();
    const { solutions, wrist, reached, gap, radii } = run.found;
    const offset = subtract(reached, wrist);
    const map = this.map(theme, offset);
    ctx.imageSmoothingEnabled = false;
    ctx.drawImage(map, 0, 0, map.width * CELL, map.height * CELL);
    this.legend(ctx, theme);
    const width = Math.max(5, Math.min(11, 0.06 * this.size * this.scale));
    for (const r of radii) this.drawCircle(ctx, offset, r, theme.faint);
    const other = solutions[1 - run.elbow];
    this.drawChain(ctx, other.q, width, theme, 0.4, !other.within);
    this.base(ctx, this.pixels([0, 0]), width, theme);
    this.drawChain(ctx, run.q, width, theme, 1, !solutions[run.elbow].within);
    if (gap) line(ctx, [this.pixels(reached), this.pixels(run.place)], theme.ink, 1.6, "butt", [4, 4]);
    ring(ctx, this.pixels(run.place), 1.1 * width, theme.ink);
  }

  /**
   * @param {CanvasRenderingContext2D} ctx
   * @param {Theme} theme
   */
  legend(ctx, theme) {
    const y = this.canvas.clientHeight - 12;
    ["1 solution", "2"].forEach((text, k) => {
      const x = 8 + 100 * k;
      ctx.globalAlpha = SHADE * (k + 1);
      ctx.fillStyle = theme.mark;
      ctx.fillRect(x, y - 7, 14, 14);
      ctx.globalAlpha = 1;
      drawText(ctx, text, x + 20, y, theme);
    });
  }

  /**
   * @param {CanvasRenderingContext2D} ctx
   * @param {number[]} at
   * @param {number} r
   * @param {string} color
   */
  drawCircle(ctx, at, r, color) {
    const rim = Array.from({ length: 121 }, (_, k) => {
      const angle = (k * Math.PI) / 60;
      return this.pixels([at[0] + r * Math.cos(angle), at[1] + r * Math.sin(angle)]);
    });
    line(ctx, rim, color, 1.4, "butt", [2, 4]);
  }
}

export const INVERSE_KINEMATICS_SCENE = { run: Branches, stage: BranchesStage };
