// Elements of the page, and what a pointer and the arrow keys say.
// @ts-check

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  element.append(...children);
  return element;
}

export function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}

// Where a pointer is in a canvas, in its own pixels: a slide shows it larger or smaller.
export function pointerPosition(canvas, event) {
  const box = canvas.getBoundingClientRect();
  const scale = canvas.clientWidth / box.width || 1;
  return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
}

export const REACH = { mouse: 22, touch: 40, pen: 30 }; // pixels around a link within which it is grasped
export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
