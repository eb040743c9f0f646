#!/usr/bin/env bash
# Data: pictures beside tf.data and PyTorch's DataLoader, .npz files beside memcpy, and data of 8 GiB in 512 MiB.
#   bench/data.sh [images] [npz] [budget] [--json FILE] [OPTION…]     without a part: all; --help has the rest
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
parts=()
while (($#)) && [[ $1 != -* ]]; do
  parts+=("$1")
  shift
done
((${#parts[@]})) || parts=(images npz budget)
python=python3
[[ " ${parts[*]} " != *' images '* ]] || python=$(./dev peers --torch)
exec "$python" bench/data/data.py "${parts[@]}" --program build/bin/data_bench --python "$python" "$@"
