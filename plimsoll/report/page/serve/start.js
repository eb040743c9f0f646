// Which page this is, and what both pages have.

// ways: [address, name] of where the page leads; null where it leads nowhere.
function showPage(head, ways, ...content) {
  const lost = el("p", { class: "missing", id: "connection", role: "status", hidden: true }, NO_SERVER);
  const parts = [el("header", {}, head, lost), el("main", { id: "main", tabindex: -1 }, content), el("footer", {}, "Shown by plimsoll serve, from this machine alone.")];
  if (ways) parts.splice(1, 0, el("nav", { "aria-label": "Pages" }, el("ul", {}, ways.map(([href, name]) => el("li", {}, el("a", { href }, name))))));
  document.getElementById("page").replaceChildren(...parts);
  document.documentElement.dataset.ready = "yes";
}

const NO_SERVER = "There is no connection to the server: what is shown may be old. Is 'plimsoll serve' running, and is this the address that it printed?";
function showLost(isLost) { document.getElementById("connection").hidden = !isLost; }

// Asks until there is a reply; the page says while there is none.
async function asked(address) {
  for (;;) {
    try {
      const reply = await fetch(address);
      showLost(false);
      return reply;
    } catch {
      showLost(true);
      await new Promise((done) => setTimeout(done, 2000));
    }
  }
}

(function start() {
  const wanted = new URLSearchParams(location.search), run = wanted.get("run"), compared = wanted.getAll("compare");
  if (compared.length > 0) showComparison(compared); else if (run) showRun(run); else showList();
})();
