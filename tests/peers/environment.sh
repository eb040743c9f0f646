# A virtual environment with pinned packages, in the folder "$dir". Sourced by make_venv.sh and make_python.sh.
# shellcheck shell=bash disable=SC2154 # $dir comes from the script that reads this

environment_pins=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# fail MESSAGE [CODE]; 77 says that something cannot be had here.
fail() {
  echo "$(basename "$0"): $1" >&2
  exit "${2:-1}"
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
  fail "no Python 3.11 or newer with venv found (on Debian: apt-get install python3-venv)" 77
}

# A folder is emptied only when it was an environment (whose Python may be gone). Who comes second waits until the
# first script has ended.
make_environment() {
  local python clear='' log lock
  mkdir -p "$dir" 2>/dev/null || fail "cannot make the folder '$dir'"
  exec {lock}<"$dir"
  flock "$lock"
  "$dir/bin/python" -c 'import pip' 2>/dev/null && return
  python=$(find_python)
  [ ! -e "$dir/pyvenv.cfg" ] || clear=--clear
  [ -n "$clear" ] || [ -z "$(ls -A "$dir" 2>/dev/null)" ] || fail "'$dir' is not empty and no virtual environment"
  log=$("$python" -m venv $clear "$dir" 2>&1) || fail "python3 -m venv failed: ${log##*$'\n'}"
}

pip_install() {
  "$dir/bin/python" -m pip install --quiet --disable-pip-version-check --no-input "$@" >"$dir/pip.log" 2>&1
}

pins() { grep -v '^#' "$environment_pins/$1" | paste -sd' '; }
last_error() { grep -E 'ERROR|Error' "$dir/pip.log" | tail -n 1 | cut -c1-300; }

install_pins() {
  pip_install -r "$environment_pins/$1" || fail "cannot install $(pins "$1"): $(last_error)" 77
}

# once NAME REQUIREMENTS COMMAND…: runs the command unless the stamp of NAME fits the pins.
once() {
  local stamp="$dir/$1.stamp" hash
  hash=$(sha256sum <"$environment_pins/$2")
  [ "$(cat "$stamp" 2>/dev/null)" = "$hash" ] && return
  "${@:3}"
  echo "$hash" >"$stamp"
}
