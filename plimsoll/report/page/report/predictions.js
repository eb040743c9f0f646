// The saved model on the validation data: which classes it confuses, and where it is most wrong.

function predictionsSection(run) {
  const seen = run.predictions;
  if (seen.missing) return section("Predictions", "predictions", null, missing(seen.missing));
  const about = `${seen.model} on ${number(seen.records)} of ${number(seen.of)} validation records` + (seen.left_out ? `; ${plural(seen.left_out, "record")} could not be used` : "") + ".";
  return section("Predictions", "predictions", about, seen.confusion.length > 0 && confusion(seen), seen.points.length > 0 && scatter(seen), worstList(seen));
}

function confusion(seen) {
  const count = seen.classes.length, at = (a, p) => seen.confusion[a * count + p];
  const total = (a) => { let sum = 0; for (let p = 0; p < count; ++p) sum += at(a, p); return sum; };
  let right = 0, all = 0;
  const errors = [], pairs = [];
  for (let a = 0; a < count; ++a) {
    const sum = total(a);
    right += at(a, a);
    all += sum;
    errors.push([a, sum - at(a, a)]);
    for (let p = 0; p < count; ++p) if (p !== a && at(a, p) > 0) pairs.push([a, p, at(a, p)]);
  }
  const drawn = 24, chosen = count <= drawn ? errors.map((it) => it[0]) : errors.sort((x, y) => y[1] - x[1]).slice(0, drawn).map((it) => it[0]).sort((x, y) => x - y);
  pairs.sort((x, y) => y[2] - x[2]);
  const cell = (a, p) => {
    const share = at(a, p) / Math.max(1, total(a));
    return el("td", { title: `${seen.classes[a]} taken for ${seen.classes[p]}: ${at(a, p)}`, style: matrixColours(share, a === p) }, at(a, p) || "");
  };
  return el("div", {}, el("p", {}, `${number(right)} of ${number(all)} are right (${percent(right / Math.max(1, all))}).`
    + (pairs.length ? ` Most often confused: ${pairs.slice(0, 3).map(([a, p, n]) => `${seen.classes[a]} taken for ${seen.classes[p]} (${n})`).join(", ")}.` : "")),
    el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Confusion matrix" }, el("table", { class: "matrix" },
      el("caption", {}, "Confusion matrix: a row is the actual class, a column the predicted one" + (count > drawn ? `; the ${drawn} of ${count} classes with most errors` : "")),
      el("thead", {}, el("tr", {}, el("td", {}), chosen.map((p) => el("th", { scope: "col" }, seen.classes[p])))),
      el("tbody", {}, chosen.map((a) => el("tr", {}, el("th", { scope: "row" }, seen.classes[a]), chosen.map((p) => cell(a, p))))))));
}

// Blue where it is right, orange where it is wrong; the text keeps its contrast.
function matrixColours(share, isRight) {
  if (share === 0) return {};
  const part = 0.12 + 0.6 * share;
  return { background: `color-mix(in srgb, var(${isRight ? "--matrix-right" : "--matrix-wrong"}) ${Math.round(100 * part)}%, var(--card))`, color: "var(--ink)" };
}

function scatter(seen) {
  const box = el("div", { class: "plot", role: "img", "aria-label": `Actual against predicted values of ${seen.points.length} records; the table of worst records has the largest errors` });
  whenSized(box, (width) => {
    const side = Math.min(width, 460), left = 64, bottom = side - 34, right = side - 8, top = 8;
    const all = seen.points.flat().filter((it) => it !== null), least = Math.min(...all), largest = Math.max(...all), range = largest - least || 1;
    const x = (v) => left + ((v - least) / range) * (right - left), y = (v) => bottom - ((v - least) / range) * (bottom - top);
    const drawing = svg("svg", { viewBox: `0 0 ${side} ${side}`, width: side, height: side, style: { width: side + "px" }, "aria-hidden": "true" },
      svg("line", { x1: x(least), y1: y(least), x2: x(largest), y2: y(largest), "stroke-dasharray": "5 4", style: { stroke: "var(--soft)" } }));
    for (const tick of niceTicks(least, largest, 4))
      drawing.append(svg("text", { x: x(tick), y: side - 16, "text-anchor": "middle" }, number(tick)), svg("text", { x: left - 8, y: y(tick) + 4, "text-anchor": "end" }, number(tick)));
    for (const [a, p] of seen.points) if (a !== null && p !== null) drawing.append(svg("circle", { cx: x(a), cy: y(p), r: 2.6, opacity: 0.55, style: { fill: "var(--c0)" } }));
    drawing.append(svg("text", { x: right, y: side - 2, "text-anchor": "end" }, "actual →"), svg("text", { x: left + 4, y: 14 }, "predicted ↑"));
    box.replaceChildren(drawing);
  });
  return el("figure", { class: "card", "aria-label": "Actual against predicted" }, el("figcaption", {}, "Actual against predicted"), box);
}

function worstList(seen) {
  if (seen.worst.length === 0) return null;
  const columns = [...new Set(seen.worst.flatMap((it) => it.values.map((pair) => pair[0])))].slice(0, 8);
  const heading = el("h3", {}, "Where the model is most wrong");
  if (columns.length > 0 && !seen.worst.some((it) => it.thumbnail))
    return el("div", {}, heading, table("Records by " + seen.error_name, [{ name: "record" }, { name: "actual", number: true }, { name: "predicted", number: true }, { name: seen.error_name, number: true }, ...columns.map((name) => ({ name, number: true }))],
      seen.worst.map((it) => [it.name, it.actual, it.predicted, number(it.error), ...columns.map((name) => { const pair = it.values.find((entry) => entry[0] === name); return pair ? number(pair[1]) : ""; })])));
  return el("div", {}, heading, el("ul", { class: "thumbs" }, seen.worst.map((it) => el("li", {}, thumb(it.thumbnail, "the record " + it.name),
    el("div", {}, el("strong", {}, it.name), el("div", {}, "is ", el("b", {}, it.actual), ", predicted ", el("b", {}, it.predicted)), el("div", { class: "soft" }, `${seen.error_name} ${number(it.error)}`))))));
}
