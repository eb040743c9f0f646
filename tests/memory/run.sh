#!/usr/bin/env bash
# Runs keep to the memory they are given, all of it, enforced by the system: a memory cgroup where one can be made,
# else a limit on the data of the process. Each does five steps, a validation and a save
# (tests/programs/limited_run.cc); none may be killed, and the measured peak is not over the limit.
# Expects ./dev build to have run (build/).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
program=${1:-build}/bin/limited_run
group=/sys/fs/cgroup/memory/plimsoll_test_$$

# value NAME LINE: the number behind NAME= in the line.
value() {
  grep -oE "\b$1=[0-9]+" <<<"$2" | cut -d= -f2
}

# limited MIB COMMAND…
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

check() { # MODEL BATCH MIB [OPTION]
  local line measured limit=$(($3 << 20))
  line=$(limited "$3" "$program" "$1" "$2" "$3MiB" "${@:4}") || {
    echo "tests/memory: $1 at a batch of $2 in $3 MiB ended with $?"
    exit 1
  }
  measured=$(value measured "$line")
  if ((measured > limit || $(value planned "$line") > limit || $(value arena "$line") >= $(value plain_arena "$line"))); then
    echo "tests/memory: over $3 MiB, or nothing was saved: $line"
    exit 1
  fi
  echo "$line"
}

# check_by WAY MODEL…: and the run was fitted in that way.
check_by() {
  local line
  line=$(check "${@:2}") || {
    echo "$line"
    exit 1
  }
  [[ $line == *"$1"* ]] || {
    echo "tests/memory: expected '$1': $line"
    exit 1
  }
  echo "$line"
}

check cnn 512 192
check lstm 512 48
check_by 'sequences in' lstm_long 512 224 --no-micro-batches
check resnet50 32 1024
check mobilenet_v2 64 1024
if [[ ${CI:-} == true || ${PLIMSOLL_SLOW:-} == 1 ]]; then
  check encoder 64 1536
else
  echo "left out, for it takes minutes: encoder (PLIMSOLL_SLOW=1)"
fi
