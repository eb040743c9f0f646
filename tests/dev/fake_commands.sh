# A scratch tree with a copy of ./dev, and commands that pretend. Sourced by run.sh.
# shellcheck shell=bash disable=SC2154,SC2034,SC2016 # shares variables with run.sh; quotes scripts

# Every real command but those that could change this machine.
real_commands=$scratch/real
mkdir "$real_commands"
for command in /bin/* /usr/bin/*; do ln -sf "$command" "$real_commands/"; done
rm -f "$real_commands"/{sudo,apt-get,ccache,cmake,ninja,dpkg-query,clang-format}

# fresh_tree: an empty project; all packages installed; no tests, benchmarks or fuzz targets.
fresh_tree() {
  rm -rf "$scratch/tree" "$scratch/fake" "$scratch/state"
  tree=$scratch/tree fake=$scratch/fake state=$scratch/state
  mkdir -p "$tree"/{tests,bench,fuzz,plimsoll/cli} "$fake" "$state"/{missing,unavailable,home}
  touch "$state/calls" "$tree/plimsoll/cli/main.cc"
  cp "$root/dev" "$tree/"
  cp "$root/tests/tiers.sh" "$tree/tests/"
  cp "$root/bench/run.sh" "$tree/bench/"
  uid=0 ci='' test_minutes=''
  gtest_prints 0 'Sum.AddsUp' OK
  make_fakes
}

# become_dev ARGUMENT…: runs it in place of this shell.
become_dev() {
  cd "$tree" || exit
  exec env -i PATH="$fake:$real_commands" HOME="$state/home" CI="$ci" JOBS=2 STATE="$state" UID_OF_FAKE="$uid" \
    PLIMSOLL_TEST_MINUTES="$test_minutes" ./dev "$@"
}

# dev ARGUMENT…: runs it and leaves $output, $errors and $code.
dev() {
  code=0
  (become_dev "$@" >"$state/output" 2>"$state/errors") || code=$?
  output=$(<"$state/output") errors=$(<"$state/errors")
}

make_fakes() {
  write_fake id 'echo "$UID_OF_FAKE"'
  write_fake sudo 'exec "$@"'
  write_fake clang-format ''
  write_fake dpkg-query 'package=${*: -1}
    [[ ! -e $STATE/missing/$package ]] || exit 1
    echo installed'
  write_fake apt-get 'for word in "$@"; do
      if [[ -e $STATE/unavailable/$word ]]; then
        echo "E: Unable to locate package $word" >&2
        exit 100
      fi
    done
    for word in "$@"; do rm -f "$STATE/missing/$word"; done'
  write_fake cmake 'if [[ -e $STATE/broken ]]; then
      echo "main.cc:1: error: this does not compile"
      exit 1
    fi
    [[ $1 == --build ]] || exit 0
    mkdir -p "$2/bin"
    cp "$STATE/program" "$2/bin/plimsoll_tests"
    cp "$STATE/program" "$2/bin/plimsoll_tests_sanitized"
    cp "$STATE/program" "$2/bin/plimsoll_tests_thread"
    printf "#!/bin/bash\necho the program got \"\$*\"\n" >"$2/bin/plimsoll"
    printf "#!/bin/bash\necho \"benchmark got \$*\"\n[[ \$* != *--json* ]] || echo 42 >\"\${*: -1}\"\n" >"$2/bin/sum_bench"
    chmod +x "$2"/bin/*'
}

# write_fake NAME BODY: a command that notes how it was called.
write_fake() {
  printf '#!/bin/bash\necho "%s $*" >>"$STATE/calls"\n%s\n' "$1" "$2" >"$fake/$1"
  chmod +x "$fake/$1"
}

# gtest_prints EXIT_CODE [NAME RESULT]…: what the fake test program prints; RESULT is OK, FAILED,
# SKIPPED or CRASH.
gtest_prints() {
  local exit_code=$1
  shift
  {
    echo '#!/bin/bash'
    while (($#)); do
      echo "echo '[ RUN      ] $1'; echo 'output of $1'"
      case $2 in
        OK) echo "echo '[       OK ] $1 (0 ms)'" ;;
        FAILED) echo "echo '[  FAILED  ] $1 (0 ms)'" ;;
        SKIPPED) echo "echo '[  SKIPPED ] $1 (0 ms)'" ;;
      esac
      shift 2
    done
    echo "exit $exit_code"
  } >"$state/program"
  chmod +x "$state/program"
}

missing() { for package in "$@"; do touch "$state/missing/$package"; done; }
unavailable() { missing "$@"; for package in "$@"; do touch "$state/unavailable/$package"; done; }
calls_of() { grep "^$1 " "$state/calls" || true; }

expect() {
  [[ $1 == "$2" ]] || { echo "expected '$2', found '$1'"; echo "output: $output"; echo "errors: $errors"; exit 1; }
}
expect_contains() {
  [[ $1 == *"$2"* ]] || { echo "expected to see '$2' in: $1"; echo "errors: $errors"; exit 1; }
}
expect_without() {
  [[ $1 != *"$2"* ]] || { echo "expected not to see '$2' in: $1"; exit 1; }
}
last_line() { tail -n 1 <<<"$1"; }
