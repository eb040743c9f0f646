#!/usr/bin/env bash
# Builds the wheel of the Python package, installs it into a clean virtual environment, and runs the tests in
# python/tests there. Skipped if the packages that this needs cannot be fetched.
# Takes minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root=$PWD
most_bytes=$((20 * 1000 * 1000))
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
  echo "tests/python_package: $1"
  exit 1
}

# fetched COMMAND…: skips all if the command, which needs the network, fails.
fetched() {
  "$@" >"$scratch/log" 2>&1 || {
    tail -n 1 "$scratch/log"
    exit 77
  }
}

code=0
./dev wheel >"$scratch/log" 2>&1 || code=$?
((code == 0)) || cat "$scratch/log"
((code != 77)) || exit 77
((code == 0)) || fail "./dev wheel failed"
wheel=$root/$(tail -n 1 "$scratch/log")
echo "$(basename "$wheel"): $(stat -c %s "$wheel") bytes"
(($(stat -c %s "$wheel") <= most_bytes)) || fail "the wheel has more than $most_bytes bytes"

env=$scratch/env
"$(tests/peers/make_python.sh)" -m venv "$env"
install() { fetched "$env/bin/python" -m pip install --quiet --disable-pip-version-check "$@"; }

# Before the packages of the tests are there, NumPy is all that there is.
install "$wheel"
(cd "$scratch" && env -u PYTHONPATH -u LD_LIBRARY_PATH "$env/bin/python" "$root/tests/python_package/only_numpy.py")
install -r tests/peers/requirements-python-tests.txt

# CI compares with the real Keras and TensorFlow, whose environment another test may be making.
[[ ${CI:-} != true ]] || ./dev peers >"$scratch/log" 2>&1 || tail -n 1 "$scratch/log"

# CI fetches Keras's own tests; elsewhere they run if they are there already.
if [[ ${CI:-} == true || -d ${XDG_CACHE_HOME:-${HOME:-}/.cache}/plimsoll/keras-source ]]; then
  PLIMSOLL_KERAS_SOURCE=$(tests/peers/keras_source.sh 2>"$scratch/log") || tail -n 1 "$scratch/log"
  [[ -z $PLIMSOLL_KERAS_SOURCE ]] || export PLIMSOLL_KERAS_SOURCE
fi

# Neither the tree nor the libraries of a working installation may stand in for what the wheel lacks.
cd "$scratch"
unset PYTHONPATH LD_LIBRARY_PATH
"$env/bin/python" "$root/tests/python_package/loaded_libraries.py"
"$env/bin/python" -m pytest -q -p no:cacheprovider -c "$root/pyproject.toml" --rootdir "$root" "$root/python/tests"
code=0
"$root/tests/tensorboard/python.sh" "$env/bin/python" || code=$?
((code == 0 || code == 77)) || fail "TensorBoard does not show what the callback writes"
