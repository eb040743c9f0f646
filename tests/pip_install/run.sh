#!/usr/bin/env bash
# Installs the Python package from its sources with pip, as a user does, and trains with it where NumPy is all else that
# is there. Compiles the whole engine, so it is skipped unless PLIMSOLL_SLOW=1; what the wheel holds is tested always.
# Takes minutes.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

skip() {
  echo "tests/pip_install: $1"
  exit 77
}
fail() {
  echo "tests/pip_install: $1"
  exit 1
}

[[ ${PLIMSOLL_SLOW:-} == 1 ]] || skip "it compiles the whole engine (PLIMSOLL_SLOW=1)"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$root/tests/peers/make_python.sh" >"$scratch/python" 2>"$scratch/log" || skip "$(tail -n 1 "$scratch/log")"
"$(<"$scratch/python")" -m venv "$scratch/env"
python=$scratch/env/bin/python
mkdir "$scratch/wheels"
"$python" -m pip download --quiet --disable-pip-version-check --dest "$scratch/wheels" 'scikit-build-core==1.1.1' \
  >"$scratch/log" 2>&1 || skip "what building needs cannot be fetched: $(tail -n 1 "$scratch/log")"

unset PYTHONPATH LD_LIBRARY_PATH
"$python" -m pip install --quiet --disable-pip-version-check "$root" >"$scratch/log" 2>&1 ||
  fail "pip install . failed: $(tail -n 20 "$scratch/log")"
cd "$scratch"
"$python" "$root/tests/python_package/only_numpy.py"
"$python" "$root/tests/python_package/stubs.py"
echo "pip install . makes a package that trains, with its stubs"
