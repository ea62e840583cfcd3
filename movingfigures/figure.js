// The figure as a whole: lays out arms, plots and controls, keeps time, follows the colors of the page, and speaks with Python where there is one.

class Figure {
  constructor(el, spec, programs, model) {
    Object.assign(this, { el, spec, programs, model, playing: false, parameters: {}, chosen: 0 });
    this.scene = SCENES[spec.scene]; // in space, if it has one
    this.stored = Boolean(spec.solutions);
    this.tau = new Array(spec.n).fill(0);
    this.friction = new Array(spec.n).fill(0);
    this.springs = spec.goal ? [0, 1] : []; // k and w of motors that hold the arm at a goal
    this.dt = spec.dt;
    this.quantity = { ...QUANTITIES[0], index: 0 };
    this.cost = { frames: 0, physics: 0, drawing: 0 };
    for (const [name, value] of Object.entries(spec.fixed)) this.put(name, value);
    for (const slider of spec.sliders) this.put(slider.name, slider.value);
    this.rated = spec.sliders.some(slider => slider.name.startsWith("qd_")); // rates are set: who poses the arm keeps them
    const Motion = this.scene?.run || (spec.task ? Optimum : spec.learned ? Learner : this.stored ? Replay : Run);
    this.runs = spec.runs.map(run => new Motion(this, run, programs));
    this.build();
    this.watch();
    this.waiting = spec.playing === "touch"; // for a hand, which lets the motion begin
    if (spec.playing === true && !matchMedia("(prefers-reduced-motion: reduce)").matches) this.play(true);
    this.ask();
  }

  // ---- what the sliders change

  put(name, value) {
    const [, letter, joint] = name.match(/^(tau|b|q|qd)_(\d+)$/) || [], changed = x => x.map((v, i) => (i === joint - 1 ? value : v));
    if (letter === "q") for (const run of this.runs || []) run.put(changed(run.q), run.qd);
    else if (letter === "qd") for (const run of this.runs || []) run.put(run.q, changed(run.qd));
    else if (letter) (letter === "tau" ? this.tau : this.friction)[joint - 1] = value;
    else if (name === "b") this.friction.fill(value);
    else if (this.springs.length && (name === "k" || name === "w")) this.springs[name === "k" ? 0 : 1] = value;
    else if (name === "dt") this.dt = value;
    else this.parameters[name] = value;
  }

  set(name, value) {
    this.put(name, value);
    for (const run of this.runs) run.open();
    this.charted = null;
    this.highest = 0;
    for (const stage of this.stages) stage.longest = 0;
    this.begun = this.begun || ofState(name);
    this.parting?.begin(this.spec.start.q);
    this.ask();
  }

  get values() { return Object.fromEntries(this.sliders.map(slider => [slider.spec.name, slider.value])); }

  // ---- building

  build() {
    this.stages = (this.spec.digit ? this.runs.slice(0, 1) : this.runs).map(run => new (this.scene?.stage || Stage)(this, run));
    this.equation = this.spec.equation && new Equation(this);
    this.parting = this.spec.digit ? new Parting(this) : null;
    this.certainty = this.spec.certain ? new Certainty(this) : null;
    this.plots = this.spec.panels.map(name => {
      const canvas = make("canvas", { role: "img", "aria-label": PLOTS[name].told });
      PLOTS[name].begin?.(this, canvas);
      return { name, canvas, box: make("div", { class: `rd-plot rd-${name}` }, canvas) };
    });
    this.sliders = this.spec.sliders.map(spec => new Slider(spec, value => {
      this.set(spec.name, value);
      this.share("values", this.values);
    }));
    this.button = button("Play", "Play or pause (space)", () => this.play(!this.playing));
    this.readout = make("p", { class: "rd-readout" });
    this.voice = make("p", { class: "rd-voice", "aria-live": "polite" });
    const buttons = make("div", { class: "rd-buttons" }, this.button, ...this.stepping(),
      button("Restart", "The same motion from its start (R)", () => this.restart()));
    if (this.sliders.length) buttons.append(button("Reset", "All sliders and the motion as they were", () => this.reset()));
    const controls = make("div", { class: "rd-controls" }, ...this.sliders.map(slider => slider.box));
    this.pose = this.spec.pose ? new Pose(this.spec.pose) : null;
    if (this.pose) controls.prepend(this.pose.box);
    if (this.parting) controls.prepend(this.parting.control.box);
    if (this.stored) this.scrub(controls);
    if (this.spec.panels.includes("map"))
      controls.append(list("the map shows", QUANTITIES.map(q => q.name), k => { this.quantity = { ...QUANTITIES[k], index: k }; this.charted = null; this.ask(); }));
    const stages = make("div", { class: "rd-stages" }, ...this.stages.map(stage => stage.box));
    const plots = make("div", { class: "rd-plots" }, ...this.plots.map(plot => plot.box));
    const shape = `rd-body rd-stages-${this.stages.length} rd-plots-${this.plots.length}${this.equation ? " rd-equated" : ""}${this.parting ? " rd-parting" : ""}${this.certainty ? " rd-certain" : ""}${this.scene ? " rd-spatial" : ""}`;
    this.el.replaceChildren(make("div", { class: shape, role: "group", "aria-label": this.spec.title },
      this.equation ? this.equation.box : "", stages, buttons, controls, plots, this.readout, this.voice));
    this.el.classList.add("rd-alive");
    this.el.rdFigure = this; // for tests, and for the curious at the console
  }

  stepping() {
    if (!this.scene?.stages) return [button("Step", "One small step (S)", () => this.step())];
    return [button("Back", "Back to the last stage (B)", () => this.step(-1)), button("Next", "On to the next stage (S)", () => this.step())];
  }

  scrub(controls) {
    const [run] = this.runs;
    this.clock = new Slider({ letter: "t", words: "time", unit: "s", low: 0, high: run.length, value: 0, step: this.dt / 2 }, t => { this.play(false); run.seek(t); this.ask(); });
    controls.append(this.clock.box);
    if (this.spec.solutions.length > 1)
      controls.append(list(this.spec.choice, this.spec.solutions.map(solution => solution.label), k => { this.chosen = k; run.seek(Math.min(run.t, run.length)); this.ask(); }));
  }

  chart() { return (this.charted = this.charted || charted(this)); } // computed again only when a parameter has changed

  // ---- time

  play(on) {
    if (on === this.playing) return;
    if (on && this.runs[0].t >= this.runs[0].length) this.runs[0].seek(0);
    this.playing = on;
    this.begun = this.begun || on;
    this.waiting = false;
    this.last = null;
    this.button.textContent = on ? "Pause" : "Play";
    this.tell(on ? "Playing." : "Paused.");
    this.share("motion");
    this.ask();
  }

  touched() { // the first touch of an arm that waits for it lets it go
    if (this.waiting) this.play(true);
    if (this.parting) this.play(false); // a hand would part the arms: it poses them
    this.begun = true;
  }

  step(way = 1) {
    this.play(false);
    this.begun = true;
    if (this.scene?.stages) this.runs[0].turn(way);
    else this.advance(this.stored ? this.dt : Math.max(0.05, ...this.runs.map(run => run.dt)));
    this.tell(this.scene?.stages ? "" : "One step.");
    this.ask();
    this.share("motion");
  }

  replay() { // a stored motion from its beginning
    this.runs[0].seek(0);
    this.play(true);
  }

  restart() {
    for (const run of this.runs) run.restart();
    this.parting?.clear();
    this.certainty?.clear();
    this.highest = 0;
    this.tell("From the start.");
    this.share("motion");
    this.ask();
  }

  reset() {
    this.play(false);
    for (const slider of this.sliders) this.set(slider.spec.name, slider.show(slider.spec.value));
    this.share("values", this.values);
    this.parting?.reset();
    this.restart();
  }

  advance(seconds) {
    if (!this.stored) together(this.runs, seconds);
    for (const run of this.runs) {
      const trouble = this.stored ? run.advance(seconds) : run.checked();
      if (!trouble) continue;
      this.play(false);
      this.say(trouble, true);
    }
    this.parting?.note();
    this.ask();
  }

  get pointed() { return this.hovered || this.focused || this.pinned || null; } // the term that is shown alone

  seen(word) { return !this.pointed || this.pointed === word; }

  ask() { // one frame, unless nobody sees it
    if (this.asked || this.hidden) return;
    this.asked = true;
    requestAnimationFrame(now => { this.asked = false; this.frame(now); });
  }

  frame(now) {
    const began = performance.now();
    if (this.playing) {
      const gone = this.last === null ? 0 : (now - this.last) / 1000;
      if (gone > 2) this.say(`The page rested for ${gone.toFixed(0)} s; the motion goes on where it was.`);
      this.last = now;
      this.advance(gone > 2 ? 0 : Math.min(gone, 0.05));
      if (this.runs[0].t >= this.runs[0].length) this.play(false); // a motion that ends
      this.share("motion");
    }
    const between = performance.now();
    this.draw();
    const done = performance.now(), { cost } = this;
    cost.frames += 1;
    cost.physics += between - began;
    cost.drawing += done - between;
    if (this.playing || this.stages.some(stage => stage.dragging)) this.ask();
  }

  // ---- pictures and words

  draw() {
    if (!this.el.clientWidth) return; // it stands on a slide that is not shown
    this.cost.first = this.cost.first || performance.now();
    this.look = this.look || looks(this.el);
    if (this.runs[0].refine?.()) this.ask();
    for (const stage of this.stages) stage.draw(this.look);
    for (const plot of this.plots) PLOTS[plot.name].draw(plot.canvas, this.look, this);
    if (this.clock) this.clock.show(this.runs[0].t);
    if (this.equation) this.equation.draw();
    this.pose?.show(this.runs[0].q);
    for (const slider of this.sliders.filter(slider => ofState(slider.spec.name))) {
      const [letter, joint] = slider.spec.name.split("_");
      slider.follow(this.runs[0][letter][joint - 1]);
    }
    const now = performance.now();
    if (this.playing && now - (this.read || 0) < 200) return;
    this.read = now;
    this.readout.replaceChildren(...this.report().map(text => make("span", {}, bound(text))));
  }

  report() { // what the picture shows, in numbers
    if (this.runs[0].told) return this.runs[0].told();
    const texts = [`t = ${this.runs[0].t.toFixed(2)} s`, ...(this.parting ? this.parting.report() : [])], row = x => minus(`(${x.map(v => v.toFixed(2)).join(", ")})`);
    for (const run of this.runs) {
      const name = run.spec.label ? `${run.spec.label}: ` : "", { E, drift } = run.energy();
      if (name) texts.push(""); // each of several arms begins a line
      texts.push(`${name}q = ${row(run.q)} ${this.units("q")}`);
      if (!this.stored) texts.push(`q̇ = ${row(run.qd)} ${this.units("qd")}`);
      if (!this.stored) texts.push(`${this.spec.learned ? "V" : "energy"} ${minus(E.toFixed(2).replace(/^-0\.00$/, "0.00"))} J, error ${short(drift)} J`);
      if (run.held && this.playing) texts.push(`pull ${Math.hypot(...run.acting(run.q, run.qd)[2]).toFixed(0)} N`);
    }
    if (this.runs[0].programs.terms && this.begun && !this.equation) {
      const parts = this.runs[0].terms();
      for (let i = 0; i < this.spec.n; i++) {
        const values = this.spec.terms.map(word => TERMS[word]).map(([name], k) => `${name}\u00a0=\u00a0${minus(parts[k][i].toFixed(2))}`).join(", ");
        texts.push(`joint ${i + 1}: ${values} ${this.spec.joints[i].units.tau}`);
      }
    }
    if (this.runs[0].report) texts.push(...this.runs[0].report());
    if (this.certainty) texts.push("", ...this.certainty.report());
    if (this.guess && this.guess.told) texts.push(this.guess.told);
    const mobility = this.stages[0].mobility;
    if (mobility) {
      const [a, b, d] = mobility, middle = (a + d) / 2, half = Math.hypot((a - d) / 2, b);
      const mass = v => (v < 1e-6 * (middle + half) ? "∞" : `${(1 / v).toPrecision(3)} kg`);
      texts.push(`mass felt at the tip: from ${mass(middle + half)} to ${mass(middle - half)}`);
    }
    return texts;
  }

  units(name) { // the unit of q, qd or tau, or both where joints have different ones
    return [...new Set(this.spec.joints.map(joint => joint.units[name]))].join(", ");
  }

  tell(text) { this.say([text, ...this.report().filter(Boolean), ...(this.equation && this.begun ? [this.equation.told()] : [])].join(" ")); }

  say(text, trouble = false) { // to those who listen rather than look, at most once a second; trouble at once, and to all
    this.news = [text, trouble];
    if (this.speaking && !trouble) return;
    clearTimeout(this.speaking);
    this.voice.textContent = text;
    this.el.classList.toggle("rd-trouble", trouble);
    this.speaking = setTimeout(() => {
      this.speaking = null;
      if (this.voice.textContent !== this.news[0]) this.say(...this.news);
    }, 1000);
  }

  // ---- the page around, and Python

  watch() {
    const size = new ResizeObserver(() => this.ask());
    for (const { canvas } of [...this.stages, ...this.plots]) size.observe(canvas);
    const sight = new IntersectionObserver(([entry]) => { this.hidden = !entry.isIntersecting; this.last = null; this.ask(); });
    sight.observe(this.el);
    const colors = new MutationObserver(() => { this.look = null; this.ask(); });
    colors.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    colors.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light"] });
    const dark = matchMedia("(prefers-color-scheme: dark)"), repaint = () => { this.look = null; this.ask(); };
    dark.addEventListener("change", repaint);
    this.model.on("change:values", () => this.hear(this.model.get("values")));
    this.model.on("change:motion", () => this.follow(this.model.get("motion")));
    this.stop = () => {
      for (const observer of [size, sight, colors]) observer.disconnect();
      dark.removeEventListener("change", repaint);
      this.playing = false;
      this.hidden = true;
    };
  }

  share(name, value) { // the state goes to Python at most five times a second while it moves
    const now = performance.now();
    if (name === "motion") {
      if (this.playing && now - (this.shared || 0) < 200) return;
      this.shared = now;
      const [run] = this.runs;
      value = { t: run.t, q: run.q, qd: run.qd, playing: this.playing };
    }
    this.model.set(name, value);
    this.model.save_changes();
  }

  hear(values) {
    for (const slider of this.sliders) {
      const value = values[slider.spec.name];
      if (value === undefined || value === slider.value) continue;
      this.set(slider.spec.name, slider.show(value));
      if (slider.value !== value) this.say(`${slider.spec.name} stays between ${slider.spec.low} and ${slider.spec.high}; ${value} was asked for.`, true);
    }
  }

  follow(motion) {
    if (motion.from !== "python") return;
    if (this.stored) this.runs[0].seek(motion.t);
    else if (this.parting) this.parting.begin(motion.q);
    else for (const run of this.runs) run.put(motion.q, motion.qd);
    this.play(motion.playing);
    this.ask();
  }
}

const ofState = name => /^qd?_/.test(name); // a slider that follows what moves

function looks(el) { // the colors of the page, as the style sheet has them
  const style = getComputedStyle(el), color = name => style.getPropertyValue(`--rd-${name}`).trim();
  const named = names => Object.fromEntries(names.map(name => [name, color(name)]));
  const runs = [1, 2].map(color), links = ["link-1", "link-2"].map(color);
  return {
    ...named(["ink", "paper", "faint", "grid", "mark", "mind", "inertia", "velocity", "gravity", "torque"]),
    run: k => runs[k % 2], link: i => links[i % 2], font: style.fontFamily,
  };
}

function render(el, model, programs) {
  el.classList.add("rd-figure");
  try {
    const figure = new Figure(el, model.get("spec"), programs, model);
    return () => figure.stop();
  } catch (error) {
    el.append(make("p", { class: "rd-voice rd-trouble" }, `This figure could not start: ${error.message}`));
    throw error;
  }
}

function standAlone(el, spec, programs) { // no kernel: what is said to Python goes nowhere
  if (el.rdComes) return;
  el.rdComes = true;
  const ignore = () => {}, model = { get: () => spec, set: ignore, save_changes: ignore, on: ignore };
  const near = new IntersectionObserver(([entry]) => { // it is built when the reader comes near
    if (!entry.isIntersecting) return;
    near.disconnect();
    render(el, model, programs());
  }, { rootMargin: "600px" });
  near.observe(el);
}
