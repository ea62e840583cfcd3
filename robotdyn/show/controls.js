// The controls of a figure: native buttons, sliders and lists, each with a label, a value and a unit.

let made = 0; // so that every label finds its own control on a page of many figures

function button(text, title, act) {
  const element = make("button", { type: "button", title }, text);
  element.addEventListener("click", act);
  return element;
}

const written = (value, unit) => minus(`${Number(value.toPrecision(4))}${unit ? ` ${unit}` : ""}`);

class Slider { // a range input that keeps exactly the value that it is given, and says it with its unit
  constructor(spec, changed) {
    Object.assign(this, { spec, changed });
    const id = `rd-slider-${++made}`;
    this.input = make("input", { type: "range", id, min: spec.low, max: spec.high, step: "any", "data-name": spec.name });
    this.output = make("output", { for: id });
    const name = make("span", { class: "rd-name" }, make("i", {}, spec.letter));
    if (spec.index) name.append(make("sub", {}, spec.index));
    this.box = make("div", { class: "rd-slider" }, make("label", { for: id }, name, spec.words ? ` ${spec.words}` : ""), this.output, this.input);
    this.input.addEventListener("input", () => this.changed(this.show(Number(Number(this.input.value).toPrecision(3)), false)));
    this.show(spec.value);
  }

  show(value, move = true) { // returns the value, moved into the range
    this.value = Math.min(this.spec.high, Math.max(this.spec.low, Number.isFinite(value) ? value : this.spec.value));
    if (move) this.input.value = this.value;
    this.output.textContent = written(this.value, this.spec.unit);
    this.input.setAttribute("aria-valuetext", this.output.textContent);
    return this.value;
  }
}

function list(text, names, changed) { // a list to choose from
  const id = `rd-list-${++made}`, select = make("select", { id }, ...names.map((name, k) => make("option", { value: k }, name)));
  select.addEventListener("change", () => changed(Number(select.value)));
  return make("div", { class: "rd-list" }, make("label", { for: id }, text), select);
}
