// What stands beside a number of a tile or table: under the pointer, a finger or the focus, which is one stop of the Tab key a table
// with arrow keys from number to number.
const tippedOf = new Map();
for (const place of document.querySelectorAll(".tiles [title], .scroll [title]")) {
  place.dataset.tip ??= place.title;
  // Else the browser's own tip would come over ours.
  place.removeAttribute("title");
  const group = place.closest(".tiles, .scroll");
  if (!tippedOf.has(group)) tippedOf.set(group, []);
  tippedOf.get(group).push(place);
  place.tabIndex = tippedOf.get(group).length === 1 ? 0 : -1;
}

const tippedAt = (event) => event.target.closest?.("[data-tip]");
document.addEventListener("focusin", (event) => {
  const place = tippedAt(event);
  if (!place) return;
  tippedOf.get(place.closest(".tiles, .scroll")).forEach((other) => { other.tabIndex = other === place ? 0 : -1; });
  const box = place.getBoundingClientRect();
  showTip(box.left - 12, box.bottom - 8, place.dataset.tip);
  spoken.textContent = place.dataset.tip;
});
document.addEventListener("focusout", (event) => { if (tippedAt(event)) hideTip(); });
document.addEventListener("keydown", (event) => {
  const place = tippedAt(event);
  if (!place || event.ctrlKey || event.metaKey || event.altKey) return;
  const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (event.key === "Escape") hideTip();
  else if (!by) return;
  else {
    const all = tippedOf.get(place.closest(".tiles, .scroll"));
    all[within(0, all.indexOf(place) + by, all.length - 1)].focus();
  }
  event.preventDefault();
});
for (const begin of ["pointermove", "pointerdown"]) {
  document.addEventListener(begin, (event) => {
    const place = tippedAt(event);
    if (place) showTip(event.clientX, event.clientY, place.dataset.tip);
  });
}
document.addEventListener("pointerout", (event) => { if (event.pointerType === "mouse" && tippedAt(event)) hideTip(); });
