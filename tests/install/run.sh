#!/usr/bin/env bash
# Installs the release build under a prefix of its own, checks what is there (package_cases.sh), builds
# examples/ against that package alone, and runs each example. An example must end by itself, with exit
# code 0, in a few seconds when PLIMSOLL_QUICK=1 is set. Expects ./dev build to have run (build/).
# Takes minutes.
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

fail() {
  echo "tests/install: $1"
  exit 1
}

# Moved after it was installed: the package must not remember where it was.
quietly cmake --install "$build" --prefix "$scratch/first"
mv "$scratch/first" "$scratch/prefix"
if grep -rlF "$PWD" "$scratch/prefix" --include='*.cmake' --include='*.pc'; then
  fail "the files above name the folder of the sources"
fi
# shellcheck source=tests/install/package_cases.sh
source tests/install/package_cases.sh
package_cases

# The code in the documents is built and run like an example: that of the README is a program, the pieces of each
# other document are one together, with what its text takes for granted before them.
# From the first line that reads a file that is not there, code is compiled but not run.
code_of() {
  awk '/^```cpp$/ { inside = 1; next } /^```$/ { inside = 0 }
       inside && /^const pl::SourcePtr packed / { print "if (std::fopen(\"photos.zip\", \"r\") == nullptr) return 0;" }
       inside' "$1"
}
granted_by() {
  case $1 in
    docs/guide.md) ;;
    docs/report.md)
      echo 'const pl::Tensor x = pl::random_normal({96, 4}, 0, 1, pl::training_clock().draw());'
      echo 'const pl::Tensor y = pl::cast(pl::greater(pl::sum(x, {1}), 0.0f), pl::DType::int32);'
      echo 'const pl::Dataset train(x, y), held_back = train;'
      echo 'for (const char* run : {"run", "run2"}) {'
      echo '  pl::Sequential model({pl::Dense({.units = 2, .activation = "softmax"})});'
      echo '  model.compile({.loss = "sparse_categorical_crossentropy"});'
      echo '  model.fit(train, {.epochs = 2, .run = run});'
      echo '}'
      ;;
    docs/data.md)
      echo 'pl::Sequential model({pl::Dense({.units = 1})});'
      echo 'model.compile({.loss = "mse"});'
      ;;
    docs/memory.md)
      echo 'const pl::Tensor x = pl::random_normal({96, 10}, 0, 1, pl::training_clock().draw());'
      echo 'const pl::Dataset data(x, pl::sum(x, {1}, true));'
      ;;
    docs/files.md)
      echo 'const pl::Tensor x = pl::random_normal({8, 3}, 0, 1, pl::training_clock().draw());'
      echo 'const pl::Tensor y = pl::sum(x, {1}, true);'
      echo 'pl::Sequential given({pl::InputLayer({.shape = {3}}), pl::Dense({.units = 1})});'
      echo 'given.compile({.loss = "mse"});'
      echo 'given.save("model.keras");'
      ;;
    docs/doctor.md)
      echo 'const pl::Tensor x = pl::random_normal({96, 4}, 0, 1, pl::training_clock().draw());'
      echo 'const pl::Tensor y = pl::sum(x, {1}, true);'
      echo 'pl::Sequential model({pl::Dense({.units = 8}), pl::Dense({.units = 1})});'
      echo 'model.compile({.loss = "mse"});'
      ;;
    docs/seeing.md)
      granted_by docs/doctor.md
      echo 'const pl::Dataset data(x, y);'
      ;;
    docs/reduce.md)
      echo 'const pl::Tensor x = pl::random_normal({96, 4}, 0, 1, pl::training_clock().draw());'
      echo 'const pl::Tensor y = pl::sum(x, {1}, true);'
      echo 'pl::Sequential model({pl::Dense({.units = 8}), pl::Dense({.units = 1})});'
      echo 'model.compile({.optimizer = pl::SGD({.learning_rate = 1e6}), .loss = "mse"});'
      ;;
    *) echo "#error $1 has C++ code; tests/install does not know what it takes for granted" ;;
  esac
}
program_of() {
  if [[ $1 == ./README.md ]]; then
    code_of "$1"
    return
  fi
  printf '#include <plimsoll/plimsoll.h>\n#include <cstdio>\nnamespace pl = plimsoll;\nint main() {\n'
  granted_by "$1"
  code_of "$1"
  printf '}\n'
}
cp -r examples "$scratch/examples"
documents=$(grep -l '^ *```cpp' ./README.md docs/*.md)
for document in $documents; do
  program_of "$document" >"$scratch/examples/document_$(basename "$document" .md).cc"
done

quietly cmake -S "$scratch/examples" -B "$scratch/build" -G Ninja -DCMAKE_PREFIX_PATH="$scratch/prefix" \
  -DCMAKE_CXX_COMPILER_LAUNCHER="$(command -v ccache || true)"
quietly cmake --build "$scratch/build"

count=0
for source in "$scratch"/examples/*.cc; do
  [[ -f $source ]] || continue
  name=$(basename "$source" .cc)
  [[ $name != document_report ]] || rm -rf "$scratch/run" "$scratch/run2"
  (cd "$scratch" && PLIMSOLL_QUICK=1 quietly timeout 300 "build/$name")
  count=$((count + 1))
done
((count > 0)) || fail "there are no examples"
for page in run/report.html page.html compare.html; do
  [[ -s $scratch/$page ]] || fail "the code of docs/report.md has run and left no $page"
done
echo "$count examples, among them the code of ${documents//$'\n'/, }, built against the installed package and run"
