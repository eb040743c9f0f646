// A map of numbers by row and step, with hover and keys. The colours (those of cividis) differ in lightness too.

const HEAT = [[0, 32, 77], [49, 68, 107], [102, 105, 112], [149, 143, 120], [203, 186, 105], [255, 233, 69]];

function heatColour(share) {
  const place = Math.max(0, Math.min(1, share)) * (HEAT.length - 1), i = Math.min(HEAT.length - 2, Math.floor(place)), part = place - i;
  return `rgb(${HEAT[i].map((from, k) => Math.round(from + (HEAT[i + 1][k] - from) * part)).join(" ")})`;
}

// map: {names, rows, steps, log, format, least, largest}
function heatMap(title, map) {
  const plot = plotBox(title, "Arrow keys move over layers and steps.");
  const state = { row: null, column: 0 };
  const redraw = whenSized(plot.box, (width) => plot.draw(drawHeat(map, state, width)));
  const hover = (row, column, isKey) => {
    state.row = Math.max(0, Math.min(map.names.length - 1, row));
    state.column = Math.max(0, Math.min(map.steps.length - 1, column));
    redraw();
    const value = map.rows[state.row][state.column];
    plot.show(`${map.names[state.row]}\nstep ${number(map.steps[state.column])}: ${value === null ? "not known" : map.format(value)}`,
      state.left + (state.column + 0.5) * state.cell, (state.row + 0.5) * state.height, isKey);
  };
  plot.box.addEventListener("pointermove", (event) => {
    const box = plot.box.getBoundingClientRect();
    hover(Math.floor((event.clientY - box.top) / state.height), Math.floor((event.clientX - box.left - state.left) / state.cell), false);
  });
  const leave = () => { state.row = null; plot.hide(); redraw(); };
  plot.box.addEventListener("pointerleave", leave);
  plot.box.addEventListener("blur", leave);
  plot.box.addEventListener("keydown", (event) => {
    const move = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
    if (!move) return;
    event.preventDefault();
    if (state.row === null) hover(0, 0, true); else hover(state.row + move[0], state.column + move[1], true);
  });
  return el("div", {}, heatLegend(map), plot.box, plot.said);
}

function heatShare(map, value) {
  if (!map.log) return (value - map.least) / (map.largest - map.least || 1);
  return Math.log(Math.max(value, map.least) / map.least) / Math.log(map.largest / map.least);
}

function heatLegend(map) {
  const bar = svg("svg", { viewBox: "0 0 120 10", width: 120, height: 10, "aria-hidden": "true", style: { width: "120px", height: "10px" } });
  for (let i = 0; i < 60; ++i) bar.append(svg("rect", { x: 2 * i, y: 0, width: 2.2, height: 10, style: { fill: heatColour(i / 59) } }));
  return el("p", { class: "legend" }, map.format(map.least), " ", bar, " ", map.format(map.largest), map.log ? " (logarithmic)" : "");
}

function drawHeat(map, state, width) {
  const dense = map.names.length > 24;
  state.height = dense ? 13 : 20;
  state.left = Math.min(230, Math.max(90, width * 0.28));
  state.cell = (width - state.left - 2) / map.steps.length;
  const height = map.names.length * state.height + 22, ratio = window.devicePixelRatio || 1;
  const canvas = el("canvas", { width: Math.round(width * ratio), height: Math.round(height * ratio), "aria-hidden": "true", style: { height: height + "px" } });
  const ink = canvas.getContext("2d");
  ink.scale(ratio, ratio);
  ink.font = (dense ? 10.5 : 12) + "px system-ui, sans-serif";
  ink.textBaseline = "middle";
  map.names.forEach((name, row) => {
    ink.fillStyle = colour("soft");
    ink.fillText(fitted(ink, name, state.left - 10), 0, (row + 0.5) * state.height);
    map.rows[row].forEach((value, column) => {
      ink.fillStyle = value === null ? colour("grid") : heatColour(heatShare(map, value));
      ink.fillRect(state.left + column * state.cell, row * state.height, state.cell + 0.4, state.height - 1);
    });
  });
  if (state.row !== null) {
    ink.strokeStyle = colour("ink");
    ink.lineWidth = 2;
    ink.strokeRect(state.left + state.column * state.cell, state.row * state.height, Math.max(3, state.cell), state.height - 1);
  }
  ink.fillStyle = colour("soft");
  ink.fillText("step " + number(map.steps[0]), state.left, height - 8);
  ink.textAlign = "right";
  ink.fillText("step " + number(map.steps[map.steps.length - 1]), width - 2, height - 8);
  return canvas;
}

// The text, with its middle left out where it is wider than `width`.
function fitted(ink, text, width) {
  if (ink.measureText(text).width <= width) return text;
  let keep = text.length;
  while (keep > 4 && ink.measureText(text.slice(0, keep)).width > width - 8) keep -= 1;
  const tail = Math.floor(keep / 2);
  return text.slice(0, keep - tail) + "…" + text.slice(text.length - tail + 1);
}
