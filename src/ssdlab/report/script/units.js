// Speeds of the verdict, tiles and tables in MB/s in place of MiB/s, each with the digits that its value has in that unit; figures keep
// the unit that their axes name. A page whose first screen is written in MB/s begins with all in MB/s.
const inMb = document.querySelector(".answer [data-binary], .tiles [data-binary]") !== null;
const speeds = [...document.querySelectorAll("[data-decimal], [data-binary]")].map((place) => ({
  place,
  binary: place.dataset.binary ?? place.textContent,
  decimal: place.dataset.decimal ?? place.textContent,
}));
const tips = [...document.querySelectorAll("[data-decimal-tip]")].map((place) => ({ place, binary: place.title, decimal: place.dataset.decimalTip }));
const switches = [];
const inUnits = (on) => {
  switches.forEach((button) => button.setAttribute("aria-pressed", String(on)));
  speeds.forEach(({ place, binary, decimal }) => { place.textContent = on ? decimal : binary; });
  tips.forEach(({ place, binary, decimal }) => { place.dataset.tip = on ? decimal : binary; });
};
const unitSwitch = () => {
  const button = made("button", { type: "button", className: "units", textContent: "MB/s" });
  button.addEventListener("click", () => inUnits(button.getAttribute("aria-pressed") !== "true"));
  switches.push(button);
  return button;
};
const told = document.querySelector(".tiles");
if (told?.querySelector("[data-decimal], [data-binary]")) told.after(unitSwitch());
for (const table of document.querySelectorAll(".summary")) {
  if (table.querySelector("[data-decimal]")) table.closest(".scroll").before(unitSwitch());
}
inUnits(inMb);
