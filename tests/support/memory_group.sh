# Functions for tests that run a command in a memory cgroup. Sourced in the root of the tree.
# shellcheck shell=bash

# Prints why no group can be made here; nothing if one can.
why_no_memory_group() {
  python3 tests/support/memory_group.py why_none
}

# in_memory_group BYTES COMMAND…: ends with the code of the command.
in_memory_group() {
  local group tries=0 code=0
  group=$(python3 tests/support/memory_group.py make "plimsoll_test_$$" "$1") || return
  (echo "$BASHPID" >"$group/cgroup.procs" && exec "${@:2}") || code=$?
  # The last process may still be on its way out.
  until rmdir "$group" 2>/dev/null || ((++tries > 50)); do sleep 0.1; done
  return "$code"
}
