# The page of `slotlog report` in a headless Chromium; suites source it behind tests/boot.sh or tests/tap.sh.
[ -f "$build/echarts/echarts.min.js" ] ||
    skip_all "the charts" "Apache ECharts is not in $build/echarts: make report-library gets it"
command -v chromium >/dev/null 2>&1 || skip_all "the charts" "chromium is not installed: Debian's package chromium"

# browser.py answers each request on descriptor 7 by a line on 8. When the suite ends, so does the browser.
mkfifo "$work/asked" "$work/answered"
/usr/bin/python3 tests/tools/browser.py "$work/profile" <"$work/asked" >"$work/answered" 2>"$work/browser.said" &
exec 7>"$work/asked" 8<"$work/answered"
trap 'exec 7>&- 8<&-; wait; rm -rf "$work/profile"' EXIT
# browser REQUEST: says what went wrong, if anything.
browser() {
    (trap "" PIPE; printf "%s\n" "$1" >&7) # it may have ended
    read -r answer <&8 || answer="the browser does not answer: $work/browser.said"
    [ "$answer" = done ] || { echo "$answer"; return 1; }
}
# What a page shows, as JSON.
cat >"$work/probe.js" <<'EOF'
document.head.insertAdjacentHTML("beforeend", "<style>.scroll { max-height: none !important; }</style>");
const opened = performance.getEntriesByType("navigation")[0].domInteractive; // all scripts of the page have run
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
return JSON.stringify({ opened, sections, shown, tables, more });
EOF
# open NAME [PICTURE [HEIGHT [SCHEME]]]: NAME.html in the browser, and the script $act, if any. NAME.probe is what its
# charts hold, NAME.said what the browser said; PICTURE.png is the section that PICTURE begins with, alone.
open() {
    printf '%s\n' "${act-}" | cat - "$work/probe.js" >"$work/act.js"
    rm -f "$work/$1.probe" "$work/$1.said"
    request="\"scheme\": \"${4-light}\", \"open\": \"$work/$1.html\", \"height\": ${3:-2000}"
    browser "{$request, \"run\": \"$work/act.js\", \"result\": \"$work/$1.probe\", \"said\": \"$work/$1.said\"}" || return 1
    [ -z "${2-}" ] || picture "$2"
}
# picture SECTION: SECTION.png of the page that is open; what follows a dot in SECTION tells pictures of one section apart.
picture() { browser "{\"picture\": \"$work/$1.png\", \"of\": \"section#${1%%.*}\"}"; }
# pictured SECTION: the picture is there, and shows something.
pictured() { claim "a picture of it: $work/$1.png" [ "$(wc -c <"$work/$1.png")" -gt 5000 ]; }
quiet() { [ -e "$work/$1.said" ] && absent . "$work/$1.said"; }
# shows NAME FILTER: what the page shows, through jq, one value a line.
shows() { jq -r "$2" "$work/$1.probe"; }
# agree NAME FILTER FILE: what the page shows is what the file says.
agree() {
    shows "$1" "$2" >"$work/shown"
    [ -s "$3" ] && diff "$3" "$work/shown"
}
# opens NAME [PICTURE [HEIGHT]]
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
