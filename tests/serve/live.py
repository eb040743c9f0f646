"""Looks at the pages of 'plimsoll serve' in a real browser.

    live.py ADDRESS FOLDER PID

FOLDER/runs/live is a run that goes on; the page stops it, and at last the server, whose process is PID. Ends with 1 and a sentence
where a page is not as expected. With PLIMSOLL_SCREENSHOTS=DIR it leaves pictures, with IMAGES=DIR that of the documents.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "report"))
import images  # noqa: E402
from accessible import SIZES, wrong_anywhere  # noqa: E402
from chromium import Chromium  # noqa: E402

address, folder = sys.argv[1], sys.argv[2]
MARKUP = "<img src=x onerror=alert(1)>"
# How many points each line has.
POINTS = "[...document.querySelectorAll('path.series')].map(line => line.getAttribute('d').split(/[ML]/).length - 1)"
# How far the run has come, as its page says.
EPOCHS = "+(document.getElementById('outcome').textContent.match(/([0-9,]+) of/) || ['', '0'])[1].replaceAll(',', '')"
PICTURES = os.environ.get("PLIMSOLL_SCREENSHOTS", "")


def fail(sentence):
    raise SystemExit(f"live.py: {sentence}")


def wait_for(browser, expression, seconds=60):
    """Until the expression is true; returns what it is."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if value := browser.run(expression):
                return value
        except AssertionError:
            pass  # the page is being loaded
        time.sleep(0.2)
    fail(f"the page never has: {expression}")


def check_quiet(browser):
    """The page asks no other server, and its console is silent."""
    origin = address.split("/")[2]
    strangers = [url for url in browser.requests
                 if not url.startswith(("data:", "about:")) and urllib.parse.urlsplit(url).netloc != origin]
    if strangers:
        fail(f"the page asks others: {strangers}")
    if browser.errors:
        fail(f"the console has errors: {browser.errors}")


def check_accessible(browser, name):
    if wrong := wrong_anywhere(browser, PICTURES, name):
        fail(f"{name}: {wrong[:12]}")


def make_hostile_run():
    """A run whose name and findings are markup."""
    place = os.path.join(folder, "runs", MARKUP)
    os.mkdir(place)
    with open(os.path.join(folder, "runs/first/run.json")) as file:
        run = json.load(file)
    run["result"]["why"] = "</script><script>alert(2)</script>"
    with open(os.path.join(place, "run.json"), "w") as file:
        json.dump(run, file)
    with open(os.path.join(place, "log.jsonl"), "w") as file:
        for event in ({"event": "start", "time": "2026-01-31T12:00:00Z"},
                      {"event": "finding", "severity": "<b>", "where": MARKUP, "what": "<script>alert(3)</script>",
                       "remedy": "javascript:alert(4)"},
                      {"event": "epoch", "epoch": 1, "metrics": {MARKUP: 1.0, "loss": 0.5, "__proto__": 2}},
                      {"event": "epoch", "epoch": 2, "metrics": {"loss": "nan"}},
                      {"event": "epoch"}, {"event": "epoch", "metrics": [1]}, {"event": {}}):
            file.write(json.dumps(event) + "\n")
        file.write("no JSON\n{\"event\":\"epoch\",\"epoch\":3,\"metrics\":{\"loss\":0.25}}\n" + "[" * 100000 + "\n")


# Holds the lock of a run and notes the signals that it gets.
STAND_IN = """
import fcntl, signal, sys, time
lock = open(sys.argv[1] + "/.lock", "w")
fcntl.flock(lock, fcntl.LOCK_EX)
def note(number, frame):
    with open(sys.argv[1] + "/signals", "a") as file:
        file.write(signal.Signals(number).name + "\\n")
signal.signal(signal.SIGUSR1, note)
signal.signal(signal.SIGTERM, lambda *all: (signal.signal(signal.SIGTERM, signal.SIG_DFL), note(*all)))
print("ready", flush=True)
time.sleep(600)
"""


def make_stand_in():
    place = os.path.join(folder, "runs", "asked")
    os.mkdir(place)
    with open(os.path.join(folder, "runs/first/run.json")) as file:
        run = json.load(file)
    run["result"] = {"status": "running"}
    with open(os.path.join(place, "run.json"), "w") as file:
        json.dump(run, file)
    process = subprocess.Popen([sys.executable, "-c", STAND_IN, place], stdout=subprocess.PIPE, text=True)
    process.stdout.readline()
    return process, os.path.join(place, "signals")


def post(what, name):
    """The status of the reply."""
    request = urllib.request.Request(f"{address}api/{what}?name={name}", b"", method="POST")
    try:
        return urllib.request.urlopen(request, timeout=60).status
    except urllib.error.HTTPError as error:
        return error.code


def look_at_live_run(browser):
    browser.open(address + "?run=live")
    wait_for(browser, f"{POINTS}[0]")
    before = wait_for(browser, EPOCHS)
    wait_for(browser, f"{EPOCHS} > {before}")
    points = browser.run(f"{POINTS}[0]")
    if points > 1100:
        fail(f"a line has {points} points: it is not thinned")
    check_focus_stays(browser)
    wait_for(browser, "document.getElementById('outcome').textContent.startsWith('running')")
    titles = browser.run("[...document.querySelectorAll('figcaption')].map(c => c.firstChild.textContent)")
    for title in ("loss", "memory against the plan", "loss of sampled steps"):
        if title not in titles:
            fail(f"no chart of {title} among {titles}")
    if not browser.run("document.querySelector('text.level-name').textContent.startsWith('planned peak')"):
        fail("no load line")
    check_parts_of_report(browser)
    check_choices_stay(browser)
    images.take(browser, "serve", 1500)
    browser.size(*SIZES["desk"])
    check_accessible(browser, "serve-run")


def check_parts_of_report(browser):
    """The plan with its slider, the model, what sampled steps showed, findings, the data, the files and the command, as a report has
    them; new epochs leave the slider alone."""
    for words in ("#memory canvas", "#memory input[type=range]", "#model tbody tr", "#model-graph circle.node", "#inside canvas", "#inside path.series",
                  "#findings .missing", "#data h3", "#files tbody tr", "#command pre"):
        wait_for(browser, f"document.querySelector({words!r}) !== null")
    slider = "document.querySelector('#memory input[type=range]')"
    browser.run(f"{slider}.value = 1; {slider}.dispatchEvent(new Event('input', {{bubbles: true}})); {slider}.focus()")
    before = browser.run(EPOCHS)
    files = "document.querySelector('#files').textContent"
    with open(os.path.join(folder, "runs/live/note.txt"), "w") as file:
        file.write("new")
    wait_for(browser, f"{EPOCHS} > {before} && {files}.includes('note.txt')")
    if not browser.run(f"document.activeElement === {slider} && {slider}.value === '1'"):
        fail("a new epoch moves the slider of the plan")


def check_choices_stay(browser):
    """Of a part that is made again: the map that was chosen, a table that was opened, and the focus."""
    browser.run("""(() => { const it = document.querySelector('#inside select'); it.value = '2'; it.dispatchEvent(new Event('change')); })()""")
    wait_for(browser, "document.querySelector('#inside').textContent.includes('units that are 0')")
    browser.run("document.querySelectorAll('#inside select')[1].focus(); document.querySelector('#inside details').open = true")
    browser.run("""(async () => { const box = document.querySelector('#inside').parentElement, old = box.firstChild;
        const report = await (await fetch('api/report?name=live')).json();
        keepingChoices(box, () => box.replaceChildren(statisticsSection(report)));
        if (box.firstChild === old) throw new Error('the part was not made again'); })()""")
    kept = browser.run("""[document.querySelector('#inside select').value, document.querySelector('#inside').textContent.includes('units that are 0'),
        document.querySelector('#inside details').open, document.activeElement === document.querySelectorAll('#inside select')[1]]""")
    if kept != ["2", True, True, True]:
        fail(f"a part that is made again forgets what was chosen, opened or focused: {kept}")


def check_focus_stays(browser):
    """New points change a chart in place: what has the focus keeps it, and what keys have shown stays."""
    browser.run("document.querySelector('#curves .plot').focus()")
    browser.key("Home")
    before = browser.run(EPOCHS)
    wait_for(browser, f"{EPOCHS} > {before}")
    if not browser.run("document.activeElement === document.querySelector('#curves .plot')"):
        fail("new points take the focus away")


def signals_in(path):
    with open(path) as file:
        return file.read().split()


def ask_to_stop_twice(process, signals):
    """A second SIGTERM would end a run before it has saved its model, whether it has taken the first one or not."""
    process.send_signal(signal.SIGSTOP)
    statuses = [post("stop", "asked"), post("stop", "asked")]
    process.send_signal(signal.SIGCONT)
    for _ in range(300):
        if len(signals_in(signals)) > 1:
            break
        time.sleep(0.1)
    statuses.append(post("stop", "asked"))
    time.sleep(0.5)
    if statuses != [200, 409, 409] or signals_in(signals) != ["SIGUSR1", "SIGTERM"] or process.poll() is not None:
        fail(f"a run was asked to stop more than once: {statuses}, {signals_in(signals)}, {process.poll()}")


def look_at_long_log(browser):
    """10 MiB, more than one message holds: the last epoch is drawn."""
    place = os.path.join(folder, "runs", "long")
    os.mkdir(place)
    shutil.copy(os.path.join(folder, "runs/first/run.json"), place)
    with open(os.path.join(place, "log.jsonl"), "w") as file:
        for epoch in range(1, 1001):
            metrics = {"loss": 1 / epoch, **{f"metric_{i:03}": 0.123456789 for i in range(400)}}
            file.write(json.dumps({"event": "epoch", "epoch": epoch, "metrics": metrics}) + "\n")
    if os.path.getsize(os.path.join(place, "log.jsonl")) < 10 << 20:
        fail("the long log is short")
    browser.open(address + "?run=long")
    wait_for(browser, "run.epochs.length > 0 && run.epochs.at(-1).epoch === 1000")
    epochs = browser.run("run.epochs.length")
    if epochs != 1000:
        fail(f"{epochs} of 1,000 epochs came")


def lose_server(browser):
    """A page says that its server is gone."""
    if browser.run("!document.getElementById('connection').hidden"):
        fail("a page says that the server is gone, which is there")
    os.kill(int(sys.argv[3]), signal.SIGTERM)
    wait_for(browser, "!document.getElementById('connection').hidden")
    if "no connection to the server" not in browser.run("document.getElementById('connection').textContent"):
        fail("the page does not say that the server is gone")


def ask_for_checkpoint(browser):
    process, signals = make_stand_in()
    try:
        browser.open(address + "?run=asked")
        wait_for(browser, "document.querySelector('header button') !== null && !document.querySelector('header button').disabled")
        browser.run("document.querySelectorAll('header button')[0].click()")
        wait_for(browser, "document.getElementById('said').textContent === 'asked'")
        for _ in range(300):
            if os.path.exists(signals):
                break
            time.sleep(0.1)
        if signals_in(signals) != ["SIGUSR1"]:
            fail("another signal came")
        ask_to_stop_twice(process, signals)
    finally:
        process.kill()
        process.wait()
    # Its process is gone, and run.json still says that it runs.
    if post("stop", "asked") != 409 or post("checkpoint", "first") != 409:
        fail("a run that does not run is asked")


def stop(browser):
    browser.run("window.confirm = () => true; document.querySelectorAll('header button')[1].click()")
    wait_for(browser, "document.getElementById('outcome').textContent.startsWith('stopped')")
    wait_for(browser, "[...document.querySelectorAll('header button')].every(button => button.disabled)")


def look_at_hostile_run(browser):
    browser.open(address + "?run=" + urllib.parse.quote(MARKUP))
    wait_for(browser, "document.querySelectorAll('#findings .finding').length")
    for words in (MARKUP, "<script>alert(3)</script>", "javascript:alert(4)"):
        if words not in browser.run("document.querySelector('#findings .finding').textContent"):
            fail(f"the finding does not say {words!r} as it is")
    wait_for(browser, f"{POINTS}.includes(2)")
    if browser.run("document.querySelectorAll('#page img, #page script, #page b').length"):
        fail("markup of a run became elements")
    if browser.run("document.getElementById('title').textContent") != MARKUP:
        fail("the name is not shown as it is")


def look_at_list(browser):
    browser.open(address)
    wait_for(browser, "document.querySelectorAll('table a').length >= 3")
    names = browser.run("[...document.querySelectorAll('table a')].map(link => link.textContent)")
    if MARKUP not in names or "live" not in names or "first" not in names:
        fail(f"the list has {names}")
    if {"linked", "link-as-run", ".hidden", "linked/run"} & set(names):
        fail(f"the list has what is outside: {names}")
    row = browser.run("[...document.querySelectorAll('tbody tr')].find(row => row.cells[0].textContent === 'live').innerText")
    if "≥" not in row:
        fail(f"of a run that goes on the most of its log is shown, as such; found {row!r}")
    check_accessible(browser, "serve-list")
    compare_from_list(browser)


def compare_from_list(browser):
    """Two runs that are marked in the list, on one page, as 'plimsoll compare' has them."""
    button = "[...document.querySelectorAll('header button')].find(it => it.textContent.startsWith('Compare'))"
    if not browser.run(f"{button}.disabled"):
        fail("no run is marked, and runs can be compared")
    for name in ("first", "live"):
        browser.run(f"document.querySelector('input[value={name}]').click()")
    time.sleep(6)  # the list was read again
    if browser.run("[...document.querySelectorAll('input:checked')].map(it => it.value).sort().join()") != "first,live":
        fail("marks in the list do not stay")
    browser.run(f"{button}.click()")
    wait_for(browser, "document.querySelector('#options tr.different') !== null")
    different = browser.run("[...document.querySelectorAll('#options tr.different th')].map(it => it.textContent)")
    lines = browser.run("document.querySelector('#curves .plot').querySelectorAll('path.series').length")
    if "epochs" not in different or "target" in different or lines != 2:
        fail(f"the comparison marks {different} and draws {lines} lines")
    check_accessible(browser, "serve-compare")
    browser.open(address + "?compare=first&compare=" + urllib.parse.quote(MARKUP) + "&compare=nowhere")
    wait_for(browser, "document.querySelector('header').textContent.includes('There is no run nowhere')")
    browser.errors = [it for it in browser.errors if "404" not in it]  # which the browser says of that run
    if browser.run("document.querySelectorAll('#page img, #page script, #page b').length"):
        fail("markup of a run became elements of a comparison")


make_hostile_run()
chromium = Chromium("chromium", os.path.join(folder, "chromium"))
try:
    for look in (look_at_live_run, ask_for_checkpoint, look_at_list, look_at_hostile_run, look_at_long_log):
        look(chromium)
        check_quiet(chromium)
    chromium.open(address + "?run=live")
    wait_for(chromium, "document.getElementById('outcome').textContent.startsWith('running')")
    stop(chromium)
    check_quiet(chromium)
    lose_server(chromium)
finally:
    chromium.close()
