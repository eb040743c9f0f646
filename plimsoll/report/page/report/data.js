// The data of a run: how fast it came, its classes, and the records that were left out.

function dataSection(run) {
  const data = run.data, wait = run.result.data_wait_share, speed = run.curves.speed;
  const facts = tiles([["records", number(data.records), "to train on"], ["validation", number(data.validation_records), data.validation_records ? "records" : "none: the run was not validated"],
    speed.y.length > 0 && ["throughput", number(Math.round(speed.y.at(-1))) + "/s", "records in the last epoch"],
    typeof wait === "number" && ["waiting for data", percent(wait), "of the time of steps"]]);
  return section("Data", "data", data.path, facts,
    speed.x.length > 1 && lineChart("Records per second by epoch", [{ ...speed, colour: "c2" }], { fromZero: true, noLog: true, height: 200 }),
    el("h3", {}, "Classes"), balanceBars(run.balance), el("h3", {}, "Quarantined records"), quarantineList(run.quarantine));
}

function balanceBars(balance) {
  if (balance.missing) return missing(balance.missing);
  const rows = balance.counts.map((count, i) => [balance.classes[i] || String(i), count]);
  const most = Math.max(1, ...balance.counts), all = balance.counts.reduce((a, b) => a + b, 0), drawn = 40;
  const list = rows.length > drawn ? [...rows].sort((a, b) => a[1] - b[1]).slice(0, drawn) : rows;
  const about = `${plural(rows.length, "class", "classes")} in ${number(balance.looked_at)} of ${number(balance.records)} training records.`
    + (rows.length > drawn ? ` The ${drawn} rarest are shown.` : "");
  return el("div", {}, el("p", { class: "about" }, about), el("div", { class: "bars", role: "list", "aria-label": "Records by class" },
    list.map(([name, count]) => el("div", { role: "listitem", style: { display: "contents" } }, el("span", { class: "name" }, name),
      el("span", { class: "bar" }, el("i", { style: { width: (100 * count) / most + "%" } })), el("span", { class: "count" }, `${number(count)} (${percent(count / Math.max(1, all))})`)))));
}

// Of a file that was cut off there may be nothing to see.
function thumb(address, alternative) {
  return typeof address === "string" && /^data:image\/(jpeg|png);base64,/.test(address) ? el("img", { src: address, alt: alternative, width: 72, height: 72, on: { error: (event) => event.target.replaceWith(el("span", { class: "soft" }, "no picture")) } }) : null;
}

function quarantineList(quarantine) {
  if (quarantine.missing) return missing(quarantine.missing);
  if (quarantine.count === 0) return el("p", {}, "No record was left out.");
  const reasons = Object.entries(quarantine.reasons).map(([reason, count]) => `${reason} (${number(count)})`).join(", ");
  return el("div", {}, el("p", {}, `${plural(quarantine.count, "record was", "records were")} left out: ${reasons}.`),
    el("ul", { class: "thumbs" }, quarantine.first.map((it) => el("li", {}, thumb(it.thumbnail, "the record " + it.path),
      el("div", {}, el("strong", {}, it.path), el("div", {}, el("span", { class: "badge warn" }, it.reason)), el("div", { class: "soft" }, it.detail + (it.epoch ? ` (epoch ${it.epoch})` : "")),
        !it.thumbnail && el("div", { class: "soft" }, "no picture"))))),
    quarantine.count > quarantine.first.length && el("p", { class: "soft" }, `The first ${quarantine.first.length} are shown; quarantine.jsonl has all.`));
}
