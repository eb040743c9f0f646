#!/usr/bin/env bash
# Builds the wheel of the Python package, installs it into a clean virtual environment, and runs the tests in
# python/tests there. Skipped if the packages that this needs cannot be fetched. In CI it is skipped too, after all tests
# have passed, if what they are compared with could not be had.
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

# shellcheck source=tests/python_package/comparisons.sh
source tests/python_package/comparisons.sh
# shellcheck source=tests/python_package/comparisons_cases.sh
source tests/python_package/comparisons_cases.sh

# The wheel is for every Python from 3.11 on: those that pyenv has here, if NumPy can be had for them.
on_other_interpreters() {
  local python version other=$scratch/other
  for python in "${PYENV_ROOT:-${HOME:-}/.pyenv}"/versions/3.1[1-5].*/bin/python3; do
    [[ -x $python ]] || continue
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    [[ $version != "$("$env/bin/python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')" ]] || continue
    rm -rf "$other"
    "$python" -m venv "$other"
    if ! "$other/bin/python" -m pip install --quiet --disable-pip-version-check numpy >"$scratch/log" 2>&1; then
      echo "not tested with Python $version: NumPy cannot be had for it"
      continue
    fi
    "$other/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps "$wheel"
    (cd "$scratch" && env -u PYTHONPATH -u LD_LIBRARY_PATH "$other/bin/python" "$root/tests/python_package/only_numpy.py") ||
      fail "the wheel fails with Python $version"
    echo "trains with Python $version too"
  done
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
(cd "$scratch" && env -u PYTHONPATH -u LD_LIBRARY_PATH "$env/bin/python" "$root/tests/python_package/only_numpy.py" &&
  env -u PYTHONPATH -u LD_LIBRARY_PATH "$env/bin/python" "$root/tests/python_package/stubs.py")
on_other_interpreters
install -r tests/peers/requirements-python-tests.txt

# CI compares with the real Keras and TensorFlow, whose environment another test may be making.
if [[ ${CI:-} == true ]]; then
  compare_with "the real TensorFlow and Keras" ./dev peers >/dev/null || not_compared+=("the real TensorFlow and Keras")
fi

# CI fetches Keras's own tests; elsewhere they run if they are there already.
if [[ ${CI:-} == true || -d ${XDG_CACHE_HOME:-${HOME:-}/.cache}/plimsoll/keras-source ]]; then
  if PLIMSOLL_KERAS_SOURCE=$(compare_with "Keras's own tests" tests/peers/keras_source.sh); then
    export PLIMSOLL_KERAS_SOURCE
  else
    unset PLIMSOLL_KERAS_SOURCE
    not_compared+=("Keras's own tests")
  fi
fi

# Neither the tree nor the libraries of a working installation may stand in for what the wheel lacks.
cd "$scratch"
unset PYTHONPATH LD_LIBRARY_PATH
"$env/bin/python" "$root/tests/python_package/loaded_libraries.py"
code=0
"$root/tests/tensorboard/python.sh" "$env/bin/python" || code=$?
((code != 77)) || not_compared+=("TensorBoard")
((code == 0 || code == 77)) || fail "TensorBoard does not show what the callback writes"
"$env/bin/python" -m pytest -q -rs -p no:cacheprovider -c "$root/pyproject.toml" --rootdir "$root" "$root/python/tests" |
  tee "$scratch/pytest.log"
closing_line "$scratch/pytest.log"
