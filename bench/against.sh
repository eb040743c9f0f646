#!/usr/bin/env bash
# Training steps of this tree and of an older commit, in turns: against.sh COMMIT [CASE…] [OPTION…]
# Ratios above 1 mean that the commit was slower. Its program is kept in build/against.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
commit=$(git rev-parse --verify --short "${1:?against: name a commit}^{commit}")
shift
cases=()
while (($#)) && [[ $1 != -* ]]; do
  cases+=("$1")
  shift
done
((${#cases[@]})) || cases=(cnn mlp lstm lstm_1)

tree=build/against/$commit
if [[ ! -x $tree/build/bin/step_bench ]]; then
  rm -rf "$tree"
  mkdir -p "$tree"
  git archive "$commit" | tar -x -C "$tree"
  cmake -S "$tree" -B "$tree/build" -G Ninja -DCMAKE_BUILD_TYPE=Release >/dev/null
  cmake --build "$tree/build" --target step_bench -- --quiet
fi
exec python3 bench/peers/interleave.py "${cases[@]}" \
  --plimsoll build/bin/step_bench --before "$tree/build/bin/step_bench" "$@"
