// The terms of the equation of motion: how each is written, colored and named, and on which side it stands.
// @ts-check

/** @import { Color } from "./theme.js" */

/**
 * Of the equation of motion: formula, name of the color, name in words, and what it is for; left of the equals sign,
 * then right of it.
 * @type {Record<string, [string, Color, string, string]>}
 */
export const TERMS = {
  inertia: ["M q̈", "inertia", "inertia torque", "accelerates the links"],
  velocity: ["C q̇", "velocity", "velocity torque", "keeps the masses on their curved paths"],
  centrifugal: ["Γ q̇ᵢ²", "velocity", "centrifugal torque", "is what each rate asks for alone"],
  coriolis: ["Γ q̇ᵢq̇ⱼ", "velocity", "Coriolis torque", "is what two rates ask for together"],
  gravity: ["g", "gravity", "gravity torque", "carries the weight"],
  torque: ["τ", "torque", "torque", "is all that acts on the joints"],
  motors: ["τ", "torque", "torque of the motors", "is what the sliders set"],
  friction: ["τ_f", "faint", "torque of friction", "works against each rate"],
  hand: ["Jᵀw", "prediction", "torque of your pull", "is what your hand does to the joints"],
};

/** @param {string} word */
export const isRightTerm = word => ["torque", "motors", "friction", "hand"].includes(word);

/**
 * What an arm without velocity terms lacks.
 * @param {string} word
 */
export const isVelocityTerm = word => ["velocity", "centrifugal", "coriolis"].includes(word);

/**
 * Text, index, text, ... of a formula such as τ_f.
 * @param {string} formula
 */
export const formulaParts = formula => formula.split(/_(\w)/);
