#!/usr/bin/env bash
# Tests of ./dev: a copy of it runs in a scratch folder, with commands in its PATH that only pretend
# (fake_commands.sh). Each function test_… is one test; its name is a sentence.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# shellcheck source=tests/dev/fake_commands.sh
source "$here/fake_commands.sh"
# shellcheck source=tests/dev/packages_cases.sh
source "$here/packages_cases.sh"
# shellcheck source=tests/dev/commands_cases.sh
source "$here/commands_cases.sh"
# shellcheck source=tests/dev/tiers_cases.sh
source "$here/tiers_cases.sh"

failures=0
for name in $(compgen -A function test_); do
  fresh_tree
  # Not as a condition: there, set -e would not end a test at its first failed expectation.
  set +e
  message=$(set -e; "$name" 2>&1)
  result=$?
  set -e
  if ((result == 0)); then
    echo "ok: ${name//_/ }"
  else
    echo "FAILED: ${name//_/ }"
    echo "$message"
    failures=$((failures + 1))
  fi
done
((failures == 0))
