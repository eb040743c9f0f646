# Disks that are full or fill up. Sourced by run.sh.
# shellcheck shell=bash disable=SC2154 # shares variables with run.sh

# A save that was killed leaves hidden files; the next one removes them. Process 4194305 cannot be.
killed_save_cases() {
  runs train "${training[@]}" --out killed
  touch killed/.model.keras.4194305-0.tmp killed/.run.json.4194305-0.tmp
  mkdir killed/.new
  touch killed/.new/run.json .p.csv.4194305-0.tmp .p.csv.$$-0.tmp
  runs train "${training[@]}" --out killed --overwrite
  [[ $(find killed -name '.*' | wc -l) == 0 ]] || fail "hidden files are left: $(ls -A killed)"
  runs predict killed/model.keras table.csv --target price --out p.csv
  exists_not .p.csv.4194305-0.tmp
  exists ".p.csv.$$-0.tmp" # of a process that lives
  rm ".p.csv.$$-0.tmp"
}

# The system refuses to write more: no crash, and what was there stays.
limited_file_cases() {
  local found=0 to
  printf '{"module": "keras", "class_name": "Sequential", "config": {"name": "wide", "layers": [%s, %s]}}' \
    '{"module": "keras.layers", "class_name": "InputLayer", "config": {"batch_shape": [null, 256], "name": "i"}}' \
    '{"module": "keras.layers", "class_name": "Dense", "config": {"units": 1024, "name": "d"}}' >wide.json
  runs convert wide.json wide.keras
  cp wide.keras wide.before
  for to in other.keras other.h5 other.weights.h5 other.safetensors; do
    runs convert wide.keras "$to"
    cp "$to" other.before
    found=0
    (
      ulimit -f 100
      exec "$program" convert wide.keras "$to"
    ) >out 2>error || found=$?
    ((found == 3)) || fail "convert to $to ended with $found: $(cat error)"
    says "^plimsoll: .*$to: cannot be written: (Write error: )?File too large" error
    is_same "$to" other.before
  done
  [[ $(find . -maxdepth 1 -name '.*.tmp*' | wc -l) == 0 ]] || fail "hidden files are left: $(ls -A)"
}

# fill MIB: leaves so much of the disk.
fill() {
  local left
  left=$(df --output=avail -k disk | tail -n 1)
  head -c $((left - $1 * 1024))K /dev/zero >disk/filler
}

full_disk_cases() {
  local learning=(dense.json dense.npz --loss mse --optimizer adam --batch-size 64)
  # Too little from the start.
  fill 30
  refuses 3 "disk/run: writing it takes 1" train "${learning[@]}" --out disk/run
  says 'writing it takes 1[0-9.]+ MiB of disk, but only [0-9.]+ MiB are free there; free some' error
  [[ $(ls -A disk) == filler ]] || fail "something is left: $(ls -A disk)"
  refuses 3 "of disk, but only" convert deep.npz disk/x.npz
  rm disk/filler

  # It fills up while the run goes on; the model of the earlier run is whole.
  runs train "${learning[@]}" --out disk/run
  cp disk/run/model.keras before.keras
  "$program" train "${learning[@]}" --out disk/run --overwrite --epochs 1000000 >out 2>error &
  pid=$!
  waits_for '"status": "running"' disk/run/run.json
  waits_for '"event":"epoch"' disk/run/log.jsonl
  head -c 1G /dev/zero >disk/filler 2>/dev/null || true
  kill -INT "$pid" 2>/dev/null || true
  ends 3
  says '"status": "failed"' disk/run/run.json
  says '"why": ".*(of disk, but only|No space left on device)' disk/run/run.json
  is_same disk/run/model.keras before.keras
  [[ $(find disk/run -name '.*' | wc -l) == 0 ]] || fail "hidden files are left: $(ls -A disk/run)"
  rm disk/filler
  runs evaluate disk/run/model.keras dense.npz --loss mse

  # A first run that diverges on a full disk says why nothing is saved, and does not say that no epoch was finite. It is
  # stopped while the disk fills up.
  python3 - <<'EOF'
import json

def keras_object(module, class_name, /, **config):
    return {"module": module, "class_name": class_name, "config": config, "registered_name": None}

model = json.load(open("jump.json"))
model["config"]["layers"].insert(1, keras_object("keras.layers", "Dense", units=200000, name="wide"))
model["compile_config"]["optimizer"]["config"]["learning_rate"]["config"] = {"boundaries": [120], "values": [1e-7, 1e30]}
json.dump(model, open("tall.json", "w"))
EOF
  "$program" train tall.json table.csv --target price --batch-size 50 --no-checkpoints --epochs 100 --out disk/first \
    >out 2>error &
  pid=$!
  waits_for '"event":"epoch".*"epoch":3' disk/first/log.jsonl
  kill -STOP "$pid"
  fill 1
  kill -CONT "$pid"
  ends 5
  says '; no model could be saved: .*(of disk, but only|No space left on device)' error
  says_not 'no epoch has left a model' error
  exists_not disk/first/model.keras
  rm -r disk/filler disk/first
}

read_only_cases() {
  mount -o remount,ro "$scratch/disk"
  refuses 3 "cannot be made: Read-only file system" train "${training[@]}" --out disk/other
  refuses 3 "cannot be made: Read-only file system" train "${training[@]}" --out disk/run --overwrite
  refuses 3 "disk/p.csv: cannot be written: Read-only file system" \
    predict own/model.keras table.csv --target price --out disk/p.csv
  refuses 3 "disk/m.keras: cannot be written: Read-only file system" convert own/model.keras disk/m.keras
}

# More memory than there is: that is said, and what there is is kept to.
budget_cases() {
  local command
  for command in "train ${training[*]} --out budget" "evaluate own/model.keras table.csv --target price" \
    "predict own/model.keras table.csv --target price --out budget.csv"; do
    # shellcheck disable=SC2086
    runs $command --memory 100TiB
    says '^plimsoll: warning: --memory: asks for 100.0 TiB, but this machine gives [0-9.]+ [MGT]iB; the run keeps to that' error
  done
  # shellcheck disable=SC2043
  for command in "evaluate own/model.keras table.csv --target price"; do
    # shellcheck disable=SC2086
    refuses 4 "; it can be done in " $command --memory 4MiB
  done
}
