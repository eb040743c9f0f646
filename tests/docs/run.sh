#!/usr/bin/env bash
# The names in every document are right: each `./dev COMMAND` that it shows is a command, each
# `plimsoll COMMAND` in its code is one that the program knows, and each link to a file or a heading leads somewhere.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

problems=0
complain() {
  echo "$1"
  problems=$((problems + 1))
}

# matches FILE PATTERN: lines "NUMBER:WORD", WORD being what the pattern's \K leaves.
matches() { grep -noP "$2" "$1" || true; }

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

# Whoever reads docs/cli.md from its beginning finds every command in its table.
check_table_of_commands() {
  local word
  [[ -x build/bin/plimsoll ]] || return 0
  while read -r word; do
    grep -F "[$word](" docs/cli.md >/dev/null || complain "docs/cli.md: its table has no row of the command $word"
  done < <(build/bin/plimsoll help | sed -nE '/^Commands:/,/^$/s/^  ([a-z-]+) .*/\1/p' | grep -vxE 'help|--version')
}

# Whoever looks for a symptom finds the table, so a section of docs/crashes.md that no row leads to is found by nobody.
check_table_of_symptoms() {
  local heading anchor
  while read -r heading; do
    anchor=$(tr '[:upper:] ' '[:lower:]-' <<<"$heading")
    grep -F "(#$anchor)" <(grep '^|' docs/crashes.md) >/dev/null || complain "docs/crashes.md: no symptom leads to '$heading'"
  done < <(sed -n 's/^## //p' docs/crashes.md)
}

# The site is made with the same code, so that it has no link that this test does not know.
check_links() {
  local fault
  while read -r fault; do complain "$fault"; done < <(python3 docs/site/check_links.py . "$@" || true)
}

# A check that finds nothing must be one that can: a document of dead links has a fault per link.
check_that_dead_links_are_found() {
  local folder found
  folder=$(mktemp -d)
  # shellcheck disable=SC2016 # backticks of Markdown
  printf '# One\n\n[a](#one) [b](#two) [c](there.md) [d](#one-1)\n```\n[e](gone.md)\n```\n`[f](gone.md)` [`g`](gone.md)\n\n# One\n' \
    >"$folder/dead.md"
  found=$(python3 docs/site/check_links.py "$folder" dead.md | sed -E 's/.*:([0-9]+): the link to ([^ ]+) .*/\1 \2/' | paste -sd, || true)
  [[ $found == '3 #two,3 there.md,7 gone.md' ]] || complain "tests/docs: the dead links of a test document were found as '$found'"
  rm -rf "$folder"
}

mapfile -t documents < <(find . -name '*.md' -not -path './build*' -not -path './.git/*' -not -path './.cache/*' | sort)
for document in "${documents[@]}"; do
  check_dev_commands "$document"
  check_program_commands "$document"
done
check_table_of_commands
check_table_of_symptoms
check_links "${documents[@]}"
check_that_dead_links_are_found
count=${#documents[@]}
((count > 0)) || complain "there are no documents"
((problems == 0)) || exit 1
echo "$count documents"
