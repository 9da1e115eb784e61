#!/bin/sh
# What the charts of `slotlog report` show in a headless Chromium, against the log, by jq and perl. A picture of each
# section is kept in the suite's folder. TAP on standard output.
#   page_charts.sh BUILD
set -u
. tests/boot.sh
. tests/tools/browser.sh
. tests/tools/page_logs.sh
report page "$full"
report off "$off"
report several "$logs/good.log" "$off"
cp "$large.html" "$work/"

# How low the names of the map's columns reach, and where its first row begins, in pixels.
act='const of = (names) => [...document.querySelectorAll("#heat text")].filter((text) => names.test(text.textContent)).map((text) => text.getBoundingClientRect());
    const calculations = [Math.max(...of(/^tma_/).map((at) => at.bottom)), Math.min(...of(/^cal\./).map((at) => at.top))];'
opens page
act=
claim "the names of the map's columns are above the map: to $(shows page '.more[0]') of $(shows page '.more[1]') pixels" \
    jq -e '.more[0] > 0 and .more[0] <= .more[1]' "$work/page.probe"
jq_level_1='select(.type == "topdown" and .core == 0 and .part == 1) |
    [.kernel + (if .dose != null then " \(.dose)%" else "" end),
     (.nodes | .tma_frontend_bound, .tma_bad_speculation, .tma_backend_bound, .tma_retiring)] | map(tostring) | join(" ")'
logged "$jq_level_1" "$full" >"$work/level-1"
claim "level 1 of each kernel is that of core 0's topdown records" agree page \
    '.shown[] | select(.id == "level-1") | . as $c | range(.rows | length) as $i |
        [$c.rows[$i], $c.series[0:4][].data[$i]] | map(tostring) | join(" ")' "$work/level-1"
# The nodes that verdicts are on, by kernel: those with a share in a range or the largest of their like.
grep -E '^(not )?ok' "$full" | perl -ne 'print "$1 $2\n" if /- core \d+ (\S+) (tma_\S+)/' | sort -u >"$work/cells"
claim "the map has a cell for each kernel and node that a verdict is on" agree page \
    '[.shown[] | select(.id == "heat") | . as $c | .series[0].data[] | [$c.rows[.[1]], $c.columns[.[0]]] |
        select(.[1] | startswith("tma_")) | join(" ")] | sort | .[]' "$work/cells"
grep '^ok' "$full" | grep -v SKIP | perl -ne 'print "$1 $2 $3\n" if /- core \d+ (\S+) (tma_\S+) (-?[\d.]+) in \[/' |
    perl -ane 'print "$F[0] $F[1] ", $F[2] + 0, "\n"' | sort >"$work/shares"
claim "expected and measured: a dot for each share that a verdict states" agree page \
    '[.shown[] | select(.id == "shares") | . as $c | .series[1].data[] | ($c.rows[.[1]] | gsub(" +"; " ")) + " \(.[0])"] | sort | .[]' \
    "$work/shares"
claim "and the range of each" [ "$(shows page '[.shown[] | select(.id == "shares") | .series[0].data[]] | length')" -eq \
    "$(perl -ne 'print "$1\n" if /^ok.*- core \d+ (\S+ tma_\S+) -?[\d.]+ (in \[.*?\])/ && !$seen{"$1 $2"}++' "$full" | wc -l)" ]
claim "a dot for each count that is not expected to be 0" [ "$(shows page '[.shown[] | select(.id == "counts-expected") | .series[1].data[]] | length')" -eq \
    "$(perl -ne 'print "x\n" if /^(?:not )?ok.* -?\d+ in \[(-?\d+), (-?\d+)\]/ && $1 + $2 > 0' "$full" | wc -l)" ]

opens off
grep '^not ok' "$off" | perl -ne 'print "$1\n" if /- core \d+ (\S+)/' | sort -u >"$work/failed"
claim "a run that failed: the map marks the kernels of its failed verdicts, and no other" agree off \
    '[.shown[] | select(.id == "heat") | . as $c | .series[0].data[] | select(.[2] == 1) | $c.rows[.[1]]] | unique | .[]' "$work/failed"
claim "and lists these verdicts" [ "$(shows off '.sections[] | select(.id == "failures") | .text' | grep -o 'BR_INST_RETIRED.ALL_BRANCHES' | wc -l)" -ge \
    "$(grep -c '^not ok.*BR_INST_RETIRED.ALL_BRANCHES' "$off")" ]
opens several

opens large
claim "large: every kernel is there" [ "$(shows large '.shown[] | select(.id == "level-1") | .rows | length')" -eq 100 ]
# Pictures of the other sections: page_sections.sh.
open page
for section in machine verdicts topdown expected; do
    picture "$section"
    pictured "$section"
done
open page topdown.dark 700 dark
pictured topdown.dark
finish
