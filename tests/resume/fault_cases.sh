# What may happen to the folder of a run: damage, faults of the disk, other processes, other places. Sourced by run.sh.
# shellcheck shell=bash disable=SC2154 # shares variables with run.sh

newest_checkpoint() { find "$1/checkpoints" -name '*.checkpoint' | sort | tail -n 1; }

# goes_on_without_newest RUN: its newest checkpoint is named and not used.
goes_on_without_newest() {
  local newest
  newest=$(newest_checkpoint "$1")
  runs resume "$1"
  says "$(basename "$newest").*this checkpoint is not used" error
  is_same "$1/model.keras" whole/model.keras
}

damage_cases() {
  local file
  half_done torn
  for file in flipped empty foreign lost dated; do cp -r torn "$file"; done
  truncate -s 1000 "$(newest_checkpoint torn)"
  goes_on_without_newest torn
  python3 -c 'import sys
with open(sys.argv[1], "r+b") as file:
    file.seek(4321)
    byte = file.read(1)[0]
    file.seek(4321)
    file.write(bytes([byte ^ 4]))' "$(newest_checkpoint flipped)"
  goes_on_without_newest flipped
  truncate -s 0 "$(newest_checkpoint empty)"
  goes_on_without_newest empty
  # Of another run, and newer than all of this one.
  runs train "${table[@]}" --epochs 1 --seed 9 --out another
  cp "$(newest_checkpoint another)" foreign/checkpoints/000000099999.checkpoint
  goes_on_without_newest foreign
  for file in lost/checkpoints/*.checkpoint; do echo "something else" >"$file"; done
  refuses 3 "lost/checkpoints is whole (has 15 bytes" resume lost
  # The newer file has the older date.
  touch -d 2001-01-01 "$(newest_checkpoint dated)"
  touch -d 2099-01-01 dated/checkpoints
  find dated -name '*.jsonl' -exec touch -d 2098-01-01 {} +
  runs resume dated
  is_same dated/model.keras whole/model.keras
}

# background OUT ARGUMENT…: a run of very many epochs, which has done two; its number is in pid.
background() {
  local folder=$1
  shift
  "$program" train "${table[@]}" --epochs 1000000 --out "$folder" "$@" >out 2>error &
  pid=$!
  waits_for '"epoch":2,' "$folder/log.jsonl"
}

# ends_with CODE: the run in the background does so.
ends_with() {
  local found=0
  wait "$pid" || found=$?
  ((found == $1)) || fail "the run ended with $found, expected $1: $(cat error)"
}

# A live run has the folder for itself, and a copy that is made meanwhile is a run of its own.
live_cases() {
  local done_epochs
  background live --checkpoint-steps 5
  refuses 3 "live: another run is writing it" resume live
  cp -r live copy 2>/dev/null || true # a checkpoint may go while it is copied
  kill -KILL "$pid"
  ends_with 137
  done_epochs=$(grep -c '"event":"epoch"' copy/log.jsonl)
  runs train "${table[@]}" --epochs "$((done_epochs + 3))" --out beside
  runs resume copy --epochs "$((done_epochs + 3))"
  is_same copy/model.keras beside/model.keras
}

# The folder is taken away and comes back: that is said once each, and nothing is lost.
vanished_cases() {
  local done_epochs
  background away --checkpoint-steps 1
  mv away hidden
  waits_for 'checkpoints cannot be written, the earlier ones are kept' error
  sleep 0.3
  mv hidden away
  waits_for 'checkpoints can be written again' error
  kill -TERM "$pid"
  ends_with 143
  # One that was being written has a cause of its own.
  (($(grep -c 'checkpoints cannot be written' error) <= 2)) || fail "that is said again and again: $(head -c 2000 error)"
  [[ $(grep -c 'can be written again' error) == 1 ]] || fail "that is said again and again: $(head -c 2000 error)"
  done_epochs=$(python3 -c "import json; print(json.load(open('away/run.json'))['result']['epochs'])")
  runs train "${table[@]}" --epochs "$((done_epochs + 2))" --out beside_away
  runs resume away --epochs "$((done_epochs + 2))"
  is_same away/model.keras beside_away/model.keras
  # Gone for good: one sentence, and no promise to go on.
  background gone --checkpoint-steps 1
  mv gone taken
  rm -rf taken
  kill -TERM "$pid"
  ends_with 3
  says "^plimsoll: gone/" error
  ! grep "plimsoll resume" error || fail "there is nothing to go on from"
}

# strace makes a disk that fails to sync, and one that is slow.
disk_cases() {
  local count
  if ! strace -o /dev/null true 2>/dev/null; then
    leaves_out "a disk that does not sync and a slow one (no strace)"
    return
  fi
  strace -o /dev/null -P "$PWD/unsynced/checkpoints/unfinished.tmp" -P unsynced/checkpoints/unfinished.tmp -e trace=fsync \
    -e inject=fsync:error=EIO:when=1+2 "$program" train "${table[@]}" --epochs 40 --checkpoint-steps 7 --out unsynced \
    >out 2>error || fail "a disk that does not sync ended the run: $(cat error)"
  says 'checkpoints cannot be written.*Input/output error' error
  is_same unsynced/model.keras whole/model.keras
  # A checkpoint that takes half a second comes no more often than it may cost: the first and the last.
  strace -o syncs -P "$PWD/slow/checkpoints/unfinished.tmp" -P slow/checkpoints/unfinished.tmp -e trace=fsync \
    -e inject=fsync:delay_enter=500000 "$program" train "${table[@]}" --epochs 40 --out slow >out 2>error ||
    fail "a slow disk ended the run: $(cat error)"
  count=$(grep -c fsync syncs)
  ((count <= 2)) || fail "$count checkpoints were written to a slow disk"
  is_same slow/model.keras whole/model.keras
}

# A disk that fills up ends the run with what could not be saved; with room again it goes on.
full_cases() {
  mkdir small
  if ! mount -t tmpfs -o size=3m tmpfs small 2>/dev/null; then
    leaves_out "a full disk and a read-only one (nothing can be mounted)"
    return
  fi
  trap 'umount "$scratch/small"; rm -rf "$scratch"' EXIT
  background small/run
  head -c 4M /dev/zero >small/filler 2>/dev/null || true
  kill -TERM "$pid"
  ends_with 3
  says "(No space left on device|of disk, but only).*'plimsoll resume small/run' goes on" error
  ! grep "whose loss is finite" error || fail "a full disk is no reason to doubt the loss"
  rm small/filler
  local done_epochs
  done_epochs=$(grep -c '"event":"epoch"' small/run/log.jsonl)
  runs train "${table[@]}" --epochs "$((done_epochs + 2))" --out beside_small
  runs resume small/run --epochs "$((done_epochs + 2))"
  is_same small/run/model.keras beside_small/model.keras
  mount -o remount,bind,ro "$scratch/small"
  refuses 3 "Read-only file system" resume small/run --epochs 1000000
  umount "$scratch/small"
  trap 'rm -rf "$scratch"' EXIT
}

# On a machine with other cores: it goes on and says that bits may differ.
machine_cases() {
  half_done moved
  mv moved elsewhere
  runs resume elsewhere --threads 1
  says "began with .* threads? and goes on with 1, so the last bits of the result may differ" error
  says '"status": "done"' elsewhere/run.json
}

# A run that was told how many threads to use has as many on one core: the same bits, and nothing to say. Another has one.
core_cases() {
  local core
  core=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
  runs train "${table[@]}" --epochs 40 --threads 2 --out whole_two
  half_done cores --threads 2
  taskset -c "$core" "$program" resume cores --threads 2 >out 2>error || fail "on one core: $(cat error)"
  ! grep -E "thread|differ" error || fail "there is nothing to say about two threads on one core"
  is_same cores/model.keras whole_two/model.keras
  is_same cores/best.keras whole_two/best.keras
  (($(nproc) > 1)) || return 0
  half_done cores_of_all
  taskset -c "$core" "$program" resume cores_of_all >out 2>error || fail "on one core: $(cat error)"
  says "began with $(nproc) threads and goes on with 1, so the last bits of the result may differ" error
}

# The wall clock goes back and forth by years, and the other one leaps ahead.
clock_cases() {
  local years
  if ! cc -shared -fPIC -o jumping_clock.so "$root/tests/resume/jumping_clock.c" 2>/dev/null; then
    leaves_out "clocks that jump (no C compiler)"
    return
  fi
  years=$(for _ in {1..10}; do LD_PRELOAD=$PWD/jumping_clock.so date +%Y; sleep 0.03; done | sort -u | wc -l)
  ((years > 1)) || fail "the clock does not jump"
  export LD_PRELOAD=$PWD/jumping_clock.so
  half_done jumped
  runs resume jumped
  unset LD_PRELOAD
  is_same jumped/model.keras whole/model.keras
  is_same jumped/best.keras whole/best.keras
  python3 - jumped <<'PY'
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1] + "/log.jsonl")]
epochs = [line["epoch"] for line in lines if line["event"] == "epoch"]
assert epochs == list(range(1, 41)), epochs
assert all(line.get("seconds", 0) >= 0 for line in lines), "time goes back"
PY
}
