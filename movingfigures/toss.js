// A box that was tossed: its turning in space, and beside it, in axes of the body, the sphere and the ellipsoid on which its momentum stays.

const FASTEST = 15; // rad/s that a hand gives

class Tossed extends Run { // state: quaternion and angular velocity in body axes; q is the rotation vector, qd the angular velocity
  put(q, qd) {
    const angle = long3(q), s = angle < 1e-9 ? 0.5 : Math.sin(angle / 2) / angle;
    this.state = [Math.cos(angle / 2), ...times3(q, s), ...qd];
    this.t = this.owed = 0;
    this.history = { t: [], qd: [], L: [], tip: [] };
    this.open();
  }

  open() {
    this.good = this.state.slice();
    this.opening = this.seen();
    this.remember();
  }

  get quaternion() { return this.state.slice(0, 4); }
  get qd() { return this.state.slice(4); }
  get q() {
    const [w, ...v] = this.quaternion.map((x, _, all) => x * Math.sign(all[0] || 1)), s = long3(v);
    return times3(v, s < 1e-9 ? 2 : (2 * Math.atan2(s, w)) / s);
  }

  rates(x) { return this.programs.turning(x.slice(0, 4), x.slice(4)).flat(); }

  seen() { // rotation; momentum and angular velocity in axes that stand still; energy
    const [R, L, omega, T] = this.programs.seen(this.quaternion, this.qd);
    return { R, L, omega, T };
  }

  remember() {
    const { omega } = this.seen(), [L] = this.programs.surfaces(this.qd);
    for (const [name, value] of Object.entries({ t: this.t, qd: this.qd, L, tip: omega })) {
      this.history[name].push(value);
      if (this.history[name].length > REMEMBERED) this.history[name].shift();
    }
  }

  toss(direction) { // with as much momentum as now about an axis of the body, which begins upright
    const L = long3(this.opening.L) || long3(this.programs.surfaces(this.figure.spec.start.qd)[0]), u = unit3(direction);
    const turn = Math.acos(Math.max(-1, Math.min(1, u[2]))), about = long3([u[0], u[1], 0]) < 1e-9 ? [1, 0, 0] : unit3([u[1], -u[0], 0]);
    this.put(times3(about, turn), this.programs.spun(times3(u, L)));
    this.figure.begun = true;
    this.figure.share("motion");
  }

  told() {
    const { L, T } = this.seen(), first = this.opening, row = x => minus(`(${x.map(v => v.toFixed(2)).join(", ")})`);
    const most = [0, 1, 2].reduce((a, b) => (Math.abs(this.qd[b]) > Math.abs(this.qd[a]) ? b : a));
    return [`t = ${this.t.toFixed(2)} s`, `ω = ${row(this.qd)} rad/s in body axes, most about axis ${most + 1}`,
      `L = ${long3(L).toPrecision(3)} kg m²/s, in space changed by ${short(long3(plus3(L, first.L, -1)))}`,
      `energy ${T.toPrecision(3)} J, changed by ${short(T - first.T)} J`];
  }
}

class TossStage extends SpaceStage { // the box in space: grasped and thrown by the hand
  constructor(figure, run) {
    super(figure, run, "Arrow keys go around it; 1, 2 and 3 toss it about its axes, nearly; space plays and pauses, S steps, R restarts.");
    const { sides } = figure.spec;
    this.half = times3(sides, 0.5);
    this.size = 1.05 * long3(sides);
    this.keys = Object.fromEntries(["1", "2", "3"].map((key, k) => [key, () => { run.toss([0, 1, 2].map(i => (i === k ? 1 : 0.02))); figure.play(true); }]));
  }

  nearby(pixel) { return distance(pixel, this.camera.pixels([0, 0, 0])) < 0.85 * long3(this.half) * this.camera.scale; }

  grasp() {
    this.moves = [];
    this.figure.play(false);
    this.figure.begun = true;
  }

  move(now, from, event) { // the hand turns the box about axes of the picture
    const { right, up } = this.camera, by = 1 / (long3(this.half) * this.camera.scale);
    const turn = plus3(times3(up, (now[0] - from[0]) * by), right, (now[1] - from[1]) * by), angle = long3(turn);
    if (!angle) return;
    const [w, x, y, z] = this.run.quaternion, [s, ...v] = [Math.cos(angle / 2), ...times3(turn, Math.sin(angle / 2) / angle)], u = [x, y, z];
    const after = [s * w - dot3(v, u), ...plus3(plus3(times3(u, s), v, w), cross3(v, u))]; // this turn after those before
    this.run.state = [...after, ...this.run.qd];
    this.run.put(this.run.q, this.run.qd);
    this.moves.push([event.timeStamp, turn]);
  }

  release(_, { timeStamp }) { // a flick throws it; a box that is put down keeps the spin that it had
    const last = this.moves.filter(([t]) => timeStamp - t < 100);
    if (last.length > 1) {
      const took = (timeStamp - last[0][0]) / 1000 || 0.001, total = last.slice(1).map(([, turn]) => turn).reduce((a, b) => plus3(a, b)), rate = times3(total, 1 / took);
      const omega = times3(rate, Math.min(1, FASTEST / long3(rate))), { R } = this.run.seen();
      if (long3(omega) > 1) this.run.put(this.run.q, back3(R, omega));
    }
    this.figure.share("motion");
    this.figure.play(true);
  }

  compose(scene, look) {
    const { run, half, size, figure } = this, { R, L, omega } = run.seen(), long = 0.9 * size;
    scene.ground(size, -1.05 * long3(half));
    const faces = brick(R, [0, 0, 0], half), tones = [look.link(1), look.link(1), look.link(1), look.link(1), look.paper, look.link(0)];
    faces.forEach((face, k) => scene.solid([face], tones[k], { edge: 1 }));
    for (let k = 0; k < 3; k++) { // a pin at each end of each axis, numbered at one
      for (const s of [-1, 1]) scene.solid(tube(turned3(R, along(k, s * half[k])), turned3(R, along(k, s * (half[k] + 0.09 * size))), 0.011 * size), look.ink);
    }
    this.ratio = Math.max(this.ratio || 0, long3(omega)); // the longest arrow so far is drawn in full
    if (long3(L)) scene.arrow([0, 0, 0], times3(unit3(L), long), 0.016 * size, look.mind);
    if (long3(omega)) scene.arrow([0, 0, 0], times3(omega, (0.82 * long) / this.ratio), 0.016 * size, look.mark);
    scene.curve(run.history.tip.slice(-240).map(p => times3(p, (0.82 * long) / this.ratio)), look.mark, 1.5);
    scene.paint();
    for (let k = 0; k < 3; k++) scene.write(String(k + 1), turned3(R, along(k, half[k] + 0.15 * size)), look.ink);
    if (long3(L)) scene.write("L", times3(unit3(L), 1.08 * long), look.mind);
    if (long3(omega)) scene.write("ω", plus3(times3(omega, (0.82 * long) / this.ratio), unit3(omega), 0.07 * size), look.mark);
    if (!figure.begun) words(scene.ctx, "Throw the box; drag beside it to go around.", 10, 16, look, "left", look.faint);
  }
}

class Momentum { // the space of the momentum in body axes: the sphere of its length, the ellipsoid of the energy, the path where both meet
  constructor(figure, canvas) {
    Object.assign(this, { figure, canvas, camera: new Camera(1.1, 0.4) });
    Object.entries({ role: "application", tabindex: "0", "aria-roledescription": "sphere to touch",
      "aria-label": `${PLOTS.momentum.told}. Arrow keys go around it; 1, 2 and 3 toss the box about its axes, nearly.` }).forEach(pair => canvas.setAttribute(...pair));
    this.keys = figure.stages[0].keys;
    orbited(canvas, figure, this.camera, this);
  }

  tap(pixel) { // the box is tossed about the axis that was touched
    const { camera } = this, ray = unit3(plus3(camera.place(pixel), camera.eye, -1)), b = dot3(camera.eye, ray), c = dot3(camera.eye, camera.eye) - 1;
    const root = b * b - c;
    if (root < -0.4) return; // beside the sphere
    this.figure.runs[0].toss(plus3(camera.eye, ray, -b - Math.sqrt(Math.max(0, root))));
    this.figure.play(true);
  }

  shell(length, semi) { // what is outermost of sphere and ellipsoid, cut where they meet: faces of the sphere, faces of the ellipsoid
    const excess = d => 1 / Math.hypot(...d.map((x, i) => (x * length) / semi[i])) - 1; // of the ellipsoid over the unit sphere
    const parts = [[], []];
    for (const face of netted(directions(48, 24))) {
      const over = face.map(excess), inside = [[], []];
      face.forEach((d, k) => {
        const next = (k + 1) % face.length, cut = over[k] / (over[k] - over[next]);
        inside[Number(over[k] > 0)].push(times3(d, 1 + Math.max(0, over[k])));
        if (over[k] > 0 !== over[next] > 0) for (const part of inside) part.push(unit3(plus3(times3(d, 1 - cut), face[next], cut)));
      });
      inside.forEach((points, k) => points.length > 2 && parts[k].push(points));
    }
    return parts;
  }

  ball(look, length, semi) { // painted anew only where camera, momentum or energy are others: it stands still while the box turns
    const { canvas, camera } = this, { width, height, clientWidth: w } = canvas, { azimuth, elevation } = camera;
    const key = [azimuth, elevation, width, height, look.ink, ...[length, ...semi].map(x => x.toPrecision(6))].join();
    if (this.painted === key) return this.image;
    const image = (this.image = Object.assign(document.createElement("canvas"), { width, height })), ctx = image.getContext("2d"), scene = new Scene(ctx, camera, look);
    ctx.scale(width / w, width / w);
    const [sphere, egg] = this.shell(length, semi);
    scene.solid(sphere, look.link(1));
    scene.solid(egg, look.mark);
    for (let k = 0; k < 3; k++) for (const s of [-1, 1]) scene.solid(tube(along(k, 0.98 * s * this.far(k)), along(k, s * (this.far(k) + 0.12)), 0.016), look.ink);
    scene.paint();
    this.painted = key;
    return image;
  }

  far(k) { return Math.max(1, Math.min(1.3, this.semi[k])); } // where an axis comes out

  draw(look) {
    const ctx = ready(this.canvas), { camera, figure } = this, [run] = figure.runs, { clientWidth: w, clientHeight: h } = this.canvas;
    const [, length, semi] = run.programs.surfaces(run.qd), path = run.history.L.map(L => times3(L, 1 / length));
    if (!length) return;
    this.semi = times3(semi, 1 / length);
    camera.fit(this.canvas, 1.5);
    ctx.drawImage(this.ball(look, length, semi), 0, 0, w, h);
    const seen = p => [p, p.map((x, i) => x / this.semi[i] ** 2)].every(normal => dot3(normal, plus3(camera.eye, p, -1)) > 0); // where both solids turn to us
    const pieces = front => path.reduce((all, p) => { seen(p) === front ? all[all.length - 1].push(camera.pixels(p)) : all.push([]); return all; }, [[]]);
    for (const [front, color, width, dashes] of [[false, look.paper, 1.2, [3, 4]], [true, look.paper, 5, []], [true, look.ink, 2.6, []]])
      for (const piece of pieces(front)) line(ctx, piece, color, width, "round", dashes);
    const tip = path[path.length - 1];
    ctx.globalAlpha = seen(tip) ? 1 : 0.35;
    disk(ctx, camera.pixels(tip), 5.5, look.mind, look.paper, 1.5);
    ctx.globalAlpha = 1;
    for (let k = 0; k < 3; k++) words(ctx, String(k + 1), ...camera.pixels(along(k, this.far(k) + 0.22)), look, "center");
    words(ctx, "L in axes of the body", 8, 14, look);
    [["sphere: same length", look.link(1), 0], ["ellipsoid: same energy", look.mark, 0.44]].forEach(([text, color, part]) => {
      disk(ctx, [13 + part * w, h - 12], 5, color, color, 1);
      words(ctx, text, 24 + part * w, h - 11, look);
    });
  }
}

const along = (k, s) => [0, 1, 2].map(i => (i === k ? s : 0)); // a place on an axis

SCENES.toss = { run: Tossed, stage: TossStage };

PLOTS.momentum = {
  told: "The angular momentum in axes of the body: the sphere of its length and the ellipsoid of the energy, and the path along which they intersect; a touch tosses the box about that axis",
  begin: (figure, canvas) => (figure.momentum = new Momentum(figure, canvas)),
  draw: (canvas, look, figure) => figure.momentum.draw(look),
};

PLOTS.omega = {
  told: "Angular velocity about the three axes of the body over time",
  draw(canvas, look, figure) {
    const { t, qd } = figure.runs[0].history, rows = [0, 1, 2].map(i => column(qd, i));
    const axes = new Axes(canvas, look, lately(t), range(rows, 4), "time (s)", "rad/s", jointly(figure.runs[0].qd, "ω", look.mark));
    rows.forEach((row, i) => axes.curve(t, row, look.mark, 1.8, dashed(i)));
  },
};
