#!/usr/bin/env bash
# The walks of CONTRIBUTING.md work: their files and rows are put into a copy of the sources, compiled, and linked
# before the library of the release build, whose definitions they replace. The op and the layer go through their
# harnesses, the command runs. Expects ./dev test to have built everything (build/).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=$(realpath "${1:-build}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
  echo "tests/contributing: $1"
  exit 1
}

# take DOCUMENT: writes or inserts each block of C++ as its first line says.
take() {
  awk -v root="$scratch/tree/" '
    /^```cpp$/ { inside = 1; first = 1; next }
    /^```$/ && inside { inside = 0; if (after != "") insert(); next }
    inside && first { first = 0; file = $2; sub(/,$/, "", file); after = ""; text = ""
                      at = index($0, ", after: "); if (at) after = substr($0, at + 9); else printf "" > root file; next }
    inside { if (after != "") text = text $0 "\n"; else print >> (root file) }
    function insert(   line, all, found) {
      while ((getline line < (root file)) > 0) {
        all = all line "\n"
        if (!found && index(line, after)) { all = all text; found = 1 }
      }
      close(root file)
      if (!found) { print file ": has no line " after; failed = 1; return }
      printf "%s", all > (root file)
      close(root file)
    }
    END { exit failed }' "$1"
}

# compile SOURCE…: without optimisation, as the objects are only run on small things.
compile() {
  local source
  for source in "$@"; do
    g++ -std=c++20 -O0 -fopenmp -Wall -Wextra -Werror -DPLIMSOLL_VERSION='"0"' -DPLIMSOLL_SOURCE_DIR="\"$PWD\"" \
      -I"$scratch/tree" -I. -c "$scratch/tree/$source" -o "$scratch/$(basename "$source" .cc).o" ||
      fail "$source of CONTRIBUTING.md does not compile"
  done
}

# link NAME OBJECT…: the first definition of a name is taken.
link() {
  local name=$1
  shift
  # shellcheck disable=SC2046 # the flags are words
  g++ -fopenmp -Wl,-z,muldefs "$@" "$build/libplimsoll.a" \
    $(grep '^Libs.private:' "$build/plimsoll.pc" | cut -d: -f2) -lgtest -lgtest_main -lgmock -o "$scratch/$name"
}

# objects_of PROGRAM PATTERN: those that it is linked of; a build folder may have older ones beside them.
objects_of() {
  ninja -C "$build" -t inputs "bin/$1" | grep -E "$2" | sed "s|^|$build/|"
}

mkdir "$scratch/tree"
cp -r plimsoll "$scratch/tree/"
take CONTRIBUTING.md || fail "CONTRIBUTING.md does not fit the sources"

compile plimsoll/ops/elementwise/{cube,cube_test}.cc plimsoll/ops/op_list.cc \
  plimsoll/nn/layers/{cube_layer,layer_rows_elementwise,layer_list_test}.cc plimsoll/cli/{hello,command_list,completion}.cc

mapfile -t support < <(objects_of plimsoll_tests 'test_objects\.dir/.*support.*\.o$')
link harness "$scratch"/{cube,cube_test,op_list,cube_layer,layer_rows_elementwise,layer_list_test}.o "${support[@]}"
"$scratch/harness" --gtest_filter='Cube.*:*EveryLayer*CubeLayer' >"$scratch/log" 2>&1 || fail "$(cat "$scratch/log")"
tests=$(grep -c '^\[       OK \]' "$scratch/log") || fail "no test ran: $(cat "$scratch/log")"
((tests >= 7)) || fail "expected the test of the op and those of the layer, $tests ran: $(cat "$scratch/log")"

mapfile -t commands < <(objects_of plimsoll 'plimsoll_cli\.dir/.*\.o$')
# Compiled in one group with the list, the ordinary completion has its rows in it.
link program "$scratch"/{hello,command_list,completion}.o "${commands[@]}"
[[ $("$scratch/program" hello world --times 2) == $'hello, world\nhello, world' ]] || fail "the command does not greet"
[[ $("$scratch/program" help) == *"greet somebody"* ]] || fail "the help does not list the command"
[[ $("$scratch/program" completion bash) == *--times* ]] || fail "the completion does not know the command"
echo "the walks through an op, a layer and a command compile; $tests tests of their harnesses passed"
