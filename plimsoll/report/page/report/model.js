// The layers of a model with what they take, and which of them feeds which.

const LAYER_PARTS = [["weights", "weights"], ["gradients", "weight-gradient"], ["optimizer", "optimizer"], ["activations", "activation"], ["scratch", "scratch"]];

// One row per layer: what the plan says of it, and what the model does.
function layerRows(run) {
  const plan = new Map((run.plan.layers || []).map((row) => [row[0], row.slice(1)]));
  const times = new Map(run.picture.missing ? [] : run.picture.layer_nanoseconds.map(([name, ns]) => [run.picture.names[name], ns / 1e9]));
  const measured = measuredTimes(run.profile);
  const rows = (run.model.missing ? [] : run.model.layers).map(([name, kind, shape, parameters, inputs]) => ({ name, kind, shape, parameters, inputs }));
  const byName = new Map(rows.map((it) => [it.name, it]));
  for (const it of rows) it.sizes = [0, 0, 0, 0, 0];
  for (const [name, sizes] of plan) for (const it of rowsOf(byName, name)) sizes.slice(0, 5).forEach((size, i) => { it.sizes[i] += size; });
  for (const [name, time] of times) for (const it of rowsOf(byName, name)) it.seconds = (it.seconds || 0) + time;
  for (const [name, time] of measured) for (const it of rowsOf(byName, name)) it.measured = (it.measured || 0) + time;
  for (const [name, sizes] of plan)
    if (rowsOf(byName, name).length === 0) rows.push({ name: name || "(between layers)", kind: "", shape: "", inputs: [], sizes: sizes.slice(0, 5), seconds: times.get(name), measured: measured.get(name) });
  return rows;
}

// The row of a layer, and those of layers around it: "a/b" is inside "a".
function rowsOf(byName, name) {
  const found = [];
  for (let end = name.indexOf("/"); ; end = name.indexOf("/", end + 1)) {
    const row = byName.get(end < 0 ? name : name.slice(0, end));
    if (row) found.push(row);
    if (end < 0) return found;
  }
}

function modelSection(run) {
  const rows = layerRows(run), total = (it) => it.sizes.reduce((a, b) => a + b, 0);
  if (rows.length === 0) return section("Model", "model", null, missing(run.model.missing || "The plan has no layers."));
  const most = Math.max(1, ...rows.map(total)), drawn = 60;
  const box = el("div", {}), shown = { all: rows.length <= drawn };
  const draw = () => {
    const isMeasured = !run.profile.missing, list = shown.all ? rows : [...rows].sort((a, b) => total(b) - total(a)).slice(0, drawn);
    box.replaceChildren(layerTable(list, most, total, shown.all, isMeasured, !run.model.missing));
  };
  draw();
  const more = rows.length > drawn && el("button", { type: "button", "aria-pressed": "false", on: { click: () => {
    shown.all = !shown.all;
    more.setAttribute("aria-pressed", String(shown.all));
    draw();
  } } }, `Show all ${number(rows.length)} in the order of the model`);
  const model = run.model;
  const about = (model.missing ? `The layers are those of the plan. ${model.missing} ` : `${model.name}: ${number(model.parameters)} parameters in ${plural(model.layer_count, "layer")} (${model.file}). `)
    + "Bytes are of the training step; layers that run as one are counted at the last of them. Times are of a step, forward and backward: as predicted"
    + (run.profile.missing ? "." : " and as measured.")
    + (rows.length > drawn ? ` The ${drawn} largest are listed first.` : "");
  return section("Model", "model", about,
    modelGraph(run, rows), el("h3", {}, "Layers"), more, box);
}

function tableCaption(rows, isWhole, isKnown) {
  if (!isWhole) return "The largest layers first.";
  if (rows.some((it) => it.inputs.length > 0)) return "An arrow names the layers that a layer reads, where that is not the one above it.";
  return isKnown ? "Each layer reads the one above it." : "The layers in the order of the plan.";
}

// isWhole: all rows are there, in the order of the model. isKnown: so is the model, not its plan alone.
function layerTable(rows, most, total, isWhole, isMeasured, isKnown) {
  const body = rows.map((it, i) => el("tr", {}, el("th", { scope: "row", class: "w" }, breakable(it.name), it.inputs.length > 0 && !follows(rows, i) && el("span", { class: "soft" }, " ← " + it.inputs.join(", "))),
    el("td", { class: "wide" }, it.kind), el("td", { class: "wide" }, it.shape), el("td", { class: "n wide" }, it.parameters ? number(it.parameters) : "–"),
    el("td", {}, el("div", { class: "stack", role: "img", "aria-label": LAYER_PARTS.map(([name], k) => it.sizes[k] ? name + " " + bytes(it.sizes[k]) : "").filter(Boolean).join(", ") || "nothing" },
      it.sizes.map((size, k) => size > 0 && el("span", { title: LAYER_PARTS[k][0] + " " + bytes(size), style: { width: (100 * size) / most + "%", background: "var(--" + LAYER_PARTS[k][1] + ")" } })))),
    el("td", { class: "n" }, bytes(total(it))), el("td", { class: "n" }, it.seconds ? seconds(it.seconds) : "–"), isMeasured && el("td", { class: "n" }, it.measured ? seconds(it.measured) : "–")));
  const head = ["layer", "class", "output", "parameters", "bytes", "", "time, predicted", ...(isMeasured ? ["measured"] : [])];
  return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Layers of the model" },
    el("table", { class: "layers" }, el("caption", {}, tableCaption(rows, isWhole, isKnown)),
      el("thead", {}, el("tr", {}, head.map((name, i) => el("th", { scope: "col", class: (i === 3 || i > 4 ? "n " : "") + (i > 0 && i < 4 ? "wide" : "") }, name || el("span", { class: "sr" }, "total bytes"))))),
      el("tbody", {}, body)));
}

function follows(rows, i) { return rows[i].inputs.length === 1 && i > 0 && rows[i].inputs[0] === rows[i - 1].name; }
