// The page of one run, which follows its log: charts change in place, so what is focused or zoomed stays.
// All that comes from files is shown as text.

const run = { name: "", epochs: [], steps: [], about: {}, status: {}, isCut: false, isStopping: false };

// Null where a number is not finite, or none.
function finite(value) { return typeof value === "number" && Number.isFinite(value) ? value : null; }

// A log may hold anything: metrics become a Map, because an object has members of its own.
function note(event) {
  const isObject = typeof event.metrics === "object" && event.metrics !== null && !Array.isArray(event.metrics);
  if (event.event === "epoch" && isObject && Number.isFinite(event.epoch))
    run.epochs.push({ epoch: event.epoch, bytes: finite(event.resident_bytes), metrics: new Map(Object.entries(event.metrics)) });
  if (event.event === "statistics" && Number.isFinite(event.step)) run.steps.push([event.step, finite(event.loss)]);
}

// At most `most` points; the last stays, and of each group its extremes, and what is not finite.
function thinned(points, most) {
  if (points.length <= most) return points;
  const size = Math.ceil(points.length / (most / 2)), found = [];
  for (let i = 0; i < points.length; i += size) {
    const group = points.slice(i, i + size), known = group.filter((it) => it[1] !== null);
    if (known.length < group.length) found.push(group.find((it) => it[1] === null));
    if (known.length === 0) continue;
    found.push(known.reduce((a, b) => (b[1] < a[1] ? b : a)), known.reduce((a, b) => (b[1] > a[1] ? b : a)));
  }
  return [...new Set([...found, points[points.length - 1]])].sort((a, b) => a[0] - b[0]);
}

function lineOf(name, points, colour, dash) {
  const drawn = thinned(points, 1000);
  return { name, x: drawn.map((it) => it[0]), y: drawn.map((it) => it[1]), colour, dash };
}

// Each chart by its title: "loss" with "val_loss", and so on.
function wantedCharts() {
  const charts = new Map(), names = new Set();
  for (const epoch of run.epochs) for (const name of epoch.metrics.keys()) names.add(name.replace(/^val_/, ""));
  const points = (name) => run.epochs.filter((it) => it.metrics.has(name)).map((it) => [it.epoch, finite(it.metrics.get(name))]);
  for (const name of [...names].slice(0, 24)) {
    const lines = [lineOf("training", points(name), "c0", 0)], validation = points("val_" + name);
    if (validation.length) lines.push(lineOf("validation", validation, "c1", 1));
    charts.set(name, { lines, options: {} });
  }
  const planned = finite(run.about.plan?.peak_bytes), level = planned ? { value: planned, name: "planned peak " + bytes(planned) } : null;
  charts.set("memory against the plan", { lines: [lineOf("resident", run.epochs.map((it) => [it.epoch, it.bytes]), "c2", 0)], level, options: { format: bytes, fromZero: true, noLog: true, level } });
  if (run.steps.length) charts.set("loss of sampled steps", { lines: [lineOf("loss", run.steps, "c0", 0)], options: { xName: "step" } });
  return charts;
}

const figures = new Map();
function drawCharts(into) {
  const wanted = wantedCharts();
  for (const [title, it] of wanted)
    if (figures.has(title)) figures.get(title).update(it.lines, it.level);
    else figures.set(title, lineChart(title, it.lines, it.options));
  const list = [...wanted.keys()].map((title) => figures.get(title));
  if (list.length !== into.children.length || list.some((it, i) => it !== into.children[i])) into.replaceChildren(...list);
}

function outcomeText(it) {
  return `${it.status ?? "unknown"}${it.why ? " (" + it.why + ")" : ""}: ${number(it.epochs ?? 0)} of ${it.planned_epochs ? number(it.planned_epochs) : "?"} epochs in ${seconds(it.seconds || 0)}${it.metric ? "; best " + bestText(it) : ""}.`;
}

function drawStatus(outcome, buttons) {
  document.title = `${run.name}: ${run.status.status ?? ""}`;
  outcome.replaceChildren(outcomeText(run.status));
  const isRunning = run.status.status === "running";
  if (!isRunning) run.isStopping = false;
  for (const it of buttons) it.disabled = !isRunning || run.isStopping;
}

// A run takes one request to stop: a second would end it before it has saved its model.
function wishButton(text, path, said, question) {
  const button = el("button", { type: "button", disabled: true, on: { click: async () => {
    if (question && !confirm(question)) return;
    run.isStopping = path === "stop";
    button.disabled = true;
    try {
      const reply = await fetch(`api/${path}?name=${encodeURIComponent(run.name)}`, { method: "POST" });
      said.textContent = (await reply.text()).trim();
    } catch {
      said.textContent = NO_SERVER;
      run.isStopping = false;
    }
    button.disabled = run.isStopping || run.status.status !== "running";
  } } }, text);
  return button;
}

// What reports show too, and which part of a report each needs: it is made again when that has changed.
const REPORTED = [[findingsSection, (it) => [it.findings, it.told, it.not_finite]],
  [memorySection, (it) => [it.plan, it.picture, it.options, it.result.measured_peak_bytes, Math.max(0, ...it.curves.resident.y)]], [profileSection, (it) => it.profile],
  [modelSection, (it) => [it.plan, it.picture, it.profile]], [statisticsSection, (it) => it.statistics],
  [dataSection, (it) => [it.data, it.quarantine, it.result.data_wait_share, it.curves.speed]],
  [filesSection, (it) => [it.files, it.restarts]], [commandSection, (it) => [it.command, it.machine, it.options, it.version]]];

// What a person has chosen, opened or focused in a part stays when the part is made again.
function keepingChoices(box, change) {
  const all = (what) => [...box.querySelectorAll(what)], chosen = all("select, input").map((it) => it.value), open = all("details").map((it) => it.open);
  const focused = box.contains(document.activeElement) ? document.activeElement.tagName : null, place = focused ? all(focused).indexOf(document.activeElement) : -1;
  change();
  all("select, input").forEach((it, i) => {
    if (chosen[i] === undefined || chosen[i] === it.value) return;
    const before = it.value;
    it.value = chosen[i];
    if (it.value === chosen[i]) it.dispatchEvent(new Event(it.tagName === "SELECT" ? "change" : "input", { bubbles: true }));
    else it.value = before; // there is no such choice any more
  });
  all("details").forEach((it, i) => { if (open[i]) it.open = true; });
  if (focused) all(focused)[place]?.focus({ preventScroll: true });
}

function drawReported(places, report) {
  REPORTED.forEach(([make, needs], i) => {
    const text = JSON.stringify(needs(report));
    if (places[i].text === text) return;
    places[i].text = text;
    keepingChoices(places[i].box, () => places[i].box.replaceChildren(shownPart(make, report)));
  });
}

// Reads the files of the run whenever something has happened, at most every few seconds.
function reportReader(query, places) {
  let isReading = false, isDue = false;
  const read = async () => {
    isDue = true;
    if (isReading) return;
    isReading = true;
    while (isDue) {
      isDue = false;
      const reply = await asked(`api/report?${query}`);
      if (reply.ok) { const report = await reply.json(); showCut(report.is_cut); drawReported(places, report); }
      await new Promise((done) => setTimeout(done, 3000));
    }
    isReading = false;
  };
  return read;
}

function showCut(isCut) { if (isCut) document.getElementById("cut").hidden = false; }

async function showRun(name) {
  run.name = name;
  const outcome = el("p", { class: "lead", id: "outcome", role: "status" }), said = el("span", { class: "soft", id: "said", role: "status" });
  const buttons = [wishButton("Checkpoint now", "checkpoint", said), wishButton("Stop in good order", "stop", said, "Stop this run? It saves its model and can go on later.")];
  const charts = el("div", { class: "grid" }), places = REPORTED.map(() => ({ box: el("div", {}), text: "" }));
  const ways = [["./", "All runs"], ["#curves", "Curves"], ["#findings", "Findings"], ["#memory", "Memory"], ["#profile", "Time"], ["#model", "Model"], ["#inside", "Inside the model"], ["#data", "Data"], ["#files", "Files"], ["#command", "Command"]];
  showPage([brand("Plimsoll run, live"), el("h1", { id: "title" }, name), outcome, el("div", { class: "head" }, buttons, said)], ways,
    section("Curves", "curves", "Points appear as the run writes them. Focus a chart and use the arrow keys, + and −.", el("p", { class: "about", id: "cut", hidden: true }, "The log is long: only its beginning and its end are shown."), charts),
    places.map((it) => it.box));
  const query = `name=${encodeURIComponent(name)}`, reply = await asked(`api/run?${query}`);
  if (!reply.ok) { outcome.textContent = "There is no such run."; return; }
  run.about = await reply.json();
  run.status = run.about.summary;
  const readReport = reportReader(query, places);
  follow(query, () => { drawCharts(charts); showCut(run.isCut); readReport(); }, () => { drawStatus(outcome, buttons); readReport(); });
}

// At most one drawing per frame, however fast the log grows.
function follow(query, draw, drawState) {
  let isDue = false;
  const soon = () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => { isDue = false; draw(); });
  };
  draw();
  drawState();
  hear(query, 0, {
    log: (data) => { for (const line of data.split("\n")) note(JSON.parse(line)); soon(); },
    reset: () => { run.epochs = []; run.steps = []; },
    cut: () => { run.isCut = true; },
    status: (data) => { run.status = JSON.parse(data); drawState(); },
  });
}

// The server ends a connection after some minutes; a browser tries again by itself, unless it was refused.
function hear(query, from, calls) {
  const events = new EventSource(`api/events?${query}&from=${from}`);
  let last = from, lost = 0;
  for (const [name, call] of Object.entries(calls))
    events.addEventListener(name, (message) => { last = message.lastEventId || last; call(message.data); });
  events.addEventListener("open", () => { clearTimeout(lost); showLost(false); });
  events.addEventListener("error", () => {
    clearTimeout(lost);
    lost = setTimeout(() => showLost(true), 4000);
    if (events.readyState === EventSource.CLOSED) setTimeout(() => hear(query, last, calls), 5000);
  });
}
