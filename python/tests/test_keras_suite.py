"""The tests of Keras's own that pass keep passing."""
import re
from collections import Counter
from pathlib import Path

import pytest
from keras_suite import stand_in, survey

_WHY_NOT = ("the folder with Keras's sources is not known; tests/peers/keras_source.sh fetches them and prints "
            "it, for the variable PLIMSOLL_KERAS_SOURCE")


@pytest.mark.skipif(stand_in.source_folder() is None, reason=_WHY_NOT)
def test_what_passes_in_keras_suite_passes_again(tmp_path):
    names = survey.PASSING.read_text().splitlines()
    chosen = tmp_path / "names"
    chosen.write_text("\n".join(names))
    outcomes = survey.outcomes_of(f"@{chosen}", seconds=1200)
    passed = {each["test"] for each in outcomes if each["outcome"].startswith("passed")}
    causes = {each["test"]: each["cause"] for each in outcomes}
    broken = [f"{name}: {causes.get(name, 'did not run')}" for name in names if name not in passed]
    assert not broken, "\n".join(broken[:40])
    assert len(names) > 1000


def test_the_document_has_the_numbers_of_the_list():
    text = (Path(__file__).resolve().parents[2] / "docs/python.md").read_text(encoding="utf-8")
    table = re.findall(r"^\| ([a-z, ]+) \| ([\d,]+) \| [\d,]+ \|$", text.partition("## Keras's own tests")[2], re.MULTILINE)
    passing = Counter(map(survey.family_of, survey.PASSING.read_text().splitlines()))
    rows = [(set(re.split(", | and ", families)) & set(passing), int(number.replace(",", ""))) for families, number in table]
    assert [number for _, number in rows] == [sum(passing[family] for family in families) for families, _ in rows]
    assert set().union(*(families for families, _ in rows)) == set(passing)
