# Paths: what is read is not replaced, and a run is only replaced by a run. Sourced by run.sh.
# shellcheck shell=bash disable=SC2154 # shares variables with run.sh

# keeps COMMAND…: refuses with 2 and leaves the table and the model of the run as they were.
keeps() {
  cp table.csv table.before
  cp own/model.keras model.before
  refuses 2 "that is read" "$@"
  is_same table.csv table.before
  is_same own/model.keras model.before
  rm table.before model.before
}

input_cases() {
  runs train "${training[@]}" --out own
  ln -s table.csv link.csv
  ln table.csv hard.csv
  ln -s own own_link
  mkdir -p own/data
  cp table.csv own/data/table.csv
  keeps predict own/model.keras table.csv --target price --out table.csv
  keeps predict own/model.keras table.csv --target price --out ./link.csv
  keeps predict own/model.keras link.csv --target price --out table.csv
  keeps predict own/model.keras table.csv --target price --out hard.csv
  keeps train own/model.keras table.csv --target price --out own --overwrite
  keeps train own/model.keras table.csv --target price --out own_link --overwrite
  keeps train own_link/model.keras table.csv --target price --out own --overwrite
  keeps train own/model.keras table.csv --target price --out own
  keeps train "$model" own/data/table.csv --target price --out own --overwrite
  keeps train "${training[@]}" --validation own/data/table.csv --out own --overwrite
  keeps convert own/model.keras own/model.keras
  keeps convert own/model.keras "$PWD/own_link/model.keras"
  runs convert table.csv table.npz --target price
  cp table.npz before.npz
  refuses 2 "that is read" convert table.npz table.npz
  refuses 2 "that is read" predict own/model.keras table.npz --out table.npz
  is_same table.npz before.npz
}

# Only the files of a run are replaced, and the old model goes when there is a new one.
overwrite_cases() {
  runs train "${training[@]}" --out again --validation table.csv
  touch again/mine
  cp again/model.keras old.keras
  starts again --overwrite
  is_same again/model.keras old.keras
  says '"status": "running"' again/run.json
  kill -KILL "$pid"
  ends 137
  is_same again/model.keras old.keras
  runs evaluate again/model.keras table.csv --target price
  runs train "${training[@]}" --out again --overwrite --optimizer sgd --learning-rate 0.1
  exists again/mine
  exists_not again/best.keras
  ! cmp -s again/model.keras old.keras || fail "the model is still the old one"
  # A run that fails before it has a model leaves the old one.
  cp again/model.keras old.keras
  { echo "a,b,price" && echo "1,inf,2"; } >bad.csv
  refuses 3 "; again/model.keras is still that of the earlier run" \
    train "$model" bad.csv --target price --out again --overwrite
  is_same again/model.keras old.keras
}

# A run inside a folder of images would be one of its classes the next time.
inside_cases() {
  mkdir -p photos/cats photos/dogs
  touch photos/cats/1.png photos/dogs/1.png
  refuses 2 "train: --out photos/run is inside the data that is read, photos, and would be a part of it the next time; name another folder" \
    train "$model" photos --out photos/run
  refuses 2 "--out photos/run is inside the validation data that is read, photos" \
    train "${training[@]}" --validation photos --out photos/run
  exists_not photos/run
}

# A run that ended before it had learnt anything is not in the way of the next, which does as the error advised.
retry_cases() {
  { echo "a,b,price" && echo "1,inf,2" && echo "1,2,3" && echo "2,2,3"; } >infinite.csv
  refuses 3 "leave them out with --on-bad-record skip" train "$model" infinite.csv --target price --out retried
  exists retried/run.json
  runs train "$model" infinite.csv --target price --out retried --on-bad-record skip --max-bad 0.5
  exists retried/model.keras
}

second_run_cases() {
  starts shared
  refuses 3 "shared: another run is writing it; name another folder" train "${training[@]}" --out shared
  refuses 3 "shared: another run is writing it" train "${training[@]}" --out ./shared/ --overwrite
  says '"status": "running"' shared/run.json
  kill -KILL "$pid"
  ends 137
  runs train "${training[@]}" --out shared --overwrite
  says '"status": "done"' shared/run.json
  [[ $(find shared -name '.*' ! -name . | wc -l) == 0 ]] || fail "hidden files are left: $(ls -A shared)"
}

# One sentence, and never an error in Plimsoll itself.
odd_path_cases() {
  local long
  long=$(printf 'n%.0s' {1..300})
  ln -s loop loop
  touch a_file
  refuses 3 "loop: cannot be made: Too many levels of symbolic links" train "${training[@]}" --out loop
  refuses 3 "cannot be made: File name too long" train "${training[@]}" --out "$long"
  refuses 3 "a_file: exists already" train "${training[@]}" --out a_file
  refuses 3 "a_file/run: cannot be made: Not a directory" train "${training[@]}" --out a_file/run
  refuses 3 "File name too long" predict own/model.keras table.csv --target price --out "$long.csv"
  refuses 3 "none/p.csv: cannot be written: No such file or directory" \
    predict own/model.keras table.csv --target price --out none/p.csv
  refuses 3 "loop.keras" convert own/model.keras loop/loop.keras
  refuses 3 "$long.keras" convert own/model.keras "$long.keras"
  runs predict own/model.keras table.csv --target price --out "$(printf 'n%.0s' {1..250}).csv"
  TMPDIR=/none runs train "${training[@]}" --out tmpdir
}
