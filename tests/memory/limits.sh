# Functions for tests that run a command in little memory. Sourced.
# shellcheck shell=bash disable=SC2154 # shares variables with run.sh

group=/sys/fs/cgroup/memory/plimsoll_test_$$

# limited MIB COMMAND…: in a memory cgroup where one can be made, else with a limit on the data of the process.
limited() {
  local bytes=$(($1 << 20)) code=0
  shift
  if mkdir "$group" 2>/dev/null && echo "$bytes" >"$group/memory.limit_in_bytes"; then
    (echo "$BASHPID" >"$group/cgroup.procs" && exec "$@") || code=$?
    rmdir "$group"
  else
    rmdir "$group" 2>/dev/null || true
    (ulimit -d $((bytes >> 10)) && exec "$@") || code=$?
  fi
  return "$code"
}

# is_done_or_refused COMMAND…: it ends with 0 or 4; its code is in $code.
is_done_or_refused() {
  code=0
  "$@" >"$work/out" 2>&1 || code=$?
  if ((code == 0 || code == 4)); then return 0; fi
  echo "tests/memory: ended with $code: $*"
  tail -n 3 "$work/out"
  return 1
}
