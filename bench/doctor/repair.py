"""Lets the doctor repair faulty trainings, and compares what they reach then with what the sound ones reach.
Called by doctor.py --repair."""
import json
import pathlib
import tempfile

import cases
import program as runs

# Causes whose remedy is an option of train. What --class-weight and --early-stopping cure shows on other records.
CAUSES = ("learning_rate_high", "learning_rate_low", "optimizer", "loss_mismatch", "too_few_epochs", "batch_size",
          "not_shuffled", "inputs_not_normalised", "bad_record")
# Of output_activation, those that --from-logits cures.
NAMES = ("no_activation_at_the_end", "forgot_the_last_activation", "softmax_and_from_logits")
POINTS = 0.02


def is_repairable(name):
    return name != "healthy" and (cases.FAULTS[name][0] in CAUSES or name in NAMES)


def repaired(program, it):
    """The skill before and after, and the options; None: nothing could be applied."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        runs.write(it, folder)
        runs.train(program, it, folder)
        if not (folder / "run" / "run.json").exists():
            return None  # the training was refused: there is no run to repair
        said = runs.run([program, "doctor", "run", "--repair", "--out", "new", "--json"], folder)
        if said.returncode != 0:  # nothing to apply: the run stays as it is
            found = json.loads(runs.run([program, "doctor", "run", "--json"], folder).stdout)
            return {"error": said.stderr.strip(), "options": [], "after": found}
        return json.loads(said.stdout)


def skill_of(program, it):
    return runs.diagnose(program, it).get("skill")


def main(program, chosen, given):
    right = all_of_them = refused = unknown = 0
    print("| mistake | model | sound | repaired | options |\n|---|---|---|---|---|")
    for name, model, _ in chosen:
        if not is_repairable(name):
            continue
        for seed in range(given.first_seed, given.first_seed + given.seeds):
            found = repaired(program, cases.make(name, model, seed))
            sound = skill_of(program, cases.make(name, model, seed, is_sound=True))
            if found is None or sound is None:  # counted apart: a table of a training that is refused has no row
                refused += found is None
                unknown += found is not None
                continue
            after = found["after"].get("skill")
            all_of_them += 1
            is_right = after is not None and after >= sound - POINTS
            right += is_right
            reached = "-" if after is None else f"{after:.3f}"
            print(f"| {name} | {model} | {sound:.3f} | {reached}{'' if is_right else ' !'} |"
                  f" {' '.join(found['options'])} {found.get('error', '')[:90]} |", flush=True)
    print(f"\nrepaired: {right} of {all_of_them} ({100 * right / max(1, all_of_them):.1f}%) reach the sound run less "
          f"{100 * POINTS:.0f} points; {refused} more were refused and have no run to repair, and of {unknown} the skill is "
          "not known")
