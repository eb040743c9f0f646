#!/usr/bin/env bash
# python.sh PYTHON: the real TensorBoard shows what keras.callbacks.TensorBoard writes, as it shows what `plimsoll train` does:
# scalars, histograms of weights and gradients, the graph, hyper-parameters, findings, texts and pictures of bad records. PYTHON has
# the package plimsoll. tests/python_package runs it with the package as it is installed, tests/tensorboard with that of this tree.
set -euo pipefail
python=$1
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root=$PWD
# shellcheck source=tests/cli/commands.sh
source tests/cli/commands.sh
code=0
tensorboard=$(tests/peers/make_tensorboard.sh) || code=$?
((code != 77)) || [[ ${CI:-} == true ]] || exit 77
((code == 0)) || fail "the environment of TensorBoard cannot be made"
scratch=$(mktemp -d)
board=""
trap '[[ -z $board ]] || kill "$board" 2>/dev/null || true; wait; rm -rf "$scratch"' EXIT
cd "$scratch"
python3 "$root/tests/support/broken_images.py" photos 120 0.05 --side 24 >broken.json
cp "$root/tests/docs_commands/model.json" photos.json
"$python" "$root/tests/tensorboard/python_run.py" photos.json photos runs/python >log 2>&1 || fail "the run in Python has failed: $(tail -n 5 log)"
"$tensorboard" -m tensorboard.main --logdir runs --host 127.0.0.1 --port 0 --reload_interval 1 >board.log 2>&1 &
board=$!
waits_for 'http://127.0.0.1:[0-9]+' board.log
python3 "$root/tests/tensorboard/look.py" "$(grep -o 'http://127.0.0.1:[0-9]*' board.log | head -n 1)" python runs/python ||
  fail "TensorBoard shows something else of a run in Python"
