# What the commands of ./dev do. Sourced by run.sh.
# shellcheck shell=bash disable=SC2154,SC2034,SC2016 # shares variables with fake_commands.sh; quotes scripts

test_every_script_passes_shellcheck() {
  cd "$root" || return
  shellcheck -x -e SC1007 dev .ci/run tests/*.sh tests/*/*.sh bench/*.sh
}

test_help_lists_each_command_once() {
  dev help
  local listed written
  listed=$(grep -o '^\./dev [a-z]*' <<<"$output" | cut -d' ' -f2 | sort)
  written=$(grep -o '^command_[a-z]*' "$root/dev" | cut -d_ -f2 | sort)
  expect "$listed" "$written"
}

test_an_unknown_command_is_one_sentence_and_exit_code_2() {
  dev sing
  expect "$code" 2
  expect "$output$errors" "dev: unknown command 'sing'; ./dev help lists the commands"
}

test_an_argument_that_is_not_taken_is_refused() {
  dev build fast
  expect "$code" 2
  expect_contains "$errors" "'fast'"
}

test_it_works_from_another_folder() {
  code=0
  (cd / && env -i PATH="$fake:$real_commands" STATE="$state" UID_OF_FAKE=0 "$tree/dev" build) || code=$?
  expect "$code" 0
}

test_build_makes_warnings_errors_only_in_ci() {
  dev build
  expect_contains "$(calls_of cmake)" '-DPLIMSOLL_WERROR=OFF'
  ci=true
  dev build
  expect_contains "$(calls_of cmake)" '-DPLIMSOLL_WERROR=ON'
}

test_build_shows_the_compilers_output_where_it_fails() {
  touch "$state/broken"
  dev build
  expect "$code" 1
  expect_contains "$output$errors" 'error: this does not compile'
}

test_demo_builds_and_runs_the_program() {
  dev demo --epochs 1
  expect "$code" 0
  expect "$(last_line "$output")" 'the program got demo --epochs 1'
}

test_docs_takes_pictures_by_the_tests_of_pages() {
  mkdir -p "$tree"/tests/{report,serve} "$tree/docs/images"
  echo 'touch "$IMAGES/report.png" "$IMAGES/compare.png"' >"$tree/tests/report/run.sh"
  echo 'touch "$IMAGES/serve.png"' >"$tree/tests/serve/run.sh"
  dev docs --pictures
  expect "$code" 0
  expect "$(tail -n 3 <<<"$output" | paste -sd,)" 'docs/images/compare.png,docs/images/report.png,docs/images/serve.png'
  echo 'exit 1' >"$tree/tests/serve/run.sh"
  dev docs --pictures
  expect "$code" 1
  expect_contains "$errors" 'tests/serve has failed'
}

test_check_leaves_out_slow_tests() {
  echo 'echo "tests got $*"' >>"$state/program"
  sed -i '/^exit/d' "$state/program"
  dev check
  expect "$code" 0
  expect_contains "$output" '--gtest_filter=-Slow*'
}

test_check_refuses_sources_that_are_not_formatted() {
  echo 'int  main( ){}' >"$tree/plimsoll/cli/main.cc"
  write_fake clang-format 'exit 1'
  dev check
  expect "$code" 1
  expect_contains "$errors" './dev format'
}

test_package_builds_and_lists_the_packages() {
  write_fake cpack 'mkdir -p build/packages; touch build/packages/plimsoll_1_amd64.deb'
  dev package
  expect "$code" 0
  expect "$(last_line "$output")" 'build/packages/plimsoll_1_amd64.deb'
  expect_contains "$(calls_of cmake)" '--target plimsoll plimsoll_cli'
}

# Of a group of sources and two that are compiled alone.
test_tidy_reads_the_sources_of_a_folder_and_fails_where_one_is_not_clean() {
  mkdir "$tree/build-tidy"
  echo "#include \"$tree/plimsoll/ops/relu.cc\"" >"$tree/build-tidy/group.cxx"
  local unit
  for unit in build-tidy/group.cxx plimsoll/ops/gemm.cc plimsoll/nn/dense.cc; do
    printf '  "command": "c++ -c %s",\n  "file": "%s"\n' "$unit" "$tree/$unit"
  done >"$tree/build-tidy/compile_commands.json"
  write_fake clang-tidy ''
  dev tidy plimsoll/ops
  expect "$code" 0
  expect "$(calls_of clang-tidy | wc -l)" 2
  expect_contains "$(calls_of clang-tidy)" 'build-tidy/group.cxx'
  expect_contains "$(calls_of clang-tidy)" 'plimsoll/ops/gemm.cc'
  write_fake clang-tidy 'exit 1'
  dev tidy
  expect_without "$code" 0
}

test_peers_prints_only_the_path_of_the_interpreter() {
  mkdir "$tree/tests/peers"
  printf '#!/bin/bash\necho "/peers/python $*"\n' >"$tree/tests/peers/make_venv.sh"
  chmod +x "$tree/tests/peers/make_venv.sh"
  missing python3-venv
  dev peers --torch
  expect "$code" 0
  expect "$output" '/peers/python --torch'
}

# An environment of Python and a wheel that are made by printing.
python_that_prints() {
  mkdir -p "$tree/tests/peers" "$tree/python"
  printf '#!/bin/bash\necho "/made/python $*"\n' >"$tree/tests/peers/make_python.sh"
  printf '#!/bin/bash\necho "wheel by $*"\n' >"$tree/python/make_wheel.sh"
  chmod +x "$tree/tests/peers/make_python.sh" "$tree/python/make_wheel.sh"
}

test_python_prints_only_the_path_of_the_interpreter_and_builds_the_extension() {
  python_that_prints
  missing python3-dev
  dev python --tests
  expect "$code" 0
  expect "$output" '/made/python --tests'
  expect_contains "$(calls_of apt-get)" 'python3-dev'
  expect_contains "$(calls_of cmake)" '--target plimsoll_python'
}

test_python_ends_with_77_where_its_packages_cannot_be_had() {
  python_that_prints
  unavailable python3-dev
  dev python
  expect "$code" 77
  expect_contains "$errors" python3-dev
  expect "$(calls_of cmake)" ''
}

test_a_build_has_no_python_extension_where_its_environment_is_not_there() {
  dev build
  expect_contains "$(calls_of cmake)" '-DPLIMSOLL_PYTHON=OFF'
}

test_wheel_builds_the_extension_first() {
  python_that_prints
  dev wheel
  expect "$code" 0
  expect_contains "$(calls_of cmake)" '--target plimsoll_python'
  expect "$output" 'wheel by /made/python  build/wheels'
}

test_wheel_ends_where_the_environment_cannot_be_made() {
  python_that_prints
  printf '#!/bin/bash\necho unreachable >&2\nexit 77\n' >"$tree/tests/peers/make_python.sh"
  dev wheel
  expect "$code" 77
  expect "$output" ''
  expect "$(calls_of cmake)" ''
}

test_bench_without_a_name_lists_the_benchmarks() {
  touch "$tree/bench/sum_bench.cc" "$tree/bench/step.sh"
  dev bench
  expect "$output" $'step\nsum'
}

test_bench_refuses_a_name_that_is_not_there() {
  dev bench nothing
  expect "$code" 2
  expect_contains "$errors" "'nothing'"
}

test_bench_passes_options_on_and_joins_the_results() {
  touch "$tree/bench/sum_bench.cc"
  echo 'echo "script got $*"; echo 43 >"${*: -1}"' >"$tree/bench/step.sh"
  dev bench sum step --json results.json --batch 32
  expect "$code" 0
  expect_contains "$output" 'benchmark got --batch 32 --json'
  expect_contains "$output" 'script got --batch 32 --json'
  expect "$(tr -d '\n ' <"$tree/results.json")" '{"sum":42,"step":43}'
}

test_bench_passes_the_cases_of_a_script_on() {
  touch "$tree/bench/sum_bench.cc"
  echo 'echo "script got $*"' >"$tree/bench/step.sh"
  dev bench step cnn mlp --rounds 2
  expect "$code" 0
  expect_contains "$output" 'script got cnn mlp --rounds 2'
  dev bench sum cnn
  expect "$code" 2
  expect_contains "$errors" "'cnn'"
}

test_bench_prefers_the_script_to_the_program() {
  touch "$tree/bench/sum_bench.cc"
  echo 'echo from the script' >"$tree/bench/sum.sh"
  dev bench sum
  expect_contains "$output" 'from the script'
  expect_without "$output" 'benchmark got'
}

test_bench_fails_where_a_benchmark_fails() {
  echo 'exit 3' >"$tree/bench/step.sh"
  dev bench step
  expect "$code" 1
  expect_contains "$errors" "'step'"
}

test_fuzz_says_that_there_is_nothing_to_fuzz() {
  dev fuzz
  expect "$code" 0
  expect_contains "$output" 'no fuzz targets'
}

test_fuzz_refuses_a_time_that_is_not_a_number() {
  dev fuzz soon
  expect "$code" 2
  expect_contains "$errors" "'soon'"
}
