// Lays a deck out: parts what is longer than a slide, makes wide things fit, hands the rest to reveal.js.
(async () => {
  const WIDE = 1280;
  const HIGH = 720;
  const deck = document.querySelector(".slides");
  const room = () => HIGH - 34; // below the last line stands the number of the slide
  document.body.classList.add("measured"); // all slides stand below one another, in their own size
  await Promise.all([...document.images].map(image => image.decode().catch(() => {})));
  await Promise.all(
    [...document.fonts]
      .filter(font => /^MJX/.test(font.family.replace(/"/g, "")))
      .map(font => font.load().catch(() => {})),
  );

  const fits = slide =>
    slide.lastElementChild === null ||
    slide.lastElementChild.getBoundingClientRect().bottom - slide.getBoundingClientRect().top <= room();
  for (const math of deck.querySelectorAll("div.math")) {
    // a wide equation is set smaller
    const formula = math.querySelector("mjx-container");
    const number = math.querySelector(".eqno");
    const free = math.clientWidth - (number ? number.offsetWidth + 16 : 0);
    const drawn = formula?.querySelector("mjx-math").getBoundingClientRect().width;
    if (drawn > free) formula.style.fontSize = `${Math.floor((97 * free) / drawn)}%`;
  }
  for (const wide of deck.querySelectorAll("pre, table")) {
    for (let size = 100; size > 55 && wide.scrollWidth > wide.parentElement.clientWidth; size -= 3)
      wide.style.fontSize = `${size * 0.8}%`;
  }

  // What does not fit goes on, on a slide of the same heading; what leads to a thing goes with it.
  function parted(slide) {
    for (const size of ["", "24px", "23px", "22px"]) {
      // a line too many is no slide of its own
      slide.style.fontSize = size;
      if (fits(slide)) return;
    }
    slide.style.fontSize = "";
    const parts = [...slide.children].filter(part => part.tagName !== "H2");
    let k = parts.length;
    const next = slide.cloneNode(false);
    const heading = slide.querySelector(":scope > h2");
    if (heading) next.append(Object.assign(heading.cloneNode(true), { className: "again" }));
    while (k > 1 && !fits(slide)) {
      // the last part goes over, until the rest fits
      k--;
      parts[k].remove();
    }
    while (k > 1 && parts[k - 1].matches(".lead, h3")) parts[--k].remove();
    if (k === parts.length) {
      smaller(slide, parts[0]);
      return;
    }
    slide.after(next);
    next.append(...parts.slice(k));
    if (!fits(slide)) smaller(slide, parts[0]);
    parted(next);
  }

  // One thing that is higher than a slide.
  function smaller(slide, part) {
    const list = part.matches("ul, ol, .answer, aside") && part.children.length > 1 && part;
    if (list) {
      // goes on, too
      const next = slide.cloneNode(false);
      const rest = list.cloneNode(false);
      const heading = slide.querySelector(":scope > h2");
      const stays = list.querySelector(":scope > :is(h3, .admonition-title)") ? 2 : 1;
      const moved = [];
      while (list.children.length > stays && !fits(slide)) {
        moved.unshift(list.lastElementChild);
        list.lastElementChild.remove();
      }
      if (heading) next.append(Object.assign(heading.cloneNode(true), { className: "again" }));
      rest.append(...moved);
      next.append(rest);
      if (moved.length) {
        slide.after(next);
        parted(next);
      }
    }
    const image = part.querySelector?.("img");
    for (let high = 480; image && high > 200 && !fits(slide); high -= 20) image.style.maxHeight = `${high}px`;
    for (let size = 95; size >= 60 && !fits(slide); size -= 5) part.style.fontSize = `${size}%`;
  }

  for (const slide of [...deck.children].filter(slide => slide.tagName === "SECTION")) {
    const moving = slide.querySelector(":scope > .moves");
    if (moving) {
      // the figure has a slide of its own, with its question; what was said before stands before it
      const question = [...slide.querySelectorAll(":scope > .ask")].pop();
      const before = [...slide.children].filter(part => part.tagName !== "H2" && part !== moving && part !== question);
      if (before.length) {
        const first = slide.cloneNode(false);
        first.append(slide.querySelector(":scope > h2").cloneNode(true), ...before);
        slide.before(first);
        slide.querySelector(":scope > h2").className = "again";
        parted(first);
      }
    } else parted(slide);
  }

  document.body.classList.remove("measured");
  // A figure is as large as its slide lets it.
  const fit = () => {
    for (const figure of deck.querySelectorAll(".moves > .rd-figure")) {
      const box = figure.parentElement;
      if (!figure.offsetHeight) continue; // of a slide that is far
      const scale = Math.min(1, (room() - box.offsetTop) / figure.offsetHeight);
      figure.style.transform = `scale(${scale})`;
      box.style.height = `${figure.offsetHeight * scale}px`;
    }
  };
  const sizes = new ResizeObserver(fit);
  for (const figure of deck.querySelectorAll(".rd-figure")) {
    figure.dataset.preventSwipe = "";
    sizes.observe(figure);
  }
  Reveal.on("slidechanged", fit);
  await Reveal.initialize({
    width: WIDE,
    height: HIGH,
    margin: 0,
    center: false,
    hash: true,
    transition: "none",
    slideNumber: "c/t",
    controls: false,
    keyboardCondition: event => !document.activeElement?.closest(".rd-figure"), // its keys are its own
  });
  // A press beside a figure gives the keys back to the slides.
  deck.addEventListener("pointerdown", event => event.target.closest(".rd-figure") || document.activeElement?.blur());
  document.body.classList.add("ready");
})();
