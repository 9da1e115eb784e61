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
# Links of the package's pages that lead nowhere in it.
dead_links() {
    cd "$work/root/usr/share/doc/slotscope" || return
    find . -name '*.md' | while read -r page; do
        grep -oE '\]\([^)#]+' "$page" | cut -c3- | grep -v '^https\?:' | while read -r link; do
            [ -e "$(dirname "$page")/$link" ] || echo "$page: $link"
        done
    done
}
claim "README and every page that it leads to are in it: no link is dead" \
    sh -c "[ -f '$work/root/usr/share/doc/slotscope/README.md' ] && [ -z '$(dead_links)' ]"
named_files() { zcat "$work"/root/usr/share/man/man?/*.gz | grep -o '/usr/share/[a-z/_.]*[a-z]' | sort -u; }
claim "every file that a manual page names is in it" \
    sh -c "for file in $(named_files | paste -sd' '); do [ -e '$work/root'\$file ] || { echo \$file; exit 1; }; done"
claim "the manual page names every command of slotlog" sh -c "
    zcat '$work/root/usr/share/man/man1/slotlog.1.gz' >'$work/man'
    '$bin/slotlog' --help | sed -n 's/^  \([a-z]*\) .*/\1/p' | while read -r name; do grep -q \"^.SS \$name\" '$work/man' || { echo \$name; exit 1; }; done"
# page NAME: the manual page of that program, without escapes of hyphens.
page() { zcat "$work/root/usr/share/man/man1/$1.1.gz" | sed 's/\\-/-/g'; }
has_page() {
    page "$1" | grep -x '.SH NAME' && page "$1" | grep "^$1 - " && page "$1" | grep -x '.SH SYNOPSIS'
}
for program in "$bin"/*; do
    program=$(basename "$program")
    claim "$program has a manual page, with its name" has_page "$program"
done
if command -v groff >/dev/null 2>&1; then
    claim "the manual pages are sound to groff" sh -c \
        "for page in '$work'/root/usr/share/man/man?/*; do zcat \"\$page\" | groff -man -Tutf8 -ww; done 2>&1 >/dev/null | tee '$work/groff'; [ ! -s '$work/groff' ]"
fi
# What a program says of itself is in its page, and nothing else.
options_of_tma() {
    "$bin/slotscope-tma" 2>&1 | grep -oE -e '--[a-z]+' | sort -u >"$work/usage"
    page slotscope-tma | grep -oE -e '--[a-z]+' | sort -u | diff "$work/usage" - && [ -s "$work/usage" ]
}
claim "that of slotscope-tma has the options of its usage" options_of_tma
members_of_survey() {
    printf '%s\n' 'CPU 0:' '   0x00000000 0x00: eax=0x00000001 ebx=0x756e6547 ecx=0x6c65746e edx=0x49656e69' \
        '   0x00000001 0x00: eax=0x00000f24 ebx=0x00000000 ecx=0x00000000 edx=0x00000000' >"$work/cpuid.txt"
    "$bin/slotscope-survey" "$work/cpuid.txt" | jq -r 'keys[]' | sort >"$work/members"
    page slotscope-survey | sed -n '/^.SH MEMBERS/,/^.SH EXIT/s/^\.BR* //p' | tr -d ' "' | tr ',' '\n' | sort | diff "$work/members" -
}
claim "that of slotscope-survey has the members of its answers" members_of_survey
statuses_of_usb() {
    sed -n 's/^# .*Exit status: //p' tools/usb.sh | grep -oE '[0-9]+' >"$work/statuses"
    page slotscope-usb | sed -n '/^.SH EXIT/{n;p}' | grep -oE '[0-9]+' | diff "$work/statuses" - && [ -s "$work/statuses" ] &&
        page slotscope-usb | grep -x '.B FORCE'
}
claim "that of slotscope-usb has its exit statuses, and FORCE" statuses_of_usb
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
