#!/bin/sh
# The packages of the distribution that the build and the tests need.
#   setup.sh BUILD            installs what is missing, asking sudo when not root (make setup)
#   setup.sh --all BUILD      and what some tests are skipped without: a browser, servers, readers (make setup-all)
#   setup.sh --check BUILD    names what is missing and ends with status 2
# Only Debian and Ubuntu can be asked; elsewhere both name the packages and fail. A file BUILD/.packages says that
# everything is there, whatever the distribution.
set -u
packages="gcc make nasm gnu-efi binutils libunicorn-dev libzydis-dev libcmocka-dev libjansson-dev libsqlite3-dev libcsv-dev libpfm4-dev
zlib1g-dev mtools dosfstools gdisk xorriso grub-pc-bin grub-common ovmf sbsigntool efitools openssl qemu-system-x86 perl jq socat pv sqlite3 libxml2-utils llvm valgrind libc6-dbg clang-format python3-jsonschema
python3-junitparser python3-prometheus-client"
# Some of these start a service; labgrid brings 80 packages.
skipped_without="chromium curl dnsmasq-base tftpd-hpa iproute2 ser2net python3-labgrid prometheus grub-efi-amd64-bin shim-unsigned
systemd-boot-efi"
check=no
case $1 in
--check)
    check=yes
    shift
    ;;
--all)
    packages="$packages $skipped_without"
    shift
    ;;
esac
build=$1
# Who commits here has his messages checked, unless he has hooks of his own.
if [ $check = no ] && [ -e .git ] && command -v git >/dev/null 2>&1 && ! git config core.hooksPath >/dev/null; then
    git config core.hooksPath .githooks
fi
[ ! -f "$build/.packages" ] || exit 0

if ! command -v dpkg-query >/dev/null 2>&1 || ! command -v apt-get >/dev/null 2>&1; then
    echo "setup: this is neither Debian nor Ubuntu. Install what corresponds to these packages, then" >&2
    echo "  mkdir -p $build && touch $build/.packages" >&2
    echo "$packages" | fmt | sed 's/^/  /' >&2
    exit 2
fi
# shellcheck disable=SC2086
missing=$({
    dpkg-query -W -f '${Package} ${Status}\n' $packages 2>/dev/null | sed -n 's/ install ok installed$//p'
    echo
    echo $packages | tr ' ' '\n'
} | awk '!NF { wanted = 1; next } !wanted { has[$1]; next } !($1 in has)' | paste -sd' ')
[ -n "$missing" ] || exit 0
if [ $check = yes ]; then
    echo "These packages are missing: $missing" >&2
    echo "\`make setup\` installs them." >&2
    exit 2
fi

sudo=
if [ "$(id -u)" -ne 0 ]; then
    sudo=sudo
    if ! command -v sudo >/dev/null 2>&1; then
        echo "setup: you are not root and there is no sudo; install: $missing" >&2
        exit 2
    fi
fi
echo "setup: installing $missing"
# shellcheck disable=SC2086
if ! $sudo apt-get update -qq ||
    ! $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null; then
    echo "setup: apt-get failed; needed: $missing" >&2
    exit 2
fi
