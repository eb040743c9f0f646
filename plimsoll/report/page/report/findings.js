// What the doctor says, what was noticed before the first step, checkpoints, and how the run was started.

function finding(severity, title, what, remedy, option) {
  const tone = severity === "error" ? "bad" : severity === "warning" ? "warn" : "";
  return el("article", { class: "finding " + severity }, el("h3", {}, el("span", { class: "badge " + tone }, severity), " ", title),
    el("p", {}, what), remedy && el("p", {}, el("strong", {}, "Remedy: "), remedy), option && el("pre", {}, option));
}

function causeFinding(it) {
  const title = it.cause.replaceAll("_", " ") + ` (${percent(it.confidence)})` + (it.where ? `, ${it.where}` : "");
  return finding(it.severity, title, it.what, it.remedy, it.option);
}

function findingsSection(run) {
  const diagnosis = run.diagnosis, content = [];
  if (run.not_finite) content.push(finding("error", "a step was not finite", `Epoch ${run.not_finite.epoch}, batch ${run.not_finite.batch}: ${run.not_finite.what}`, run.not_finite.records.length ? "Records: " + run.not_finite.records.join(", ") : ""));
  if (diagnosis.missing) content.push(missing(diagnosis.missing));
  else {
    const skill = typeof diagnosis.skill === "number" ? ` ${percent(diagnosis.skill)} of the way from a constant answer to a perfect one was made.` : "";
    content.push(el("p", { class: "lead" }, el("span", { class: "badge " + ({ healthy: "good", poor: "warn", failed: "bad" }[diagnosis.verdict] || "") }, diagnosis.verdict), skill));
    for (const it of diagnosis.causes) content.push(causeFinding(it));
    if (diagnosis.causes.length === 0) content.push(el("p", {}, "The doctor has found nothing."));
    if (diagnosis.how) content.push(el("p", { class: "soft" }, `Of the run, ${diagnosis.how}.`));
  }
  const earlier = run.told.filter((it) => diagnosis.missing || !diagnosis.causes.some((cause) => cause.cause === it.cause));
  if (earlier.length > 0) content.push(el("h3", {}, "Said while the run went on"), earlier.map(causeFinding));
  if (run.findings.length > 0) content.push(el("h3", {}, "Noticed before the first step"), run.findings.map((it) => finding(it.severity, it.where, it.what, it.remedy)));
  return section("Findings", "findings", "What the doctor makes of the run, the most likely cause first.", content);
}

function filesSection(run) {
  const checkpoints = run.files.filter((it) => it.name.startsWith("checkpoints/"));
  const rows = run.files.map((it) => [it.name, bytes(it.bytes)]);
  const restarts = run.restarts.map((it) => [it.time, it.version, number(it.threads), it.findings.join("; ") || "–"]);
  return section("Checkpoints and files", "files", checkpoints.length > 0 ? `${plural(checkpoints.length, "checkpoint is", "checkpoints are")} kept.` : "No checkpoint is kept.",
    rows.length > 0 && table("Files of the run", [{ name: "file" }, { name: "bytes", number: true }], rows),
    el("h3", {}, "Restarts"), restarts.length > 0 ? table("Each time that the run went on", [{ name: "time" }, { name: "version" }, { name: "threads", number: true }, { name: "findings" }], restarts)
      : el("p", {}, "The run was never restarted."));
}

// As a shell reads it.
function quoted(argument) { return /^[\w@%+=:,./-]+$/.test(argument) ? argument : "'" + argument.replaceAll("'", "'\\''") + "'"; }

// How the run was started, by the command or by a program.
function startOf(run) {
  const lines = (it, command) => el("pre", {}, `cd ${quoted(it.folder)}\n${command}${it.arguments.map(quoted).join(" ")}`);
  if (run.command.arguments.length > 0) return lines(run.command, "plimsoll train ");
  return run.program.arguments.length > 0 ? lines(run.program, "") : missing("run.json has no command.");
}

function commandSection(run) {
  const machine = run.machine, facts = [["Plimsoll", run.version], ["started", run.started || "not known"], ["ended", run.ended || "–"], ["seed", String(run.seed)], ["threads", String(run.threads)],
    ["system", machine.system || "not recorded"], ["processor", machine.processor || "not recorded"], ["cores", machine.cores ? String(machine.cores) : "not recorded"],
    ["memory of the machine", machine.memory_bytes ? bytes(machine.memory_bytes) : "not recorded"], ["model", run.model_file.path || run.model_file.name || ""], ["XXH3 of the model", run.model_file.xxh3 || ""]];
  const options = Object.entries(run.options).filter(([, value]) => value !== null && value !== "[]").map(([name, value]) => [name, String(value)]);
  return section("Command", "command", run.command.arguments.length > 0 ? "The same command gives the same model." : "A program has trained the run.",
    startOf(run),
    table("Versions and machine", [{ name: "fact" }, { name: "value" }], facts, "Versions and machine"),
    details("All options", () => table("Options that have a value", [{ name: "option" }, { name: "value" }], options)));
}
