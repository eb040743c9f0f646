#!/usr/bin/env bash
# A folder of a million images (tests/programs/many_images.cc): its index takes less than 100 bytes per record, also while
# it is made; a split takes little beside it; an epoch, shuffled, reads every record exactly once, and memory stays flat.
#
#   tests/many_images/run.sh [BUILD] [COUNT]    expects ./dev build to have run (build/)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
program=${1:-build}/bin/many_images
count=${2:-1000000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

line=$("$program" "$folder" "$count")
echo "$line"

# value NAME: the number after NAME= in the line.
value() {
  grep -oE "\b$1=[-0-9]+" <<<"$line" | cut -d= -f2
}

# at_most NAME BYTES
at_most() {
  local found
  found=$(value "$1")
  ((found <= $2)) && return
  echo "tests/many_images: $1 takes $found bytes, at most $2 are allowed"
  exit 1
}

(($(value records) == count)) || { echo "tests/many_images: there are $count records"; exit 1; }
(($(value wrong) == 0)) || { echo "tests/many_images: not every record was read exactly once"; exit 1; }
slack=$((2 << 20)) # what the allocator rounds up
at_most index $((100 * count))
at_most indexing $((100 * count))
at_most order_split $((4 * count + slack))
at_most hash_split $((count / 5 + slack))
at_most epoch $((4 << 20))
