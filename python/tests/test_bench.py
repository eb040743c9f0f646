"""The limits of ./dev bench python --check are kept, and what is above them is named."""
import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).resolve().parents[2] / "bench" / "peers"


def outcome(program: str) -> tuple[int, str]:
    """The exit code and the errors of a program beside the benchmarks."""
    done = subprocess.run([sys.executable, "-c", program], cwd=BENCH, capture_output=True, text=True, timeout=120)
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
