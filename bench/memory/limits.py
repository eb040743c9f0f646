"""Part `limits`: the same models under the same memory limits, in Plimsoll and its peers."""

import pathlib
import sys

import programs
from cases import CASES, THREADS

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent.parent / "tests" / "support"))
from memory_group import MemoryGroup, why_none  # noqa: E402

PEERS = {"keras": "keras_peer.py", "torch": "torch_peer.py"}
SAFETY_MIB = 12 * 1024  # the limit of a peer that shows what it needs
MIB = 1 << 20
PEER_ENVIRONMENT = {
    "OMP_NUM_THREADS": str(THREADS),
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "CUDA_VISIBLE_DEVICES": "-1",
}
OUT_OF_MEMORY = ("out of memory", "not enough memory", "MemoryError", "ResourceExhausted", "OOM", "bad_alloc")


def in_group(command, limit_mib, environment=None):
    with MemoryGroup(limit_mib * MIB) as group:
        return programs.run(command, environment, group)


def verdict(outcome, stage):
    """A word or two on how a program under a limit ended; `stage` is what it was at."""
    if outcome.is_done:
        return "done"
    if outcome.was_killed:
        return f"killed in {stage}"
    if outcome.code is None:
        return f"stopped after {programs.TIMEOUT} s"
    if any(words in outcome.error for words in OUT_OF_MEMORY):
        return f"out of memory in {stage}"
    return f"failed in {stage}: {outcome.error}"


def stage_after(said):
    """What a peer was at when it had said this."""
    if not said:
        return "import"
    steps = sum(line["stage"] == "step" for line in said)
    return "building" if said[-1]["stage"] == "imported" else f"step {steps + 1}"


def run_plimsoll(arguments, name, case):
    command = [arguments.program, "run", name, case.batch, "--steps", case.steps, "--memory", f"{case.limit_mib}MiB"]
    outcome = in_group(command, case.limit_mib)
    result = {"name": "plimsoll", "verdict": verdict(outcome, "the run")}
    if outcome.is_done:
        facts = outcome.said[0]
        plain = facts["planned_bytes"] - facts["arena_bytes"] + facts["plain_arena_bytes"]
        result |= {"peak_mib": facts["measured_bytes"] / MIB, "plain_mib": plain / MIB, "how": facts["how"]}
    return result


def run_peer(arguments, peer, name, case):
    command = [arguments.python, HERE / PEERS[peer], name]
    limited = in_group(command, case.limit_mib, PEER_ENVIRONMENT)
    free = in_group(command, SAFETY_MIB, PEER_ENVIRONMENT)
    result = {"name": peer, "verdict": verdict(limited, stage_after(limited.said))}
    result["free_verdict"] = verdict(free, stage_after(free.said))
    if free.said:
        result["import_mib"] = free.said[0]["peak_rss_kib"] / 1024
        result["seen_mib"] = free.said[-1]["peak_rss_kib"] / 1024
    if free.is_done:
        result["peak_mib"] = result["seen_mib"]
    return result


def need_text(result):
    if "peak_mib" in result:
        return f"{result['peak_mib']:7.0f} MiB"
    if result.get("free_verdict", "").startswith("killed"):
        return f"> {SAFETY_MIB} MiB ({result['free_verdict']})"
    return result.get("free_verdict", "-")


def print_result(result, case):
    ratio = f"{result['peak_mib'] / case.limit_mib:5.1f}x the limit" if "peak_mib" in result else ""
    note = ""
    if result["name"] == "plimsoll" and "plain_mib" in result:
        note = f"  (plain: {result['plain_mib']:.0f} MiB; {result['how'] or 'nothing was saved'})"
    elif "import_mib" in result:
        note = f"  (import alone: {result['import_mib']:.0f} MiB)"
    print(f"  {result['name']:9} {result['verdict']:22} took {need_text(result)} {ratio}{note}", flush=True)


def print_summary(results):
    ours = sum(row["verdict"] == "done" for r in results for row in r["programs"] if row["name"] == "plimsoll")
    peers = [row for r in results for row in r["programs"] if row["name"] != "plimsoll"]
    done = sum(row["verdict"] == "done" for row in peers)
    word = "met" if ours == len(results) else "missed"
    print(f"limits: Plimsoll trains {ours} of {len(results)} models in their limit (target: all): {word};")
    print(f"        the peers {done} of {len(peers)}")


def run(arguments):
    reason = why_none()
    if reason:
        print(f"limits: left out, for a memory cgroup cannot be made: {reason}")
        return {"skipped": reason}
    results = []
    for name, case in CASES.items():
        if arguments.case and name not in arguments.case:
            continue
        steps = f"{case.steps} step{'s' if case.steps > 1 else ''}"
        print(f"\n{name}: {steps} at a batch of {case.batch} in {case.limit_mib} MiB", flush=True)
        rows = []
        for program in ("plimsoll", *PEERS):
            ours = program == "plimsoll"
            rows.append(run_plimsoll(arguments, name, case) if ours else run_peer(arguments, program, name, case))
            print_result(rows[-1], case)
        results.append({"model": name, "batch": case.batch, "limit_mib": case.limit_mib, "programs": rows})
    if results:
        print_summary(results)
    return {"models": results}
