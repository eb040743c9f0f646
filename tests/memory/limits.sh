# Functions for tests that run a command in little memory. Sourced.
# shellcheck shell=bash disable=SC2154 # shares variables with run.sh

# shellcheck source=tests/support/memory_group.sh
source tests/support/memory_group.sh

no_group=$(why_no_memory_group)
[[ -z $no_group ]] ||
  echo "tests/memory: no memory cgroup can be made here ($no_group): only the data of each process is limited, by ulimit -d"

# limited MIB COMMAND…
limited() {
  local bytes=$(($1 << 20))
  shift
  if [[ -z $no_group ]]; then
    in_memory_group "$bytes" "$@"
  else
    (ulimit -d $((bytes >> 10)) && exec "$@")
  fi
}

# startable MIB…: those of the limits in which the program comes to its own code. Where the code of its libraries alone is too
# much, it is killed before it could refuse; 8 MiB are always enough for that.
startable() {
  local limit
  for limit in "$@"; do
    if ((limit >= 8)) || limited "$limit" "$plimsoll" help >"$work/out" 2>&1; then
      echo "$limit"
    else
      echo "tests/memory: the program does not start in $limit MiB, so this limit is left out" >&2
    fi
  done
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
