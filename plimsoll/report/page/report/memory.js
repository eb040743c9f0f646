// The memory of the process: planned against measured, the picture of a step, other budgets.

function plannedParts(plan) {
  return [["the program, measured", "baseline_bytes", "baseline"], ["weights", "weight_bytes", "weights"], ["optimizer", "optimizer_bytes", "optimizer"],
    ["batch buffers", "input_bytes", "inputs"], ["sums over parts", "part_sum_bytes", "update"], ["arena: activations, gradients, scratch", "arena_bytes", "activation"]]
    .map(([name, key, tone]) => ({ name, size: plan[key] || 0, fill: "var(--" + tone + ")" })).filter((it) => it.size > 0);
}

function plannedAgainstMeasured(run) {
  const plan = run.plan, atEpochs = Math.max(0, ...run.curves.resident.y), whole = run.result.measured_peak_bytes, measured = whole || atEpochs, parts = plannedParts(plan);
  const sum = parts.reduce((all, it) => all + it.size, 0);
  if (plan.peak_bytes > sum) parts.push({ name: "the rest: what callbacks keep, and margins", size: plan.peak_bytes - sum, fill: "var(--scratch)" });
  const most = Math.max(plan.peak_bytes, measured, 1);
  const stack = (list, label) => el("div", { class: "stack", role: "img", "aria-label": label, style: { width: "100%" } },
    list.map((it) => el("span", { style: { width: (100 * it.size) / most + "%", background: it.fill } })));
  const share = measured > 0 ? ` The measured peak is ${percent(measured / plan.peak_bytes)} of the planned one.` + (whole ? "" : " It is the most at the end of an epoch: the run has not ended, or was killed.") : " The run has not ended, so no peak is measured.";
  return el("div", { class: "card" }, el("h3", { style: { "margin-top": "0" } }, "Planned against measured"),
    el("p", { class: "about" }, `Planned peak ${bytes(plan.peak_bytes || 0)}${measured ? ", measured " + bytes(measured) : ""}.${share}`
      + (run.options.memory ? ` The budget was ${run.options.memory}.` : " No budget was given, so it was what the machine had left.")),
    el("p", { class: "stack-name" }, "planned"), stack(parts, "planned: " + parts.map((it) => it.name + " " + bytes(it.size)).join(", ")),
    measured > 0 && [el("p", { class: "stack-name" }, "measured"), stack([{ size: measured, fill: "var(--c6)" }], "measured: " + bytes(measured))],
    el("p", { class: "stack-name" }), legend(parts.map((it) => ({ name: `${it.name} ${bytes(it.size)}`, fill: it.fill }))));
}

function budgetTable(run) {
  const budgets = run.budgets;
  if (budgets.missing) return missing("What other budgets would change is not known: " + budgets.missing);
  const fastest = Math.min(...budgets.rows.filter((it) => it.fits).map((it) => it.step_seconds));
  const rows = budgets.rows.map((it) => [it.budget_bytes ? bytes(it.budget_bytes) : "no limit",
    it.fits ? "yes" : "no", it.fits ? bytes(it.peak_bytes) : "–", it.fits ? bytes(it.arena_bytes) : "–", it.fits ? seconds(it.step_seconds) : "–",
    it.fits ? (it.step_seconds > fastest * 1.0005 ? "+" + percent(it.step_seconds / fastest - 1) : "–") : "–",
    it.fits ? it.saving || "nothing is saved" : "the planner finds no way"]);
  const few = budgets.rows.length === 1 && `The arena is ${percent(budgets.rows[0].arena_bytes / Math.max(1, budgets.rows[0].peak_bytes))} of the peak, so a smaller budget would change next to nothing, and a larger one nothing.`;
  return el("div", {}, few && el("p", { class: "about" }, few), table("What the planner makes of other budgets, for the same model and batch, planned by the command that made this page, on its machine; what a run takes to save its model comes on top",
    [{ name: "budget" }, { name: "fits" }, { name: "peak", number: true }, { name: "arena", number: true }, { name: "step, predicted", number: true }, { name: "more time", number: true }, { name: "how" }], rows));
}

// The bytes of the arena that are alive while each operation runs.
function liveBytes(picture) {
  const x = picture.moments.map((_, i) => i * picture.joined + 1), y = picture.moments.map((row) => row[2]);
  return lineChart("Bytes alive over the step", [{ name: "alive", x, y, colour: "c0" }], { format: bytes, fromZero: true, noLog: true, height: 200, xName: "operation",
    level: { value: picture.arena_bytes, name: "the arena: " + bytes(picture.arena_bytes) } });
}

function memorySection(run) {
  const plan = run.plan, picture = run.picture, resident = run.curves.resident;
  const content = [plan.missing ? missing(plan.missing) : plannedAgainstMeasured(run)];
  if (picture.missing) content.push(el("h3", {}, "The plan of a step"), missing(picture.missing));
  else {
    content.push(planPicture(picture));
    content.push(liveBytes(picture));
    const notes = [];
    if (plan.parts > 1) notes.push(`A batch runs in ${plan.parts} parts; the picture is of one of them.`);
    if (plan.peak_at && plan.peak_at.phase && plan.peak_at.phase !== "training") notes.push(`The arena of the whole run is fullest in ${plan.peak_at.phase}.`);
    if (picture.left_out.buffers > 0) notes.push(`${plural(picture.left_out.buffers, "smaller buffer")} with ${bytes(picture.left_out.bytes)} in all are not drawn.`);
    if (picture.joined > 1) notes.push(`${picture.joined} operations are drawn as one.`);
    if (notes.length) content.push(el("p", { class: "about" }, notes.join(" ")));
  }
  content.push(el("h3", {}, "Other budgets"), budgetTable(run));
  if (resident.x.length > 1) content.push(lineChart("Memory of the process after each epoch", [{ ...resident, colour: "c2" }], { format: bytes, fromZero: true, noLog: true, height: 200 }));
  return section("Memory", "memory", "The memory of a run is planned before its first step: every tensor of a step has its place and its time in one arena.", content);
}
