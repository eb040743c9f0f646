"""Whether a trace.json is one that Perfetto opens without leaving anything out: by Perfetto's own trace_processor where it is
installed (PLIMSOLL_TRACE_PROCESSOR names it otherwise), and always by the rules of the trace event format, strictly. The package
`perfetto` of PyPI has no trace_processor in it: it loads one from a server of Google when it is first used, so no test asks for it.
"""
import json
import math
import os
import shutil
import subprocess
import tempfile

FIELDS = {"X": {"name", "ph", "pid", "tid", "ts", "dur"}, "M": {"name", "ph", "pid", "tid", "args"}, "C": {"name", "ph", "pid", "ts", "args"}}
MAY_HAVE = {"X": {"args"}, "M": set(), "C": {"tid"}}
# Of a trace as Perfetto has read it. What it could not use is counted in its own table of statistics.
QUERY = """select 'slices', count(*) from slice
union all select 'threads', count(distinct name) from thread where name in ('training', 'reader 1', 'reader 2', 'reader')
union all select 'counters', count(*) from counter
union all select 'problem ' || name, value from stats where severity in ('error', 'data_loss') and value > 0;
"""


def is_number(value, least=0):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) and value >= least


def wrong_with(it):
    """What the rules of the format say of an event; empty if it is right."""
    kind = it.get("ph") if isinstance(it, dict) else None
    if kind not in FIELDS:
        return f"is of no kind that is written: {it!r:.100}"
    if FIELDS[kind] - set(it) or set(it) - FIELDS[kind] - MAY_HAVE[kind]:
        return f"has the fields {sorted(it)}"
    if not isinstance(it["name"], str) or not it["name"]:
        return f"has the name {it['name']!r}"
    for key in {"pid", "tid"} & set(it):
        if type(it[key]) is not int or not 0 <= it[key] < 2**31:
            return f"has the {key} {it[key]!r}"
    for key in {"ts", "dur"} & set(it):
        if not is_number(it[key]):
            return f"has the {key} {it[key]!r}"
    arguments = it.get("args", {})
    if not isinstance(arguments, dict) or not all(isinstance(value, (str, int, float)) for value in arguments.values()):
        return f"has the arguments {arguments!r:.100}"
    if kind == "M" and (it["name"] not in ("thread_name", "process_name") or not isinstance(arguments.get("name"), str)):
        return f"names no thread: {it!r:.100}"
    if kind == "C" and not (arguments and all(is_number(value) for value in arguments.values())):
        return f"counts {arguments!r:.100}"
    return ""


def refuse_constant(text):
    raise ValueError(f"{text} is not a number of JSON")


def problems_of(path):
    """Sentences."""
    try:
        with open(path, encoding="utf-8") as file:
            trace = json.load(file, parse_constant=refuse_constant)
    except ValueError as error:
        return [f"{path}: {error}"]
    found = []
    if set(trace) - {"traceEvents", "displayTimeUnit"} or trace.get("displayTimeUnit", "ms") not in ("ms", "ns"):
        found.append(f"{path}: has {sorted(trace)} and the unit {trace.get('displayTimeUnit')!r}")
    events = trace["traceEvents"]
    found += [f"{path}: event {i} {sentence}" for i, it in enumerate(events) if (sentence := wrong_with(it))]
    return found[:10] or problems_of_perfetto(path, sum(it["ph"] == "X" for it in events), sum(it["ph"] == "C" for it in events))


def problems_of_perfetto(path, spans, counters):
    program = os.environ.get("PLIMSOLL_TRACE_PROCESSOR") or shutil.which("trace_processor_shell") or shutil.which("trace_processor")
    if not program:
        return []
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as query:
        query.write(QUERY)
        query.flush()
        done = subprocess.run([program, "-q", query.name, path], capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        return [f"{path}: trace_processor ends with {done.returncode}: {done.stderr[-300:]}"]
    rows = [line.replace('"', "").split(",") for line in done.stdout.splitlines() if "," in line]
    values = {row[0]: int(row[1]) for row in rows if row[1].strip().isdigit()}
    found = [f"{path}: Perfetto has a {name}: {value}" for name, value in values.items() if name.startswith("problem")]
    if values.get("slices") != spans or values.get("counters") != counters:
        found.append(f"{path}: Perfetto has read {values}, written are {spans} spans and {counters} counts")
    return found
