// The figure as a whole: lays out arms, plots and controls, keeps time, follows the colors of the page, and speaks with
// Python where there is one.
// @ts-check

import { button, list, Pose, Slider } from "./controls.js";
import { AdaptiveArm } from "./adaptive_control_figure.js";
import { Covariance } from "./covariance.js";
import { make } from "./dom.js";
import { Equation } from "./equation.js";
import { advanceTogether, Replay, Run } from "./motion.js";
import { bindUnits } from "./numbers.js";
import { OptimalReach } from "./optimal_reach_figure.js";
import { PANELS } from "./panels.js";
import { QUANTITIES, renderMap } from "./pose_map.js";
import { readout } from "./readout.js";
import { SCENES } from "./scenes.js";
import { Sensitivity } from "./sensitivity.js";
import { Stage } from "./stage.js";
import { readTheme } from "./theme.js";

/** @import { Momentum } from "./free_body_figure.js" */
/** @import { Prediction } from "./prediction.js" */
/** @import { Theme } from "./theme.js" */
/** @import { Model, Programs, Spec, State } from "./spec.js" */

/**
 * What a reader points at in the equation: with the mouse, with the keyboard, with a click.
 * @typedef {{ hovered?: string | null, focused?: string | null, pinned?: string | null }} Pointed
 */

export class Figure {
  /**
   * @param {HTMLElement} el
   * @param {Spec} spec
   * @param {Programs} programs
   * @param {Model} model
   */
  constructor(el, spec, programs, model) {
    this.el = el;
    this.spec = spec;
    this.programs = programs;
    this.model = model;
    this.playing = false;
    /** @type {Record<string, number>} */
    this.parameters = {};
    /** @type {Theme | null} */
    this.theme = null;
    this.started = false; // something has moved or was touched
    /** @type {string | null} */
    this.hovered = null;
    /** @type {string | null} */
    this.focused = null;
    /** @type {string | null} */
    this.pinned = null; // these three: a term of the equation
    this.pointing = false; // at the map
    this.highest = 0; // of the bars of terms
    this.tallest = 0; // of the bars of torques
    /** @type {number[][]} */
    this.terms = []; // as the bars show them
    /** @type {Prediction | null} */
    this.prediction = null;
    /** @type {Momentum | null} */
    this.momentum = null;
    /** @type {number | null} */
    this.last = null; // when the frame before was drawn
    /** @type {[string, boolean]} */
    this.lastAnnouncement = ["", false];
    this.chosen = 0;
    this.scene = SCENES[spec.scene]; // in space, if it has one
    this.stored = Boolean(spec.solutions);
    this.tau = new Array(spec.n).fill(0);
    this.friction = new Array(spec.n).fill(0);
    this.springs = spec.goal ? [0, 1] : []; // k and w of motors that hold the arm at a goal
    this.dt = spec.dt;
    this.quantity = { ...QUANTITIES[0], index: 0 };
    this.cost = { frames: 0, physics: 0, drawing: 0, first: 0 };
    for (const [name, value] of Object.entries(spec.fixed)) this.applyValue(name, value);
    for (const slider of spec.sliders) this.applyValue(slider.name, slider.value);
    // Rates are set: who poses the arm keeps them.
    this.setsRates = spec.sliders.some(slider => slider.name.startsWith("qd_"));
    const Motion =
      this.scene?.run || (spec.task ? OptimalReach : spec.learned ? AdaptiveArm : this.stored ? Replay : Run);
    /** @type {Run[]} */
    this.runs = spec.runs.map(run => new Motion(this, run, programs));
    this.build();
    this.observePage();
    this.waitsForTouch = spec.playing === "touch"; // for a hand, which lets the motion begin
    if (spec.playing === true && !matchMedia("(prefers-reduced-motion: reduce)").matches) this.play(true);
    this.requestFrame();
  }

  // ---- what the sliders change

  /**
   * @param {string} name
   * @param {number} value
   */
  applyValue(name, value) {
    const [, letter, number] = name.match(/^(tau|b|q|qd)_(\d+)$/) || [];
    if (letter) this.applyJointValue(letter, Number(number) - 1, value);
    else if (name === "b") this.friction.fill(value);
    else if (this.springs.length && (name === "k" || name === "w")) this.springs[name === "k" ? 0 : 1] = value;
    else if (name === "dt") this.dt = value;
    else this.parameters[name] = value;
  }

  /**
   * A torque, a friction, a coordinate or a rate of one joint, counted from 0.
   * @param {string} letter
   * @param {number} joint
   * @param {number} value
   */
  applyJointValue(letter, joint, value) {
    /** @param {number[]} x */
    const changed = x => x.map((v, i) => (i === joint ? value : v));
    if (letter === "tau") this.tau[joint] = value;
    else if (letter === "b") this.friction[joint] = value;
    else if (letter === "q") for (const run of this.runs || []) run.setState(changed(run.q), run.qd);
    else for (const run of this.runs || []) run.setState(run.q, changed(run.qd));
  }

  /**
   * @param {string} name
   * @param {number} value
   */
  set(name, value) {
    this.applyValue(name, value);
    for (const run of this.runs) run.resetEnergy();
    this.mapImage = null;
    this.highest = 0;
    for (const stage of this.stages) stage.longest = 0;
    this.started = this.started || isStateSlider(name);
    this.sensitivity?.begin(this.spec.start.q);
    this.requestFrame();
  }

  get values() {
    return Object.fromEntries(this.sliders.map(slider => [slider.spec.name, slider.value]));
  }

  // ---- building

  build() {
    this.stages = (this.spec.digit ? this.runs.slice(0, 1) : this.runs).map(
      run => new (this.scene?.stage || Stage)(this, run),
    );
    this.equation = this.spec.equation && new Equation(this);
    this.sensitivity = this.spec.digit ? new Sensitivity(this) : null;
    this.covariance = this.spec.covariance ? new Covariance(this) : null;
    this.plots = this.spec.panels.map(name => {
      const canvas = make("canvas", { role: "img", "aria-label": PANELS[name].description });
      PANELS[name].begin?.(this, canvas);
      return { name, canvas, box: make("div", { class: `rd-plot rd-${name}` }, canvas) };
    });
    this.sliders = this.spec.sliders.map(
      spec =>
        new Slider(spec, value => {
          this.set(spec.name, value);
          this.sendToKernel("values", this.values);
        }),
    );
    this.button = button("Play", "Play or pause (space)", () => this.play(!this.playing));
    this.readout = make("p", { class: "rd-readout" });
    this.voice = make("p", { class: "rd-voice", "aria-live": "polite" });
    const controls = this.buildControls();
    this.layOut(this.buildButtons(), controls);
    this.el.classList.add("rd-alive");
    // For tests, and for the curious at the console.
    /** @type {HTMLElement & { rdFigure?: Figure }} */ (this.el).rdFigure = this;
  }

  buildButtons() {
    const buttons = make(
      "div",
      { class: "rd-buttons" },
      this.button,
      ...this.stepButtons(),
      button("Restart", "The same motion from its start (R)", () => this.restart()),
    );
    if (this.sliders.length)
      buttons.append(button("Reset", "All sliders and the motion as they were", () => this.reset()));
    return buttons;
  }

  buildControls() {
    const controls = make("div", { class: "rd-controls" }, ...this.sliders.map(slider => slider.box));
    this.pose = this.spec.pose ? new Pose(this.spec.pose) : null;
    if (this.pose) controls.prepend(this.pose.box);
    if (this.sensitivity) controls.prepend(this.sensitivity.control.box);
    if (this.stored) this.scrub(controls);
    if (this.spec.panels.includes("map"))
      controls.append(
        list(
          "the map shows",
          QUANTITIES.map(q => q.name),
          k => {
            this.quantity = { ...QUANTITIES[k], index: k };
            this.mapImage = null;
            this.requestFrame();
          },
        ),
      );
    return controls;
  }

  /**
   * @param {HTMLElement} buttons
   * @param {HTMLElement} controls
   */
  layOut(buttons, controls) {
    const stages = make("div", { class: "rd-stages" }, ...this.stages.map(stage => stage.box));
    const plots = make("div", { class: "rd-plots" }, ...this.plots.map(plot => plot.box));
    const shape = [
      `rd-body rd-stages-${this.stages.length} rd-plots-${this.plots.length}`,
      this.equation ? "rd-equated" : "",
      this.sensitivity ? "rd-sensitivity" : "",
      this.covariance ? "rd-covariance" : "",
      this.scene ? "rd-spatial" : "",
    ]
      .filter(Boolean)
      .join(" ");
    this.el.replaceChildren(
      make(
        "div",
        { class: shape, role: "group", "aria-label": this.spec.title },
        this.equation ? this.equation.box : "",
        stages,
        buttons,
        controls,
        plots,
        this.readout,
        this.voice,
      ),
    );
  }

  stepButtons() {
    if (!this.scene?.stages) return [button("Step", "One small step (S)", () => this.step())];
    return [
      button("Back", "Back to the last stage (B)", () => this.step(-1)),
      button("Next", "On to the next stage (S)", () => this.step()),
    ];
  }

  /** @param {HTMLElement} controls */
  scrub(controls) {
    const [run] = this.runs;
    this.clock = new Slider(
      { letter: "t", words: "time", unit: "s", low: 0, high: run.length, value: 0, step: this.dt / 2 },
      t => {
        this.play(false);
        run.seek(t);
        this.requestFrame();
      },
    );
    controls.append(this.clock.box);
    if (this.spec.solutions.length > 1)
      controls.append(
        list(
          this.spec.choice,
          this.spec.solutions.map(solution => solution.label),
          k => {
            this.chosen = k;
            run.seek(Math.min(run.t, run.length));
            this.requestFrame();
          },
        ),
      );
  }

  // Computed again only when a parameter has changed.
  mapQuantityImage() {
    return (this.mapImage = this.mapImage || renderMap(this));
  }

  // ---- time

  /** @param {boolean} on */
  play(on) {
    if (on === this.playing) return;
    if (on && this.runs[0].t >= this.runs[0].length) this.runs[0].seek(0);
    this.playing = on;
    this.started = this.started || on;
    this.waitsForTouch = false;
    this.last = null;
    this.button.textContent = on ? "Pause" : "Play";
    this.announceState(on ? "Playing." : "Paused.");
    this.sendToKernel("motion");
    this.requestFrame();
  }

  // The first touch of an arm that waits for it lets it go.
  onTouch() {
    if (this.waitsForTouch) this.play(true);
    if (this.sensitivity) this.play(false); // a hand would part the arms: it poses them
    this.started = true;
  }

  step(way = 1) {
    this.play(false);
    this.started = true;
    if (this.scene?.stages) this.runs[0].goToStage(way);
    else this.advance(this.stored ? this.dt : Math.max(0.05, ...this.runs.map(run => run.dt)));
    this.announceState(this.scene?.stages ? "" : "One step.");
    this.requestFrame();
    this.sendToKernel("motion");
  }

  // A stored motion from its beginning.
  replay() {
    this.runs[0].seek(0);
    this.play(true);
  }

  restart() {
    for (const run of this.runs) run.restart();
    this.sensitivity?.clear();
    this.covariance?.clear();
    this.highest = 0;
    this.announceState("From the start.");
    this.sendToKernel("motion");
    this.requestFrame();
  }

  reset() {
    this.play(false);
    for (const slider of this.sliders) this.set(slider.spec.name, slider.show(slider.spec.value));
    this.sendToKernel("values", this.values);
    this.sensitivity?.reset();
    this.restart();
  }

  /** @param {number} seconds */
  advance(seconds) {
    if (!this.stored) advanceTogether(this.runs, seconds);
    for (const run of this.runs) {
      const trouble = this.stored ? run.advance(seconds) : run.checkFinite();
      if (!trouble) continue;
      this.play(false);
      this.announce(trouble, true);
    }
    this.sensitivity?.record();
    this.requestFrame();
  }

  // The term that is shown alone.
  get highlightedTerm() {
    return this.hovered || this.focused || this.pinned || null;
  }

  /** @param {string} word */
  isHighlighted(word) {
    return !this.highlightedTerm || this.highlightedTerm === word;
  }

  // One frame, unless nobody sees it.
  requestFrame() {
    if (this.frameRequested || this.hidden) return;
    this.frameRequested = true;
    requestAnimationFrame(now => {
      this.frameRequested = false;
      this.frame(now);
    });
  }

  /** @param {number} now */
  frame(now) {
    const began = performance.now();
    if (this.playing) {
      const gone = this.last === null ? 0 : (now - this.last) / 1000;
      if (gone > 2) this.announce(`The page rested for ${gone.toFixed(0)} s; the motion goes on where it was.`);
      this.last = now;
      this.advance(gone > 2 ? 0 : Math.min(gone, 0.05));
      if (this.runs[0].t >= this.runs[0].length) this.play(false); // a motion that ends
      this.sendToKernel("motion");
    }
    const between = performance.now();
    this.draw();
    const done = performance.now();
    const { cost } = this;
    cost.frames += 1;
    cost.physics += between - began;
    cost.drawing += done - between;
    if (this.playing || this.stages.some(stage => stage.dragging)) this.requestFrame();
  }

  // ---- pictures and words

  draw() {
    if (!this.el.clientWidth) return; // it stands on a slide that is not shown
    this.cost.first = this.cost.first || performance.now();
    this.theme = this.theme || readTheme(this.el);
    if (this.runs[0].iterate()) this.requestFrame();
    for (const stage of this.stages) stage.draw(this.theme);
    for (const plot of this.plots) PANELS[plot.name].draw(plot.canvas, this.theme, this);
    if (this.clock) this.clock.show(this.runs[0].t);
    if (this.equation) this.equation.draw();
    this.pose?.show(this.runs[0].q);
    for (const slider of this.sliders.filter(slider => isStateSlider(slider.spec.name))) {
      const [letter, joint] = slider.spec.name.split("_");
      slider.showState(this.runs[0][letter === "q" ? "q" : "qd"][Number(joint) - 1]);
    }
    const now = performance.now();
    if (this.playing && now - (this.read || 0) < 200) return;
    this.read = now;
    this.readout.replaceChildren(...readout(this).map(text => make("span", {}, bindUnits(text))));
  }

  /**
   * The unit of q, qd or tau, or both where joints have different ones.
   * @param {string} name
   */
  units(name) {
    return [...new Set(this.spec.joints.map(joint => joint.units[name]))].join(", ");
  }

  /** @param {string} text */
  announceState(text) {
    this.announce(
      [
        text,
        ...readout(this).filter(Boolean),
        ...(this.equation && this.started ? [this.equation.describe()] : []),
      ].join(" "),
    );
  }

  /**
   * To those who listen rather than look, at most once a second; trouble at once, and to all.
   * @param {string} text
   * @param {boolean} [trouble]
   */
  announce(text, trouble = false) {
    this.lastAnnouncement = [text, trouble];
    if (this.speaking && !trouble) return;
    clearTimeout(this.speaking);
    this.voice.textContent = text;
    this.el.classList.toggle("rd-trouble", trouble);
    this.speaking = setTimeout(() => {
      this.speaking = null;
      if (this.voice.textContent !== this.lastAnnouncement[0]) this.announce(...this.lastAnnouncement);
    }, 1000);
  }

  // ---- the page around, and Python

  observePage() {
    const size = new ResizeObserver(() => this.requestFrame());
    for (const { canvas } of [...this.stages, ...this.plots]) size.observe(canvas);
    const sight = new IntersectionObserver(([entry]) => {
      this.hidden = !entry.isIntersecting;
      this.last = null;
      this.requestFrame();
    });
    sight.observe(this.el);
    const colors = new MutationObserver(() => {
      this.theme = null;
      this.requestFrame();
    });
    colors.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    colors.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light"] });
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const repaint = () => {
      this.theme = null;
      this.requestFrame();
    };
    dark.addEventListener("change", repaint);
    this.model.on("change:values", () => this.receiveValues(this.model.get("values")));
    this.model.on("change:motion", () => this.receiveMotion(this.model.get("motion")));
    this.stop = () => {
      for (const observer of [size, sight, colors]) observer.disconnect();
      dark.removeEventListener("change", repaint);
      this.playing = false;
      this.hidden = true;
    };
  }

  /**
   * The state goes to Python at most five times a second while it moves.
   * @param {string} name
   * @param {any} [value]
   */
  sendToKernel(name, value) {
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

  /** @param {Record<string, number>} values */
  receiveValues(values) {
    for (const slider of this.sliders) {
      const value = values[slider.spec.name];
      if (value === undefined || value === slider.value) continue;
      this.set(slider.spec.name, slider.show(value));
      if (slider.value !== value)
        this.announce(
          `${slider.spec.name} stays between ${slider.spec.low} and ${slider.spec.high}; ${value} was asked for.`,
          true,
        );
    }
  }

  /** @param {State & { from?: string, t: number, playing: boolean }} motion */
  receiveMotion(motion) {
    if (motion.from !== "python") return;
    if (this.stored) this.runs[0].seek(motion.t);
    else if (this.sensitivity) this.sensitivity.begin(motion.q);
    else for (const run of this.runs) run.setState(motion.q, motion.qd);
    this.play(motion.playing);
    this.requestFrame();
  }
}

/** @param {string} name */
const isStateSlider = name => /^qd?_/.test(name); // a slider that follows what moves
