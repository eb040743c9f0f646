#!/usr/bin/env bash
# Both commands of the README on another release of Debian, without a warning of its compiler: makes a root folder with
# debootstrap, copies the tree into it, and runs ./dev demo and ./dev test there. Takes about an hour, so it is skipped
# unless PLIMSOLL_SLOW=1. PLIMSOLL_ROOTS names a folder where roots are kept for the next run.
# tests/debian/run.sh [CODENAME]   (trixie, which is Debian 13)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
release=${1:-trixie}

skip() {
  echo "$1"
  exit 77
}

fail() {
  echo "tests/debian: $1"
  exit 1
}

[[ ${PLIMSOLL_SLOW:-} == 1 ]] || skip "it takes about an hour (PLIMSOLL_SLOW=1)"
(($(id -u) == 0)) || skip "only root may make a root folder"
command -v debootstrap >/dev/null || skip "debootstrap is not installed"

# system KEY: what /etc/os-release says.
system() { sed -n "s/^$1=//p" /etc/os-release | tr -d '"'; }

# The mirror that this machine installs its own packages from.
mirror() {
  local codename
  codename=$(system VERSION_CODENAME)
  # shellcheck disable=SC2016 # apt-get replaces these
  apt-get indextargets --format '$(RELEASE) $(REPO_URI)' 'Created-By: Packages' |
    awk -v release="$codename" '$1 == release && !found { print $2; found = 1 }'
}
[[ $(system ID) == debian ]] || skip "this machine knows no mirror of Debian"
mirror=$(mirror)
[[ -n $mirror ]] || skip "apt has no mirror for this machine's release"

if [[ -n ${PLIMSOLL_ROOTS:-} ]]; then
  mkdir -p "$PLIMSOLL_ROOTS"
  roots=$(realpath "$PLIMSOLL_ROOTS")
else
  roots=$(mktemp -d /var/tmp/plimsoll-roots.XXXXXX)
  trap 'rm -rf "$roots"' EXIT
fi
root=$roots/$release

if [[ ! -e $root.made ]]; then
  rm -rf "$root"
  debootstrap --variant=minbase --include=ca-certificates "$release" "$root" "$mirror" >"$root.log" 2>&1 ||
    fail "debootstrap failed: $(tail -n 3 "$root.log")"
  touch "$root.made"
fi

# Files keep their times, so that a kept root builds only what has changed.
mkdir -p "$root/sources-of-plimsoll"
find "$root/sources-of-plimsoll" -mindepth 1 -maxdepth 1 ! -name 'build*' -exec rm -rf {} +
tar -c --exclude=./.git --exclude='./build*' . | tar -x -C "$root/sources-of-plimsoll"
# How this machine reaches the network is taken along.
cp /etc/resolv.conf "$root/etc/"
[[ ! -e /etc/pip.conf ]] || cp /etc/pip.conf "$root/etc/"
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"

# inside COMMAND…: in namespaces of its own, so that its mounts and processes end with it.
inside() {
  # shellcheck disable=SC2016 # the inner shell replaces these
  unshare --mount --pid --fork bash -c 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" &&
    mount --rbind /sys "$0/sys" && exec chroot "$0" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
    LANG=C.UTF-8 JOBS="$1" bash -c "cd /sources-of-plimsoll && exec \"\$@\"" - "${@:2}"' "$root" "${JOBS:-$(nproc)}" "$@"
}

for command in demo test; do
  echo "./dev $command on $release"
  inside ./dev "$command" 2>&1 | tee "$root.log" || fail "'./dev $command' failed on $release"
  ! grep -n 'warning:' "$root.log" || fail "'./dev $command' printed the warnings above on $release"
done
echo "both commands pass on $release"
