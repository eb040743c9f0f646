// The memory of one training step: address by time. A rectangle is a buffer: it lies where its bytes are, from the
// operation that makes it to the last that reads it.

const KIND_COLOURS = ["activation", "gradient", "weight-gradient", "update", "scratch"];
const KIND_NAMES = ["activations", "gradients of activations", "gradients of weights", "updates of weights", "scratch"];

function bufferOf(picture, row) {
  const [kind, op, layer, shape, offset, size, first, last] = row, name = (i) => picture.names[i] || "";
  return { kind, op: name(op), layer: name(layer), shape: name(shape), offset, size, first, last };
}

function bufferText(it, picture) {
  const life = picture.joined > 1 ? "" : it.first === it.last ? `\nlives during operation ${it.first + 1}` : `\nlives from operation ${it.first + 1} to ${it.last + 1}`;
  return `${it.shape === "scratch" ? "scratch of " + it.op : it.op + " → " + it.shape}\nlayer ${it.layer || "(between layers)"}\n${bytes(it.size)} at ${bytes(it.offset)}, ${KIND_NAMES[it.kind] || "bytes"}${life}`;
}

function planPicture(picture) {
  const buffers = picture.buffers.map((row) => bufferOf(picture, row));
  const state = { at: Math.max(0, Math.min(picture.moments.length - 1, picture.peak)), over: null, arena: picture.arena_bytes || 1, moments: picture.moments.length };
  const plot = plotBox("The memory plan of a step: addresses from bottom to top, operations from left to right", "Left and right arrow keys move through the step, up and down through the buffers that are alive.");
  plot.box.id = "plan-picture";
  const slider = el("input", { type: "range", id: newId(), min: 0, max: Math.max(0, state.moments - 1), value: state.at, step: 1, "aria-describedby": "plan-moment" });
  const words = el("div", { id: "plan-moment", "aria-live": "polite" });
  const redraw = whenSized(plot.box, (width) => plot.draw(drawPlan(picture, buffers, state, width)));
  const alive = () => buffers.filter((it) => it.first <= state.at && state.at <= it.last).sort((a, b) => b.offset - a.offset);
  const goTo = (at) => {
    state.at = Math.max(0, Math.min(state.moments - 1, at));
    state.over = null;
    slider.value = state.at;
    words.replaceChildren(momentWords(picture, state.at, alive()));
    slider.setAttribute("aria-valuetext", words.firstChild.firstChild.textContent);
    plot.hide();
    redraw();
  };
  const show = (it, x, y, isKey) => { state.over = it; redraw(); plot.show(bufferText(it, picture), x, y, isKey); };
  slider.addEventListener("input", () => goTo(Number(slider.value)));
  plot.box.addEventListener("pointermove", (event) => {
    const box = plot.box.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    const moment = state.fromX(x), address = state.fromY(y);
    const found = buffers.find((it) => it.first <= moment && moment < it.last + 1 && it.offset <= address && address < it.offset + it.size);
    if (found) show(found, x, y, false); else { state.over = null; plot.hide(); redraw(); }
  });
  plot.box.addEventListener("click", (event) => goTo(Math.floor(state.fromX(event.clientX - plot.box.getBoundingClientRect().left))));
  plot.box.addEventListener("pointerleave", () => { state.over = null; plot.hide(); redraw(); });
  plot.box.addEventListener("keydown", (event) => {
    const steps = { ArrowRight: 1, ArrowLeft: -1, PageDown: 20, PageUp: -20 };
    if (event.key in steps) goTo(state.at + steps[event.key]);
    else if (event.key === "Home") goTo(0);
    else if (event.key === "End") goTo(state.moments - 1);
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const list = alive(), now = list.indexOf(state.over);
      const next = list[Math.max(0, Math.min(list.length - 1, now + (event.key === "ArrowDown" ? 1 : -1)))];
      if (next) show(next, state.toX(state.at), state.toY(next.offset + next.size / 2), true);
    } else return;
    event.preventDefault();
  });
  goTo(state.at);
  const kinds = [...new Set(buffers.map((it) => it.kind))].sort();
  return el("figure", { class: "card", "aria-label": "The memory plan of a step" },
    el("figcaption", {}, el("span", { class: "grow" }, "One training step in its arena of " + bytes(picture.arena_bytes))),
    legend(kinds.map((kind) => ({ name: KIND_NAMES[kind] || "other", fill: "var(--" + (KIND_COLOURS[kind] || "scratch") + ")" }))),
    plot.box, plot.said,
    el("label", { for: slider.id }, "Operation of the step"), slider, words,
    details("The largest buffers as a table", () => bufferTable(picture, buffers)));
}

function momentWords(picture, at, alive) {
  const [op, layer, live] = picture.moments[at] || [0, 0, 0], name = (i) => picture.names[i] || "";
  const place = picture.joined > 1 ? `About operation ${at * picture.joined + 1} of ${picture.operations}` : `Operation ${at + 1} of ${picture.operations}`;
  const largest = [...alive].sort((a, b) => b.size - a.size).slice(0, 6);
  return el("div", {}, el("p", {}, `${place}: ${name(op)} in ${name(layer) || "(between layers)"}; ${bytes(live)} are alive`
    + (at === picture.peak ? ", the most of the step." : ".")),
    largest.length > 0 && el("p", { class: "soft" }, "Largest: " + largest.map((it) => `${it.layer || "(step)"} ${bytes(it.size)}`).join(", ")));
}

function drawPlan(picture, buffers, state, width) {
  const height = Math.max(220, Math.min(400, width * 0.42)), left = 66, right = width - 8, top = 22, bottom = height - 24;
  state.toX = (moment) => left + (moment / state.moments) * (right - left);
  state.fromX = (x) => ((x - left) / (right - left)) * state.moments;
  state.toY = (address) => bottom - (address / state.arena) * (bottom - top);
  state.fromY = (y) => ((bottom - y) / (bottom - top)) * state.arena;
  const ratio = window.devicePixelRatio || 1;
  const canvas = el("canvas", { width: Math.round(width * ratio), height: Math.round(height * ratio), "aria-hidden": "true", style: { height: height + "px" } });
  const ink = canvas.getContext("2d");
  ink.scale(ratio, ratio);
  ink.fillStyle = colour("grid");
  ink.fillRect(left, top, right - left, bottom - top);
  const colours = KIND_COLOURS.map(colour), edge = colour("card");
  for (const it of buffers) {
    const x = state.toX(it.first), y = state.toY(it.offset + it.size), wide = Math.max(1, state.toX(it.last + 1) - x), tall = Math.max(0.6, state.toY(it.offset) - y);
    ink.fillStyle = colours[it.kind] || colours[4];
    ink.fillRect(x, y, wide, tall);
    if (wide > 3 && tall > 3) { ink.strokeStyle = edge; ink.lineWidth = 0.6; ink.strokeRect(x, y, wide, tall); }
  }
  markPlan(ink, picture, state, { left, right, top, bottom, height });
  return canvas;
}

// Axes, the peak, the moment of the slider and the buffer under the pointer.
function markPlan(ink, picture, state, { left, right, top, bottom, height }) {
  ink.font = "12px system-ui, sans-serif";
  ink.fillStyle = colour("soft");
  ink.textAlign = "right";
  for (const share of [0, 0.5, 1]) ink.fillText(bytes(Math.round(state.arena * share)), left - 6, state.toY(state.arena * share) + 4);
  ink.textAlign = "left";
  ink.fillText("forward", left, height - 8);
  ink.textAlign = "right";
  ink.fillText("update", right, height - 8);
  ink.textAlign = "center";
  ink.fillText("time of the step →", (left + right) / 2, height - 8);
  const line = (moment, name, dashes) => {
    const x = state.toX(moment + 0.5);
    ink.setLineDash(dashes);
    ink.lineWidth = 2;
    ink.strokeStyle = colour("ink");
    ink.beginPath();
    ink.moveTo(x, top - 4);
    ink.lineTo(x, bottom);
    ink.stroke();
    ink.setLineDash([]);
    if (!name) return;
    ink.fillStyle = colour("ink");
    ink.textAlign = x > (left + right) / 2 ? "right" : "left";
    ink.fillText(name, x + (x > (left + right) / 2 ? -5 : 5), top - 8);
  };
  const peak = picture.moments[picture.peak];
  if (peak) line(picture.peak, "peak: " + bytes(peak[2]) + " alive", [4, 3]);
  if (state.at !== picture.peak) line(state.at, "", []);
  if (state.over) {
    const it = state.over, x = state.toX(it.first), y = state.toY(it.offset + it.size);
    ink.strokeStyle = colour("ink");
    ink.lineWidth = 2;
    ink.strokeRect(x, y, Math.max(2, state.toX(it.last + 1) - x), Math.max(2, state.toY(it.offset) - y));
  }
}

function bufferTable(picture, buffers) {
  const rows = [...buffers].sort((a, b) => b.size - a.size).slice(0, 60)
    .map((it) => [it.layer || "(between layers)", it.op, it.shape, KIND_NAMES[it.kind] || "", bytes(it.size), bytes(it.offset), `${it.first + 1} – ${it.last + 1}`]);
  return table(`The ${rows.length} largest of ${number(picture.buffers.length + (picture.left_out.buffers || 0))} buffers`,
    [{ name: "layer" }, { name: "made by" }, { name: "tensor" }, { name: "kind" }, { name: "bytes", number: true }, { name: "address", number: true }, { name: "life", number: true }], rows);
}
