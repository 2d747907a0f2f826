// A zoomed chart as a picture of its own, with all that stands around it on the page: title, drive and its state, and whose
// the lines are.
const TEXT_PX = 13;
const TITLE_PX = 17;
const EDGE_PX = 14;

const drawn = (tag, attributes, ...children) => {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, typeof value === "number" ? Number(value.toFixed(1)) : value);
  element.append(...children);
  return element;
};

const measure = made("canvas", {}).getContext("2d");
const widthOf = (text, px) => {
  measure.font = `${px}px Liberation Sans, Arial, sans-serif`;
  return measure.measureText(text).width;
};
// A text in lines that fit, broken between words.
const broken = (text, px, room) => {
  const lines = [];
  for (const word of text.split(" ")) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && widthOf(longer, px) <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
};

// What stands above the plot: the title, its lines, and the lines of the chart with their names, in rows that fit.
const heading = (figure, plot, width) => {
  const room = width - 2 * EDGE_PX;
  const title = figure.querySelector(".zoom-title");
  const said = [...title.childNodes].filter(({ nodeName }) => nodeName !== "BR").map((part, at) => [part.textContent.trim(), at ? TEXT_PX : TITLE_PX]);
  const parts = [];
  let down = EDGE_PX;
  for (const [text, px] of said) {
    for (const line of broken(text, px, room)) {
      down += px + 5;
      const weight = px === TITLE_PX ? { "font-weight": "bold" } : {};
      parts.push(drawn("text", { x: EDGE_PX, y: down, "font-size": px, fill: "var(--text)", ...weight }, line));
    }
  }
  let left = EDGE_PX;
  down += 24;
  chartOf(figure).series.forEach(({ label: name, slot, dash }, at) => {
    if (!plot.series[at + 1].show) return;
    const wide = 34 + widthOf(name, TEXT_PX) + 20;
    if (left > EDGE_PX && left + wide > width) [left, down] = [EDGE_PX, down + 20];
    parts.push(
      drawn("path", { d: `M${left},${down - 4.5}h26`, stroke: `var(--s${slot})`, "stroke-width": 2.4, "stroke-dasharray": dash.join() || "none" }),
      drawn("text", { x: left + 34, y: down, "font-size": TEXT_PX, fill: "var(--text)" }, name),
    );
    left += wide;
  });
  return { parts, bottom: down + 6 };
};

const gridAndAxes = (chart, plot, box) => {
  const [across, up] = plot.axes;
  const text = { "font-size": TEXT_PX, fill: "var(--text)" };
  const parts = [];
  across._splits.forEach((value, at) => {
    const x = box.left + plot.valToPos(value, "x");
    parts.push(drawn("path", { d: `M${x.toFixed(1)},${box.top}v${box.height + 6}`, stroke: "var(--grid)" }));
    parts.push(drawn("text", { x, y: box.top + box.height + 20, "text-anchor": "middle", ...text }, across._values[at]));
  });
  up._splits.forEach((value, at) => {
    const y = box.top + plot.valToPos(value, "y");
    parts.push(drawn("path", { d: `M${box.left - 6},${y.toFixed(1)}h${box.width + 6}`, stroke: "var(--grid)" }));
    parts.push(drawn("text", { x: box.left - 10, y: y + 4.5, "text-anchor": "end", ...text }, up._values[at]));
  });
  const middle = box.top + box.height / 2;
  parts.push(drawn("text", { x: box.left + box.width / 2, y: box.top + box.height + 42, "text-anchor": "middle", ...text }, chart.x));
  parts.push(drawn("text", { x: 18, y: middle, transform: `rotate(-90 18 ${middle})`, "text-anchor": "middle", ...text }, chart.y));
  return parts;
};

// From value to value, and not over a gap: there the value is null, and undefined where only another line has one.
const pathOf = (xs, ys, toX, toY) => {
  let path = "";
  let pen = "M";
  ys.forEach((y, at) => {
    if (y === null) pen = "M";
    if (y == null) return;
    path += `${pen}${toX(xs[at]).toFixed(1)},${toY(y).toFixed(1)}`;
    pen = "L";
  });
  return path;
};

const marksIn = (figure, plot, box) => figure.placed.flatMap(({ kind, left, right, down, said, text }) => {
  const [x, x2, y] = [left - plot.bbox.left, right - plot.bbox.left, down - plot.bbox.top].map((at) => at / devicePixelRatio);
  const shape = {
    place: { d: `M${x},0v${box.height}` }, level: { d: `M${x},${y}H${x2}` }, point: { d: `M${x - 4},${y}a4,4 0 1,0 8,0a4,4 0 1,0 -8,0` },
  }[kind];
  const ink = kind === "point" ? { fill: "var(--text)" } : { stroke: "var(--text)", "stroke-width": 1.4, "stroke-dasharray": "5,4", fill: "none" };
  const at = text && [text.left - plot.bbox.left, text.base - plot.bbox.top].map((end) => end / devicePixelRatio);
  const halo = { stroke: "var(--paper)", "stroke-width": 4, "stroke-linejoin": "round", "paint-order": "stroke" };
  return [drawn("path", { ...shape, ...ink }), ...(at ? [drawn("text", { x: at[0], y: at[1], "font-size": TEXT_PX, fill: "var(--text)", ...halo }, said)] : [])];
});

const zoomedPicture = (figure) => {
  const [plot, chart] = [open.get(figure), chartOf(figure)];
  const { parts, bottom } = heading(figure, plot, plot.width);
  const box = {
    left: plot.bbox.left / devicePixelRatio, top: bottom + plot.bbox.top / devicePixelRatio,
    width: plot.bbox.width / devicePixelRatio, height: plot.bbox.height / devicePixelRatio,
  };
  const toX = (value) => plot.valToPos(value, "x");
  const toY = (value) => plot.valToPos(value, "y");
  const shades = chart.shades.map((ends) => ends.map((end) => within(0, toX(end), box.width)))
    .map(([from, to]) => drawn("rect", { x: from, y: 0, width: to - from, height: box.height, fill: "var(--shade)" }));
  const lines = chart.series.flatMap(({ slot, dash }, at) => (plot.series[at + 1].show ? [drawn("path", {
    d: pathOf(plot.data[0], plot.data[at + 1], toX, toY), stroke: `var(--s${slot})`, "stroke-width": 1.4, "stroke-dasharray": dash.join() || "none", fill: "none",
  })] : []));
  // Clipped by a picture within the picture, which needs no name.
  const inside = drawn("svg", { x: box.left, y: box.top, width: box.width, height: box.height }, ...lines, ...marksIn(figure, plot, box));
  const below = drawn("svg", { x: box.left, y: box.top, width: box.width, height: box.height }, ...shades);
  const height = bottom + plot.height + 4;
  return drawn("svg", { viewBox: `0 0 ${plot.width} ${height}` }, below, ...parts, ...gridAndAxes(chart, plot, box), inside);
};
