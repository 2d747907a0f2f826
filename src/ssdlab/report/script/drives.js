// A drive shown or not, and set off from the others, in all figures that compare drives: by its colour, which is its own in each.
const bar = document.querySelector(".shown-drives");
const isCompared = (figure) => figure.id.startsWith("comparison");
const off = new Set();
const toggled = [...(bar?.querySelectorAll("button") ?? [])].map((button) => Number(button.value));
const isOff = (figure, slot) => isCompared(figure) && off.has(slot);
const watching = []; // What zoomed charts do on it.

const paint = () => {
  for (const slot of [1, 2, 3, 4, 5, 6]) root.classList.toggle(`off${slot}`, off.has(slot));
  bar?.querySelectorAll("button").forEach((button) => button.setAttribute("aria-pressed", String(!off.has(Number(button.value)))));
  watching.forEach((change) => change());
};
const setOff = (slots) => {
  off.clear();
  slots.forEach((slot) => off.add(slot));
  paint();
};
const light = (slot) => { if (slot) root.dataset.lit = slot; else delete root.dataset.lit; };

if (bar) {
  bar.hidden = false;
  for (const button of bar.querySelectorAll("button")) {
    const slot = Number(button.value);
    button.addEventListener("click", () => {
      if (!off.delete(slot)) off.add(slot);
      paint();
      light(off.has(slot) ? null : slot);
      remember();
    });
    for (const begin of ["pointerenter", "focus"]) button.addEventListener(begin, () => { if (!off.has(slot)) light(slot); });
    for (const end of ["pointerleave", "blur"]) button.addEventListener(end, () => light(null));
  }
}
