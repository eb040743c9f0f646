#!/usr/bin/env bash
# Sound trainings and trainings with one mistake: how often the doctor's first cause is right (bench/doctor/doctor.py).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=$(./dev python)
exec "$python" bench/doctor/doctor.py build/bin/plimsoll "$@"
