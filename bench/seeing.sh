#!/usr/bin/env bash
# What statistics, the doctor, event files, a profile and open pages cost a training: bench/seeing/seeing.py. --check fails above its limit.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec python3 bench/seeing/seeing.py build/bin/plimsoll "$@"
