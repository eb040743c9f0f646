"""check_pages.py CHROMIUM SCRATCH PICTURES: opens the pages that run.sh has made and uses them as a person does."""
import json
import os
import sys

import images
from accessible import SIZES, wrong_anywhere, wrong_on
from chromium import Chromium

failures = []


def expect(holds, what):
    if not holds:
        failures.append(what)
        print("failed:", what)


def quiet(page, path):
    """No word of the console, no request but the page itself."""
    name = os.path.basename(path)
    expect(page.errors == [], f"{name}: the console is silent, found {page.errors[:3]}")
    others = [it for it in page.requests if not it.startswith(("file://" + os.path.abspath(path), "data:"))]
    expect(others == [], f"{name}: no request leaves, found {others[:3]}")


def look(page, path, pictures):
    name = os.path.basename(path).removesuffix(".html")
    wrong = wrong_anywhere(page, pictures, name)
    expect(wrong == [], f"{name}: {wrong[:12]}")


def place_of(page, selector):
    """The middle of an element, which is scrolled into sight."""
    return page.run(f"""(() => {{ const it = document.querySelector({selector!r}); it.scrollIntoView({{block: "center"}});
        const box = it.getBoundingClientRect(); return [box.left, box.top, box.width, box.height]; }})()""")


def tip(page, within):
    return page.run(f"(() => {{ const it = document.querySelector({within + ' .tip'!r}); return it.hidden ? '' : it.textContent; }})()")


def use_curves(page):
    plot = "#curves .plot"
    expect(page.run("document.querySelectorAll('#curves path.series').length") >= 2, "curves: a line per metric is drawn")
    expect(page.run("[...document.querySelectorAll('#curves path.series')].every((it) => /^M[\\d.]+ [\\d.]+L/.test(it.getAttribute('d')))"),
           "curves: lines have points")
    left, top, width, height = place_of(page, plot)
    page.mouse("mouseMoved", left + width * 0.6, top + height / 2)
    page.settle()
    expect("epoch" in tip(page, plot) and "training:" in tip(page, plot), f"curves: hover shows numbers, found {tip(page, plot)!r}")
    ticks = "[...document.querySelector('#curves .plot svg').querySelectorAll('text')].map((it) => it.textContent).join()"
    before = page.run(ticks)
    page.mouse("mousePressed", left + width * 0.3, top + height / 2, button="left", clickCount=1)
    page.mouse("mouseMoved", left + width * 0.7, top + height / 2, button="left")
    page.mouse("mouseReleased", left + width * 0.7, top + height / 2, button="left", clickCount=1)
    page.settle()
    expect(page.run(ticks) != before, "curves: dragging zooms")
    page.run("[...document.querySelectorAll('#curves button')].find((it) => it.textContent === 'Show everything').click()")
    page.settle()
    expect(page.run(ticks) == before, "curves: a button shows everything again")
    page.run(f"document.querySelector({plot!r}).focus()")
    page.key("End")
    page.key("ArrowLeft")
    page.settle()
    said = page.run("document.querySelector('#curves [aria-live]').textContent")
    expect("epoch" in said, f"curves: keys move the hover, and it is said, found {said!r}")
    page.run("document.querySelector('#curves details').open = true")
    page.settle()
    expect(page.run("document.querySelectorAll('#curves table tbody tr').length") > 1, "curves: there is a table of the numbers")


def zoom_by_finger(page):
    """A phone has neither keys nor a mouse that drags: buttons zoom around the point that was looked at."""
    page.size(*SIZES["phone"])
    ticks = "[...document.querySelector('#curves .plot svg').querySelectorAll('text')].map((it) => it.textContent).join()"
    press = "[...document.querySelectorAll('#curves .zoom')].find((it) => it.textContent === '{}').click()"
    expect(page.run("document.querySelector('#curves .zoom').checkVisibility()"), "curves: a phone has buttons that zoom")
    before = page.run(ticks)
    page.run(press.format("+"))
    page.settle()
    expect(page.run(ticks) != before, "curves: + zooms")
    page.run(press.format("−"))
    page.settle()
    expect(page.run(ticks) == before, "curves: − shows more again")
    page.size(*SIZES["desk"])


def print_in_the_dark(page):
    """Paper is light, whatever the screen is; what is cut on a screen is whole on paper."""
    page.size(*SIZES["desk"], dark=True)
    corner = "(() => { const it = document.querySelector('#plan-picture canvas'); return [...it.getContext('2d').getImageData(it.width - 12, 30, 1, 1).data].slice(0, 3).join(); })()"
    ink = "getComputedStyle(document.body).color"
    screen = [page.run(corner), page.run(ink)]
    page.run("dispatchEvent(new Event('beforeprint'))")
    page.settle()
    paper = [page.run(corner), page.run(ink)]
    page.run("dispatchEvent(new Event('afterprint'))")
    page.settle()
    expect(paper[0] != screen[0] and paper[1] == "rgb(28, 34, 40)", f"print: a dark page is light on paper, found {screen} and {paper}")
    expect([page.run(corner), page.run(ink)] == screen, "print: the screen is dark again")
    page.send("Emulation.setEmulatedMedia", media="print")
    page.settle()
    expect(page.run("[...document.querySelectorAll('.scroll')].every((it) => getComputedStyle(it).overflowX === 'visible')"), "print: tables are whole")
    page.send("Emulation.setEmulatedMedia", media="")
    page.size(*SIZES["desk"])


def use_plan(page):
    plot = "#plan-picture"
    drawn = """(() => { const it = document.querySelector('#plan-picture canvas'), ink = it.getContext('2d');
        const pixels = ink.getImageData(0, 0, it.width, it.height).data, colours = new Set();
        for (let i = 0; i < pixels.length; i += 4 * 97) colours.add(pixels[i] + ',' + pixels[i + 1] + ',' + pixels[i + 2]);
        return colours.size; })()"""
    expect(page.run(drawn) > 4, "plan: several kinds of buffers are drawn")
    left, top, width, height = place_of(page, plot)
    texts = set()
    for share in (0.2, 0.35, 0.5, 0.65, 0.8):
        for rise in (0.85, 0.7, 0.5, 0.3):
            page.mouse("mouseMoved", left + width * share, top + height * rise)
            texts.add(tip(page, plot))
    named = [it for it in texts if "layer " in it and " at " in it and "lives" in it]
    expect(len(named) >= 2, f"plan: hover names tensors, layers, bytes and lives, found {sorted(texts)[:4]}")
    words = "document.getElementById('plan-moment').textContent"
    at_peak = page.run(words)
    expect("the most of the step" in at_peak, f"plan: the slider begins at the peak, found {at_peak!r}")
    page.run("""(() => { const it = document.querySelector('#memory input[type=range]'); it.value = 1;
        it.dispatchEvent(new Event('input', {bubbles: true})); })()""")
    page.settle()
    expect(page.run(words).startswith("Operation 2 of "), f"plan: the slider moves through the step, found {page.run(words)!r}")
    page.run(f"document.querySelector({plot!r}).focus()")
    page.key("ArrowRight")
    page.key("ArrowDown")
    page.settle()
    expect(page.run(words).startswith("Operation 3 of "), "plan: keys move through the step")
    said = page.run("[...document.querySelectorAll('#memory [aria-live]')].map((it) => it.textContent).join('|')")
    expect("layer " in said, f"plan: keys name buffers, found {said!r}")


def use_profile(page):
    rows = page.run("[...document.querySelectorAll('#profile-table tbody tr')].map((it) => it.innerText)")
    expect(any("conv" in it and "%" in it for it in rows), f"profile: operations have times and shares, found {rows[:3]}")
    heads = page.run("[...document.querySelectorAll('#profile-table thead th')].map((it) => it.textContent)")
    expect({"time", "bytes", "GFLOP/s", "of the peak", "GB/s", "of the bandwidth"} <= set(heads), f"profile: heads are {heads}")
    page.run("[...document.querySelectorAll('#profile-table button')].find((it) => it.textContent === 'One row per layer').click()")
    layers = page.run("[...document.querySelectorAll('#profile-table tbody th')].map((it) => it.textContent)")
    expect(0 < len(set(layers)) == len(layers), f"profile: a row per layer, found {layers}")
    points = page.run("document.querySelectorAll('#roofline .point').length")
    expect(points >= 2, f"roofline: a point per operation, found {points}")
    expect(page.run("document.querySelectorAll('#roofline path.roof').length") == 1, "roofline: the machine's lines are drawn")
    # The first child is below all others, so the last is the one that the pointer finds.
    x, y = page.run("""(() => { const all = document.querySelectorAll('#roofline .point'), it = all[all.length - 1]; it.scrollIntoView({block: 'center'});
        const box = it.getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2]; })()""")
    page.mouse("mouseMoved", x, y)
    page.settle()
    expect("GFLOP/s" in tip(page, "#roofline .plot") and "per byte" in tip(page, "#roofline .plot"), f"roofline: hover names it, found {tip(page, '#roofline .plot')!r}")
    page.run("document.querySelector('#roofline .plot').focus()")
    page.key("ArrowRight")
    page.settle()
    said = page.run("document.querySelector('#roofline [aria-live]').textContent")
    expect("GFLOP/s" in said, f"roofline: keys name operations, found {said!r}")
    page.run("document.querySelector('#roofline details').open = true")
    page.settle()
    expect(page.run("document.querySelectorAll('#roofline tbody tr').length") == points, "roofline: the table has each point")
    expect("measured" in page.run("document.querySelector('#model thead').innerText"), "model: times are measured too")
    times = page.run("[...document.querySelectorAll('#model tbody tr')].filter((it) => /[µm]?s$/.test(it.lastChild.textContent)).length")
    expect(times >= 2, f"model: layers have measured times, found {times}")


def use_statistics(page):
    left, top, width, height = place_of(page, "#inside .plot")
    page.mouse("mouseMoved", left + width * 0.7, top + 8)
    expect("step" in tip(page, "#inside .plot"), "inside: hover names a layer and a step")
    page.run("""(() => { const it = document.querySelector('#inside select'); it.value = 2; it.dispatchEvent(new Event('change')); })()""")
    page.settle()
    expect("units" in page.run("document.querySelector('#inside .about').nextSibling.textContent") or
           "units" in page.run("document.querySelector('#inside').textContent"), "inside: another map can be chosen")


def use_graph(page):
    """A node of the model's graph has bytes and a time, which the pointer and the keys name."""
    nodes = page.run("document.querySelectorAll('#model-graph circle.node').length")
    layers = page.run("JSON.parse(document.getElementById('run-data').textContent).runs[0].model.layers.length")
    expect(nodes == layers > 3, f"graph: each of {layers} layers is a node, found {nodes}")
    expect(page.run("document.querySelectorAll('#model-graph rect.node-time').length") >= 2, "graph: nodes have times")
    radii = page.run("[...document.querySelectorAll('#model-graph circle.node')].map((it) => +it.getAttribute('r'))")
    expect(len(set(radii)) > 2, f"graph: nodes are as large as their bytes, found {radii}")
    left, top, width, height = place_of(page, "#model-graph")
    texts = []
    for i in range(nodes):
        page.mouse("mouseMoved", left + width * 0.5, top + 24 + 26 * (i + 0.5))
        texts.append(tip(page, "#model-graph"))
    expect(any("weights" in it and "KiB" in it and "measured" in it and "reads " in it for it in texts), f"graph: hover tells bytes, times and what is read, found {texts[:3]}")
    page.run("document.querySelector('#model-graph').focus()")
    page.key("End")
    page.key("ArrowUp")
    page.settle()
    said = page.run("document.querySelector('#model-graph').nextSibling.textContent")
    expect(said == texts[-2] and "predicted" in said, f"graph: keys name layers, found {said!r}")


def check_report(page, path, pictures):
    page.size(*SIZES["desk"])
    page.open(path)
    look(page, path, pictures)
    images.take(page, "report", 1960)
    page.size(*SIZES["desk"])
    use_curves(page)
    zoom_by_finger(page)
    print_in_the_dark(page)
    use_plan(page)
    use_profile(page)
    use_statistics(page)
    use_graph(page)
    sampled = page.run("[...document.querySelectorAll('#curves figure')].find((it) => it.textContent.startsWith('loss of sampled steps')).querySelector('path.series').getAttribute('d').split('L').length")
    expect(sampled > 5, f"curves: the loss of sampled steps is drawn, found {sampled} points")
    text = page.run("document.body.innerText")
    for words in ("Done: ", "Planned against measured", "Other budgets", "Confusion matrix", "Where the model is most wrong",
                  "truncated", "plimsoll train", "Restarts", "processor"):
        expect(words in text, f"report: the page says {words!r}")
    for part in ("predictions", "data"):
        expect(page.run(f"document.querySelectorAll('#{part} .thumbs img').length") > 0, f"report: there are thumbnails in {part}")
    expect(page.run("[...document.querySelectorAll('img')].every((it) => it.complete && it.naturalWidth > 0)"), "report: thumbnails can be seen")
    expect(page.pdf_bytes() > 10_000, "report: it can be printed")
    quiet(page, path)


def check_comparison(page, path, pictures):
    page.open(path)
    look(page, path, pictures)
    images.take(page, "compare", 1500)
    page.size(*SIZES["desk"])
    different = page.run("[...document.querySelectorAll('#options tr.different th')].map((it) => it.textContent)")
    expect("learning_rate" in different and "epochs" not in different, f"compare: options that differ are marked, found {different}")
    lines = page.run("document.querySelector('#curves .plot').querySelectorAll('path.series').length")
    expect(lines == 2, f"compare: the curves of both runs are in one chart, found {lines}")
    rank_runs(page)
    quiet(page, path)


def check_plans(page, path):
    """Runs of two batch sizes: what that changes in the plan is marked, and the weights are not."""
    page.open(path)
    rows = "[...document.querySelectorAll('#plan tr{}')].filter((it) => it.cells.length > 1).map((it) => it.cells[0].textContent)"
    different = page.run(rows.format(".different"))
    expect({"batch_size", "arena_bytes", "peak_bytes"} <= set(different), f"compare: what differs in the plan is marked, found {different}")
    page.run("[...document.querySelectorAll('#plan details')].forEach((it) => { it.open = true; })")
    page.settle()
    same = set(page.run(rows.format(""))) - set(different)
    expect("weight_bytes" in same, f"compare: the weights of both runs are the same, found {sorted(same)}")
    expect(page.run("[...document.querySelectorAll('#plan tr.different')].some((it) => ['edges', 'half', 'corners', 'quarter'].includes(it.cells[0].textContent) && new Set([...it.cells].slice(1).map((cell) => cell.textContent)).size === 2)"),
           "compare: layers whose bytes differ are marked")
    quiet(page, path)


def check_many_runs(page, path):
    """Ten runs: no two have the same colour and the same dashes."""
    page.open(path)
    drawn = page.run("[...document.querySelector('#curves .plot').querySelectorAll('path.series')].map((it) => it.getAttribute('style') + it.getAttribute('stroke-dasharray'))")
    expect(len(drawn) == 10 == len(set(drawn)), f"compare: ten runs have ten looks, found {len(set(drawn))} of {len(drawn)}")
    styles = page.run("Array.from({length: 64}, (_, i) => { const it = runStyle(i); return it.colour + it.dash; })")
    expect(len(set(styles)) == 64, f"compare: 64 runs have {len(set(styles))} looks")
    wrong = wrong_on(page)
    expect(wrong == [], f"many: {wrong[:4]}")


def check_named(page, path):
    """Layers, classes and records of a real run whose names are markup."""
    page.open(path)
    expect(page.run("window.hacked === undefined"), "named: no name is executed")
    expect(page.run("document.querySelectorAll('#page script, #page iframe, #page img:not([src^=\"data:\"]), #page b[data-x]').length") == 0, "named: no name becomes markup")
    for part, words in (("model", "<b data-x>"), ("model-graph", "<b data-x>"), ("predictions", "<img src=x onerror=window.hacked=3>"), ("data", "<img src=x onerror=window.hacked=3>"), ("predictions", "<b data-x>'&")):
        expect(words in page.run(f"document.getElementById({part!r}).textContent"), f"named: {words!r} is shown as text in {part}")
    quiet(page, path)


def rank_runs(page):
    """The best value is marked by the direction of its metric, which the run says."""
    runs = page.run("JSON.parse(document.getElementById('run-data').textContent).runs.map((it) => [it.directions, it.last_metrics, it.name])")
    directions = {"loss": "down", "val_loss": "down", "accuracy": "up", "val_accuracy": "up"}
    expect(all(run[0] == directions for run in runs), f"compare: runs say which way metrics get better, found {[run[0] for run in runs]}")
    page.run("[...document.querySelectorAll('#results details')].forEach((it) => { it.open = true; })")
    page.settle()
    rows = dict(page.run("[...document.querySelectorAll('#results tbody tr')].map((it) => [it.cells[0].textContent, [...it.cells].slice(1).map((cell) => cell.textContent.endsWith(' (best)'))])"))
    for name, direction in directions.items():
        values = [run[1][name] for run in runs]
        best = max(values) if direction == "up" else min(values)
        expect(rows[name] == [it == best and values.count(best) == 1 for it in values], f"compare: the best {name} of {values} is marked, found {rows[name]}")
    for metric, values, direction, sentence in (
            ("val_loss", (0.5, 0.25, 1), "down", "b is best: its val_loss came down to 0.25; a 0.5, c 1."),
            ("val_mae", (0.5, 0.25, 0.25), "down", "b and c are best: their val_mae came down to 0.25; a 0.5."),
            ("val_accuracy", (0.5, 0.25, 0.75), "up", "c is best: its val_accuracy came up to 0.75; a 0.5, b 0.25."),
            ("val_accuracy", (0.5, 0.5, 0.5), "up", "All runs have the same best val_accuracy: 0.5."),
            ("val_poisson", (0.5, 0.25, 1), None, "Best val_poisson: a 0.5, b 0.25, c 1.")):
        made = [{"name": name, "best": {"metric": metric, "value": value}, "directions": {metric: direction} if direction else {}}
                for name, value in zip("abc", values)]
        found = page.run(f"comparedOutcome({json.dumps(made)})")
        expect(found == sentence, f"compare: {metric} of {values} is ranked, found {found!r}")


def check_hostile(page, path):
    page.size(*SIZES["desk"])
    page.open(path)
    expect(page.run("window.hacked === undefined"), "hostile: nothing of a run's files is executed")
    expect(page.run("document.querySelectorAll('#page script, #page iframe, #page img:not([src^=\"data:\"]), #page b[data-x]').length") == 0,
           "hostile: nothing of a run's files becomes markup")
    text = page.run("document.body.innerText")
    expect(page.run("document.querySelectorAll('main > section').length") == 10, "hostile: all parts are there")
    for words in ("</script><script>window.hacked", "<img src=x onerror=", "nan"):
        expect(words in text, f"hostile: {words!r} is shown as text")
    wrong = wrong_on(page)
    expect(wrong == [], f"hostile: {wrong[:4]}")
    quiet(page, path)


def opening_time(page, path):
    """Milliseconds until the page was complete and its first frame drawn, by the browser's own clock."""
    page.open(path)
    page.settle()
    return page.run("Math.max(performance.getEntriesByType('navigation')[0].loadEventEnd, ...performance.getEntriesByType('paint').map((it) => it.startTime))")


def check_large(page, path):
    page.size(*SIZES["desk"])
    page.open(path)
    name = os.path.basename(path)
    count = page.run("document.querySelectorAll('*').length")
    expect(count < 15_000, f"{name}: the page has {count} elements")
    took = [opening_time(page, path) for _ in range(3)]
    print(f"{name}: {os.path.getsize(path)} bytes, {count} elements, opened in {', '.join(f'{it:.0f}' for it in took)} ms")
    expect(min(took) < 1000, f"{name}: the page opens in under a second, found {took} ms")
    rows = page.run("(() => { const found = layerRows(JSON.parse(document.getElementById('run-data').textContent).runs[0]);"
                    " return [found.length, found.filter((it) => it.kind && it.sizes[0] > 0 && it.seconds).length, found.filter((it) => it.measured).length]; })()")
    expect(rows[1] == 2000 and rows[2] > 100, f"{name}: each layer of the model has its bytes and times, found {rows}")
    expect("least and the largest value of each bin" in page.run("document.body.innerText"), f"{name}: it says that points are thinned")
    nodes = page.run("document.querySelectorAll('#model-graph circle.node').length")
    expect(20 < nodes <= 40 and "neighbours share a node" in page.run("document.getElementById('model').innerText"), f"{name}: neighbours share a node of the graph, found {nodes}")
    button = "[...document.querySelectorAll('#model button')].find((it) => it.textContent.startsWith('Show all'))"
    page.run(button + ".click()")
    expect(page.run("document.querySelectorAll('#model tbody tr').length") >= 2000, f"{name}: all layers can be seen")
    quiet(page, path)


def check_graph(page):
    """The model of the table has two ways from its first layer to its sum."""
    page.wait("document.querySelectorAll('#model-graph path.edge').length > 0")
    edges = page.run("document.querySelectorAll('#model-graph path.edge').length")
    expect(edges == 5, f"table: the graph has 5 connections, found {edges}")
    expect("first, second" in page.run("document.querySelector('#model table').innerText"), "table: the sum names what it reads")


def main():
    program, scratch, pictures = sys.argv[1:4]
    page = Chromium(program, os.path.join(scratch, "profile"))
    try:
        check_report(page, os.path.join(scratch, "report.html"), pictures)
        check_comparison(page, os.path.join(scratch, "compare.html"), pictures)
        check_plans(page, os.path.join(scratch, "plans.html"))
        check_many_runs(page, os.path.join(scratch, "many.html"))
        check_named(page, os.path.join(scratch, "named.html"))
        check_hostile(page, os.path.join(scratch, "hostile.html"))
        check_large(page, os.path.join(scratch, "large.html"))
        for name in ("table.html", "bare.html"):
            page.size(*SIZES["desk"])
            page.open(os.path.join(scratch, name))
            if name == "table.html":
                check_graph(page)
            look(page, os.path.join(scratch, name), pictures)
            quiet(page, os.path.join(scratch, name))
    finally:
        page.close()
    sys.exit(1 if failures else 0)


main()
