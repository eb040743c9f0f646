"""check_document.py DOCUMENT RUN…: what runs write is what docs/formats/run.md says, field by field."""
import json
import os
import re
import sys

import trace_file

problems = []


def tables(path):
    """The rows of each section: {"event epoch": {"epoch": ("integer", is_optional)}}."""
    found, section = {}, ""
    for line in open(path, encoding="utf-8"):
        if heading := re.match(r"#+ (.*)", line):
            section = heading.group(1)
        elif row := re.match(r"\| `(\w+)` \| (\w+)(, optional)? \|", line):
            found.setdefault(section, {})[row.group(1)] = (row.group(2), bool(row.group(3)))
    return found


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) or value in ("nan", "inf", "-inf")


TYPES = {"integer": lambda it: isinstance(it, int) and not isinstance(it, bool), "number": is_number, "text": lambda it: isinstance(it, str),
         "object": lambda it: isinstance(it, dict), "list": lambda it: isinstance(it, list), "boolean": lambda it: isinstance(it, bool)}


def compare(where, found, rows, ignored=()):
    for name, (kind, is_optional) in rows.items():
        if name not in found:
            if not is_optional:
                problems.append(f"{where}: {name} is described and not written")
        elif not TYPES[kind](found[name]) and not (is_optional and found[name] is None):
            problems.append(f"{where}: {name} is described as {kind}, found {str(found[name])[:60]}")
        written.add((where, name)) if name in found else None
    for name in set(found) - set(rows) - set(ignored):
        problems.append(f"{where}: {name} is written and not described")


written, seen_spans = set(), set()


def check_events(path, document):
    for number, line in enumerate(open(path, encoding="utf-8")):
        event = json.loads(line)
        section = "event " + event["event"]
        if section not in document and section != "event end":
            problems.append(f"{path}: the event {event['event']} is not described")
            continue
        compare(section, event, document["result" if section == "event end" else section], ("event", "time"))
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", event["time"]), line
        if number == 0 and path.endswith("log.jsonl") and event["event"] != "start":
            problems.append(f"{path}: the first event is {event['event']}")
        for it in event.get("layers", []):
            compare("a layer", it, document["a layer"])
        for it in event.get("variables", []):
            compare("a variable", it, document["a variable"])
        for it in event.get("growing", []):
            compare("a growing line", it, document["a growing line"])


def spans_named_in(path):
    """The spans that are no operation of a model, as the document names them."""
    text = open(path, encoding="utf-8").read()
    rows = re.findall(r"\| (`.*`) \|", text[text.index("| name of a span |"):].split("\n\n")[0])
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row)}


def check_names(path, threads, spans):
    """Threads are called what their spans say."""
    for tid, found in spans.items():
        names = {name for _, _, name in found}
        name = threads.get(tid, "without a name")
        expected = "training" if tid == 0 else "reader" if names == {"read records"} else None
        if expected is None or not re.fullmatch(expected + r"( \d+)?", name):
            problems.append(f"{path}: thread {tid} with the spans {sorted(names)[:5]} is called {name}")
    if len(set(threads.values())) != len(threads):
        problems.append(f"{path}: several threads have one name: {threads}")


def check_trace(path):
    """Spans of a thread are nested, never crossed."""
    spans, threads, steps, counters = {}, {}, 0, 0
    for it in json.load(open(path, encoding="utf-8"))["traceEvents"]:
        counters += it["ph"] == "C" and it["args"]["bytes"] > 0
        if it["ph"] == "M":
            threads[it["tid"]] = it["args"]["name"]
        if it["ph"] == "X":
            spans.setdefault(it["tid"], []).append((it["ts"], -it["dur"], it["name"]))
            steps += it["name"] == "step"
            seen_spans.add(it["name"])
    check_names(path, threads, spans)
    if steps == 0 or counters < 10 * steps:
        problems.append(f"{path}: has {steps} steps and {counters} counts of the memory")
    slack = 1e-3  # microseconds: times are rounded
    for tid, found in spans.items():
        ends = []
        for begin, negative, name in sorted(found):
            end = begin - negative
            while ends and ends[-1] <= begin + slack:
                ends.pop()
            if ends and end > ends[-1] + slack:
                problems.append(f"{path}: {name} at {begin} of thread {tid} ends after what is around it")
            ends.append(end)


def check_profile(path, document):
    try:
        profile = json.load(open(path, encoding="utf-8"))
    except FileNotFoundError:
        return
    compare("profile.json", profile, document["profile.json"])
    compare("speed of the machine", profile["machine"], document["speed of the machine"])
    for it in profile["operations"]:
        compare("an operation", it, document["an operation"])


def main():
    document = tables(sys.argv[1])
    for folder in sys.argv[2:]:
        run = json.load(open(folder + "/run.json", encoding="utf-8"))
        compare("run.json", run, document["run.json"])
        compare("machine", run["machine"], document["machine"])
        compare("result", run["result"], document["result"])
        compare("plan.json", json.load(open(folder + "/plan.json", encoding="utf-8")), document["plan.json"])
        check_events(folder + "/log.jsonl", document)
        check_profile(folder + "/profile.json", document)
        if os.path.exists(folder + "/trace.json"):
            problems.extend(trace_file.problems_of(folder + "/trace.json"))
            check_trace(folder + "/trace.json")
        try:
            check_events(folder + "/quarantine.jsonl", document)
        except FileNotFoundError:
            pass
    for name in sorted(spans_named_in(sys.argv[1]) - seen_spans):
        problems.append(f"trace.json: no run of the test has a span '{name}'")
    # All of it was seen, so that a row for what no run writes cannot stay.
    for section, rows in document.items():
        for name in rows:
            if section not in ("The folder of a run", "trace.json") and (section, name) not in written and (section, name) not in RARE:
                problems.append(f"{section}: no run of the test has written {name}")
    print("\n".join(sorted(set(problems))))
    sys.exit(bool(problems))


# What only a step that is not finite, a run that is spoiled early, a program that keeps tensors, or a processor with a
# name shows.
RARE = {("event not_finite", name) for name in ("gradient_of", "layer", "weight", "inputs", "output", "records", "every_record", "op", "line")} | {
    ("machine", "processor"), ("event epoch", "growing")} | {("a growing line", name) for name in ("line", "tensors", "bytes")} | {("event diagnosis", name) for name in (
        "cause", "severity", "confidence", "where", "what", "evidence", "remedy", "option")}
main()
