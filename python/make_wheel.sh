#!/usr/bin/env bash
# Makes a wheel for Python 3.11 and later of the extension that was built in python/plimsoll, and prints its path:
#   make_wheel.sh PYTHON FOLDER
# nanobind's part that depends on the version of Python comes from its maker, for each version. auditwheel carries
# along the libraries that the extension does not contain, under names that no other package uses, and finds the oldest
# C library that the wheel runs with.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=$1 wheels=$2
versions=(3.11 3.12 3.13 3.14 3.15)
too_new=3.16
stage=build/wheel
backends=$(dirname "$python")/../backends

# fail MESSAGE [CODE]
fail() {
  echo "make_wheel.sh: $1" >&2
  exit "${2:-1}"
}

# Each version's backend, kept for the next time. Ends with 77 if they cannot be fetched.
fetch_backends() {
  local version stamp=$backends/1.0.0.stamp
  [[ ! -e $stamp ]] || return 0
  mkdir -p "$backends"
  for version in "${versions[@]}"; do
    "$python" -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
      --python-version "$version" --dest "$backends" nanobind-backend==1.0.0 >"$backends/pip.log" 2>&1 ||
      fail "nanobind-backend for Python $version cannot be fetched: $(tail -n 1 "$backends/pip.log")" 77
  done
  touch "$stamp"
}

# The licences of what is linked in or carried along.
copy_licences() {
  local package
  mkdir -p "$1"
  for package in libdnnl-dev libhwy-dev libfmt-dev libjpeg-dev libpng-dev libwebp-dev \
    libxxhash-dev zlib1g-dev libgomp1 ocl-icd-libopencl1; do
    [[ ! -e /usr/share/doc/$package/copyright ]] || cp "/usr/share/doc/$package/copyright" "$1/$package"
  done
  cp "$("$python" -c 'import nanobind, pathlib; print(next(pathlib.Path(nanobind.__path__[0]).parent.glob(
    "nanobind-*/**/LICENSE")))')" "$1/nanobind"
}

# A tree that holds only what is in the wheel.
fill_stage() {
  local wheel
  rm -rf "$stage"
  mkdir -p "$stage/source/python"
  cp README.md CMakeLists.txt "$stage/source"
  sed "s/^requires-python = .*/requires-python = \">=${versions[0]},<$too_new\"/" pyproject.toml >"$stage/source/pyproject.toml"
  tar -c --exclude=__pycache__ --exclude='*.so' -C python plimsoll | tar -x -C "$stage/source/python"
  cp python/plimsoll/_core.abi3.so "$stage/source/python/plimsoll"
  for wheel in "$backends"/*.whl; do
    "$python" -m zipfile -e "$wheel" "$stage/backend"
  done
  cp "$stage"/backend/nanobind_backend/*.so "$stage/source/python/plimsoll"
  copy_licences "$stage/source/python/plimsoll/licences"
  cmake -DPYTHON="$python" -DSOURCES="$PWD/python/plimsoll" -DEXTENSION="$PWD/python/plimsoll" \
    -DINTO="$stage/source/python/plimsoll" -DSCRATCH="$stage/stubs" -P python/write_stubs.cmake
}

pack() {
  "$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir "$stage/plain" \
    --config-settings wheel.cmake=false --config-settings wheel.platlib=true --config-settings wheel.py-api=cp311 \
    "$stage/source" >"$stage/log" 2>&1 ||
    fail "the package cannot be made: $(tail -n 3 "$stage/log")"
  rm -rf "$wheels"
  PATH=$(dirname "$python"):$PATH "$python" -m auditwheel repair --plat auto --strip --zip-compression-level 9 \
    --wheel-dir "$wheels" "$stage"/plain/*.whl >"$stage/log" 2>&1 ||
    fail "the libraries cannot be carried along: $(tail -n 3 "$stage/log")"
}

fetch_backends
fill_stage
pack
ls "$wheels"/*.whl
