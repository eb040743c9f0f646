#!/usr/bin/env bash
# Folders of images of many kinds and names, read by Plimsoll and by real Keras's image_dataset_from_directory: class
# names, file order, labels and splits are equal; so are the pixels of PNG, BMP and GIF, within 1e-4 after resizing (by
# area, 4e-3); those of JPEG are at most a level (of 255) apart but for one in a thousand.
#
#   tests/folders/run.sh [BUILD]    expects ./dev build to have run (build/)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
program=${1:-build}/bin/read_folder

# shellcheck source=tests/peers/references.sh
source tests/peers/references.sh
find_keras

reference=$(references folders tests/folders/*.py tests/golden/image_cases.py)
ours=$(mktemp -d)
trap 'rm -rf "$ours"' EXIT

if [[ ! -f $reference/complete ]]; then
  "$python" tests/folders/folders.py make "$reference"
  touch "$reference/complete"
fi
"$program" "$reference" "$ours"
"$python" tests/folders/folders.py judge "$reference" "$ours"
