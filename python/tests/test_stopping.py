"""fit(run=…) ends in good order when a signal or max_time asks it to, and goes on."""
import json
import signal
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import plimsoll
from plimsoll import keras

X, Y = np.arange(96, dtype="float32").reshape(32, 3) / 96, np.ones((32, 2), "float32")
TAKEN = (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1)


class At(keras.callbacks.Callback):
    """Does something once, while the third batch of the second epoch is trained: after 7 steps it can be seen."""

    to_do: list = []

    def on_epoch_begin(self, epoch, logs=None):
        self.epoch = epoch

    def on_train_batch_begin(self, batch, logs=None):
        if (self.epoch, batch) == (1, 2) and self.to_do:
            self.to_do.pop()()


@pytest.fixture(autouse=True)
def as_in_a_new_process():
    """Whatever the tests themselves were started with: nohup ignores SIGHUP."""
    before = {number: signal.signal(number, signal.SIG_DFL) for number in TAKEN}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def meanwhile():
    """What is put into this list is done in the next run."""
    At.to_do.clear()
    yield At.to_do
    At.to_do.clear()


def trained(**options):
    """The weights after three epochs."""
    keras.utils.set_random_seed(1)
    # Initial weights depend on names, which count the layers of the process.
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2, name="dense")], name="small")
    model.compile("sgd", "mse")
    model.fit(X, Y, batch_size=8, epochs=3, verbose=0, **{"callbacks": At(), **options})
    return model.get_weights()


def assert_same(found, expected):
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)


def caught() -> set:
    """The signals that the process has a handler for, whoever has set it."""
    with open("/proc/self/status") as file:
        (bits,) = [int(line.split()[1], 16) for line in file if line.startswith("SigCgt:")]
    return {number for number in TAKEN if bits >> (number - 1) & 1}


def result_of(run):
    return json.loads((run / "run.json").read_text())["result"]


@pytest.mark.parametrize("number, why", [(signal.SIGTERM, "stopped by a request to terminate"),
                                         (signal.SIGHUP, "stopped because the terminal was closed")])
def test_a_signal_ends_the_run_which_goes_on(tmp_path, meanwhile, capfd, number, why):
    whole = trained(run=tmp_path / "whole")
    meanwhile.append(lambda: signal.raise_signal(number))
    with pytest.raises(plimsoll.Stopped, match=why) as stopped:
        trained(run=tmp_path / "run")
    assert (stopped.value.code, stopped.value.signal) == (128 + number, number)
    result = result_of(tmp_path / "run")
    assert (result["status"], result["why"], result["epochs"], result["batches"]) == ("stopped", why, 1, 3)
    assert (tmp_path / "run/checkpoints/000000000007.checkpoint").exists()
    line = capfd.readouterr().err.splitlines()[-1]
    assert line == (f"plimsoll: {tmp_path}/run: {why}; 1 of 3 epochs are done; the same script goes on from the last "
                    "checkpoint")
    assert_same(trained(run=tmp_path / "run"), whole)
    assert result_of(tmp_path / "run")["status"] == "done"


def test_sigusr1_writes_a_checkpoint_and_the_run_goes_on(tmp_path, meanwhile):
    checkpoint = tmp_path / "run/checkpoints/000000000007.checkpoint"
    seen = []

    class Look(At):
        def on_train_batch_begin(self, batch, logs=None):
            super().on_train_batch_begin(batch, logs)
            if (self.epoch, batch) == (1, 3):
                seen.append(checkpoint.exists())

    meanwhile.append(lambda: signal.raise_signal(signal.SIGUSR1))
    trained(run=tmp_path / "run", callbacks=Look())
    assert seen == [True] and result_of(tmp_path / "run")["status"] == "done"


def test_signals_are_taken_while_a_run_goes_on_in_the_main_thread(tmp_path, meanwhile):
    seen = []

    def look(**options):
        meanwhile.append(lambda: seen.append(caught()))
        trained(**options)
        seen.append(caught())

    look(run=tmp_path / "run")
    look()
    thread = threading.Thread(target=look, kwargs={"run": tmp_path / "thread"})
    thread.start()
    thread.join()
    assert seen == [set(TAKEN), *[set()] * 5]


def test_a_run_that_fails_leaves_no_handlers(tmp_path, meanwhile):
    def fail():
        assert caught() == set(TAKEN)
        raise KeyError("out of luck")

    meanwhile.append(fail)
    with pytest.raises(KeyError):
        trained(run=tmp_path / "run")
    assert caught() == set()


def test_handlers_of_the_program_stay(tmp_path, meanwhile):
    came = []
    for number in TAKEN:
        signal.signal(number, lambda number, frame: came.append(number))
    meanwhile.append(lambda: [signal.raise_signal(number) for number in TAKEN])
    trained(run=tmp_path / "run")
    assert sorted(came) == sorted(TAKEN)
    assert json.loads((tmp_path / "run/run.json").read_text())["options"]["takes_signals"] is False
    assert result_of(tmp_path / "run")["status"] == "done"


def test_a_callback_that_ends_the_program_has_stopped_the_run(tmp_path, meanwhile):
    meanwhile.append(lambda: sys.exit(4))
    with pytest.raises(SystemExit) as end:
        trained(run=tmp_path / "run")
    assert end.value.code == 4 and not isinstance(end.value, plimsoll.Stopped)
    result = result_of(tmp_path / "run")
    assert (result["status"], result["why"]) == ("stopped", "stopped by SystemExit")


def test_a_backup_goes_on_after_a_signal(tmp_path, meanwhile):
    def with_backup():
        return trained(callbacks=[At(), keras.callbacks.BackupAndRestore(tmp_path / "run")])

    whole = trained()
    meanwhile.append(lambda: signal.raise_signal(signal.SIGTERM))
    with pytest.raises(plimsoll.Stopped):
        with_backup()
    assert (tmp_path / "run/checkpoints/000000000007.checkpoint").exists()
    assert_same(with_backup(), whole)


@pytest.mark.parametrize("max_time", ["0s", 0, 0.0])
def test_a_run_whose_time_is_over_goes_on_until_it_is_done(tmp_path, max_time):
    whole, stops = trained(run=tmp_path / "whole"), 0
    while stops < 100:
        try:
            weights = trained(run=tmp_path / "run", max_time=max_time)
            break
        except plimsoll.OutOfTime as over:
            stops += 1
            assert (over.code, over.signal, str(over)) == (75, None, "the time of max_time is over")
            assert result_of(tmp_path / "run")["status"] == "stopped"
    assert stops == 15  # after each of 4 batches, and at the end of each of 3 epochs
    assert_same(weights, whole)


def test_a_long_time_changes_nothing(tmp_path):
    assert_same(trained(run=tmp_path / "run", max_time="11h"), trained(run=tmp_path / "whole"))


def test_a_time_that_cannot_be_is_refused(tmp_path):
    with pytest.raises(ValueError, match="90s, 30m or 11h, found 'tomorrow'"):
        trained(run=tmp_path / "run", max_time="tomorrow")
    with pytest.raises(ValueError, match="name its folder with `run`"):
        trained(max_time="11h")

    refused = []

    def in_thread():
        with pytest.raises(ValueError, match="only a run in its main thread") as found:
            trained(run=tmp_path / "thread", max_time="11h")
        refused.append(found.value)

    thread = threading.Thread(target=in_thread)
    thread.start()
    thread.join()
    assert len(refused) == 1 and not (tmp_path / "thread").exists()

    class Own(keras.Model):
        def train_step(self, data):
            return {"loss": 0.0}

    with pytest.raises(ValueError, match="leave max_time out"):
        Own().fit(X, Y, verbose=0, max_time="11h")


# --- whole scripts ----------------------------------------------------------------------------

SCRIPT = textwrap.dedent("""
    import sys
    import numpy as np
    from plimsoll import keras

    class Say(keras.callbacks.Callback):
        def on_epoch_end(self, epoch, logs=None):
            print("epoch", flush=True)

    keras.utils.set_random_seed(3)
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)])
    model.compile("sgd", "mse")
    run, epochs, max_time = sys.argv[1], int(sys.argv[2]), (sys.argv[3:] or [None])[0]
    try:
        model.fit(np.ones((32, 3)), np.ones((32, 2)), epochs=epochs, verbose=0, run=run, max_time=max_time,
                  callbacks=Say())
        print("done", flush=True)
    except Exception:
        print("an error", flush=True)
    finally:
        print("tidied up", flush=True)
""")


def test_a_script_that_is_terminated_ends_with_the_code_of_the_shell(tmp_path):
    script = subprocess.Popen([sys.executable, "-c", SCRIPT, tmp_path / "run", "1000000"], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert script.stdout.readline() == "epoch\n"
    script.send_signal(signal.SIGTERM)
    out, error = script.communicate(timeout=60)
    assert script.returncode == 143, error
    assert out.splitlines()[-1] == "tidied up" and "done" not in out and "an error" not in out
    assert "stopped by a request to terminate" in error.splitlines()[-1] and "Traceback" not in error
    assert result_of(tmp_path / "run")["status"] == "stopped"


def test_a_script_whose_time_is_over_can_be_looped_on(tmp_path):
    codes = []
    while len(codes) < 20 and codes[-1:] != [0]:
        script = subprocess.run([sys.executable, "-c", SCRIPT, tmp_path / "run", "3", "0s"], text=True,
                                stdout=subprocess.PIPE)
        codes.append(script.returncode)
    assert codes == [75] * 6 + [0]  # a batch and the end of its epoch, three times
    assert script.stdout == "done\ntidied up\n"
