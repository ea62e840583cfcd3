// What an arm in motion tells about its own parameters: it reads its torques ten times a second, and the page draws how far each pair may still be wrong.

const VAGUE = 1e-6; // what is known before the first reading: next to nothing
const UNKNOWN = 100; // a standard error beyond this is none

class Certainty {
  constructor(figure) {
    Object.assign(this, { figure, ...figure.spec.certain });
    this.shown = this.names.map(name => name.replace(/_(\d)/g, (_, digit) => SUB[digit]));
    this.clear();
  }

  clear() {
    this.readings = 0;
    this.A = this.names.map((_, i) => this.names.map((_, j) => (i === j ? VAGUE : 0)));
  }

  read(run) { // one reading of all torques, each wrong by 1 N m, adds Y^T Y
    const { q, qd } = run, qdd = run.accelerations(q, qd, run.acting(q, qd)[0]);
    const gained = run.programs.information(q, qd, qdd, run.figure.parameters);
    this.readings += 1;
    this.A = this.A.map((row, i) => row.map((v, j) => v + gained[i][j]));
  }

  about(kept) { // the information on some parameters, if the others are not known either: those are eliminated
    const S = this.A.map(row => [...row]), all = S.map((_, k) => k);
    for (const k of all.filter(k => !kept.includes(k)))
      for (const i of all.filter(i => i !== k)) S[i] = sum(S[i], [-S[i][k] / S[k][k], S[k]]);
    return kept.map(i => kept.map(j => S[i][j]));
  }

  error(k) { return 1 / Math.sqrt(this.about([k])[0][0]); }

  ellipse([i, j]) { // of one standard error: x^T S x = 1
    const [[s, t]] = this.about([i, j]), error = this.error(j);
    return Array.from({ length: 97 }, (_, k) => (2 * Math.PI * k) / 96).map(angle => {
      const y = error * Math.sin(angle);
      return [Math.cos(angle) / Math.sqrt(s) - (t / s) * y, y];
    });
  }

  report() {
    const errors = this.names.map((_, k) => this.error(k));
    return [`readings: ${this.readings}`, ...errors.map((e, k) => (e > UNKNOWN ? `${this.shown[k]} unknown` : `${this.shown[k]} ± ${e.toPrecision(2)} ${this.units[k]}`))];
  }

  draw(canvas, look, pair) {
    const { width, pairs, shown, units } = this, [i, j] = pairs[pair];
    const axes = new Axes(canvas, look, [-width, width], [-width, width], `error of ${shown[i]} (${units[i]})`, `error of ${shown[j]} (${units[j]})`);
    const { ctx, box: [left, top, right, bottom] } = axes, points = this.ellipse(pairs[pair]).map(p => axes.at(...p));
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, right - left, bottom - top);
    ctx.clip();
    ctx.globalAlpha = 0.25;
    fill(ctx, points, look.mark);
    ctx.globalAlpha = 1;
    line(ctx, points, look.mark, 2);
    ctx.restore();
  }
}

for (const pair of [0, 1, 2])
  PLOTS[`pair_${pair}`] = {
    told: "How far two parameters may still be wrong together, as an ellipse",
    draw: (canvas, look, figure) => figure.certainty.draw(canvas, look, pair),
  };
