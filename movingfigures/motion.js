// One arm in motion: steps it through time with the programs that Python printed, keeps an account of its energy, and recovers from what is not finite.

const REMEMBERED = 600; // samples of the past that plots show, 60 a second

class Run {
  constructor(figure, spec, programs) {
    Object.assign(this, { figure, spec, programs, n: figure.spec.n });
    this.hold = new Array(this.n).fill(0); // 1 at the link that the reader holds
    this.along = 1; // where on its bar
    this.target = [0, 0]; // where the reader's hand is, m
    this.restart();
  }

  restart() {
    const start = this.spec.start || this.figure.spec.start;
    this.put(start.q, start.qd);
  }

  put(q, qd) { // from a new state the account of energy begins anew
    this.state = [...q, ...qd, 0, ...this.memory()]; // q, qd, the work done on the arm, and what its motors remember
    this.t = 0;
    this.owed = 0;
    this.history = { t: [], T: [], U: [], E: [], q: [], qd: [], tip: [] };
    this.open();
  }

  memory() { return []; }

  get q() { return this.state.slice(0, this.n); }
  get qd() { return this.state.slice(this.n, 2 * this.n); }
  get held() { return this.hold.includes(1); }
  get dt() { return this.spec.dt || this.figure.dt; }

  energy() { // T, U and the part of their sum that neither motors nor friction nor the reader's hand account for
    if (!this.programs.energies) return { T: 0, U: 0, E: 0, drift: 0, share: 0 };
    const [T, U] = this.programs.energies(this.q, this.qd, ...this.figure.springs, this.figure.parameters);
    const drift = T + U - this.state[2 * this.n] - this.opening;
    this.scale = Math.max(this.scale, Math.abs(T), Math.abs(U - this.level), 1e-12);
    return { T, U, E: T + U, drift, share: drift / this.scale };
  }

  open() {
    this.state[2 * this.n] = 0;
    this.scale = this.opening = this.level = 0;
    const { E, U } = this.energy();
    this.opening = E;
    this.level = U;
    this.scale = 0;
    this.good = this.state.slice();
  }

  acting(q, qd, hold = this.hold) { // what acts on the joints besides the weight, its power, the pull of the hand, and the parts of the first
    const { tau, friction, springs, parameters } = this.figure;
    return this.programs[this.spec.acting](q, qd, tau, friction, hold, this.along, this.target, ...springs, parameters);
  }

  accelerations(q, qd, total) { return this.programs[this.spec.dynamics](q, qd, total, this.figure.parameters); }

  terms() { // those of the equation that the figure shows; a hand that poses a paused arm does not pull
    const { q, qd, figure } = this, hold = figure.playing ? this.hold : this.hold.map(() => 0);
    const [torque, , , motors, friction, hand] = this.acting(q, qd, hold), right = { torque, motors, friction, hand };
    const left = this.programs.terms(q, qd, this.accelerations(q, qd, torque), figure.parameters);
    return figure.spec.terms.map((word, k) => right[word] || left[k]);
  }

  rates(x) {
    const n = this.n, q = x.slice(0, n), qd = x.slice(n, 2 * n);
    const [total, power] = this.acting(q, qd);
    const qdd = this.accelerations(q, qd, total), r = new Array(2 * n + 1);
    for (let i = 0; i < n; i++) { r[i] = qd[i]; r[n + i] = qdd[i]; }
    r[2 * n] = power;
    return r;
  }

  step(h) {
    const tenth = Math.floor(10 * this.t);
    this.state = stepped(this.spec.integrator, x => this.rates(x), this.state, h, this.n);
    this.t += h;
    if (Math.floor(10 * this.t) > tenth) this.figure.certainty?.read(this); // by the clock of the arm, not by frames
  }

  advance(seconds) {
    together([this], seconds);
    return this.checked();
  }

  checked() { // returns a sentence if something is wrong
    if (!this.state.every(x => Number.isFinite(x) && Math.abs(x) < 1e7)) {
      this.state = this.good.slice();
      return `The motion stopped being finite at ${this.t.toFixed(2)} s: a link may move no mass, or the time step is too long. ` +
        "Here is the last state before; change a value, or reset.";
    }
    this.good = this.state.slice();
    this.remember();
    return "";
  }

  remember() {
    const { T, U, E } = this.energy(), h = this.history;
    const points = this.points();
    for (const [name, value] of Object.entries({ t: this.t, T, U, E, q: this.q, qd: this.qd, tip: points.ends[this.n - 1] })) {
      h[name].push(value);
      if (h[name].length > REMEMBERED) h[name].shift();
    }
  }

  points(q = this.q) {
    const [homes, origins, ends, coms, axes] = this.programs.points(q, this.figure.parameters);
    return { homes, origins, ends, coms, axes };
  }

  pose(steps = 25) { // bring the held point to the hand without any dynamics: the arm is paused
    let q = this.q;
    for (let k = 0; k < steps; k++) q = this.programs.posed(q, this.hold, this.along, this.target, this.figure.parameters);
    if (q.every(Number.isFinite)) this.put(q, this.figure.rated ? this.qd : new Array(this.n).fill(0));
  }
}

function together(runs, seconds) { // arms side by side take their steps by turns, so that they stay at one time
  const began = performance.now();
  for (const run of runs) run.owed += seconds;
  while (runs.some(run => run.owed >= run.dt)) {
    for (const run of runs) {
      if (run.owed < run.dt) continue;
      run.step(run.dt);
      run.owed -= run.dt;
    }
    if (performance.now() - began <= 12) continue;
    for (const run of runs) run.owed = 0; // never hold up the page
  }
}

const sum = (x, ...terms) => x.map((v, i) => terms.reduce((s, [c, y]) => s + c * y[i], v));

// One step of an integrator of the library, by its table: rows a, weights b, and whether q moves with the new velocity.
function stepped({ a, b, velocity_first }, rates, x, h, n) {
  const slopes = [], moved = weights => sum(x, ...weights.map((w, j) => [h * w, slopes[j]]));
  for (const row of a) slopes.push(rates(moved(row)));
  const next = moved(b);
  if (velocity_first) for (let i = 0; i < n; i++) next[i] = x[i] + h * next[n + i];
  return next;
}

class Replay extends Run { // a stored motion: time is scrubbed, nothing is integrated
  get solutions() { return this.figure.spec.solutions; }
  get solution() { return this.solutions[this.figure.chosen]; }
  get length() { return (this.solution.q.length - 1) * this.figure.dt; }

  restart() { this.seek(0); }

  seek(t) {
    this.t = Math.min(Math.max(t, 0), this.length);
    const place = this.t / this.figure.dt, k = Math.min(Math.floor(place), this.solution.q.length - 2), part = place - k;
    const [a, b] = [this.solution.q[k], this.solution.q[k + 1]];
    this.index = k;
    this.state = [...a.map((v, i) => v + part * (b[i] - v)), ...new Array(this.n + 1).fill(0)];
    const upTo = this.solution.q.slice(0, k + 1);
    this.history = { t: upTo.map((_, i) => i * this.figure.dt), q: upTo, tip: upTo.map(q => this.points(q).ends[this.n - 1]) };
  }

  advance(seconds) {
    this.seek(this.t + seconds);
    return "";
  }
}
