// A chart of lines over a common axis, with hover, zoom and keys.
// series: [{name, x, y, colour (of the style sheet), dashed, band: [least, largest]}]

const KEYS = "Arrow keys move over the points, plus and minus zoom, 0 shows everything.";

function lineChart(title, series, options) {
  const chart = { series, options: Object.assign({ height: 250, xName: "epoch", format: number }, options), log: false, range: null, at: null };
  const plot = plotBox(title, KEYS);
  const reset = el("button", { type: "button", hidden: true, on: { click: () => zoomTo(null) } }, "Show everything");
  const canLog = series.some((it) => it.y.length > 1) && series.every((it) => it.y.every((y) => y === null || y > 0)) && !options.noLog;
  const scale = canLog && el("button", { type: "button", "aria-pressed": "false", on: { click: () => {
    chart.log = !chart.log;
    scale.setAttribute("aria-pressed", String(chart.log));
    redraw();
  } } }, "log scale");
  const places = [...new Set(series.flatMap((it) => it.x))].sort((a, b) => a - b);
  chart.places = places;

  const redraw = whenSized(plot.box, (width) => plot.draw(drawLines(chart, width)));
  function zoomTo(range) {
    chart.range = range;
    chart.at = null;
    reset.hidden = range === null;
    plot.hide();
    redraw();
  }
  function hover(index, isKey) {
    const [first, last] = shownPlaces(chart);
    chart.at = Math.max(first, Math.min(last, index));
    redraw();
    plot.show(tipText(chart), chart.toX(places[chart.at]), chart.options.height / 3, isKey);
  }
  steerLines(chart, plot, { hover, zoomTo, redraw });
  return el("figure", { class: "card chart", "aria-label": title },
    el("figcaption", {}, el("span", { class: "grow" }, title), scale, reset),
    series.length > 1 && legend(series.map((it) => ({ name: it.name, colour: it.band ? null : "var(--" + it.colour + ")", fill: it.band ? "var(--" + it.colour + ")" : null, dashed: it.dashed }))),
    plot.box, plot.said,
    details("Numbers as a table", () => lineTable(title, chart)));
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

// Of what is shown: [least, largest] of both axes.
function extents(chart) {
  const places = chart.places;
  const x = chart.range || [places[0], places[places.length - 1]];
  let least = Infinity, largest = -Infinity;
  for (const it of chart.series)
    it.x.forEach((place, i) => {
      if (place < x[0] || place > x[1]) return;
      for (const value of it.band ? [it.band[0][i], it.band[1][i]] : [it.y[i]])
        if (value !== null) { least = Math.min(least, value); largest = Math.max(largest, value); }
    });
  if (least > largest) { least = 0; largest = 1; }
  if (chart.options.fromZero && !chart.log) least = Math.min(0, least);
  if (least === largest) { const room = Math.abs(least) * 0.1 || 1; least -= chart.log ? least / 2 : room; largest += room; }
  const room = chart.log ? 0 : (largest - least) * 0.05;
  return { x: x[0] === x[1] ? [x[0] - 0.5, x[1] + 0.5] : x, y: [chart.options.fromZero && least === 0 ? 0 : least - room, largest + room] };
}

function drawLines(chart, width) {
  const height = chart.options.height, extent = extents(chart);
  const unit = chart.options.format === bytes ? byteUnit(extent.y[1]) : 1;
  const ticks = chart.log ? logTicks(...extent.y) : niceTicks(extent.y[0] / unit, extent.y[1] / unit, 5).map((it) => it * unit);
  const texts = ticks.map((it) => chart.options.format(it));
  const left = Math.max(34, 10 + 7.2 * Math.max(...texts.map((it) => it.length))), right = width - 12, top = 10, bottom = height - 38;
  const toY = chart.log ? (y) => bottom - (Math.log(y / extent.y[0]) / Math.log(extent.y[1] / extent.y[0])) * (bottom - top)
    : (y) => bottom - ((y - extent.y[0]) / (extent.y[1] - extent.y[0])) * (bottom - top);
  chart.toX = (x) => left + ((x - extent.x[0]) / (extent.x[1] - extent.x[0])) * (right - left);
  chart.fromX = (px) => extent.x[0] + ((px - left) / (right - left)) * (extent.x[1] - extent.x[0]);
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, height, "aria-hidden": "true" });
  ticks.forEach((tick, i) => {
    drawing.append(svg("line", { x1: left, x2: right, y1: toY(tick), y2: toY(tick), style: { stroke: "var(--grid)" } }),
      svg("text", { x: left - 6, y: toY(tick) + 4, "text-anchor": "end" }, texts[i]));
  });
  const whole = (it) => Number.isInteger(it) || extent.x[1] - extent.x[0] < 2;
  for (const tick of niceTicks(extent.x[0], extent.x[1], width / 90).filter(whole))
    drawing.append(svg("text", { x: chart.toX(tick), y: height - 22, "text-anchor": "middle" }, number(tick)));
  const clip = newId();
  drawing.append(svg("clipPath", { id: clip }, svg("rect", { x: left - 1, y: 0, width: right - left + 2, height: bottom + 1 })));
  const inside = svg("g", { "clip-path": `url(#${clip})` });
  for (const it of chart.series) drawSeries(it, chart, inside, toY, top);
  drawing.append(inside, svg("text", { x: right, y: height - 5, "text-anchor": "end" }, chart.options.xName));
  if (chart.mark) drawing.append(svg("rect", { x: Math.min(...chart.mark), y: top, width: Math.abs(chart.mark[1] - chart.mark[0]), height: bottom - top, opacity: 0.15, style: { fill: "var(--accent)" } }));
  if (chart.at !== null) drawHover(chart, drawing, toY, top, bottom);
  return drawing;
}

function drawSeries(it, chart, into, toY, top) {
  const stroke = { stroke: "var(--" + it.colour + ")" };
  if (it.band) {
    const up = it.x.map((x, i) => [chart.toX(x), it.band[1][i]]), down = it.x.map((x, i) => [chart.toX(x), it.band[0][i]]).reverse();
    const points = [...up, ...down].filter((p) => p[1] !== null).map((p) => p[0].toFixed(1) + "," + toY(p[1]).toFixed(1));
    into.append(svg("polygon", { points: points.join(" "), opacity: 0.25, style: { fill: "var(--" + it.colour + ")" } }));
    return;
  }
  let path = "", pen = "M";
  it.x.forEach((x, i) => {
    if (it.y[i] === null) {
      pen = "M";
      into.append(svg("path", { d: `M${chart.toX(x) - 4} ${top}l8 8m0 -8l-8 8`, "stroke-width": 2, style: { stroke: "var(--bad)" } }));
      return;
    }
    path += pen + chart.toX(x).toFixed(1) + " " + toY(it.y[i]).toFixed(1);
    pen = "L";
  });
  into.append(svg("path", { class: "series", d: path, fill: "none", "stroke-width": 2.2, "stroke-linejoin": "round", "stroke-dasharray": it.dashed ? "6 4" : null, style: stroke }));
  if (it.x.length <= 30) it.x.forEach((x, i) => {
    if (it.y[i] !== null) into.append(svg("circle", { cx: chart.toX(x), cy: toY(it.y[i]), r: it.x.length === 1 ? 4 : 2.6, style: { fill: "var(--" + it.colour + ")" } }));
  });
}

function drawHover(chart, drawing, toY, top, bottom) {
  const place = chart.places[chart.at], x = chart.toX(place);
  drawing.append(svg("line", { class: "hover", x1: x, x2: x, y1: top, y2: bottom, style: { stroke: "var(--soft)" } }));
  for (const it of chart.series) {
    const i = it.x.indexOf(place);
    if (i >= 0 && !it.band && it.y[i] !== null)
      drawing.append(svg("circle", { cx: x, cy: toY(it.y[i]), r: 4.5, "stroke-width": 2, style: { fill: "var(--" + it.colour + ")", stroke: "var(--card)" } }));
  }
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
    const [least, largest] = chart.range || [chart.places[0], chart.places[chart.places.length - 1]];
    const middle = chart.at === null ? (least + largest) / 2 : chart.places[chart.at], half = (largest - least) * factor / 2;
    const range = [Math.max(chart.places[0], middle - half), Math.min(chart.places[chart.places.length - 1], middle + half)];
    zoomBetween(range);
  };
  plot.box.addEventListener("keydown", (event) => {
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
