"""Whether a page can be used by everybody: at three sizes, light and dark, and by keys alone."""
import os

HERE = os.path.dirname(os.path.abspath(__file__))
CHECKS = [open(os.path.join(HERE, name), encoding="utf-8").read() for name in ("structure.js", "colours.js")]
SIZES = {"phone": (360, 780), "tablet": (800, 1180), "desk": (1400, 900)}
MOST_KEYS = 80

# What has the focus: whether that shows, is in sight and nothing covers it, and where it is among all that can have it.
FOCUSED = """(() => {
  const it = document.activeElement;
  if (!it || it === document.body) return null;
  const style = getComputedStyle(it), box = it.getBoundingClientRect(), name = it.tagName + " " + (it.getAttribute("class") || "") + " " + (it.textContent || "").trim().slice(0, 30);
  const shows = (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2) || style.boxShadow !== "none";
  const isIn = box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
  const nav = document.querySelector("nav"), bar = nav && !nav.contains(it) && getComputedStyle(nav).position === "sticky" ? nav.getBoundingClientRect() : null;
  const isCovered = bar !== null && bar.top <= 0 && box.top >= bar.top && box.bottom <= bar.bottom;
  const order = [...document.querySelectorAll("a[href], button, select, input, summary, [tabindex='0']")].indexOf(it);
  return { name, shows, isIn, isCovered, order };
})()"""


def wrong_on(page):
    return [sentence for check in CHECKS for sentence in page.run(check)]


def wrong_with_keys(page):
    """Tab goes through all of the page in its order; what has the focus can be seen."""
    wrong, last, count = [], -1, 0
    page.run("document.activeElement.blur(); window.scrollTo(0, 0)")
    for _ in range(MOST_KEYS):
        page.key("Tab")
        found = page.run(FOCUSED)
        if found is None or found["order"] < last:
            break
        count += 1
        if not found["shows"]:
            wrong.append(f"the focus does not show on {found['name']}")
        if not found["isIn"] or found["isCovered"]:
            wrong.append(f"{found['name']} has the focus and cannot be seen")
        if found["order"] == last:
            wrong.append(f"the focus is stuck on {found['name']}")
            break
        last = found["order"]
    if count < 3:
        wrong.append(f"Tab has reached only {count} controls")
    return wrong


def wrong_anywhere(page, pictures="", name="page"):
    """At all sizes, light and dark; keys at the smallest and the largest size."""
    wrong = []
    for size, (width, height) in SIZES.items():
        for dark in (False, True):
            page.size(width, height, dark)
            theme = "dark" if dark else "light"
            found = wrong_on(page)
            if not dark and size != "tablet":
                found += wrong_with_keys(page)
            wrong += [f"{size}, {theme}: {sentence}" for sentence in dict.fromkeys(found)]
            if pictures:
                page.run("document.activeElement.blur(); window.scrollTo(0, 0)")
                page.picture(os.path.join(pictures, f"{name}-{size}-{theme}.png"), whole=True)
    return wrong
