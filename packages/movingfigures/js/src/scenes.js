// All figures that have a motion and a picture of their own, by the word that Python says.
// @ts-check

import { CONTACT_SCENE } from "./contact_figure.js";
import { EFFECTIVE_MASS_SCENE } from "./effective_mass_figure.js";
import { FREE_BODY_SCENE } from "./free_body_figure.js";
import { INVERSE_KINEMATICS_SCENE } from "./inverse_kinematics_figure.js";
import { NEWTON_EULER_SCENE } from "./newton_euler_figure.js";
import { RESOLVED_RATES_SCENE } from "./resolved_rates_figure.js";

/**
 * What moves, its picture, and whether it goes on by stages.
 * @typedef {{ run: any, stage: any, stages?: boolean }} SceneKind
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
