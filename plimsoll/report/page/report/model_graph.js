// The model as a graph: a node per layer, from the top to the bottom, with its bytes and its time; an arc is a layer that
// reads another than the one above it. Of large models, neighbours are joined.

const MOST_NODES = 40, NODE_HEIGHT = 26, GRAPH_HEAD = 24;

// Nodes with the layers that they stand for, and which node reads which. A sequence has no inputs: each layer reads the one above it.
function graphOf(all, isKnown) {
  const isSequence = isKnown && all.every((it) => it.inputs.length === 0);
  const rows = isSequence ? all.map((it, i) => ({ ...it, inputs: i > 0 ? [all[i - 1].name] : [] })) : all;
  const joined = Math.ceil(rows.length / MOST_NODES), nodes = [];
  for (let i = 0; i < rows.length; i += joined) {
    const part = rows.slice(i, i + joined), sum = (of) => part.reduce((all, it) => all + (of(it) || 0), 0);
    nodes.push({ name: part.length > 1 ? `${part[0].name} … ${part.at(-1).name}` : part[0].name, layers: part, sizes: LAYER_PARTS.map((_, k) => sum((it) => it.sizes[k])),
      seconds: sum((it) => it.seconds), measured: sum((it) => it.measured), parameters: sum((it) => it.parameters), reads: [] });
  }
  const places = new Map(rows.map((it, i) => [it.name, Math.floor(i / joined)]));
  rows.forEach((it, i) => {
    const to = Math.floor(i / joined);
    for (const from of new Set(it.inputs.map((name) => places.get(name))))
      if (from !== undefined && from !== to && !nodes[to].reads.includes(from)) nodes[to].reads.push(from);
  });
  for (const it of nodes) it.bytes = it.sizes.reduce((a, b) => a + b, 0);
  return { nodes, joined, edges: nodes.flatMap((it, to) => it.reads.map((from) => [from, to])) };
}

function nodeText(graph, it, isMeasured) {
  const one = it.layers[0], share = (part, all) => (all > 0 ? ` (${percent(part / all)})` : "");
  const lines = [it.name, it.layers.length > 1 ? plural(it.layers.length, "layer") : [one.kind, one.shape].filter(Boolean).join(" ")];
  if (it.parameters) lines.push(plural(it.parameters, "parameter"));
  lines.push(bytes(it.bytes) + share(it.bytes, graph.allBytes), ...LAYER_PARTS.map(([name], k) => it.sizes[k] > 0 && `  ${name} ${bytes(it.sizes[k])}`));
  if (it.seconds) lines.push(`predicted ${seconds(it.seconds)}${share(it.seconds, graph.allSeconds)}`);
  if (it.measured && (isMeasured || it.layers.length === 1)) lines.push(`measured ${seconds(it.measured)}${share(it.measured, graph.allMeasured)}`);
  if (it.reads.length > 0) lines.push("reads " + it.reads.slice(0, 6).map((from) => graph.nodes[from].name).join(", ") + (it.reads.length > 6 ? ", …" : ""));
  return lines.filter(Boolean).join("\n");
}

// Of large models the page has the measured times of the longest operations alone; bars of half of the layers would mislead.
function areMeasured(rows) {
  const time = (list) => list.reduce((sum, it) => sum + (it.seconds || 0), 0), measured = rows.filter((it) => it.measured);
  return measured.length > 0 && time(measured) >= 0.8 * time(rows);
}

// all: the rows of layerRows. Bytes between layers are of the plan, and of no layer of the model.
function modelGraph(run, all) {
  const isKnown = !run.model.missing, rows = isKnown ? all.filter((it) => it.kind) : all;
  if (rows.length === 0) return null;
  const isMeasured = areMeasured(rows);
  const graph = graphOf(rows, isKnown), sum = (of) => graph.nodes.reduce((all, it) => all + of(it), 0), state = { at: null };
  Object.assign(graph, { allBytes: sum((it) => it.bytes), allSeconds: sum((it) => it.seconds), allMeasured: sum((it) => it.measured), isMeasured });
  const plot = plotBox(`The graph of the model: ${plural(rows.length, "layer")}, ${plural(graph.edges.length, "connection")}`, "Up and down arrow keys move over the layers.");
  plot.box.id = "model-graph";
  const redraw = whenSized(plot.box, (width) => plot.draw(drawGraph(graph, state, width)));
  const show = (at, x, isKey) => {
    state.at = Math.max(0, Math.min(graph.nodes.length - 1, at));
    redraw();
    plot.show(nodeText(graph, graph.nodes[state.at], isMeasured), x, nodeY(state.at), isKey);
  };
  const leave = () => { state.at = null; plot.hide(); redraw(); };
  plot.box.addEventListener("pointermove", (event) => {
    const box = plot.box.getBoundingClientRect(), at = Math.floor((event.clientY - box.top - GRAPH_HEAD) / NODE_HEIGHT);
    if (at >= 0 && at < graph.nodes.length) show(at, event.clientX - box.left, false); else leave();
  });
  plot.box.addEventListener("pointerleave", leave);
  plot.box.addEventListener("blur", leave);
  plot.box.addEventListener("keydown", (event) => {
    const last = graph.nodes.length - 1, at = state.at ?? -1;
    const next = { ArrowDown: at + 1, ArrowUp: Math.max(0, at - 1), Home: 0, End: last, PageDown: at + 10, PageUp: Math.max(0, at - 10) }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    show(next, state.middle, true);
  });
  const about = (graph.edges.length > 0 ? "Data goes from the top to the bottom; an arc leads past layers that do not read it." : !isKnown ? "Which layer reads which is in the model's file, which 'plimsoll report' opens." : "")
    + (graph.joined > 1 ? ` ${graph.joined} neighbours share a node; the table has each layer.` : "");
  return el("figure", { class: "card", "aria-label": "The graph of the model" }, el("figcaption", {}, el("span", { class: "grow" }, "Bytes and time by layer")),
    el("p", { class: "about" }, about), graphLegend(isMeasured), plot.box, plot.said);
}

function graphLegend(isMeasured) {
  return legend([...LAYER_PARTS.map(([name, tone]) => ({ name, fill: "var(--" + tone + ")" })), { name: isMeasured ? "time, measured" : "time, predicted", fill: "var(--c2)" }]);
}

function nodeY(i) { return GRAPH_HEAD + (i + 0.5) * NODE_HEIGHT; }

// As many characters as there is room for; the middle is left out.
function shortName(name, width) {
  const most = Math.max(4, Math.floor(width / 7.3));
  return name.length <= most ? name : name.slice(0, Math.ceil(most / 2) - 1) + "…" + name.slice(name.length - Math.floor(most / 2));
}

function drawGraph(graph, state, width) {
  const isSkip = ([from, to]) => to - from !== 1, gutter = graph.edges.some(isSkip) ? Math.min(96, width * 0.14) : 16;
  const names = gutter + 16, isWide = width > 620, bars = names + Math.min(260, width * 0.3), number = isWide ? 76 : 0;
  const half = (width - bars - 12) / 2 - number, times = bars + half + number + 12;
  state.middle = bars;
  const height = GRAPH_HEAD + graph.nodes.length * NODE_HEIGHT + 8;
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, height, "aria-hidden": "true" });
  drawing.append(svg("text", { x: names, y: 14 }, graph.joined > 1 ? "layers" : "layer"), svg("text", { x: bars, y: 14 }, "bytes"), svg("text", { x: times, y: 14 }, "time of a step"));
  if (state.at !== null) drawing.append(svg("rect", { x: 0, y: nodeY(state.at) - NODE_HEIGHT / 2, width, height: NODE_HEIGHT, rx: 4, style: { fill: "var(--note-back)" } }));
  drawEdges(graph, state, drawing, gutter, isSkip);
  const most = Math.max(1, ...graph.nodes.map((it) => it.bytes)), time = (it) => (graph.isMeasured ? it.measured : it.seconds), longest = Math.max(1e-12, ...graph.nodes.map(time));
  graph.nodes.forEach((it, i) => {
    const y = nodeY(i);
    drawing.append(svg("circle", { class: "node", cx: gutter, cy: y, r: 2.5 + 6.5 * Math.sqrt(it.bytes / most), "stroke-width": 1.5, style: { fill: "var(--accent)", stroke: "var(--card)" } }),
      svg("text", { class: "node-name", x: names, y: y + 4, style: { fill: "var(--ink)" } }, shortName(it.name, bars - names - 8)));
    let x = bars;
    it.sizes.forEach((size, k) => {
      const wide = (half * size) / most;
      if (size > 0) drawing.append(svg("rect", { class: "node-bytes", x, y: y - 7, width: Math.max(0.5, wide - (wide > 4 ? 1.5 : 0)), height: 14, style: { fill: "var(--" + LAYER_PARTS[k][1] + ")" } }));
      x += wide;
    });
    if (time(it) > 0) drawing.append(svg("rect", { class: "node-time", x: times, y: y - 7, width: Math.max(1, (half * time(it)) / longest), height: 14, style: { fill: "var(--c2)" } }));
    if (isWide) drawing.append(svg("text", { x: x + 6, y: y + 4 }, bytes(it.bytes)), svg("text", { x: times + (half * time(it)) / longest + 6, y: y + 4 }, time(it) > 0 ? seconds(time(it)) : "–"));
  });
  return drawing;
}

// Those of the node that is looked at are thick.
function drawEdges(graph, state, into, x, isSkip) {
  const longest = Math.max(2, ...graph.edges.map(([from, to]) => Math.abs(to - from)));
  for (const edge of graph.edges) {
    const [from, to] = edge, [top, bottom] = [nodeY(from), nodeY(to)], isLooked = state.at === from || state.at === to;
    const reach = isSkip(edge) ? (x - 8) * 1.3 * (0.25 + 0.75 * Math.log2(Math.abs(to - from)) / Math.log2(longest + 1)) : 0;
    into.append(svg("path", { class: "edge", d: `M${x} ${top}C${x - reach} ${top} ${x - reach} ${bottom} ${x} ${bottom}`, fill: "none", "stroke-width": isLooked ? 3 : 1.4, opacity: isLooked || state.at === null ? 0.85 : 0.35, style: { stroke: "var(--c0)" } }));
  }
}
