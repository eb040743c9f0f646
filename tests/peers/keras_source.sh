#!/usr/bin/env bash
# Fetches the sources of the pinned Keras, with its tests, into the cache, and prints their folder.
# Doing it again costs nothing. Ends with 77 if they cannot be fetched.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
version=$(sed -n 's/^keras==//p' "$here/requirements.txt")
cache=${XDG_CACHE_HOME:-$HOME/.cache}/plimsoll/keras-source
folder=$cache/keras-$version

if [[ ! -d $folder ]]; then
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  python=$("$here/make_python.sh")
  "$python" -m pip download --quiet --disable-pip-version-check --no-deps --no-binary :all: \
    --dest "$scratch" "keras==$version" >"$scratch/log" 2>&1 || {
    echo "keras_source.sh: cannot fetch keras==$version: $(tail -n 1 "$scratch/log")" >&2
    exit 77
  }
  mkdir -p "$cache"
  tar -xzf "$scratch"/keras-*.tar.gz -C "$scratch"
  mv "$scratch/keras-$version" "$folder"
fi
echo "$folder"
