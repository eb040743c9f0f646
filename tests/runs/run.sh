#!/usr/bin/env bash
# A run that a program trains with fit({.run = …}) is a run for every command: runs, report, compare, doctor, serve and
# replay read it, and what only `plimsoll train` can do again is refused in one sentence. Expects ./dev build to have run
# (build/).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
program=$(realpath "${1:-build}/bin/plimsoll")
trained=$(realpath "${1:-build}/bin/program_run")
# shellcheck source=tests/cli/commands.sh
source tests/cli/commands.sh
scratch=$(mktemp -d)
children=()
trap 'kill "${children[@]}" 2>/dev/null || true; wait; rm -rf "$scratch"' EXIT
cd "$scratch"

"$trained" runs/whole 3 2>error || fail "program_run ended with $?: $(cat error)"
! "$trained" runs/diverged 4 3 2>error || fail "a loss that is not finite is no error"
for run in whole diverged; do
  for file in run.json log.jsonl plan.json model.keras best.keras; do
    [[ -f runs/$run/$file ]] || fail "runs/$run has no $file"
  done
done

runs runs runs --json
keeps '"name": "whole", "status": "done"' out
keeps '"name": "diverged", "status": "failed"' out

runs report runs/whole runs/diverged
says 'A program has trained the run' runs/whole/report.html
says 'The data is that of the program' runs/whole/report.html
says 'its log and its model are looked at, and not its data' runs/whole/report.html
says '"verdict":"failed"' runs/diverged/report.html
says 'program_run' runs/whole/report.html
says '"layer": *"hidden"|hidden' runs/whole/report.html
runs compare runs/whole runs/diverged --out compare.html
says 'diverged' compare.html

runs doctor runs/whole
says 'its log and its model are looked at, and not its data' error
runs doctor runs/diverged --json
keeps '"severity": "error"' out
mv runs/whole/model.keras runs/whole/best.keras .
runs doctor runs/whole
says 'it has no model yet, so only its log is looked at' error
runs report runs/whole
mv model.keras best.keras runs/whole

# What the program keeps is in the log, so the line is known when the program is gone.
"$trained" runs/leaks 6 0 4 2>error || fail "program_run ended with $?: $(cat error)"
runs doctor runs/leaks --json
keeps '"cause": "memory_growth", "severity": "error", [^}]*"where": \{"line": "[^"]*program_run.cc:[0-9]+"' out
runs report runs/leaks
says 'program_run.cc:[0-9]+' runs/leaks/report.html
rm -r runs/leaks

runs replay runs/diverged
says "answer|hidden" out
rm runs/diverged/*.keras
refuses 3 'it has no model.keras yet, with which its steps are replayed' replay runs/diverged

sentence='it goes on if the program calls fit again with the same run'
refuses 3 "$sentence" resume runs/whole
refuses 3 "$sentence" reduce runs/whole
refuses 3 "$sentence" doctor runs/whole --find-lr
refuses 3 "$sentence" doctor runs/whole --repair --out repaired
cp runs/whole/model.keras copy.keras
refuses 3 'exists already' train copy.keras nothing.csv --out runs/whole

# It goes on where the program calls fit again, and stays the run that it was.
"$trained" runs/whole 5 2>error || fail "program_run ended with $?: $(cat error)"
runs runs runs --json
keeps '"name": "whole", "status": "done".*"epochs": 5' out
[[ $(grep -c '"event":"epoch"' runs/whole/log.jsonl) == 5 ]] || fail "the log has other epochs: $(cat runs/whole/log.jsonl)"
[[ $(grep -c '"event":"end"' runs/whole/log.jsonl) == 1 ]] || fail "the log does not end once"

# While it runs, the server shows it, and sends its process no signals: they would end a program that does not expect them.
# Another's fit takes them.
"$trained" runs/live 1000000 2>error &
run=$!
"$trained" runs/asked 1000000 signals 2>asked_error &
asked=$!
children+=("$run" "$asked")
waits_for '"event":"epoch"' runs/asked/log.jsonl
waits_for '"event":"epoch"' runs/live/log.jsonl
! "$trained" runs/live 3 2>error || fail "two processes write one run"
says 'another run is writing it' error
runs runs runs --json
keeps "\"name\": \"live\", \"status\": \"running\"" out
if [[ -x $(dirname "$program")/plimsoll-serve ]]; then
  "$program" serve runs >address 2>error &
  children+=("$!")
  waits_for '^http://127.0.0.1:[0-9]+/[0-9a-f]{32}/$' address
  python3 - "$(cat address)" <<'PYTHON' || fail "the server is not as expected"
import json
import pathlib
import sys
import time
import urllib.error
import urllib.request

address = sys.argv[1]
shown = json.load(urllib.request.urlopen(address + "api/run?name=live"))
assert shown["summary"]["status"] == "running" and shown["model"]["class"] == "Sequential", shown


def ask(wish, name):
    urllib.request.urlopen(urllib.request.Request(f"{address}api/{wish}?name={name}", b"", method="POST"))


for wish in ("checkpoint", "stop"):
    try:
        ask(wish, "live")
        sys.exit(f"{wish}: the program is asked")
    except urllib.error.HTTPError as error:
        assert error.code == 409 and b"a program trains the run" in error.read()
ask("checkpoint", "asked")
ask("stop", "asked")
end = time.monotonic() + 60
while '"stopped"' not in pathlib.Path("runs/asked/run.json").read_text():
    assert time.monotonic() < end, "the run that was asked to stop goes on"
    time.sleep(0.1)
PYTHON
  code=0
  wait "$asked" || code=$?
  ((code == 143)) || fail "the program that was asked to stop ended with $code: $(cat asked_error)"
  runs runs runs --json
  keeps '"name": "asked", "status": "stopped", "why": "stopped by a request to terminate"' out
fi
kill -0 "$run" || fail "the program has ended"
kill "$run"
wait "$run" || true
runs runs runs --json
keeps '"name": "live", "status": "killed"' out
echo "a run of a program is a run for every command"
