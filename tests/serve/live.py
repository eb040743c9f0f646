"""Looks at the pages of 'plimsoll serve' in a real browser.

    live.py ADDRESS FOLDER

FOLDER/runs/live is a run that goes on; the page stops it. Ends with 1 and a sentence
where a page is not as expected. With PLIMSOLL_SCREENSHOTS=DIR it leaves pictures.
"""

import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

from browser import Browser

address, folder = sys.argv[1], sys.argv[2]
MARKUP = "<img src=x onerror=alert(1)>"
POINTS = "[...document.querySelectorAll('polyline')].map(line => +line.dataset.points)"
# The right end of the axis of the first chart.
LAST_EPOCH = "+[...document.querySelectorAll('svg')[0].querySelectorAll('text')].pop().textContent"


def fail(sentence):
    raise SystemExit(f"live.py: {sentence}")


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
signal.signal(signal.SIGTERM, note)
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
    browser.wait_for(f"{POINTS}[0]")
    before = browser.wait_for(LAST_EPOCH)
    browser.wait_for(f"{LAST_EPOCH} > {before}")
    browser.wait_for("document.getElementById('outcome').textContent.startsWith('running')")
    titles = browser.value("[...document.querySelectorAll('figcaption')].map(c => c.firstChild.textContent)")
    for title in ("loss", "memory against the plan", "loss of sampled steps"):
        if title not in titles:
            fail(f"no chart of {title} among {titles}")
    if not browser.value("document.querySelector('text.mark-name').textContent.startsWith('planned peak')"):
        fail("no load line")
    browser.look("serve-run")
    browser.look("serve-run-dark", dark=True)
    browser.look("serve-run-phone", width=390, height=844)


def ask_for_checkpoint(browser):
    process, signals = make_stand_in()
    try:
        browser.open(address + "?run=asked")
        browser.wait_for("document.querySelector('button') !== null && !document.querySelector('button').disabled")
        browser.value("document.querySelectorAll('button')[0].click()")
        browser.wait_for("document.querySelector('nav span').textContent === 'asked'")
        for _ in range(300):
            if os.path.exists(signals):
                break
            time.sleep(0.1)
        with open(signals) as file:
            if file.read() != "SIGUSR1\n":
                fail("another signal came")
    finally:
        process.kill()
        process.wait()
    # Its process is gone, and run.json still says that it runs.
    if post("stop", "asked") != 409 or post("checkpoint", "first") != 409:
        fail("a run that does not run is asked")


def stop(browser):
    browser.value("window.confirm = () => true; document.querySelectorAll('button')[1].click()")
    browser.wait_for("document.getElementById('outcome').textContent.startsWith('stopped')")
    browser.wait_for("[...document.querySelectorAll('button')].every(button => button.disabled)")


def look_at_hostile_run(browser):
    browser.open(address + "?run=" + urllib.parse.quote(MARKUP))
    browser.wait_for("document.querySelectorAll('ul.findings li').length")
    browser.wait_for(f"{POINTS}.includes(2)")
    if browser.value("document.querySelectorAll('img, main script, b').length"):
        fail("markup of a run became elements")
    if browser.value("document.getElementById('title').textContent") != MARKUP:
        fail("the name is not shown as it is")


def look_at_list(browser):
    browser.open(address)
    browser.wait_for("document.querySelectorAll('table a').length >= 3")
    names = browser.value("[...document.querySelectorAll('table a')].map(link => link.textContent)")
    if MARKUP not in names or "live" not in names or "first" not in names:
        fail(f"the list has {names}")
    if {"linked", "link-as-run", ".hidden", "linked/run"} & set(names):
        fail(f"the list has what is outside: {names}")
    browser.look("serve-list")


make_hostile_run()
chromium = Browser(os.path.join(folder, "chromium"))
try:
    look_at_live_run(chromium)
    ask_for_checkpoint(chromium)
    look_at_list(chromium)
    look_at_hostile_run(chromium)
    chromium.open(address + "?run=live")
    chromium.wait_for("document.getElementById('outcome').textContent.startsWith('running')")
    stop(chromium)
    origin = address.split("/")[2]
    strangers = [url for url in chromium.requests
                 if not url.startswith(("data:", "about:")) and urllib.parse.urlsplit(url).netloc != origin]
    if strangers:
        fail(f"the page asks others: {strangers}")
    if chromium.problems:
        fail(f"the console has errors: {chromium.problems}")
finally:
    chromium.close()
