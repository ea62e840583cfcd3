// Draws what is far away block by block while the reader does nothing else, and makes what is wider than its column a stop of the Tab key.
const FAR = ".bd-article section section > *"; // book.css lets a browser leave these out at first
const WIDE = ':is(mjx-container[display="true"], span.math, table, .pst-scrollable-table-container)';

function mark(region) { // the arrow keys scroll what has the focus
  const scrolls = /auto|scroll/.test(getComputedStyle(region).overflowX) && region.scrollWidth > region.clientWidth;
  if (scrolls && region.clientWidth) region.tabIndex = 0;
  else region.removeAttribute("tabindex");
}

const sizes = new ResizeObserver((changes) => changes.forEach((change) => mark(change.target)));
const idle = window.requestIdleCallback || ((act) => setTimeout(() => act({ timeRemaining: () => 5 }), 30));

function settle(blocks, deadline) {
  for (let first = true; blocks.length && (first || deadline.timeRemaining() > 5); first = false) {
    const block = blocks.shift();
    block.style.contentVisibility = "visible";
    for (const region of [block, ...block.querySelectorAll(WIDE)].filter((x) => x.matches(WIDE))) {
      mark(region);
      sizes.observe(region);
    }
  }
  if (blocks.length) idle((deadline) => settle(blocks, deadline));
}

document.fonts.ready.then(() => {
  document.querySelectorAll(`.bd-article ${WIDE}`).forEach((region) => region.closest(FAR) || sizes.observe(region));
  idle((deadline) => settle([...document.querySelectorAll(FAR)], deadline));
});
