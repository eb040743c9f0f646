# How the tier ends, with a log of pytest in place of its tests. Sourced by run.sh, whose `fail` it uses.
# shellcheck shell=bash

# ends CODE TEXT CI NAMES…: closing_line in an environment that lacks what is named.
ends() {
  local found status=0
  # shellcheck disable=SC2016,SC2154 # the inner shell replaces these; run.sh sets scratch
  found=$(CI=$3 bash -euc 'source tests/python_package/comparisons.sh; not_compared=("${@:2}"); closing_line "$1"' \
    - "$scratch/pytest.log" "${@:4}") || status=$?
  [[ $status == "$1" && $found == *"$2"* ]] || fail "closing_line ended with $status: $found"
}

echo '1234 passed, 56 skipped, 3 warnings in 78.90s (0:01:18)' >"$scratch/pytest.log"
ends 0 '1234 passed, 56 skipped' true
ends 0 'not compared with the real Keras' '' 'the real Keras'
ends 77 "not compared with the real Keras, Keras's own tests" true 'the real Keras' "Keras's own tests"
ends 77 '56 skipped' true 'the real Keras'
echo '12 passed in 3.00s' >"$scratch/pytest.log"
ends 0 '12 passed, 0 skipped' true
found=$(compare_with 'a peer' echo /there)
[[ $found == /there ]] || fail "compare_with printed '$found'"
if compare_with 'a peer' false 2>/dev/null; then fail "compare_with hides a failure"; fi
