#!/bin/sh
# make deb: the package holds what it says, works where it is unpacked, and is the same each time. TAP on standard output.
#   deb_test.sh BUILD
set -u
# Compression is dpkg-deb's, and how well it compresses is claimed nowhere.
export DPKG_DEB_COMPRESSOR_TYPE=gzip DPKG_DEB_COMPRESSOR_LEVEL=1
. tests/tap.sh
command -v dpkg-deb >/dev/null 2>&1 || skip_all "the package" "there is no dpkg-deb"
mkdir -p "$work/build"
for file in slotlog tma survey BOOTX64.EFI slotscope.img slotscope.cfg.5; do
    ln -s "$(realpath "$build/$file")" "$work/build/$file"
done
if [ -d "$build/echarts" ]; then
    ln -s "$(realpath "$build/echarts")" "$work/build/echarts"
fi
claim "the package is made" sh tools/deb.sh "$work/build"
package=$(ls "$work"/build/slotscope_*.deb 2>/dev/null)
claim "dpkg reads it" dpkg-deb --info "$package"
claim "it unpacks" dpkg-deb --extract "$package" "$work/root"
bin=$work/root/usr/bin
claim "slotlog works" sh -c "'$bin/slotlog' --help | grep -q '^  capture '"
claim "slotscope-tma works" sh -c "'$bin/slotscope-tma' --list | grep -q skylakex"
sh tests/tools/sample_log.sh >"$work/sample.log"
if [ -d "$build/echarts" ]; then
    claim "slotlog report makes a page, with the package's own Apache ECharts" sh -c \
        "'$bin/slotlog' report '$work/sample.log' -o '$work/page.html' 2>/dev/null; grep -q 'Apache License' '$work/page.html'"
    claim "whose licences are in the package's" grep -q 'Mike Bostock' "$work/root/usr/share/doc/slotscope/copyright"
    rm "$work/build/echarts"
fi
claim "the image is the build's" cmp "$build/BOOTX64.EFI" "$work/root/usr/share/slotscope/BOOTX64.EFI"
claim "the stick is the build's" cmp "$build/slotscope.img" "$work/root/usr/share/slotscope/slotscope.img"
claim "the manual page names every command of slotlog" sh -c "
    zcat '$work/root/usr/share/man/man1/slotlog.1.gz' >'$work/man'
    '$bin/slotlog' --help | sed -n 's/^  \([a-z]*\) .*/\1/p' | while read -r name; do grep -q \"^.SS \$name\" '$work/man' || { echo \$name; exit 1; }; done"
claim "it depends on what the programs link" sh -c \
    "dpkg-deb --field '$package' Depends | grep libjansson4 | grep libsqlite3-0 | grep -q libc6"
cp "$package" "$work/first.deb"
sh tools/deb.sh "$work/build" >"$work/said" 2>&1
claim "without Apache ECharts it is made, too, and says what it lacks" grep 'without Apache ECharts.*make report-library' "$work/said"
dpkg-deb --extract "$package" "$work/without"
claim "its slotlog report says how to get it" sh -c \
    "! '$work/without/usr/bin/slotlog' report '$work/sample.log' -o '$work/none.html' 2>'$work/said' && grep 'echarts.min.js: No such file.*make report-library' '$work/said'"
if [ -d "$build/echarts" ]; then # the first one had them
    mv "$package" "$work/first.deb"
    sh tools/deb.sh "$work/build" >/dev/null 2>&1
fi
claim "made again it is the same" cmp "$work/first.deb" "$package"
finish
