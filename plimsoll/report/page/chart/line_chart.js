// A chart of lines over a common axis, with hover, zoom and keys.
// series: [{name, x, y, colour (of the style sheet), dash (a place in DASHES), band: [least, largest]}]
// options: {height, xName, format, fromZero, noLog, level: {value, name}}. The figure has update(series, level), for runs
// that go on.

const KEYS = "Arrow keys move over the points, plus and minus zoom, 0 shows everything.";

function lineChart(title, series, options) {
  const chart = { options: Object.assign({ height: 250, xName: "epoch", format: number }, options), log: false, range: null, at: null };
  const plot = plotBox(title, KEYS), names = el("div", {});
  const reset = el("button", { type: "button", hidden: true, on: { click: () => zoomTo(null) } }, "Show everything");
  const scale = el("button", { type: "button", "aria-pressed": "false", on: { click: () => {
    chart.log = !chart.log;
    scale.setAttribute("aria-pressed", String(chart.log));
    redraw();
  } } }, "log scale");
  const redraw = whenSized(plot.box, (width) => plot.draw(drawLines(chart, width)));
  const numbers = details("Numbers as a table", () => lineTable(title, chart));
  function zoomTo(range) {
    chart.range = range;
    chart.at = null;
    reset.hidden = range === null;
    plot.hide();
    redraw();
  }
  function hover(index, isKey) {
    if (chart.places.length === 0) return;
    const [first, last] = shownPlaces(chart);
    chart.at = chart.looked = Math.max(first, Math.min(last, index));
    redraw();
    plot.show(tipText(chart), chart.toX(chart.places[chart.at]), chart.options.height / 3, isKey);
  }
  const set = (next) => {
    const at = chart.places && chart.at !== null ? chart.places[chart.at] : null;
    chart.series = next;
    chart.places = [...new Set(next.flatMap((it) => it.x))].sort((a, b) => a - b);
    chart.at = at !== null && chart.places.includes(at) ? chart.places.indexOf(at) : null;
    scale.hidden = !canBeLogarithmic(chart);
    if (scale.hidden) chart.log = false;
    names.replaceChildren(...(next.length > 1 ? [legend(next.map(legendItem))] : []));
  };
  set(series);
  const zoomBy = steerLines(chart, plot, { hover, zoomTo, redraw });
  // Fingers have no keys and do not drag: the page scrolls under them.
  const zoom = [["+", "+ zooms in", 0.5], ["−", "− zooms out", 2]].map(([text, label, factor]) =>
    el("button", { type: "button", class: "zoom", "aria-label": label + ": " + title, on: { click: () => zoomBy(factor) } }, text));
  const figure = el("figure", { class: "card chart", "aria-label": title },
    el("figcaption", {}, el("span", { class: "grow" }, title), zoom, scale, reset), names, plot.box, plot.said, numbers);
  figure.update = (next, level) => { chart.options.level = level || null; set(next); redraw(); };
  return figure;
}

function canBeLogarithmic(chart) {
  return !chart.options.noLog && chart.series.some((it) => it.y.length > 1) && chart.series.every((it) => it.y.every((y) => y === null || y > 0));
}

function legendItem(it) {
  const tone = "var(--" + it.colour + ")";
  return { name: it.name, colour: it.band ? null : tone, fill: it.band ? tone : null, dash: it.dash };
}

function shownPlaces(chart) {
  const places = chart.places;
  if (!chart.range) return [0, places.length - 1];
  return [places.findIndex((x) => x >= chart.range[0]), places.findLastIndex((x) => x <= chart.range[1])];
}

function tipText(chart) {
  const x = chart.places[chart.at], lines = [chart.options.xName + " " + number(x)];
  for (const it of chart.series) {
    const i = it.x.indexOf(x);
    if (i < 0) continue;
    lines.push(it.name + ": " + (it.band ? it.band.map((side) => chart.options.format(side[i])).join(" to ") : chart.options.format(it.y[i])));
  }
  return lines.join("\n");
}

// The pointer and the keys of a chart.
function steerLines(chart, plot, { hover, zoomTo, redraw }) {
  let from = null;
  const offset = (event) => event.clientX - plot.box.getBoundingClientRect().left;
  const nearest = (px) => {
    const x = chart.fromX(px);
    let low = 0, high = chart.places.length - 1;
    while (low < high) { const middle = (low + high) >> 1; if (chart.places[middle] < x) low = middle + 1; else high = middle; }
    return low > 0 && x - chart.places[low - 1] < chart.places[low] - x ? low - 1 : low;
  };
  plot.box.addEventListener("pointerdown", (event) => { if (event.pointerType === "mouse") from = offset(event); });
  plot.box.addEventListener("pointermove", (event) => {
    if (chart.places.length === 0) return;
    chart.mark = from !== null && Math.abs(offset(event) - from) > 5 ? [from, offset(event)] : null;
    hover(nearest(offset(event)), false);
  });
  plot.box.addEventListener("pointerup", (event) => {
    if (chart.mark) { const range = [chart.fromX(from), chart.fromX(offset(event))].sort((a, b) => a - b); chart.mark = null; from = null; zoomBetween(range); }
    from = null;
  });
  plot.box.addEventListener("pointerleave", () => { from = null; chart.mark = null; chart.at = null; plot.hide(); redraw(); });
  plot.box.addEventListener("dblclick", () => zoomTo(null));
  const zoomBetween = (range) => { if (chart.places.filter((x) => x >= range[0] && x <= range[1]).length > 1) zoomTo(range); else redraw(); };
  const zoomBy = (factor) => {
    const first = chart.places[0], last = chart.places[chart.places.length - 1], [least, largest] = chart.range || [first, last];
    const looked = chart.places[chart.at ?? chart.looked], middle = looked >= least && looked <= largest ? looked : (least + largest) / 2, span = (largest - least) * factor;
    if (span >= last - first) return zoomTo(null);
    const from = Math.max(first, Math.min(last - span, middle - span / 2));
    zoomBetween([from, from + span]);
  };
  plot.box.addEventListener("keydown", (event) => {
    if (chart.places.length === 0) return;
    const [first, last] = shownPlaces(chart);
    const moves = { ArrowRight: 1, ArrowLeft: -1, PageDown: 10, PageUp: -10 };
    if (event.key in moves) hover((chart.at === null ? first - (moves[event.key] > 0 ? 1 : 0) : chart.at) + moves[event.key], true);
    else if (event.key === "Home") hover(first, true);
    else if (event.key === "End") hover(last, true);
    else if (event.key === "+" || event.key === "=") zoomBy(0.5);
    else if (event.key === "-") zoomBy(2);
    else if (event.key === "0" || event.key === "Escape") zoomTo(null);
    else return;
    event.preventDefault();
  });
  plot.box.addEventListener("blur", () => { chart.at = null; plot.hide(); redraw(); });
  return zoomBy;
}

function lineTable(title, chart) {
  const every = Math.ceil(chart.places.length / 200), columns = [{ name: chart.options.xName }];
  for (const it of chart.series) columns.push({ name: it.name, number: true });
  const rows = chart.places.filter((_, i) => i % every === 0 || i === chart.places.length - 1).map((x) => [number(x), ...chart.series.map((it) => {
    const i = it.x.indexOf(x);
    return i < 0 ? "" : it.band ? it.band.map((side) => chart.options.format(side[i])).join(" to ") : chart.options.format(it.y[i]);
  })]);
  return table(title + (every > 1 ? `, every ${every}th point` : ""), columns, rows);
}
