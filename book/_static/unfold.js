// A link to a place inside a fold opens the fold: a details element, or an admonition that the theme folds with a
// button.
function unfold() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  const folds = [];
  for (let e = target.parentElement; e; e = e.parentElement) {
    if (e.matches("details:not([open])"))
      folds.push(() => {
        e.open = true;
      });
    if (e.matches(".toggle-hidden")) folds.push(() => e.querySelector("button.toggle-button").click());
  }
  folds.forEach(open => open());
  if (folds.length) target.scrollIntoView();
}

addEventListener("hashchange", unfold);
addEventListener("load", unfold); // after the script that makes the folds
