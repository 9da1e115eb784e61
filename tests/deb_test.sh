#!/bin/sh
# make deb: the package holds what it says, works where it is unpacked, and is the same each time. TAP on standard output.
#   deb_test.sh BUILD
set -u
. tests/tap.sh
command -v dpkg-deb >/dev/null 2>&1 || skip_all "the package" "there is no dpkg-deb"
mkdir -p "$work/build"
for file in slotlog tma survey BOOTX64.EFI slotscope.img slotscope.cfg.5; do
    ln -s "$(realpath "$build/$file")" "$work/build/$file"
done
claim "the package is made" sh tools/deb.sh "$work/build"
package=$(ls "$work"/build/slotscope_*.deb 2>/dev/null)
claim "dpkg reads it" dpkg-deb --info "$package"
claim "it unpacks" dpkg-deb --extract "$package" "$work/root"
bin=$work/root/usr/bin
claim "slotlog works" sh -c "'$bin/slotlog' --help | grep -q '^  capture '"
claim "slotscope-tma works" sh -c "'$bin/slotscope-tma' --list | grep -q skylakex"
claim "the image is the build's" cmp "$build/BOOTX64.EFI" "$work/root/usr/share/slotscope/BOOTX64.EFI"
claim "the stick is the build's" cmp "$build/slotscope.img" "$work/root/usr/share/slotscope/slotscope.img"
claim "the manual page names every command of slotlog" sh -c "
    zcat '$work/root/usr/share/man/man1/slotlog.1.gz' >'$work/man'
    '$bin/slotlog' --help | sed -n 's/^  \([a-z]*\) .*/\1/p' | while read -r name; do grep -q \"^.SS \$name\" '$work/man' || { echo \$name; exit 1; }; done"
claim "it depends on what the programs link" sh -c \
    "dpkg-deb --field '$package' Depends | grep libjansson4 | grep libsqlite3-0 | grep -q libc6"
mv "$package" "$work/first.deb"
sh tools/deb.sh "$work/build" >/dev/null 2>&1
claim "made again it is the same" cmp "$work/first.deb" "$package"
finish
