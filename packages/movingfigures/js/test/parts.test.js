// The parts of a figure that need no page: sliders, formulas, map of poses, predictions, readings, motions, growth.

import assert from "node:assert/strict";
import test from "node:test";
import { poseLine, sliderValue, steppedValue } from "../src/controls.js";
import { Covariance } from "../src/covariance.js";
import { growth } from "../src/growth.js";
import { integratorStep, Replay } from "../src/motion.js";
import { PANELS } from "../src/panels.js";
import { mapColor, mapCoordinates, onMap, piecesOnMap } from "../src/pose_map.js";
import { Prediction } from "../src/prediction.js";
import { SCENES } from "../src/scenes.js";
import { checkVersion, SPEC_VERSION } from "../src/spec.js";
import { formulaParts, isRightTerm, isVelocityTerm, TERMS } from "../src/terms.js";

const near = (a, b, within = 1e-12) => assert.ok(Math.abs(a - b) <= within, `${a} is not ${b}`);

test("a slider keeps within its range, and keeps its value where it is given none", () => {
  const spec = { low: -1, high: 2, value: 0.5 };
  assert.equal(sliderValue(spec, 1.25, 0), 1.25);
  assert.equal(sliderValue(spec, 9, 0), 2);
  assert.equal(sliderValue(spec, -9, 0), -1);
  assert.equal(sliderValue(spec, NaN, 0.7), 0.7);
  assert.equal(sliderValue(spec, Infinity, undefined), 0.5);
});

test("the arrow keys go by the stops of a slider, without dust of binary numbers", () => {
  assert.equal(steppedValue(0.2, 0.1, 1), 0.3);
  assert.equal(steppedValue(0.3, 0.1, -1), 0.2);
});

test("the line of a pose is Python, without a minus before zero", () => {
  assert.equal(poseLine("q", [0.31, -1.2, -0.0001]), "q = [0.310, -1.200, 0.000]");
});

test("what follows an underscore in a formula is an index", () => {
  assert.deepEqual(formulaParts("τ_f"), ["τ", "f", ""]);
  assert.deepEqual(formulaParts("M q̈"), ["M q̈"]);
});

test("each term has a formula, a color and words; terms of the right side are no velocity terms", () => {
  for (const [word, term] of Object.entries(TERMS)) {
    assert.equal(term.length, 4);
    assert.ok(!(isRightTerm(word) && isVelocityTerm(word)));
  }
});

test("each panel is described and drawn, each scene has a motion and a picture", () => {
  for (const panel of Object.values(PANELS)) assert.ok(panel.description.length > 15 && panel.draw.length >= 2);
  for (const { run, stage } of Object.values(SCENES)) assert.ok(run.prototype.step && stage.prototype.draw);
});

const JOINTS = [
  { range: [-Math.PI, Math.PI], periodic: true },
  { range: [0.2, 1.4], periodic: false },
];

test("corners of the map are ends of the ranges, and beyond them nothing lies", () => {
  const figure = { spec: { joints: JOINTS } };
  assert.deepEqual(mapCoordinates(figure, [0, 1]), [-Math.PI, 1.4]);
  const [x, y] = mapCoordinates(figure, [1.5, -2]);
  near(x, Math.PI);
  near(y, 0.2);
});

test("a pose is found on the map a turn away, or at its edge", () => {
  const [x, y] = onMap([2 * Math.PI + 0.3, 9], JOINTS);
  near(x, 0.3);
  assert.equal(y, 1.4);
});

test("a path that leaves the map at one edge comes in at the other, as another piece", () => {
  const path = [2.9, 3.1, 3.3, 3.5, 3.1].map(angle => [angle, 1]);
  const pieces = piecesOnMap(path, JOINTS);
  assert.deepEqual(
    pieces.map(piece => piece.length),
    [2, 2, 1],
  );
  near(pieces[1][0][0], 3.3 - 2 * Math.PI);
  assert.deepEqual(piecesOnMap([[0, 1]], JOINTS), [[[0, 1]]]);
});

test("the map goes from dark to bright", () => {
  const bright = part => mapColor(part).reduce((a, b) => a + b);
  assert.deepEqual(mapColor(0), [68, 1, 84]);
  assert.deepEqual(mapColor(1), [253, 231, 37]);
  for (let k = 0; k < 20; k++) assert.ok(bright(k / 20) < bright((k + 1) / 20));
});

test("a guess is as far off as the worst of its places", () => {
  const guess = Object.assign(Object.create(Prediction.prototype), {
    figure: { spec: { predict: { seconds: 4, unit: "rad" } } },
    curve: Array.from({ length: 161 }, (_, k) => (k <= 80 ? k / 40 : null)),
  });
  guess.measureError([0, 1, 2, 3], [0, 1.25, 1.9, 50]);
  assert.equal(guess.description, "your curve is off by up to 0.25 rad");
  guess.curve.fill(null);
  guess.measureError([0, 1], [0, 9]);
  assert.equal(guess.description, "");
});

test("what is known of two parameters, if the third is not, is Schur's complement", () => {
  const names = ["m_1", "m_2", "I_1"];
  const told = new Covariance({
    spec: { covariance: { names, units: ["kg", "kg", "kg m²"], pairs: [[0, 1]], width: 1 } },
  });
  told.A = [
    [4, 1, 0.5],
    [1, 3, -1],
    [0.5, -1, 2],
  ];
  const [[a, b], [c, d]] = told.marginalInformation([0, 1]);
  near(a, 4 - 0.5 ** 2 / 2);
  near(b, 1 + 0.5 / 2);
  near(c, b);
  near(d, 3 - 1 / 2);
  near(told.error(2) ** 2, (4 * 3 - 1) / (4 * (3 * 2 - 1) - (2 + 0.5) + 0.5 * (-1 - 1.5)));
  for (const [x, y] of told.ellipse([0, 1])) near(a * x * x + 2 * b * x * y + d * y * y, 1, 1e-9);
  assert.deepEqual(told.shown, ["m₁", "m₂", "I₁"]);
});

test("steps of a method have its order, on a pendulum of small swings", () => {
  const rates = ([q, qd]) => [qd, -q];
  const rk4 = { a: [[], [0.5], [0, 0.5], [0, 0, 1]], b: [1 / 6, 1 / 3, 1 / 3, 1 / 6], velocity_first: false };
  const euler = { a: [[]], b: [1], velocity_first: false };
  const error = (method, steps) => {
    let x = [1, 0];
    for (let k = 0; k < steps; k++) x = integratorStep(method, rates, x, 1 / steps, 1);
    return Math.hypot(x[0] - Math.cos(1), x[1] + Math.sin(1));
  };
  for (const [method, order] of [
    [rk4, 4],
    [euler, 1],
  ])
    near(Math.log2(error(method, 20) / error(method, 40)), order, 0.1);
  const [q, qd] = integratorStep({ ...euler, velocity_first: true }, rates, [1, 0], 0.1, 1);
  near(qd, -0.1);
  near(q, 1 + 0.1 * qd);
});

test("a stored motion between two samples is between them, and ends at its ends", () => {
  const figure = {
    dt: 0.5,
    chosen: 0,
    spec: { n: 1, solutions: [{ label: "one", q: [[0], [1], [4]], tau: [[0], [0]] }] },
  };
  const points = q => [[], [], [[q[0], 0]], [], []];
  const motion = new Replay(figure, { label: "", start: null, dt: null }, { points });
  motion.seek(0.75);
  near(motion.q[0], 2.5);
  motion.seek(99);
  assert.deepEqual([motion.t, motion.q], [1, [4]]);
  motion.seek(-1);
  assert.deepEqual([motion.t, motion.q], [0, [0]]);
});

test("an exponential grows at its rate, second by second, and only once there are two seconds", () => {
  const times = Array.from({ length: 301 }, (_, k) => k / 60);
  const gaps = times.map(t => 1e-6 * Math.exp(1.5 * t));
  const found = growth(times, gaps);
  near(found.rate, 1.5, 1e-9);
  near(found.spread, 0, 1e-9);
  assert.equal(growth(times.slice(0, 100), gaps.slice(0, 100)), null);
});

test("a record of another version is refused in a sentence", () => {
  checkVersion({ version: SPEC_VERSION });
  assert.throws(() => checkVersion({ version: 99 }), /must have version 1, got version 99: .* run its cell again/);
  assert.throws(() => checkVersion({}), /got none/);
});
