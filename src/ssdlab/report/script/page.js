// Light or dark, and what unfolds for printing: numbers, not the texts of suites and licences.
const theme = document.getElementById("theme");
theme.hidden = false;
theme.addEventListener("click", () => {
  const dark = getComputedStyle(root).colorScheme === "dark";
  root.dataset.theme = dark ? "light" : "dark";
  redraw();
});

addEventListener("beforeprint", () => document.querySelectorAll("details.fold").forEach((part) => { part.open = true; }));
