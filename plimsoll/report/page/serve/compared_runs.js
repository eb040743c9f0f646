// The page that compares runs, as 'plimsoll compare' makes it; their files are read when it is opened.

const MOST_COMPARED = 16;

async function showComparison(names) {
  const runs = [], absent = [], title = brand("Plimsoll comparison of runs"), ways = [["./", "All runs"]];
  showPage([title, el("h1", {}, "Runs compared")], ways, el("p", {}, "Loading…"));
  for (const name of names.slice(0, MOST_COMPARED)) {
    const reply = await asked(`api/report?name=${encodeURIComponent(name)}`);
    if (reply.ok) runs.push({ ...(await reply.json()), name }); else absent.push(name);
  }
  document.title = plural(runs.length, "run") + " compared";
  const said = [...absent.map((name) => `There is no run ${name}, or it is damaged.`),
    names.length > MOST_COMPARED && `The first ${MOST_COMPARED} of ${number(names.length)} runs are compared.`].filter(Boolean);
  const notes = said.map((text) => el("p", { class: "missing" }, text));
  if (runs.length < 2) { showPage([title, el("h1", {}, "Runs compared"), notes], ways, el("p", {}, "Two runs or more can be compared.")); return; }
  const sections = comparedSections(runs);
  showPage([title, comparedHead(runs), notes], [...ways, ...sections.map((it) => ["#" + it.id, it.querySelector("h2").textContent])], sections);
}
