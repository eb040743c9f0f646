# Whatever the limit of a real cgroup is, train and plan end with 0 or 4: nothing is touched before it is known to
# fit. Sourced by run.sh.
# shellcheck shell=bash disable=SC2154 # shares variables with run.sh

# ladder MODEL BATCH MIB…
ladder() {
  local model=$1 batch=$2 limit done=0 refused=0
  local -a training=(--batch-size "$batch" --loss mse --optimizer adam)
  shift 2
  for limit in "$@"; do
    for given in "--memory=${limit}MiB" "--memory=100GiB" ""; do
      is_done_or_refused limited "$limit" "$plimsoll" train "$work/$model.json" "$work/$model.npz" --out "$work/run" \
        --overwrite "${training[@]}" ${given:+"$given"} || return 1
      ((code == 0)) && done=$((done + 1)) || refused=$((refused + 1))
    done
    is_done_or_refused limited "$limit" "$plimsoll" plan "$work/$model.json" "${training[@]}" || return 1
  done
  echo "$model: of $((done + refused)) runs in real limits $done were done and $refused refused"
  ((done > 0 && refused > 0)) || { echo "tests/memory: the limits of $model show nothing"; return 1; }
}
