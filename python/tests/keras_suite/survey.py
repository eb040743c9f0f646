"""Runs Keras's tests against plimsoll.keras, file by file, and says how many pass and why the rest do not.

    python -m keras_suite.survey [FAMILY…] [--write]     in the folder python/tests

The families are folders of keras/src (losses, layers, …; all of FAMILIES without one). --write keeps
the names of the tests that pass in passing.txt; those of families that did not run stay.
"""
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from keras_suite import stand_in

FAMILIES = ("losses", "metrics", "optimizers", "layers", "callbacks", "utils", "initializers",
            "regularizers", "constraints", "activations", "models", "ops", "random")
PASSING = Path(__file__).with_name("passing.txt")
SECONDS = 600  # for one file

# Why a test does not pass, by what its name or its error has; the first that fits counts.
CAUSES = {
    "quantization, LoRA": r"quanti|lora|int4|int8|float8|gptq|awq",
    "sparse and ragged tensors": r"sparse|ragged|IndexedSlices",
    "channels_first": r"channels_first",
    "other element types": r"float16|float64|dtype|int16|uint16",
    "bounding boxes": r"bounding|_iou|ciou",
    "other packages": r"this test needs the package|No module named|grain|orbax",
    "private names": r"no public name|has no attribute '_|TFSM|tf.context|SummaryMetadata",
    "other results": r"Not equal to tolerance|AssertionError: (\d|\(|TensorShape|Tuples|Lists|np.False)",
    "an error that is not raised": r"not raised|DID NOT (RAISE|WARN)|not triggered",
    "not here, with a sentence": r"NotImplementedError|InvalidArgument|has no|unexpected keyword",
}


def command(outcomes: Path, *what: str) -> list[str]:
    """Runs pytest with the plugin, in the folder of Keras's sources."""
    return [sys.executable, "-m", "pytest", "-p", "keras_suite.plugin", "--noconftest", "-c", "/dev/null",
            "--rootdir", str(stand_in.source_folder()), "-p", "no:cacheprovider", "-q", "--tb=no",
            f"--outcomes={outcomes}", *what]


def outcomes_of(*what: str, seconds: float = SECONDS) -> list[dict]:
    """The outcome of each test in these files, or of these tests; a crash or the end of time ends the list."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "outcomes"
        try:
            subprocess.run(command(file, *what), cwd=stand_in.source_folder(), timeout=seconds,
                           env=stand_in.environment(), stdout=subprocess.DEVNULL, check=False)
        except subprocess.TimeoutExpired:
            print(f"{what[0]}: stopped after {seconds} s")
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def cause_of(outcome: dict) -> str:
    text = outcome["test"] + " " + outcome["cause"]
    return next((cause for cause, words in CAUSES.items() if re.search(words, text)), "others")


def family_of(test: str) -> str:
    return test.split("/")[2]


def survey(families) -> list[dict]:
    found = []
    for family in families:
        for file in sorted(stand_in.source_folder().glob(f"keras/src/{family}/**/*_test.py")):
            found += outcomes_of(str(file.relative_to(stand_in.source_folder())))
    return found


def table(outcomes: list[dict]) -> str:
    """A line for each family, and one for each cause."""
    lines = []
    for family in sorted({family_of(each["test"]) for each in outcomes}):
        kinds = Counter(each["outcome"] for each in outcomes if family_of(each["test"]) == family)
        passed = kinds["passed"] + kinds["passed with other words"]
        lines.append(f"{family:14} {passed:5} of {passed + kinds['failed']:5} pass "
                     f"({kinds['passed with other words']} with other words), {kinds['skipped']} skipped")
    causes = Counter(cause_of(each) for each in outcomes if each["outcome"] == "failed")
    return "\n".join(lines + [f"{count:6}  {cause}" for cause, count in causes.most_common()])


def write_passing(outcomes: list[dict], families) -> None:
    kept = [name for name in PASSING.read_text().splitlines()
            if family_of(name) not in families] if PASSING.exists() else []
    passed = [each["test"] for each in outcomes if each["outcome"].startswith("passed")]
    PASSING.write_text("".join(f"{name}\n" for name in sorted({*kept, *passed})))


if __name__ == "__main__":
    chosen = [word for word in sys.argv[1:] if not word.startswith("--")] or list(FAMILIES)
    all_outcomes = survey(chosen)
    print(table(all_outcomes))
    if "--write" in sys.argv:
        write_passing(all_outcomes, chosen)
