// Speeds of the verdict, tiles and tables in MB/s in place of MiB/s, each with the digits that its value has in that unit; figures keep
// the unit that their axes name.
const speeds = [...document.querySelectorAll("[data-decimal]")].map((place) => ({ place, binary: place.textContent, decimal: place.dataset.decimal }));
const tips = [...document.querySelectorAll("[data-decimal-tip]")].map((place) => ({ place, binary: place.title, decimal: place.dataset.decimalTip }));
const switches = [];
const inUnits = (on) => {
  switches.forEach((button) => button.setAttribute("aria-pressed", String(on)));
  speeds.forEach(({ place, binary, decimal }) => { place.textContent = on ? decimal : binary; });
  tips.forEach(({ place, binary, decimal }) => { place.dataset.tip = on ? decimal : binary; });
};
for (const table of document.querySelectorAll(".summary")) {
  if (!table.querySelector("[data-decimal]")) continue;
  const button = made("button", { type: "button", className: "units", textContent: "MB/s" });
  button.addEventListener("click", () => inUnits(button.getAttribute("aria-pressed") !== "true"));
  switches.push(button);
  table.closest(".scroll").before(button);
}
inUnits(false);
