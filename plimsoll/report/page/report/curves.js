// The metrics of a run by epoch: one chart for a metric and its validation.

function metricGroups(series) {
  const groups = new Map();
  for (const it of series) {
    const base = it.name.replace(/^val_/, "");
    if (!groups.has(base)) groups.set(base, []);
    groups.get(base).push(it);
  }
  return groups;
}

// Of each run, the loss at the steps that were sampled: it shows what happens within epochs, which may be long. Null where there is none.
function sampledLoss(runs) {
  const series = runs.map((run, i) => ({ ...run.curves.sampled, ...runStyle(i), name: runs.length > 1 ? run.name : "loss" })).filter((it) => it.x.length > 1);
  return series.length > 0 ? lineChart("loss of sampled steps", series, { xName: "step" }) : null;
}

function curvesSection(run) {
  const curves = run.curves;
  const sampled = sampledLoss([run]);
  if (curves.series.length === 0 && !sampled) return section("Curves", "curves", null, missing("No epoch has ended, so there is nothing to draw."));
  const charts = [...metricGroups(curves.series)].map(([base, members]) => lineChart(base,
    members.map((it) => ({ ...it, colour: it.name.startsWith("val_") ? "c1" : "c0", dash: it.name.startsWith("val_") ? 1 : 0, name: it.name.startsWith("val_") ? "validation" : "training" })), {}));
  if (sampled) charts.push(sampled);
  const rate = run.statistics && run.statistics.learning_rate;
  if (rate && new Set(rate.y).size > 1) charts.push(lineChart("learning rate", [{ ...rate, colour: "c2" }], { xName: "step" }));
  const about = "Drag over a chart to zoom, double-click to see everything; or focus it and use the arrow keys, + and −; on a phone, press + and −."
    + (curves.thinned ? ` Of ${number(curves.epochs)} epochs, the least and the largest value of each bin are drawn, so no peak is lost.` : "");
  return section("Curves", "curves", about, el("div", { class: "grid" }, charts));
}
