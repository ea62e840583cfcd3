// The picture of a planar arm whose hand, or a target of it, is led by a finger: it jumps to where the picture is
// pressed, and follows.
// @ts-check

import { ARROWS, listenerOf, REACH, RELEASES, STAGE_KEYS } from "./dom.js";
import { disk, line } from "./drawing.js";
import { Stage } from "./stage.js";
import { distance } from "./vectors.js";

/** @import { Touch2D } from "./dom.js" */
/** @import { Figure } from "./figure.js" */
/** @import { Run } from "./motion.js" */
/** @import { Theme } from "./theme.js" */

/**
 * A motion that goes after a place, m.
 * @typedef {Run & { place: number[], moved?: boolean, aim: (place: number[]) => void }} Placed
 */

/**
 * @template {Placed} [R=Placed]
 * @extends {Stage<R>}
 */
export class HandStage extends Stage {
  /**
   * @param {Figure} figure
   * @param {R} run
   */
  constructor(figure, run) {
    super(figure, run);
    /** @type {Record<string, (figure: Figure) => void>} */
    this.acts = STAGE_KEYS;
  }

  listen() {
    const { canvas, figure, run } = this;
    const on = listenerOf(canvas);
    /** @param {Touch2D} event */
    const near = event => distance(this.place(event), run.place) * this.scale <= (REACH[event.pointerType] || 40);
    on("pointerdown", event => {
      if (event.button || (event.pointerType !== "mouse" && !near(event))) return;
      canvas.setPointerCapture(event.pointerId);
      canvas.focus({ preventScroll: true });
      this.dragging = true;
      figure.play(false);
      this.moveTo(this.place(event));
      event.preventDefault();
    });
    on("pointermove", event => {
      if (this.dragging) this.moveTo(this.place(event));
      else canvas.style.cursor = near(event) ? "grab" : "crosshair";
    });
    for (const type of RELEASES)
      on(type, () => {
        if (!this.dragging) return;
        this.dragging = false;
        figure.sendToKernel("motion");
        figure.announceState("Let go.");
      });
    on("touchstart", event => near({ ...this.touched(event), pointerType: "touch" }) && event.preventDefault(), {
      passive: false,
    });
    on("keydown", event => this.key(event));
  }

  /** @param {TouchEvent} event */
  touched(event) {
    const [{ clientX, clientY }] = event.touches;
    return { clientX, clientY };
  }

  /** @param {number[]} place */
  moveTo(place) {
    this.run.moved = true;
    this.figure.started = true;
    this.run.aim(place);
    this.figure.requestFrame();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { figure, run } = this;
    const act = this.acts[event.key.toLowerCase()];
    const way = ARROWS[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || !(act || way)) return;
    event.preventDefault();
    if (act) return act(figure);
    figure.play(false);
    this.moveTo(run.place.map((v, k) => v + 0.03 * this.size * way[k]));
    figure.announceState("");
  }

  // The size is that of the stretched arm, whatever the pose.
  fit() {
    this.size = 1.08 * this.span();
    const { clientWidth: w, clientHeight: h } = this.canvas;
    this.scale = Math.min(w, h) / (2 * this.size) || 1;
    this.middle = [w / 2, h / 2];
  }

  /**
   * The bars and joints of one branch; thin where a joint is beyond its limit.
   * @param {CanvasRenderingContext2D} ctx
   * @param {number[]} q
   * @param {number} width
   * @param {Theme} theme
   * @param {number} alpha
   * @param {boolean} beyond
   */
  drawChain(ctx, q, width, theme, alpha, beyond) {
    const { origins, ends } = this.run.points(q);
    ctx.globalAlpha = alpha;
    origins.forEach((origin, i) =>
      line(ctx, [this.pixels(origin), this.pixels(ends[i])], theme.link(i), beyond ? 0.3 * width : width),
    );
    for (const origin of origins) disk(ctx, this.pixels(origin), 0.7 * width, theme.paper, theme.ink, 2);
    disk(ctx, this.pixels(ends[this.run.n - 1]), 0.5 * width, theme.link(this.run.n - 1), theme.ink, 1.2);
    ctx.globalAlpha = 1;
  }
}
