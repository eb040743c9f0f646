// The roofline: how fast operations compute by how much they compute per byte, under what the machine can do.
// machine: {operations, bytes} per second; points: [{name, layer, seconds, operations, bytes}], the longest first.

const ROOF_MARKS = ["c0", "c1"];  // limited by computing, by memory

function rooflineChart(title, machine, points) {
  const plot = plotBox(title, "Arrow keys move over the operations, from the longest on.");
  const state = { at: null, machine, points, largest: Math.max(...points.map((it) => it.seconds)) };
  const redraw = whenSized(plot.box, (width) => plot.draw(drawRoofline(state, width)));
  const hover = (index, isKey) => {
    state.at = Math.max(0, Math.min(points.length - 1, index));
    redraw();
    const it = points[state.at];
    plot.show(pointText(it, machine), state.toX(it.operations / it.bytes), state.toY(it.operations / it.seconds), isKey);
  };
  const leave = () => { state.at = null; plot.hide(); redraw(); };
  plot.box.addEventListener("pointermove", (event) => {
    const box = plot.box.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    const away = points.map((it) => Math.hypot(state.toX(it.operations / it.bytes) - x, state.toY(it.operations / it.seconds) - y));
    const nearest = away.indexOf(Math.min(...away));
    if (away[nearest] < 40) hover(nearest, false); else leave();
  });
  plot.box.addEventListener("pointerleave", leave);
  plot.box.addEventListener("blur", leave);
  plot.box.addEventListener("keydown", (event) => {
    const to = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (to) hover(state.at === null ? 0 : state.at + to, true);
    else if (event.key === "Home") hover(0, true);
    else if (event.key === "End") hover(points.length - 1, true);
    else return;
    event.preventDefault();
  });
  return el("figure", { class: "card", "aria-label": title, id: "roofline" }, el("figcaption", {}, el("span", { class: "grow" }, title)),
    legend([{ name: "limited by computing", fill: "var(--c0)", form: "circle" }, { name: "limited by memory", fill: "var(--c1)", form: "diamond" }]),
    plot.box, plot.said, details("The points as a table", () => rooflineTable(machine, points)));
}

function isBoundByComputing(it, machine) { return it.operations * machine.bytes > it.bytes * machine.operations; }
function roofAt(intensity, machine) { return Math.min(machine.operations, intensity * machine.bytes); }
function giga(value) { return number(Number((value / 1e9).toPrecision(3))); }

function pointText(it, machine) {
  const rate = it.operations / it.seconds, intensity = it.operations / it.bytes;
  return `${it.name}\n${it.layer || "(no layer)"}\n${seconds(it.seconds)}, ${giga(rate)} GFLOP/s\n${number(Number(intensity.toPrecision(3)))} operations per byte\n`
    + `${percent(rate / roofAt(intensity, machine))} of what ${isBoundByComputing(it, machine) ? "computing" : "memory"} allows`;
}

// Whole powers of ten around all points and the ridge, where both limits meet.
function roofExtents({ machine, points }) {
  const around = (values) => [Math.pow(10, Math.floor(Math.log10(Math.min(...values)) - 0.05)), Math.pow(10, Math.ceil(Math.log10(Math.max(...values)) + 0.05))];
  const ridge = machine.operations / machine.bytes;
  const x = around([...points.map((it) => it.operations / it.bytes), ridge / 3, ridge * 8]);
  const y = around([...points.map((it) => it.operations / it.seconds), machine.operations, machine.operations / 30]);
  return { x, y };
}

function drawRoofline(state, width) {
  const height = Math.max(260, Math.min(400, width * 0.5)), left = 58, right = width - 14, top = 16, bottom = height - 42;
  const { x, y } = roofExtents(state), share = (value, [least, largest]) => Math.log(value / least) / Math.log(largest / least);
  state.toX = (value) => left + share(value, x) * (right - left);
  state.toY = (value) => bottom - share(value, y) * (bottom - top);
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, height, "aria-hidden": "true" });
  for (const tick of logTicks(...y))
    drawing.append(svg("line", { x1: left, x2: right, y1: state.toY(tick), y2: state.toY(tick), style: { stroke: "var(--grid)" } }),
      svg("text", { x: left - 8, y: state.toY(tick) + 4, "text-anchor": "end" }, giga(tick)));
  for (const tick of logTicks(...x)) drawing.append(svg("text", { x: state.toX(tick), y: height - 24, "text-anchor": "middle" }, number(tick)));
  drawing.append(svg("text", { x: right, y: height - 6, "text-anchor": "end" }, "operations per byte →"), svg("text", { x: left + 4, y: 12 }, "GFLOP/s ↑"));
  const clip = newId();
  drawing.append(svg("clipPath", { id: clip }, svg("rect", { x: left, y: top, width: right - left, height: bottom - top })));
  drawing.append(drawRoof(state, x, clip), drawPoints(state));
  return drawing;
}

function drawRoof({ machine, toX, toY }, x, clip) {
  const ridge = machine.operations / machine.bytes, roof = toY(machine.operations);
  const path = `M${toX(x[0])} ${toY(x[0] * machine.bytes)}L${toX(ridge)} ${roof}L${toX(x[1])} ${roof}`;
  const group = svg("g", { "clip-path": `url(#${clip})` }, svg("path", { class: "roof", d: path, fill: "none", "stroke-width": 2, style: { stroke: "var(--ink)" } }));
  return svg("g", {}, group, svg("text", { x: toX(x[1]) - 4, y: roof - 6, "text-anchor": "end" }, giga(machine.operations) + " GFLOP/s"),
    svg("text", { x: toX(ridge) - 10, y: roof - 6, "text-anchor": "end" }, giga(machine.bytes) + " GB/s"));
}

// The area is the time; the form says what limits it.
function drawPoints({ machine, points, toX, toY, at, largest }) {
  const group = svg("g", {});
  points.map((it, i) => [it, i]).reverse().forEach(([it, i]) => {
    const px = toX(it.operations / it.bytes), py = toY(it.operations / it.seconds), r = 4 + 9 * Math.sqrt(it.seconds / largest);
    const style = { fill: "var(--" + ROOF_MARKS[isBoundByComputing(it, machine) ? 0 : 1] + ")", stroke: i === at ? "var(--ink)" : "var(--card)" };
    const more = { class: "point", opacity: i === at || at === null ? 0.85 : 0.4, "stroke-width": i === at ? 3 : 1.2, style };
    group.append(isBoundByComputing(it, machine) ? svg("circle", { cx: px, cy: py, r, ...more })
      : svg("path", { d: `M${px} ${py - r}l${r} ${r}l${-r} ${r}l${-r} ${-r}Z`, ...more }));
  });
  return group;
}

function rooflineTable(machine, points) {
  return table("Operations under the roofline, the longest first", [{ name: "operation" }, { name: "layer" }, { name: "time", number: true }, { name: "operations per byte", number: true }, { name: "GFLOP/s", number: true },
    { name: "of the roof", number: true }, { name: "limited by" }], points.map((it) => {
    const rate = it.operations / it.seconds, intensity = it.operations / it.bytes;
    return [it.name, it.layer || "(no layer)", seconds(it.seconds), number(Number(intensity.toPrecision(3))), giga(rate), percent(rate / roofAt(intensity, machine)), isBoundByComputing(it, machine) ? "computing" : "memory"];
  }));
}
