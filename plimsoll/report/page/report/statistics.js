// What sampled steps showed: a map over layers and steps, and the range of one layer.

function statisticsMaps(statistics) {
  const { variables, layers, steps } = statistics, maps = [];
  const ratio = (name, about, rows) => maps.push({ name, about, names: variables.names, joined: variables.joined, rows, steps, log: true, format: number, least: 1e-6, largest: 1 });
  const share = (name, about, rows) => maps.push({ name, about, names: layers.names, joined: layers.joined, rows, steps, log: false, format: percent, least: 0, largest: 1 });
  ratio("gradient ÷ weight", "The norm of each weight's gradient, divided by the norm of the weight. Compare rows with each other: one that stays dark gets hardly any gradient.", variables.gradient);
  ratio("update ÷ weight", "The norm of what the step added to each weight, divided by the norm of the weight. About 0.001 is a common rule of thumb.", variables.update);
  share("dead units", "The share of a layer's units that are 0 for every sample of the batch.", layers.dead_unit_share);
  share("zeros", "The share of a layer's outputs that are 0.", layers.zero_share);
  share("saturated", "The share of a layer's outputs at the flat ends of their activation.", layers.saturated_share);
  return maps.filter((it) => it.names.length > 0);
}

function statisticsSection(run) {
  const statistics = run.statistics;
  if (!statistics || statistics.missing)
    return section("Inside the model", "inside", null, missing(statistics && statistics.missing || "No step was sampled: the run had --no-statistics, or ended before its first step."));
  const maps = statisticsMaps(statistics), place = el("div", {}), words = el("p", { class: "about" }), id = newId();
  const show = (index) => {
    const it = maps[index];
    words.textContent = it.about + (it.joined > 1 ? ` ${it.joined} neighbours share a row, which shows the largest of them.` : "");
    place.replaceChildren(heatMap(it.name + " by layer and step", it), details("Last step as a table", () => table(it.name + " in the last sampled step",
      [{ name: "layer" }, { name: it.name, number: true }], it.names.map((name, row) => [name, it.rows[row].at(-1) === null ? "not known" : it.format(it.rows[row].at(-1))]))));
  };
  const choice = el("select", { id, on: { change: () => show(Number(choice.value)) } }, maps.map((it, i) => el("option", { value: i }, it.name)));
  if (maps.length > 0) show(0);
  return section("Inside the model", "inside", `${plural(statistics.sampled, "step")} of the run were looked at, more of the first ones.`,
    maps.length > 0 && el("div", { class: "card" }, el("div", { class: "head" }, el("label", { for: id }, "Map of"), choice), words, place),
    rangesCard(statistics));
}

// The numbers that a layer puts out, from the least to the largest.
function rangesCard(statistics) {
  const { layers, steps } = statistics;
  if (layers.names.length === 0) return null;
  const id = newId(), place = el("div", {});
  const show = (row) => {
    const series = [{ name: "least to largest", x: steps, y: layers.largest[row], band: [layers.least[row], layers.largest[row]], colour: "c0" },
      { name: "mean", x: steps, y: layers.mean[row], colour: "c1", dash: 1 }];
    place.replaceChildren(lineChart("Outputs of " + layers.names[row], series, { xName: "step", noLog: true, height: 220 }));
  };
  const choice = el("select", { id, on: { change: () => show(Number(choice.value)) } }, layers.names.map((name, i) => el("option", { value: i }, name)));
  show(0);
  return el("div", {}, el("h3", {}, "Activation ranges"), el("div", { class: "head" }, el("label", { for: id }, "Layer"), choice), place);
}
