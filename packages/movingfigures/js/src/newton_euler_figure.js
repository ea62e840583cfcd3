// The two sweeps of the recursive Newton-Euler algorithm, joint by joint: outward what each link needs, inward what
// each joint carries.
// @ts-check

import { Axes } from "./axes.js";
import { drawArrowAlong, drawText, fill, label, line } from "./drawing.js";
import { formatRounded, SUB, vector } from "./numbers.js";
import { Scene } from "./scene.js";
import { ArmInSpace, SpatialPose } from "./spatial_arm.js";
import { addScaled3, norm3, normalize3, perpendicularFrame } from "./vectors.js";

/** @import { Figure } from "./figure.js" */
/** @import { Theme } from "./theme.js" */
/** @import { Panel } from "./panels.js" */

// The time counts stages: the pose, outward to the last link, inward to the first joint.
class NewtonEuler extends SpatialPose {
  get length() {
    return 2 * this.n;
  }
  get stage() {
    return Math.floor(this.t + 1e-9);
  }
  get isInward() {
    return this.stage > this.n;
  }
  // From 0; -1 before the first.
  get link() {
    return this.isInward ? 2 * this.n - this.stage : this.stage - 1;
  }

  /** @param {number} t */
  seek(t) {
    this.t = Math.min(Math.max(t, 0), this.length);
  }
  /** @param {number} h */
  step(h) {
    this.seek(this.t + h);
  }
  /** @param {number} way */
  goToStage(way) {
    this.seek(this.stage + way);
  }

  /** @returns {Record<"omega" | "alpha" | "a" | "F" | "N" | "f" | "m", number[][]> & { tau: number[] }} */
  forcesAndMoments() {
    const { speed, push } = this.figure.parameters;
    const { qd, qdd } = this.figure.spec.rates;
    const [omega, alpha, a, F, N, f, m, tau] = this.programs.newton_euler(
      this.q,
      qd.map(v => v * speed),
      qdd.map(v => v * push),
      this.figure.parameters,
    );
    return { omega, alpha, a, F, N, f, m, tau };
  }

  describe() {
    const { link: i, n, stage } = this;
    const x = this.forcesAndMoments();
    const s = this.figure.spec.joints[Math.max(i, 0)].units.tau;
    if (!stage) return ["The pose. Next begins the sweep outward, from the base to the hand."];
    if (!this.isInward)
      return [
        `Outward, link ${i + 1} of ${n}:`,
        `ω = ${vector(x.omega[i], "rad/s")}`,
        `ω̇ = ${vector(x.alpha[i], "rad/s²")}`,
        `acceleration of its center, less gravity ${vector(x.a[i], "m/s²")}`,
        `so it needs the force F = ${vector(x.F[i], "N")}`,
        `and about its center the moment N = ${vector(x.N[i], "N m")}`,
      ];
    const last = i === n - 1;
    return [
      `Inward, joint ${i + 1} of ${n}:`,
      last
        ? "it carries the last link alone,"
        : `it carries F and N of link ${i + 1}, and what joint ${i + 2} carries,`,
      `the force ${vector(x.f[i], "N")}`,
      `and the moment ${vector(x.m[i], "N m")};`,
      `along its axis that is τ = ${formatRounded(x.tau[i])} ${s}`,
      i ? "" : "which ends the algorithm: all torques are known.",
    ];
  }
}

/** @extends {ArmInSpace<NewtonEuler>} */
class NewtonEulerStage extends ArmInSpace {
  /**
   * @param {Figure} figure
   * @param {NewtonEuler} run
   */
  constructor(figure, run) {
    super(figure, run, "S goes on to the next stage, B back to the last one; space plays and pauses, R restarts.");
    this.scales = [0, 0]; // the largest force and moment, so far
    this.keys = { b: () => figure.step(-1), B: () => figure.step(-1) };
  }

  /**
   * @param {Scene} scene
   * @param {Theme} theme
   */
  compose(scene, theme) {
    const { run, figure } = this;
    const { link, isInward, n } = run;
    const { F, N, f, m, tau } = run.forcesAndMoments();
    const { origins, coms, axes } = run.points();
    scene.ground(this.size, this.floor);
    this.arm(scene, theme, i => (i === link ? theme.ink : theme.link(i)));
    scene.paint();
    const over = new Scene(scene.ctx, scene.camera, theme);
    /** @param {number[][]} rows */
    const most = rows => Math.max(...rows.map(norm3), 1e-9);
    const sizes = [most([...F, ...f]), most([...N, ...m])];
    this.scales = this.scales.map((before, k) => Math.max(sizes[k], 0.98 * before));
    /** @type {[string, number[], string][]} */
    const labels = [];
    /**
     * Lengths are square roots, or the wrist would not be seen beside the shoulder.
     * @param {number[]} from
     * @param {number[]} v
     * @param {number} k
     * @param {string} color
     * @param {string} name
     * @param {boolean} now
     */
    const shown = (from, v, k, color, name, now) => {
      const to = addScaled3(from, normalize3(v), 0.5 * this.reach * Math.sqrt(norm3(v) / this.scales[k]));
      if (norm3(v) < 1e-6) return;
      over.arrow(from, to, (now ? 0.011 : 0.007) * this.reach, color, { alpha: now ? 1 : 0.45 });
      if (now) labels.push([name, to, color]);
    };
    /** @param {number} i */
    const sub = i => SUB[i + 1];
    // outward: at the centers, of all links so far; inward: those that no joint has taken over yet
    for (let i = 0; i <= link; i++) {
      shown(coms[i], F[i], 0, theme.mark, `F${sub(i)}`, i === link);
      shown(coms[i], N[i], 1, theme.prediction, `N${sub(i)}`, i === link);
    }
    if (isInward) {
      for (const i of link + 1 < n ? [link, link + 1] : [link]) {
        shown(origins[i], f[i], 0, theme.mark, `f${sub(i)}`, i === link);
        shown(origins[i], m[i], 1, theme.prediction, `n${sub(i)}`, i === link);
      }
      const arc = arcAbout(
        origins[link],
        axes[link],
        2.4 * this.radius(link),
        Math.sign(tau[link]) * 4.2 * Math.sqrt(Math.abs(tau[link]) / Math.max(...tau.map(Math.abs), 1e-9)),
      );
      if (figure.spec.joints[link].units.q === "rad")
        drawArrowAlong(
          scene.ctx,
          arc.map(p => scene.camera.pixels(p)),
          theme.torque,
          4,
        );
    }
    over.paint();
    this.writeLabels(scene, labels, theme);
  }

  /**
   * The names of arrows at their heads.
   * @param {Scene} scene
   * @param {[string, number[], string][]} labels
   * @param {Theme} theme
   */
  writeLabels(scene, labels, theme) {
    /** @type {number[][]} */
    const taken = [];
    for (const [name, to, color] of labels) {
      const [x, y] = scene.camera.pixels(to);
      label(
        scene.ctx,
        name,
        [
          [x, y - 12],
          [x + 16, y],
          [x - 16, y],
          [x, y + 14],
        ],
        taken,
        color,
        theme,
      );
    }
  }
}

/**
 * The points of an arc about an axis.
 * @param {number[]} middle
 * @param {number[]} axis
 * @param {number} r
 * @param {number} angle
 */
const arcAbout = (middle, axis, r, angle) => {
  const [u, v] = perpendicularFrame(axis);
  return Array.from({ length: 33 }, (_, k) =>
    addScaled3(addScaled3(middle, u, r * Math.cos((angle * k) / 32)), v, r * Math.sin((angle * k) / 32)),
  );
};

export const NEWTON_EULER_SCENE = { run: NewtonEuler, stage: NewtonEulerStage, stages: true };

/** @type {Panel} */
export const INWARD_TORQUES_PANEL = {
  description: "Torques of the joints as bars, those that the sweep inward has found so far",
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Theme} theme
   * @param {Figure} figure
   */
  draw(canvas, theme, figure) {
    const run = /** @type {NewtonEuler} */ (figure.runs[0]);
    const { n } = run;
    const { tau } = run.forcesAndMoments();
    const from = run.isInward ? run.link : n;
    figure.tallest = Math.max(...tau.map(Math.abs), 1, 0.985 * (figure.tallest || 0));
    const axes = new Axes(
      canvas,
      theme,
      [0.5, n + 0.5],
      [-1.15 * figure.tallest, 1.15 * figure.tallest],
      "joint",
      `τ (${figure.units("tau")})`,
      [],
      true,
    );
    for (let i = from; i < n; i++) {
      const [x, y] = axes.at(i + 1, tau[i]);
      const zero = axes.at(i + 1, 0)[1];
      axes.ctx.globalAlpha = i === from ? 1 : 0.6;
      fill(
        axes.ctx,
        [
          [x - 12, zero],
          [x - 12, y],
          [x + 12, y],
          [x + 12, zero],
        ],
        theme.torque,
      );
      axes.ctx.globalAlpha = 1;
      drawText(axes.ctx, formatRounded(tau[i]), x, tau[i] < 0 ? y + 10 : y - 9, theme, "center");
    }
    for (let i = 0; i < from; i++)
      drawText(axes.ctx, "?", axes.at(i + 1, 0)[0], axes.at(i + 1, 0)[1] - 10, theme, "center", theme.faint);
    line(axes.ctx, [axes.at(0.5, 0), axes.at(n + 0.5, 0)], theme.ink, 1.2, "butt");
  },
};
