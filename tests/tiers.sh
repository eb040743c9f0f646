# The command `./dev test`. Sourced by ./dev, whose functions it uses.
#
# A tier is the unit tests, the unit tests under the sanitizers, what threads share under ThreadSanitizer, the scripts
# tests/NAME/run.sh, the goldens against the real Keras, or the fuzz targets. A script counts as one test: it passes with
# exit code 0; with 77 it is skipped, and the last line of its output says why.
#
# Tests run one per core, also while the next thing is built. A script with a line "# Runs alone: …" waits until all
# others have ended; one with "# Takes minutes." begins first. What a test printed is shown when it has failed, whole,
# and never mixed with another's.
#
# With PLIMSOLL_TEST_MINUTES=N all tests end within N minutes: no test or build begins in the last of them, and one that is
# still running is stopped. Both count as skipped, by name. CI sets it, because a run that CI itself stops says nothing.
# shellcheck shell=bash

passed=0 failed=0 skipped=0
tier_timeout=1800 # seconds
((${PLIMSOLL_SLOW:-0} != 1)) || tier_timeout=10800
end_of_tests=$((SECONDS + 60 * ${PLIMSOLL_TEST_MINUTES:-100000}))
no_time="PLIMSOLL_TEST_MINUTES=${PLIMSOLL_TEST_MINUTES:-} are over"
logs=$(mktemp -d)
# By process: the function that counts it, the file that holds its output, its name.
declare -A under_way=()
trap stop_all EXIT

run_all_tiers() {
  fetch_keras
  unit_tests_tier
  sanitizer_tier
  thread_tier
  scripts_tier beside_others
  keras_tier
  fuzz_tier # many short ones, which fill the cores while the last long script runs
  all_end
  scripts_tier alone
  closing_line
  ((failed == 0))
}

# start COUNT NAME COMMAND…: runs a command when there is a core for it. When it has ended, `COUNT NAME CODE LOG` is
# called; LOG.seconds holds the time that it took. What runs under `timeout` can be interrupted like a command in
# the foreground.
start() {
  local log left
  # shellcheck disable=SC2154 # ./dev sets jobs
  while ((${#under_way[@]} >= jobs)); do one_ends; done
  if ! is_time_left; then
    one_skipped "$2" "$no_time"
    return
  fi
  log=$(mktemp -p "$logs")
  left=$((end_of_tests - SECONDS))
  if ((left < tier_timeout)); then touch "$log.hurried"; else left=$tier_timeout; fi
  # shellcheck disable=SC2016 # the inner shell replaces these
  timeout "$left" \
    bash -c '"${@:2}"; code=$?; echo "$SECONDS" >"$1"; exit "$code"' - "$log.seconds" "${@:3}" >"$log" 2>&1 &
  under_way[$!]="$1 $log $2"
}

is_time_left() { ((end_of_tests - SECONDS > 60)); }

one_ends() {
  local process code=0 count log name
  wait -n -p process "${!under_way[@]}" || code=$?
  read -r count log name <<<"${under_way[$process]}"
  unset "under_way[$process]"
  if ((code == 124)) && [[ -e $log.hurried ]]; then
    one_skipped "$name" "$no_time"
  else
    "$count" "$name" "$code" "$log"
  fi
}

all_end() {
  while ((${#under_way[@]})); do one_ends; done
}

stop_all() {
  local process
  for process in "${!under_way[@]}" ${fetching:-}; do kill "$process" 2>/dev/null || true; done
  rm -rf "$logs"
}

# CI fetches the real Keras while the first build runs. Who needs it waits for it, and says what is wrong with it.
fetch_keras() {
  [[ ${CI:-} == true && -f tests/peers/make_venv.sh ]] && (need peers) >/dev/null 2>&1 || return 0
  tests/peers/make_venv.sh >/dev/null 2>&1 &
  fetching=$!
}

closing_line() {
  local line="$passed passed, $failed failed"
  ((skipped == 0)) || line+=", $skipped skipped"
  echo "$line"
}

# built NAME COMMAND…: true if what the tests of NAME need could be built in the time that is left; else that is counted.
built() {
  local name=$1 code=0 build_seconds=''
  shift
  # shellcheck disable=SC2034 # compile of ./dev reads it
  [[ -z ${PLIMSOLL_TEST_MINUTES:-} ]] || build_seconds=$((end_of_tests - SECONDS))
  if is_time_left; then "$@" || code=$?; else code=124; fi
  case $code in
    0) return ;;
    124) one_skipped "$name" "$no_time" ;;
    *) one_failed "build of $name" "see above" ;;
  esac
  return 1
}

unit_tests_tier() {
  built "unit tests" build all || return 0
  start count_gtest "unit tests" build/bin/plimsoll_tests
  vector_targets
}

# The tests of what computes, again as older processors run it: a test that picks the best instruction set of this
# machine says nothing about the others.
vector_targets() {
  local target filter
  filter=$(suites_of plimsoll/kernels plimsoll/ops)
  [[ -n $filter ]] || return 0
  for target in SSE2 SSE4 AVX2; do
    PLIMSOLL_VECTOR_TARGET=$target start count_gtest "unit tests of kernels and ops at $target" \
      build/bin/plimsoll_tests --gtest_filter="$filter-Slow*"
  done
}

# suites_of FOLDER…: a filter for the tests in these folders.
suites_of() {
  local folders=() folder
  for folder in "$@"; do [[ ! -d $folder ]] || folders+=("$folder"); done
  ((${#folders[@]})) || return 0
  find "${folders[@]}" -name '*_test.cc' -exec sed -nE 's/^TEST(_F|_P)?\((\w+),.*/\2.*:*\/\2.*/p' {} + |
    sort -u | paste -sd:
}

# In two halves, which two cores run at once. Searches of the planner and repetitions with other numbers are left out:
# they take minutes here, and run through nothing that shorter tests do not run through.
sanitizer_tier() {
  local half left_out='Slow*:*Minimalloc*:RecomputeSearch.*:MachineSpeedTest.*:*CheckpointsThatKeep.*/1:*CheckpointsThatKeep.*/2'
  built "unit tests under ASan and UBSan" build_sanitized || return 0
  for half in 1 2; do
    ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1 \
      LSAN_OPTIONS=suppressions=tests/leak_suppressions.txt:print_suppressions=0 \
      UBSAN_OPTIONS=print_stacktrace=1 GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=$((half - 1)) \
      start count_gtest "unit tests under ASan and UBSan, half $half" \
      build/bin/plimsoll_tests_sanitized --gtest_filter="-$left_out"
  done
}

# The teams of OpenMP have one thread: its library is not compiled for ThreadSanitizer, which would
# take what a team does for races.
thread_tier() {
  built "what threads share under TSan" build plimsoll_tests_thread || return 0
  OMP_THREAD_LIMIT=1 TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1 \
    start count_gtest "what threads share under TSan" build/bin/plimsoll_tests_thread
}

# scripts_tier beside_others|alone
scripts_tier() {
  local script scripts
  # Those that take minutes begin first, so that none of them is left over when the rest is done.
  mapfile -t scripts < <(
    grep -sl '^# Takes minutes' tests/*/run.sh || true
    grep -sL '^# Takes minutes' tests/*/run.sh || true
  )
  for script in "${scripts[@]}"; do
    [[ $(place_of "$script") == "$1" ]] || continue
    start count_one "${script%/run.sh}" bash "$script"
    [[ $1 != alone ]] || all_end
  done
}

place_of() {
  if grep -q '^# Runs alone: ' "$1"; then echo alone; else echo beside_others; fi
}

# The goldens are compared with the real Keras where its environment is there; CI makes it.
keras_tier() {
  local name="goldens against the real Keras" python
  [[ -f tests/golden/make_goldens.py ]] || return 0
  if [[ ${CI:-} != true && ! -f ${XDG_CACHE_HOME:-${HOME:-}/.cache}/plimsoll/peers/keras.stamp ]]; then
    one_skipped "$name" "its environment is not there; make it with ./dev peers"
  elif ! python=$(./dev peers 2>"$logs/peers"); then
    one_skipped "$name" "$(tail -n 1 "$logs/peers")"
  else
    start count_one "$name" "$python" tests/golden/make_goldens.py --check
  fi
}

fuzz_tier() {
  compgen -G 'fuzz/*.cc' >/dev/null || return 0
  if ! (need fuzz) >"$logs/fuzz" 2>&1; then
    one_skipped "fuzz" "$(tail -n 1 "$logs/fuzz")"
    return
  fi
  built "fuzz" build_fuzz || return 0
  local target
  export -f fuzz_shortly run_fuzz_target
  for target in $(names_of 'fuzz/*.cc' .cc); do start count_one "fuzz/$target" fuzz_shortly "$target"; done
}

# A target that has found something ends with 77, which would say that it was skipped.
fuzz_shortly() {
  run_fuzz_target "$1" 3 && return
  echo "the input is in build-fuzz/failures"
  return 1
}

# count_gtest NAME CODE LOG: adds up the lines "[       OK ] …", which survive a crash.
count_gtest() {
  local name=$1 code=$2 log=$3 ok bad skip
  ok=$(grep -c '\[       OK \] .* ms)$' "$log" || true)
  bad=$(grep -c '\[  FAILED  \] .* ms)$' "$log" || true)
  skip=$(grep -c '\[  SKIPPED \] .* ms)$' "$log" || true)
  # A crash, a leak, or no test at all.
  if ((code != 0 && bad == 0)) || ((ok + bad + skip == 0)); then bad=1; fi
  if ((bad)); then
    without_passed_tests <"$log"
    echo "$name: $(meaning_of_exit "$code")"
  fi
  echo "$name: $ok passed, $bad failed, $skip skipped ($(seconds_of "$log"))"
  passed=$((passed + ok)) failed=$((failed + bad)) skipped=$((skipped + skip))
}

# seconds_of LOG: a command that was stopped leaves none.
seconds_of() {
  echo "$(cat "$1.seconds" 2>/dev/null || echo "$tier_timeout") s"
}

meaning_of_exit() {
  if (($1 == 124)); then echo "stopped after $tier_timeout s"; else echo "exit code $1"; fi
}

# Drops what GoogleTest prints about each test that passed.
without_passed_tests() {
  awk '/^\[ RUN      \]/ { block = $0; inside = 1; next }
       inside { block = block "\n" $0
                if (/\[  (     OK |FAILED  |SKIPPED )\] .* ms\)$/) { if (!/     OK /) print block; inside = 0 }
                next }
       { print }
       END { if (inside) print block }'
}

# count_one NAME CODE LOG: a command that counts as one test.
count_one() {
  case $2 in
    0) one_passed "$1" "$(seconds_of "$3")" ;;
    77) one_skipped "$1" "$(tail -n 1 "$3")" ;;
    *)
      cat "$3"
      one_failed "$1" "$(meaning_of_exit "$2")"
      ;;
  esac
}

one_passed() {
  passed=$((passed + 1))
  echo "$1: passed ($2)"
}

one_skipped() {
  skipped=$((skipped + 1))
  echo "$1: skipped, because $2"
}

one_failed() {
  failed=$((failed + 1))
  echo "$1: FAILED ($2)"
}
