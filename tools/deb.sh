#!/bin/sh
# `make deb`: a Debian package with the programs for the PC, the image, the stick and the manual pages.
#   deb.sh BUILD
# BUILD/slotscope_VERSION_ARCH.deb is made; the files' time is that of the last commit, so that the same commit gives the
# same package.
set -eu
build=$1
epoch=$(git log -1 --format=%ct 2>/dev/null || echo 0)
version=$(tr - '~' <VERSION) # 1.0.0-rc1 comes before 1.0.0
architecture=$(dpkg --print-architecture)
root=$build/deb
export SOURCE_DATE_EPOCH="$epoch"
rm -rf "$root" "$build"/slotscope_*.deb
mkdir -p "$root/DEBIAN" "$root/usr/bin" "$root/usr/share/slotscope" "$root/usr/share/man/man1" "$root/usr/share/man/man5" \
    "$root/usr/share/doc/slotscope"

install -m 755 "$build/slotlog" "$root/usr/bin/slotlog"
install -m 755 "$build/tma" "$root/usr/bin/slotscope-tma"
install -m 755 "$build/survey" "$root/usr/bin/slotscope-survey"
install -m 755 tools/usb.sh "$root/usr/bin/slotscope-usb"
install -m 644 "$build/BOOTX64.EFI" harness/slotscope.cfg doc/log.schema.json slotlog/tables.sql "$root/usr/share/slotscope/"
cp --sparse=always "$build/slotscope.img" "$root/usr/share/slotscope/"
# Apache ECharts, where it was fetched: without it everything but `slotlog report` works.
if [ -f "$build/echarts/echarts.min.js" ]; then
    mkdir -p "$root/usr/share/slotscope/echarts"
    install -m 644 "$build"/echarts/* "$root/usr/share/slotscope/echarts/"
else
    echo "deb: without Apache ECharts, so \`slotlog report\` of this package makes no page: make report-library gets it" >&2
fi
"$build/slotlog" --man | gzip -9n >"$root/usr/share/man/man1/slotlog.1.gz"
for page in doc/man/*.1; do
    gzip -9nc "$page" >"$root/usr/share/man/man1/$(basename "$page").gz"
done
gzip -9nc "$build/slotscope.cfg.5" >"$root/usr/share/man/man5/slotscope.cfg.5.gz"
# The pages at their places in the tree, with what else they link to, so that every link leads somewhere.
find ./*.md bios boot doc examples rig slotlog tests -name '*.md' | while read -r page; do
    install -D -m 644 "$page" "$root/usr/share/doc/slotscope/$page"
done
for file in LICENSE NOTICE VERSION doc/log.schema.json doc/pictures/*.svg kernels/kernel.inc; do
    install -D -m 644 "$file" "$root/usr/share/doc/slotscope/$file"
done
{
    cat LICENSE
    if [ -d "$root/usr/share/slotscope/echarts" ]; then
        printf '\n%s\n\n' "Files: /usr/share/slotscope/echarts/*"
        cat "$build/echarts/NOTICE" "$build/echarts/LICENSE" "$build/echarts/LICENSE-d3"
    fi
} >"$root/usr/share/doc/slotscope/copyright"

# What the programs link, by the packages that have it.
libraries=$(ldd "$build/slotlog" "$build/tma" "$build/survey" | awk '/=> \// { print $3 }' | sort -u | while read -r file; do
    dpkg-query -S "$file" 2>/dev/null || dpkg-query -S "$(realpath "$file")" || dpkg-query -S "/usr$file"
done | sed 's/:.*//' | sort -u | grep -v '^gcc-' | paste -sd, | sed 's/,/, /g')
cat >"$root/DEBIAN/control" <<EOF
Package: slotscope
Version: $version
Architecture: $architecture
Maintainer: The slotscope authors <slotscope@localhost>
Installed-Size: $(du -sk "$root/usr" | cut -f1)
Depends: $libraries
Recommends: pv, mtools
Section: devel
Priority: optional
Description: x86 performance counters and Topdown on trial, on the bare machine
 A UEFI application that measures from a USB stick whether a CPU's counters,
 Topdown formulas and branch records tell the truth, and the programs for the
 PC beside it: slotlog (logs), slotscope-tma (formulas over counts),
 slotscope-survey (what it makes of recorded CPUID), slotscope-usb (the stick).
EOF
find "$root" -exec touch -h -d "@$epoch" {} +
dpkg-deb --root-owner-group --build "$root" "$build/slotscope_${version}_$architecture.deb" >/dev/null
rm -rf "$root"
echo "$build/slotscope_${version}_$architecture.deb"
