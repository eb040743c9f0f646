#!/usr/bin/env bash
# Installs the release build under a prefix of its own, builds examples/ against that package alone,
# and runs each example. An example must end by itself, with exit code 0, in a few seconds when
# PLIMSOLL_QUICK=1 is set. Expects ./dev build to have run (build/).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

build=${1:-build}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# quietly COMMAND…: shows what it printed only where it fails.
quietly() {
  "$@" >"$scratch/log" 2>&1 || {
    cat "$scratch/log"
    echo "tests/install: failed: $*"
    exit 1
  }
}

# Moved after it was installed: the package must not remember where it was.
quietly cmake --install "$build" --prefix "$scratch/first"
mv "$scratch/first" "$scratch/prefix"
if grep -rlF "$PWD" "$scratch/prefix" --include='*.cmake'; then
  echo "tests/install: the files above name the folder of the sources"
  exit 1
fi

# The program that the README shows is built and run like an example, and so is the guide, whose pieces
# of code are one program.
code_of() { awk '/^```cpp$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$1"; }
cp -r examples "$scratch/examples"
code_of README.md >"$scratch/examples/readme.cc"
{
  printf '#include <plimsoll/plimsoll.h>\n#include <cstdio>\nnamespace pl = plimsoll;\nint main() {\n'
  code_of docs/guide.md
  printf '}\n'
} >"$scratch/examples/guide.cc"

quietly cmake -S "$scratch/examples" -B "$scratch/build" -G Ninja -DCMAKE_PREFIX_PATH="$scratch/prefix" \
  -DCMAKE_CXX_COMPILER_LAUNCHER="$(command -v ccache || true)"
quietly cmake --build "$scratch/build"

count=0
for source in "$scratch"/examples/*.cc; do
  [[ -f $source ]] || continue
  name=$(basename "$source" .cc)
  (cd "$scratch" && PLIMSOLL_QUICK=1 quietly timeout 300 "build/$name")
  count=$((count + 1))
done
((count > 0)) || { echo "tests/install: there are no examples"; exit 1; }
echo "$count examples built against the installed package and run"
