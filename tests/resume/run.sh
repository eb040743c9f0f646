#!/usr/bin/env bash
# A run that is killed at any moment, stopped by a signal or ended by --max-time goes on, and ends with the bytes of a run
# that was not stopped. Real processes and real signals; PLIMSOLL_SLOW=1 kills 350 times (PLIMSOLL_KILLS) at random, and once
# at each system call of a checkpoint's write, and cuts the power 1500 times. PLIMSOLL_KINDS="bad,buckets" kills only runs of
# these kinds, and does nothing else. Expects ./dev build to have run (build/). What could not be done here is in the last line.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root=$PWD
# Disks that are full or read-only are mounted: where that is not allowed, in a name space of its own.
if [[ -z ${PLIMSOLL_OWN_MOUNTS:-} ]] && ! unshare -m true 2>/dev/null && unshare -rm true 2>/dev/null; then
  PLIMSOLL_OWN_MOUNTS=1 exec unshare -rm bash "$root/tests/resume/run.sh" "$@"
fi
program=$(realpath "${1:-build}/bin/plimsoll")
bucket_run=$(realpath "${1:-build}/bin/bucket_run")
# shellcheck source=tests/cli/commands.sh
source tests/cli/commands.sh
# shellcheck source=tests/resume/fault_cases.sh
source tests/resume/fault_cases.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

kill_count=15 calls=few
((${PLIMSOLL_SLOW:-0} != 1)) || kill_count=${PLIMSOLL_KILLS:-350} calls=all

left_out=()
# leaves_out WHAT: because this machine cannot do it.
leaves_out() {
  echo "left out: $1"
  left_out+=("$1")
}

# For the last line.
what_was_left_out() {
  ((${#left_out[@]} == 0)) || printf '; left out: %s' "$(printf '%s, ' "${left_out[@]}" | sed 's/, $//')"
}

# kills WHAT SCRIPT ARGUMENT…: a script of this folder, which ends with 77 if it cannot be done here.
kills() {
  local code=0
  python3 "$root/tests/resume/$2" "$program" "${@:3}" || code=$?
  ((code != 77)) || leaves_out "$1 (no strace)"
  ((code == 0 || code == 77)) || fail "$2 ended with $code"
}

is_same() { cmp -s "$1" "$2" || fail "$1 and $2 differ"; }

# waits_for PATTERN FILE: up to a minute.
waits_for() {
  local i
  for ((i = 0; i < 600; ++i)); do
    ! grep -E -- "$1" "$2" >/dev/null 2>&1 || return 0
    sleep 0.1
  done
  fail "no '$1' in $2"
}

make_inputs() {
  python3 "$root/tests/support/broken_images.py" photos 120 0.03 --side 24 >broken.json
  # The models of the documents, with dropout and without weights.
  python3 - "$root/tests/docs_commands/model.json" "$root/tests/data/keras_files/keras3_sequence.json" <<'PY'
import json, sys
for path, name in zip(sys.argv[1:], ("photos.json", "table.json")):
    model = json.load(open(path))
    dropout = {"module": "keras.layers", "class_name": "Dropout", "config": {"name": "drops", "rate": 0.3},
               "registered_name": None}
    model["config"]["layers"].insert(-1, dropout)
    json.dump(model, open(name, "w"))
    if name == "photos.json":  # the same with more to compute, for a run that memory is short for
        next(layer for layer in model["config"]["layers"] if layer["class_name"] == "Conv2D")["config"]["filters"] = 512
        for layer in (model, *model["config"]["layers"]):
            layer.pop("build_config", None)
        json.dump(model, open("wide.json", "w"))
PY
  awk 'BEGIN { print "a,b,price"; for (i = 0; i < 300; ++i) { a = (i * 7 % 20) / 10; b = (i * 3 % 17) / 10
         print a "," b "," a + 2 * b } }' >table.csv
}

table=(table.json table.csv --target price --loss mse --validation-split 0.2)

# stopped_by SIGNAL CODE: a run of many epochs, which then goes on to 30.
stopped_by() {
  local pid code=0 folder=stopped_$1
  "$program" train "${table[@]}" --epochs 100000 --out "$folder" >out 2>error &
  pid=$!
  waits_for '"epoch":2,' "$folder/log.jsonl"
  kill "-$1" "$pid"
  wait "$pid" || code=$?
  ((code == $2)) || fail "SIG$1 ended the run with $code: $(cat error)"
  says "are done; 'plimsoll resume $folder' goes on" error
  says '"status": "stopped"' "$folder/run.json"
}

signal_cases() {
  local done_epochs
  runs train "${table[@]}" --epochs 40 --out whole
  for signal in TERM:143 INT:130 HUP:129; do
    stopped_by "${signal%:*}" "${signal#*:}"
    done_epochs=$(python3 -c "import json; print(json.load(open('stopped_${signal%:*}/run.json'))['result']['epochs'])")
    runs train "${table[@]}" --epochs "$((done_epochs + 3))" --out "other_${signal%:*}"
    runs resume "stopped_${signal%:*}" --epochs "$((done_epochs + 3))"
    is_same "stopped_${signal%:*}/model.keras" "other_${signal%:*}/model.keras"
    is_same "stopped_${signal%:*}/best.keras" "other_${signal%:*}/best.keras"
  done
}

# Both come before the process can act on the first: it ends at once, and has not even noted that.
second_signal_case() {
  local pid code=0
  "$program" train "${table[@]}" --epochs 100000 --out asked_twice >out 2>error &
  pid=$!
  waits_for '"epoch":2,' asked_twice/log.jsonl
  kill -STOP "$pid"
  kill -INT "$pid"
  kill -TERM "$pid"
  kill -CONT "$pid"
  wait "$pid" || code=$?
  ((code == 130 || code == 143)) || fail "two signals ended the run with $code: $(cat error)"
  says '"status": "running"' asked_twice/run.json
}

# waits_for_newer RUN FILE: up to a minute, until its newest checkpoint is not FILE.
waits_for_newer() {
  local i
  for ((i = 0; i < 6000; ++i)); do
    [[ $(newest_checkpoint "$1" 2>/dev/null) == "$2" ]] || return 0
    sleep 0.01
  done
  fail "$1 has no newer checkpoint than '$2'"
}

# SIGUSR1: a checkpoint now, and the run goes on. Those that come by time are a tenth of the run's age apart: in a run that is
# five seconds old, forty of them take four minutes (5 x 1.1^40 = 226 seconds).
wish_case() {
  local pid begin newest i
  awk 'BEGIN { print "a,b,price"; for (i = 0; i < 3000000; ++i) { a = (i * 7 % 20) / 10; b = (i * 3 % 17) / 10
         print a "," b "," a + 2 * b } }' >long.csv
  "$program" train table.json long.csv --target price --loss mse --batch-size 1 --epochs 100 --out wished >out 2>error &
  pid=$!
  waits_for_newer wished ""
  sleep 5
  begin=$SECONDS
  for ((i = 0; i < 40; ++i)); do
    newest=$(newest_checkpoint wished 2>/dev/null) || true # an older one may go meanwhile
    kill -USR1 "$pid" || fail "SIGUSR1 ended the run: $(cat error)"
    waits_for_newer wished "$newest"
  done
  ((SECONDS - begin < 200)) || fail "forty checkpoints that were asked for took $((SECONDS - begin)) s"
  kill -0 "$pid" || fail "SIGUSR1 ended the run: $(cat error)"
  kill -KILL "$pid"
  wait "$pid" || true
}

time_case() {
  local code=0 tries=0
  runs train "${table[@]}" --epochs 1500 --out timed_whole
  "$program" train "${table[@]}" --epochs 1500 --out timed --max-time 0.2s >out 2>error || code=$?
  ((code == 75)) || fail "--max-time ended the run with $code: $(cat error)"
  says "the time of --max-time is over; .* are done; 'plimsoll resume timed' goes on" error
  while ((code == 75)); do
    code=0
    "$program" resume timed --max-time 0.4s >out 2>error || code=$?
    ((++tries < 200)) || fail "1500 epochs are not done after $tries tries: $(cat error)"
  done
  ((code == 0)) || fail "resume ended with $code: $(cat error)"
  is_same timed/model.keras timed_whole/model.keras
}

# half_done NAME OPTION…: a run of 40 epochs that was killed in the middle.
half_done() {
  local pid folder=$1
  shift
  "$program" train "${table[@]}" --epochs 40 --checkpoint-steps 5 --out "$folder" "$@" >out 2>error &
  pid=$!
  waits_for '"epoch":3,' "$folder/log.jsonl"
  kill -KILL "$pid" 2>/dev/null || true
  wait "$pid" || true
}

changed_cases() {
  half_done changed
  runs train "${table[@]}" --epochs 40 --out changed --batch-size 16 --allow-changed
  keeps '"restarts": \[\{.*batch_size was 32 and is 16' changed/run.json
  refuses 3 "changed: exists already, and its 40 epoch(s) are done; raise --epochs to go on" \
    train "${table[@]}" --epochs 40 --out changed --batch-size 16
  runs resume changed --allow-changed
  says "changed: its 40 epoch\(s\) are done; raise --epochs to go on" error
  refuses 3 "none: is not the folder of a run" resume none
  python3 "$root/tests/resume/changes.py" "$program"
}

# Killed before it had anything to go on from: it begins again.
early_case() {
  local pid
  "$program" train "${table[@]}" --epochs 100000 --no-checkpoints --out early >out 2>error &
  pid=$!
  waits_for '"status": "running"' early/run.json
  kill -KILL "$pid"
  wait "$pid" || true
  runs train "${table[@]}" --epochs 40 --out early
  is_same early/model.keras whole/model.keras
}

kill_cases() {
  kills "kills at random moments" kill.py "$bucket_run" "$kill_count"
  kills "kills at the system calls of a checkpoint's write" kill_at_calls.py "$bucket_run" "$calls"
}

make_inputs
if [[ -n ${PLIMSOLL_KINDS:-} ]]; then
  kill_cases
  echo "runs of these kinds that were killed end as if they were not$(what_was_left_out)"
  exit 0
fi
signal_cases
second_signal_case
wish_case
time_case
changed_cases
damage_cases
live_cases
vanished_cases
disk_cases
full_cases
machine_cases
core_cases
clock_cases
early_case
kills "kills at the calls that change files" kill_at_files.py "$calls"
kills "power cuts" power_cuts.py "$calls"
kill_cases
echo "runs that were stopped end as if they were not$(what_was_left_out)"
