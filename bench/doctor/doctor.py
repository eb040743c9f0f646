"""Trains sound and faulty models with the program and compares what the doctor says with what is wrong with them.
doctor.py PROGRAM [--seeds N] [--first-seed N] [--part seen|unseen|all] [--only TEXT] [--jobs N] [--minutes N]
          [--json FILE] [--write-docs]"""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import cases
import confusion
import program as runs
import repair


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--part", choices=["seen", "unseen", "all"], default="all",
                        help="the cases by which thresholds are chosen, the others, or all")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=1, help="trainings that run at once, each with one thread")
    parser.add_argument("--minutes", type=float, help="begin no further seed after so long; only whole seeds count")
    parser.add_argument("--json")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--repair", action="store_true", help="let the doctor repair what options can repair")
    parser.add_argument("--write-docs", action="store_true", help="write the table into docs/doctor.md")
    return parser.parse_args()


def chosen(given):
    todo = [("healthy", model, cases.is_unseen(model)) for model in cases.HEALTHY]
    todo += [(name, model, cases.is_unseen(name)) for name, (_, models, _) in cases.FAULTS.items() for model in models]
    for name, model, is_unseen in todo:
        if given.only in f"{name}/{model}" and given.part in ("all", "unseen" if is_unseen else "seen"):
            yield name, model, is_unseen


def is_harmless(program, name, model, seed, diagnosis):
    """True if the mistake costs less than 5 points of what the sound training reaches."""
    reached = diagnosis.get("skill")
    if name == "healthy" or reached is None or cases.FAULTS[name][0] in cases.HARM_OF_OTHER_RECORDS:
        return False
    sound = runs.diagnose(program, cases.make(name, model, seed, is_sound=True)).get("skill")
    return sound is not None and reached >= sound - 0.05


def main():
    given = arguments()
    program = str(pathlib.Path(given.program).resolve())
    if given.repair:
        repair.main(program, chosen(given), given)
        return
    has_scripts = can_run_scripts()
    todo = list(chosen(given))
    missed = [] if has_scripts else [one for one in todo if needs_script(one[0], one[1])]
    todo = [one for one in todo if one not in missed]
    rows, seeds = measure_all(program, todo, given)
    lines = report(rows, sorted({f"{name}/{model}" for name, model, _ in missed}))
    print("\n".join(lines))
    if given.json:
        pathlib.Path(given.json).write_text(json.dumps(rows, indent=1))
    if given.write_docs:
        write_docs(lines, seeds)


def can_run_scripts():
    """The Python package is there."""
    return subprocess.run([sys.executable, "-c", "import plimsoll"], capture_output=True).returncode == 0


def needs_script(name, model):
    return bool(cases.make(name, model, 0).script)


def measure_all(program, todo, given):
    """Rows of whole seeds, and these seeds."""
    began = time.monotonic()
    rows, seeds = [], []
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for seed in range(given.first_seed, given.first_seed + given.seeds):
            if given.minutes and time.monotonic() - began > 60 * given.minutes:
                break
            for row in pool.map(lambda one: measure(program, *one, seed, given.verbose), todo):
                rows.append(row)
            seeds.append(seed)
            if given.json:
                pathlib.Path(given.json).write_text(json.dumps(rows, indent=1))
    return rows, seeds


def measure(program, name, model, is_unseen, seed, is_verbose):
    diagnosis = runs.diagnose(program, cases.make(name, model, seed))
    wanted = "nothing" if name == "healthy" else cases.FAULTS[name][0]
    found = runs.first_cause(diagnosis)
    harmless = is_harmless(program, name, model, seed, diagnosis)
    if is_verbose and name == "healthy" and diagnosis.get("live"):
        print(f"{name}/{model}/{seed}: told while it ran: {', '.join(diagnosis['live'])}", flush=True)
    if is_verbose and found != wanted and not harmless:
        causes = [(it["cause"], round(it["confidence"], 2)) for it in diagnosis["findings"]][:4]
        print(f"{name}/{model}/{seed}: {found}, wanted {wanted}; skill {diagnosis.get('skill')} {causes}"
              f" {diagnosis.get('error', '')[:200]}", flush=True)
    return {"case": name, "model": model, "seed": seed, "wanted": wanted, "found": found,
            "skill": diagnosis.get("skill"), "is_unseen": is_unseen, "is_harmless": harmless,
            "live": diagnosis.get("live")}


def report(rows, left_out=()):
    by_case = collections.defaultdict(list)
    for row in rows:
        by_case[row["case"], row["wanted"], row["is_unseen"]].append(row)
    lines = ["| mistake | cause | right | of | otherwise | did no harm |", "|---|---|---|---|---|---|"]
    for (case, wanted, is_unseen), all_of_it in sorted(by_case.items()):
        found = [row["found"] for row in all_of_it if not row["is_harmless"]]
        other = collections.Counter(it for it in found if it != wanted)
        text = ", ".join(f"{name} {count}" for name, count in other.most_common())
        lines.append(f"| {case}{' *' if is_unseen else ''} | {wanted} | {len(found) - sum(other.values())} |"
                     f" {len(found)} | {text} | {len(all_of_it) - len(found) or ''} |")
    for title, part in (("all", rows), ("cases that were not tuned on (*)", [row for row in rows if row["is_unseen"]])):
        lines += totals(title, part)
    if left_out:
        lines += ["", "Not run, because the Python package was not there: " + ", ".join(left_out) + "."]
    lines += ["", "What was made (rows) and what was named first (columns, by the numbers of the rows), without "
                  "mistakes that did no harm:", ""]
    return lines + confusion.matrix(rows)


def share(part, rows):
    return f"{part} of {len(rows)}", f"({100 * part / len(rows):.1f}%)"


def totals(title, rows):
    sound = [row for row in rows if row["case"] == "healthy"]
    watched = [row for row in sound if row["live"] is not None]
    mistakes = [row for row in rows if row["case"] != "healthy"]
    harmless = [row for row in mistakes if row["is_harmless"]]
    faults = [row for row in mistakes if not row["is_harmless"]]
    lines = []
    if faults:
        count, percent = share(sum(row["found"] == row["wanted"] for row in faults), faults)
        lines += ["", f"Of {title}: the first cause was right in {count} faulty trainings {percent}."]
    if harmless:
        count, percent = share(sum(row["found"] == row["wanted"] for row in mistakes), mistakes)
        named = sum(row["found"] == row["wanted"] for row in harmless)
        silent = sum(row["found"] == "nothing" for row in harmless)
        lines += ["", f"Of {title}: {len(harmless)} more mistakes did no harm; {silent} of these trainings had no "
                      f"finding above a note, and in {named} the mistake was named all the same. With them, the first "
                      f"cause was the mistake in {count} trainings {percent}."]
    if sound:
        count, percent = share(sum(row["found"] != "nothing" for row in sound), sound)
        lines += ["", f"Of {title}: {count} sound trainings {percent} had a finding above a note."]
    if watched:
        count, percent = share(sum(bool(row["live"]) for row in watched), watched)
        lines += ["", f"Of {title}: {count} sound trainings {percent} were told of a cause while they ran."]
    return lines


def write_docs(lines, seeds):
    """Between the two marks of docs/doctor.md."""
    path = pathlib.Path(__file__).parents[2] / "docs" / "doctor.md"
    begin, end = "<!-- bench doctor -->\n", "<!-- end of bench doctor -->\n"
    text = path.read_text()
    before, rest = text.split(begin)
    after = rest.split(end)[1]
    title = f"Seeds {seeds[0]} to {seeds[-1]}:\n\n" if len(seeds) > 1 else f"Seed {seeds[0]}:\n\n"
    path.write_text(before + begin + title + "\n".join(lines) + "\n" + end + after)


if __name__ == "__main__":
    main()
