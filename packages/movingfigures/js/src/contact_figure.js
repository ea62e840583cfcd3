// A hand on springs that presses on a table, slides along it and loses contact: the force of the table, and its cone.
// @ts-check

import { clearCanvas, drawArrowAlong, drawText, fill, line, ring } from "./drawing.js";
import { withMinusSign } from "./numbers.js";
import { Follow, FollowStage, TRAIL } from "./resolved_rates_figure.js";

/** @import { Figure } from "./figure.js" */
/** @import { Theme } from "./theme.js" */

const CONE = 100; // pixels, the length of its sides
const PER_NEWTON = 0.0066; // of the height of the picture, the arrow

export class Press extends Follow {
  /**
   * @param {number[]} q
   * @param {number[]} qd
   */
  setState(q, qd) {
    this.tip = null; // what follows is a new pose, no pull
    super.setState(q, qd);
    this.tip = this.hand();
    this.force = [0, 0];
  }

  // A slider moves the tip too, if it is held by the springs.
  resetEnergy() {
    super.resetEnergy();
    if (this.tip) this.follow(this.dt);
  }

  // A drag begins no square of its own: the target may be below the table, where none begins.
  beginSquare() {
    super.beginSquare();
    this.corner[1] = Math.max(this.corner[1], this.figure.spec.height + 0.3 * this.figure.spec.side);
  }

  /** @param {number} h */
  follow(h) {
    const { k_n, k_t, friction } = this.figure.parameters;
    const { height } = this.figure.spec;
    const { parameters } = this.figure;
    /** @type {number[]} */
    let rates;
    [this.tip, this.force, rates] = this.programs.contact_and_joint_rates(
      this.q,
      this.place,
      this.tip,
      height,
      k_n,
      k_t,
      friction,
      parameters,
    );
    this.state = [...this.q.map((v, i) => v + rates[i]), ...rates.map(v => v / h), 0];
    this.previous = [...this.place];
    this.trail.push(this.hand());
    if (this.trail.length > TRAIL) this.trail.shift();
  }

  // What the tip does: by the force, for at the end of its cone it slides.
  contact() {
    const [along, across] = this.force;
    if (across <= 0) return "no contact";
    return Math.abs(along) < this.figure.parameters.friction * across * (1 - 1e-9) ? "sticks" : "slides";
  }

  describe() {
    const [along, across] = this.force;
    /** @param {number} v */
    const degrees = v => `${((v * 180) / Math.PI).toFixed(1)}°`;
    /** @param {number} v */
    const newtons = v => withMinusSign(v.toFixed(1).replace(/^-0\.0$/, "0.0"));
    const lean = across > 0 ? degrees(Math.atan2(Math.abs(along), across)) : "–";
    return [
      this.contact(),
      `table on pen: ${newtons(across)} N across, ${newtons(along)} N along`,
      "",
      `the force leans by ${lean}, the cone by ${degrees(Math.atan(this.figure.parameters.friction))}`,
    ];
  }
}

/** @extends {FollowStage<Press>} */
class PressStage extends FollowStage {
  /**
   * @param {Figure} figure
   * @param {Press} run
   */
  constructor(figure, run) {
    super(figure, run);
    this.canvas.setAttribute(
      "aria-label",
      `${figure.spec.title}. Arrow keys move the target, to which springs pull the tip of the pen, ` +
        "space lets the target run along a square through the table, S goes a little further, R restarts.",
    );
  }

  // The table and what the arm reaches of it, and the arm above.
  fit() {
    const { height, side } = this.figure.spec;
    const { clientWidth: w, clientHeight: h } = this.canvas;
    const reach = this.span();
    const [low, high] = [height - 1.1 * side, 0.55 * reach];
    this.size = 0.6 * reach;
    this.scale = Math.min(w / (1.15 * reach), h / (high - low)) || 1;
    this.middle = [(w - 0.8 * reach * this.scale) / 2, high * this.scale];
  }

  /** @param {Theme} theme */
  draw(theme) {
    const { run } = this;
    const { height, side } = this.figure.spec;
    const ctx = clearCanvas(this.canvas);
    this.fit();
    const { clientWidth: w, clientHeight: h } = this.canvas;
    const width = Math.max(5, Math.min(11, 0.06 * this.size * this.scale));
    const level = this.pixels([0, height])[1];
    ctx.fillStyle = theme.grid;
    ctx.fillRect(0, level, w, h - level);
    line(
      ctx,
      [
        [0, level],
        [w, level],
      ],
      theme.faint,
      2,
      "butt",
    );
    if (run.corner)
      line(
        ctx,
        [0, 1, 2, 3, 0].map(phase => this.pixels(run.onSquare(phase))),
        theme.faint,
        1.6,
        "butt",
        [4, 4],
      );
    if (run.trail.length > 1)
      line(
        ctx,
        run.trail.map(p => this.pixels(p)),
        theme.faint,
        1.8,
      );
    this.base(ctx, this.pixels([0, 0]), width, theme);
    this.drawChain(ctx, run.q, width, theme, 1, false);
    this.cone(ctx, theme);
    line(ctx, [this.pixels(run.tip), this.pixels(run.place)], theme.ink, 1.6, "butt", [4, 4]);
    ring(ctx, this.pixels(run.place), 1.1 * width, theme.ink);
    drawText(ctx, run.contact(), this.pixels(run.tip)[0], this.pixels([0, height - 0.95 * side])[1], theme, "center");
  }

  /**
   * Where the force may be, and where it is.
   * @param {CanvasRenderingContext2D} ctx
   * @param {Theme} theme
   */
  cone(ctx, theme) {
    const { run } = this;
    const [along, across] = run.force;
    if (across <= 0) return;
    const at = this.pixels(run.tip);
    const scale = PER_NEWTON * this.canvas.clientHeight;
    const lean = Math.atan(this.figure.parameters.friction);
    /** @param {number} s */
    const edge = s => [at[0] + s * CONE * Math.sin(lean), at[1] - CONE * Math.cos(lean)];
    ctx.globalAlpha = 0.3;
    fill(ctx, [at, edge(1), edge(-1)], theme.mark);
    ctx.globalAlpha = 1;
    line(ctx, [edge(1), at, edge(-1)], theme.mark, 1.4);
    drawArrowAlong(
      ctx,
      [0, 0.8, 1].map(s => [at[0] + s * scale * along, at[1] - s * scale * across]),
      theme.ink,
      3.5,
    );
  }
}

export const CONTACT_SCENE = { run: Press, stage: PressStage };
