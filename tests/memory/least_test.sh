# The least memory that a refusal names is within 5% of the least in which the model trains. Sourced by run.sh.
# shellcheck shell=bash disable=SC2154 # shares variables with run.sh

# trains MODEL BATCH KIB [OPTION…]
trains() {
  is_done_or_refused "$plimsoll" train "$work/$1.json" "$work/$1.npz" --out "$work/run" --overwrite \
    --batch-size "$2" --loss mse --optimizer adam --memory "$3KiB" "${@:4}" || exit 1
  ((code == 0))
}

# least_named MODEL BATCH: in KiB, by a run that has next to nothing.
least_named() {
  trains "$1" "$2" 1024 && return 1
  enough_named "$work/out"
}

# enough_named FILE: what a refusal names as enough, in KiB.
enough_named() {
  { grep -oE 'it can be done in [0-9.]+ MiB' "$1" || true; } | awk '{ print int($6 * 1024) }'
}

# It trains in what is named, and not in 5% less.
least_is_true() {
  local named
  named=$(least_named "$1" "$2") || { echo "tests/memory: $1 was not refused"; return 1; }
  trains "$1" "$2" "$named" || { echo "tests/memory: $1 does not train in the $named KiB that are named"; return 1; }
  if trains "$1" "$2" $((named * 95 / 100)); then
    echo "tests/memory: $1 is said to need $named KiB, and trains in 5% less"
    return 1
  fi
  echo "$1 at a batch of $2: trains in the $named KiB that are named, not in 5% less"
}
