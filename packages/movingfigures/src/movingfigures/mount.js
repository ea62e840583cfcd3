// Puts figures into the page: each is built when the reader comes near, in the colors that the style sheet has.

// The colors of the page, as the style sheet has them.
function readTheme(el) {
  const style = getComputedStyle(el);
  const color = name => style.getPropertyValue(`--rd-${name}`).trim();
  const named = names => Object.fromEntries(names.map(name => [name, color(name)]));
  const runs = [1, 2].map(color);
  const links = ["link-1", "link-2"].map(color);
  return {
    ...named(["ink", "paper", "faint", "grid", "mark", "prediction", "inertia", "velocity", "gravity", "torque"]),
    run: k => runs[k % 2],
    link: i => links[i % 2],
    font: style.fontFamily,
  };
}

function render(el, model, programs) {
  el.classList.add("rd-figure");
  try {
    const figure = new Figure(el, model.get("spec"), programs, model);
    return () => figure.stop();
  } catch (error) {
    el.append(make("p", { class: "rd-voice rd-trouble" }, `This figure could not start: ${error.message}`));
    throw error;
  }
}

// No kernel: what is said to Python goes nowhere.
function standAlone(el, spec, programs) {
  if (el.rdComes) return;
  el.rdComes = true;
  const ignore = () => {};
  const model = { get: () => spec, set: ignore, save_changes: ignore, on: ignore };
  const near = new IntersectionObserver(
    ([entry]) => {
      // it is built when the reader comes near
      if (!entry.isIntersecting) return;
      near.disconnect();
      render(el, model, programs());
    },
    { rootMargin: "600px" },
  );
  near.observe(el);
}
