// A box that was tossed: its turning in space, and beside it, in axes of the body, the sphere and the ellipsoid on
// which its momentum stays.
// @ts-check

import { Axes, jointDashes, jointLegend } from "./axes.js";
import { make, setAttributes } from "./dom.js";
import { clearCanvas, disk, drawText, line } from "./drawing.js";
import { HISTORY_LENGTH, Run } from "./motion.js";
import { column, formatShort, range, recentRange, withMinusSign } from "./numbers.js";
import { attachOrbit, Camera, Scene, SpaceStage } from "./scene.js";
import { boxFaces, directions, gridFaces, tube } from "./solids.js";
import {
  addScaled3,
  along,
  cross3,
  distance,
  dot3,
  norm3,
  normalize3,
  rotate3,
  rotateBack3,
  scale3,
} from "./vectors.js";

/** @import { Figure } from "./figure.js" */
/** @import { Theme } from "./theme.js" */
/** @import { Panel } from "./panels.js" */
/** @import { Faces } from "./solids.js" */

const MOMENTUM_DESCRIPTION =
  "The angular momentum in axes of the body: the sphere of its length and the ellipsoid of the energy, " +
  "and the path along which they intersect; a touch tosses the box about that axis";

const MAX_RATE = 15; // rad/s that a hand gives

// State: quaternion and angular velocity in body axes; q is the rotation vector, qd the angular velocity.
class FreeBody extends Run {
  /**
   * @param {number[]} q
   * @param {number[]} qd
   */
  setState(q, qd) {
    const angle = norm3(q);
    const s = angle < 1e-9 ? 0.5 : Math.sin(angle / 2) / angle;
    this.state = [Math.cos(angle / 2), ...scale3(q, s), ...qd];
    this.t = this.timeOwed = 0;
    this.history = { t: [], qd: [], L: [], tip: [] };
    this.resetEnergy();
  }

  resetEnergy() {
    this.lastFinite = this.state.slice();
    this.initial = this.inertialView();
    this.recordHistory();
  }

  get quaternion() {
    return this.state.slice(0, 4);
  }
  get qd() {
    return this.state.slice(4);
  }
  get q() {
    const [w, ...v] = this.quaternion.map((x, _, all) => x * Math.sign(all[0] || 1));
    const s = norm3(v);
    return scale3(v, s < 1e-9 ? 2 : (2 * Math.atan2(s, w)) / s);
  }

  /** @param {number[]} x */
  rates(x) {
    return this.programs.state_rate(x.slice(0, 4), x.slice(4)).flat();
  }

  // Rotation; momentum and angular velocity in axes that stand still; energy.
  inertialView() {
    const [R, L, omega, T] = this.programs.inertial_view(this.quaternion, this.qd);
    return { R, L, omega, T };
  }

  recordHistory() {
    const { omega } = this.inertialView();
    const [L] = this.programs.momentum_surfaces(this.qd);
    for (const [name, value] of Object.entries({ t: this.t, qd: this.qd, L, tip: omega })) {
      this.history[name].push(value);
      if (this.history[name].length > HISTORY_LENGTH) this.history[name].shift();
    }
  }

  /**
   * With as much momentum as now about an axis of the body, which begins upright.
   * @param {number[]} direction
   */
  throwAbout(direction) {
    const L = norm3(this.initial.L) || norm3(this.programs.momentum_surfaces(this.figure.spec.start.qd)[0]);
    const u = normalize3(direction);
    const turn = Math.acos(Math.max(-1, Math.min(1, u[2])));
    const about = norm3([u[0], u[1], 0]) < 1e-9 ? [1, 0, 0] : normalize3([u[1], -u[0], 0]);
    this.setState(scale3(about, turn), this.programs.rate_of_momentum(scale3(u, L)));
    this.figure.started = true;
    this.figure.sendToKernel("motion");
  }

  describe() {
    const { L, T } = this.inertialView();
    const first = this.initial;
    /** @param {number[]} x */
    const row = x => withMinusSign(`(${x.map(v => v.toFixed(2)).join(", ")})`);
    const most = [0, 1, 2].reduce((a, b) => (Math.abs(this.qd[b]) > Math.abs(this.qd[a]) ? b : a));
    return [
      `t = ${this.t.toFixed(2)} s`,
      `ω = ${row(this.qd)} rad/s in body axes, most about axis ${most + 1}`,
      `L = ${norm3(L).toPrecision(3)} kg m²/s, in space changed by ${formatShort(norm3(addScaled3(L, first.L, -1)))}`,
      `energy ${T.toPrecision(3)} J, changed by ${formatShort(T - first.T)} J`,
    ];
  }
}

/**
 * The box in space: grasped and thrown by the hand.
 * @extends {SpaceStage<FreeBody>}
 */
class FreeBodyStage extends SpaceStage {
  /**
   * @param {Figure} figure
   * @param {FreeBody} run
   */
  constructor(figure, run) {
    super(
      figure,
      run,
      "Arrow keys go around it; 1, 2 and 3 toss it about its axes, nearly; " +
        "space plays and pauses, S steps, R restarts.",
    );
    const { sides } = figure.spec;
    this.half = scale3(sides, 0.5);
    this.size = 1.05 * norm3(sides);
    this.keys = Object.fromEntries(
      ["1", "2", "3"].map((key, k) => [
        key,
        () => {
          run.throwAbout([0, 1, 2].map(i => (i === k ? 1 : 0.02)));
          figure.play(true);
        },
      ]),
    );
  }

  /** @param {number[]} pixel */
  nearby(pixel) {
    return distance(pixel, this.camera.pixels([0, 0, 0])) < 0.85 * norm3(this.half) * this.camera.scale;
  }

  grasp() {
    /** @type {[number, number[]][]} */
    this.moves = []; // when, and the turn
    this.figure.play(false);
    this.figure.started = true;
  }

  /**
   * The hand turns the box about axes of the picture.
   * @param {number[]} now
   * @param {number[]} from
   * @param {PointerEvent} event
   */
  move(now, from, event) {
    const { right, up } = this.camera;
    const by = 1 / (norm3(this.half) * this.camera.scale);
    const turn = addScaled3(scale3(up, (now[0] - from[0]) * by), right, (now[1] - from[1]) * by);
    const angle = norm3(turn);
    if (!angle) return;
    const [w, x, y, z] = this.run.quaternion;
    const [s, ...v] = [Math.cos(angle / 2), ...scale3(turn, Math.sin(angle / 2) / angle)];
    const u = [x, y, z];
    // This turn after those before.
    const after = [s * w - dot3(v, u), ...addScaled3(addScaled3(scale3(u, s), v, w), cross3(v, u))];
    this.run.state = [...after, ...this.run.qd];
    this.run.setState(this.run.q, this.run.qd);
    this.moves.push([event.timeStamp, turn]);
  }

  /**
   * A flick throws it; a box that is put down keeps the spin that it had.
   * @param {number[]} _
   * @param {PointerEvent} options
   */
  release(_, { timeStamp }) {
    const last = this.moves.filter(([t]) => timeStamp - t < 100);
    if (last.length > 1) {
      const took = (timeStamp - last[0][0]) / 1000 || 0.001;
      const total = last
        .slice(1)
        .map(([, turn]) => turn)
        .reduce((a, b) => addScaled3(a, b));
      const rate = scale3(total, 1 / took);
      const omega = scale3(rate, Math.min(1, MAX_RATE / norm3(rate)));
      const { R } = this.run.inertialView();
      if (norm3(omega) > 1) this.run.setState(this.run.q, rotateBack3(R, omega));
    }
    this.figure.sendToKernel("motion");
    this.figure.play(true);
  }

  /**
   * @param {Scene} scene
   * @param {Theme} theme
   */
  compose(scene, theme) {
    const { run, half, size, figure } = this;
    const { R, L, omega } = run.inertialView();
    const long = 0.9 * size;
    scene.ground(size, -1.05 * norm3(half));
    const faces = boxFaces(R, [0, 0, 0], half);
    const tones = [theme.link(1), theme.link(1), theme.link(1), theme.link(1), theme.paper, theme.link(0)];
    faces.forEach((face, k) => scene.solid([face], tones[k], { edge: 1 }));
    for (let k = 0; k < 3; k++) {
      // a pin at each end of each axis, numbered at one
      for (const s of [-1, 1])
        scene.solid(
          tube(rotate3(R, along(k, s * half[k])), rotate3(R, along(k, s * (half[k] + 0.09 * size))), 0.011 * size),
          theme.ink,
        );
    }
    this.ratio = Math.max(this.ratio || 0, norm3(omega)); // the longest arrow so far is drawn in full
    if (norm3(L)) scene.arrow([0, 0, 0], scale3(normalize3(L), long), 0.016 * size, theme.prediction);
    if (norm3(omega)) scene.arrow([0, 0, 0], scale3(omega, (0.82 * long) / this.ratio), 0.016 * size, theme.mark);
    scene.curve(
      run.history.tip.slice(-240).map(p => scale3(p, (0.82 * long) / this.ratio)),
      theme.mark,
      1.5,
    );
    scene.paint();
    for (let k = 0; k < 3; k++) scene.write(String(k + 1), rotate3(R, along(k, half[k] + 0.15 * size)), theme.ink);
    if (norm3(L)) scene.write("L", scale3(normalize3(L), 1.08 * long), theme.prediction);
    if (norm3(omega))
      scene.write(
        "ω",
        addScaled3(scale3(omega, (0.82 * long) / this.ratio), normalize3(omega), 0.07 * size),
        theme.mark,
      );
    if (!figure.started)
      drawText(scene.ctx, "Throw the box; drag beside it to go around.", 10, 16, theme, "left", theme.faint);
  }
}

// The space of the momentum in body axes: the sphere of its length, the ellipsoid of the energy, the path where both
// meet.
export class Momentum {
  /**
   * @param {Figure} figure
   * @param {HTMLCanvasElement} canvas
   */
  constructor(figure, canvas) {
    this.figure = figure;
    this.canvas = canvas;
    this.camera = new Camera(1.1, 0.4);
    setAttributes(canvas, {
      role: "application",
      tabindex: "0",
      "aria-roledescription": "sphere to touch",
      "aria-label":
        `${MOMENTUM_DESCRIPTION}. ` + "Arrow keys go around it; 1, 2 and 3 toss the box about its axes, nearly.",
    });
    this.keys = figure.stages[0].keys;
    /** @type {string} */
    this.painted = "";
    this.semi = [1, 1, 1];
    attachOrbit(canvas, figure, this.camera, this);
  }

  /**
   * The box is tossed about the axis that was touched.
   * @param {number[]} pixel
   */
  tap(pixel) {
    const { camera } = this;
    const ray = normalize3(addScaled3(camera.place(pixel), camera.eye, -1));
    const b = dot3(camera.eye, ray);
    const c = dot3(camera.eye, camera.eye) - 1;
    const root = b * b - c;
    if (root < -0.4) return; // beside the sphere
    const run = /** @type {FreeBody} */ (this.figure.runs[0]);
    run.throwAbout(addScaled3(camera.eye, ray, -b - Math.sqrt(Math.max(0, root))));
    this.figure.play(true);
  }

  /**
   * What is outermost of sphere and ellipsoid, cut where they meet: faces of the sphere, faces of the ellipsoid.
   * @param {number} length
   * @param {number[]} semi
   */
  outerSurface(length, semi) {
    /**
     * Of the ellipsoid over the unit sphere.
     * @param {number[]} d
     */
    const excess = d => 1 / Math.hypot(...d.map((x, i) => (x * length) / semi[i])) - 1;
    /** @type {[Faces, Faces]} */
    const parts = [[], []];
    for (const face of gridFaces(directions(48, 24))) {
      const over = face.map(excess);
      /** @type {[number[][], number[][]]} */
      const inside = [[], []];
      face.forEach((d, k) => {
        const next = (k + 1) % face.length;
        const cut = over[k] / (over[k] - over[next]);
        inside[Number(over[k] > 0)].push(scale3(d, 1 + Math.max(0, over[k])));
        if (over[k] > 0 !== over[next] > 0)
          for (const part of inside) part.push(normalize3(addScaled3(scale3(d, 1 - cut), face[next], cut)));
      });
      inside.forEach((points, k) => points.length > 2 && parts[k].push(points));
    }
    return parts;
  }

  /**
   * Painted anew only where camera, momentum or energy are others: it stands still while the box turns.
   * @param {Theme} theme
   * @param {number} length
   * @param {number[]} semi
   */
  renderSolids(theme, length, semi) {
    const { canvas, camera } = this;
    const { width, height, clientWidth: w } = canvas;
    const { azimuth, elevation } = camera;
    const key = [azimuth, elevation, width, height, theme.ink, ...[length, ...semi].map(x => x.toPrecision(6))].join();
    if (this.painted === key) return this.image;
    const image = make("canvas", { width, height });
    this.image = image;
    const ctx = image.getContext("2d");
    const scene = new Scene(ctx, camera, theme);
    ctx.scale(width / w, width / w);
    const [sphere, egg] = this.outerSurface(length, semi);
    scene.solid(sphere, theme.link(1));
    scene.solid(egg, theme.mark);
    for (let k = 0; k < 3; k++)
      for (const s of [-1, 1])
        scene.solid(
          tube(along(k, 0.98 * s * this.axisEnd(k)), along(k, s * (this.axisEnd(k) + 0.12)), 0.016),
          theme.ink,
        );
    scene.paint();
    this.painted = key;
    return image;
  }

  /**
   * What a color means, below the picture from x on.
   * @param {CanvasRenderingContext2D} ctx
   * @param {string} text
   * @param {string} color
   * @param {number} x
   * @param {Theme} theme
   */
  legend(ctx, text, color, x, theme) {
    const y = this.canvas.clientHeight - 12;
    disk(ctx, [13 + x, y], 5, color, color, 1);
    drawText(ctx, text, 24 + x, y + 1, theme);
  }

  /**
   * Where an axis comes out.
   * @param {number} k
   */
  axisEnd(k) {
    return Math.max(1, Math.min(1.3, this.semi[k]));
  }

  /** @param {Theme} theme */
  draw(theme) {
    const ctx = clearCanvas(this.canvas);
    const { camera, figure } = this;
    const [run] = figure.runs;
    const { clientWidth: w, clientHeight: h } = this.canvas;
    const [, length, semi] = run.programs.momentum_surfaces(run.qd);
    /** @type {number[][]} */
    const path = run.history.L.map(L => scale3(L, 1 / length));
    if (!length) return;
    this.semi = scale3(semi, 1 / length);
    camera.fit(this.canvas, 1.5);
    ctx.drawImage(this.renderSolids(theme, length, semi), 0, 0, w, h);
    /** @param {number[]} p */
    const seen = p =>
      // Where both solids turn to us.
      [p, p.map((x, i) => x / this.semi[i] ** 2)].every(normal => dot3(normal, addScaled3(camera.eye, p, -1)) > 0);
    /** @param {boolean} front */
    const pieces = front => {
      /** @type {number[][][]} */
      const all = [[]];
      for (const p of path)
        if (seen(p) === front) all[all.length - 1].push(camera.pixels(p));
        else all.push([]);
      return all;
    };
    for (const piece of pieces(false)) line(ctx, piece, theme.paper, 1.2, "round", [3, 4]);
    for (const piece of pieces(true)) line(ctx, piece, theme.paper, 5);
    for (const piece of pieces(true)) line(ctx, piece, theme.ink, 2.6);
    const tip = path[path.length - 1];
    ctx.globalAlpha = seen(tip) ? 1 : 0.35;
    disk(ctx, camera.pixels(tip), 5.5, theme.prediction, theme.paper, 1.5);
    ctx.globalAlpha = 1;
    for (let k = 0; k < 3; k++)
      drawText(ctx, String(k + 1), ...camera.pixels(along(k, this.axisEnd(k) + 0.22)), theme, "center");
    drawText(ctx, "L in axes of the body", 8, 14, theme);
    this.legend(ctx, "sphere: same length", theme.link(1), 0, theme);
    this.legend(ctx, "ellipsoid: same energy", theme.mark, 0.44 * w, theme);
  }
}

export const FREE_BODY_SCENE = { run: FreeBody, stage: FreeBodyStage };

/** @type {Panel} */
export const MOMENTUM_PANEL = {
  description: MOMENTUM_DESCRIPTION,
  begin: (figure, canvas) => (figure.momentum = new Momentum(figure, canvas)),
  draw: (canvas, theme, figure) => figure.momentum.draw(theme),
};

/** @type {Panel} */
export const OMEGA_PANEL = {
  description: "Angular velocity about the three axes of the body over time",
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Theme} theme
   * @param {Figure} figure
   */
  draw(canvas, theme, figure) {
    const { t, qd } = figure.runs[0].history;
    const rows = [0, 1, 2].map(i => column(qd, i));
    const axes = new Axes(
      canvas,
      theme,
      recentRange(t),
      range(rows, 4),
      "time (s)",
      "rad/s",
      jointLegend(figure.runs[0].qd, "ω", theme.mark),
    );
    rows.forEach((row, i) => axes.curve(t, row, theme.mark, 1.8, jointDashes(i)));
  },
};
