# How ./dev test counts. Sourced by run.sh.
# shellcheck shell=bash disable=SC2154,SC2034,SC2016 # shares variables with fake_commands.sh; quotes scripts

# script_test NAME BODY
script_test() {
  mkdir -p "$tree/tests/$1"
  echo "$2" >"$tree/tests/$1/run.sh"
}

test_its_last_line_adds_up_all_tiers() {
  gtest_prints 0 'Sum.AddsUp' OK 'Sum.IsExact' OK
  script_test install 'exit 0'
  dev test
  expect "$code" 0
  # Two tests, in three builds, and the script.
  expect "$(last_line "$output")" '9 passed, 0 failed'
}

test_it_shows_what_a_failing_test_printed_and_only_that() {
  gtest_prints 1 'Sum.AddsUp' OK 'Sum.IsExact' FAILED
  dev test
  expect "$code" 1
  expect "$(last_line "$output")" '4 passed, 4 failed'
  expect_contains "$output" 'output of Sum.IsExact'
  expect_without "$output" 'output of Sum.AddsUp'
}

test_it_counts_a_crash_as_a_failure_and_shows_where() {
  gtest_prints 139 'Sum.AddsUp' OK 'Sum.IsExact' CRASH
  dev test
  expect "$code" 1
  expect "$(last_line "$output")" '4 passed, 4 failed'
  expect_contains "$output" 'output of Sum.IsExact'
  expect_contains "$output" 'exit code 139'
}

test_it_fails_where_no_test_ran() {
  gtest_prints 0
  dev test
  expect "$code" 1
  expect "$(last_line "$output")" '0 passed, 4 failed'
}

test_it_counts_skipped_tests() {
  gtest_prints 0 'Sum.AddsUp' OK 'Sum.NeedsAvx512' SKIPPED
  script_test docs 'echo "there is no network"; exit 77'
  dev test
  expect "$code" 0
  expect_contains "$output" 'tests/docs: skipped, because there is no network'
  expect "$(last_line "$output")" '4 passed, 0 failed, 5 skipped'
}

test_it_shows_what_a_failing_script_printed() {
  script_test docs 'echo "README.md:7: no such command"; exit 1'
  dev test
  expect "$code" 1
  expect_contains "$output" 'README.md:7: no such command'
  expect "$(last_line "$output")" '4 passed, 1 failed'
}

test_it_ends_with_its_closing_line_where_the_build_fails() {
  touch "$state/broken"
  dev test
  expect "$code" 1
  expect_contains "$output$errors" 'error: this does not compile'
  expect "$(last_line "$output")" '0 passed, 3 failed'
}

# Goldens and peers that note what ran.
fake_goldens() {
  mkdir -p "$tree/tests/golden" "$tree/tests/peers"
  touch "$tree/tests/golden/make_goldens.py"
  printf '#!/bin/bash\necho "$STATE/python"\n' >"$tree/tests/peers/make_venv.sh"
  printf '#!/bin/bash\necho "python $*" >>"$STATE/calls"\n' >"$state/python"
  chmod +x "$tree/tests/peers/make_venv.sh" "$state/python"
}

test_it_says_why_it_leaves_out_the_real_keras() {
  fake_goldens
  dev test
  expect "$code" 0
  expect_contains "$output" 'real Keras: skipped, because its environment is not there'
  expect_contains "$output" './dev peers'
  expect "$(last_line "$output")" '4 passed, 0 failed, 1 skipped'
}

test_it_checks_the_goldens_where_the_environment_is_there() {
  fake_goldens
  mkdir -p "$state/home/.cache/plimsoll/peers"
  touch "$state/home/.cache/plimsoll/peers/keras.stamp"
  dev test
  expect "$(last_line "$output")" '5 passed, 0 failed'
  expect "$(calls_of python)" 'python tests/golden/make_goldens.py --check'
}

test_it_makes_the_environment_of_the_real_keras_in_ci() {
  ci=true
  fake_goldens
  dev test
  expect "$(last_line "$output")" '5 passed, 0 failed'
}

test_it_skips_the_real_keras_where_its_packages_cannot_be_had() {
  ci=true
  fake_goldens
  unavailable python3-venv
  dev test
  expect "$code" 0
  expect_contains "$output" 'skipped, because dev: the Debian package python3-venv cannot be installed'
  expect "$(last_line "$output")" '4 passed, 0 failed, 1 skipped'
}

test_it_skips_fuzzing_where_clang_cannot_be_had() {
  touch "$tree/fuzz/sum.cc"
  unavailable clang
  dev test
  expect "$code" 0
  expect_contains "$output" 'fuzz: skipped, because dev: the Debian package clang cannot'
}

test_it_runs_the_tests_of_kernels_again_with_each_instruction_set() {
  mkdir -p "$tree/plimsoll/kernels/sum"
  printf 'TEST(Sum, AddsUp) {\n' >"$tree/plimsoll/kernels/sum/sum_test.cc"
  printf '#!/bin/bash\necho "target=${PLIMSOLL_VECTOR_TARGET:-best} $*" >>"$STATE/runs"\necho "[       OK ] Sum.AddsUp (0 ms)"\n' \
    >"$state/program"
  dev test
  expect "$code" 0
  local target
  for target in SSE2 SSE4 AVX2; do
    expect_contains "$(<"$state/runs")" "target=$target --gtest_filter=Sum.*:*/Sum.*-Slow*"
    expect_contains "$output" "unit tests of kernels and ops at $target: 1 passed"
  done
}

# waits_for FILE: the code of a script that fails unless the file comes within ten seconds.
waits_for() { echo "for i in {1..100}; do [[ ! -e $1 ]] || exit 0; sleep 0.1; done; exit 1"; }

test_it_runs_two_scripts_at_once() {
  script_test first "touch $state/first; $(waits_for "$state/second")"
  script_test second "touch $state/second; $(waits_for "$state/first")"
  dev test
  expect "$code" 0
  expect "$(last_line "$output")" '6 passed, 0 failed'
}

test_a_script_that_measures_runs_after_all_others_and_alone() {
  local name
  for name in a c; do
    script_test "$name" "# Runs alone: it measures
      [[ -e $state/ended && ! -e $state/busy ]] || exit 1; touch $state/busy; sleep 0.3; rm $state/busy"
  done
  script_test b "sleep 0.5; touch $state/ended"
  dev test
  expect "$code" 0
  expect "$(last_line "$output")" '7 passed, 0 failed'
}

test_the_outputs_of_two_scripts_that_fail_at_once_are_not_mixed() {
  local name
  for name in first second; do
    script_test "$name" "for i in 1 2 3; do echo $name \$i; sleep 0.1; done; exit 1"
  done
  dev test
  expect "$code" 1
  for name in first second; do
    expect_contains "$output" "$name 1
$name 2
$name 3
tests/$name: FAILED (exit code 1)"
  done
  expect "$(last_line "$output")" '4 passed, 2 failed'
}

test_what_a_script_runs_can_be_interrupted() {
  script_test signals 'code=0; bash -c "kill -INT \$\$" || code=$?; ((code == 130))'
  dev test
  expect "$(last_line "$output")" '5 passed, 0 failed'
}

test_what_has_no_time_left_is_skipped_by_name() {
  script_test late 'exit 1'
  test_minutes=1
  dev test
  expect "$code" 0
  expect_contains "$output" 'unit tests: skipped, because PLIMSOLL_TEST_MINUTES=1 are over'
  expect_contains "$output" 'tests/late: skipped, because PLIMSOLL_TEST_MINUTES=1 are over'
  expect "$(last_line "$output")" '0 passed, 0 failed, 4 skipped'
}

# This copy has two seconds, and lets a test begin in the last of them.
test_what_is_still_running_when_the_time_is_over_is_stopped_and_skipped() {
  script_test endless 'sleep 60'
  sed -i 's/^end_of_tests=.*/end_of_tests=$((SECONDS + 2))/; s/^is_time_left.*/is_time_left() { true; }/' "$tree/tests/tiers.sh"
  test_minutes=2
  dev test
  expect "$code" 0
  expect_contains "$output" 'tests/endless: skipped, because PLIMSOLL_TEST_MINUTES=2 are over'
  expect "$(last_line "$output")" '4 passed, 0 failed, 1 skipped'
}

test_a_build_that_is_still_running_when_the_time_is_over_is_stopped_and_its_tests_skipped() {
  write_fake cmake '[[ $1 != --build ]] || exec sleep 60'
  sed -i 's/^end_of_tests=.*/end_of_tests=$((SECONDS + 2))/; s/^is_time_left.*/is_time_left() { ((end_of_tests > SECONDS)); }/' "$tree/tests/tiers.sh"
  test_minutes=2
  dev test
  expect "$code" 0
  expect_contains "$output" 'unit tests: skipped, because PLIMSOLL_TEST_MINUTES=2 are over'
  expect "$(last_line "$output")" '0 passed, 0 failed, 3 skipped'
}

test_it_takes_what_it_has_started_along_when_it_is_stopped() {
  script_test endless "echo \$\$ >$state/process; sleep 60"
  (become_dev test >/dev/null 2>&1) &
  local test=$! process i
  for i in {1..100}; do [[ ! -s $state/process ]] || break; sleep 0.1; done
  process=$(<"$state/process")
  kill "$test"
  wait "$test" || true
  for i in {1..50}; do kill -0 "$process" 2>/dev/null || return 0; sleep 0.1; done
  echo "the script is still running"
  exit 1
}

test_a_fuzz_target_that_finds_something_is_a_failure() {
  touch "$tree/fuzz/sum.cc"
  mkdir -p "$tree/build-fuzz/bin"
  printf '#!/bin/bash\necho "found a crash"\nexit 77\n' >"$tree/build-fuzz/bin/sum"
  chmod +x "$tree/build-fuzz/bin/sum"
  dev test
  expect "$code" 1
  expect_contains "$output" 'found a crash'
  expect_contains "$output" 'the input is in build-fuzz/failures'
  expect "$(last_line "$output")" '4 passed, 1 failed'
}
