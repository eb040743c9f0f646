#!/usr/bin/env bash
# Makes a virtual environment with the peers: Keras and TensorFlow, and with
# --torch PyTorch too (about 4 GB where pip only has the CUDA build).
# Doing it again costs nothing while the requirements stay the same.
#
#   make_venv.sh [--torch] [DIR]     prints the path of the environment's python
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
with_torch=no
dir=
for argument in "$@"; do
  case $argument in
    --torch) with_torch=yes ;;
    -h | --help) sed -n '2,6s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
    -*) echo "make_venv.sh: unknown option '$argument' (known: --torch)" >&2; exit 2 ;;
    *)
      [ -z "$dir" ] || { echo "make_venv.sh: takes one directory, got '$dir' and '$argument'" >&2; exit 2; }
      dir=$argument
      ;;
  esac
done
dir=${dir:-${XDG_CACHE_HOME:-$HOME/.cache}/plimsoll/peers}

fail() {
  echo "make_venv.sh: $1" >&2
  exit 1
}

# Debian's own Python first: the pinned versions are known to have wheels for it.
find_python() {
  local candidate
  for candidate in /usr/bin/python3 python3; do
    if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info[:2] < (3, 11))' 2>/dev/null; then
      echo "$candidate"
      return
    fi
  done
  fail "no Python 3.11 or newer with venv found (on Debian: apt-get install python3-venv)"
}

pip_install() {
  "$dir/bin/python" -m pip install --quiet --disable-pip-version-check --no-input "$@" >"$dir/pip.log" 2>&1
}

install_keras() {
  pip_install -r "$here/requirements.txt" ||
    fail "cannot install $(pins requirements.txt): $(last_error)"
}

install_torch() {
  local version
  version=$(sed -n 's/^torch==//p' "$here/requirements-torch.txt")
  pip_install -r <(sed '/^nvidia-/d; s/^torch\(vision\)\?==.*/&+cpu/' "$here/requirements-torch.txt") && return
  pip_install --no-deps -r "$here/requirements-torch.txt" ||
    fail "cannot install torch $version: $(last_error)"
  "$dir/bin/python" -c 'import torch' 2>>"$dir/pip.log" || fail "torch $version does not load: $(last_error)"
}

pins() { grep -v '^#' "$here/$1" | paste -sd' '; }
last_error() { grep -E 'ERROR|Error' "$dir/pip.log" | tail -n 1 | cut -c1-300; }

# install NAME REQUIREMENTS: runs install_NAME unless its stamp fits the pins.
install() {
  local stamp="$dir/$1.stamp" hash
  hash=$(sha256sum <"$here/$2")
  [ "$(cat "$stamp" 2>/dev/null)" = "$hash" ] && return
  "install_$1"
  echo "$hash" >"$stamp"
}

# A folder is emptied only when it was an environment (whose Python may be gone).
make_environment() {
  local python clear= log
  python=$(find_python)
  [ ! -e "$dir/pyvenv.cfg" ] || clear=--clear
  [ -n "$clear" ] || [ -z "$(ls -A "$dir" 2>/dev/null)" ] || fail "'$dir' is not empty and no virtual environment"
  mkdir -p "$dir" 2>/dev/null || fail "cannot make the folder '$dir'"
  log=$("$python" -m venv $clear "$dir" 2>&1) || fail "python3 -m venv failed: ${log##*$'\n'}"
}

"$dir/bin/python" -c 'import pip' 2>/dev/null || make_environment
install keras requirements.txt
[ "$with_torch" = no ] || install torch requirements-torch.txt
echo "$dir/bin/python"
