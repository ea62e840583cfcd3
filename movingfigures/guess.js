// The reader's own curve: drawn before the motion is played, so that the truth can appear over it.

const POINTS = 160; // of a guess, over the time shown

class Guess {
  constructor(figure, canvas) {
    Object.assign(this, { figure, canvas, at: 0, curve: new Array(POINTS + 1).fill(null), told: "" });
    const { letter, joint, unit } = figure.spec.predict, told = PLOTS.predict.told;
    Object.entries({
      role: "application", tabindex: 0, "aria-roledescription": "curve to draw",
      "aria-label": `${told}: ${letter} of joint ${joint + 1} in ${unit}. Left and right arrow keys move the pen in time, up and down draw.`,
    }).forEach(pair => canvas.setAttribute(...pair));
    canvas.addEventListener("pointerdown", event => { canvas.setPointerCapture(event.pointerId); this.pen = null; this.drawing = true; this.put(event); });
    canvas.addEventListener("pointermove", event => this.drawing && this.put(event));
    for (const type of ["pointerup", "pointercancel", "lostpointercapture"]) canvas.addEventListener(type, () => { this.drawing = false; });
    canvas.addEventListener("keydown", event => this.key(event));
  }

  get clear() { return !this.curve.some(v => v !== null); }

  put(event) { // the curve goes on from the last place of the pen to this one
    const [x, y] = under(this.canvas, event), [left, top, right, bottom] = this.axes.box, [low, high] = this.axes.y;
    const part = Math.min(1, Math.max(0, (x - left) / (right - left))), k = Math.round(part * POINTS);
    const up = Math.min(1, Math.max(0, (bottom - y) / (bottom - top))), value = low + up * (high - low);
    const [from, was] = this.pen || [k, value], steps = Math.abs(k - from);
    for (let j = 0; j <= steps; j++) this.curve[from + Math.sign(k - from) * j] = steps ? was + ((value - was) * j) / steps : value;
    this.pen = [k, value];
    event.preventDefault();
    this.figure.ask();
  }

  key(event) {
    const way = ARROWS[event.key];
    if (!way) return;
    event.preventDefault();
    const [low, high] = this.axes.y, here = this.curve[this.at] ?? this.figure.spec.predict.start;
    const next = Math.min(POINTS, Math.max(0, this.at + 4 * way[0])), value = Math.min(high, Math.max(low, here + (way[1] * (high - low)) / 40));
    for (let k = Math.min(this.at, next); k <= Math.max(this.at, next); k++) this.curve[k] = way[0] ? this.curve[k] ?? value : value;
    this.at = next;
    this.figure.tell(`Your curve: ${minus(value.toFixed(2))} at ${((this.at / POINTS) * this.figure.spec.predict.seconds).toFixed(1)} s.`);
    this.figure.ask();
  }

  judge(times, values) { // how far the curve is from what came, as far as both go
    const { seconds, unit } = this.figure.spec.predict;
    let worst = 0;
    times.forEach((t, j) => {
      const drawn = this.curve[Math.round((t / seconds) * POINTS)];
      if (drawn !== null && drawn !== undefined) worst = Math.max(worst, Math.abs(drawn - values[j]));
    });
    this.told = this.clear || !times.length ? "" : `your curve is off by up to ${worst.toFixed(2)} ${unit}`;
  }
}

PLOTS.predict = {
  told: "Your prediction, drawn by hand, and the motion over it",
  begin: (figure, canvas) => { figure.guess = new Guess(figure, canvas); },
  draw(canvas, look, figure) {
    const { letter, name, joint, low, high, seconds, unit } = figure.spec.predict, { guess } = figure, [run] = figure.runs;
    const title = guess.clear && !figure.begun ? `${numbered(letter, joint)} (${unit}): draw what you expect` : `${numbered(letter, joint)} (${unit})`;
    const axes = (guess.axes = new Axes(canvas, look, [0, seconds], [low, high], "time (s)", title, guess.clear ? [] : [["you", look.mind, [2, 3]], ["motion", look.ink, []]]));
    const shown = run.history.t.map((t, k) => [t, run.history[name][k][joint]]).filter(([t]) => t <= seconds);
    const mine = guess.curve.map((v, k) => [(k * seconds) / POINTS, v]).filter(([, v]) => v !== null);
    axes.curve(mine.map(p => p[0]), mine.map(p => p[1]), look.mind, 2.4, [2, 3]);
    if (!figure.begun) return disk(axes.ctx, axes.at(0, figure.spec.predict.start), 4, look.ink, look.paper, 1);
    axes.curve(shown.map(p => p[0]), shown.map(p => p[1]), look.ink, 2.4);
    guess.judge(shown.map(p => p[0]), shown.map(p => p[1]));
  },
};
