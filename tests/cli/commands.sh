# Running the program and looking at what it says. Sourced; `program` is the program.
# shellcheck shell=bash disable=SC2154

fail() {
  echo "$0: $1"
  exit 1
}

# runs ARGUMENT…: ends with 0; its output is in out and error.
runs() {
  "$program" "$@" >out 2>error || fail "'plimsoll $*' ended with $?: $(cat error)"
}

# refuses CODE SENTENCE ARGUMENT…: ends with that exit code and says that as its last line on standard error.
refuses() {
  local code=$1 sentence=$2 found=0
  shift 2
  "$program" "$@" >out 2>error || found=$?
  ((found == code)) || fail "'plimsoll $*' ended with $found, expected $code: $(cat error)"
  tail -n 1 error | grep -F -- "$sentence" >/dev/null || fail "'plimsoll $*' said: $(cat error)"
}

# keeps PATTERN FILE: as says(), for JSON, whose text is compared on one line.
keeps() {
  python3 -c "import json, sys; print(json.dumps(json.load(open(sys.argv[1]))))" "$2" >kept_json
  says "$1" kept_json
}

# says PATTERN FILE
says() { grep -E -- "$1" "$2" >/dev/null || fail "expected '$1' in $2: $(cat "$2")"; }

# says_not PATTERN FILE
says_not() { ! grep -E -- "$1" "$2" >/dev/null || fail "did not expect '$1' in $2: $(cat "$2")"; }

# waits_for PATTERN FILE: up to a minute.
waits_for() {
  local i
  for ((i = 0; i < 600; ++i)); do
    ! grep -E -- "$1" "$2" >/dev/null 2>&1 || return 0
    sleep 0.1
  done
  fail "no '$1' in $2: $(cat "$2")"
}
