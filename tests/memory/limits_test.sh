# Whatever the limit of a real cgroup is, train, plan, evaluate and predict end with 0 or 4: nothing is touched before
# it is known to fit. Sourced by run.sh.
# shellcheck shell=bash disable=SC2154 # shares variables with run.sh

# ladder MODEL BATCH MIB…: each run is like a machine's first one, which does not know the machine's speed.
ladder() {
  local model=$1 batch=$2 limit done=0 refused=0
  local -x XDG_CACHE_HOME=$work/cache
  local -a training=(--batch-size "$batch" --loss mse --optimizer adam)
  shift 2
  for limit in $(startable "$@"); do
    for given in "--memory=${limit}MiB" "--memory=100GiB" ""; do
      rm -rf "$XDG_CACHE_HOME"
      is_done_or_refused limited "$limit" "$plimsoll" train "$work/$model.json" "$work/$model.npz" --out "$work/run" \
        --overwrite "${training[@]}" ${given:+"$given"} || return 1
      ((code == 0)) && done=$((done + 1)) || refused=$((refused + 1))
    done
    is_done_or_refused limited "$limit" "$plimsoll" plan "$work/$model.json" "${training[@]}" || return 1
  done
  echo "$model: of $((done + refused)) runs in real limits $done were done and $refused refused"
  ((done > 0 && refused > 0)) || { echo "tests/memory: the limits of $model show nothing"; return 1; }
}

# named_is_enough COMMAND…: what its refusal names is enough memory for it.
named_is_enough() {
  local named
  is_done_or_refused "$@" --memory 4MiB || return 1
  named=$(grep -oE 'it can be done in [0-9.]+ [KMGT]?i?B' "$work/out" | head -1 | sed 's/.* in //')
  [[ -n $named ]] || { echo "tests/memory: not refused: $*"; return 1; }
  is_done_or_refused "$@" --memory "$named" || return 1
  ((code == 0)) || { echo "tests/memory: is not done in the $named that are named: $*: $(tail -1 "$work/out")"; return 1; }
}

# uses_ladder MODEL BATCH MIB…: evaluate and predict, with weights. What is done gives what it gives without a limit.
uses_ladder() {
  local model=$1 batch=$2 limit done=0 refused=0 given
  local -a sized=("$work/$1.keras" "$work/$1.npz" --batch-size "$2")
  shift 2
  "$plimsoll" convert "$work/$model.json" "$work/$model.keras" 2>/dev/null
  "$plimsoll" predict "${sized[@]}" --out "$work/whole.npy"
  "$plimsoll" evaluate "${sized[@]}" --loss mse | awk '{ print $1, substr($2, 1, 5) }' >"$work/whole"
  for limit in $(startable "$@"); do
    for given in "--memory=${limit}MiB" "--memory=100GiB" ""; do
      is_done_or_refused limited "$limit" "$plimsoll" evaluate "${sized[@]}" --loss mse ${given:+"$given"} || return 1
      ((code == 0)) && done=$((done + 1)) || refused=$((refused + 1))
      if ((code == 0)); then
        grep -v '^plimsoll: ' "$work/out" | awk '{ print $1, substr($2, 1, 5) }' | cmp -s - "$work/whole" ||
          { echo "tests/memory: $model evaluates otherwise in $limit MiB: $(cat "$work/out")"; return 1; }
      fi
      rm -f "$work/part.npy"
      is_done_or_refused limited "$limit" "$plimsoll" predict "${sized[@]}" --out "$work/part.npy" ${given:+"$given"} ||
        return 1
      ((code == 0)) && done=$((done + 1)) || refused=$((refused + 1))
      if ((code == 0)); then
        python3 tests/memory/near.py "$work/part.npy" "$work/whole.npy" || return 1
      fi
    done
  done
  named_is_enough "$plimsoll" evaluate "${sized[@]}" --loss mse || return 1
  named_is_enough "$plimsoll" predict "${sized[@]}" --out "$work/part.npy" || return 1
  echo "$model: of $((done + refused)) evaluations and predictions in real limits $done were done and $refused refused"
  ((done > 0 && refused > 0)) || { echo "tests/memory: the limits of $model show nothing"; return 1; }
}
