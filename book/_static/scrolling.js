// Makes a formula or table that is wider than its column a stop of the Tab key, so that the arrow keys scroll it.
const WIDE = '.bd-article :is(mjx-container[display="true"], span.math, table, .pst-scrollable-table-container)';

function mark(region) {
  const scrolls = /auto|scroll/.test(getComputedStyle(region).overflowX) && region.scrollWidth > region.clientWidth;
  if (scrolls && region.clientWidth) region.tabIndex = 0;
  else region.removeAttribute("tabindex");
}

const sizes = new ResizeObserver((changes) => changes.forEach((change) => mark(change.target)));
document.fonts.ready.then(() => document.querySelectorAll(WIDE).forEach((region) => sizes.observe(region)));
