"""Trains sound and faulty models with the program and compares what the doctor says with what is wrong with them.
doctor.py PROGRAM [--seeds N] [--first-seed N] [--part seen|unseen|all] [--only TEXT] [--json FILE] [--write-docs]"""
import argparse
import collections
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import cases
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
    sound = runs.diagnose(program, cases.make(name, model, seed, is_sound=True)).get("skill")
    reached = diagnosis.get("skill")
    return sound is not None and reached is not None and reached >= sound - 0.05


def main():
    given = arguments()
    program = str(pathlib.Path(given.program).resolve())
    if given.repair:
        repair.main(program, chosen(given), given)
        return
    rows = []
    for name, model, is_unseen in chosen(given):
        for seed in range(given.first_seed, given.first_seed + given.seeds):
            diagnosis = runs.diagnose(program, cases.make(name, model, seed))
            wanted = "nothing" if name == "healthy" else cases.FAULTS[name][0]
            found = runs.first_cause(diagnosis)
            if name in cases.MAY_BE_HARMLESS and is_harmless(program, name, model, seed, diagnosis):
                wanted = "nothing"
            rows.append({"case": name, "model": model, "seed": seed, "wanted": wanted, "found": found,
                         "skill": diagnosis.get("skill"), "is_unseen": is_unseen})
            if given.verbose and found != wanted:
                causes = [(it["cause"], round(it["confidence"], 2)) for it in diagnosis["findings"]][:4]
                print(f"{name}/{model}/{seed}: {found}, wanted {wanted}; skill {diagnosis.get('skill')} {causes}"
                      f" {diagnosis.get('error', '')[:200]}", flush=True)
    lines = report(rows)
    print("\n".join(lines))
    if given.json:
        pathlib.Path(given.json).write_text(json.dumps(rows, indent=1))
    if given.write_docs:
        write_docs(lines, given)


def report(rows):
    by_case = collections.defaultdict(list)
    for row in rows:
        by_case[row["case"], row["wanted"], row["is_unseen"]].append(row["found"])
    lines = ["| mistake | cause | right | of | otherwise |", "|---|---|---|---|---|"]
    for (case, wanted, is_unseen), found in sorted(by_case.items()):
        other = collections.Counter(it for it in found if it != wanted)
        text = ", ".join(f"{name} {count}" for name, count in other.most_common())
        harmless = " (did no harm)" if wanted == "nothing" and case != "healthy" else ""
        lines.append(f"| {case}{' *' if is_unseen else ''}{harmless} | {wanted} | {len(found) - sum(other.values())} |"
                     f" {len(found)} | {text} |")
    for title, part in (("all", rows), ("cases that were not tuned on (*)", [row for row in rows if row["is_unseen"]])):
        faults = [row for row in part if row["wanted"] != "nothing"]
        harmless = [row for row in part if row["wanted"] == "nothing" and row["case"] != "healthy"]
        sound = [row for row in part if row["case"] == "healthy"]
        right = sum(row["found"] == row["wanted"] for row in faults)
        alarms = sum(row["found"] != "nothing" for row in sound)
        if faults:
            lines += ["", f"Of {title}: the first cause was right in {right} of {len(faults)} faulty trainings "
                          f"({100 * right / len(faults):.1f}%)."]
        if sound:
            lines += ["", f"Of {title}: {alarms} of {len(sound)} sound trainings ({100 * alarms / len(sound):.1f}%) "
                          "had a finding above a note."]
        if harmless:
            named = sum(row["found"] != "nothing" for row in harmless)
            lines += ["", f"Of {title}: {named} of {len(harmless)} trainings with a mistake that did no harm "
                          "had a finding above a note."]
    return lines


def write_docs(lines, given):
    """Between the two marks of docs/doctor.md."""
    path = pathlib.Path(__file__).parents[2] / "docs" / "doctor.md"
    begin, end = "<!-- bench doctor -->\n", "<!-- end of bench doctor -->\n"
    text = path.read_text()
    before, rest = text.split(begin)
    after = rest.split(end)[1]
    seeds = f"Seeds {given.first_seed} to {given.first_seed + given.seeds - 1}:\n\n"
    path.write_text(before + begin + seeds + "\n".join(lines) + "\n" + end + after)


if __name__ == "__main__":
    main()
