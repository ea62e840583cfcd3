// An arm in space: tubes from joint to joint, a drum at each joint; the hand takes it anywhere and brings it along.
// @ts-check

import { Run } from "./motion.js";
import { Camera, SpaceStage } from "./scene.js";
import { ball, tube } from "./solids.js";
import { addScaled3, distance, dot, norm3, scale3, subtract, UP } from "./vectors.js";

/** @import { Figure } from "./figure.js" */
/** @import { Scene } from "./scene.js" */
/** @import { Theme } from "./theme.js" */

// A pose without any motion.
export class SpatialPose extends Run {
  /** @param {number} h */
  step(h) {
    this.t += h;
  }

  /**
   * A new pose is shown at the same stage.
   * @param {number[]} q
   * @param {number[]} qd
   */
  setState(q, qd) {
    const { t = 0 } = this;
    super.setState(q, qd);
    this.t = t;
  }

  restart() {
    this.t = 0;
    super.restart();
  }
}

/**
 * @template {Run} [R=Run]
 * @extends {SpaceStage<R>}
 */
export class ArmInSpace extends SpaceStage {
  /**
   * @param {Figure} figure
   * @param {R} run
   * @param {string} description
   */
  constructor(figure, run, description) {
    super(figure, run, `Sliders or the hand pose it; arrow keys go around it; ${description}`, new Camera(-0.9, 0.3));
    const { homes, origins, ends } = run.points();
    this.reach =
      homes.reduce(
        (sum, home, i) => sum + norm3(addScaled3(origins[i], home, -1)) + norm3(addScaled3(ends[i], origins[i], -1)),
        0,
      ) || 1;
    this.size = 0.85 * this.reach;
    this.floor = homes[0][2] - 0.45 * this.reach;
    this.camera.middle = [homes[0][0], homes[0][1], homes[0][2] + 0.2 * this.reach];
  }

  /** @param {number} i */
  radius(i) {
    return 0.055 * this.reach * (1 - (0.55 * i) / this.run.n);
  }

  /**
   * Of all links, the place on the bar that is seen nearest to a pixel.
   * @param {number[]} pixel
   */
  nearest(pixel) {
    const { origins, ends } = this.run.points();
    let best = null;
    for (let i = 0; i < this.run.n; i++) {
      const [a, b] = [origins[i], ends[i]].map(p => this.camera.pixels(p));
      const bar = subtract(b, a);
      const square = dot(bar, bar);
      const along = square ? Math.min(1, Math.max(0, dot(subtract(pixel, a), bar) / square)) : 1;
      const gap = distance(pixel, [a[0] + along * bar[0], a[1] + along * bar[1]]);
      if (gap < 26 && (!best || gap < best.gap - 1))
        best = { link: i, along, gap, place: addScaled3(scale3(origins[i], 1 - along), ends[i], along) };
    }
    return best;
  }

  /** @param {number[]} pixel */
  nearby(pixel) {
    return this.nearest(pixel);
  }

  /** @param {number[]} pixel */
  grasp(pixel) {
    const { link, along, place } = this.nearest(pixel);
    Object.assign(this.run, { along, target: place, hold: this.run.hold.map((_, i) => (i === link ? 1 : 0)) });
    this.figure.started = true;
  }

  /**
   * In the plane through the hand that faces us.
   * @param {number[]} now
   */
  move(now) {
    this.run.target = this.camera.place(now, this.run.target);
    this.run.pose(40);
  }

  release() {
    this.run.hold.fill(0);
    this.figure.sendToKernel("motion");
    this.figure.announceState("Let go.");
  }

  /**
   * @param {Scene} scene
   * @param {Theme} theme
   * @param {(i: number) => string} [color]
   */
  arm(scene, theme, color = i => theme.link(i)) {
    const { homes, origins, ends, axes } = this.run.points();
    const { n } = this.run;
    /** @param {number} i */
    const r = i => this.radius(i);
    const foot = [homes[0][0], homes[0][1], this.floor];
    scene.solid(tube(foot, addScaled3(foot, UP, 0.03 * this.reach), 2.6 * r(0), 2.2 * r(0), 24), theme.link(1));
    scene.solid(tube(foot, homes[0], 1.25 * r(0)), theme.link(1));
    for (let i = 0; i < n; i++) {
      const drum = scale3(axes[i], 1.25 * r(i));
      const tone = color(i);
      if (norm3(addScaled3(origins[i], homes[i], -1)) > 1e-9) scene.solid(tube(homes[i], origins[i], 0.5 * r(i)), tone);
      scene.solid(tube(addScaled3(origins[i], drum, -1), addScaled3(origins[i], drum), 1.2 * r(i)), tone);
      if (norm3(addScaled3(ends[i], origins[i], -1)) > 1e-9)
        scene.solid(tube(origins[i], ends[i], r(i), i + 1 < n ? r(i + 1) : 0.8 * r(i)), tone);
    }
    scene.solid(ball(ends[n - 1], 0.9 * r(n), 12), color(n - 1));
  }
}
