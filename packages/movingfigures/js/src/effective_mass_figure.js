// The hand of an arm in space, and around it the ellipsoid of the accelerations that pushes of one newton from all
// sides would give it.
// @ts-check

import { label } from "./drawing.js";
import { formatRounded, vector, withMinusSign } from "./numbers.js";
import { directions, gridFaces } from "./solids.js";
import { ArmInSpace, SpatialPose } from "./spatial_arm.js";
import { addScaled3, normalize3, principal, rotate3 } from "./vectors.js";

/** @import { Figure } from "./figure.js" */
/** @import { Scene } from "./scene.js" */
/** @import { Theme } from "./theme.js" */

// It glides out and back by itself; what it is pushed with does not move it.
class EffectiveMass extends SpatialPose {
  /**
   * @param {number[]} q
   * @param {number[]} qd
   */
  setState(q, qd) {
    super.setState(q, qd);
    if (!this.isGliding) this.glideDirection = null; // put anew, it glides from there
  }

  /** @param {number} h */
  step(h) {
    if (this.isHeld) return;
    const { origins, ends } = this.points();
    const tip = ends[this.n - 1];
    const shoulder = origins[Math.min(1, this.n - 1)];
    if (!this.glideDirection) {
      this.glideDirection = normalize3(addScaled3(tip, shoulder, -1));
      this.from = tip;
      this.glideStart = this.t;
    }
    this.t += h;
    const out = 0.3 * this.figure.stages[0].reach * Math.sin(((this.t - this.glideStart) * Math.PI) / 6) ** 2;
    this.along = 1;
    this.target = addScaled3(this.from, this.glideDirection, out);
    this.hold = this.hold.map((_, i) => (i === this.n - 1 ? 1 : 0));
    this.isGliding = true;
    this.pose(20);
    this.hold.fill(0);
    this.isGliding = false;
  }

  // The place of the hand, its mobility, and the principal directions with the mass that each of them feels.
  tipMobility() {
    const [place, mobility] = this.programs.place_and_mobility(this.q, this.figure.parameters);
    const { values, axes } = principal(mobility);
    const most = values[2];
    return { place, mobility, axes, values, masses: values.map(v => (v < 1e-9 * most ? Infinity : 1 / v)) };
  }

  describe() {
    const { place, axes, masses } = this.tipMobility();
    /** @param {number} m */
    const kg = m => (Number.isFinite(m) ? `${withMinusSign(m.toPrecision(3))} kg` : "∞ kg");
    return [
      `hand at ${vector(place, "m")}`,
      ...["heaviest", "middle", "lightest"].map((word, k) =>
        `${word} ${kg(masses[k])} along ${vector(axes[k], "")}`.trim(),
      ),
    ];
  }
}

/** @extends {ArmInSpace<EffectiveMass>} */
class EffectiveMassStage extends ArmInSpace {
  /**
   * @param {Figure} figure
   * @param {EffectiveMass} run
   */
  constructor(figure, run) {
    super(figure, run, "space lets it glide out and back, S goes a little further, R restarts.");
  }

  /**
   * @param {Scene} scene
   * @param {Theme} theme
   */
  compose(scene, theme) {
    const { run } = this;
    const { place, mobility, axes, values, masses } = run.tipMobility();
    this.longest = Math.max(this.longest || 0, values[2]);
    const scale = (0.42 * this.reach) / this.longest;
    /** @type {number[][]} */
    const taken = [];
    scene.ground(this.size, this.floor);
    this.arm(scene, theme);
    scene.solid(
      gridFaces(directions(36, 18).map(row => row.map(d => addScaled3(place, rotate3(mobility, d), scale)))),
      theme.mark,
      { alpha: 0.5 },
    );
    axes.forEach((axis, k) =>
      scene.curve(
        [-1, 0, 1].map(s => addScaled3(place, axis, s * (scale * values[k] + 0.02 * this.reach))),
        theme.ink,
        1.6,
        0.2 * this.reach,
      ),
    );
    scene.paint();
    axes.forEach((axis, k) => {
      const ends = [0.07, 0.12, 0.17].flatMap(far =>
        [1, -1].map(s => scene.camera.pixels(addScaled3(place, axis, s * (scale * values[k] + far * this.reach)))),
      );
      label(
        scene.ctx,
        Number.isFinite(masses[k]) ? `${formatRounded(masses[k])} kg` : "∞",
        ends,
        taken,
        theme.ink,
        theme,
      );
    });
  }
}

export const EFFECTIVE_MASS_SCENE = { run: EffectiveMass, stage: EffectiveMassStage };
