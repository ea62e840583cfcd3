// The colors and the type of a figure, as the style sheet has them on this page.
// @ts-check

// The colors of the page, as the style sheet has them.
export function readTheme(el) {
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
