#!/bin/sh
# The log lines that README.md shows are lines of the run that it names: TAP on standard output.
#   readme.sh BUILD
set -u
. tests/boot.sh
page=README.md

# A number is compared as a number: 0.60 is 0.600. The CRC of a record follows from the rest of it, its place from how
# many others there are: one more where a window lies apart, as some do with another layout. A window's count of
# the reference clock begins within a tick, at another point of it when the image's code lies elsewhere.
numbers() { sed 's/\(\.[0-9]*[1-9]\)0\{1,\}\b/\1/g; s/\([0-9]\)\.0\{1,\}\b/\1/g; s/"crc":"[0-9a-f]*"/"crc":""/
    s/"seq":[0-9]*/"seq":0/
    s/\("reference_cycles_per_iteration":[0-9]*\.[0-9][0-9]\)[0-9]*/\1/'; }
is_there() { grep -Fx -e "$1" "$work/lines"; }

boot readme --cpu skylakex --cores 1 --args 'kernels=be.mem.l2'
numbers <"$work/readme.log" >"$work/lines"
# fenced LANGUAGE: the lines of the page's blocks of that kind.
fenced() { awk -v fence="\`\`\`$1" '/^```/ { inside = $0 == fence; next } inside && NF' "$page"; }
fenced text | numbers >"$work/shown"
claim "the page shows log lines, and names the run" \
    sh -c "[ \$(wc -l <'$work/shown') -ge 5 ] && grep -q 'build/rig --cpu skylakex --cores 1. with .kernels=be.mem.l2' '$page'"
while read -r line; do
    claim "it is in the log: $(echo "$line" | cut -c1-60 | tr '#' ' ')" is_there "$line"
done <"$work/shown"
# What `make run` prints; its files are under another name here.
mkdir -p "$work/run"
cp -r "$build/esp" "$build/rig" "$build/slotlog" "$work/run/"
rm -f "$work/run/esp/slotscope"/*.log
[ ! -d "$build/echarts" ] || cp -r "$build/echarts" "$work/run/"
sh tools/show.sh "$work/run" 2>&1 | sed "s|$work/run/|build/|" >"$work/printed"
[ -d "$build/echarts" ] || echo 'as a page with charts: build/report.html' >>"$work/printed"
fenced console >"$work/console"
printed() {
    grep -nFx -f "$work/printed" "$work/console"
    [ "$(grep -c . "$work/console")" -ge 10 ] && ! grep -vFx -f "$work/printed" "$work/console"
}
# Where the code lies moves some numbers by a thousandth or a few, and with them whether a node of some kernel has one: these
# are compared to a tenth or a hundredth, and verdicts with SKIPs.
perl -i -pe 's/\d\.\d+/sprintf "%.1f", $&/ge if /^fe\.lcp/; s/\d\.\d+/sprintf "%.2f", $&/ge, s/ -0\.00 /  0.00 /g if /^ret\.nop/;
    s/^(\d+) ok, (\d+ not ok), (\d+) skipped/($1 + $3) . " verdicts, $2"/e' "$work/printed" "$work/console"
claim "what the page says that make run prints is printed" printed
# The configuration's table is the one that the image reads by, on the page, on the rig and as a manual page.
sed -n '/^| key | values | default |/,/^$/p' doc/configuration.md | sed '/^$/d' >"$work/page.keys"
"$build/config-page" markdown >"$work/keys"
claim "the page's table of keys is the code's (build/config-page markdown)" diff "$work/page.keys" "$work/keys"
claim "the manual page has every key once" sh -c "
    sed -n 's/^\.BR \([a-z_]*\) .*/\1/p' '$build/slotscope.cfg.5' >'$work/man.keys'
    sed -n 's/^| \`\([a-z_]*\)\` .*/\1/p' '$work/page.keys' | diff - '$work/man.keys'"
finish
