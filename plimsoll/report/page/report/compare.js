// The page of several runs: their curves in one picture, their differences marked.

const RUN_COLOURS = ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"];

// Colour and dashes of a run. Eight runs differ in both; after them the dashes move on, so that no pair of the two comes again among 64.
function runStyle(i) { return { colour: RUN_COLOURS[i % 8], dash: (i + Math.floor(i / 8)) % DASHES.length }; }

// Rows of name and one value per run; those that differ are marked and come first.
function differences(caption, runs, names, valueOf) {
  const rows = names.map((name) => {
    const values = runs.map((run) => valueOf(run, name)), row = [name, ...values];
    row.different = new Set(values).size > 1;
    return row;
  }).filter((row) => row.slice(1).some((value) => value !== "–"));
  const different = rows.filter((row) => row.different), same = rows.filter((row) => !row.different);
  const columns = [{ name: "value of" }, ...runs.map((run) => ({ name: run.name }))];
  return el("div", {}, different.length > 0 ? table(caption + ": what differs", columns, different) : el("p", {}, caption + ": nothing differs."),
    same.length > 0 && details(`${plural(same.length, "value")} that all runs share`, () => table(caption + ": what is the same", columns, same)));
}

function allKeys(runs, of) { return [...new Set(runs.flatMap((run) => Object.keys(of(run))))]; }
function optionText(value) { return value === null || value === undefined ? "–" : String(value); }

function comparedCurves(runs) {
  const names = [...new Set(runs.flatMap((run) => run.curves.series.map((it) => it.name)))];
  if (names.length === 0) return sampledLoss(runs) || missing("No run has ended an epoch.");
  return el("div", { class: "grid" }, names.map((name) => lineChart(name, runs.flatMap((run, i) =>
    run.curves.series.filter((it) => it.name === name).map((it) => ({ ...it, name: run.name, ...runStyle(i) }))), {})), sampledLoss(runs));
}

function comparedResults(runs) {
  const names = ["status", "epochs", "duration", "best", "measured peak", "step, measured", "waiting for data", "quarantined"];
  const value = (run, name) => {
    const result = run.result, best = run.best;
    switch (name) {
      case "status": return run.status || "–";
      case "epochs": return number(run.curves.epochs);
      case "duration": return run.seconds ? seconds(run.seconds) : "–";
      case "best": return best.metric ? `${best.metric} ${number(best.value)} (epoch ${best.epoch})` : "–";
      case "measured peak": return result.measured_peak_bytes ? bytes(result.measured_peak_bytes) : run.curves.resident.y.length > 0 ? "≥ " + bytes(Math.max(...run.curves.resident.y)) : "–";
      case "step, measured": return result.measured_step_seconds ? seconds(result.measured_step_seconds) : "–";
      case "waiting for data": return typeof result.data_wait_share === "number" ? percent(result.data_wait_share) : "–";
      default: return optionText(result.quarantined);
    }
  };
  const metrics = allKeys(runs, (run) => run.last_metrics);
  return el("div", {}, differences("Results", runs, names, value),
    metrics.length > 0 && differences("Metrics of the last epoch", runs, metrics, (run, name) => metricText(runs, run, name)));
}

function metricText(runs, run, name) {
  const value = run.last_metrics[name], best = bestRuns(runs, name, (it) => it.last_metrics[name]);
  if (typeof value !== "number") return "–";
  return number(value) + (best.length < runs.length && best.includes(run) ? " (best)" : "");
}

function planText(run, name) {
  const value = run.plan[name];
  if (typeof value !== "number") return optionText(value);
  return name.endsWith("_bytes") ? bytes(value) : name.endsWith("seconds") ? seconds(value) : number(value);
}

// The runs in which a number is best; all of them where it is the same in all. None where a run has no such number, or where it is
// not known which way it gets better.
function bestRuns(runs, metric, valueOf) {
  const direction = runs[0].directions[metric], values = runs.map(valueOf);
  if ((direction !== "up" && direction !== "down") || runs.some((run) => run.directions[metric] !== direction)) return [];
  if (!values.every((it) => typeof it === "number")) return [];
  const best = direction === "up" ? Math.max(...values) : Math.min(...values);
  return runs.filter((_, i) => values[i] === best);
}

function comparedOutcome(runs) {
  const metrics = new Set(runs.map((run) => run.best.metric)), metric = runs[0].best.metric;
  if (metrics.size !== 1 || !metric || !runs.every((run) => typeof run.best.value === "number")) return "The runs have no best metric in common.";
  const text = (run) => `${run.name} ${number(run.best.value)}`, best = bestRuns(runs, metric, (run) => run.best.value);
  if (best.length === 0) return `Best ${metric}: ${runs.map(text).join(", ")}.`;
  const value = number(best[0].best.value);
  if (best.length === runs.length) return `All runs have the same best ${metric}: ${value}.`;
  const isUp = runs[0].directions[metric] === "up", isOne = best.length === 1;
  const others = runs.filter((run) => !best.includes(run)).sort((a, b) => (a.best.value - b.best.value) * (isUp ? -1 : 1));
  return `${best.map((run) => run.name).join(" and ")} ${isOne ? "is" : "are"} best: ${isOne ? "its" : "their"} ${metric} came ${isUp ? "up" : "down"} to ${value}; ${others.map(text).join(", ")}.`;
}

function comparedSections(runs) {
  const plan = allKeys(runs, (run) => run.plan).filter((name) => runs.some((run) => typeof run.plan[name] !== "object"));
  const layers = [...new Set(runs.flatMap((run) => (run.plan.layers || []).map((row) => row[0])))].slice(0, 400);
  const layerBytes = (run, name) => { const row = (run.plan.layers || []).find((it) => it[0] === name); return row ? bytes(row[1] + row[2] + row[3] + row[4] + row[5]) : "–"; };
  const machine = allKeys(runs, (run) => run.machine);
  return [
    section("Curves", "curves", "Each run has a line of its own colour and dashes." + (runs.some((run) => run.curves.thinned) ? " Long runs are drawn by the least and the largest value of each bin." : ""), comparedCurves(runs)),
    section("Results", "results", null, comparedResults(runs)),
    section("Options", "options", null, differences("Options", runs, allKeys(runs, (run) => run.options), (run, name) => optionText(run.options[name]))),
    section("Plan", "plan", null, differences("Plan", runs, plan, planText), differences("Bytes of layers", runs, layers, layerBytes)),
    section("Setting", "setting", null, differences("Setting", runs, ["model", "XXH3 of the model", "data", "records", "validation records", "seed", "threads", "version", ...machine], settingText)),
  ];
}

function comparedHead(runs) {
  return [el("h1", {}, plural(runs.length, "run") + " compared"), el("p", { class: "lead", id: "outcome" }, comparedOutcome(runs)),
    table("Outcome", [{ name: "run" }, { name: "status" }, { name: "outcome" }], runs.map((run) => [run.name, statusBadge(run.status), run.outcome]))];
}

function comparePage(data) {
  const sections = comparedSections(data.runs), head = el("header", {}, brand("Plimsoll comparison of runs"), comparedHead(data.runs));
  return [head, navigation(sections), el("main", { id: "main", tabindex: -1 }, sections), el("footer", {}, `Made ${data.made} by plimsoll compare. This page needs no network.`)];
}

function settingText(run, name) {
  switch (name) {
    case "model": return run.model_file.path || run.model_file.name || "–";
    case "XXH3 of the model": return run.model_file.xxh3 || "–";
    case "data": return run.data.path || "–";
    case "records": return number(run.data.records);
    case "validation records": return number(run.data.validation_records);
    case "seed": case "threads": case "version": return String(run[name]);
    default: return name.endsWith("_bytes") && typeof run.machine[name] === "number" ? bytes(run.machine[name]) : optionText(run.machine[name]);
  }
}
