# The page of `slotlog report` in a headless Chromium; suites source it behind tests/boot.sh or tests/tap.sh.
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
// An entry as it is, or its value; of a tree each path with its share and what is drawn.
const flat = (d, path) => d === null || d.value === undefined ? [d] : d.children === undefined && !d.missing && !path.length ? [d.value] :
    [[[...path, d.node || d.name].join("/"), d.share, d.value], ...(d.children || []).flatMap((c) => flat(c, [...path, d.node]))];
const shown = [...charts].map((chart) => {
    const option = chart.getOption();
    const axis = (of) => of && of[0].data;
    return { id: chart.getDom().id, wide: chart.getWidth() > 200, rows: axis(option.yAxis), columns: axis(option.xAxis),
        series: option.series.map(({ name, data }) => ({ name, data: data.flatMap((d) => flat(d, [])) })) };
});
const sections = [...document.querySelectorAll("section")].filter((s) => !s.hidden)
    .map((s) => ({ id: s.id, height: Math.ceil(s.getBoundingClientRect().height), text: s.textContent.slice(0, 200000) }));
const tables = [...document.querySelectorAll("section:not([hidden]) table[id]")].map((t) =>
    ({ id: t.id, rows: [...t.querySelectorAll("tbody tr")].map((r) => [...r.cells].map((c) => c.textContent)) }));
const more = typeof calculations === "undefined" ? [] : calculations; // of $act
const told = JSON.stringify({ faults, opened, sections, shown, tables, more }).replace(/[<>&]/g, (c) => "\\u00" + c.charCodeAt(0).toString(16));
document.body.append(Object.assign(document.createElement("pre"), { id: "probe", textContent: told }));
</script>
EOF
# open NAME [PICTURE HEIGHT [OPTION]]: NAME.html in the browser, after the script $act, if any. NAME.probe is what its
# charts hold, NAME.said what the browser said; PICTURE.png is the section that PICTURE begins with, alone.
open() {
    printf '<script>%s</script>\n' "${act-}" | cat - "$work/probe.html" >"$work/act.html"
    [ -z "${2-}" ] || printf '<style>#probe { display: none; }</style><script>%s.forEach((e) => e.remove());</script>\n' \
        "document.querySelectorAll('header, aside, footer, section:not(#${2%%.*})')" >>"$work/act.html"
    insert "$work/$1.html" "$work/act.html" >"$work/$1.probed.html"
    browser --window-size=1400,${3:-2000} ${2:+--screenshot="$work/$2.png"} ${4-} --dump-dom \
        "file://$(realpath "$work/$1.probed.html")" >"$work/$1.dom" 2>"$work/$1.said"
    sed -n 's,.*<pre id="probe">\(.*\)</pre>.*,\1,p' "$work/$1.dom" >"$work/$1.probe"
    [ -s "$work/$1.probe" ] || { tail -5 "$work/$1.said"; return 1; }
}
# pictured SECTION: the picture is there, and shows something.
pictured() { claim "a picture of it: $work/$1.png" [ "$(wc -c <"$work/$1.png")" -gt 5000 ]; }
quiet() { jq -e '.faults == []' "$work/$1.probe" && absent 'CONSOLE|Refused' "$work/$1.said"; }
# shows NAME FILTER: what the page shows, through jq, one value a line.
shows() { jq -r "$2" "$work/$1.probe"; }
# agree NAME FILTER FILE: what the page shows is what the file says.
agree() {
    shows "$1" "$2" >"$work/shown"
    [ -s "$3" ] && diff "$3" "$work/shown"
}
# opens NAME [PICTURE HEIGHT]
opens() {
    claim "$1: opens in a browser" open "$@"
    claim "$1: without an error or a refused load" quiet "$1"
    claim "$1: each chart has a width and data" \
        sh -c "jq -e '.shown | length > 0 and all(.wide and (.series | any(.data | length > 0)))' '$work/$1.probe'"
    [ -z "${2-}" ] || pictured "$2"
}
logged() { grep '^{' "$2" | jq -r "$1"; }

# report NAME LOG...: $work/NAME.html
report() {
    page=$1
    shift
    "$build/slotlog" report "$@" -o "$work/$page.html" 2>"$work/$page.said"
}
