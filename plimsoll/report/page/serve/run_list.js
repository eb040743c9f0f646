// The list of runs, read again every few seconds.

function bestText(run) { return run.metric ? `${run.metric} ${number(finite(run.best))} (epoch ${run.best_epoch})` : "–"; }
function known(value, format) { return value ? format(value) : "–"; }

function runRow(run) {
  return [el("a", { href: "?run=" + encodeURIComponent(run.name) }, run.name), statusBadge(run.status), `${number(run.epochs)} of ${run.planned_epochs ? number(run.planned_epochs) : "?"}`, bestText(run),
    known(run.measured_peak_bytes, bytes), known(run.planned_peak_bytes, bytes), known(run.seconds, seconds), (run.started ?? "–").replace("T", " ").replace("Z", "")];
}

function listOutcome(runs) {
  if (runs.length === 0) return "There is no run yet; 'plimsoll train --out' makes one.";
  const count = new Map();
  for (const run of runs) count.set(run.status, (count.get(run.status) || 0) + 1);
  return `${plural(runs.length, "run")}: ${[...count].map(([status, many]) => `${many} ${status}`).join(", ")}.`;
}

// The link that has the focus keeps it, although the table is another one.
function keepingFocus(change) {
  const address = document.activeElement && document.activeElement.getAttribute("href");
  change();
  if (address) [...document.querySelectorAll("a")].find((it) => it.getAttribute("href") === address)?.focus();
}

async function showList() {
  const title = el("h1", { id: "title" }), outcome = el("p", { class: "lead", id: "outcome", role: "status" }), place = el("section", { "aria-label": "Runs" });
  showPage([brand("Plimsoll runs, live"), title, outcome], null, place);
  const columns = ["run", "status", "epochs", "best", "peak", "planned", "time", "started"].map((name) => ({ name, short: name !== "run" }));
  let before = "";
  const read = async () => {
    const text = await (await asked("api/runs")).text();
    if (text !== before) {
      before = text;
      const found = JSON.parse(text);
      title.textContent = `Runs in ${found.folder}`;
      outcome.textContent = listOutcome(found.runs);
      keepingFocus(() => place.replaceChildren(...(found.runs.length ? [el("div", { class: "card" }, table("The newest run is first", columns, found.runs.map(runRow), "Runs"))] : [])));
    }
    setTimeout(read, 5000);
  };
  await read();
}
