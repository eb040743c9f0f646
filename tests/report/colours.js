// Colours of a page that cannot be told from what is behind them: a list of sentences.
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
  if (texts < 10) wrong.push(`only ${texts} texts were looked at`);
  // What is drawn, against what is behind it: 3 to 1.
  for (const it of document.querySelectorAll("path.series, path.roof, .point, line.level")) {
    const style = getComputedStyle(it), ink = rgba(it.matches(".point") ? style.fill : style.stroke), back = behind(it.closest(".plot"));
    const [a, b] = [light(ink), light(back)].sort((x, y) => y - x), ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 3) wrong.push(`contrast ${ratio.toFixed(2)} of a line or point (${style.stroke})`);
  }
  // What fills the plan of a step and the bars of bytes, against the ground of both.
  const probe = document.body.appendChild(document.createElement("i"));
  const shade = (name) => { probe.style.color = `var(--${name})`; return light(rgba(getComputedStyle(probe).color)); };
  for (const name of ["activation", "gradient", "weight-gradient", "update", "scratch", "weights", "optimizer", "inputs", "baseline"]) {
    const [a, b] = [shade(name), shade("grid")].sort((x, y) => y - x), ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 3) wrong.push(`contrast ${ratio.toFixed(2)} of ${name} in the plan`);
  }
  probe.remove();
  return wrong;
})()
