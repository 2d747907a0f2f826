"use strict";
// The points of a live chart, so many at most: the newest as they came, of older ones the lowest and the highest of each span of time.
// eslint-disable-next-line no-unused-vars
class KeptPoints {
  static MOST = 8000;
  static NEWEST = 2000;
  static SPANS = 1500;

  constructor() {
    this.x = [];
    this.y = [];
  }

  clear() {
    this.x.length = this.y.length = 0;
  }

  // Pairs of seconds, in their order, and of a value, null where there is none.
  add(pairs) {
    for (const [x, y] of pairs) {
      this.x.push(x);
      this.y.push(y);
    }
    if (this.x.length > KeptPoints.MOST) this.#thin(this.x.length - KeptPoints.NEWEST);
  }

  // All spans are of one length, so that the picture is as fine at its beginning as later.
  #thin(end) {
    const { x, y } = this;
    const begin_s = x[0];
    const span_s = (x[end - 1] - begin_s) / KeptPoints.SPANS || 1;
    let kept = 0;
    for (let first = 0; first < end;) {
      const span = Math.floor((x[first] - begin_s) / span_s);
      let next = first + 1;
      while (next < end && Math.floor((x[next] - begin_s) / span_s) === span) next++;
      // What is kept lies before what is still to be read.
      for (const one of this.#extremes(first, next)) {
        x[kept] = x[one];
        y[kept++] = y[one];
      }
      first = next;
    }
    x.splice(kept, end - kept);
    y.splice(kept, end - kept);
  }

  // Where the lowest and the highest are, and the first without a value, which is a gap in the line.
  #extremes(first, next) {
    let low = null;
    let high = null;
    let gap = null;
    for (let one = first; one < next; one++) {
      const y = this.y[one];
      if (y == null) gap ??= one;
      else {
        if (low === null || y < this.y[low]) low = one;
        if (high === null || y > this.y[high]) high = one;
      }
    }
    return [...new Set([low, high, gap])].filter((one) => one !== null).sort((a, b) => a - b);
  }

  // Where the point is that is nearest to a time; of equals the first.
  nearest(seconds) {
    const { x } = this;
    let low = 0;
    let high = x.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (x[middle] < seconds) low = middle + 1;
      else high = middle;
    }
    return low > 0 && seconds - x[low - 1] <= x[low] - seconds ? low - 1 : low;
  }
}
