"""The tests of Keras's own that pass keep passing."""
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
