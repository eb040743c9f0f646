#!/usr/bin/env bash
# Makes a virtual environment with the real TensorBoard, which reads the event files of the tests.
# Doing it again costs nothing while the requirements stay the same.
#
#   make_tensorboard.sh     prints the path of the environment's python
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/peers/environment.sh
source "$here/environment.sh"
[ $# -eq 0 ] || { echo "make_tensorboard.sh: takes no argument, found '$1'" >&2; exit 2; }
dir=${XDG_CACHE_HOME:-$HOME/.cache}/plimsoll/tensorboard

make_environment
once tensorboard requirements-tensorboard.txt install_pins requirements-tensorboard.txt
echo "$dir/bin/python"
