// All panels that may stand beside the arm, by the word that Python says.
// @ts-check

import { ESTIMATES_PANEL } from "./adaptive_control_figure.js";
import { PAIR_PANELS } from "./covariance.js";
import { MOMENTUM_PANEL, OMEGA_PANEL } from "./free_body_figure.js";
import { INWARD_TORQUES_PANEL } from "./newton_euler_figure.js";
import { PLOTS } from "./plots.js";
import { MAP_PANEL } from "./pose_map.js";
import { PREDICT_PANEL } from "./prediction.js";
import { SENSITIVITY_PANEL } from "./sensitivity.js";

/** @import { Figure } from "./figure.js" */
/** @import { Theme } from "./theme.js" */

/**
 * Words for those who do not see it, how it is drawn, and what it needs before it is first drawn, if anything.
 * @typedef {object} Panel
 * @property {string} description
 * @property {(canvas: HTMLCanvasElement, theme: Theme, figure: Figure) => void} draw
 * @property {(figure: Figure, canvas: HTMLCanvasElement) => void} [begin]
 */

/** @type {Record<string, Panel>} */
export const PANELS = {
  ...PLOTS,
  ...PAIR_PANELS,
  estimates: ESTIMATES_PANEL,
  inward_torques: INWARD_TORQUES_PANEL,
  map: MAP_PANEL,
  momentum: MOMENTUM_PANEL,
  omega: OMEGA_PANEL,
  predict: PREDICT_PANEL,
  sensitivity: SENSITIVITY_PANEL,
};
