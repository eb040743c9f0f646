# convert ends with 0 or 4 in whatever memory, and takes one tensor at a time from file to file. Sourced by run.sh.
# shellcheck shell=bash disable=SC2154 # shares variables with run.sh

# convert_ladder MODEL MIB…: what is written in a limit is what is written without one.
convert_ladder() {
  local model=$1 limit kind done=0 refused=0
  shift
  "$plimsoll" convert "$work/$model.json" "$work/$model.keras" 2>/dev/null
  for kind in keras h5 weights.h5 safetensors; do
    "$plimsoll" convert "$work/$model.keras" "$work/whole.$kind" >/dev/null
    for limit in $(startable "$@"); do
      rm -f "$work/part.$kind"
      is_done_or_refused limited "$limit" "$plimsoll" convert "$work/$model.keras" "$work/part.$kind" || return 1
      ((code == 0)) && done=$((done + 1)) || refused=$((refused + 1))
      ((code != 0)) || cmp "$work/part.$kind" "$work/whole.$kind" || return 1
    done
  done
  echo "$model: of $((done + refused)) conversions in real limits $done were done and $refused refused"
  ((done > 0 && refused > 0)) || { echo "tests/memory: the limits of $model show nothing"; return 1; }
}

# convert_is_done MIB FROM…: although its values take more than that together.
convert_is_done() {
  is_done_or_refused limited "$1" "$plimsoll" convert "${@:2}" || return 1
  ((code == 0)) || { echo "tests/memory: not converted in $1 MiB: $(cat "$work/out")"; return 1; }
}

# The state of an optimizer is taken tensor by tensor too: 36 MiB here.
convert_with_state() {
  local kind limit
  "$plimsoll" train "$work/dense.json" "$work/dense.npz" --out "$work/stated" --overwrite --batch-size 256 --loss mse \
    --optimizer adam >/dev/null 2>&1
  for kind in keras h5 weights.h5; do
    convert_is_done 12 "$work/stated/model.keras" "$work/part.$kind" || return 1
  done
  cmp "$work/part.keras" "$work/stated/model.keras" || return 1
  convert_is_done 12 "$work/part.h5" "$work/back.keras" || return 1
  cmp "$work/back.keras" "$work/stated/model.keras" || return 1
  for limit in $(startable 4 8); do
    is_done_or_refused limited "$limit" "$plimsoll" convert "$work/stated/model.keras" "$work/part.keras" || return 1
  done
}

# New values are drawn, and are in memory together.
convert_new_ladder() {
  local limit
  for limit in $(startable 4 12 20 48); do
    is_done_or_refused limited "$limit" "$plimsoll" convert "$work/wide.json" "$work/part.keras" || return 1
  done
  ((code == 0)) || { echo "tests/memory: 48 MiB are not enough for a new model of 17 MiB"; return 1; }
}
