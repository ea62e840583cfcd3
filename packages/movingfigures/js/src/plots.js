// The pictures beside the arm: energy, phase, joints, torques over time, terms of the equation as bars.
// @ts-check

import { Axes, DASHES, jointDashes, jointLegend } from "./axes.js";
import { disk, fill, line } from "./drawing.js";
import { column, range, recentRange } from "./numbers.js";
import { TERMS } from "./terms.js";

/** @import { Figure } from "./figure.js" */
/** @import { Theme } from "./theme.js" */
/** @import { Replay, Run } from "./motion.js" */
/** @import { Panel } from "./panels.js" */

/**
 * A stored motion as a whole, in a frame for all of them, a line at the time shown.
 * @param {HTMLCanvasElement} canvas
 * @param {Theme} theme
 * @param {Figure} figure
 * @param {"q" | "tau"} name
 * @param {string} unit
 */
function drawStored(canvas, theme, figure, name, unit) {
  const run = /** @type {Replay} */ (figure.runs[0]);
  const rows = run.solution[name];
  const t = rows.map((_, k) => k * figure.dt);
  const all = run.solutions.flatMap(solution => solution[name]);
  const color = name === "tau" ? theme.torque : theme.ink;
  const axes = new Axes(
    canvas,
    theme,
    [0, run.length],
    range(all, 1),
    "time (s)",
    unit,
    jointLegend(run.q, name === "tau" ? "τ" : name, color),
  );
  for (let i = 0; i < figure.spec.n; i++) axes.curve(t, column(rows, i), color, 1.8, jointDashes(i));
  line(axes.ctx, [axes.at(run.t, axes.y[0]), axes.at(run.t, axes.y[1])], theme.ink, 1.5, "butt", [4, 3]);
}

/** @type {Record<string, Panel>} */
export const PLOTS = {
  energy: {
    description: "Energy in joules over time",
    /**
     * @param {HTMLCanvasElement} canvas
     * @param {Theme} theme
     * @param {Figure} figure
     */
    draw(canvas, theme, figure) {
      /** @type {[Run, "T" | "U" | "E", string, string, number[]][]} */
      const rows = [];
      // What only falls lies between zero and its start.
      const falls = figure.spec.learned || figure.spec.goal ? figure.runs : [];
      figure.runs.forEach((run, k) => {
        const one = figure.runs.length === 1;
        const label = run.spec.label;
        const [moving, left, both] = figure.spec.learned
          ? ["arm", "beliefs", "V"]
          : figure.spec.goal
            ? ["T", "springs", "H"]
            : ["T", "U", "T + U"];
        if (one) rows.push([run, "T", moving, theme.inertia, DASHES[1]], [run, "U", left, theme.gravity, DASHES[2]]);
        rows.push([run, "E", one ? both : label, theme.run(k), one ? [] : DASHES[k]]);
      });
      const axes = new Axes(
        canvas,
        theme,
        recentRange(figure.runs[0].history.t),
        range(
          [...rows.map(([run, name]) => run.history[name]), ...falls.map(run => [0, run.initial])],
          falls.length ? 0.1 : 1,
        ),
        "time (s)",
        "J",
        rows.map(([, , text, color, dashes]) => [text, color, dashes]),
      );
      for (const [run, name, , color, dashes] of rows)
        axes.curve(run.history.t, run.history[name], color, name === "E" ? 2.4 : 1.8, dashes);
    },
  },
  phase: {
    description: "Rate of each joint over its coordinate",
    /**
     * @param {HTMLCanvasElement} canvas
     * @param {Theme} theme
     * @param {Figure} figure
     */
    draw(canvas, theme, figure) {
      const { history, n, q, qd } = figure.runs[0];
      /** @param {"q" | "qd"} name */
      const all = name => [...Array(n).keys()].map(i => column(history[name], i));
      const axes = new Axes(
        canvas,
        theme,
        range([...all("q"), q], 2),
        range([...all("qd"), qd], 2),
        `q (${figure.units("q")})`,
        `rate (${figure.units("qd")})`,
        jointLegend(q, "q", theme.ink),
      );
      for (let i = 0; i < n; i++) {
        axes.curve(all("q")[i], all("qd")[i], theme.ink, 1.4, jointDashes(i));
        disk(axes.ctx, axes.at(q[i], qd[i]), 4, theme.ink, theme.paper, 1);
      }
    },
  },
  joints: {
    description: "Coordinate of each joint over time",
    /**
     * @param {HTMLCanvasElement} canvas
     * @param {Theme} theme
     * @param {Figure} figure
     */
    draw(canvas, theme, figure) {
      if (figure.stored) return drawStored(canvas, theme, figure, "q", figure.units("q"));
      /** @type {[number[], number[], string, number[]][]} */
      const rows = [];
      const x = recentRange(figure.runs[0].history.t);
      figure.runs.forEach((run, k) =>
        run.q.forEach((_, i) => rows.push([run.history.t, column(run.history.q, i), theme.run(k), jointDashes(i)])),
      );
      const axes = new Axes(
        canvas,
        theme,
        x,
        range(
          rows.map(row => row[1]),
          1,
        ),
        "time (s)",
        figure.units("q"),
        jointLegend(figure.runs[0].q, "q", theme.ink),
      );
      for (const [t, q, color, dashes] of rows) axes.curve(t, q, color, 1.8, dashes);
    },
  },
  torques: {
    description: "Torque of each motor over time",
    /**
     * @param {HTMLCanvasElement} canvas
     * @param {Theme} theme
     * @param {Figure} figure
     */
    draw(canvas, theme, figure) {
      drawStored(canvas, theme, figure, "tau", figure.units("tau"));
    },
  },
  terms: {
    description: "The terms of the equation of motion as bars, one group a joint",
    /**
     * @param {HTMLCanvasElement} canvas
     * @param {Theme} theme
     * @param {Figure} figure
     */
    draw(canvas, theme, figure) {
      const [run] = figure.runs;
      const { n } = run;
      const { terms } = figure.spec;
      const parts = figure.started ? run.terms() : terms.map(() => new Array(n).fill(0));
      const colors = terms.map(word => theme[TERMS[word][1]]);
      const names = terms.map(word => (word === "torque" ? `sum = ${TERMS[word][0]}` : TERMS[word][0]));
      figure.terms = parts;
      const size = Math.max(...parts.flat().map(Math.abs).filter(Number.isFinite), 1);
      figure.highest = Math.max(size, 0.985 * (figure.highest || 0), 1);
      const axes = new Axes(
        canvas,
        theme,
        [0.5, n + 0.5],
        [-1.1 * figure.highest, 1.1 * figure.highest],
        "joint",
        figure.units("tau"),
        names.map((name, k) => /** @type {[string, string, number[]]} */ ([name, colors[k], []])),
        true,
      );
      const wide = (axes.at(1, 0)[0] - axes.at(0, 0)[0]) / (terms.length + 1.5);
      for (let i = 0; i < n; i++)
        parts.forEach((part, k) => {
          const [x, y] = axes.at(i + 1, part[i]);
          const zero = axes.at(i + 1, 0)[1];
          const left = x + (k - terms.length / 2) * wide;
          axes.ctx.globalAlpha = figure.isHighlighted(terms[k]) ? 1 : 0.2;
          if (Number.isFinite(y))
            fill(
              axes.ctx,
              [
                [left + 1, zero],
                [left + 1, y],
                [left + wide - 1, y],
                [left + wide - 1, zero],
              ],
              colors[k],
            );
        });
      axes.ctx.globalAlpha = 1;
      line(axes.ctx, [axes.at(0.5, 0), axes.at(n + 0.5, 0)], theme.ink, 1.2, "butt");
    },
  },
};
