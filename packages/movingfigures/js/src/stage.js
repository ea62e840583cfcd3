// The picture of one arm, and the hand that drags it: mouse, finger or keyboard pull at a point of a link.
// @ts-check

import { ARROWS, listenerOf, make, pointerPosition, REACH, RELEASES, STAGE_KEYS } from "./dom.js";
import { arrow, center, clearCanvas, disk, fill, line, ring } from "./drawing.js";
import { Replay } from "./motion.js";
import { attachGoal, OptimalReach } from "./optimal_reach_figure.js";
import { drawTorqueArcs } from "./torque_arcs.js";
import { distance, dot, subtract } from "./vectors.js";

/** @import { Touch2D } from "./dom.js" */
/** @import { Run } from "./motion.js" */
/** @import { Figure } from "./figure.js" */
/** @import { Points } from "./motion.js" */
/** @import { Theme } from "./theme.js" */

/**
 * Of a joint, by the word that Python says: what lies under the bar of its link, and what over all bars.
 * @type {Record<string, { under?: "sleeve" | "nut", over?: "pin" | "strokes" }>}
 */
const DRAWINGS = {
  hinge: { over: "pin" },
  sleeve: { under: "sleeve" },
  thread: { under: "nut", over: "strokes" },
};

/**
 * What is grasped: a bar, where on it, and how far from the pointer, m.
 * @typedef {{ bar: number, along: number, gap: number }} Held
 */

/** @template {Run} [R=Run] */
export class Stage {
  /**
   * @param {Figure} figure
   * @param {R} run
   */
  constructor(figure, run) {
    this.figure = figure;
    this.run = run;
    /** @type {Set<string>} */
    this.pressed = new Set();
    this.dragging = false;
    this.scale = 1;
    this.middle = [0, 0];
    this.longest = 0; // of the ellipse, so far
    this.largest = 0; // of the torques, so far
    /** @type {number[] | null} */
    this.mobility = null;
    const name = run.spec.label && !figure.spec.digit ? `${figure.spec.title}, ${run.spec.label}` : figure.spec.title;
    this.box = make(
      "div",
      { class: "rd-stage" },
      run.spec.label && !figure.spec.digit
        ? make("p", { class: `rd-label rd-run-${figure.spec.runs.indexOf(run.spec) + 1}` }, run.spec.label)
        : "",
    );
    const solved = /** @type {Run} */ (run) instanceof OptimalReach;
    const isReplay = /** @type {Run} */ (run) instanceof Replay && !solved;
    const description = solved ? "Arrow keys move the goal" : "Arrow keys pull at the tip";
    this.canvas = make(
      "canvas",
      isReplay
        ? { role: "img", "aria-label": name }
        : {
            role: "application",
            tabindex: "0",
            "aria-roledescription": solved ? "goal to drag" : "arm to drag",
            "aria-label": `${name}. ${description}, space plays and pauses, S steps, R restarts.`,
          },
    );
    this.box.append(this.canvas);
    this.size = this.span();
    if (solved) attachGoal(this);
    else if (!isReplay) this.listen();
  }

  // where: change what a finger, a mouse or a key does to an arm
  // in the plane; `scene.js` beside it in space; a scene with listeners of its own has them in its module
  listen() {
    const on = listenerOf(this.canvas);
    on("pointerdown", e => this.grasp(e));
    on("pointermove", e => this.move(e));
    for (const type of RELEASES) on(type, () => this.release());
    // a finger on the arm drags it, a finger beside it scrolls the page
    on("touchstart", e => this.nearest(this.place(e.touches[0]), REACH.touch) && e.preventDefault(), {
      passive: false,
    });
    on("keydown", e => this.key(e));
    on("keyup", e => {
      if (ARROWS[e.key]) {
        this.pressed.delete(e.key);
        this.push();
      }
    });
    on("blur", () => {
      this.pressed.clear();
      this.push();
    });
  }

  // ---- places: pixels of the canvas, meters of the arm

  // How far the arm could reach as it is now.
  span() {
    const { parents, bars } = this.run;
    const { homes, origins, ends } = this.run.points();
    /** @type {number[]} */
    const far = []; // along the branch, to the origin of each link
    parents.forEach((p, i) => {
      far[i] = (p < 0 ? 0 : far[p] + distance(origins[p], homes[i])) + distance(homes[i], origins[i]);
    });
    return Math.max(...bars.map((i, k) => far[i] + distance(origins[i], ends[k]))) || 1;
  }

  // The picture grows with the arm, and shrinks again when the arm is put anew, but never under a hand that poses it.
  fit() {
    const want = 1.15 * this.span();
    const posed = this.dragging && !this.figure.playing;
    if (!posed && (want > this.size || this.run.t === 0)) this.size = want;
    const { clientWidth: w, clientHeight: h } = this.canvas;
    this.scale = Math.min(w, h) / (2 * this.size) || 1;
    this.middle = [w / 2, h / 2];
  }

  /** @param {number[]} point */
  pixels([x, y]) {
    return [this.middle[0] + x * this.scale, this.middle[1] - y * this.scale];
  }

  /** @param {Touch2D} event */
  place(event) {
    const [x, y] = pointerPosition(this.canvas, event);
    return [(x - this.middle[0]) / this.scale, (this.middle[1] - y) / this.scale];
  }

  /**
   * The point of the arm nearest to a place: a bar and a fraction of it, or nothing.
   * @param {number[]} place
   * @param {number} pixels
   */
  nearest(place, pixels) {
    const { origins, ends } = this.run.points();
    /** @type {Held | null} */
    let best = null;
    this.run.bars.forEach((i, k) => {
      const bar = subtract(ends[k], origins[i]);
      const way = subtract(place, origins[i]);
      const length = dot(bar, bar);
      const along = length ? Math.min(1, Math.max(0, dot(way, bar) / length)) : 1;
      const gap = distance(place, [origins[i][0] + along * bar[0], origins[i][1] + along * bar[1]]);
      if (gap * this.scale <= pixels && (!best || gap < best.gap)) best = { bar: k, along, gap };
    });
    return best;
  }

  // ---- the hand

  /** @param {PointerEvent} event */
  grasp(event) {
    if (event.button) return;
    const hit = this.nearest(this.place(event), REACH[event.pointerType] || 22);
    if (!hit) return;
    this.canvas.setPointerCapture(event.pointerId);
    this.canvas.focus({ preventScroll: true });
    this.hold(hit.bar, hit.along, this.place(event));
    this.dragging = true;
    event.preventDefault();
  }

  /**
   * @param {number} bar
   * @param {number} along
   * @param {number[]} target
   */
  hold(bar, along, target) {
    this.figure.onTouch();
    this.run.hold = this.run.hold.map((_, k) => (k === bar ? 1 : 0));
    Object.assign(this.run, { along, target });
    this.drag();
  }

  /** @param {PointerEvent} event */
  move(event) {
    if (!this.dragging) {
      this.canvas.style.cursor = this.nearest(this.place(event), REACH.mouse) ? "grab" : "";
      return;
    }
    this.run.target = this.place(event);
    this.drag();
  }

  // A paused arm is posed, a moving one is pulled.
  drag() {
    if (!this.figure.playing) {
      this.run.pose();
      if (this.figure.spec.panels.includes("terms")) this.run.recordHistory();
      this.figure.sensitivity?.begin(this.run.q);
    }
    this.figure.requestFrame();
  }

  release() {
    if (!this.dragging) return;
    this.dragging = false;
    this.releaseHand();
    this.figure.announceState("Let go.");
  }

  // The hand lets go: the picture and Python learn where the arm is now.
  releaseHand() {
    this.run.hold.fill(0);
    this.figure.sendToKernel("motion");
    this.figure.requestFrame();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const act = STAGE_KEYS[event.key.toLowerCase()];
    if (event.ctrlKey || event.metaKey || event.altKey || !(act || ARROWS[event.key])) return;
    event.preventDefault();
    if (act) return act(this.figure);
    this.pressed.add(event.key);
    this.push();
  }

  // The arrow keys hold the tip and move the hand away from it.
  push() {
    if (this.dragging) return;
    if (!this.pressed.size) {
      if (this.run.isHeld) this.releaseHand();
      return;
    }
    this.aim();
    if (!this.figure.playing) this.figure.announce("A pull at the tip.");
  }

  // Each frame, since the tip moves on.
  aim() {
    const tip = this.run.points().ends.at(-1);
    const far = (this.figure.playing ? 0.25 : 0.03) * this.size;
    const way = [...this.pressed].reduce((s, key) => [s[0] + ARROWS[key][0], s[1] + ARROWS[key][1]], [0, 0]);
    this.hold(this.run.bars.length - 1, 1, [tip[0] + far * way[0], tip[1] + far * way[1]]);
  }

  // ---- drawing

  /** @param {Theme} theme */
  draw(theme) {
    const { run, figure } = this;
    const ctx = clearCanvas(this.canvas);
    const { n } = run;
    this.fit();
    if (this.pressed.size && figure.playing) this.aim();
    const points = run.points();
    /** @type {Record<string, number[][]>} */
    const px = {};
    for (const name of /** @type {const} */ (["homes", "origins", "ends", "coms"]))
      px[name] = points[name].map(p => this.pixels(p));
    const width = Math.max(5, Math.min(11, 0.06 * this.size * this.scale));
    if (figure.spec.marks.includes("trail"))
      line(
        ctx,
        run.history.tip.slice(-240).map(p => this.pixels(p)),
        theme.faint,
        1.6,
      );
    if (figure.spec.marks.includes("ellipse")) this.ellipse(ctx, theme, points.ends.at(-1));
    const goal = run.goal || figure.spec.target;
    if (goal) ring(ctx, this.pixels(goal), width, theme.ink);
    this.shadows(ctx, width, theme);
    run.parents.forEach((p, i) => p < 0 && this.base(ctx, px.homes[i], width, theme));
    /**
     * @param {"under" | "over"} when
     * @param {number} i
     */
    const joint = (when, i) => this[DRAWINGS[figure.spec.joints[i].drawing][when]]?.(ctx, i, points, px, width, theme);
    for (let i = 0; i < n; i++) {
      joint("under", i);
      run.bars.forEach((link, k) => link === i && line(ctx, [px.origins[i], px.ends[k]], theme.link(i), width));
    }
    for (let i = 0; i < n; i++) joint("over", i);
    run.bars.forEach((i, k) => {
      if (!run.parents.includes(i)) disk(ctx, px.ends[k], 0.62 * width, theme.link(i), theme.ink, 1.2);
    });
    figure.sensitivity?.drawSecondArm(ctx, this, width, theme);
    if (figure.spec.marks.includes("torques")) drawTorqueArcs(this, ctx, px, width, theme);
    if (figure.spec.marks.includes("coms")) for (const p of px.coms) center(ctx, p, 6, theme);
    if (run.isHeld) this.hand(ctx, points, theme);
  }

  /**
   * The arm in other poses, faint.
   * @param {CanvasRenderingContext2D} ctx
   * @param {number} width
   * @param {Theme} theme
   */
  shadows(ctx, width, theme) {
    ctx.globalAlpha = 0.2;
    for (const { origins, ends } of this.run.shadowPoses)
      this.run.bars.forEach((i, k) =>
        line(ctx, [this.pixels(origins[i]), this.pixels(ends[k])], theme.link(i), 0.7 * width),
      );
    ctx.globalAlpha = 1;
  }

  /**
   * @param {CanvasRenderingContext2D} ctx
   * @param {number[]} point
   * @param {number} w
   * @param {Theme} theme
   */
  base(ctx, [x, y], w, theme) {
    line(
      ctx,
      [
        [x - 1.1 * w, y + 1.7 * w],
        [x, y],
        [x + 1.1 * w, y + 1.7 * w],
      ],
      theme.ink,
      1.8,
    );
    line(
      ctx,
      [
        [x - 1.9 * w, y + 1.7 * w],
        [x + 1.9 * w, y + 1.7 * w],
      ],
      theme.ink,
      1.8,
    );
    for (let k = -1.5; k <= 1.6; k += 0.75)
      line(
        ctx,
        [
          [x + k * w, y + 1.7 * w],
          [x + (k - 0.5) * w, y + 2.3 * w],
        ],
        theme.ink,
        1.3,
      );
  }

  /**
   * @param {CanvasRenderingContext2D} ctx
   * @param {number} i
   * @param {Points} points
   * @param {Record<string, number[][]>} px
   * @param {number} w
   * @param {Theme} theme
   */
  pin(ctx, i, points, px, w, theme) {
    disk(ctx, px.origins[i], 0.75 * w, theme.paper, theme.ink, 2);
  }

  /**
   * Along the direction in which the link has come, as long as Python says.
   * @param {CanvasRenderingContext2D} ctx
   * @param {number} i
   * @param {Points} points
   * @param {Record<string, number[][]>} px
   * @param {number} w
   * @param {Theme} theme
   */
  sleeve(ctx, i, points, px, w, theme) {
    const way = subtract(points.origins[i], points.homes[i]);
    const long = Math.hypot(...way);
    if (long) this.tube(ctx, i, points, px, w, theme, way, Math.min(this.figure.spec.joints[i].sleeve, long) / long);
  }

  /**
   * A sleeve along the axis.
   * @param {CanvasRenderingContext2D} ctx
   * @param {number} i
   * @param {Points} points
   * @param {Record<string, number[][]>} px
   * @param {number} w
   * @param {Theme} theme
   */
  nut(ctx, i, points, px, w, theme) {
    this.tube(ctx, i, points, px, w, theme, points.axes[i], this.figure.spec.joints[i].sleeve);
  }

  /**
   * @param {CanvasRenderingContext2D} ctx
   * @param {number} i
   * @param {Points} points
   * @param {Record<string, number[][]>} px
   * @param {number} w
   * @param {Theme} theme
   * @param {number[]} way
   * @param {number} s
   */
  tube(ctx, i, points, px, w, theme, way, s) {
    const mouth = this.pixels([points.homes[i][0] + s * way[0], points.homes[i][1] + s * way[1]]);
    const parent = this.run.parents[i];
    const owner = parent < 0 ? theme.ink : theme.link(parent);
    line(ctx, [px.homes[i], mouth], owner, 2.3 * w, "butt");
    line(ctx, [px.homes[i], mouth], theme.paper, 1.7 * w, "butt");
    line(ctx, [px.homes[i], px.origins[i]], theme.link(i), 0.8 * w);
  }

  /**
   * Across a thread, moving on by one a turn; seen from its end, the slot of a screw.
   * @param {CanvasRenderingContext2D} ctx
   * @param {number} i
   * @param {Points} points
   * @param {Record<string, number[][]>} px
   * @param {number} w
   * @param {Theme} theme
   */
  strokes(ctx, i, points, px, w, theme) {
    const { sleeve } = this.figure.spec.joints[i];
    const [x, y] = points.axes[i];
    const seen = Math.hypot(x, y);
    const turns = this.run.q[i] / (2 * Math.PI);
    if (seen < 0.5) {
      this.pin(ctx, i, points, px, w, theme);
      for (const a of [0, 0.25]) {
        const c = 0.45 * w * Math.cos(2 * Math.PI * (turns + a));
        const s = 0.45 * w * Math.sin(2 * Math.PI * (turns + a));
        const [u, v] = px.origins[i];
        line(
          ctx,
          [
            [u - c, v + s],
            [u + c, v - s],
          ],
          theme.ink,
          0.2 * w,
        );
      }
      return;
    }
    const count = Math.max(3, Math.round(sleeve / (0.05 * this.size)));
    const [c, s] = [x / seen, -y / seen];
    for (let k = 0; k < count; k++) {
      const along = ((k + turns - Math.floor(turns)) / count) * sleeve;
      const [u, v] = this.pixels([points.homes[i][0] + along * x, points.homes[i][1] + along * y]);
      const [du, dv] = [0.95 * w * (0.5 * c + s), 0.95 * w * (0.5 * s - c)];
      line(
        ctx,
        [
          [u - du, v - dv],
          [u + du, v + dv],
        ],
        theme.ink,
        0.2 * w,
      );
    }
  }

  /**
   * Where pushes of one newton from all sides would accelerate the tip: J M^-1 J^T times a circle.
   * @param {CanvasRenderingContext2D} ctx
   * @param {Theme} theme
   * @param {number[]} tip
   */
  ellipse(ctx, theme, tip) {
    const [[a, b], [c, d]] = this.run.programs.mobility(this.run.q, this.figure.parameters);
    if (![a, b, c, d].every(Number.isFinite)) return;
    const long = Math.sqrt(Math.max(a * a + c * c, b * b + d * d, 1e-12));
    const s = (0.32 * this.size) / (this.longest = Math.max(this.longest || 0, long));
    const rim = [];
    for (let k = 0; k <= 72; k++) {
      const x = Math.cos((k * Math.PI) / 36);
      const y = Math.sin((k * Math.PI) / 36);
      rim.push(this.pixels([tip[0] + s * (a * x + b * y), tip[1] + s * (c * x + d * y)]));
    }
    ctx.globalAlpha = 0.16;
    fill(ctx, rim, theme.mark);
    ctx.globalAlpha = 1;
    line(ctx, rim, theme.mark, 2);
    this.mobility = [a, b, d];
  }

  /**
   * @param {CanvasRenderingContext2D} ctx
   * @param {Points} points
   * @param {Theme} theme
   */
  hand(ctx, points, theme) {
    const { run } = this;
    const bar = run.hold.indexOf(1);
    const [origin, end] = [points.origins[run.bars[bar]], points.ends[bar]];
    const at = [0, 1].map(k => origin[k] + run.along * (end[k] - origin[k]));
    const [from, to] = [this.pixels(at), this.pixels(run.target)];
    if (this.figure.playing) arrow(ctx, from, to, theme.ink);
    disk(ctx, from, 5, theme.mark, theme.paper, 1.5);
  }
}
