// Space on a plain canvas: a camera that goes around, solids of flat faces in the light, their shadow on the ground.
// Not WebGL: some hundred faces need none, and where a machine has no GPU it is slow or missing; a canvas is there
// always, also on paper.
// @ts-check

import { ARROWS, listenerOf, make, pointerPosition, RELEASES, STAGE_KEYS } from "./dom.js";
import { clearCanvas, drawText, fill, line, trace } from "./drawing.js";
import { tube } from "./solids.js";
import { addScaled3, centroid, cross3, distance, dot3, norm3, normalize3 } from "./vectors.js";

/** @import { Touch2D } from "./dom.js" */
/** @import { Figure } from "./figure.js" */
/** @import { Run } from "./motion.js" */
/** @import { Faces } from "./solids.js" */
/** @import { Theme } from "./theme.js" */

const LIGHT = normalize3([0.4, -0.3, 1]);

// Looks at the middle from all around; near things are a little larger.
export class Camera {
  /**
   * @param {number} azimuth
   * @param {number} elevation
   */
  constructor(azimuth, elevation) {
    this.azimuth = azimuth;
    this.center = [0, 0];
    this.scale = 1; // pixels a meter, in the middle
    this.far = 1; // m from the eye to the middle
    this.right = [0, 1, 0];
    this.up = [0, 0, 1];
    this.toward = [1, 0, 0];
    this.eye = [1, 0, 0];
    this.elevation = elevation;
    this.middle = [0, 0, 0];
  }

  /**
   * Size: m from the middle to the edge of the picture.
   * @param {HTMLCanvasElement} canvas
   * @param {number} size
   */
  fit(canvas, size) {
    const { clientWidth: w, clientHeight: h } = canvas;
    const [ca, sa, ce, se] = [this.azimuth, this.elevation].flatMap(x => [Math.cos(x), Math.sin(x)]);
    this.center = [w / 2, h / 2];
    this.scale = Math.min(w, h) / (2 * size) || 1;
    this.far = 7 * size;
    this.right = [-sa, ca, 0];
    this.up = [-ca * se, -sa * se, ce];
    this.toward = [ca * ce, sa * ce, se];
    this.eye = addScaled3(this.middle, this.toward, this.far);
  }

  /**
   * Where a place is seen.
   * @param {number[]} p
   * @returns {[number, number]}
   */
  pixels(p) {
    const way = addScaled3(p, this.middle, -1);
    const k = (this.scale * this.far) / (this.far - dot3(way, this.toward));
    return [this.center[0] + k * dot3(way, this.right), this.center[1] - k * dot3(way, this.up)];
  }

  /**
   * What is seen at a pixel, in the plane through p that faces us.
   * @param {number[]} point
   * @param {number[]} [p]
   */
  place([x, y], p = this.middle) {
    const k = (this.far - dot3(addScaled3(p, this.middle, -1), this.toward)) / (this.scale * this.far);
    const foot = addScaled3(this.middle, this.toward, dot3(addScaled3(p, this.middle, -1), this.toward));
    return addScaled3(addScaled3(foot, this.right, k * (x - this.center[0])), this.up, k * (this.center[1] - y));
  }

  /**
   * @param {number} du
   * @param {number} dv
   */
  orbit(du, dv) {
    this.azimuth -= du;
    this.elevation = Math.min(1.5, Math.max(0.05, this.elevation + dv));
  }
}

// Collects faces and lines, then paints them from far to near.
export class Scene {
  /**
   * @param {CanvasRenderingContext2D} ctx
   * @param {Camera} camera
   * @param {Theme} theme
   */
  constructor(ctx, camera, theme) {
    this.ctx = ctx;
    this.camera = camera;
    this.theme = theme;
    /** @type {Thing[]} */
    this.things = [];
    /** @type {number[][][]} */
    this.shadows = [];
    /** @type {number | undefined} */
    this.z = undefined; // of the ground, m
  }

  /**
   * @param {number} size
   * @param {number} z
   * @param {number} [parts]
   */
  ground(size, z, parts = 8) {
    const { ctx, camera, theme } = this;
    const [x, y] = camera.middle;
    const step = (2 * size) / parts;
    /**
     * @param {number} i
     * @param {number} j
     */
    const at = (i, j) => camera.pixels([x - size + i * step, y - size + j * step, z]);
    this.z = z;
    ctx.globalAlpha = 0.45;
    fill(ctx, [at(0, 0), at(parts, 0), at(parts, parts), at(0, parts)], theme.grid);
    ctx.globalAlpha = 1;
    for (let k = 0; k <= parts; k++)
      for (const ends of [
        [at(k, 0), at(k, parts)],
        [at(0, k), at(parts, k)],
      ])
        line(ctx, ends, theme.grid, 1, "butt");
  }

  /**
   * @param {Faces} faces
   * @param {string} color
   * @param {SolidOptions} [options]
   */
  solid(faces, color, { alpha = 1, shadow = true, edge = 0 } = {}) {
    for (const points of faces) {
      const middle = centroid(points);
      const normal = cross3(addScaled3(points[1], points[0], -1), addScaled3(points[2], points[1], -1));
      if (shadow && this.z !== undefined && dot3(normal, LIGHT) > 0) this.shadows.push(points);
      const way = addScaled3(this.camera.eye, middle, -1);
      if (dot3(normal, way) <= 0) continue;
      const [n, seen] = [normalize3(normal), normalize3(way)];
      const bright = 0.5 + 0.34 * Math.max(0, dot3(n, LIGHT)) + 0.28 * Math.max(0, dot3(n, seen));
      this.things.push({ points, far: dot3(way, way), color: shadedColor(color, bright), alpha, edge });
    }
  }

  /**
   * In pieces, so that a body may hide some; nearer: m toward us, to stay in front of what it lies on.
   * @param {number[][]} points
   * @param {string} color
   * @param {number} width
   * @param {number} [nearer]
   */
  curve(points, color, width, nearer = 0) {
    for (let k = 0; k + 1 < points.length; k += 6) {
      const piece = points.slice(k, k + 7);
      const way = addScaled3(this.camera.eye, centroid(piece), -1);
      this.things.push({ points: piece, far: (norm3(way) - nearer) ** 2, color, alpha: 1, width });
    }
  }

  /**
   * @param {number[]} from
   * @param {number[]} to
   * @param {number} radius
   * @param {string} color
   * @param {SolidOptions} [options]
   */
  arrow(from, to, radius, color, options) {
    const way = addScaled3(to, from, -1);
    const length = norm3(way);
    const head = Math.min(6 * radius, 0.6 * length);
    const neck = addScaled3(to, normalize3(way), -head);
    if (length < 1e-9) return;
    this.solid([...tube(from, neck, radius, radius, 8), ...tube(neck, to, 2.4 * radius, 0, 12, 1)], color, options);
  }

  paint() {
    const { ctx, camera } = this;
    if (this.shadows.length) {
      // one path, so that it is one darkness; its faces all turn the same way
      ctx.beginPath();
      for (const points of this.shadows)
        points.forEach((p, k) => {
          const [x, y] = camera.pixels(addScaled3(p, LIGHT, (this.z - p[2]) / LIGHT[2]));
          k ? ctx.lineTo(x, y) : ctx.moveTo(x, y);
        });
      ctx.fillStyle = "rgb(0 0 0 / 0.22)";
      ctx.fill("nonzero");
    }
    this.things.sort((a, b) => b.far - a.far);
    for (const { points, color, alpha, width, edge } of this.things) {
      const seen = points.map(p => camera.pixels(p));
      ctx.globalAlpha = alpha;
      if (width) line(ctx, seen, color, width);
      else {
        trace(ctx, seen);
        ctx.closePath();
        ctx.fillStyle = color;
        ctx.fill();
        if (alpha === 1) {
          // closes the hair between two faces
          Object.assign(ctx, { strokeStyle: edge ? this.theme.ink : color, lineWidth: edge || 0.7, lineJoin: "round" });
          ctx.stroke();
        }
      }
    }
    ctx.globalAlpha = 1;
  }

  /**
   * @param {string} text
   * @param {number[]} p
   * @param {string} color
   */
  write(text, p, color) {
    drawText(this.ctx, text, ...this.camera.pixels(p), this.theme, "center", color);
  }
}

const shades = new Map();

/**
 * A color "#rrggbb" in the light: below 1 toward black, above toward white.
 * @param {string} color
 * @param {number} bright
 */
export function shadedColor(color, bright) {
  const level = Math.round(40 * bright);
  const key = color + level;
  if (!shades.has(key)) {
    const mixed = [1, 3, 5]
      .map(k => parseInt(color.slice(k, k + 2), 16))
      .map(v => Math.round(level <= 40 ? (v * level) / 40 : v + ((255 - v) * (level - 40)) / 40));
    shades.set(key, `rgb(${mixed.join(" ")})`);
  }
  return shades.get(key);
}

// ---- the hand: what is grasped moves, all else goes around

/**
 * Hand: nearby(pixel), grasp, move, release(pixel, event), tap(pixel), each may be missing.
 * @param {HTMLCanvasElement} canvas
 * @param {Figure} figure
 * @param {Camera} camera
 * @param {Hand} hand
 */
export function attachOrbit(canvas, figure, camera, hand) {
  const on = listenerOf(canvas);
  /** @param {Touch2D} event */
  const at = event => pointerPosition(canvas, event);
  /** @type {number[] | null} */
  let from = null;
  /** @type {number[]} */
  let start = [];
  on("pointerdown", event => {
    if (event.button) return;
    from = start = at(event);
    canvas.setPointerCapture(event.pointerId);
    canvas.focus({ preventScroll: true });
    if (hand.nearby?.(from)) {
      hand.dragging = true;
      hand.grasp(from, event);
    }
    event.preventDefault();
  });
  on("pointermove", event => {
    const now = at(event);
    if (!from) {
      canvas.style.cursor = hand.nearby?.(now) ? "grab" : "move";
      return;
    }
    if (hand.dragging) hand.move(now, from, event);
    else camera.orbit((now[0] - from[0]) / 120, (now[1] - from[1]) / 120);
    from = now;
    figure.requestFrame();
  });
  /** @param {PointerEvent} event */
  const end = event => {
    if (!from) return;
    const now = from;
    const still = distance(from, start) < 4;
    from = null;
    if (hand.dragging) {
      hand.dragging = false;
      hand.release(now, event);
    } else if (still && event.type === "pointerup") hand.tap?.(now);
    figure.requestFrame();
  };
  for (const type of RELEASES) on(type, end);
  // a finger on what can be grasped drags it; beside it, it goes around by moving sideways, and scrolls the page up and
  // down
  on("touchstart", event => hand.nearby?.(at(event.touches[0])) && event.preventDefault(), { passive: false });
  on("keydown", event => {
    const way = ARROWS[event.key];
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      !(way || hand.keys?.[event.key] || STAGE_KEYS[event.key.toLowerCase()])
    )
      return;
    event.preventDefault();
    if (hand.keys?.[event.key]) hand.keys[event.key]();
    else if (way) camera.orbit(-0.12 * way[0], 0.12 * way[1]);
    else STAGE_KEYS[event.key.toLowerCase()](figure);
    figure.requestFrame();
  });
}

/**
 * What a hand does in a picture in space; each but the first may be missing.
 * @typedef {object} Hand
 * @property {boolean} [dragging]
 * @property {(pixel: number[]) => unknown} [nearby]
 * @property {(pixel: number[], event: PointerEvent) => void} [grasp]
 * @property {(now: number[], from: number[], event: PointerEvent) => void} [move]
 * @property {(pixel: number[], event: PointerEvent) => void} [release]
 * @property {(pixel: number[]) => void} [tap]
 * @property {Record<string, () => void>} [keys]
 */

/** @typedef {{ alpha?: number, shadow?: boolean, edge?: number }} SolidOptions */

/**
 * A face or a line, and how far it is from us, m².
 * @typedef {object} Thing
 * @property {number[][]} points
 * @property {number} far
 * @property {string} color
 * @property {number} alpha
 * @property {number} [width] of a line
 * @property {number} [edge] of a face
 */

// A picture in space of one motion; what it draws is said by `compose` of its kind.
/** @template {Run} [R=Run] */
export class SpaceStage {
  /**
   * @param {Figure} figure
   * @param {R} run
   * @param {string} description
   * @param {Camera} [camera]
   */
  constructor(figure, run, description, camera = new Camera(0.7, 0.35)) {
    this.figure = figure;
    this.run = run;
    this.camera = camera;
    this.size = 1; // m from the middle to the edge
    this.dragging = false;
    /** @type {Record<string, () => void>} */
    this.keys = {};
    this.canvas = make("canvas", {
      role: "application",
      tabindex: "0",
      "aria-roledescription": "picture in space",
      "aria-label": `${figure.spec.title}. ${description}`,
    });
    this.box = make("div", { class: "rd-stage rd-space" }, this.canvas);
    attachOrbit(this.canvas, figure, camera, this);
  }

  /** @param {number[]} p */
  pixels(p) {
    return this.camera.pixels(p);
  }

  /** @param {Theme} theme */
  draw(theme) {
    const ctx = clearCanvas(this.canvas);
    this.camera.fit(this.canvas, this.size);
    this.compose(new Scene(ctx, this.camera, theme), theme);
  }

  /**
   * @param {Scene} scene
   * @param {Theme} theme
   */
  compose(scene, theme) {
    throw new Error(`a picture in space must say what it draws: ${scene} ${theme}`);
  }
}
