// Two arms whose starts differ in one decimal of the first coordinate: how far apart they are, and how fast that grows.

const APART = 0.1; // rad or m, where the growth is over

const mean = v => v.reduce((s, u) => s + u, 0) / v.length;

function slope(x, y) { // of the line of least squares
  const [mx, my] = [mean(x), mean(y)];
  return x.reduce((s, v, k) => s + (v - mx) * (y[k] - my), 0) / x.reduce((s, v) => s + (v - mx) ** 2, 0);
}

// The rate at which a distance grows, 1/s, until it is APART: slope of its logarithm over all that time, and the
// standard deviation of the slopes second by second; nothing before two seconds.
function growth(times, gaps) {
  const last = gaps.findIndex(gap => gap >= APART), end = last < 0 ? gaps.length : last + 1;
  const rows = times.slice(0, end).map((t, k) => [t, Math.log(gaps[k])]).filter(([, v]) => Number.isFinite(v));
  const seconds = Math.floor(rows.length ? rows[rows.length - 1][0] : 0), rate = part => slope(part.map(r => r[0]), part.map(r => r[1]));
  if (seconds < 2) return null;
  const parts = Array.from({ length: seconds }, () => []);
  for (const row of rows) {
    const k = Math.floor(row[0]);
    parts[k]?.push(row);
    if (row[0] === k) parts[k - 1]?.push(row); // a whole second ends one part and begins the next
  }
  const rates = parts.map(rate), middle = mean(rates);
  return { rate: rate(rows), spread: Math.sqrt(rates.reduce((s, v) => s + (v - middle) ** 2, 0) / (seconds - 1)), until: rows[rows.length - 1][0], rows };
}

class Parting {
  constructor(figure) {
    Object.assign(this, { figure, digit: figure.spec.digit, home: figure.spec.start.q });
    this.control = new Digits(figure, this.digit, digit => { this.digit = digit; this.begin(figure.spec.start.q); figure.tell(`Starts 1e-${digit} rad apart.`); });
    this.begin(this.home);
  }

  begin(q) { // a new start for both
    const { figure } = this, start = { q, qd: figure.spec.start.qd };
    figure.spec.start = start;
    figure.runs[1].spec.start = { ...start, q: q.map((v, i) => (i ? v : v + 10 ** -this.digit)) };
    this.control.show(q[0], figure.runs[1].spec.start.q[0]);
    for (const run of figure.runs) run.restart();
    this.clear();
    figure.ask();
  }

  reset() {
    this.digit = this.figure.spec.digit;
    this.control.radios[this.digit - 1].checked = true;
    this.begin(this.home);
  }

  clear() {
    this.times = [];
    this.gaps = [];
    this.found = null;
    this.note();
  }

  note() {
    const [a, b] = this.figure.runs;
    if (this.times.length && a.t <= this.times[this.times.length - 1]) return;
    this.times.push(a.t);
    this.gaps.push(Math.hypot(...a.q.map((v, i) => v - b.q[i])));
    const over = this.gaps.length > 1 && this.gaps.slice(0, -1).some(gap => gap >= APART);
    if (!over) this.found = growth(this.times, this.gaps);
  }

  second(ctx, stage, width, look) { // the other arm within the first one, until they part
    const run = this.figure.runs[1], { origins, ends } = run.points(), { n } = run;
    if (this.figure.spec.marks.includes("trail")) line(ctx, run.history.tip.slice(-240).map(p => stage.pixels(p)), look.run(1), 1.2);
    for (let i = 0; i < n; i++) line(ctx, [stage.pixels(origins[i]), stage.pixels(ends[i])], look.run(1), 0.45 * width);
    disk(ctx, stage.pixels(ends[n - 1]), 0.35 * width, look.run(1), look.paper, 1);
  }

  report() {
    const { found } = this, gap = this.gaps[this.gaps.length - 1], over = this.gaps.some(g => g >= APART);
    const texts = [`distance ${short(gap)} rad`];
    if (found) texts.push(`grows at ${found.rate.toFixed(2)} ± ${found.spread.toFixed(2)} per second`, found.rate > 0 ? `a digit in ${(Math.LN10 / found.rate).toFixed(1)} s` : "");
    if (over) texts.push(`${APART} rad apart after ${this.times[this.gaps.findIndex(g => g >= APART)].toFixed(2)} s`);
    return texts.filter(Boolean);
  }
}

PLOTS.parting = {
  told: "Distance of the two arms over time, on a logarithmic scale, with the line of its mean growth",
  draw(canvas, look, figure) {
    const { times, gaps, found } = figure.parting, last = times[times.length - 1], log = gaps.map(gap => Math.log10(Math.max(gap, 1e-16)));
    const low = log.reduce((a, b) => Math.min(a, b), -figure.parting.digit - 1), high = log.reduce((a, b) => Math.max(a, b), 1.5), entries = [["distance", look.ink, []], ["mean growth", look.mark, [7, 4]]];
    const axes = new Axes(canvas, look, [0, Math.max(10, last)], [low, high], "time (s)", "log₁₀ of rad", entries);
    axes.curve([axes.x[0], axes.x[1]], [Math.log10(APART), Math.log10(APART)], look.faint, 1, [2, 3]);
    axes.curve(times, log, look.ink, 2);
    if (!found) return;
    const t = found.rows.map(r => r[0]), y = found.rows.map(r => r[1] / Math.LN10);
    const at = time => mean(y) + (found.rate / Math.LN10) * (time - mean(t));
    axes.curve([0, found.until], [at(0), at(found.until)], look.mark, 2.4, [7, 4]);
  },
};
