// Draws the lines of a chart: axes, series, the level that must not be crossed, the place under the pointer.

// Of what is shown: [least, largest] of both axes.
function extents(chart) {
  const places = chart.places;
  const x = chart.range || (places.length ? [places[0], places[places.length - 1]] : [0, 1]);
  let least = Infinity, largest = -Infinity;
  for (const it of chart.series)
    it.x.forEach((place, i) => {
      if (place < x[0] || place > x[1]) return;
      for (const value of it.band ? [it.band[0][i], it.band[1][i]] : [it.y[i]])
        if (value !== null) { least = Math.min(least, value); largest = Math.max(largest, value); }
    });
  if (chart.options.level) { least = Math.min(least, chart.options.level.value); largest = Math.max(largest, chart.options.level.value); }
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
  if (chart.options.level) drawLevel(chart.options.level, drawing, toY, left, right);
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
  into.append(svg("path", { class: "series", d: path, fill: "none", "stroke-width": 2.2, "stroke-linejoin": "round", "stroke-dasharray": DASHES[it.dash || 0], style: stroke }));
  if (it.x.length <= 30) it.x.forEach((x, i) => {
    if (it.y[i] !== null) into.append(svg("circle", { cx: chart.toX(x), cy: toY(it.y[i]), r: it.x.length === 1 ? 4 : 2.6, style: { fill: "var(--" + it.colour + ")" } }));
  });
}

// The load line of the Plimsoll mark: a line through a ring.
function drawLevel(level, drawing, toY, left, right) {
  const y = toY(level.value), tone = { stroke: "var(--bad)" };
  drawing.append(svg("line", { class: "level", x1: left, x2: right, y1: y, y2: y, "stroke-width": 2, style: tone }),
    svg("circle", { cx: right - 16, cy: y, r: 8, fill: "none", "stroke-width": 2, style: tone }),
    svg("text", { class: "level-name", x: left + 6, y: y < 28 ? y + 16 : y - 6, style: { fill: "var(--bad)" } }, level.name));
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

