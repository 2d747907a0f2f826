// What all parts of the script share.
const root = document.documentElement;
const words = JSON.parse(root.dataset.words);
const ink = (name) => getComputedStyle(root).getPropertyValue(`--${name}`).trim();
const shown = (value) => (value == null || Number.isNaN(value) ? "–" : value.toLocaleString(root.lang, { maximumSignificantDigits: 4 }));
const made = (tag, properties, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};
const within = (low, value, high) => Math.max(low, Math.min(value, high));

const tip = document.body.appendChild(made("div", { className: "tip", hidden: true }));
tip.setAttribute("aria-hidden", "true");
const spoken = document.body.appendChild(made("div", { className: "spoken" }));
spoken.setAttribute("role", "status");

// Beside a place of the window, and never beyond its edges.
const showTip = (left, top, ...content) => {
  tip.replaceChildren(...content);
  tip.hidden = false;
  const fits = top + tip.offsetHeight + 16 < innerHeight;
  tip.style.top = `${(fits ? top + 12 : Math.max(4, top - tip.offsetHeight - 12)) + scrollY}px`;
  tip.style.left = `${within(8, left + 12, innerWidth - tip.offsetWidth - 8) + scrollX}px`;
};
const hideTip = () => { tip.hidden = true; };
