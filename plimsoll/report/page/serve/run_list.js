// The list of runs, read again every few seconds.

function bestText(run) { return run.metric ? `${run.metric} ${number(finite(run.best))} (epoch ${run.best_epoch})` : "–"; }
function known(value, format) { return value ? format(value) : "–"; }

function runRow(run) {
  const mark = el("input", { type: "checkbox", name: "compare", value: run.name, "aria-label": "compare " + run.name });
  return [el("a", { href: "?run=" + encodeURIComponent(run.name) }, run.name), mark, statusBadge(run.status), `${number(run.epochs)} of ${run.planned_epochs ? number(run.planned_epochs) : "?"}`, bestText(run),
    (run.measured === "ends of epochs" ? "≥ " : "") + known(run.measured_peak_bytes, bytes), known(run.planned_peak_bytes, bytes), known(run.seconds, seconds), (run.started ?? "–").replace("T", " ").replace("Z", "")];
}

function listOutcome(runs) {
  if (runs.length === 0) return "There is no run yet; 'plimsoll train --out' makes one.";
  const count = new Map();
  for (const run of runs) count.set(run.status, (count.get(run.status) || 0) + 1);
  return `${plural(runs.length, "run")}: ${[...count].map(([status, many]) => `${many} ${status}`).join(", ")}.`;
}

function markedRuns(place) { return [...place.querySelectorAll("input:checked")].map((it) => it.value); }

// The link or the mark that has the focus keeps it, and marks stay, although the table is another one.
function keepingMarks(place, change) {
  const keyOf = (it) => it && (it.getAttribute("href") || it.value), key = keyOf(document.activeElement), marked = new Set(markedRuns(place));
  change();
  for (const it of place.querySelectorAll("input")) it.checked = marked.has(it.value);
  if (key) [...place.querySelectorAll("a, input")].find((it) => keyOf(it) === key)?.focus();
}

async function showList() {
  const title = el("h1", { id: "title" }), outcome = el("p", { class: "lead", id: "outcome", role: "status" }), place = el("section", { "aria-label": "Runs" });
  const button = el("button", { type: "button", disabled: true, on: { click: () => {
    location.search = new URLSearchParams(markedRuns(place).map((name) => ["compare", name])).toString();
  } } }, "Compare the marked runs");
  place.addEventListener("change", () => { button.disabled = markedRuns(place).length < 2; });
  showPage([brand("Plimsoll runs, live"), title, outcome, el("div", { class: "head" }, button)], null, place);
  const columns = ["run", "compare", "status", "epochs", "best", "peak", "planned", "time", "started"].map((name) => ({ name, short: name !== "run" }));
  let before = "";
  const read = async () => {
    const text = await (await asked("api/runs")).text();
    if (text !== before) {
      before = text;
      const found = JSON.parse(text);
      title.textContent = `Runs in ${found.folder}`;
      outcome.textContent = listOutcome(found.runs);
      keepingMarks(place, () => place.replaceChildren(...(found.runs.length ? [el("div", { class: "card" }, table("The newest run is first", columns, found.runs.map(runRow), "Runs"))] : [])));
    }
    setTimeout(read, 5000);
  };
  await read();
}
