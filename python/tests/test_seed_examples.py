"""The examples of python/examples/seeds keep their text and end as they should."""

import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[1] / "examples" / "seeds"
PRELUDE, TEXT = "# ---- prelude ----\n", "# ---- the text, its imports changed ----\n"

# The texts as they were found, before their imports were changed: the beginning of their SHA-256.
ORIGINALS = {
    "batch_that_does_not_fit": "5636f7a92d07ad7e",
    "infinite_image": "00f97ee19c4fe934",
    "augmented_image_folder": "cc3c7011a943934b",
    "replaced_numbers": "fa25d281016d1143",
    "clipped_gradients": "b8afe327aac9fea2",
    "memory_monitor": "7bfb9c8517562403",
    "loop_over_a_generator": "274906ad0f8f820e",
    "loop_over_a_dataset": "e6cdea233a0feef4",
    "cleared_sessions": "82796c8db3749f08",
    "whole_dataset": "0961246b87046e9b",
    "shuffled_and_prefetched": "401ed8d2934ea6d4",
    "augmentation_in_the_pipeline": "89292b6f69afa91a",
    "lstm_in_one_batch": "4eccd0d7e13007dc",
    "lstm_sample_by_sample": "18c7ea73f6449dd0",
    "lstm_in_batches": "8ae95f0437dacb23",
}
# The layers and epochs of this one are not in the text.
FILLED_IN = "clipped_gradients_with_layers"

WATCHING = """
import json, re, runpy, sys

class _Watch:
    # Notes, at the end of each line, what is resident at that moment. The stream stays what it is: the package looks at it.
    def __init__(self):
        self.start_mib, self.resident_mib = self.mib("VmRSS"), []
    def watch(self, *_):
        write = sys.stdout.write
        sys.stdout.write = lambda text: self.note(text) or write(text)
    def mib(self, field):
        return int(re.search(field + r":\\s+(\\d+) kB", open("/proc/self/status").read())[1]) / 1024
    def note(self, text):
        self.resident_mib += [self.mib("VmRSS")] * text.count("\\n")
    def end(self, value):
        last = {"value": value, "peak_mib": self.mib("VmHWM") - self.start_mib, "resident_mib": self.resident_mib}
        print()
        print(json.dumps(last))

_watch = _Watch()
"""
DRIVER = WATCHING + """
_watch.watch()
names = runpy.run_path(sys.argv[1], run_name="__main__")
import numpy as np
_watch.end(eval(sys.argv[2], dict(names, np=np)))
"""
# What an interpreter holds before the example, which a limit of the whole process contains; a notebook's has more.
INTERPRETER_MIB = 13

FINITE = "bool(all(np.all(np.isfinite(w)) for w in model.get_weights()))"
EPOCHS = f"[len(model.history.epoch), {FINITE}]"


class Run:
    """One run of an example: what it printed, how it ended, and how much memory it held."""

    def take(self, code: int, text: str, errors: str):
        self.code, self.text, self.errors = code, text, errors
        self.lines = text.rstrip("\n").split("\n")
        if code == 0:
            last = json.loads(self.lines[-1])
            self.value, self.peak_mib = last["value"], last["peak_mib"]
            self.resident_mib = last["resident_mib"]
        return self

    @classmethod
    def as_script(cls, script, folder, value="None", environment=()):
        command = [sys.executable, "-u", "-c", DRIVER, str(script), value]
        run = subprocess.run(command, cwd=folder, env={**os.environ, **dict(environment)},
                             capture_output=True, text=True, timeout=300)
        return cls().take(run.returncode, run.stdout, run.stderr)

    @classmethod
    def as_cells(cls, script, folder, value="None", environment=()):
        nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
        _, _, code = script.read_text().partition(PRELUDE)
        # IPython puts back its own way to write after each cell.
        watching = WATCHING + 'get_ipython().events.register("pre_run_cell", _watch.watch)'
        cells = [watching, *code.split(TEXT), f"import numpy as np\n_watch.end({value})"]
        notebook = nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, cells)))
        client = nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3", allow_errors=True,
                                         resources={"metadata": {"path": str(folder)}})
        client.execute(env={**os.environ, **dict(environment)})
        outputs = [output for cell in notebook.cells for output in cell.outputs]
        errors = [f"{it.ename}: {' '.join(it.evalue.split())}" for it in outputs if it.output_type == "error"]
        printed = [it.text for it in outputs if it.output_type == "stream" and it.name == "stdout"]
        return cls().take(1 if errors else 0, "".join(printed), "\n".join(errors[:1]))

    def ended_well(self):
        assert self.code == 0, f"ends with {self.code}:\n{self.errors[-3000:]}"
        return self


@pytest.fixture(params=[Run.as_script, Run.as_cells], ids=["script", "notebook"])
def run_of(request, tmp_path):
    """Runs an example by its name, in both ways in which people run them."""
    return lambda name, *arguments: request.param(example(name), tmp_path, *arguments)


def example(name):
    return FOLDER / f"{name}.py"


def losses(text):
    """The losses of the lines 'Epoch: N, Loss: X', after a look that no epoch is missing."""
    found = re.findall(r"Epoch: (\d+), Loss: (\S+)", text)
    assert [int(epoch) for epoch, _ in found] == list(range(50))
    return [float(loss) for _, loss in found]


@pytest.mark.parametrize("name", ORIGINALS)
def test_only_the_imports_of_the_text_are_changed(name):
    _, _, text = example(name).read_text().partition(TEXT)
    original = text.replace("import plimsoll.tensorflow", "import tensorflow")
    original = original.replace("from plimsoll.tensorflow", "from tensorflow")
    assert hashlib.sha256(original.encode()).hexdigest()[:16] == ORIGINALS[name]


def test_every_example_has_its_outcome_here():
    files = {path.stem for path in FOLDER.glob("*.py")}
    assert files == {*ORIGINALS, FILLED_IN}


def test_a_batch_that_does_not_fit_is_trained_in_parts(run_of):
    run = run_of("batch_that_does_not_fit", EPOCHS).ended_well()
    assert run.value == [10, True] and "10/10" in run.text
    assert run.peak_mib <= 300 - INTERPRETER_MIB


def test_the_infinite_image_is_named_and_spoils_no_weight(run_of):
    run = run_of("infinite_image", FINITE).ended_well()
    (line,) = [line for line in run.lines if line.startswith("Training crashed:")]
    assert re.search(r"\b1000\b", line)
    assert run.value is True


def test_a_folder_of_pictures_is_augmented_and_learnt(run_of):
    run = run_of("augmented_image_folder", EPOCHS).ended_well()
    assert "Found 40 images belonging to 2 classes." in run.text
    assert run.value == [10, True]


def test_the_replaced_numbers_are_as_the_text_makes_them(run_of):
    value = "[[float(v) for v in row] for row in dataset.as_numpy_iterator()]"
    run = run_of("replaced_numbers", value).ended_well()
    infinity = float("inf")
    assert run.value == [[1.0], [2.0], [infinity], [4.0], [infinity]]


def test_a_model_without_layers_is_refused_with_a_sentence(run_of):
    run = run_of("clipped_gradients")
    assert run.code == 1
    last = run.errors.strip().splitlines()[-1]
    assert re.match(r"\S*(Error|InvalidArgument): ", last)
    assert "layer" in last or "batch_size" in last


def test_clipped_gradients_train_with_layers_filled_in(run_of):
    run = run_of(FILLED_IN, f"[optimizer.clipnorm, *{EPOCHS}]").ended_well()
    assert run.value == [1.0, 10, True]


def test_the_monitor_prints_a_line_per_epoch(run_of):
    run = run_of("memory_monitor", FINITE).ended_well()
    found = re.findall(r"GPU memory usage after epoch (\d+): ([\d.]+)%", run.text)
    assert [int(epoch) for epoch, _ in found] == list(range(1, 11))
    assert all(0 < float(percent) <= 100 for _, percent in found)


# What is freed goes back to the system at once, so that what is resident is what is held. Otherwise
# malloc keeps up to 36 MiB per thread for the next batch of 18 MiB.
FREED_AT_ONCE = {"MALLOC_MMAP_THRESHOLD_": "1048576"}
FLAT_MIB = 2
LOOPS = ["loop_over_a_generator", "loop_over_a_dataset", "cleared_sessions"]


def growth_mib(run):
    """By how much what is resident at the lines of losses grows after the first of them."""
    resident = [mib for line, mib in zip(run.lines, run.resident_mib) if "Loss:" in line]
    return max(resident[5:]) - resident[4]


# As users run them, the package itself sees to it for blocks of 4 MiB and more.
@pytest.mark.parametrize("environment", [FREED_AT_ONCE, {}], ids=["freed at once", "as users run it"])
@pytest.mark.parametrize("name", LOOPS)
def test_memory_of_the_loop_is_flat(name, environment, run_of, monkeypatch):
    monkeypatch.delenv("MALLOC_MMAP_THRESHOLD_", raising=False)
    run = run_of(name, FINITE, environment).ended_well()
    assert len(losses(run.text)) == 50
    assert run.value is True
    assert growth_mib(run) < FLAT_MIB


def test_a_loop_that_keeps_a_hundredth_of_each_batch_is_not_flat(tmp_path):
    text = example("loop_over_a_dataset").read_text()
    text = text.replace("epochs = 50", "epochs, kept = 25, []")
    text = text.replace("        print(f'Epoch", "        kept.append(x.numpy().ravel()[::100].copy())\n"
                        "        print(f'Epoch")
    (tmp_path / "leak.py").write_text(text)
    run = Run.as_script(tmp_path / "leak.py", tmp_path, "len(kept)", FREED_AT_ONCE).ended_well()
    assert run.value == 25
    assert growth_mib(run) > FLAT_MIB


@pytest.mark.parametrize("name", ["whole_dataset", "shuffled_and_prefetched"])
def test_records_of_an_array_are_not_copied_whole(name, run_of):
    run = run_of(name, EPOCHS).ended_well()
    assert run.value == [10, True]
    data_mib, rest_mib = 1000 * 64 * 64 * 3 * 4 / 2**20, 110
    assert run.peak_mib < 1.5 * data_mib + rest_mib - INTERPRETER_MIB


def test_augmentation_by_python_code_runs_in_the_pipeline(run_of):
    run = run_of("augmentation_in_the_pipeline", EPOCHS).ended_well()
    assert run.value == [10, True]


def test_a_thousand_sequences_fit_in_one_step(run_of):
    run = run_of("lstm_in_one_batch", f"[float(loss), {FINITE}]").ended_well()
    assert [line for line in run.lines if line.startswith("Starting")] == [
        "Starting epoch 1", "Starting epoch 2"]
    assert run.value[1] is True
    assert 0.5 < run.value[0] < 1.0


@pytest.mark.parametrize("name", ["lstm_sample_by_sample", "lstm_in_batches"])
def test_memory_of_the_lstm_loop_is_flat(name, run_of):
    run = run_of(name, f"[float(loss), {FINITE}]").ended_well()
    assert 0 < run.value[0] < 3
    assert run.value[1] is True
    second_epoch = run.resident_mib[run.lines.index("Starting epoch 2")]
    assert run.peak_mib - second_epoch < 4
