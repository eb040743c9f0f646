#!/usr/bin/env bash
# `plimsoll serve` shows runs as they go on, in a real browser, and refuses everything else: 1,000 hostile requests, slow
# clients, many clients. It opens what it has to and nothing else (opened.py), and gives way to what is trained. Expects ./dev build to have run (build/). IMAGES=docs/images makes
# the picture of the documents.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root=$PWD
program=$(realpath "${1:-build}/bin/plimsoll")
# shellcheck source=tests/cli/commands.sh
source tests/cli/commands.sh
[ -x "$(dirname "$program")/plimsoll-serve" ] || { echo "plimsoll-serve was not built: libcpp-httplib-dev is missing"; exit 77; }
scratch=$(mktemp -d)
children=()
trap 'kill "${children[@]}" 2>/dev/null || true; wait; rm -rf "$scratch"' EXIT
[[ -z ${IMAGES:-} ]] || IMAGES=$(realpath "$IMAGES")
export IMAGES
cd "$scratch"

# starts_server COMMAND…: its address is then in `address`, its process in `server`.
starts_server() {
  rm -f address
  "$@" "$program" serve runs >address 2>error &
  server=$!
  children+=("$server")
  waits_for '^http://127.0.0.1:[0-9]+/[0-9a-f]{32}/$' address
  address=$(cat address)
  (($# == 0)) || server=$(pgrep -P "$server") # of strace
  children+=("$server")
}

make_inputs() {
  cp "$root/tests/data/keras_files/keras3_sequence.keras" table.keras
  awk 'BEGIN { print "a,b,price"; for (i = 0; i < 300; ++i) { a = (i * 7 % 20) / 10; b = (i * 3 % 17) / 10
         print a "," b "," a + 2 * b } }' >table.csv
}

table=(table.keras table.csv --target price --validation-split 0.2)

# Beside the folder, and in it what leads there.
make_traps() {
  mkdir -p outside/run runs/.hidden
  echo "treasure" >secret
  cp runs/first/run.json runs/first/log.jsonl outside/run
  sed -i 's/"version"/"treasure"/' outside/run/run.json
  cp runs/first/run.json runs/.hidden
  ln -s ../outside runs/linked
  ln -s ../secret runs/file-link
  mkdir runs/links-inside
  cp runs/first/run.json runs/links-inside
  ln -s ../../secret runs/links-inside/log.jsonl
  mkdir runs/link-as-run
  ln -s ../../outside/run/run.json runs/link-as-run/run.json
  mkdir runs/link-as-lock
  sed 's/"status": *"done"/"status": "running"/' runs/first/run.json >runs/link-as-lock/run.json
  grep -q '"running"' runs/link-as-lock/run.json || fail "runs/link-as-lock is not a trap: its run is not running"
  ln -s ../../secret runs/link-as-lock/.lock
  mkdir runs/link-as-plan
  cp runs/first/run.json runs/first/log.jsonl runs/link-as-plan
  for file in plan.json profile.json quarantine.jsonl best.keras; do ln -s ../../secret "runs/link-as-plan/$file"; done
  ln -s ../../outside runs/link-as-plan/checkpoints
  mkfifo runs/fifo
  mkdir runs/pipe-as-log
  cp runs/first/run.json runs/pipe-as-log
  mkfifo runs/pipe-as-log/log.jsonl
}

# Training has the cores first: all threads of the server are as nice as 10, or as nice as what started it.
gives_way() {
  local nice least
  least=$(ps -o ni= -p $$ | tr -d " ")
  ((least > 10)) || least=10
  nice=$(awk '{ print $19 }' "/proc/$server/task/"*/stat | sort -u)
  [[ $nice == "$least" ]] || fail "the server has threads that are nice by $nice, expected $least"
}

make_inputs
mkdir runs
runs train "${table[@]}" --epochs 3 --out runs/first
refuses 3 "nowhere: cannot be read" serve nowhere
refuses 2 "--port expects a number from 1 to 65535, found 70000" serve runs --port 70000
make_traps

# What is only said at the end: a test that is left out in part is not one that has passed.
left_out=()
tracer=()
if command -v strace >/dev/null; then
  tracer=(strace -f -y -qq -o trace -e "trace=open,openat,readlink,readlinkat")
else
  left_out+=("strace is not installed: what the server opens was not looked at")
fi
starts_server "${tracer[@]}"
gives_way
python3 "$root/tests/serve/hostile.py" "$address" "$server" || fail "$(tail -n 3 error)"
port=${address#http://127.0.0.1:}
refuses 3 "cannot listen on port ${port%%/*}" serve runs --port "${port%%/*}"
kill "$server"
wait "${children[-2]}" || fail "the server ended with $?"
# keeps_inside: of what the server has opened since it was started.
keeps_inside() {
  ((${#tracer[@]} == 0)) || python3 "$root/tests/serve/opened.py" trace runs || fail "the server has opened what it has no business with"
}
keeps_inside

# ends: with 77 where a part was left out.
ends() {
  ((${#left_out[@]} == 0)) || { printf '%s\n' "${left_out[@]}"; exit 77; }
  exit 0
}

if ! command -v chromium >/dev/null; then
  left_out+=("chromium is not installed: the pages were not looked at")
  ends
fi
starts_server "${tracer[@]}"
gives_way
"$program" train "${table[@]}" --batch-size 4 --epochs 1000000 --out runs/live >out 2>error &
run=$!
children+=("$run")
waits_for '"epoch":2,' runs/live/log.jsonl
python3 "$root/tests/serve/live.py" "$address" "$scratch" "$server" || fail "the page is not as expected"
code=0
wait "$run" || code=$?
keeps_inside
((code == 143)) || fail "the run that the page stopped ended with $code"
says '"status": "stopped"' runs/live/run.json
ends
