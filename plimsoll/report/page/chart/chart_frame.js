// What charts share: nice ticks, a tip beside the pointer, and words for those who do not see it.

function niceTicks(least, largest, count) {
  const step = niceStep((largest - least) / Math.max(1, count));
  const ticks = [];
  for (let tick = Math.ceil(least / step - 1e-9) * step; tick <= largest + step * 1e-9 && ticks.length < 40; tick += step)
    ticks.push(Math.abs(tick) < step * 1e-9 ? 0 : tick);
  return ticks;
}

function niceStep(raw) {
  const power = Math.pow(10, Math.floor(Math.log10(raw || 1)));
  return [1, 2, 5, 10].map((it) => it * power).find((it) => it >= raw * 0.999) || power;
}

function logTicks(least, largest) {
  const ticks = [];
  for (let power = Math.ceil(Math.log10(least) - 1e-9); power <= Math.log10(largest) + 1e-9; ++power)
    ticks.push(Math.pow(10, power));
  while (ticks.length > 7) for (let i = ticks.length - 2; i > 0; i -= 2) ticks.splice(i, 1);
  return ticks.length > 1 ? ticks : [least, largest];
}

// Lines differ by more than their colours.
const DASHES = [null, "7 4", "2 3", "10 3 2 3", "14 4", "4 2 4 6", "1 5", "12 3 2 3 2 3"];

// The box of a chart: focusable, with a tip and a live region that says what the tip shows.
function plotBox(label, help) {
  const tip = el("div", { class: "tip", hidden: true });
  const said = el("div", { class: "sr", "aria-live": "polite" });
  const box = el("div", { class: "plot", tabindex: 0, role: "application", "aria-label": label + ". " + help, "aria-roledescription": "chart" }, tip);
  return {
    box, said,
    show(text, x, y, isKey) {
      tip.textContent = text;
      tip.hidden = false;
      const width = box.clientWidth, own = tip.offsetWidth;
      tip.style.left = Math.max(0, Math.min(width - own, x + 14 + own > width ? x - own - 14 : x + 14)) + "px";
      tip.style.top = Math.max(0, y - tip.offsetHeight / 2) + "px";
      if (isKey) said.textContent = text;
    },
    hide() { tip.hidden = true; },
    draw(drawing) {
      for (const old of [...box.children]) if (old !== tip) old.remove();
      box.prepend(drawing);
    },
  };
}

function legend(items) {
  return el("ul", { class: "legend" }, items.map((it) => el("li", {}, swatch(it), it.name)));
}

function swatch(it) {
  const mark = it.form ? (it.form === "circle" ? svg("circle", { cx: 13, cy: 5.5, r: 5, style: { fill: it.fill } }) : svg("path", { d: "M13 0l5.5 5.5l-5.5 5.5l-5.5 -5.5Z", style: { fill: it.fill } }))
    : it.fill
    ? svg("rect", { x: 4, y: 1, width: 18, height: 9, rx: 2, style: { fill: it.fill } })
    : svg("line", { x1: 1, x2: 25, y1: 5.5, y2: 5.5, "stroke-width": 2.5, "stroke-dasharray": DASHES[it.dash || 0], style: { stroke: it.colour } });
  return svg("svg", { viewBox: "0 0 26 11", "aria-hidden": "true" }, mark);
}
