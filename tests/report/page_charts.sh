#!/bin/sh
# What the charts of `slotlog report` show in a headless Chromium, against the log, by jq and perl. A picture of each
# section is kept in the suite's folder. TAP on standard output.
#   page_charts.sh BUILD
set -u
. tests/boot.sh
[ -f "$build/echarts/echarts.min.js" ] ||
    skip_all "the charts" "Apache ECharts is not in $build/echarts: make report-library gets it"
command -v chromium >/dev/null 2>&1 || skip_all "the charts" "chromium is not installed: Debian's package chromium"

browser() { timeout -k 5 60 chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --enable-logging=stderr "$@"; }
# insert PAGE SCRIPT: the page with a script behind its last one, and with what notes the errors of all scripts.
insert() {
    sed -e 's,^<head>$,<head><script>const faults = []; onerror = (text) => { faults.push(text); };</script>,' \
        -e "/^<\/body>/ { r $2
N }" "$1"
}
cat >"$work/probe.html" <<'EOF'
<style>.scroll { max-height: none !important; }</style>
<script>
const opened = performance.now();
const shown = [...charts].map((chart) => {
    const option = chart.getOption();
    const axis = (of) => of && of[0].data;
    return { id: chart.getDom().id, wide: chart.getWidth() > 200, rows: axis(option.yAxis), columns: axis(option.xAxis),
        series: option.series.map(({ name, data }) => ({ name, data: data.map((d) => d !== null && d.value !== undefined ? d.value : d) })) };
});
const sections = [...document.querySelectorAll("section")].filter((s) => !s.hidden)
    .map((s) => ({ id: s.id, height: Math.ceil(s.getBoundingClientRect().height), text: s.textContent.slice(0, 200000) }));
const told = JSON.stringify({ faults, opened, sections, shown }).replace(/[<>&]/g, (c) => "\\u00" + c.charCodeAt(0).toString(16));
document.body.append(Object.assign(document.createElement("pre"), { id: "probe", textContent: told }));
</script>
EOF
# open NAME: NAME.html in the browser. NAME.probe is what its charts hold, NAME.said what the browser said.
open() {
    insert "$work/$1.html" "$work/probe.html" >"$work/$1.probed.html"
    browser --window-size=1400,2000 --dump-dom "file://$(realpath "$work/$1.probed.html")" >"$work/$1.dom" 2>"$work/$1.said"
    sed -n 's,.*<pre id="probe">\(.*\)</pre>.*,\1,p' "$work/$1.dom" >"$work/$1.probe"
    [ -s "$work/$1.probe" ] || { tail -5 "$work/$1.said"; return 1; }
}
quiet() { jq -e '.faults == []' "$work/$1.probe" && absent 'CONSOLE|Refused' "$work/$1.said"; }
# shows NAME FILTER: what the page shows, through jq, one value a line.
shows() { jq -r "$2" "$work/$1.probe"; }
# agree NAME FILTER FILE: what the page shows is what the file says.
agree() {
    shows "$1" "$2" >"$work/shown"
    [ -s "$3" ] && diff "$3" "$work/shown"
}
opens() {
    claim "$1: opens in a browser" open "$1"
    claim "$1: without an error or a refused load" quiet "$1"
    claim "$1: each chart has a width and data" \
        sh -c "jq -e '.shown | length > 0 and all(.wide and (.series | any(.data | length > 0)))' '$work/$1.probe'"
}
logged() { grep '^{' "$2" | jq -r "$1"; }

kernels='kernels=cal.*,be.core.chain,be.mem.l2,bs.coinflip,mix.core.port,lbr.*,ret.nop'
boot good --cpu skylakex --cores 2 --args "$kernels levels=2"
boot off --cpu skylakex --cores 2 --args "$kernels levels=2" --fault count:BR_INST_RETIRED.ALL_BRANCHES:5
full=$work/good.esp/slotscope/slotscope.log
off=$work/off.esp/slotscope/slotscope.log
report() {
    page=$1
    shift
    "$build/slotlog" report "$@" -o "$work/$page.html" 2>"$work/$page.said"
}
report page "$full"
report off "$off"
report several "$work/good.log" "$off"
sh tests/tools/large_log.sh "$full" >"$work/large.log"
report large "$work/large.log"

opens page
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
# Other suites may be at work meanwhile: the best of three.
best() {
    for _ in 1 2 3 4 5; do
        open large && shows large .opened
    done | sort -n | head -1 | cut -d. -f1
}
taken=$(best)
claim "large: it opens within 2 s: $taken ms, the best of five" [ "$taken" -le 2000 ]

# Pictures: the page with one section alone, as high as that.
picture() {
    height=$(shows "$1" ".sections[] | select(.id == \"$2\") | .height")
    printf '<style>.scroll { max-height: none !important; }</style><script>%s.forEach((e) => e.remove());</script>\n' \
        "document.querySelectorAll('header, aside, footer, section:not(#$2)')" >"$work/alone.html"
    insert "$work/$1.html" "$work/alone.html" >"$work/picture.html"
    browser --window-size=1400,$((height + 40)) $3 --screenshot="$work/$4.png" "file://$(realpath "$work/picture.html")" >"$work/said" 2>&1
    [ "$(wc -c <"$work/$4.png")" -gt 5000 ]
}
for section in $(shows page '.sections[].id'); do
    claim "a picture of the section $section: $work/$section.png" picture page "$section" '' "$section"
done
claim "a picture in dark: $work/dark.png" picture page topdown --blink-settings=preferredColorScheme=0 dark
finish
