# How ./dev installs packages. Sourced by run.sh.
# shellcheck shell=bash disable=SC2154,SC2034,SC2016 # shares variables with fake_commands.sh; quotes scripts

test_it_never_calls_apt_where_everything_is_installed() {
  local command
  for command in build test check demo format; do
    dev "$command"
    expect "$(calls_of apt-get)" ''
  done
}

test_it_installs_only_what_is_missing() {
  missing cmake libhwy-dev clang-format
  dev build
  expect "$code" 0
  expect "$(calls_of apt-get | head -n 1)" 'apt-get -q update'
  expect_contains "$(calls_of apt-get)" 'install --no-install-recommends cmake libhwy-dev'
  expect_without "$(calls_of apt-get)" clang-format
  expect "$(calls_of sudo)" ''
}

test_it_uses_sudo_when_not_root() {
  uid=1000
  missing cmake
  dev build
  expect "$code" 0
  expect_contains "$(calls_of sudo)" 'DEBIAN_FRONTEND=noninteractive apt-get'
}

test_it_names_the_packages_where_it_may_not_install_them() {
  uid=1000
  rm "$fake/sudo"
  missing cmake g++
  dev build
  expect "$code" 1
  expect "$output" ''
  expect "$(wc -l <<<"$errors")" 1
  expect_contains "$errors" 'g++ cmake'
  expect "$(calls_of apt-get)" ''
}

test_it_says_in_one_sentence_which_package_cannot_be_had() {
  missing cmake
  unavailable libdnnl-dev
  dev build
  expect "$code" 1
  expect "$errors" 'dev: the Debian package libdnnl-dev cannot be installed: E: Unable to locate package libdnnl-dev'
}

test_it_names_the_libraries_where_there_are_no_debian_packages() {
  rm "$fake/dpkg-query"
  dev build
  expect "$code" 1
  expect_contains "$errors" 'On another Linux, install'
  for library in oneDNN Highway libwebp fmt CLI11; do expect_contains "$errors" "$library"; done
  expect "$(calls_of cmake)" ''
}

test_it_demands_the_data_for_the_demo_alone() {
  unavailable dataset-fashion-mnist
  dev build
  expect "$code" 0
  dev demo
  expect "$code" 1
  expect_contains "$errors" dataset-fashion-mnist
}

test_it_builds_without_the_packages_of_the_tests() {
  unavailable libgtest-dev
  dev build
  expect "$code" 0
  expect_contains "$(calls_of cmake)" '-DPLIMSOLL_TESTS=OFF'
}
