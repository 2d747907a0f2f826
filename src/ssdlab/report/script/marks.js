// Described marks of still pictures: one stop of the Tab key a picture, arrow keys inside it, words under the pointer.
const NEAR_PX = 18;

const marksOf = new Map();
for (const picture of document.querySelectorAll(".picture")) {
  const marks = [...picture.querySelectorAll("[tabindex]")];
  marksOf.set(picture, marks);
  for (const mark of marks) {
    const title = mark.querySelector("title");
    mark.setAttribute("aria-label", title.textContent);
    // Else the browser's own tip would come over ours.
    title.remove();
    mark.setAttribute("tabindex", "-1");
  }
  if (marks.length || picture.closest("figure")?.querySelector(".chart-data")) picture.setAttribute("tabindex", "0");
}

const step = (picture, by) => {
  const marks = marksOf.get(picture);
  const at = marks.indexOf(document.activeElement);
  const next = at < 0 ? (by > 0 ? 0 : marks.length - 1) : within(0, at + by, marks.length - 1);
  marks[next]?.focus();
};

document.addEventListener("keydown", (event) => {
  const picture = event.target.closest?.(".picture");
  if (!picture || event.ctrlKey || event.metaKey || event.altKey) return;
  const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  // Where there are values along the axis, left and right read those.
  const reads = picture.closest("figure").querySelector(".chart-data") && ["ArrowLeft", "ArrowRight"].includes(event.key);
  if (event.key === "Escape") picture.focus();
  else if (by && marksOf.get(picture).length && !reads) step(picture, by);
  else return;
  event.preventDefault();
});

document.addEventListener("focusin", (event) => {
  const mark = event.target.closest?.(".picture [tabindex]");
  if (!mark) return hideTip();
  const box = mark.getBoundingClientRect();
  showTip(box.left - 12, box.bottom - 4, mark.getAttribute("aria-label"));
});

const distance = (box, x, y) => Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));

const markAt = (picture, x, y) => {
  let nearest = null;
  let least = NEAR_PX;
  for (const mark of marksOf.get(picture)) {
    const far = distance(mark.getBoundingClientRect(), x, y);
    if (far < least) [nearest, least] = [mark, far];
    if (!far) break;
  }
  return nearest;
};

const overMarks = (event) => {
  const picture = event.target.closest?.(".picture");
  const mark = picture && markAt(picture, event.clientX, event.clientY);
  if (mark) showTip(event.clientX, event.clientY, mark.getAttribute("aria-label"));
  return Boolean(mark);
};
