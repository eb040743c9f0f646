# What a refusal and a plan advise is done with exactly the numbers that they name. Sourced by run.sh.
# shellcheck shell=bash disable=SC2154 # shares variables with run.sh

# asks MODEL BATCH KIB: trains, and says how that ended. $code is 0 or 4, and what was said is in "$work/said".
asks() {
  trains "$1" "$2" "$3" || true
  cp "$work/out" "$work/said"
}

wrong_advice() { # MODEL BATCH KIB WHAT
  echo "tests/memory: $1 at a batch of $2 in $3 KiB: $4"
  grep -h 'it can be done in' "$work/said"
  return 1
}

# named PATTERN: the number in what was said, or nothing.
named() {
  grep -oE "$1" "$work/said" | grep -oE '[0-9]+' || true
}

# holds MODEL BATCH KIB: what is said of a run that is refused.
holds() {
  local enough batch
  enough=$(enough_named "$work/said")
  batch=$(named '; a batch of [0-9]+ fits in')
  [[ -n $enough ]] || wrong_advice "$@" "names no memory that is enough" || return 1
  trains "$1" "$2" "$enough" || wrong_advice "$@" "refused in the $enough KiB that are named" || return 1
  [[ -z $batch ]] || trains "$1" "$batch" "$3" || wrong_advice "$@" "a batch of $batch is refused" || return 1
  if grep -q 'not even a batch of 1 fits' "$work/said" && trains "$1" 1 "$3"; then
    wrong_advice "$@" "a batch of 1 trains" || return 1
  fi
  echo "$1 at a batch of $2 in $3 KiB: done in $enough KiB${batch:+, and with a batch of $batch}"
}

# advice_is_true MODEL BATCH: from next to nothing to a little less than enough.
advice_is_true() {
  local enough share
  asks "$1" "$2" 1024
  holds "$1" "$2" 1024 || return 1
  enough=$(enough_named "$work/said")
  for share in 40 75 90; do
    asks "$1" "$2" $((enough * share / 100))
    ((code == 0)) || holds "$1" "$2" $((enough * share / 100)) || return 1
  done
}

# plan_is_true MODEL MIB: batches of the size that the plan names train without saving memory.
plan_is_true() {
  local batch
  "$plimsoll" plan "$work/$1.json" --loss mse --optimizer adam --memory "$2MiB" >"$work/said"
  batch=$(named 'batches of up to [0-9]+')
  [[ -n $batch ]] || { echo "tests/memory: the plan of $1 in $2 MiB names no batch"; return 1; }
  trains "$1" "$batch" $(($2 << 10)) --no-micro-batches --no-recompute --no-spill --no-early-updates \
    --no-sequence-parts || wrong_advice "$1" "$batch" $(($2 << 10)) "is refused, though the plan names it" || return 1
  echo "$1 in $2 MiB: a batch of $batch trains without saving memory"
}

# plan_advice_is_true MODEL BATCH MIB: the plan refuses as a run does.
plan_advice_is_true() {
  "$plimsoll" plan "$work/$1.json" --batch-size "$2" --loss mse --optimizer adam --memory "$3MiB" >"$work/said"
  grep -q "^a batch of $2 does not fit" "$work/said" || { echo "tests/memory: the plan of $1 fits in $3 MiB"; return 1; }
  holds "$1" "$2" $(($3 << 10))
}
