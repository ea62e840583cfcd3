// Puts figures into the page: each is built when the reader comes near, in the colors that the style sheet has.
// @ts-check

import { make } from "./dom.js";
import { Figure } from "./figure.js";
import { checkVersion } from "./spec.js";

/**
 * Build a figure into an element; return what takes it away.
 * @param {HTMLElement} el
 * @param {import("./spec.js").Model} model
 * @param {import("./spec.js").Programs} programs
 */
export function render(el, model, programs) {
  el.classList.add("rd-figure");
  try {
    checkVersion(model.get("spec"));
    const figure = new Figure(el, model.get("spec"), programs, model);
    return () => figure.stop();
  } catch (error) {
    el.append(
      make(
        "p",
        { class: "rd-voice rd-trouble" },
        `This figure could not start: ${/** @type {Error} */ (error).message}`,
      ),
    );
    throw error;
  }
}

/**
 * Build a figure when the reader comes near. No kernel: what is said to Python goes nowhere.
 * @param {HTMLElement & { rdComes?: boolean }} el
 * @param {import("./spec.js").Spec} spec
 * @param {() => import("./spec.js").Programs} programs
 */
export function standAlone(el, spec, programs) {
  if (el.rdComes) return;
  el.rdComes = true;
  const ignore = () => {};
  const model = { get: () => spec, set: ignore, save_changes: ignore, on: ignore };
  const near = new IntersectionObserver(
    ([entry]) => {
      if (!entry.isIntersecting) return;
      near.disconnect();
      render(el, model, programs());
    },
    { rootMargin: "600px" },
  );
  near.observe(el);
}
