// The equation of motion beside the arm, with its values: each term can be touched, and is then seen alone on the arm.
// @ts-check

import { listenerOf, make } from "./dom.js";
import { bindUnits, formatRounded } from "./numbers.js";
import { formulaParts, isRightTerm, TERMS } from "./terms.js";

/** @import { Figure, Pointed } from "./figure.js" */

/** @param {string} formula */
const withSubscripts = formula => formulaParts(formula).map((part, k) => (k % 2 ? make("sub", {}, part) : part));

export class Equation {
  /** @param {Figure} figure */
  constructor(figure) {
    this.figure = figure;
    const { terms, n } = figure.spec;
    const joints = Array.from({ length: n }, (_, i) => make("span", { class: "rd-joint" }, `joint ${i + 1}`));
    this.values = terms.map(() => joints.map(() => make("span", { class: "rd-value" })));
    this.buttons = terms.map((word, k) => this.term(word, this.values[k]));
    /** @param {number} k */
    const sign = k => (isRightTerm(terms[k]) && !isRightTerm(terms[k - 1]) ? "=" : k ? "+" : "");
    const row = terms.flatMap((word, k) => [
      make("span", { class: "rd-sign", "aria-hidden": "true" }, sign(k)),
      this.buttons[k],
    ]);
    this.line = make("p", { class: "rd-description" });
    const description = "The equation of motion. Each term is a button that shows it on the arm.";
    this.box = make(
      "div",
      { class: "rd-equation", role: "group", "aria-label": description },
      make("div", { class: "rd-terms" }, make("div", { class: "rd-joints", "aria-hidden": "true" }, ...joints), ...row),
      this.line,
    );
  }

  /**
   * @param {string} word
   * @param {HTMLElement[]} values
   */
  term(word, values) {
    const { figure } = this;
    const [formula, color, name] = TERMS[word];
    const element = make(
      "button",
      {
        type: "button",
        class: `rd-term rd-${color}`,
        "aria-pressed": "false",
        "aria-label": `${name}, ${formula}`,
        "data-term": word,
      },
      make("span", { class: "rd-formula" }, ...withSubscripts(formula)),
      ...values,
    );
    const on = listenerOf(element);
    on("pointerenter", event => event.pointerType === "mouse" && this.point({ hovered: word }));
    on("pointerleave", () => this.point({ hovered: null }));
    on("focus", () => this.point({ focused: element.matches(":focus-visible") ? word : null }, true));
    on("blur", () => this.point({ focused: null }));
    on("click", () => this.point({ pinned: figure.pinned === word ? null : word }, true));
    return element;
  }

  /**
   * What the mouse is over comes first, then where the keyboard is, then what was touched.
   * @param {Pointed} change
   * @param {boolean} [aloud]
   */
  point(change, aloud = false) {
    const { figure } = this;
    Object.assign(figure, change);
    figure.started = true;
    this.buttons.forEach((button, k) =>
      button.setAttribute("aria-pressed", String(figure.pinned === figure.spec.terms[k])),
    );
    figure.requestFrame();
    if (aloud && figure.highlightedTerm) figure.announce(this.describe());
  }

  // The term that is pointed at, in words; or all of them.
  describe() {
    const { figure } = this;
    const { terms } = figure.spec;
    const parts = figure.runs[0].terms();
    /** @param {number} k */
    const sizes = k =>
      parts[k].map((v, i) => `${formatRounded(v)} ${figure.spec.joints[i].units.tau} at joint ${i + 1}`).join(", ");
    const k = terms.indexOf(figure.highlightedTerm);
    const [formula, , name, does] = k < 0 ? [] : TERMS[terms[k]];
    return k < 0
      ? terms.map((word, k) => `${TERMS[word][2]} ${sizes(k)}`).join("; ")
      : `${formula}, the ${name}, ${does}: ${sizes(k)}.`;
  }

  draw() {
    const { figure } = this;
    const now = performance.now();
    const parts = figure.runs[0].terms();
    figure.spec.terms.forEach((word, k) => this.buttons[k].classList.toggle("rd-dim", !figure.isHighlighted(word)));
    if (figure.playing && now - (this.read || 0) < 100) return;
    this.read = now;
    this.values.forEach((column, k) =>
      column.forEach((value, i) => {
        value.textContent = figure.started ? formatRounded(parts[k][i]) : "?";
      }),
    );
    const [formula, , name, does] = TERMS[figure.highlightedTerm] || [];
    this.line.replaceChildren(
      ...(formula
        ? [...withSubscripts(formula), `, the ${name}, ${does}.`]
        : [bindUnits(`Point at a term to see it on the arm. Values in ${figure.units("tau")}.`)]),
    );
  }
}
