// The controls of a figure: native buttons, sliders and lists, each with a label, a value and a unit.
// @ts-check

import { ARROWS, make } from "./dom.js";
import { formatValue, withMinusSign } from "./numbers.js";

/** @import { Figure } from "./figure.js" */
/** @import { SliderSpec } from "./spec.js" */

let controlCount = 0; // so that every label finds its own control on a page of many figures

/**
 * @param {string} text
 * @param {string} title
 * @param {() => void} onClick
 */
export function button(text, title, onClick) {
  const element = make("button", { type: "button", title }, text);
  element.addEventListener("click", onClick);
  return element;
}

/**
 * What a slider takes: moved into its range; what is no number leaves the value of before.
 * @param {{ low: number, high: number, value: number }} options
 * @param {number} value
 * @param {number} before
 */
export function sliderValue({ low, high, value: start }, value, before) {
  return Math.min(high, Math.max(low, Number.isFinite(value) ? value : (before ?? start)));
}

/**
 * @param {number} value
 * @param {number} step
 * @param {number} direction
 */
export const steppedValue = (value, step, direction) => Number((value + step * direction).toPrecision(6));

/**
 * A line of Python that sets the pose.
 * @param {string} name
 * @param {number[]} q
 */
export const poseLine = (name, q) => `${name} = [${q.map(v => v.toFixed(3).replace(/^-0\.000$/, "0.000")).join(", ")}]`;

// A range input, and beside it a field for exact values, which keeps exactly what it is given.
export class Slider {
  /**
   * @param {SliderSpec} spec
   * @param {(value: number) => void} onChange
   */
  constructor(spec, onChange) {
    this.spec = spec;
    this.onChange = onChange;
    const id = `rd-slider-${++controlCount}`;
    const { low, high, letter, index, unit } = spec;
    this.input = make("input", {
      type: "range",
      id,
      min: low,
      max: high,
      step: spec.step || (high - low) / 400,
      "data-name": spec.name,
    });
    this.field = make("input", {
      type: "number",
      min: low,
      max: high,
      step: "any",
      inputmode: "decimal",
      "aria-label": `${letter}${index || ""}, exact value${unit ? ` in ${unit}` : ""}`,
    });
    const name = make("span", { class: "rd-name" }, make("i", {}, letter));
    if (index) name.append(make("sub", {}, index));
    this.box = make(
      "div",
      { class: "rd-slider" },
      make("label", { for: id }, name, spec.words ? ` ${spec.words}` : ""),
      make("span", { class: "rd-exact" }, this.field, unit || ""),
      this.input,
    );
    this.input.addEventListener("input", () =>
      this.onChange(this.show(Number(Number(this.input.value).toPrecision(6)), false)),
    );
    this.field.addEventListener("keydown", event => {
      // by the stops of the slider: browsers would go by whole units
      if (!ARROWS[event.key]?.[1]) return;
      event.preventDefault();
      this.onChange(this.show(steppedValue(this.value, Number(this.input.step), ARROWS[event.key][1])));
    });
    this.field.addEventListener("change", () =>
      this.onChange(this.show(this.field.value === "" ? NaN : Number(this.field.value))),
    );
    this.show(spec.value);
  }

  /**
   * What moves by itself, also beyond the ends of the slider.
   * @param {number} value
   */
  showState(value) {
    if (document.activeElement === this.field) return;
    this.value = value;
    this.input.value = String(value);
    this.field.value = String(Number(value.toFixed(3)));
    this.input.setAttribute("aria-valuetext", formatValue(value, this.spec.unit));
  }

  /**
   * Returns the value, moved into the range.
   * @param {number} value
   * @param {boolean} [move]
   */
  show(value, move = true) {
    this.value = sliderValue(this.spec, value, this.value);
    if (move) this.input.value = String(this.value);
    this.field.value = String(Number(this.value.toPrecision(6)));
    this.input.setAttribute("aria-valuetext", formatValue(this.value, this.spec.unit));
    return this.value;
  }
}

// Where the arm stands, as a line of Python: to be copied, for no kernel may listen.
export class Pose {
  /** @param {string} name */
  constructor(name) {
    this.name = name;
    this.line = make("code", {});
    this.button = button("Copy", "Copy this line, to paste it into a cell", () => this.copy());
    this.box = make("div", { class: "rd-pose" }, this.line, this.button);
  }

  /** @param {number[]} q */
  show(q) {
    const text = poseLine(this.name, q);
    if (text === this.line.textContent) return;
    this.line.textContent = text;
    this.button.textContent = "Copy";
  }

  // Where a page may not write to the clipboard, the line is marked, for the keyboard.
  copy() {
    getSelection().selectAllChildren(this.line);
    navigator.clipboard?.writeText(this.line.textContent).then(
      () => {
        this.button.textContent = "Copied";
      },
      () => {},
    );
  }
}

// Two numbers below each other, the second larger by one in the decimal that is chosen.
export class Digits {
  /**
   * @param {Figure} figure
   * @param {number} chosen
   * @param {(value: number) => void} changed
   */
  constructor(figure, chosen, changed) {
    const name = `rd-digits-${++controlCount}`;
    const places = Array.from({ length: 12 }, (_, k) => k + 1);
    const cells = () => places.map(() => make("span", {}));
    this.rows = [cells(), cells()];
    this.wholes = [make("span", { class: "rd-whole" }), make("span", { class: "rd-whole" })];
    this.radios = places.map(k =>
      make("input", { type: "radio", name, value: k, "aria-label": `decimal ${k}: the starts differ by 1e-${k} rad` }),
    );
    this.radios.forEach((radio, k) => radio.addEventListener("change", () => changed(k + 1)));
    this.radios[chosen - 1].checked = true;
    /**
     * @param {number} k
     * @param {(Node | string)[]} digits
     */
    const row = (k, digits) =>
      make(
        "div",
        { class: `rd-run-${k + 1}` },
        make("span", {}, figure.spec.runs[k].label),
        make("span", { class: "rd-number" }, this.wholes[k], ...digits),
      );
    this.box = make(
      "fieldset",
      { class: "rd-digits" },
      make("legend", {}, "Choose the digit of q₁ (rad) in which the starts differ"),
      row(0, this.rows[0]),
      row(
        1,
        this.radios.map((radio, k) => make("label", {}, radio, this.rows[1][k])),
      ),
    );
  }

  /** @param {...number} numbers */
  show(...numbers) {
    numbers.forEach((number, row) => {
      const [whole, decimals] = number.toFixed(12).split(".");
      this.wholes[row].textContent = withMinusSign(`${whole}.`);
      this.rows[row].forEach((digit, k) => {
        digit.textContent = decimals[k];
      });
    });
  }
}

/**
 * A list to choose from.
 * @param {string} text
 * @param {string[]} names
 * @param {(value: number) => void} changed
 */
export function list(text, names, changed) {
  const id = `rd-list-${++controlCount}`;
  const select = make("select", { id }, ...names.map((name, k) => make("option", { value: k }, name)));
  select.addEventListener("change", () => changed(Number(select.value)));
  return make("div", { class: "rd-list" }, make("label", { for: id }, text), select);
}
