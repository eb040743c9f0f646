#!/usr/bin/env bash
# What holds of loops that go on for long or come one after another, seen from outside in processes of their own:
# 200 models that are built, trained and dropped (tests/programs/many_models.cc) leave what five leave, within
# max(2%, 4 MiB); a loop written by hand (tests/programs/limited_loop.cc) keeps to its limit with the same result, and
# where it keeps tensors it is warned of the line and then refused, not killed.
# Expects ./dev build to have run (build/).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
programs=${1:-build}/bin
said=$(mktemp)
trap 'rm -f "$said"' EXIT

# shellcheck source=tests/support/memory_group.sh
source tests/support/memory_group.sh

fail() {
  echo "tests/loops: $1"
  cat "$said"
  exit 1
}

# value NAME LINE: the number after NAME= in the line.
value() {
  grep -oE "\b$1=[-+.e0-9]+" <<<"$2" | cut -d= -f2
}

many_models() {
  local line early late most
  line=$("$programs/many_models" 200 2>"$said") || fail "many_models ended with $?"
  early=$(value early "$line")
  late=$(value late "$line")
  most=$((early / 50 > 4 << 20 ? early / 50 : 4 << 20))
  ((late <= early + most)) || fail "200 models leave more than five: $line"
  [[ ! -s $said ]] || fail "many_models was warned of something"
  echo "$line"
}

# Plain it takes 127 MiB; the limit holds for all of the process.
limited_loop() {
  local plain limited limit=$((112 << 20))
  plain=$("$programs/limited_loop" 1024 4GiB 2>"$said") || fail "limited_loop ended with $?"
  limited=$("$programs/limited_loop" 1024 112MiB 2>"$said") || fail "limited_loop in 112 MiB ended with $?"
  (($(value measured "$plain") > limit)) || fail "the loop takes no more than the limit anyway: $plain"
  (($(value measured "$limited") <= limit)) || fail "over 112 MiB: $limited"
  [[ $(value loss "$plain") == "$(value loss "$limited")" ]] || fail "the loss changed: $plain, $limited"
  echo "$limited"
}

# kept_tensors COMMAND…: a loop that keeps tensors, in a process of about 160 MiB.
kept_tensors() {
  local code=0
  "$@" >/dev/null 2>"$said" || code=$?
  ((code == 4)) || fail "a loop that keeps tensors ended with $code, expected 4 (does not fit)"
  grep -q '^plimsoll: warning: .*limited_loop.cc:[0-9]*: holds .* and the process takes ' "$said" ||
    fail "there was no warning of the line"
  grep -q '^limited_loop: step: .*limited_loop.cc:[0-9]* (' "$said" || fail "the refusal does not name the line"
  tail -n 1 "$said"
}

# The limit is the system's, and the program has set none.
kept_tensors_in_a_group() {
  local no_group
  no_group=$(why_no_memory_group)
  if [[ -z $no_group ]]; then
    kept_tensors in_memory_group $((192 << 20)) "$programs/limited_loop" 256 "" keep
  else
    echo "not run in a memory cgroup, for none can be made here: $no_group"
  fi
}

many_models
limited_loop
kept_tensors "$programs/limited_loop" 256 160MiB keep
kept_tensors_in_a_group
