// All figures that have a motion and a picture of their own, by the word that Python says.
// @ts-check

import { CONTACT_SCENE } from "./contact_figure.js";
import { EFFECTIVE_MASS_SCENE } from "./effective_mass_figure.js";
import { FREE_BODY_SCENE } from "./free_body_figure.js";
import { INVERSE_KINEMATICS_SCENE } from "./inverse_kinematics_figure.js";
import { NEWTON_EULER_SCENE } from "./newton_euler_figure.js";
import { RESOLVED_RATES_SCENE } from "./resolved_rates_figure.js";

/** @import { Figure } from "./figure.js" */
/** @import { Run } from "./motion.js" */
/** @import { Programs, RunSpec } from "./spec.js" */

/**
 * What moves, its picture, and whether it goes on by stages.
 * @typedef {object} SceneKind
 * @property {new (figure: Figure, spec: RunSpec, programs: Programs) => Run} run
 * @property {new (figure: Figure, run: any) => any} stage
 * @property {boolean} [stages]
 */

/** @type {Record<string, SceneKind>} */
export const SCENES = {
  contact: CONTACT_SCENE,
  effective_mass: EFFECTIVE_MASS_SCENE,
  free_body: FREE_BODY_SCENE,
  inverse_kinematics: INVERSE_KINEMATICS_SCENE,
  newton_euler: NEWTON_EULER_SCENE,
  resolved_rates: RESOLVED_RATES_SCENE,
};
