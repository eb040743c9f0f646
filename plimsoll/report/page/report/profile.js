// Where the time of a step goes: the measured operations and layers, and the roofline of the machine.

function profileRows(rows) {
  return rows.map(([name, layer, calls, time, operations, size]) => ({ name, layer, calls, seconds: time || 0, operations: operations || 0, bytes: size || 0 }));
}

// Seconds of a step by layer, as measured; empty without a profile.
function measuredTimes(profile) {
  return new Map(profile.missing ? [] : profileRows(profile.layers).map((it) => [it.layer, it.seconds]));
}

function profileTable(profile, rows, isByLayer) {
  const machine = profileMachine(profile), shares = (value, most) => most > 0 && value > 0 ? percent(value / most) : "–";
  const body = rows.map((it) => {
    const rate = it.seconds > 0 ? it.operations / it.seconds : 0, flow = it.seconds > 0 ? it.bytes / it.seconds : 0;
    const name = isByLayer ? [it.layer || it.name || "(no layer)"] : [it.name, it.layer || "(no layer)"];
    return [...name, seconds(it.seconds), shares(it.seconds, profile.step_seconds), bytes(Math.round(it.bytes)), rate > 0 ? giga(rate) : "–", shares(rate, machine.operations), giga(flow), shares(flow, machine.bytes)];
  });
  const names = isByLayer ? [{ name: "layer" }] : [{ name: "operation" }, { name: "layer" }];
  return table("One step, the longest first; bytes are read and written, each operand once, so what comes from a cache may exceed the bandwidth", [...names, ...["time", "of the step", "bytes", "GFLOP/s", "of the peak", "GB/s", "of the bandwidth"].map((name) => ({ name, number: true }))], body, isByLayer ? "Time by layer" : "Time by operation");
}

function profileMachine(profile) { return { operations: profile.machine_operations_per_second, bytes: profile.machine_bytes_per_second }; }

// The rows in their two forms; the button says which.
function profileChoice(profile) {
  const most = 20, place = el("div", {}), state = { isByLayer: false, all: false };
  const draw = () => {
    const rows = profileRows(state.isByLayer ? profile.layers : profile.operations);
    place.replaceChildren(profileTable(profile, state.all ? rows : rows.slice(0, most), state.isByLayer));
    all.hidden = rows.length <= most;
    all.textContent = `All ${number(rows.length)} rows`;
  };
  const toggle = (text, key) => {
    const button = el("button", { type: "button", "aria-pressed": "false", on: { click: () => {
      state[key] = !state[key];
      button.setAttribute("aria-pressed", String(state[key]));
      draw();
    } } }, text);
    return button;
  };
  const layers = toggle("One row per layer", "isByLayer"), all = toggle("", "all");
  draw();
  return el("div", { class: "card", id: "profile-table" }, el("div", { class: "head" }, el("h3", { class: "grow" }, "Time by operation and layer"), layers, all), place);
}

function profileSection(run) {
  const profile = run.profile;
  if (profile.missing) return section("Time", "profile", null, missing(profile.missing));
  const rows = profileRows(profile.operations), machine = profileMachine(profile), busy = rows.reduce((sum, it) => sum + it.seconds, 0);
  const work = rows.reduce((sum, it) => sum + it.operations, 0), step = profile.step_seconds || busy;
  const points = rows.filter((it) => it.operations > 0 && it.bytes > 0 && it.seconds > 0), without = rows.length - points.length;
  const facts = tiles([["a step", seconds(step), `of ${plural(profile.batch_size, "record")}`], ["in operations", percent(busy / step), seconds(busy)], ["waiting for data", percent(profile.wait_seconds / step), seconds(profile.wait_seconds)],
    ["speed", giga(work / step) + " GFLOP/s", "of the whole step"], ["this machine", giga(machine.operations) + " GFLOP/s", `${giga(machine.bytes)} GB/s, ${profile.is_machine_measured ? "measured" : "typical numbers"}`]]);
  const roof = points.length > 0 && machine.operations > 0 && machine.bytes > 0;
  return section("Time", "profile", `Medians of ${plural(profile.steps, "measured step")} of the run. ${rows[0].name} in ${rows[0].layer || "no layer"} takes longest: ${percent(rows[0].seconds / step)} of a step.`, facts,
    profileChoice(profile), roof ? rooflineChart("Roofline of the machine", machine, points) : missing("No operation has a place under the roofline: none was counted with operations and bytes."),
    roof && el("p", { class: "about" }, "An operation on the line is as fast as this machine can be; larger points take longer." + (without > 0 ? ` ${plural(without, "operation that only moves", "operations that only move")} bytes ${without === 1 ? "is" : "are"} in the table alone.` : "")));
}
