// A link to a figure as it is shown, and the figure as a file.
const address = (figure) => {
  const parts = [];
  if (figure?.classList.contains("zoomed")) {
    const { x, y, log } = figure.view;
    const ends = (pair) => pair.map((end) => Number(end.toPrecision(7))).join("_");
    parts.push(`zoom=${x ? ends(x) : "all"}`);
    if (y) parts.push(`y=${ends(y)}`);
    parts.push(`scale=${log ? "log" : "linear"}`);
  }
  if (off.size) parts.push(`without=${[...off].join("_")}`);
  return `#${[figure?.id ?? "", ...parts].join("&")}`;
};
// Named as a declaration: the parts before this one call it, later.
function remember(figure) {
  history.replaceState(null, "", figure || off.size ? address(figure) : location.pathname + location.search);
}

// Of an address that nobody here made, too: what is no address of a figure says nothing.
const asWritten = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
const recall = () => {
  const [id, ...parts] = asWritten(location.hash.slice(1)).split("&");
  const asked = Object.fromEntries(parts.map((part) => part.split("=")));
  const ends = (text) => {
    const pair = (text ?? "").split("_").map(Number);
    return pair.length === 2 && pair.every(Number.isFinite) && pair[0] < pair[1] ? pair : null;
  };
  hideTip();
  // A link to a place of the page says nothing of drives; any other shows all that it does not name.
  if (parts.length) setOff((asked.without ?? "").split("_").map(Number).filter((slot) => toggled.includes(slot)));
  const figure = parts.length && document.getElementById(id);
  if (!figure) return;
  figure.scrollIntoView();
  if (asked.zoom && figuresWithCharts.includes(figure)) show(figure, { x: ends(asked.zoom), y: ends(asked.y), log: asked.scale === "log" });
};

const save = (name, blob) => {
  const link = made("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
};

// On white, with the light colours, as the files of `ssdlab report --figures` are.
const LIGHT = Object.fromEntries(root.dataset.light.split(";").filter(Boolean).map((rule) => rule.split(":")));
const stillPicture = (figure) => {
  const still = [...figure.querySelectorAll(".still")].find((one) => one.offsetWidth) ?? figure.querySelector(".still.wide");
  const copy = still.firstElementChild.cloneNode(true);
  copy.querySelectorAll(".cross,.brush").forEach((line) => line.remove());
  for (const name of ["tabindex", "style", "class", "data-plots"]) copy.removeAttribute(name);
  return copy;
};
const asSvg = (figure) => {
  const copy = figure.classList.contains("zoomed") ? zoomedPicture(figure) : stillPicture(figure);
  const { width, height } = copy.viewBox.baseVal;
  for (const [name, value] of Object.entries({ xmlns: SVG, width, height, "font-family": "Liberation Sans, Arial, Helvetica, sans-serif" })) copy.setAttribute(name, value);
  const text = new XMLSerializer().serializeToString(copy).replace(/var\((--[\w-]+)\)/g, (_, name) => LIGHT[name] ?? "#000");
  return { text: text.replace(/>/, `><rect width="${width}" height="${height}" fill="#ffffff"/>`), width, height };
};

const asPng = async (figure) => {
  const { text, width, height } = asSvg(figure);
  const image = made("img", { src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}` });
  await image.decode();
  const canvas = made("canvas", { width: 2 * width, height: 2 * height });
  canvas.getContext("2d").drawImage(image, 0, 0, 2 * width, 2 * height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
};

// The lines where there are any, else the table; words never as what a spreadsheet would compute.
const cell = (label) => {
  // What sets a name apart on the page is no part of it.
  const text = label.replace(/[\u2068\u2069]/g, "");
  const safe = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
const asCsv = async (figure) => {
  const chart = chartOf(figure);
  const rows = [];
  if (chart) {
    rows.push(["line", chart.x, chart.y]);
    const lines = await linesOf(figure);
    // As many as a 32-bit float has.
    const digits = (value) => String(Number(value.toPrecision(7)));
    chart.series.forEach(({ label: name }, at) => {
      lines[at].x.forEach((x, row) => rows.push([name, digits(x), Number.isNaN(lines[at].y[row]) ? "nan" : String(lines[at].y[row])]));
    });
  } else {
    for (const row of figure.nextElementSibling.querySelectorAll(".data tr")) {
      rows.push([...row.cells].map(({ textContent }) => (/^-?\d[\d,]*(\.\d+)?$/.test(textContent) ? textContent.replaceAll(",", "") : textContent)));
    }
  }
  return rows.map((row) => row.map(cell).join(",")).join("\n") + "\n";
};

const copyLink = async (figure, button) => {
  remember(figure);
  try {
    await navigator.clipboard.writeText(location.href);
    spoken.textContent = words.copied;
    button.dataset.done = words.copied;
  } catch {
    // The address line of the browser has it.
    spoken.textContent = words.address;
    button.dataset.done = words.address;
  }
  setTimeout(() => delete button.dataset.done, 3000);
};

for (const tools of document.querySelectorAll(".tools")) {
  const figure = tools.parentElement.previousElementSibling;
  const act = {
    link: (button) => copyLink(figure, button),
    // A figure that was zoomed into just now is still being drawn.
    svg: async () => {
      await figure.drawn;
      save(`${figure.id}.svg`, new Blob([asSvg(figure).text], { type: "image/svg+xml" }));
    },
    png: async () => {
      await figure.drawn;
      save(`${figure.id}.png`, await asPng(figure));
    },
    csv: async () => save(`${figure.id}.csv`, new Blob([await asCsv(figure)], { type: "text/csv" })),
  };
  tools.hidden = false;
  const buttons = [...tools.querySelectorAll("button")];
  for (const button of buttons) button.addEventListener("click", () => { figure.done = act[button.value]?.(button); });
  // One stop of the Tab key: arrow keys go from button to button.
  const stop = (button) => buttons.forEach((other) => { other.tabIndex = other === button ? 0 : -1; });
  stop(buttons.find((button) => !button.hidden));
  tools.addEventListener("focusin", (event) => stop(event.target));
  tools.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const there = buttons.filter((button) => !button.hidden);
    there[within(0, there.indexOf(document.activeElement) + by, there.length - 1)].focus();
  });
}

addEventListener("hashchange", recall);
recall();
