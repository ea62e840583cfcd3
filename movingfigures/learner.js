// An arm that learns: beside its motion it carries what it believes and a clock, and its energy is the function V that never rises.

class Learner extends Run {
  restart() {
    this.state = null;
    this.path = [];
    super.restart();
  }

  memory() { // the estimates and the clock, which a hand that poses the arm leaves as they are
    return this.state ? this.state.slice(2 * this.n + 1) : [...this.figure.spec.learned.start, 0];
  }

  get z() { return this.state.slice(2 * this.n + 1, -1); }

  at(x, hold = this.hold) {
    const { n, figure } = this, { damping, gain, fast, slow } = figure.parameters, clock = x[x.length - 1];
    return this.programs.learning(x.slice(0, n), x.slice(n, 2 * n), x.slice(2 * n + 1, -1), clock, hold, this.along, this.target, damping, gain, fast, slow, figure.parameters);
  }

  acting(q, qd, hold) { return this.at([...q, ...qd, 0, ...this.memory()], hold); }

  rates(x) {
    const { n } = this, q = x.slice(0, n), qd = x.slice(n, 2 * n), [total, power, , , , , zd] = this.at(x);
    return [...qd, ...this.accelerations(q, qd, total), power, ...zd, 1];
  }

  energy() { // V, its parts, and what neither dampers nor hand account for
    const [T, U] = this.at(this.state).slice(7), drift = T + U - this.state[2 * this.n] - this.opening;
    this.scale = Math.max(this.scale, T + U, 1e-12);
    return { T, U, E: T + U, drift, share: drift / this.scale };
  }

  get truth() { return this.at(this.state)[9]; }
  get goal() { return this.at(this.state)[10]; }

  remember() {
    super.remember();
    this.path.push(this.z);
    if (this.path.length > 6 * REMEMBERED) this.path.shift();
  }

  report() {
    const { z, truth } = this; // a name is "letter (unit)"
    return this.figure.spec.learned.names.map((name, k) => name.replace(/ \((.*)\)/, ` = ${rounded(z[k])}, in truth ${rounded(truth[k])} $1`));
  }
}

PLOTS.estimates = {
  told: "The two estimates as a point in a plane, with its path, and a cross at their true values",
  draw(canvas, look, figure) {
    const [run] = figure.runs, { names, start } = figure.spec.learned, { z, truth, path } = run, all = k => [...column(path, k), start[k], truth[k], z[k]];
    const axes = new Axes(canvas, look, range([all(0)], 0.4), range([all(1)], 0.4), names[0], names[1], [["path", look.mind, []], ["truth: ✕", look.paper, []]]);
    axes.curve([start[0], ...column(path, 0)], [start[1], ...column(path, 1)], look.mind, 2);
    const [x, y] = axes.at(...truth);
    for (const s of [-6, 6]) line(axes.ctx, [[x - 6, y - s], [x + 6, y + s]], look.ink, 2.4);
    disk(axes.ctx, axes.at(...start), 7, look.paper, look.mind, 1.6); // a ring about the point that has not left it yet
    disk(axes.ctx, axes.at(...z), 4, look.mind, look.mind, 0);
  },
};
