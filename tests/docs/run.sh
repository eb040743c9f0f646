#!/usr/bin/env bash
# Every document tells the truth about names: each `./dev COMMAND` that it shows is a command, each
# `plimsoll COMMAND` in its code is one that the program knows, and each link to a file leads somewhere.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

problems=0
complain() {
  echo "$1"
  problems=$((problems + 1))
}

# matches FILE PATTERN: lines "NUMBER:WORD", WORD being what the pattern's \K leaves.
matches() { grep -noP "$2" "$1" || true; }

# prose FILE: its lines, those of code blocks empty ([](int n) is no link).
prose() { awk '/^ *```/ { inside = !inside; print ""; next } { print inside ? "" : $0 }' "$1"; }

check_dev_commands() {
  local line word
  while IFS=: read -r line word; do
    ./dev help | grep "^\./dev $word\b" >/dev/null || complain "$1:$line: there is no command ./dev $word"
  done < <(matches "$1" '\./dev \K[a-z_]+')
}

check_program_commands() {
  local line word
  [[ -x build/bin/plimsoll ]] || return 0
  while IFS=: read -r line word; do
    build/bin/plimsoll help | grep -w -- "$word" >/dev/null || complain "$1:$line: there is no command plimsoll $word"
  done < <(matches "$1" '(`|build/bin/)plimsoll \K[a-z_]+')
}

check_links() {
  local line target
  while IFS=: read -r line target; do
    [[ $target == *:* || -e $(dirname "$1")/${target%%#*} ]] || complain "$1:$line: the link to $target leads nowhere"
  done < <(prose "$1" | matches - '\]\(\K[^)#\s][^)\s]*')
}

count=0
while read -r document; do
  check_dev_commands "$document"
  check_program_commands "$document"
  check_links "$document"
  count=$((count + 1))
done < <(find . -name '*.md' -not -path './build*' -not -path './.git/*' -not -path './.cache/*' | sort)
((count > 0)) || complain "there are no documents"
((problems == 0)) || exit 1
echo "$count documents"
