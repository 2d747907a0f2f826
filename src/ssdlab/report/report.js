"use strict";
(() => {
  const root = document.documentElement;
  const ink = (name) => getComputedStyle(root).getPropertyValue(`--${name}`).trim();
  const grouped = (value) => (value == null ? "–" : value.toLocaleString(root.lang, { maximumSignificantDigits: 4 }));
  const open = new Map();

  // 32-bit floats, the first bytes of all of them after the last, as `zoom.py` packs them.
  const floats = (packed, from, count) => {
    const bytes = new Uint8Array(4 * count);
    for (let at = 0; at < count; at += 1) {
      for (let part = 0; part < 4; part += 1) bytes[4 * at + part] = packed[from + part * count + at];
    }
    return new Float32Array(bytes.buffer);
  };

  const lines = async (chart) => {
    const deflated = new Blob([Uint8Array.from(atob(chart.points), (c) => c.charCodeAt(0))]);
    const stream = deflated.stream().pipeThrough(new DecompressionStream("deflate"));
    const packed = new Uint8Array(await new Response(stream).arrayBuffer());
    let from = 0;
    const next = (count) => floats(packed, (from += 4 * count) - 4 * count, count);
    return chart.series.map(({ count }) => ({ x: next(count), y: next(count) }));
  };

  const firstFrom = (xs, value) => {
    let low = 0;
    let high = xs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (xs[middle] < value) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  // What a view shows of a line: every point where there is room for it, else the lowest and highest of each pixel column. The
  // neighbours of the view keep the line running to its edges, the ends of the line keep what "all" means.
  const seen = ({ x, y }, min, max, columns) => {
    const from = Math.max(0, firstFrom(x, min) - 1);
    const to = Math.min(x.length, firstFrom(x, max) + 2);
    const kept = new Set([0, x.length - 1]);
    const step = (to - from) / columns;
    for (let column = 0; column < columns; column += 1) {
      const begin = from + Math.floor(column * step);
      const end = from + Math.floor((column + 1) * step);
      if (step <= 2) {
        for (let at = begin; at < end; at += 1) kept.add(at);
        continue;
      }
      let low = begin;
      let high = begin;
      for (let at = begin; at < end; at += 1) {
        if (y[at] < y[low] || Number.isNaN(y[low])) low = at;
        if (y[at] > y[high] || Number.isNaN(y[high])) high = at;
      }
      kept.add(low).add(high);
    }
    const order = [...kept].sort((one, other) => one - other);
    return [order.map((at) => x[at]), order.map((at) => (Number.isNaN(y[at]) ? null : y[at]))];
  };

  const table = (all, min, max, columns) => uPlot.join(all.map((one) => seen(one, min, max, columns)));

  const axis = (label, size) => ({
    label, size, labelSize: 20, stroke: ink("text"), font: "13px Liberation Sans, Arial, sans-serif",
    labelFont: "13px Liberation Sans, Arial, sans-serif", grid: { stroke: ink("grid"), width: 1 },
    ticks: { stroke: ink("axis"), width: 1 }, values: (_, splits) => splits.map((v) => (v == null ? "" : grouped(v))),
  });

  const options = (chart, width, onView) => ({
    width, height: Math.max(280, Math.min(440, width * 0.5)),
    scales: { x: { time: false }, y: chart.scale === "log" ? { distr: 3 } : { range: (_, low, high) => [0, high * 1.05] } },
    axes: [axis(chart.x, 45), axis(chart.y, 65)],
    series: [
      { label: chart.x.split(" ")[0], value: (_, v) => grouped(v) },
      ...chart.series.map((one) => ({
        label: one.label, stroke: ink(`s${one.slot}`), width: 1, dash: one.dash, points: { show: false }, value: (_, v) => grouped(v),
      })),
    ],
    cursor: { drag: { x: true, y: false } },
    hooks: { setScale: [(plot, key) => key === "x" && onView(plot)] },
  });

  const draw = async (figure) => {
    const place = figure.querySelector(".zoom");
    const chart = JSON.parse(figure.querySelector(".chart-data").textContent);
    const all = await lines(chart);
    if (!figure.classList.contains("zoomed")) return;
    open.get(figure)?.destroy();
    place.replaceChildren();
    const columns = Math.max(200, place.clientWidth);
    let shown = "";
    const onView = (plot) => {
      const { min, max } = plot.scales.x;
      if (shown === `${min} ${max}`) return;
      shown = `${min} ${max}`;
      queueMicrotask(() => {
        plot.setData(table(all, min, max, columns), false);
        plot.setScale("x", { min, max });
      });
    };
    const plot = new uPlot(options(chart, place.clientWidth, onView), table(all, -Infinity, Infinity, columns), place);
    open.set(figure, plot);
    place.tabIndex = 0;
    place.setAttribute("role", "application");
    place.setAttribute("aria-label", `${chart.y} / ${chart.x}: ${root.dataset.keys}`);
  };

  const move = (plot, key) => {
    const xs = plot.data[0];
    const { min, max } = plot.scales.x;
    const span = max - min;
    const by = { "+": [0.25, -0.25], "-": [-0.5, 0.5], ArrowLeft: [-0.25, -0.25], ArrowRight: [0.25, 0.25] }[key];
    const first = xs[0];
    const last = xs[xs.length - 1];
    const next = by ? [min + by[0] * span, max + by[1] * span] : [first, last];
    plot.setScale("x", { min: Math.max(first, next[0]), max: Math.min(last, next[1]) });
  };

  const toggle = (figure, button) => {
    const on = figure.classList.toggle("zoomed");
    button.setAttribute("aria-pressed", String(on));
    for (const part of figure.querySelectorAll(".zoom,.zoom-title,.zoom-note")) part.hidden = !on;
    if (on) figure.drawn = draw(figure);
  };

  if ("DecompressionStream" in self) for (const button of document.querySelectorAll(".zoom-button")) {
    const figure = button.closest(".more").previousElementSibling;
    const place = figure.querySelector(".zoom");
    button.hidden = false;
    button.addEventListener("click", () => toggle(figure, button));
    place.addEventListener("keydown", (event) => {
      const key = event.key === "=" ? "+" : event.key;
      if (!["+", "-", "0", "ArrowLeft", "ArrowRight"].includes(key) || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      if (open.has(figure)) move(open.get(figure), key);
    });
  }

  const redraw = () => open.forEach((_, figure) => { if (figure.classList.contains("zoomed")) figure.drawn = draw(figure); });
  addEventListener("resize", redraw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);

  const theme = document.getElementById("theme");
  theme.hidden = false;
  theme.addEventListener("click", () => {
    const dark = getComputedStyle(root).colorScheme === "dark";
    root.dataset.theme = dark ? "light" : "dark";
    redraw();
  });

  const tip = document.body.appendChild(Object.assign(document.createElement("div"), { className: "tip", hidden: true }));
  tip.setAttribute("aria-hidden", "true");
  document.addEventListener("focusin", (event) => {
    const words = event.target.closest?.(".picture [tabindex]")?.querySelector("title")?.textContent;
    tip.hidden = !words;
    if (!words) return;
    const box = event.target.getBoundingClientRect();
    tip.textContent = words;
    tip.style.top = `${box.bottom + scrollY + 8}px`;
    tip.style.left = `${Math.max(8, Math.min(box.left, innerWidth - tip.offsetWidth - 8)) + scrollX}px`;
  });

  addEventListener("beforeprint", () => document.querySelectorAll("details:not(.data)").forEach((one) => { one.open = true; }));
})();
