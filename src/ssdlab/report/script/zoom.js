// Zoomed charts: drawn by uPlot in place of the still picture, with its marks, from one gesture on it.
const open = new Map();
const FONT = "13px Liberation Sans, Arial, sans-serif";

const axis = (label, size) => ({
  label, size, labelSize: 20, stroke: ink("text"), font: FONT, labelFont: FONT, grid: { stroke: ink("grid"), width: 1 },
  ticks: { stroke: ink("axis"), width: 1 }, values: (_, splits) => splits.map((v) => (v == null ? "" : shown(v))),
});

// uPlot counts the ticks of a logarithmic axis from its lower end, so that must have one digit.
const oneDigit = (value) => {
  const power = 10 ** Math.floor(Math.log10(value));
  return Math.floor(value / power) * power;
};

// Of the lines as they run through the view, and not of the points that happen to lie in it: between two of them there are none.
const range = (figure) => () => {
  const { view } = figure;
  if (view.y) return view.y;
  const [from, to] = view.x ?? figure.whole;
  const lines = figure.unpacked.filter((_, at) => !isOff(figure, chartOf(figure).series[at].slot));
  const [low, high] = valuesWithin(lines, from, to, view.log);
  if (!(low <= high)) return view.log ? [1, 10] : [0, 1];
  return view.log ? [oneDigit(low), high * 1.3] : [Math.min(low, 0), high > 0 ? high * 1.05 : 1];
};

// Rests are shaded under the lines; levels, points and places are drawn over them, each with its words where they fit.
const shade = (chart) => (plot) => {
  const { ctx, bbox } = plot;
  ctx.fillStyle = ink("shade");
  for (const [from, to] of chart.shades) {
    const [left, right] = [from, to].map((x) => within(bbox.left, plot.valToPos(x, "x", true), bbox.left + bbox.width));
    ctx.fillRect(left, bbox.top, right - left, bbox.height);
  }
};

const OUT_PX = 20;
const placed = (chart, plot) => {
  const { ctx, bbox } = plot;
  const taken = [];
  const found = [];
  for (const { x, x2 = x, y, words: said } of chart.marks) {
    const [left, right] = [x, x2].map((at) => plot.valToPos(at, "x", true));
    if (right < bbox.left || left > bbox.left + bbox.width) continue;
    const down = y == null ? bbox.top + 14 * devicePixelRatio : plot.valToPos(y, "y", true);
    if (down < bbox.top || down > bbox.top + bbox.height) continue;
    const kind = y == null ? "place" : x === x2 ? "point" : "level";
    // No further than is seen: a canvas draws no dashes on a line of a million of them.
    const ends = [Math.max(left, bbox.left - OUT_PX), Math.min(right, bbox.left + bbox.width + OUT_PX)];
    const text = label(ctx, bbox, said, Math.max(left, bbox.left) + 6 * devicePixelRatio, down, taken);
    found.push({ kind, left: ends[0], right: ends[1], down, said, text });
  }
  return found;
};

const mark = (figure, chart) => (plot) => {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.font = `${13 * devicePixelRatio}px Liberation Sans, Arial, sans-serif`;
  ctx.textAlign = "left";
  ctx.textBaseline = "alphabetic";
  figure.placed = placed(chart, plot);
  figure.marks = figure.placed.map(({ said }) => said);
  for (const { kind, left, right, down, said, text } of figure.placed) {
    ctx.strokeStyle = ctx.fillStyle = ink("text");
    ctx.lineWidth = 1.4 * devicePixelRatio;
    ctx.setLineDash([5 * devicePixelRatio, 4 * devicePixelRatio]);
    ctx.beginPath();
    if (kind === "place") { ctx.moveTo(left, bbox.top); ctx.lineTo(left, bbox.top + bbox.height); }
    else if (kind === "point") ctx.arc(left, down, 4 * devicePixelRatio, 0, 7);
    else { ctx.moveTo(left, down); ctx.lineTo(right, down); }
    if (kind === "point") ctx.fill();
    else ctx.stroke();
    if (!text) continue;
    ctx.setLineDash([]);
    ctx.lineWidth = 4 * devicePixelRatio;
    ctx.lineJoin = "round";
    ctx.strokeStyle = ink("paper");
    ctx.strokeText(said, text.left, text.base);
    ctx.fillText(said, text.left, text.base);
  }
  ctx.restore();
};

// Where words stand beside their mark, clear of those that stand already; none where there is no room.
const label = (ctx, bbox, text, at, down, taken) => {
  const [width, line] = [ctx.measureText(text).width, 17 * devicePixelRatio];
  const left = Math.max(bbox.left + 2, Math.min(at, bbox.left + bbox.width - width - 4));
  for (const row of [-0.4, 1.05, -1.4, 2.05, -2.4, 3.05]) {
    const base = down + row * line;
    const clear = taken.every((box) => left > box.right || left + width < box.left || Math.abs(base - box.base) > line);
    if (!clear || base < bbox.top + line || base > bbox.top + bbox.height - 4) continue;
    taken.push({ left, right: left + width, base });
    return { left, base };
  }
  return null;
};

// What the pointer stands on, as beside a still picture: of all points of a line, not of those that this view draws.
const placeOf = (plot, px = 0) => (plot.cursor.left >= 0 ? plot.posToVal(plot.cursor.left + px, "x") : null);
const read = (line, plot) => {
  const place = placeOf(plot);
  return shown(place == null ? null : nearest(line, place, [-REACH_PX, REACH_PX].map((px) => placeOf(plot, px))));
};

const options = (figure, chart, width, onView) => {
  const { view } = figure;
  return {
    width, height: Math.max(280, Math.min(440, width * 0.5)),
    scales: { x: { time: false }, y: { distr: view.log ? 3 : 1, range: range(figure) } },
    axes: [axis(chart.x, 45), axis(chart.y, 65)],
    series: [
      { label: chart.x, value: (plot) => shown(placeOf(plot)) },
      ...chart.series.map(({ label: name, slot, dash }, at) => ({
        label: name, stroke: ink(`s${slot}`), width: 1.4, dash, points: { show: false },
        show: !isOff(figure, slot), value: (plot) => read(figure.unpacked[at], plot),
      })),
    ],
    cursor: {
      drag: { x: true, y: true, uni: 40, setScale: false }, focus: { prox: 24 }, hover: { prox: 12 },
      bind: { dblclick: () => () => { all(figure); } },
    },
    focus: { alpha: 0.35 },
    hooks: {
      drawClear: [shade(chart)], draw: [mark(figure, chart)],
      setScale: [(plot, key) => key === "x" && onView(plot)],
      setSelect: [(plot) => select(figure, plot)],
      setCursor: [(plot) => point_(figure, plot)],
    },
  };
};

// Where the pointer is, all figures with the same axis are told.
let telling = false;
const point_ = (figure, plot) => {
  // Else uPlot writes values anew only when another drawn point comes under the pointer.
  plot.setLegend({}, false);
  if (telling) return;
  telling = true;
  cross(chartOf(figure).x, placeOf(plot));
  telling = false;
};
linked.push((axisTitle, value) => open.forEach((plot, figure) => {
  if (plot.over.matches(":hover") || !figure.classList.contains("zoomed") || chartOf(figure).x !== axisTitle) return;
  const was = telling;
  telling = true;
  plot.setCursor(value == null ? { left: -10, top: -10 } : { left: plot.valToPos(value, "x"), top: 0 }, false);
  telling = was;
}));
watching.push(() => open.forEach((plot, figure) => chartOf(figure).series.forEach(({ slot }, at) => {
  const show = !isOff(figure, slot);
  if (plot.series[at + 1].show !== show) plot.setSeries(at + 1, { show });
})));

const draw = async (figure) => {
  const place = figure.querySelector(".zoom");
  const chart = chartOf(figure);
  const lines = await linesOf(figure);
  if (!figure.classList.contains("zoomed")) return;
  open.get(figure)?.destroy();
  place.replaceChildren();
  const columns = Math.max(200, place.clientWidth);
  figure.ends = endsOf(lines);
  figure.whole = figure.ends.x;
  keepPossible(figure);
  let last = "";
  const onView = (plot) => {
    const { min, max } = plot.scales.x;
    if (last === `${min} ${max}`) return;
    last = `${min} ${max}`;
    queueMicrotask(() => {
      plot.setData(table(lines, min, max, columns), false);
      plot.setScale("x", { min, max });
    });
  };
  const plot = new uPlot(options(figure, chart, place.clientWidth, onView), table(lines, -Infinity, Infinity, columns), place);
  open.set(figure, plot);
  gestures(figure, plot);
  place.tabIndex = 0;
  place.setAttribute("role", "application");
  place.setAttribute("aria-label", `${chart.y} / ${chart.x}: ${words.keys}`);
  if (figure.view.x || figure.view.y) apply(figure);
};

// The ends of what lines show: of their places, of their values, and of those that have a logarithm.
const endsOf = (lines) => {
  const ends = { x: [Infinity, -Infinity], y: [Infinity, -Infinity], log: [Infinity, -Infinity] };
  const widen = (pair, value) => {
    if (value < pair[0]) pair[0] = value;
    if (value > pair[1]) pair[1] = value;
  };
  for (const { x, y } of lines) {
    for (const end of [x[0], x[x.length - 1]]) widen(ends.x, end);
    for (const value of y) {
      widen(ends.y, value);
      if (value > 0) widen(ends.log, value);
    }
  }
  return ends;
};

// A view that a figure can show, whatever was asked for: no more than its lines have, nor less than can be told apart. None where
// that is all there is, or nothing of it.
const LEAST = 1e-6;
const possible = (pair, [low, high]) => {
  if (!pair || !(pair[0] < high && pair[1] > low)) return null;
  const [from, to] = pair.map((end) => within(low, end, high));
  const least = LEAST * (high - low);
  const begin = to - from < least ? within(low, (from + to - least) / 2, high - least) : from;
  const ends = [begin, Math.max(to, begin + least)];
  return ends[0] > low || ends[1] < high ? ends : null;
};
const keepPossible = (figure) => {
  const { view, ends } = figure;
  view.x = possible(view.x, ends.x);
  if (!view.log) {
    view.y = possible(view.y, [Math.min(ends.y[0], 0), ends.y[1] * 1.05]);
    return;
  }
  const [low, high] = ends.log;
  const powers = view.y?.map((end) => Math.log(Math.max(end, Number.MIN_VALUE)));
  view.y = possible(powers, [oneDigit(low), high * 1.3].map(Math.log))?.map(Math.exp) ?? null;
  if (view.y) view.y[0] = oneDigit(view.y[0]);
};

const apply = (figure) => {
  const plot = open.get(figure);
  keepPossible(figure);
  const [min, max] = figure.view.x ?? figure.whole;
  plot.setScale("x", { min, max });
  if (figure.view.y) plot.setScale("y", { min: figure.view.y[0], max: figure.view.y[1] });
  remember(figure);
};
const all = (figure) => {
  Object.assign(figure.view, { x: null, y: null });
  apply(figure);
};

const select = (figure, plot) => {
  const { left, top, width, height } = plot.select;
  if (!width && !height) return;
  if (width > 4 && width < plot.over.clientWidth) figure.view.x = [left, left + width].map((px) => plot.posToVal(px, "x"));
  if (height > 4 && height < plot.over.clientHeight) figure.view.y = [top + height, top].map((px) => plot.posToVal(px, "y"));
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  apply(figure);
};

// The view after a zoom by that factor around a share of the plot, and a move by a share of it.
const moveX = (figure, factor, around, by = 0) => {
  const { min, max } = open.get(figure).scales.x;
  const [first, last] = figure.whole;
  const span = within(2 * LEAST * (last - first), (max - min) * factor, last - first);
  const begin = within(first, min + around * (max - min) - around * span + by * span, last - span);
  figure.view.x = span >= last - first ? null : [begin, begin + span];
  apply(figure);
};
const moveY = (figure, factor, around = 0, by = 0) => {
  const { min, max } = open.get(figure).scales.y;
  const [to, from] = figure.view.log ? [Math.log, Math.exp] : [(v) => v, (v) => v];
  const [low, high] = [to(min), to(max)];
  const span = (high - low) * factor;
  const begin = low + around * (high - low) - around * span + by * span;
  figure.view.y = [from(begin), from(begin + span)];
  apply(figure);
};

const KEYS = {
  "+": (figure) => moveX(figure, 0.5, 0.5), "=": (figure) => moveX(figure, 0.5, 0.5), "-": (figure) => moveX(figure, 2, 0.5),
  ArrowLeft: (figure) => moveX(figure, 1, 0, -0.25), ArrowRight: (figure) => moveX(figure, 1, 0, 0.25),
  ArrowUp: (figure) => moveY(figure, 0.5), ArrowDown: (figure) => moveY(figure, 2),
  0: all, l: (figure) => logOrLinear(figure), Escape: (figure) => close(figure),
};

const gestures = (figure, plot) => {
  const { over } = plot;
  const share = (event) => [
    (event.clientX - over.getBoundingClientRect().left) / over.clientWidth,
    1 - (event.clientY - over.getBoundingClientRect().top) / over.clientHeight,
  ];
  over.addEventListener("wheel", (event) => {
    // Without it the wheel scrolls the page.
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const [across, up] = share(event);
    const factor = Math.exp(within(-200, event.deltaY || event.deltaX, 200) / 300);
    if (event.shiftKey) moveY(figure, factor, up);
    else moveX(figure, factor, across);
  }, { passive: false });
  const fingers = new Map();
  over.addEventListener("pointerdown", (event) => { if (event.pointerType === "touch") fingers.set(event.pointerId, share(event)); });
  for (const end of ["pointerup", "pointercancel"]) over.addEventListener(end, (event) => fingers.delete(event.pointerId));
  over.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    const [was, now] = [fingers.get(event.pointerId), share(event)];
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    fingers.set(event.pointerId, now);
    if (!other) return moveX(figure, 1, 0, was[0] - now[0]);
    const [before, after] = [was, now].map((one) => Math.abs(one[0] - other[0]));
    if (before > 0.02 && after > 0.02) moveX(figure, before / after, (now[0] + other[0]) / 2);
  });
};

const show = (figure, view = {}) => {
  const chart = chartOf(figure);
  figure.view = { x: null, y: null, log: chart.scale === "log", ...view };
  figure.classList.add("zoomed");
  hideTip();
  state(figure);
  return (figure.drawn = draw(figure).then(() => remember(figure)));
};
const close = (figure) => {
  figure.classList.remove("zoomed");
  state(figure);
  remember();
  const picture = [...figure.querySelectorAll(".still")].find((still) => still.offsetWidth)?.firstElementChild;
  picture?.focus({ preventScroll: true });
};
const logOrLinear = (figure) => {
  Object.assign(figure.view, { log: !figure.view.log, y: null });
  state(figure);
  figure.drawn = draw(figure).then(() => remember(figure));
};

// The parts of the page that say whether a figure is zoomed.
const state = (figure) => {
  const on = figure.classList.contains("zoomed");
  figure.querySelectorAll(".zoom,.zoom-title,.zoom-note").forEach((part) => { part.hidden = !on; });
  const tools = figure.nextElementSibling;
  tools.querySelector(".zoom-button").setAttribute("aria-pressed", String(on));
  for (const button of tools.querySelectorAll(".zoom-only")) button.hidden = !on;
  tools.querySelector(".log-button").setAttribute("aria-pressed", String(Boolean(on && figure.view.log)));
};

for (const figure of figuresWithCharts) {
  const tools = figure.nextElementSibling;
  tools.querySelector(".zoom-button").hidden = false;
  tools.querySelector(".zoom-button").addEventListener("click", () => (figure.classList.contains("zoomed") ? close(figure) : show(figure)));
  tools.querySelector(".log-button").addEventListener("click", () => logOrLinear(figure));
  tools.querySelector(".all-button").addEventListener("click", () => all(figure));
  figure.querySelector(".zoom").addEventListener("keydown", (event) => {
    if (!KEYS[event.key] || event.ctrlKey || event.metaKey || event.altKey || !open.has(figure)) return;
    event.preventDefault();
    KEYS[event.key](figure);
  });
  for (const picture of figure.querySelectorAll(".still>.picture")) brush(figure, picture);
}

// On the still picture: what is drawn over with the mouse is zoomed into, by Ctrl and the wheel what is under the pointer.
function brush(figure, picture) {
  let from = null;
  const band = document.createElementNS(SVG, "rect");
  band.setAttribute("class", "brush");
  const reach = (event) => {
    const box = picture.getBoundingClientRect();
    return within(from.plot.left, ((event.clientX - box.left) / box.width) * picture.viewBox.baseVal.width, from.plot.left + from.plot.width);
  };
  picture.addEventListener("pointerdown", (event) => {
    const place = event.pointerType === "mouse" && event.button === 0 && placeIn(picture, event.clientX, event.clientY);
    if (!place) return;
    event.preventDefault();
    from = place;
    from.px = reach(event);
    picture.setPointerCapture(event.pointerId);
  });
  picture.addEventListener("pointermove", (event) => {
    if (!from) return;
    const to = reach(event);
    figure.brushing = Math.abs(to - from.px) > 6;
    if (!figure.brushing) return;
    hideTip();
    const { top, height } = from.plot;
    for (const [name, value] of Object.entries({ x: Math.min(from.px, to), y: top, width: Math.abs(to - from.px), height })) band.setAttribute(name, value);
    picture.append(band);
  });
  picture.addEventListener("pointerup", (event) => {
    if (figure.brushing) {
      const ends = [from.px, reach(event)].map((px) => back(from.plot.x, (px - from.plot.left) / from.plot.width));
      show(figure, { x: ends.sort((one, other) => one - other) });
    }
    band.remove();
    from = figure.brushing = null;
  });
  const zoomAt = (share, x) => {
    const value = back(x, share);
    const span = (x.high - x.low) * 0.5;
    const begin = within(x.low, value - share * span, x.high - span);
    show(figure, { x: [begin, begin + span] }).then(() => figure.querySelector(".zoom").focus({ preventScroll: true }));
  };
  picture.addEventListener("wheel", (event) => {
    const place = (event.ctrlKey || event.metaKey) && event.deltaY < 0 && placeIn(picture, event.clientX, event.clientY);
    if (!place) return;
    event.preventDefault();
    zoomAt(forth(place.plot.x, place.value), place.plot.x);
  }, { passive: false });
  picture.addEventListener("keydown", (event) => {
    if (!["+", "="].includes(event.key) || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    zoomAt(figure.readShare ?? 0.5, plotsOf(picture)[figure.readPlot ?? 0].x);
  });
}

const redraw = () => open.forEach((_, figure) => { if (figure.classList.contains("zoomed")) figure.drawn = draw(figure); });
addEventListener("resize", redraw);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
