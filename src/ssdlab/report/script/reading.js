// A cross-hair over still pictures: the values of every line under the pointer, and the same place in all figures with that axis.
// Named by the pictures themselves: no address of anybody stands in the page.
const SVG = document.querySelector(".picture")?.namespaceURI;
const plotsOf = (picture) => JSON.parse(picture.dataset.plots ?? "[]");

const forth = ({ low, high, scale }, value) =>
  (scale === "log" ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low));
const back = ({ low, high, scale }, share) => (scale === "log" ? low * (high / low) ** share : low + share * (high - low));

// The plot of a picture under a place of the window, and what stands there on its axis.
const placeIn = (picture, clientX, clientY) => {
  const box = picture.getBoundingClientRect();
  const across = ((clientX - box.left) / box.width) * picture.viewBox.baseVal.width;
  const down = ((clientY - box.top) / box.height) * picture.viewBox.baseVal.height;
  const plots = plotsOf(picture);
  const index = plots.findIndex(({ left, top, width, height }) =>
    across >= left && across <= left + width && down >= top && down <= top + height);
  return index < 0 ? null : { index, plot: plots[index], value: back(plots[index].x, (across - plots[index].left) / plots[index].width) };
};

const crossLines = (picture, value) => {
  picture.querySelectorAll(".cross").forEach((line) => line.remove());
  if (value == null) return;
  for (const { left, top, width, height, x } of plotsOf(picture)) {
    const share = forth(x, value);
    if (!(share >= 0 && share <= 1)) continue;
    const line = document.createElementNS(SVG, "path");
    line.setAttribute("class", "cross");
    line.setAttribute("d", `M${left + share * width},${top}v${height}`);
    picture.append(line);
  }
};

const figuresWithCharts = [...document.querySelectorAll("figure")].filter(chartOf);
const linked = []; // What zoomed charts do on it.
const cross = (axis, value) => {
  for (const figure of figuresWithCharts) {
    if (chartOf(figure).x !== axis || figure.classList.contains("zoomed")) continue;
    figure.querySelectorAll(".still>.picture").forEach((picture) => crossLines(picture, value));
  }
  linked.forEach((move) => move(axis, value));
};

const valuesAt = (figure, { index, plot: { x, width }, value }) => {
  const chart = chartOf(figure);
  const reach = [-REACH_PX, REACH_PX].map((px) => back(x, forth(x, value) + px / width));
  return chart.series.map((series, at) => ({ ...series, value: nearest(figure.unpacked[at], value, reach) }))
    .filter(({ plot, slot }) => plot === index && !isOff(figure, slot));
};

const readAt = (figure, place) => {
  const chart = chartOf(figure);
  const values = valuesAt(figure, place);
  cross(chart.x, place.value);
  return [
    made("div", { textContent: `${chart.x}: ${shown(place.value)}` }),
    ...values.map(({ label, slot, value }) =>
      made("div", {}, made("i", { className: `dot slot${slot}` }), `${label}: `, made("b", { textContent: shown(value) }))),
    // A plot of something else, such as a temperature below a speed, has only the place in common with the lines.
    ...(values.length ? [made("div", { className: "unit", textContent: chart.y })] : []),
  ];
};

// Of what waits for points the last is shown, and nothing where the pointer or the focus has gone meanwhile.
let asking = 0;
const leave = (figure) => {
  asking += 1;
  hideTip();
  if (chartOf(figure)) cross(chartOf(figure).x, null);
};

const point = async (event) => {
  const picture = event.target.closest?.(".picture");
  const figure = picture?.closest("figure");
  if (!figure || figure.brushing) return;
  if (overMarks(event)) return;
  const place = chartOf(figure) && placeIn(picture, event.clientX, event.clientY);
  if (!place) return leave(figure);
  const asked = (asking += 1);
  await linesOf(figure);
  if (asked === asking) showTip(event.clientX, event.clientY, ...readAt(figure, place));
};
for (const figure of document.querySelectorAll("figure")) {
  figure.addEventListener("pointermove", point);
  figure.addEventListener("pointerdown", point);
  figure.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") leave(figure); });
}

// With the keyboard: left and right, a fiftieth of the axis each, and from the end of a plot to the beginning of the next one
// with lines.
const STEPS = 50;
const readStep = (figure, picture, by) => {
  const read = new Set(chartOf(figure).series.map(({ plot }) => plot));
  const stops = plotsOf(picture).map((_, index) => index).filter((index) => read.has(index));
  const last = stops.length * (STEPS + 1) - 1;
  figure.readStop = within(0, (figure.readStop ?? (by > 0 ? -1 : last + 1)) + by, last);
  figure.readShare = (figure.readStop % (STEPS + 1)) / STEPS;
  figure.readPlot = stops[Math.floor(figure.readStop / (STEPS + 1))];
};

document.addEventListener("keydown", async (event) => {
  const picture = event.target.closest?.(".picture");
  const figure = picture?.closest("figure");
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!by || !figure || !chartOf(figure) || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  readStep(figure, picture, by);
  const asked = (asking += 1);
  await linesOf(figure);
  if (asked !== asking) return;
  const box = picture.getBoundingClientRect();
  const [index, plot] = [figure.readPlot, plotsOf(picture)[figure.readPlot]];
  const parts = readAt(figure, { index, plot, value: back(plot.x, figure.readShare) });
  const factor = box.width / picture.viewBox.baseVal.width;
  showTip(box.left + (plot.left + figure.readShare * plot.width) * factor, box.top + plot.top * factor, ...parts);
  spoken.textContent = parts.map((part) => part.textContent).join("; ");
});
// What was read does not stay behind when the picture is left, or something else is touched.
document.addEventListener("pointerdown", (event) => { if (!event.target.closest?.(".picture")) hideTip(); });
document.addEventListener("focusout", (event) => {
  const figure = event.target.closest?.(".picture")?.closest("figure");
  if (figure) leave(figure);
});
