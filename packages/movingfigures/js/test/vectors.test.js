// Vectors, solids and the camera, by what geometry says of them.

import assert from "node:assert/strict";
import test from "node:test";
import { Camera, shadedColor } from "../src/scene.js";
import { ball, boxFaces, tube } from "../src/solids.js";
import * as vectors from "../src/vectors.js";

const { addScaled3, cross3, dot3, norm3, normalize3, perpendicularFrame, rotate3, rotateBack3, scale3 } = vectors;
const near = (a, b, within = 1e-12) => assert.ok(Math.abs(a - b) <= within, `${a} is not ${b}`);
const SOME = [
  [1, 2, 3],
  [-0.4, 0.1, 0.9],
  [0, 0, 1],
  [0, 0, -2],
  [5, 0, 0],
];

// Twice the area of each face as a vector, outward where its corners go around it anticlockwise.
const normals = faces =>
  faces.map(points =>
    points.reduce((all, p, k) => addScaled3(all, cross3(p, points[(k + 1) % points.length])), [0, 0, 0]),
  );

// By the theorem of Gauss; right for a closed solid alone.
const volume = faces => faces.reduce((all, points, k) => all + dot3(points[0], normals(faces)[k]) / 6, 0);

test("a frame across a direction is right-handed and of unit length", () => {
  for (const way of SOME) {
    const [u, v] = perpendicularFrame(way);
    for (const x of [u, v]) near(norm3(x), 1);
    near(dot3(u, v), 0);
    near(dot3(cross3(u, v), normalize3(way)), 1);
  }
});

test("a rotation and its transpose undo each other", () => {
  const [c, s] = [0.8, 0.6];
  const R = [
    [c, -s, 0],
    [s, c, 0],
    [0, 0, 1],
  ];
  for (const a of SOME) {
    const back = rotateBack3(R, rotate3(R, a));
    a.forEach((x, k) => near(back[k], x));
  }
});

test("principal directions rebuild the matrix", () => {
  const A = [
    [4, 1, -0.5],
    [1, 3, 0.2],
    [-0.5, 0.2, 1],
  ];
  const { values, axes } = vectors.principal(A);
  assert.ok(values[0] <= values[1] && values[1] <= values[2]);
  for (const i of [0, 1, 2])
    for (const j of [0, 1, 2]) {
      near(
        axes.reduce((all, axis, k) => all + values[k] * axis[i] * axis[j], 0),
        A[i][j],
      );
      near(dot3(axes[i], axes[j]), i === j ? 1 : 0);
    }
});

test("solids are closed, and their faces look outward", () => {
  const identity = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const solids = {
    box: [boxFaces(identity, [3, -1, 2], [1, 2, 0.5]), 8],
    tube: [tube([1, 0, 0], [1, 3, 0], 0.5, 0.5, 64), Math.PI * 0.25 * 3],
    cone: [tube([0, 0, 0], [0, 0, 2], 1, 0, 64), (Math.PI * 2) / 3],
    ball: [ball([1, 1, 1], 2, 64), (4 / 3) * Math.PI * 8],
  };
  for (const [name, [faces, expected]] of Object.entries(solids)) {
    const total = normals(faces).reduce((all, n) => addScaled3(all, n));
    assert.ok(norm3(total) < 1e-9, `${name} has a hole`);
    assert.ok(Math.abs(volume(faces) / expected - 1) < 0.01, `${name}: ${volume(faces)} is not ${expected}`);
  }
});

test("what the camera shows at a pixel lies at that pixel", () => {
  const camera = new Camera(0.7, 0.35);
  camera.middle = [0.2, -0.1, 0.4];
  camera.fit({ clientWidth: 640, clientHeight: 400 }, 1.3);
  for (const p of SOME.map(a => scale3(a, 0.2))) {
    const pixel = camera.pixels(p);
    camera.place(pixel, p).forEach((x, k) => near(x, p[k], 1e-9));
  }
  assert.deepEqual(camera.pixels(camera.middle), [320, 200]);
});

test("the camera goes neither below the ground nor over the pole", () => {
  const camera = new Camera(0, 0.3);
  camera.orbit(0, 9);
  assert.ok(camera.elevation < Math.PI / 2);
  camera.orbit(0, -9);
  assert.ok(camera.elevation > 0);
});

test("a color in the light", () => {
  assert.equal(shadedColor("#336699", 1), "rgb(51 102 153)");
  assert.equal(shadedColor("#336699", 0), "rgb(0 0 0)");
  assert.equal(shadedColor("#336699", 2), "rgb(255 255 255)");
});

test("an angle is wrapped to half a turn", () => {
  near(vectors.wrapAngle(3 * Math.PI - 0.1), Math.PI - 0.1, 1e-9);
  near(vectors.wrapAngle(-7), 2 * Math.PI - 7, 1e-9);
});
