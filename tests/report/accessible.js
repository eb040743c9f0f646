// What is wrong with a page for those who do not see it well, or not at all: a list of sentences.
(() => {
  const wrong = [];
  const parts = (text) => (text.match(/-?[\d.]+(e-?\d+)?/g) || []).map(Number);
  // [red, green, blue, alpha], from 0 to 1.
  const rgba = (text) => {
    const numbers = parts(text.replace("color(srgb", "("));
    return text.startsWith("color(") ? [numbers[0], numbers[1], numbers[2], numbers[3] ?? 1]
      : [numbers[0] / 255, numbers[1] / 255, numbers[2] / 255, numbers[3] ?? 1];
  };
  const over = (top, below) => top.slice(0, 3).map((c, i) => c * top[3] + below[i] * (1 - top[3]));
  const light = (c) => c.slice(0, 3).map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (element) => {
    const layers = [];
    for (let it = element; it; it = it.parentElement) layers.push(rgba(getComputedStyle(it).backgroundColor));
    return layers.reverse().reduce((below, layer) => over(layer, below), [1, 1, 1]);
  };
  const seen = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let texts = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.textContent.trim() || element.closest("script, style, .sr, .skip, option") || seen.has(element) || !element.checkVisibility()) continue;
    seen.add(element);
    ++texts;
    const style = getComputedStyle(element), inSvg = element instanceof SVGElement;
    const ink = over(rgba(inSvg ? style.fill : style.color), behind(element)), back = behind(element);
    const [a, b] = [light(ink), light(back)].sort((x, y) => y - x), ratio = (a + 0.05) / (b + 0.05);
    const size = parseFloat(style.fontSize), isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (isLarge ? 3 : 4.5)) wrong.push(`contrast ${ratio.toFixed(2)} of "${node.textContent.trim().slice(0, 40)}" (${element.tagName} ${element.className})`);
  }
  if (texts < 20) wrong.push(`only ${texts} texts were looked at`);
  const name = (it) => (it.getAttribute("aria-label") || (it.getAttribute("aria-labelledby") || "").split(" ").map((id) => document.getElementById(id)?.textContent || "").join("")
    || [...(it.labels || [])].map((label) => label.textContent).join("") || it.textContent || it.getAttribute("title") || "").trim();
  for (const it of document.querySelectorAll("a, button, select, input, [role], [tabindex='0'], figure, section, nav"))
    if (!name(it)) wrong.push(`${it.tagName} ${it.className} has no name`);
  for (const it of document.querySelectorAll("img")) if (!it.alt) wrong.push("an image has no alternative");
  for (const it of document.querySelectorAll("svg, canvas")) if (it.getAttribute("aria-hidden") !== "true") wrong.push("a drawing is neither hidden nor named");
  for (const it of document.querySelectorAll("table")) if (!it.caption || !it.querySelector("th[scope]")) wrong.push("a table has no caption or heads");
  for (const it of document.querySelectorAll("th")) if (!it.getAttribute("scope")) wrong.push("a head of a table has no scope");
  const ids = [...document.querySelectorAll("[id]")].map((it) => it.id);
  for (const id of new Set(ids)) if (ids.filter((it) => it === id).length > 1) wrong.push(`the id ${id} is there twice`);
  let last = 0;
  for (const it of document.querySelectorAll("h1, h2, h3")) {
    const level = Number(it.tagName[1]);
    if (level > last + 1) wrong.push(`the heading "${it.textContent}" leaves a level out`);
    last = level;
  }
  if (document.querySelectorAll("h1").length !== 1) wrong.push("there is not one h1");
  if (!document.documentElement.lang || !document.title) wrong.push("the page has no language or title");
  if (document.querySelectorAll("main").length !== 1) wrong.push("there is not one main");
  for (const it of document.querySelectorAll("nav a")) if (!document.querySelector(it.getAttribute("href"))) wrong.push(`the link ${it.getAttribute("href")} leads nowhere`);
  if (document.documentElement.scrollWidth > window.innerWidth) wrong.push(`the page is ${document.documentElement.scrollWidth} wide, the window ${window.innerWidth}`);
  return wrong;
})()
