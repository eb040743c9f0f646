// Which page this is, and what both pages have.

function showPage(head, way, ...content) {
  const parts = [el("header", {}, head), el("main", { id: "main", tabindex: -1 }, content), el("footer", {}, "Shown by plimsoll serve, from this machine alone.")];
  if (way) parts.splice(1, 0, el("nav", { "aria-label": "Pages" }, el("ul", {}, el("li", {}, way))));
  document.getElementById("page").replaceChildren(...parts);
  document.documentElement.dataset.ready = "yes";
}

(function start() {
  const wanted = new URLSearchParams(location.search).get("run");
  if (wanted) showRun(wanted); else showList();
})();
