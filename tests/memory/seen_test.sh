# A run that is looked at in every way keeps to its plan: statistics, the doctor, event files for TensorBoard, a profile with
# its trace, and checkpoints, all at once. Sourced by run.sh.
# shellcheck shell=bash disable=SC2154 # shares variables with run.sh

# seen NAME [OPTION…]: of the models of make_models.py. The measured peak is the planned one, give or take 2% or 8 MiB.
seen() {
  local run=$work/seen-$1
  rm -rf "$run"
  "$plimsoll" train "$work/$1.json" "$work/$1.npz" --out "$run" --loss mse --optimizer adam --epochs 3 --validation-split 0.25 \
    --tensorboard --profile 5 --checkpoint-steps 2 "${@:2}" >"$work/out" 2>&1 || {
    echo "tests/memory: a run of $1 with everything on ended with $?: $(tail -n 3 "$work/out")"
    return 1
  }
  python3 - "$run" "$1" <<'PY'
import json, os, sys
run, name = sys.argv[1:]
for left in ("trace.json", "profile.json", "tensorboard/train", "tensorboard/steps", "checkpoints"):
    if not os.path.exists(f"{run}/{left}"):
        sys.exit(f"tests/memory: {name}: not everything was on: the run has left no {left}")
found = json.load(open(f"{run}/run.json"))
planned, measured = found["plan"]["peak_bytes"], found["result"]["measured_peak_bytes"]
room, line = max(planned // 50, 8 << 20), f"planned={planned >> 10}KiB measured={measured >> 10}KiB"
if abs(measured - planned) > room:
    sys.exit(f"tests/memory: {name} with everything on: {line}, more than {room >> 10} KiB apart")
print(f"{name} with everything on: {line}")
PY
}
