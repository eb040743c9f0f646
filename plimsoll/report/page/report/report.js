// The page of one run.

function headline(run) {
  const result = run.result, best = run.best, last = Object.entries(run.last_metrics);
  const shown = best.metric ? [`best ${best.metric}`, number(best.value), `epoch ${best.epoch}`] : last.length > 0 && [last[0][0], number(last[0][1]), "last epoch"];
  return el("header", {}, brand("Plimsoll run report"), el("h1", {}, run.name, " ", statusBadge(run.status)),
    el("p", { class: "lead", id: "outcome" }, run.outcome),
    tiles([shown, ["epochs", number(run.curves.epochs), run.planned_epochs ? `of ${number(run.planned_epochs)}` : ""], run.seconds && ["duration", seconds(run.seconds), ""],
      run.plan.peak_bytes && ["planned peak", bytes(run.plan.peak_bytes), "of memory"], result.measured_peak_bytes ? ["measured peak", bytes(result.measured_peak_bytes), "of memory"] : run.curves.resident.y.length > 0 && ["measured", bytes(Math.max(...run.curves.resident.y)), "at the end of an epoch, at most"],
      result.measured_step_seconds > 0 && ["step", seconds(result.measured_step_seconds), `predicted ${seconds(result.predicted_step_seconds || 0)}`]]));
}

function navigation(sections) {
  return el("nav", { "aria-label": "Sections" }, el("ul", {}, sections.map((it) => el("li", {}, el("a", { href: "#" + it.id }, it.querySelector("h2").textContent)))));
}

// A part that cannot be shown takes no other part with it.
function shownPart(make, run) {
  try {
    return make(run);
  } catch (error) {
    const name = make.name.replace("Section", "");
    return section(name.charAt(0).toUpperCase() + name.slice(1), name, null, missing(`This part cannot be shown: the files of the run say what is not expected (${error.message}).`));
  }
}

function reportPage(data) {
  const run = data.runs[0];
  const sections = [curvesSection, memorySection, profileSection, modelSection, statisticsSection, dataSection, predictionsSection, findingsSection, filesSection, commandSection].map((make) => shownPart(make, run));
  return [shownPart(headline, run), navigation(sections), el("main", { id: "main", tabindex: -1 }, sections), el("footer", {}, `Made ${data.made} by plimsoll report. This page needs no network.`)];
}
