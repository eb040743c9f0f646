#!/usr/bin/env bash
# The real TensorBoard shows what `plimsoll train --tensorboard` writes: it is started on the folder of runs and asked
# through its HTTP interface for scalars, histograms, the graph, hyper-parameters, images and texts. A run that was
# killed and goes on has each step once, in TensorBoard that is started afterwards and in one that was open all the time.
# Expects ./dev build to have run (build/).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root=$PWD
program=$(realpath "${1:-build}/bin/plimsoll")
# shellcheck source=tests/cli/commands.sh
source tests/cli/commands.sh
code=0
python=$(tests/peers/make_tensorboard.sh 2>error.log) || code=$?
# CI has a network: what cannot be had there is a failure, not a test that is left out.
((code != 77)) || [[ ${CI:-} == true ]] || { cat error.log; rm error.log; exit 77; }
((code == 0)) || { cat error.log; rm error.log; fail "the environment of TensorBoard cannot be made"; }
rm -f error.log
scratch=$(mktemp -d)
boards=()
stop_boards() { ((${#boards[@]} == 0)) || kill "${boards[@]}" 2>/dev/null || true; }
trap 'stop_boards; wait; rm -rf "$scratch"' EXIT
cd "$scratch"

# board FOLDER ARGUMENT…: starts TensorBoard; its address is then in `address`.
board() {
  local log
  log=$(mktemp -p "$scratch")
  "$python" -m tensorboard.main --logdir "$1" --host 127.0.0.1 --port 0 --reload_interval 1 "${@:2}" >"$log" 2>&1 &
  boards+=($!)
  waits_for 'http://127.0.0.1:[0-9]+' "$log"
  address=$(grep -o 'http://127.0.0.1:[0-9]*' "$log" | head -n 1)
}

look() { python3 "$root/tests/tensorboard/look.py" "$@" || fail "TensorBoard shows something else (look.py $*)"; }

make_inputs() {
  python3 "$root/tests/support/broken_images.py" photos 120 0.05 --side 24 >broken.json
  cp "$root/tests/docs_commands/model.json" photos.json
  cp "$root/tests/data/keras_files/keras3_sequence.keras" table.keras
  awk 'BEGIN { print "a,b,price"; for (i = 0; i < 300; ++i) { a = (i * 7 % 20) / 10; b = (i * 3 % 17) / 10
         print a "," b "," a + 2 * b } }' >table.csv
}

table=(table.keras table.csv --target price --validation-split 0.2)

# A run is killed again and again, also before it has written a checkpoint since it went on.
killed_run() {
  local pid i
  "$program" train "${table[@]}" --epochs 60 --checkpoint-steps 20 --out runs/killed --tensorboard >out 2>error &
  pid=$!
  waits_for '"epoch":4,' runs/killed/log.jsonl
  kill -9 "$pid"
  wait "$pid" 2>/dev/null || true
  board runs --load_fast=false
  live=$address
  board runs
  live_fast=$address
  for ((i = 0; i < 2; ++i)); do
    "$program" resume runs/killed >out 2>error &
    pid=$!
    sleep 0.4
    kill -9 "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
  done
  [ "$(grep -c '"status": "done"' runs/killed/run.json)" = 1 ] || runs resume runs/killed
  runs train "${table[@]}" --epochs 60 --out runs/whole --tensorboard
}

make_inputs
mkdir runs
runs train photos.json photos --out runs/photos --epochs 3 --validation-split 0.2 --loss sparse_categorical_crossentropy \
  --metrics accuracy --on-bad-record skip --max-bad 0.2 --tensorboard
runs train "${table[@]}" --epochs 2 --out runs/elsewhere --tensorboard boards/table
[ ! -e runs/elsewhere/tensorboard ] || fail "--tensorboard DIR wrote to the run's folder"
[ -e boards/table/train ] || fail "--tensorboard DIR wrote nothing"
killed_run
board runs
look "$address" photos runs/photos
look "$address" same runs/killed runs/whole
look "$live" same runs/killed runs/whole
look "$live_fast" same runs/killed runs/whole

# What replaces a run replaces its events; a file is no folder.
runs train "${table[@]}" --epochs 1 --out runs/whole --overwrite
[ ! -e runs/whole/tensorboard ] || fail "the events of a run that was replaced are still there"
refuses 2 "expects a folder for the event files, found the file 'table.csv'" train table.keras --tensorboard table.csv --out x

# What Python writes; tests/python_package looks at that too, with the package as it is installed.
own_python=${XDG_CACHE_HOME:-$HOME/.cache}/plimsoll/python/bin/python
if [ -x "$own_python" ] && PYTHONPATH=$root/python "$own_python" -c 'import plimsoll' 2>/dev/null; then
  PYTHONPATH=$root/python "$root/tests/tensorboard/python.sh" "$own_python"
fi

if [ -n "${PLIMSOLL_SCREENSHOTS:-}" ] && command -v chromium >/dev/null; then
  for page in timeseries graphs hparams images text; do
    chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1400,1000 --virtual-time-budget=20000 \
      --user-data-dir="$scratch/chromium" --screenshot="$PLIMSOLL_SCREENSHOTS/tensorboard-$page.png" \
      "$address/#$page" >chromium.log 2>&1 || fail "no screenshot of $page: $(tail -n 3 chromium.log)"
  done
fi
