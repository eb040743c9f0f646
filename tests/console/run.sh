#!/usr/bin/env bash
# What the program shows on a terminal: a line that moves, a table of epochs and findings fit into its width, whatever that
# is, plain lines are plain, and text of files cannot steer it.
# Expects ./dev build to have run (build/).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
command -v python3 >/dev/null || {
  echo "python3 is not there"
  exit 77
}
python3 tests/console/terminal_test.py "$(realpath "${1:-build}/bin/plimsoll")" tests/data/keras_files
