// Numbers as a reader sees them, and the round numbers of an axis.

import assert from "node:assert/strict";
import test from "node:test";
import * as numbers from "../src/numbers.js";

test("an axis has two to nine round numbers, none beyond its ends", () => {
  for (let power = -6; power <= 6; power++)
    for (let k = 1; k < 100; k++) {
      const low = -0.37 * k * 10 ** power;
      const high = low + (0.1 + 0.13 * k) * 10 ** power;
      const values = numbers.ticks(low, high);
      const step = numbers.roundStep(high - low);
      assert.ok(values.length >= 2 && values.length <= 9, `${low} to ${high}: ${values}`);
      assert.match(step.toExponential(6), /^[125]\.0+e/);
      for (const v of values) {
        assert.ok(v >= low - 1e-9 * step && v <= high + 1e-8 * step);
        assert.ok(Math.abs(v / step - Math.round(v / step)) < 1e-6);
      }
    }
});

test("an axis of whole things has each of them", () => {
  assert.deepEqual(numbers.ticks(0.5, 6.5, true), [1, 2, 3, 4, 5, 6]);
});

test("zero on an axis is zero", () => {
  assert.ok(numbers.ticks(-0.3, 0.3).some(v => Object.is(v, 0)));
});

test("a range holds all numbers that are finite, with room, and is never narrower than asked", () => {
  const [low, high] = numbers.range(
    [
      [1, NaN, 3],
      [Infinity, 2],
    ],
    0.5,
  );
  assert.ok(low < 1 && high > 3 && high - low < 2.5);
  const [from, to] = numbers.range([[7, 7]], 4);
  assert.ok(Math.abs(to - from - 4) < 1e-12 && from < 7 && to > 7);
  assert.deepEqual(numbers.range([[]], 2), [-2, 2]);
});

test("the last eight seconds are shown", () => {
  assert.deepEqual(numbers.recentRange([]), [0, 8]);
  assert.deepEqual(numbers.recentRange([0, 3]), [0, 8]);
  assert.deepEqual(numbers.recentRange([0, 20]), [12, 20]);
});

test("a rounded number has a true minus sign, and no minus before zero", () => {
  assert.equal(numbers.formatRounded(-1.234), "−1.23");
  assert.equal(numbers.formatRounded(-0.001), "0.00");
  assert.equal(numbers.formatRounded(99.94), "99.9");
  assert.equal(numbers.formatRounded(-1234.5), "−1235");
});

test("a short number is an exponential where it is very large or small", () => {
  assert.equal(numbers.formatShort(0), "0");
  assert.equal(numbers.formatShort(-0.25), "−0.25");
  assert.equal(numbers.formatShort(12345), "1e+4");
  assert.equal(numbers.formatShort(-0.00123), "−1e−3");
  assert.equal(numbers.formatShort(1234.5), "1230");
});

test("a number and its unit stay on one line", () => {
  assert.equal(numbers.bindUnits("q = (0.1, 2) rad, 3 N m"), "q = (0.1, 2)\u00a0rad, 3\u00a0N\u00a0m");
  assert.equal(numbers.bindUnits("2 solutions"), "2 solutions");
});

test("an index of two digits is written below the line", () => {
  assert.equal(numbers.withIndex("q", 0), "q₁");
  assert.equal(numbers.withIndex("q", 11), "q₁₂");
});

test("the slope of a line is that of the line, also of least squares", () => {
  const x = [0, 1, 2, 5];
  assert.ok(
    Math.abs(
      numbers.slope(
        x,
        x.map(v => 3 - 2 * v),
      ) + 2,
    ) < 1e-12,
  );
  // about the line 2x, residuals that sum to zero and are orthogonal to x change no slope
  const y = [1, -1, -1, 1].map((r, k) => 2 * k + r);
  assert.ok(Math.abs(numbers.slope([0, 1, 2, 3], y) - 2) < 1e-12);
});

test("a sum of vectors with factors", () => {
  assert.deepEqual(numbers.sum([1, 2], [2, [10, 20]], [-1, [1, 1]]), [20, 41]);
});
