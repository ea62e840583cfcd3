// Draws the sections that are far away one by one while the page has nothing else to do, and makes what is wider than
// its column a stop of the Tab key, so that the arrow keys scroll it.
const FAR = ".bd-article section section"; // book.css lets a browser leave these out at first
const WIDE =
  '.bd-article :is(mjx-container[display="true"], span.math, table, pre, ' +
  ".cell_output > .output, .pst-scrollable-table-container)";

function scrolls(region) {
  return (
    region.clientWidth &&
    region.scrollWidth > region.clientWidth &&
    /auto|scroll/.test(getComputedStyle(region).overflowX)
  );
}

// All are read before any is changed, so that the page is laid out once.
const sizes = new ResizeObserver(changes => {
  const found = changes.map(({ target }) => [target, scrolls(target)]);
  for (const [region, wide] of found) {
    if (wide) region.tabIndex = 0;
    else region.removeAttribute("tabindex");
  }
});

const idle = window.requestIdleCallback || (act => act());

function draw(sections) {
  if (!sections.length) return;
  sections.shift().style.contentVisibility = "visible";
  idle(() => draw(sections), { timeout: 200 }); // on a busy machine, too
}

addEventListener("load", () => {
  for (const region of document.querySelectorAll(WIDE)) sizes.observe(region);
  idle(() => draw([...document.querySelectorAll(FAR)]));
});
