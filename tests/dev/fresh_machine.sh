#!/usr/bin/env bash
# Shows that ./dev works on a fresh Debian 12 that has nothing but git and bash:
#
#   sudo tests/dev/fresh_machine.sh [build|demo|test]     (default: demo)
#
# Makes such a machine in a folder with debootstrap, from the mirror and through the proxy that apt
# uses here; clones the last commit into it; runs ./dev COMMAND without a network, where it must say
# in one sentence which package it cannot have; then with one; then once more without.
# Slow (minutes) and needs root, so it is run by hand. KEEP=1 keeps the folder.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
command=${1:-demo}
suite=bookworm

fail() {
  echo "fresh_machine: $1" >&2
  exit "${2:-1}"
}

[[ $command =~ ^(build|demo|test)$ ]] || fail "expected build, demo or test, found '$command'" 2
(($(id -u) == 0)) || fail "this needs root"
command -v debootstrap >/dev/null || fail "this needs the Debian package debootstrap"

machine=$(mktemp -d "${TMPDIR:-/var/tmp}/fresh_machine.XXXXXX")
[[ ${KEEP:-} == 1 ]] || trap 'rm -rf --one-file-system "$machine"' EXIT
log=$machine.log

mirror() {
  # shellcheck disable=SC2016 # apt-get's own notation
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' "Codename: $suite" 'Component: main' |
    sed -n 1p
}

make_machine() {
  local address proxy
  address=$(mirror)
  [[ -n $address ]] || fail "apt has no mirror of $suite here; run apt-get update"
  proxy=$(apt-config dump Acquire | grep -i '::Proxy' || true)
  debootstrap --variant=minbase --include=git,ca-certificates "$suite" "$machine" "$address" >"$log" 2>&1 ||
    fail "debootstrap failed: $(tail -n 1 "$log")"
  echo "$proxy" >"$machine/etc/apt/apt.conf.d/90proxy"
  cp /etc/resolv.conf /etc/hosts "$machine/etc/"
  git clone --quiet "file://$root" "$machine/root/plimsoll"
}

# in_machine [UNSHARE_OPTION…] -- COMMAND…: mounts are its own, so they end with it.
in_machine() {
  local options=()
  while [[ $1 != -- ]]; do
    options+=("$1")
    shift
  done
  shift
  # shellcheck disable=SC2016 # expanded by the inner shell
  unshare --mount --propagation private "${options[@]}" bash -c '
    machine=$1; shift
    mount -t proc proc "$machine/proc"
    mount --bind /dev "$machine/dev"
    mount --rbind /sys "$machine/sys"
    exec chroot "$machine" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
      bash -c "cd /root/plimsoll && exec \"\$@\"" bash "$@"' bash "$machine" "$@"
}

check_output() {
  case $command in
    build) in_machine -- test -x build/bin/plimsoll || fail "there is no build/bin/plimsoll" ;;
    test) tail -n 1 "$log" | grep -qE '^[0-9]+ passed, 0 failed' || fail "the last line is '$(tail -n 1 "$log")'" ;;
    demo)
      grep -qE '^test accuracy (9[0-9]|100)(\.[0-9]+)?%' "$log" || fail "no line 'test accuracy NN.N%' of at least 90%"
      tail -n 3 "$log" | grep -i planned | grep -i measured >/dev/null ||
        fail "the last lines do not give planned against measured peak memory"
      ;;
  esac
}

run_dev() {
  local start=$SECONDS
  in_machine "$@" -- ./dev "$command" 2>&1 | tee "$log" || fail "./dev $command failed"
  check_output
  echo "fresh_machine: ./dev $command took $((SECONDS - start)) s"
}

check_refusal() {
  local sentence
  if sentence=$(in_machine --net -- ./dev "$command" 2>&1 >/dev/null); then
    fail "./dev $command needs no package that is missing here"
  fi
  [[ $sentence == "dev: the Debian package "* && $sentence != *$'\n'* ]] ||
    fail "expected one sentence about a package, found: $sentence"
  echo "$sentence"
}

make_machine
echo "fresh_machine: a new machine in $machine"
check_refusal
run_dev
echo "fresh_machine: again, without a network"
run_dev --net
rm -f "$log"
echo "fresh_machine: all is well"
