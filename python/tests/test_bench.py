"""The limits of ./dev bench python, seeing and resume with --check are kept, and what is above them is named."""
import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).resolve().parents[2] / "bench"


def outcome(program: str, folder: str = "peers") -> tuple[int, str]:
    """The exit code and the errors of a program beside the benchmarks."""
    done = subprocess.run([sys.executable, "-c", program], cwd=BENCH / folder, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stderr


CALLS = """
import sys, python_calls as calls
costs = dict.fromkeys(["a Python call", *calls.LIMITS], 1e-7) | {}
calls.ops, calls.lstm_step, calls.callback = lambda: costs, dict, dict
sys.argv = ["python_calls.py", *sys.argv[1:], "--check"]
calls.main()
"""


def test_a_call_above_its_limit_fails_and_is_named():
    assert outcome(CALLS.replace("{}", "{'a callback': 19e-6, 'a step of the LSTM loop': 0.39e-3}")) == (0, "")
    code, errors = outcome(CALLS.replace("{}", "{'a callback': 21e-6, 'x + 1': 1.5e-6}"))
    assert code == 1
    assert errors == ("python_calls.py: x + 1 takes 1.50 µs, expected at most 1.00 µs\n"
                      "python_calls.py: a callback takes 21.00 µs, expected at most 20.00 µs\n")


FITS = """
import interleave
interleave.measure = lambda *_: ([dict(name=name, median_seconds=s, min_seconds=s, round_medians=[s], cpu_seconds=s,
                                       peak_rss_kib=1, import_rss_kib=0, start_seconds=1)
                                  for name, s in (("plimsoll", 1.0), ("python", SECONDS))], 0.0)
import sys
sys.argv = ["interleave.py", "mlp", "--plimsoll", sys.executable, "--python", sys.executable, "--peer", "python",
            "--python-at-most", "1.01"]
try:
    interleave.main()
except interleave.Failed as failure:
    sys.exit(str(failure))
"""


def test_a_slow_fit_fails_and_is_named():
    assert outcome(FITS.replace("SECONDS", "1.005"))[0] == 0
    assert outcome(FITS.replace("SECONDS", "1.02")) == (
        1, "mlp: fit() in Python takes 1.020x the time, expected at most 1.01x\n")


SEEING = """
import sys, seeing
seeing.round_of = lambda bench, name, epochs, turn: (RATIOS.get(name, (1.0, 1.0))[turn % 2], 1.2)
seeing.resume.Bench = lambda program: None
sys.argv = ["seeing.py", "plimsoll", *OPTIONS]
seeing.main()
"""


def seen(ratios: str, options: str = "['--check']") -> tuple[int, str]:
    return outcome(SEEING.replace("RATIOS", ratios).replace("OPTIONS", options), "seeing")


def test_seeing_that_costs_too_much_fails_and_is_named():
    assert seen("{'statistics': (1.009, 1.01)}") == (0, "")
    assert seen("{'and the doctor': (1.02, 1.02)}", "[]") == (0, "")
    assert seen("{'and the doctor': (1.02, 1.02)}") == (
        1, "seeing.py: and the doctor: a run takes 1.0200 times the processor time, expected at most 1.01\n")
    # As often below the limit as above.
    code, errors = seen("{'a profile': (0.99, 1.03)}")
    assert code == 77 and "more rounds are needed to know" in errors


RESUME = """
import sys, resume
class Bench:
    def __init__(self, program): pass
    def cost(self, rounds): return dict(least=1, median=COST, most=2)
    def start(self, rounds): return dict(plain_seconds=1, resumed_seconds=1 + MORE, more_seconds=MORE)
    def kills(self, seconds, every): return dict(minutes=2, kills=6, steps=100, steps_of_the_other=100, share=SHARE)
resume.Bench = Bench
sys.argv = ["resume.py", "plimsoll", *CASES, "--check"]
resume.main()
"""


def resumed(cost: float, more: float, share: float, cases: str = "[]") -> tuple[int, str]:
    program = RESUME.replace("COST", str(cost)).replace("MORE", str(more)).replace("SHARE", str(share))
    return outcome(program.replace("CASES", cases), "resume")


def test_checkpoints_that_cost_too_much_fail_and_are_named():
    assert resumed(1.03, 1.0, 0.85) == (0, "")
    assert resumed(1.04, 1.0, 0.85) == (
        1, "resume.py: with checkpoints a run takes 1.0400 times the time, expected at most 1.03\n")
    assert resumed(1.04, 1.5, 0.8, "['start', 'kills']") == (
        1, "resume.py: a start from a checkpoint takes 1.50 s more, expected at most 1 s\n"
           "resume.py: a run that is killed does 0.800 of the steps, expected at least 0.85\n")
