// The points of a chart, and what of them a view shows.

// 32-bit floats, the first bytes of all of them after the last, as `zoom.py` packs them.
const floats = (packed, from, count) => {
  const bytes = new Uint8Array(4 * count);
  for (let at = 0; at < count; at += 1) {
    for (let part = 0; part < 4; part += 1) bytes[4 * at + part] = packed[from + part * count + at];
  }
  return new Float32Array(bytes.buffer);
};

// The values that were packed, which had five digits.
const inDigits = (values) => Float64Array.from(values, (value) => Number(value.toPrecision(5)));

const unpacked = async (chart) => {
  const deflated = new Blob([Uint8Array.from(atob(chart.points), (c) => c.charCodeAt(0))]);
  const stream = deflated.stream().pipeThrough(new DecompressionStream("deflate"));
  const packed = new Uint8Array(await new Response(stream).arrayBuffer());
  let from = 0;
  const next = (count) => floats(packed, (from += 4 * count) - 4 * count, count);
  return chart.series.map(({ count }) => ({ x: next(count), y: inDigits(next(count)) }));
};

// What a figure has to read and to zoom into: itself, or nothing. The points are unpacked when they are first needed.
const charts = new Map();
const chartOf = (figure) => {
  const source = figure.querySelector(".chart-data");
  if (!source || !("DecompressionStream" in self)) return null;
  if (!charts.has(figure)) charts.set(figure, JSON.parse(source.textContent));
  return charts.get(figure);
};
const linesOf = (figure) => (figure.lines ??= unpacked(chartOf(figure)).then((lines) => (figure.unpacked = lines)));

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

// As far beyond the end of a line its last value is still read.
const REACH_PX = 4;

// The sample of a line that is nearest to a place on its axis; none where the line lies wholly outside what the pointer reaches.
const nearest = ({ x, y }, value, [low, high]) => {
  if (!x.length || high < x[0] || low > x[x.length - 1]) return null;
  const after = Math.min(firstFrom(x, value), x.length - 1);
  return y[after > 0 && value - x[after - 1] < x[after] - value ? after - 1 : after];
};

// Where a line crosses a place between two of its points, drawn straight as it is there; no number in a gap and beyond its ends.
const crossing = ({ x, y }, place, isLog) => {
  const after = firstFrom(x, place);
  if (after === 0 || after === x.length) return NaN;
  const share = (place - x[after - 1]) / (x[after] - x[after - 1]);
  const [one, other] = [y[after - 1], y[after]];
  return isLog ? one * (other / one) ** share : one + share * (other - one);
};

// The lowest and highest value of lines between two places, of their points and of where they leave; the lowest above 0 where
// only such have a logarithm.
const valuesWithin = (lines, from, to, isLog) => {
  const ends = [Infinity, -Infinity];
  const widen = (value) => {
    if (isLog && !(value > 0)) return;
    if (value < ends[0]) ends[0] = value;
    if (value > ends[1]) ends[1] = value;
  };
  for (const line of lines) {
    const end = firstFrom(line.x, to);
    for (let at = firstFrom(line.x, from); at < end || line.x[at] === to; at += 1) widen(line.y[at]);
    for (const place of [from, to]) widen(crossing(line, place, isLog));
  }
  return ends;
};

// What a view shows of a line: every point where there is room for it, else the lowest and highest of each pixel column, and
// where its first gap begins and its last one ends. The neighbours of the view keep the line running to its edges, the ends of
// the line keep what "all" means.
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
    let gapBegin = null;
    let gapEnd = null;
    for (let at = begin; at < end; at += 1) {
      if (y[at] < y[low] || Number.isNaN(y[low])) low = at;
      if (y[at] > y[high] || Number.isNaN(y[high])) high = at;
      if (at === 0 || Number.isNaN(y[at]) === Number.isNaN(y[at - 1])) continue;
      if (Number.isNaN(y[at])) gapBegin ??= at;
      else gapEnd = at;
    }
    kept.add(low).add(high);
    // A gap that goes on in the next column.
    for (const at of [begin, end - 1]) if (Number.isNaN(y[at])) kept.add(at);
    for (const at of [gapBegin, gapEnd]) if (at != null) kept.add(at - 1).add(at);
  }
  const order = [...kept].sort((one, other) => one - other);
  return [order.map((at) => x[at]), order.map((at) => (Number.isNaN(y[at]) ? null : y[at]))];
};

// One table of all lines, as uPlot wants them. A line has no value where only others have one; next to its gaps that is
// part of the gap (2), else the line would run into it as far as the next value of another line.
const table = (all, min, max, columns) => uPlot.join(all.map((line) => seen(line, min, max, columns)), all.map(() => [0, 2]));
