# A console that goes away, and output that cannot be written. Sourced by run.sh.
# shellcheck shell=bash disable=SC2154 # shares variables with run.sh

# A terminal that closes sends SIGHUP, often twice.
hang_up_cases() {
  starts hung
  kill -HUP "$pid"
  kill -HUP "$pid" 2>/dev/null || true
  ends 129
  says '^plimsoll: stopped because the terminal was closed; ' error
  says '"status": "stopped"' hung/run.json
  runs evaluate hung/model.keras table.csv --target price

  # nohup
  (
    trap '' HUP
    exec "$program" train "${training[@]}" --out kept_on --epochs 1000000 >out 2>error
  ) &
  pid=$!
  waits_for '"event":"epoch"' kept_on/log.jsonl
  kill -HUP "$pid"
  sleep 0.5
  says '"status": "running"' kept_on/run.json
  kill -INT "$pid" # a job in the background has it ignored, but the program wants it
  ends 130
}

# The reader of the epochs' lines is gone: the run goes on.
output_cases() {
  local codes
  set +e
  "$program" train "${training[@]}" --out piped --epochs 300 2>error | head -n 1 >/dev/null
  codes=("${PIPESTATUS[@]}")
  set -e
  ((codes[0] == 0)) || fail "a closed pipe ended the run with ${codes[0]}: $(cat error)"
  says '"status": "done"' piped/run.json
  says '"epochs": 300' piped/run.json
  exists piped/model.keras
  # The same for standard error, and for streams that are closed.
  "$program" train "${training[@]}" --out closed --epochs 2 >&- 2>&- || fail "closed streams ended the run with $?"
  says '"status": "done"' closed/run.json
  runs evaluate closed/model.keras table.csv --target price

  local command
  for command in "evaluate own/model.keras table.csv --target price" "summary own/model.keras" "plan own/model.keras" \
    "check table.csv" help "train --help" --version "evaluate own/model.keras table.csv --target price --json" \
    "predict own/model.keras table.csv --target price --out full.csv"; do
    local found=0
    # shellcheck disable=SC2086
    "$program" $command >/dev/full 2>error || found=$?
    ((found == 3)) || fail "'plimsoll $command >/dev/full' ended with $found"
    says '^plimsoll: standard output cannot be written: No space left on device$' error
  done
  exists full.csv
}
