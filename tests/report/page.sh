#!/bin/sh
# The page of `slotlog report`: what is in it, against the log. What its charts show: page_charts.sh. TAP on standard
# output.
#   page.sh BUILD
set -u
. tests/boot.sh
slotlog=$build/slotlog

# --- without the library ---
mkdir "$work/alone"
cp "$slotlog" "$work/alone/"
refused() {
    "$work/alone/slotlog" report "$1" -o "$work/alone/report.html" >"$work/out" 2>"$work/said"
    [ $? -eq 2 ] && [ ! -s "$work/out" ] && [ "$(wc -l <"$work/said")" -eq 1 ] && cat "$work/said" &&
        grep -q 'echarts.min.js: No such file.*make report-library' "$work/said" && [ ! -e "$work/alone/report.html" ]
}
claim "without Apache ECharts: one line that says how to get it, status 2, no file" refused /dev/null
changed_pin() {
    mkdir "$work/pin"
    cp slotlog/page/library.sh "$work/pin/"
    sed '/echarts": {/,/integrity/s/sha512-.\{4\}/sha512-AAAA/' slotlog/page/package-lock.json >"$work/pin/package-lock.json"
    # A npm that gives some file, whatever it is asked for.
    printf '#!/bin/sh\necho "$*" >"%s"\nprintf other >echarts-6.1.0.tgz\n' "$(realpath "$work")/asked" >"$work/pin/npm"
    chmod +x "$work/pin/npm"
    PATH=$(realpath "$work/pin"):$PATH sh "$work/pin/library.sh" "$work/pin/echarts" 2>"$work/said"
    [ $? -eq 2 ] && cat "$work/said" && grep -q 'is sha512-.*, expected sha512-AAAA' "$work/said" && [ ! -e "$work/pin/echarts" ]
}
claim "report-library: a package with another hash than the pinned one is refused" changed_pin
claim "report-library: npm is asked for the pinned version" grep 'echarts@6\.1\.0$' "$work/asked"
if [ ! -f "$build/echarts/echarts.min.js" ]; then
    number=$((number + 1))
    echo "ok $number - the page # SKIP Apache ECharts is not in $build/echarts: make report-library gets it"
    finish
    exit
fi

# --- the data ---
. tests/tools/page_logs.sh

# report STATUS NAME LOG...: $work/NAME.html
report() {
    wanted=$1
    page=$work/$2.html
    shift 2
    "$slotlog" report "$@" -o "$page" 2>"$work/said"
    [ $? -eq "$wanted" ] || { cat "$work/said"; return 1; }
}
# data PAGE: its JSON.
data() { sed -n 's,^<script type="application/json" id="data">\(.*\)</script>$,\1,p' "$1"; }
# unpacked PAGE: its logs, by the rules of slotlog/page_data.h.
unpacked() {
    data "$1" | jq -c '. as $data | def unpack: if type != "array" then . elif .[0] == -1 then $data.texts[.[1]]
        elif .[0] == 0 then .[1:] | map(unpack)
        else . as $packed | $data.shapes[.[0] - 1] | to_entries | map({key: .value, value: ($packed[.key + 1] | unpack)}) |
            from_entries end; .logs | unpack'
}
# A file's name may be any bytes, and the page is UTF-8.
odd=$work/$(printf 'x\377.log')
cp "$full" "$odd"
claim "a log whose name is no UTF-8 has its page" report 0 odd "$odd"
claim "with a question mark in the name" [ "$(unpacked "$work/odd.html" | jq -r '.[0].name')" = "$work/x?.log" ]
rm -f "$odd" "$work/odd.html"
# same_records PAGE LOG N: the records of log N of the page are those of LOG.
same_records() {
    unpacked "$1" | jq -cS ".[$3].records[]" >"$work/of.page"
    grep '^{' "$2" | jq -cS 'del(.seq, .crc, .unit)' >"$work/of.log"
    [ -s "$work/of.log" ] && cmp "$work/of.page" "$work/of.log"
}
# same_verdicts PAGE LOG N: so are the verdicts: state, claim, and the numbers of those that state a range.
same_verdicts() {
    unpacked "$1" | jq -r ".[$3].verdicts[] | [(.failed // false), (.core // \"\"), (.skipped // \"\"), (.value // .count // \"\"), (.verdicts // 1)] | @tsv" >"$work/of.page"
    grep -E '^(not )?ok ' "$2" | perl -ne '
        my ($ok, $claim, $skip) = /^((?:not )?ok) \d+ - (.*?)(?: # SKIP (.*))?$/;
        my ($core) = $claim =~ /^core (\d+)/;
        my ($value) = $claim =~ / (-?[0-9.]+) in \[[-0-9.]+, [-0-9.]+\]/;
        my ($many) = $claim =~ /(\d+) verdicts$/;
        print join("\t", $ok eq "ok" ? "false" : "true", $core // "", $skip // "", defined $value ? $value + 0 : "", $many // 1), "\n"' >"$work/of.log"
    cmp "$work/of.page" "$work/of.log"
}
claim "a page of a whole log" report 0 page "$full"
claim "its records are those of the log" same_records "$page" "$full" 0
claim "its verdicts are those of the log" same_verdicts "$page" "$full" 0
claim "it is one line of JSON that no < is in" sh -c "[ \"\$(grep -c '^<script type=.application/json' '$page')\" = 1 ] &&
    ! sed -n 's,^<script type=.application/json. id=.data.>\(.*\)</script>\$,\1,p' '$page' | grep '<'"
claim "it ends each script where it began one: a library that holds the end's text does not end its own" sh -c \
    "[ \$(grep -o '<script' '$page' | wc -l) -eq 3 ] && [ \$(grep -o '</script' '$page' | wc -l) -eq 3 ]"
claim "it loads nothing" absent "(src|href)=[\"']?(https?:)?//|@import|url\(['\"]?http" "$page"
claim "it forbids itself to" grep -c "content=\"default-src 'none'; script-src 'unsafe-inline'" "$page"
claim "the licences of what is in it are, too" sh -c \
    "grep -q 'Apache License' '$page' && grep -q 'Copyright 2010-2016 Mike Bostock' '$page' && grep -q 'Baidu' '$page'"
claim "a run that failed: status 1, and the page is there" report 1 off "$off"
claim "its verdicts are those of its log" same_verdicts "$page" "$off" 0
mkdir "$work/a<"
cp "$full" "$work/a</script><!--.log"
claim "several logs, one with a name that looks like HTML" report 1 several "$full" "$logs/good.log" "$off" "$work/a</script><!--.log"
claim "the second is the brief form" same_records "$page" "$logs/good.log" 1
claim "the third" same_records "$page" "$off" 2
claim "the fourth has its name" sh -c "sed -n 's,^<script type=.application/json. id=.data.>\(.*\)</script>\$,\1,p' '$page' |
    jq -e '.texts | any(endswith(\"a</script><!--.log\"))'"
claim "no log: status 2" report 2 none /dev/null
claim "which leaves no page" [ ! -e "$page" ]

# --- size ---
claim "64 cores, 100 kernels, full form: a page" [ "$(cat "$large.status")" = 0 ]
claim "which is smaller than 10 MB: $(wc -c <"$large.html") bytes of a log of $(wc -c <"$large.log")" \
    [ "$(wc -c <"$large.html")" -lt 10000000 ]
data "$large.html" >"$work/large.json"
left_out=$(jq -c .left_out "$work/large.json")
claim "it says what is left out: $left_out" [ "$left_out" = '["counts"]' ]
# Of the one log, which is an object, the list of records, of which only the number is needed.
claim "all else of it is there" [ "$(jq '. as $data | .logs[1] | .[($data.shapes[.[0] - 1] | index("records")) + 1] |
    if .[0] == 0 then length - 1 else error("no list") end' "$work/large.json")" -eq "$(grep '^{' "$large.log" | grep -vc '"type":"counts"')" ]

finish
