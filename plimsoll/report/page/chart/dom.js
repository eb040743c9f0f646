// Elements. Text is always a text node, so nothing in a run's files can become markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const [event, call] of Object.entries(value)) element.addEventListener(event, call);
    else if (name === "style") for (const [key, text] of Object.entries(value)) element.style.setProperty(key, text);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity))
    if (child !== null && child !== undefined && child !== false)
      element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  return element;
}

function el(tag, attributes, ...children) { return fill(document.createElement(tag), attributes, children); }
function svg(tag, attributes, ...children) { return fill(document.createElementNS(SVG, tag), attributes, children); }

let lastId = 0;
function newId() { return "e" + ++lastId; }

// A colour of the style sheet, as it is in this theme.
function colour(name) { return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim(); }

function section(title, id, about, ...content) {
  return el("section", { id, "aria-labelledby": id + "-title" }, el("h2", { id: id + "-title" }, title),
    about && el("p", { class: "about" }, about), content);
}

function missing(text) { return el("p", { class: "missing" }, text || "This is not known."); }

// A name may be broken after the marks that join its parts.
function breakable(value) {
  if (typeof value !== "string" || value.length < 16 || value.includes(" ")) return value;
  return value.split(/(?<=[_/])/).flatMap((part, i) => i === 0 ? [part] : [el("wbr", {}), part]);
}

// columns: [{name, number, short}]; rows: lists of texts or elements, the first of them the name of the row.
function table(caption, columns, rows, label) {
  const cell = (value, i) => i === 0 ? el("th", { scope: "row", class: "w" }, breakable(value))
    : el("td", { class: columns[i].number ? "n" : columns[i].short ? "s" : "w" }, breakable(value));
  const head = el("tr", {}, columns.map((it) => el("th", { scope: "col", class: it.number ? "n" : null }, it.name)));
  return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label || caption },
    el("table", {}, el("caption", {}, el("span", {}, caption)), el("thead", {}, head),
      el("tbody", {}, rows.map((row) => el("tr", { class: row.different ? "different" : null }, row.map(cell))))));
}

function details(title, make) {
  const box = el("details", {}, el("summary", {}, title));
  box.addEventListener("toggle", () => { box.replaceChildren(box.firstChild, ...(box.open ? [make()] : [])); });
  return box;
}

function tiles(list) {
  return el("dl", { class: "tiles" }, list.filter(Boolean).map(([name, value, more]) =>
    el("div", { class: "tile" }, el("dt", {}, name), el("dd", {}, value, more && el("small", {}, more)))));
}

// Paper is light: what is drawn in the colours of a dark screen is drawn again.
for (const [event, isPrint] of [["beforeprint", true], ["afterprint", false]])
  addEventListener(event, () => {
    document.documentElement.toggleAttribute("data-print", isPrint);
    document.dispatchEvent(new Event("recolour"));
  });

// Draws again whenever the width or the theme changes.
function whenSized(box, draw) {
  let width = 0;
  const again = (force) => {
    const now = Math.round(box.clientWidth);
    if (now > 0 && (force || now !== width)) { width = now; draw(now); }
  };
  new ResizeObserver(() => again(false)).observe(box);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => again(true));
  document.addEventListener("recolour", () => again(true));
  return () => again(true);
}

function brand(text) {
  const mark = svg("svg", { viewBox: "0 0 24 24", fill: "none", "stroke-width": 2, style: { stroke: "var(--accent)" }, "aria-hidden": "true" },
    svg("circle", { cx: 12, cy: 12, r: 7 }), svg("line", { x1: 1, x2: 23, y1: 12, y2: 12 }));
  return el("p", { class: "brand" }, mark, text);
}

const TONES = { done: "good", stopped: "warn", failed: "bad", killed: "bad", damaged: "bad", running: "live" };
function statusBadge(status) { return el("span", { class: "badge " + (TONES[status] || "") }, status || "unknown"); }
