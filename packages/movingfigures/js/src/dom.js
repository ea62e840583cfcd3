// Elements of the page, and what a pointer and the arrow keys say.
// @ts-check

/** @import { Figure } from "./figure.js" */

/**
 * A new element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | number | boolean>} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  element.append(...children);
  return element;
}

/**
 * @param {Element} element
 * @param {Record<string, string | number | boolean>} attributes
 */
export function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
}

/**
 * Where a mouse, a pen or a finger is.
 * @typedef {{ clientX: number, clientY: number, pointerType?: string }} Touch2D
 */

/**
 * Where a pointer is in a canvas, in its own pixels: a slide shows it larger or smaller.
 * @param {HTMLCanvasElement} canvas
 * @param {Touch2D} event
 */
export function pointerPosition(canvas, event) {
  const box = canvas.getBoundingClientRect();
  const scale = canvas.clientWidth / box.width || 1;
  return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
}

/** What ends a drag. */
export const RELEASES = /** @type {const} */ (["pointerup", "pointercancel", "lostpointercapture"]);

/**
 * A function that lets an element listen: `on("keydown", event => ...)`.
 * @param {HTMLElement} element
 */
export const listenerOf =
  element =>
  /**
   * @template {keyof HTMLElementEventMap} K
   * @param {K} type
   * @param {(event: HTMLElementEventMap[K]) => unknown} act
   * @param {AddEventListenerOptions} [options]
   */
  (type, act, options) =>
    element.addEventListener(type, act, options);

/**
 * Pixels around a link within which it is grasped.
 * @type {Record<string, number>}
 */
export const REACH = { mouse: 22, touch: 40, pen: 30 };

/**
 * The way of an arrow key, to the right and up.
 * @type {Record<string, number[]>}
 */
export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/**
 * What the keys of every picture do.
 * @type {Record<string, (figure: Figure) => void>}
 */
export const STAGE_KEYS = {
  " ": figure => figure.play(!figure.playing),
  r: figure => figure.restart(),
  s: figure => figure.step(),
};
