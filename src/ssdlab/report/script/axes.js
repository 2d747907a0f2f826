// Over bytes or over time: two figures of the same passes take each other's place.
const parts = (figure) => [figure, figure.nextElementSibling];
const exchange = (one, other) => {
  const [here, there] = [one, other].map((figure) => {
    const place = document.createComment("");
    figure.before(place);
    return place;
  });
  here.after(...parts(other));
  there.after(...parts(one));
  here.remove();
  there.remove();
};

const axisSwitch = (figure, other, text) => {
  const button = made("button", { type: "button", value: "axis", textContent: text });
  button.addEventListener("click", () => {
    exchange(figure, other);
    leave(figure);
    // A chart that was drawn where it was narrower or wider.
    redraw();
    other.nextElementSibling.querySelector("[value=axis]").focus({ preventScroll: true });
  });
  figure.nextElementSibling.querySelector("[value=link]").before(button);
};
for (const bytes of document.querySelectorAll("figure[id$='-over-bytes']")) {
  const time = document.getElementById(bytes.id.replace(/bytes$/, "time"));
  if (!time) continue;
  axisSwitch(bytes, time, words.time);
  axisSwitch(time, bytes, words.bytes);
}
