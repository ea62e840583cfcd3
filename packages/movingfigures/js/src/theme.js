// The colors and the type of a figure, as the style sheet has them on this page.
// @ts-check

/**
 * Colors by what they are for, those of the arms side by side, those of links, and a family of fonts.
 * @typedef {{ run: (k: number) => string, link: (i: number) => string, font: string } & Record<Color, string>} Theme
 */

/** @typedef {(typeof COLORS)[number]} Color */

const COLORS = /** @type {const} */ ([
  "ink",
  "paper",
  "faint",
  "grid",
  "mark",
  "prediction",
  "inertia",
  "velocity",
  "gravity",
  "torque",
]);

/**
 * The colors of the page, as the style sheet has them.
 * @param {HTMLElement} el
 * @returns {Theme}
 */
export function readTheme(el) {
  const style = getComputedStyle(el);
  /** @param {string | number} name */
  const color = name => style.getPropertyValue(`--rd-${name}`).trim();
  const named = /** @type {Record<Color, string>} */ (Object.fromEntries(COLORS.map(name => [name, color(name)])));
  const runs = [1, 2].map(color);
  const links = ["link-1", "link-2"].map(color);
  return {
    ...named,
    run: k => runs[k % 2],
    link: i => links[i % 2],
    font: style.fontFamily,
  };
}
