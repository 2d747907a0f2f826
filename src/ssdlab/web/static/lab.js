"use strict";
// Keeps a page as its run goes on. Without this script a page is as it was when it was loaded.
(() => {
  const main = document.querySelector("[data-stream]");
  if (!main) return;
  const byId = (id) => document.getElementById(id);
  let inks = {};
  const ink = (name) => (inks[name] ??= getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim());

  // A part of the page in place of the old one; the focus stays where it was. What begins to listen is told what the page has already.
  const put = (part, html) => {
    if (part.innerHTML === html) return;
    const active = part.contains(document.activeElement) ? document.activeElement : null;
    const place = active && (active.getAttribute("href") ?? active.className);
    part.innerHTML = html;
    if (!active) return;
    const again = [...part.querySelectorAll("a, [tabindex]")].find((one) => (one.getAttribute("href") ?? one.className) === place);
    again?.focus({ preventScroll: true });
  };

  // What a screen reader says by itself: a new step, not each number.
  let step = byId("step")?.textContent;
  const tellStep = () => {
    const now = byId("step")?.textContent;
    if (now && now !== step) byId("told").textContent = now;
    step = now;
  };

  // However much comes, the page changes so often at most, and not while nobody sees it; what comes first is shown at once.
  const PAINT_EVERY_MS = 400;
  const changed = new Map();
  let painted_ms = -PAINT_EVERY_MS;
  let timer = null;
  const paint = () => {
    timer = null;
    if (document.hidden) return;
    painted_ms = performance.now();
    for (const [part, html] of changed) put(part, html);
    changed.clear();
    tellStep();
    chart?.draw();
  };
  const paintSoon = () => { timer ??= setTimeout(paint, Math.max(0, painted_ms + PAINT_EVERY_MS - performance.now())); };

  const chart = byId("chart") ? liveChart(byId("chart"), paintSoon) : null;

  // A browser keeps few connections to one server, so a page that nobody sees has none; it goes on where it was.
  let place = "";
  let source = null;
  let isOver = false;
  const connect = () => {
    source = new EventSource(`${main.dataset.stream}?place=${encodeURIComponent(place)}`);
    const on = (kind, act) => source.addEventListener(kind, (event) => {
      place = event.lastEventId || place;
      act(JSON.parse(event.data));
    });
    source.addEventListener("open", () => { byId("connection").hidden = true; });
    source.addEventListener("error", () => {
      const given_up = source.readyState === EventSource.CLOSED;
      byId("connection").hidden = given_up;
      byId("refused").hidden = !given_up;
    });
    for (const part of document.querySelectorAll("[id^=part-]")) {
      on(part.id, (html) => { changed.set(part, html); paintSoon(); });
    }
    on("over", () => {
      isOver = true;
      source.close();
      byId("over").hidden = false;
      byId("asked")?.remove();
    });
    if (!chart) return;
    on("anew", () => chart.anew());
    on("points", (points) => chart.add(points));
    on("phases", (told) => chart.phases(told));
  };
  document.addEventListener("visibilitychange", () => {
    source?.close();
    if (document.hidden) return;
    paintSoon();
    if (!isOver) connect();
  });
  connect();

  // Bandwidth over the time of the run: steps as bands behind it, the slowest I/Os of finished steps as a strip above it.
  function liveChart(place, paintSoon) {
    const words = JSON.parse(place.dataset.words);
    const lang = document.documentElement.lang;
    const points = new KeptPoints();
    const data = [points.x, points.y];
    let phases = { bands: [], strip: [] };
    // What is read with the keyboard stays while points come: its time, as its place may be another then.
    let chosen_s = null;
    const shown = (value) => (value == null ? "–" : value.toLocaleString(lang, { maximumSignificantDigits: 4 }));
    const clock = (seconds) => {
      const whole = Math.max(0, Math.round(seconds));
      const two = (number) => String(number).padStart(2, "0");
      return whole < 3600 ? `${Math.floor(whole / 60)}:${two(whole % 60)}` : `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
    };
    const STRIP_PX = 14;

    // Whole pixels: between two cells of the strip nothing shows through.
    const pxOf = (plot) => {
      const { min, max } = plot.scales.x;
      return (seconds) => Math.round(plot.valToPos(Math.min(max, Math.max(min, seconds ?? max)), "x", true));
    };

    let names = [];
    const drawBands = (plot) => {
      const { ctx, bbox } = plot;
      const { min, max } = plot.scales.x;
      const px = pxOf(plot);
      ctx.save();
      names = [];
      let shaded = false;
      let group = null;
      for (const [begin, end, , name] of phases.bands) {
        const another = name !== group;
        if (another) shaded = !shaded;
        group = name;
        if ((end ?? max) < min || begin > max) continue;
        if (shaded) {
          ctx.fillStyle = ink("shade");
          ctx.fillRect(px(begin), bbox.top, px(end) - px(begin), bbox.height);
        }
        if (another) names.push([name, px(begin)]);
      }
      ctx.restore();
    };
    const drawStrip = (plot) => {
      const { ctx, bbox } = plot;
      const { min, max } = plot.scales.x;
      const px = pxOf(plot);
      ctx.save();
      for (const [begin, end, level] of phases.strip) {
        if (end < min || begin > max) continue;
        ctx.fillStyle = ink(`heat-${level + 1}`);
        ctx.fillRect(px(begin), bbox.top, Math.max(1, px(end) - px(begin)), STRIP_PX * devicePixelRatio);
      }
      ctx.font = `${12 * devicePixelRatio}px ${getComputedStyle(place).fontFamily}`;
      ctx.textAlign = "left";
      ctx.textBaseline = "top";
      ctx.fillStyle = ink("faint-text");
      let free = bbox.left;
      for (const [name, left] of names) {
        const width = ctx.measureText(name).width + 8;
        if (left < free || left + width > bbox.left + bbox.width) continue;
        ctx.fillText(name, left + 4, bbox.top + (STRIP_PX + 4) * devicePixelRatio);
        free = left + width;
      }
      ctx.restore();
    };

    const stepAt = (seconds) => phases.bands.findLast(([begin, end]) => begin <= seconds && (end == null || seconds <= end))?.[2] ?? "";
    const read = (index) => {
      const seconds = index == null ? null : data[0][index];
      const text = seconds == null ? "" : `${clock(seconds)} · ${stepAt(seconds)} · ${shown(data[1][index])} MiB/s`;
      byId("readout").textContent = text || "\u00a0";
      return text;
    };

    const axis = (label, size, values) => ({
      label, size, labelSize: 22, stroke: ink("text"), grid: { stroke: ink("grid"), width: 1 }, ticks: { stroke: ink("axis"), width: 1 }, values,
      font: `12px ${getComputedStyle(place).fontFamily}`, labelFont: `12px ${getComputedStyle(place).fontFamily}`,
    });
    const make = () => new uPlot({
      width: place.clientWidth, height: Math.max(280, Math.min(400, place.clientWidth * 0.45)),
      scales: { x: { time: false }, y: { range: (_, low, high) => [0, (high || 1) * 1.15] } },
      axes: [
        { ...axis(words.time, 40, (_, ticks) => ticks.map(clock)), incrs: [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400] },
        axis(words.speed, 62, (_, ticks) => ticks.map(shown)),
      ],
      legend: { show: false },
      series: [{}, { stroke: ink("s1"), width: 1.5, spanGaps: false, points: { size: 4 } }],
      cursor: { y: false, drag: { x: true, y: false } },
      hooks: { drawClear: [drawBands], drawAxes: [drawStrip], setCursor: [(plot) => { if (chosen_s == null) read(plot.cursor.idx); }] },
    }, data, place);

    let plot = make();
    const redraw = () => {
      inks = {};
      plot.destroy();
      plot = make();
      pointSoon();
    };
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
    let width = place.clientWidth;
    new ResizeObserver(() => {
      if (place.clientWidth !== width) { width = place.clientWidth; redraw(); }
    }).observe(place);

    const point = () => {
      if (chosen_s == null || !data[0].length) return;
      const index = points.nearest(chosen_s);
      plot.setCursor({ left: plot.valToPos(data[0][index], "x"), top: 1 });
      read(index);
    };
    // What is drawn anew has its scales only after this turn, and where the cursor stands is told by them.
    const pointSoon = () => queueMicrotask(point);
    place.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1, PageUp: -20, PageDown: 20, Home: -Infinity, End: Infinity }[event.key];
      if (by === undefined || !data[0].length || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      const last = data[0].length - 1;
      const index = Math.max(0, Math.min(last, (chosen_s == null ? last : points.nearest(chosen_s)) + by));
      chosen_s = data[0][index];
      pointSoon();
      byId("told").textContent = read(index);
    });
    place.addEventListener("blur", () => { chosen_s = null; });
    place.addEventListener("pointermove", () => { chosen_s = null; });

    // Nothing is drawn that is scrolled out of the window.
    let isSeen = true;
    new IntersectionObserver(([now]) => { isSeen = now.isIntersecting; paintSoon(); }).observe(place);
    let isDrawn = true;
    const changes = (act) => (told) => { act(told); isDrawn = false; paintSoon(); };
    // Whoever looks closer at a part goes on looking at it.
    const isWhole = () => !drawn || (plot.scales.x.min <= drawn[0] && plot.scales.x.max >= drawn[1]);
    let drawn = null;
    const draw = () => {
      if (isDrawn || !isSeen) return;
      isDrawn = true;
      const whole = isWhole();
      drawn = data[0].length ? [data[0][0], data[0].at(-1)] : null;
      plot.setData(data, whole);
      if (!whole) plot.redraw();
      pointSoon();
    };
    // What is kept, for scripts that look at the page.
    place.points = () => data;
    return {
      draw,
      anew: changes(() => { chosen_s = null; points.clear(); }),
      add: changes((more) => points.add(more)),
      phases: changes((told) => { phases = told; }),
    };
  }
})();
