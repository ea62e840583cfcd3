// The controls of a figure: native buttons, sliders and lists, each with a label, a value and a unit.

let made = 0; // so that every label finds its own control on a page of many figures

function button(text, title, act) {
  const element = make("button", { type: "button", title }, text);
  element.addEventListener("click", act);
  return element;
}

const written = (value, unit) => minus(`${Number(value.toPrecision(4))}${unit ? ` ${unit}` : ""}`);

class Slider { // a range input, and beside it a field for exact values, which keeps exactly what it is given
  constructor(spec, changed) {
    Object.assign(this, { spec, changed });
    const id = `rd-slider-${++made}`, { low, high, letter, index, words, unit } = spec;
    this.input = make("input", { type: "range", id, min: low, max: high, step: spec.step || (high - low) / 400, "data-name": spec.name });
    this.field = make("input", { type: "number", min: low, max: high, step: "any", inputmode: "decimal", "aria-label": `${letter}${index || ""}, exact value${unit ? ` in ${unit}` : ""}` });
    const name = make("span", { class: "rd-name" }, make("i", {}, letter));
    if (index) name.append(make("sub", {}, index));
    this.box = make("div", { class: "rd-slider" }, make("label", { for: id }, name, words ? ` ${words}` : ""), make("span", { class: "rd-exact" }, this.field, unit || ""), this.input);
    this.input.addEventListener("input", () => this.changed(this.show(Number(Number(this.input.value).toPrecision(6)), false)));
    this.field.addEventListener("change", () => this.changed(this.show(this.field.value === "" ? NaN : Number(this.field.value))));
    this.show(spec.value);
  }

  show(value, move = true) { // returns the value, moved into the range
    this.value = Math.min(this.spec.high, Math.max(this.spec.low, Number.isFinite(value) ? value : this.value ?? this.spec.value));
    if (move) this.input.value = this.value;
    this.field.value = Number(this.value.toPrecision(6));
    this.input.setAttribute("aria-valuetext", written(this.value, this.spec.unit));
    return this.value;
  }
}

function list(text, names, changed) { // a list to choose from
  const id = `rd-list-${++made}`, select = make("select", { id }, ...names.map((name, k) => make("option", { value: k }, name)));
  select.addEventListener("change", () => changed(Number(select.value)));
  return make("div", { class: "rd-list" }, make("label", { for: id }, text), select);
}
