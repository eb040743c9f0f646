"""What the engine says names Python's arguments, and no option or command of the program `plimsoll`."""
import re
from pathlib import Path

import numpy as np
import pytest
from plimsoll import _core, keras

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = ROOT / "plimsoll"

# Sources whose texts do not reach a Python program, and why.
OF_COMMANDS = {
    "cli/": "the program itself",
    "data/kinds/": "only commands open these kinds of data; what reduce() reads is a file that it has written",
    "data/encode/": "only commands make numbers of the columns of tables",
    "data/sources/csv_source.cc": "only commands read tables",
    "data/sources/jsonl_source.cc": "only commands read tables",
    "data/check/": "only `plimsoll check` looks at every record",
    "data/stages/split.cc": "only commands make windows of tables and split them",
    "train/data/check_against_model.cc": "only `plimsoll check` calls it",
    "train/data/record_specs.cc": "`plimsoll plan` says it, and pages do",
    "train/files/model_file.cc": "load_model() leaves this remedy out and says a remedy of its own",
    "train/reduce/case_folder.cc": "a case is run by a command",
    "report/read_run_files.cc": "a page, which is about runs of commands too",
    "train/report/write_report.cc": "the page of a run of a command",
}
# What bindings do not include while these reasons hold.
_UNREACHED = ("plimsoll/cli/", "plimsoll/data/kinds/", "plimsoll/data/encode/", "plimsoll/data/check/",
              "plimsoll/data/sources/csv", "plimsoll/data/sources/jsonl", "plimsoll/data/stages/split",
              "plimsoll/train/data/check_against_model", "plimsoll/train/data/record_specs")

_TOKEN = re.compile(r"""//[^\n]*|/\*.*?\*/|'(?:\\.|[^'\\])'|R"(\w*)\((?P<raw>.*?)\)\1"|"(?P<text>(?:\\.|[^"\\\n])*)\"""",
                    re.DOTALL)


def texts_in(source: str) -> list[str]:
    """The string literals of C++, those that follow each other as one."""
    texts, end = [], None
    for token in _TOKEN.finditer(source):
        text = token["raw"] if token["raw"] is not None else token["text"]
        follows = end is not None and not source[end:token.start()].strip()
        if text is None:  # a comment or a character
            end = token.end() if follows and token[0][0] == "/" else None
            continue
        texts[-1:] = [texts[-1] + text] if follows else [*texts[-1:], text]
        end = token.end()
    return texts


def commands() -> list[str]:
    """The names of the program's commands."""
    rows = (LIBRARY / "cli/command_list.cc").read_text(encoding="utf-8")
    found = re.findall(r'\{(?:\.name = )?"([a-z-]+)",\s', rows)
    assert len(found) == len(re.findall(r"^      \{", rows.split("exit_meanings")[0], re.MULTILINE))
    assert {"train", "check", "bench-data", "report", "completion"} <= set(found)
    return found


WORDS_OF_COMMANDS = re.compile(r"(?<![\w-])--[a-z][a-z-]+|\bplimsoll (?:" + "|".join(commands()) + r")\b")


def words_of_commands() -> dict[str, list[str]]:
    """The texts of the library, outside of its tests, that name an option or a command, by file."""
    found = {}
    for path in sorted(LIBRARY.rglob("*.cc")) + sorted(LIBRARY.rglob("*.h")):
        if path.stem.endswith("_test"):
            continue
        texts = [text for text in texts_in(path.read_text(encoding="utf-8")) if WORDS_OF_COMMANDS.search(text)]
        if texts:
            found[str(path.relative_to(LIBRARY))] = texts
    return found


FOUND = words_of_commands()


def with_values(text: str) -> str:
    """A format with a value in each place, and at its end if something is added there."""
    return re.sub(r"\{[^{}]*\}", "7", text).replace('\\"', '"') + ("7" if text.endswith(" ") else "")


def is_of_commands(file: str) -> bool:
    return any(file.startswith(place) for place in OF_COMMANDS)


def test_texts_of_a_source_are_found():
    source = r'''a("--one {} "  // "--no"
              "more", 'x', 20'000, R"(--raw)", "two\"", "/* --three */"); /* "--no" */'''
    assert texts_in(source) == ["--one {} more", "--raw", r"two\"", "/* --three */"]


@pytest.mark.parametrize("file, text", [(file, text) for file, texts in FOUND.items()
                                        if not is_of_commands(file) for text in texts])
def test_a_text_that_may_reach_python_has_words_for_it(file, text):
    said = _core.in_python_words(with_values(text))
    assert not WORDS_OF_COMMANDS.search(said), (
        f"{file} says '{text}': add Python's words to python/bindings/python_words.cc, or say in OF_COMMANDS here why "
        "it does not reach a Python program")


@pytest.mark.parametrize("place", OF_COMMANDS)
def test_a_place_that_is_left_out_has_such_words(place):
    assert any(file.startswith(place) for file in FOUND)


def test_the_bindings_do_not_reach_what_is_left_out():
    for path in (ROOT / "python/bindings").iterdir():
        included = re.findall(r'#include "(.*)"', path.read_text(encoding="utf-8"))
        assert not [it for it in included if it.startswith(_UNREACHED)], path.name


@pytest.mark.parametrize("text, said", [
    ("a batch of 24 fits in 512.0 MiB (--memory)", "a batch of 24 fits in 512.0 MiB (memory=)"),
    ("what this machine gives; --memory asks for 4.0 GiB", "what this machine gives; memory= asks for 4.0 GiB"),
    ("lower the learning rate: --learning-rate 1e-05", "lower the learning rate: learning_rate=1e-05"),
    ("--no-from-logits", "from_logits=False"),
    ("--class-weight balanced", 'class_weight="balanced"'),
    ("--early-stopping", "callbacks=[keras.callbacks.EarlyStopping(patience=5, restore_best_weights=True)]"),
    ("--split-by hash", "order = np.random.permutation(len(x)); x, y = x[order], y[order]"),
    ("--memory 75%", 'memory="75%"'),
    ("--loss mse, --loss hinge", 'loss="mse", loss="hinge"'),
    ("--epochs ", "--epochs "),
    ("runs/cnn--memory-2g: does not fit (--memory)", "runs/cnn--memory-2g: does not fit (memory=)"),
    ("runs/--memory/x--loss mse, --memory2, --memory", "runs/--memory/x--loss mse, --memory2, memory="),
    ("--no-from-logits-b, -- --from-logits.", "--no-from-logits-b, -- from_logits=True."),
    ("", ""),
])
def test_words(text, said):
    assert _core.in_python_words(text) == said


# --- real messages ----------------------------------------------------------------------------

X = np.random.default_rng(0).normal(size=(64, 4))
Y = X.sum(axis=1, keepdims=True)


def model_of():
    keras.utils.set_random_seed(1)
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8, activation="relu", name="first"),
                              keras.layers.Dense(1, name="last")], name="model")
    model.compile("sgd", "mse")
    return model


def test_a_run_that_has_changed(tmp_path):
    model_of().fit(X, Y, epochs=1, batch_size=16, verbose=0, run=tmp_path / "run")
    with pytest.raises(ValueError, match=r"allow the change \(allow_changed=True\)"):
        model_of().fit(X, Y, epochs=2, batch_size=8, verbose=0, run=tmp_path / "run")


def test_a_run_with_another_number_of_threads(tmp_path, capsys):
    before = _core.thread_count()
    model_of().fit(X, Y, epochs=1, verbose=0, run=tmp_path / "run")
    try:
        _core.set_thread_count(before + 1)
        model_of().fit(X, Y, epochs=2, verbose=0, run=tmp_path / "run")
    finally:
        _core.set_thread_count(before)
    said = capsys.readouterr().err
    assert f"call tf.config.threading.set_intra_op_parallelism_threads({before})" in said
    assert not WORDS_OF_COMMANDS.search(said)


def test_memory_that_the_machine_does_not_have(capsys):
    model_of().fit(X, Y, memory="900000GiB", verbose=0)
    said = capsys.readouterr().err
    assert "memory=: asks for" in said
    assert not WORDS_OF_COMMANDS.search(said)


def test_a_budget_that_is_too_small():
    with pytest.raises(MemoryError) as raised:
        model_of().fit(X, Y, memory="1MiB", verbose=0)
    assert "(memory=)" in str(raised.value)
    assert not WORDS_OF_COMMANDS.search(str(raised.value))


def test_weights_in_the_place_of_a_model(tmp_path):
    model_of().save_weights(tmp_path / "all.safetensors")
    with pytest.raises(ValueError, match=r"weights alone \(read them with load_weights\(\) of a model\)"):
        keras.models.load_model(tmp_path / "all.safetensors")
