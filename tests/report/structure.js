// What a screen reader, a keyboard or a finger would miss on a page: a list of sentences. Each check is one that axe-core
// decides by itself for WCAG 2 A and AA, or calls a best practice; colours are in colours.js.
(() => {
  const wrong = [], all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const called = (it) => `${it.tagName.toLowerCase()}${it.id ? "#" + it.id : ""}.${it.getAttribute("class") || ""} "${(it.textContent || "").trim().slice(0, 30)}"`;
  const each = (selector, isWrong, what) => { for (const it of all(selector)) if (isWrong(it)) wrong.push(`${called(it)} ${what}`); };
  const isSeen = (it) => it.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) && !it.closest(".sr, .skip");

  // The document.
  if (!/^[a-z]{2}(-[A-Z]{2})?$/.test(document.documentElement.lang)) wrong.push("the language of the page is not one");
  if (!document.title.trim()) wrong.push("the page has no title");
  const view = document.querySelector("meta[name=viewport]")?.content || "";
  if (!view || /user-scalable\s*=\s*no|maximum-scale/.test(view)) wrong.push("the page cannot be enlarged on a phone");
  if (document.querySelector("meta[http-equiv=refresh]")) wrong.push("the page loads itself again");
  const ids = all("[id]").map((it) => it.id);
  for (const id of new Set(ids)) if (ids.filter((it) => it === id).length > 1) wrong.push(`the id ${id} is there twice`);

  // Landmarks and headings.
  for (const tag of ["main", "body > * > header, body > header", "body > * > footer, body > footer"])
    if (all(tag).length !== 1) wrong.push(`there is not one ${tag.split(" ").pop()}`);
  each("nav", (it) => !it.getAttribute("aria-label"), "is a landmark without a name");
  const walker = document.createTreeWalker(document.getElementById("page"), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (node.textContent.trim() && !node.parentElement.closest("header, nav, main, footer")) wrong.push(`"${node.textContent.slice(0, 30)}" is outside of all landmarks`);
  const skip = document.querySelector("a.skip");
  if (!skip || document.querySelector(skip.getAttribute("href")) !== document.querySelector("main")) wrong.push("no link leads to the content");
  if (all("h1").length !== 1) wrong.push("there is not one h1");
  let level = 0;
  for (const it of all("h1, h2, h3, h4, h5, h6")) {
    if (!it.textContent.trim()) wrong.push("a heading is empty");
    if (Number(it.tagName[1]) > level + 1) wrong.push(`the heading "${it.textContent}" leaves a level out`);
    level = Number(it.tagName[1]);
  }

  // Names.
  const textOf = (ids) => (ids || "").split(" ").map((id) => document.getElementById(id)?.textContent || "").join(" ");
  const name = (it) => (textOf(it.getAttribute("aria-labelledby")) || it.getAttribute("aria-label") || [...(it.labels || [])].map((label) => label.textContent).join("")
    || it.getAttribute("alt") || (/^(input|select|figure|section)$/i.test(it.tagName) ? "" : it.textContent) || it.getAttribute("title") || "").replace(/\s+/g, " ").trim();
  each("a[href], button:not([hidden]), select, input, summary, figure, section, nav, [role=img], [role=region], [role=application], [role=list], [tabindex='0']", (it) => !name(it), "has no name");
  each("button, a[href], summary", (it) => it.getAttribute("aria-label") && !it.getAttribute("aria-label").includes(it.textContent.trim()), "is called by another name than it shows");
  each("img", (it) => !it.hasAttribute("alt"), "has no alternative");
  each("svg, canvas", (it) => it.getAttribute("aria-hidden") !== "true" && it.getAttribute("role") !== "img", "is neither hidden nor named");

  // ARIA.
  const ROLES = ["application", "img", "list", "listitem", "region", "status"];
  const NAMES = ["aria-describedby", "aria-hidden", "aria-label", "aria-labelledby", "aria-live", "aria-pressed", "aria-roledescription", "aria-valuetext"];
  each("[role]", (it) => !ROLES.includes(it.getAttribute("role")), "has a role that is not known");
  each("*", (it) => it.getAttributeNames().some((attribute) => attribute.startsWith("aria-") && !NAMES.includes(attribute)), "has an ARIA attribute that is not known");
  each("[aria-labelledby], [aria-describedby]", (it) => ["aria-labelledby", "aria-describedby"].some((key) => (it.getAttribute(key) || "").split(" ").some((id) => id && !document.getElementById(id))), "refers to what is not there");
  each("[aria-pressed]", (it) => !["true", "false"].includes(it.getAttribute("aria-pressed")), "is neither pressed nor not");
  each("[aria-hidden=true]", (it) => all("a, button, input, select, [tabindex]", it).length > 0, "is hidden and can be focused");
  each("[role=listitem]", (it) => !it.closest("[role=list]"), "is in no list");
  each("[aria-label]", (it) => /^(DIV|SPAN|P)$/.test(it.tagName) && !it.getAttribute("role"), "has a name that nothing reads");
  each("a a, a button, button a, button button, summary a, summary button, [role=img] [tabindex]", () => true, "is inside of another control");

  // Lists and tables.
  each("ul, ol", (it) => [...it.children].some((child) => child.tagName !== "LI"), "has what is no item");
  each("li", (it) => !["UL", "OL"].includes(it.parentElement.tagName), "is in no list");
  each("dl", (it) => [...it.children].some((child) => !/^(DT|DD|DIV)$/.test(child.tagName)), "has what is no term");
  each("table", (it) => !it.caption || it.querySelectorAll("thead th").length === 0, "has no caption or no heads");
  each("th", (it) => !["row", "col"].includes(it.getAttribute("scope")), "has no scope");
  each("th", (it) => !it.textContent.trim(), "is an empty head");
  each("tbody tr", (it) => it.children.length > 1 && !it.querySelector("th[scope=row]"), "is a row without a head");

  // Keyboard and fingers.
  each("[tabindex]", (it) => it.tabIndex > 0, "comes out of turn");
  each("*", (it) => /auto|scroll/.test(getComputedStyle(it).overflowX) && it.scrollWidth > it.clientWidth + 1 && it.tabIndex < 0 && !it.querySelector("a, button, input"), "scrolls, but not by keys");
  const targets = all("button, select, input, summary, a[href]").filter((it) => isSeen(it) && !(it.tagName === "A" && it.closest("p, td, th")));
  for (const it of targets) {
    const box = it.getBoundingClientRect();
    if (box.width > 0 && Math.min(box.width, box.height) < 24) wrong.push(`${called(it)} is a target of ${Math.round(box.width)}×${Math.round(box.height)}`);
  }
  each("p a, td a, th a", (it) => !getComputedStyle(it).textDecorationLine.includes("underline"), "is told from its text by colour alone");

  // Colour is never all: lines have dashes, points have forms, and both have words.
  for (const plot of all(".plot")) {
    const dashes = all("path.series", plot).map((it) => it.getAttribute("stroke-dasharray") || "");
    if (new Set(dashes).size < Math.min(8, dashes.length)) wrong.push(`lines of "${plot.getAttribute("aria-label").slice(0, 40)}" differ by colour alone`);
  }
  each(".badge", (it) => !it.textContent.trim(), "says something by colour alone");
  each("[role=img].stack", (it) => it.children.length > 1 && [...it.children].slice(1).some((part) => part.getBoundingClientRect().width > 4 && parseFloat(getComputedStyle(part).borderLeftWidth) < 1), "has parts that only colours separate");

  // Motion.
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
    if (getComputedStyle(document.documentElement).scrollBehavior !== "auto") wrong.push("scrolling moves although motion is not wanted");
    each("*", (it) => { const style = getComputedStyle(it); return style.animationName !== "none" || parseFloat(style.transitionDuration) > 0; }, "moves although motion is not wanted");
  }
  for (const it of all("nav a[href^='#']")) if (!document.querySelector(it.getAttribute("href"))) wrong.push(`the link ${it.getAttribute("href")} leads nowhere`);
  if (document.documentElement.scrollWidth > window.innerWidth) {
    const wide = all("#page *").filter((it) => it.getBoundingClientRect().right > window.innerWidth + 1 && !it.closest(".scroll, nav ul")).slice(-1).map(called);
    wrong.push(`the page is ${document.documentElement.scrollWidth} wide, the window ${window.innerWidth}: ${wide}`);
  }
  return wrong;
})()
