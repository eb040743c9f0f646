# What real Keras makes for a test, kept between runs beside its environment. Sourced.
# shellcheck shell=bash

plimsoll_cache=${XDG_CACHE_HOME:-${HOME:-}/.cache}/plimsoll

# find_keras: sets `python` to the interpreter of the real Keras, or ends with 77 (skipped) and the reason.
# CI makes the environment where it is not there.
find_keras() {
  if [[ ${CI:-} != true && ! -f $plimsoll_cache/peers/keras.stamp ]]; then
    echo "the environment of the real Keras is not there; make it with ./dev peers"
    exit 77
  fi
  local said
  said=$(mktemp)
  # shellcheck disable=SC2034 # used by those who source this
  if ! python=$(./dev peers 2>"$said"); then
    tail -n 1 "$said"
    rm -f "$said"
    exit 77
  fi
  rm -f "$said"
}

# references NAME FILE…: prints the folder for what these scripts (and this Keras) make; older ones of that name go.
# It is complete when there is a file `complete` in it.
references() {
  local name=$1 key folder old
  shift
  key=$(cat "$@" "$plimsoll_cache/peers/keras.stamp" | sha256sum | cut -c1-16)
  folder=$plimsoll_cache/references/$name-$key
  for old in "$plimsoll_cache/references/$name"-*; do
    [[ $old == "$folder" ]] || rm -rf "$old"
  done
  mkdir -p "$folder"
  echo "$folder"
}
