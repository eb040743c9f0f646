#!/usr/bin/env bash
# What checkpoints cost, and what a run that is killed again and again loses: bench/resume/resume.py. Without a case:
# cost, start and kills. --minutes N is how long the runs of `kills` take (2). --check fails beyond the limits.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec python3 bench/resume/resume.py build/bin/plimsoll "$@"
