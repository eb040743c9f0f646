#!/usr/bin/env bash
# Makes a virtual environment with the peers: Keras and TensorFlow, and with
# --torch PyTorch too (about 4 GB where pip only has the CUDA build).
# Doing it again costs nothing while the requirements stay the same.
#
#   make_venv.sh [--torch] [DIR]     prints the path of the environment's python
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/peers/environment.sh
source "$here/environment.sh"
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

install_torch() {
  local version
  version=$(sed -n 's/^torch==//p' "$here/requirements-torch.txt")
  pip_install -r <(sed '/^nvidia-/d; s/^torch\(vision\)\?==.*/&+cpu/' "$here/requirements-torch.txt") && return
  pip_install --no-deps -r "$here/requirements-torch.txt" ||
    fail "cannot install torch $version: $(last_error)"
  "$dir/bin/python" -c 'import torch' 2>>"$dir/pip.log" || fail "torch $version does not load: $(last_error)"
}

make_environment
once keras requirements.txt install_pins requirements.txt
[ "$with_torch" = no ] || once torch requirements-torch.txt install_torch
echo "$dir/bin/python"
