// What Python says of a figure: the types of its record, and whether this script can read it.
// @ts-check

// That of SPEC_VERSION in figure_spec.py.
export const SPEC_VERSION = 1;

/**
 * The units of a joint, by the letters of what is measured.
 * @typedef {{ q: string, qd: string, tau: string, [name: string]: string }} Units
 */

/**
 * @typedef {object} JointSpec
 * @property {Units} units
 * @property {boolean} periodic a turn more is the same pose
 * @property {string} drawing a word of DRAWINGS in stage.js
 * @property {number} sleeve length of the sleeve in which it slides, m
 * @property {[number, number]} range of its map, rad or m
 */

/**
 * @typedef {object} SliderSpec
 * @property {string} [name]
 * @property {string} letter
 * @property {string} [index]
 * @property {string} words
 * @property {string} unit
 * @property {number} low
 * @property {number} high
 * @property {number} value
 * @property {number} [step]
 */

/**
 * The tableau of a Runge-Kutta method.
 * @typedef {{ a: number[][], b: number[], velocity_first: boolean }} Integrator
 */

/** @typedef {{ q: number[], qd: number[] }} State */

/**
 * One arm of the figure.
 * @typedef {object} RunSpec
 * @property {string} label
 * @property {Integrator} integrator
 * @property {string} dynamics the name of the program of its accelerations
 * @property {string} applied_torque the name of the program of what acts on its joints
 * @property {State | null} start
 * @property {number | null} dt
 */

/** @typedef {{ label: string, q: number[][], tau: number[][] }} Solution */

/**
 * @typedef {object} PredictionSpec
 * @property {string} letter
 * @property {"q" | "qd"} name
 * @property {number} joint
 * @property {number} seconds
 * @property {number} start
 * @property {number} low
 * @property {number} high
 * @property {string} unit
 */

/** @typedef {{ names: string[], units: string[], pairs: [number, number][], width: number }} CovarianceSpec */

/** @typedef {{ columns: number[], names: string[], center: number[], start: number[] }} LearnedSpec */

/** @typedef {{ goal: number[], position: number, u: number[][], effort?: number, velocity?: number }} TaskSpec */

/**
 * The record of a figure, FigureSpec in figure_spec.py.
 * @typedef {object} Spec
 * @property {number} version
 * @property {string} title
 * @property {number} n
 * @property {JointSpec[]} joints
 * @property {State} start
 * @property {number} dt
 * @property {RunSpec[]} runs
 * @property {SliderSpec[]} sliders
 * @property {Record<string, number>} fixed
 * @property {boolean | "touch"} playing
 * @property {string[]} panels
 * @property {string[]} marks
 * @property {string[]} terms
 * @property {boolean} equation
 * @property {number} [digit]
 * @property {CovarianceSpec} [covariance]
 * @property {string} [pose]
 * @property {PredictionSpec} [predict]
 * @property {number[]} [goal]
 * @property {number[]} [target]
 * @property {number[]} [parents]
 * @property {number[]} [bars]
 * @property {Solution[]} [solutions]
 * @property {string} [choice]
 * @property {TaskSpec} [task]
 * @property {LearnedSpec} [learned]
 * @property {string} [scene]
 * @property {number[]} [sides]
 * @property {{ qd: number[], qdd: number[] }} [rates]
 * @property {number[]} [place]
 * @property {number} [side]
 * @property {number} [side_time]
 * @property {number} [height]
 */

/**
 * What a figure computes, by name: functions that Python printed.
 * @typedef {Record<string, (...inputs: any[]) => any>} Programs
 */

/**
 * The two-way channel to Python that a notebook gives; in a page without a kernel what is said goes nowhere.
 * @typedef {object} Model
 * @property {(name: string) => any} get
 * @property {(name: string, value: any) => void} set
 * @property {() => void} save_changes
 * @property {(event: string, act: () => void) => void} on
 */

/**
 * Throw a sentence for the reader unless the record has the version that this script reads.
 * @param {Spec} spec
 */
export function checkVersion(spec) {
  if (spec.version === SPEC_VERSION) return;
  const got = spec.version === undefined ? "none" : `version ${spec.version}`;
  throw new Error(
    `its record must have version ${SPEC_VERSION}, got ${got}: ` +
      "it was made by another version of movingfigures than this script; run its cell again",
  );
}
