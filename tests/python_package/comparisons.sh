# What the tests of the Python package are compared with, and how the tier ends where some of it cannot be had. Sourced.
# shellcheck shell=bash

not_compared=() # what could not be had, by name

# compare_with NAME COMMAND…: the command gets what tests compare with, and prints its place. Without it those tests are
# left out, and closing_line says so.
compare_with() {
  local name=$1 found log
  shift
  log=$(mktemp)
  if found=$("$@" 2>"$log"); then
    echo "$found"
  else
    echo "$name: $(tail -n 1 "$log")" >&2
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
}

# closing_line LOG: the last line of the tier, from what pytest printed. Ends with 77 if CI has not compared everything.
closing_line() {
  local counts names skipped
  counts=$(grep -E '[0-9]+ (passed|skipped).* in [0-9.]+s' "$1" | tail -n 1 | sed -E 's/ in [0-9.]+s.*//; s/^=+ *//')
  skipped=$(grep -oE '[0-9]+ skipped' <<<"$counts" || echo "0 skipped")
  if ((${#not_compared[@]} == 0)); then
    echo "${counts:-no tests}${counts:+$([[ $counts == *skipped* ]] || echo ", $skipped")}"
    return
  fi
  printf -v names '%s, ' "${not_compared[@]}"
  echo "not compared with ${names%, }, for it could not be had; of the tests $counts"
  [[ ${CI:-} != true ]] || return 77
}
