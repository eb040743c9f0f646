# The command `./dev test`. Sourced by ./dev, whose functions it uses.
#
# A tier is the unit tests, the unit tests under the sanitizers, what threads share under
# ThreadSanitizer, the scripts tests/NAME/run.sh, the goldens against the real Keras, or the fuzz targets. A script counts as one test: it passes with
# exit code 0; with 77 it is skipped, and the last line of its output says why.
# shellcheck shell=bash

passed=0 failed=0 skipped=0
tier_timeout=1200 # seconds
((${PLIMSOLL_SLOW:-0} != 1)) || tier_timeout=10800
log=$(mktemp)
trap 'rm -f "$log"' EXIT

run_all_tiers() {
  unit_tests_tier
  sanitizer_tier
  thread_tier
  scripts_tier
  keras_tier
  fuzz_tier
  closing_line
  ((failed == 0))
}

closing_line() {
  local line="$passed passed, $failed failed"
  ((skipped == 0)) || line+=", $skipped skipped"
  echo "$line"
}

unit_tests_tier() {
  if build all; then
    run_gtest "unit tests" build/bin/plimsoll_tests
    vector_targets
  else
    one_failed "build" "see above"
  fi
}

# The tests of what computes, again as older processors run it: a test that picks the best instruction set of this
# machine says nothing about the others.
vector_targets() {
  local target filter
  filter=$(suites_of plimsoll/kernels plimsoll/ops)
  [[ -n $filter ]] || return 0
  for target in SSE2 SSE4 AVX2; do
    PLIMSOLL_VECTOR_TARGET=$target run_gtest "unit tests of kernels and ops at $target" \
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

sanitizer_tier() {
  if build_sanitized; then
    ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1 \
      LSAN_OPTIONS=suppressions=tests/leak_suppressions.txt:print_suppressions=0 \
      UBSAN_OPTIONS=print_stacktrace=1 \
      run_gtest "unit tests under ASan and UBSan" build/bin/plimsoll_tests_sanitized --gtest_filter='-Slow*'
  else
    one_failed "build with the sanitizers" "see above"
  fi
}

# The teams of OpenMP have one thread: its library is not compiled for ThreadSanitizer, which would
# take what a team does for races.
thread_tier() {
  if build plimsoll_tests_thread; then
    OMP_THREAD_LIMIT=1 TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1 \
      run_gtest "what threads share under TSan" build/bin/plimsoll_tests_thread
  else
    one_failed "build with ThreadSanitizer" "see above"
  fi
}

scripts_tier() {
  local script
  for script in tests/*/run.sh; do
    [[ ! -f $script ]] || run_one "${script%/run.sh}" bash "$script"
  done
}

# The goldens are compared with the real Keras where its environment is there; CI makes it.
keras_tier() {
  local name="goldens against the real Keras" python
  [[ -f tests/golden/make_goldens.py ]] || return 0
  if [[ ${CI:-} != true && ! -f ${XDG_CACHE_HOME:-${HOME:-}/.cache}/plimsoll/peers/keras.stamp ]]; then
    one_skipped "$name" "its environment is not there; make it with ./dev peers"
  elif ! python=$(./dev peers 2>"$log"); then
    one_skipped "$name" "$(tail -n 1 "$log")"
  else
    run_one "$name" "$python" tests/golden/make_goldens.py --check
  fi
}

fuzz_tier() {
  compgen -G 'fuzz/*.cc' >/dev/null || return 0
  if ! (need fuzz) >"$log" 2>&1; then
    one_skipped "fuzz" "$(tail -n 1 "$log")"
  elif build_fuzz; then
    local target
    for target in $(names_of 'fuzz/*.cc' .cc); do fuzz_shortly "$target"; done
  else
    one_failed "build of the fuzz targets" "see above"
  fi
}

fuzz_shortly() {
  if run_fuzz_target "$1" 5 >"$log" 2>&1; then
    one_passed "fuzz/$1" "5 s"
  else
    cat "$log"
    one_failed "fuzz/$1" "the input is in build-fuzz/failures"
  fi
}

# run_gtest NAME PROGRAM [OPTION…]: adds up its lines "[       OK ] …", which survive a crash.
run_gtest() {
  local name=$1 code=0 ok bad skip start=$SECONDS
  shift
  timeout "$tier_timeout" "$@" >"$log" 2>&1 || code=$?
  ok=$(grep -c '\[       OK \] .* ms)$' "$log" || true)
  bad=$(grep -c '\[  FAILED  \] .* ms)$' "$log" || true)
  skip=$(grep -c '\[  SKIPPED \] .* ms)$' "$log" || true)
  # A crash, a leak, or no test at all.
  if ((code != 0 && bad == 0)) || ((ok + bad + skip == 0)); then bad=1; fi
  if ((bad)); then
    without_passed_tests <"$log"
    echo "$name: $(meaning_of_exit "$code")"
  fi
  echo "$name: $ok passed, $bad failed, $skip skipped ($((SECONDS - start)) s)"
  passed=$((passed + ok)) failed=$((failed + bad)) skipped=$((skipped + skip))
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

# run_one NAME COMMAND…: a command that counts as one test.
run_one() {
  local name=$1 code=0 start=$SECONDS
  shift
  timeout "$tier_timeout" "$@" >"$log" 2>&1 || code=$?
  case $code in
    0) one_passed "$name" "$((SECONDS - start)) s" ;;
    77) one_skipped "$name" "$(tail -n 1 "$log")" ;;
    *)
      cat "$log"
      one_failed "$name" "$(meaning_of_exit "$code")"
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
