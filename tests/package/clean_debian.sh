#!/bin/sh
# The Debian package on a clean Debian 12: installs it with apt, then compiles, checks, replays and shows with it alone.
# Needs root, debootstrap and the network, so it is not in the suite; package_test.py is.
#
#   tests/package/clean_debian.sh plait_VERSION_amd64.deb [FOLDER]
#
# FOLDER: a `debootstrap --variant=minbase bookworm` that was made before; it is copied, not changed.
set -eu
[ $# -ge 1 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
package=$1
mirror=http://deb.debian.org/debian
root=$(mktemp -d)
clean_up() {
  umount "$root/proc" 2>/dev/null || true
  rm -rf --one-file-system "$root"
}
trap clean_up EXIT
trap 'exit 1' INT TERM

if [ $# -ge 2 ]; then
  cp -a "$2/." "$root"
else
  debootstrap --variant=minbase bookworm "$root" "$mirror" >&2
fi
printf 'deb %s %s main\n' "$mirror" bookworm "$mirror" bookworm-updates "$mirror-security" bookworm-security \
  >"$root/etc/apt/sources.list"
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp "$package" "$root/plait.deb"
mount -t proc proc "$root/proc"

cat >"$root/inside.sh" <<'INSIDE'
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get update >/dev/null
apt-get install -y --no-install-recommends /plait.deb >/install.log 2>&1 || { tail -20 /install.log; exit 1; }
echo "installed: $(grep -c '^Setting up ' /install.log) packages, $(plait --version)"
# expect CODE COMMAND...
expect() {
  wanted=$1
  shift
  code=0
  "$@" >/out 2>&1 || code=$?
  [ "$code" = "$wanted" ] || { echo "FAILED ($code, not $wanted): $*"; cat /out; exit 1; }
  echo "ok: $*"
}
cp -r /usr/share/doc/plait/examples /work
cd /work
expect 0 plait doctor
expect 10 plait check bank.cc
expect 10 plait replay plait-out/bug-1.json
expect 0 plait show plait-out/bug-1.json -f html -o bug.html
expect 0 plait check correct_counter.cc
expect 10 plait check --memory-model tso store_buffering.c
expect 10 plait check --explore mcr --solver z3 bank.cc
expect 0 plait-c++ -std=c++20 correct_counter.cc -o counter
expect 0 plait check ./counter
expect 0 plait check --cflags -DORDERED lock_order.c
grep -q '<html' bug.html
INSIDE
chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root sh /inside.sh
echo "the package works on a clean Debian $(cat "$root/etc/debian_version")"
