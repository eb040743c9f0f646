# Tables in a real cgroup: whatever the limit is, train, evaluate, predict and check of a CSV file end with 0 or 4.
# Sourced by run.sh.
# shellcheck shell=bash disable=SC2154 # shares variables with run.sh

# make_table COLUMNS RECORDS: a table of numbers and a model for it, of which part does not fit into the smaller limits.
make_table() {
  python3 - "$work" "$@" <<'PY'
import json, sys
work, columns, records = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
with open(f"{work}/table.csv", "w") as out:
    out.write(",".join(f"x{i}" for i in range(columns)) + ",y\n")
    for record in range(records):
        out.write(",".join(str((record * 7 + i * 3) % 101 / 10) for i in range(columns)) + f",{record % 10}\n")
layers = [{"class_name": "InputLayer", "config": {"batch_shape": [None, columns], "dtype": "float32", "name": "x"}},
          {"class_name": "Dense", "config": {"name": "y", "units": 1}}]
json.dump({"class_name": "Sequential", "config": {"name": "table", "layers": layers}}, open(f"{work}/table.json", "w"))
PY
  "$plimsoll" convert "$work/table.json" "$work/table.keras" 2>/dev/null
}

# tables_ladder MIB…
tables_ladder() {
  local limit command given done=0 refused=0
  local -a of_table=("$work/table.csv" --target y)
  for limit in "$@"; do
    for given in "--memory=${limit}MiB" ""; do
      for command in "train $work/table.json" "evaluate $work/table.keras" "predict $work/table.keras" check; do
        local -a words=("${of_table[@]}")
        # check has no limit of its own.
        [[ $command == check || -z $given ]] || words+=("$given")
        case $command in
          train*) words+=(--out "$work/table-run" --overwrite --loss mse) ;;
          evaluate*) words+=(--loss mse) ;;
          predict*) words+=(--out "$work/table.npy") ;;
        esac
        # shellcheck disable=SC2086 # two words
        is_done_or_refused limited "$limit" "$plimsoll" $command "${words[@]}" || return 1
        ((code == 0)) && done=$((done + 1)) || refused=$((refused + 1))
      done
    done
  done
  echo "table: of $((done + refused)) commands in real limits $done were done and $refused refused"
  ((done > 0 && refused > 0)) || { echo "tests/memory: the limits of tables show nothing"; return 1; }
}
