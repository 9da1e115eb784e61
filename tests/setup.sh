#!/bin/sh
# Installs what the build and the tests need from the distribution, asking sudo when not root. On anything but Debian or
# Ubuntu it names the packages and stops.
set -eu
packages="gcc make nasm gnu-efi binutils libunicorn-dev libzydis-dev libcmocka-dev libjansson-dev libcsv-dev libpfm4-dev zlib1g-dev \
mtools dosfstools gdisk ovmf qemu-system-x86 perl llvm valgrind libc6-dbg"

if ! command -v dpkg-query >/dev/null 2>&1 || ! command -v apt-get >/dev/null 2>&1; then
    echo "setup: this is not Debian or Ubuntu. Install what corresponds to these packages, then run" >&2
    echo "  mkdir -p build && touch build/.packages" >&2
    echo "packages: $packages" >&2
    exit 1
fi
missing=
for package in $packages; do
    status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
    [ "$status" = "install ok installed" ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

sudo=
if [ "$(id -u)" -ne 0 ]; then
    sudo=sudo
    command -v sudo >/dev/null 2>&1 || { echo "setup: not root and no sudo; install:$missing" >&2; exit 1; }
fi
echo "setup: installing$missing"
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq
# shellcheck disable=SC2086
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
