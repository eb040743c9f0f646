#!/usr/bin/env bash
# Makes a virtual environment that sees the package plimsoll in python/ of this tree, with what
# building it needs, and with --tests what its tests need too.
# Doing it again costs nothing while the requirements stay the same.
#
#   make_python.sh [--tests]     prints the path of the environment's python
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/peers/environment.sh
source "$here/environment.sh"
with_tests=no
for argument in "$@"; do
  case $argument in
    --tests) with_tests=yes ;;
    *) echo "make_python.sh: unknown argument '$argument' (known: --tests)" >&2; exit 2 ;;
  esac
done
dir=${XDG_CACHE_HOME:-$HOME/.cache}/plimsoll/python

# Python reads the sources where they are, so that a change of them costs nothing.
point_to_sources() {
  local packages
  packages=$("$dir/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
  (cd "$here/../../python" && pwd) >"$packages/plimsoll-sources.pth"
}

make_environment
once build requirements-python.txt install_pins requirements-python.txt
point_to_sources
[ "$with_tests" = no ] || once tests requirements-python-tests.txt install_pins requirements-python-tests.txt
echo "$dir/bin/python"
