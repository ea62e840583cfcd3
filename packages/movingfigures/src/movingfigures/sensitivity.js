// Two arms whose starts differ in one decimal of the first coordinate: how far apart they are, and how fast that grows.

const SATURATION = 0.1; // rad or m, where the growth is over

const mean = v => v.reduce((s, u) => s + u, 0) / v.length;

// Of the line of least squares.
function slope(x, y) {
  const [mx, my] = [mean(x), mean(y)];
  return x.reduce((s, v, k) => s + (v - mx) * (y[k] - my), 0) / x.reduce((s, v) => s + (v - mx) ** 2, 0);
}

// The rate at which a distance grows, 1/s, until it is APART: slope of its logarithm over all that time, and the
// standard deviation of the slopes second by second; nothing before two seconds.
function growth(times, gaps) {
  const last = gaps.findIndex(gap => gap >= SATURATION);
  const end = last < 0 ? gaps.length : last + 1;
  const rows = times
    .slice(0, end)
    .map((t, k) => [t, Math.log(gaps[k])])
    .filter(([, v]) => Number.isFinite(v));
  const seconds = Math.floor(rows.length ? rows[rows.length - 1][0] : 0);
  const rate = part =>
    slope(
      part.map(r => r[0]),
      part.map(r => r[1]),
    );
  if (seconds < 2) return null;
  const parts = Array.from({ length: seconds }, () => []);
  for (const row of rows) {
    const k = Math.floor(row[0]);
    parts[k]?.push(row);
    if (row[0] === k) parts[k - 1]?.push(row); // a whole second ends one part and begins the next
  }
  const rates = parts.map(rate);
  const middle = mean(rates);
  return {
    rate: rate(rows),
    spread: Math.sqrt(rates.reduce((s, v) => s + (v - middle) ** 2, 0) / (seconds - 1)),
    until: rows[rows.length - 1][0],
    rows,
  };
}

class Sensitivity {
  constructor(figure) {
    Object.assign(this, { figure, digit: figure.spec.digit, home: figure.spec.start.q });
    this.control = new Digits(figure, this.digit, digit => {
      this.digit = digit;
      this.begin(figure.spec.start.q);
      figure.announceState(`Starts 1e-${digit} rad apart.`);
    });
    this.begin(this.home);
  }

  // A new start for both.
  begin(q) {
    const { figure } = this;
    const start = { q, qd: figure.spec.start.qd };
    figure.spec.start = start;
    figure.runs[1].spec.start = { ...start, q: q.map((v, i) => (i ? v : v + 10 ** -this.digit)) };
    this.control.show(q[0], figure.runs[1].spec.start.q[0]);
    for (const run of figure.runs) run.restart();
    this.clear();
    figure.requestFrame();
  }

  reset() {
    this.digit = this.figure.spec.digit;
    this.control.radios[this.digit - 1].checked = true;
    this.begin(this.home);
  }

  clear() {
    this.times = [];
    this.gaps = [];
    this.growthFit = null;
    this.record();
  }

  record() {
    const [a, b] = this.figure.runs;
    if (this.times.length && a.t <= this.times[this.times.length - 1]) return;
    this.times.push(a.t);
    this.gaps.push(Math.hypot(...a.q.map((v, i) => v - b.q[i])));
    const over = this.gaps.length > 1 && this.gaps.slice(0, -1).some(gap => gap >= SATURATION);
    if (!over) this.growthFit = growth(this.times, this.gaps);
  }

  // The other arm within the first one, until they part.
  drawSecondArm(ctx, stage, width, theme) {
    const run = this.figure.runs[1];
    const { origins, ends } = run.points();
    if (this.figure.spec.marks.includes("trail"))
      line(
        ctx,
        run.history.tip.slice(-240).map(p => stage.pixels(p)),
        theme.run(1),
        1.2,
      );
    run.bars.forEach((i, k) =>
      line(ctx, [stage.pixels(origins[i]), stage.pixels(ends[k])], theme.run(1), 0.45 * width),
    );
    disk(ctx, stage.pixels(ends.at(-1)), 0.35 * width, theme.run(1), theme.paper, 1);
  }

  report() {
    const { growthFit } = this;
    const gap = this.gaps[this.gaps.length - 1];
    const over = this.gaps.some(g => g >= SATURATION);
    const texts = [`distance ${formatShort(gap)} rad`];
    if (growthFit)
      texts.push(
        `grows at ${growthFit.rate.toFixed(2)} ± ${growthFit.spread.toFixed(2)} per second`,
        growthFit.rate > 0 ? `a digit in ${(Math.LN10 / growthFit.rate).toFixed(1)} s` : "",
      );
    if (over)
      texts.push(`${SATURATION} rad apart after ${this.times[this.gaps.findIndex(g => g >= SATURATION)].toFixed(2)} s`);
    return texts.filter(Boolean);
  }
}

PLOTS.sensitivity = {
  description: "Distance of the two arms over time, on a logarithmic scale, with the line of its mean growth",
  draw(canvas, theme, figure) {
    const { times, gaps, growthFit } = figure.sensitivity;
    const last = times[times.length - 1];
    const log = gaps.map(gap => Math.log10(Math.max(gap, 1e-16)));
    const low = log.reduce((a, b) => Math.min(a, b), -figure.sensitivity.digit - 1);
    const high = log.reduce((a, b) => Math.max(a, b), 1.5);
    const entries = [
      ["distance", theme.ink, []],
      ["mean growth", theme.mark, [7, 4]],
    ];
    const axes = new Axes(canvas, theme, [0, Math.max(10, last)], [low, high], "time (s)", "log₁₀ of rad", entries);
    axes.curve([axes.x[0], axes.x[1]], [Math.log10(SATURATION), Math.log10(SATURATION)], theme.faint, 1, [2, 3]);
    axes.curve(times, log, theme.ink, 2);
    if (!growthFit) return;
    const t = growthFit.rows.map(r => r[0]);
    const y = growthFit.rows.map(r => r[1] / Math.LN10);
    const at = time => mean(y) + (growthFit.rate / Math.LN10) * (time - mean(t));
    axes.curve([0, growthFit.until], [at(0), at(growthFit.until)], theme.mark, 2.4, [7, 4]);
  },
};
