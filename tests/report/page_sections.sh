#!/bin/sh
# Sections of the page of `slotlog report` that are about one kernel, or about records that few logs have: what they show
# in a headless Chromium, against the log, by jq. A picture of each is kept in the suite's folder. TAP on standard output.
#   page_sections.sh BUILD
set -u
. tests/boot.sh
. tests/tools/browser.sh

choose() { act="document.querySelector('li[data-kernel=\"$1\"]').click();"; }

# --- the tree ---
boot tree --cpu skylakex --cores 1 --args 'kernels=be.core.chain,be.mem.l2,bs.coinflip,ret.nop levels=6'
report tree "$work/tree.log"
choose be.mem.l2
opens tree tree 1000
nodes='select(.type == "topdown" and .kernel == "be.mem.l2" and .nodes).nodes | to_entries[]'
# What is inside of a node of 0 has no room. Parents as the CPU files have them, each part's after those of the part that it
# is like.
files=skylakex
while like=$(sed -n 's/^like *//p' "pmu/cpu/${files%% *}.def") && [ -n "$like" ]; do files="$like $files"; done
for name in $files; do cat "pmu/cpu/$name.def"; done |
    awk '$1 == "node" { for (i = 3; i < NF; i++) if ($i == "parent") print $2, $(i + 1) }' >"$work/parents"
logged "$nodes | select(.value) | \"\(.key) \(.value)\"" "$work/tree.log" | awk '
    FNR == NR { parent[$1] = $2; next }
    { value[$1] = $2 }
    END {
        for (node in value) {
            for (at = node; at != "" && value[at] > 0; at = parent[at])
                ;
            if (at == "")
                print node, value[node]
        }
    }' "$work/parents" - | sort >"$work/sectors"
claim "the sunburst has a sector for each node above 0, with its share" agree tree \
    '[.shown[] | select(.id == "sunburst") | .series[].data[] | (.[0] | split("/") | last) + " \(.[1])"] | sort | .[]' "$work/sectors"
# By the vendor's tree.
echo tma_backend_bound/tma_memory_bound/tma_l2_bound/tma_l2_hit_latency >"$work/path"
claim "a leaf is inside of its parents" agree tree \
    '.shown[] | select(.id == "sunburst") | .series[].data[][0] | select(endswith("l2_hit_latency"))' "$work/path"
fits='[.shown[] | select(.id == "sunburst") | .series[].data[]] as $all | $all | all(. as $one |
    ([$all[] | select(.[0] | startswith($one[0] + "/")) | select((.[0] | split("/") | length) == ($one[0] | split("/") | length) + 1) | .[2]] | add // 0)
    <= $one[2] + 1e-9)'
claim "no sector is smaller than those inside of it" jq -e "$fits" "$work/tree.probe"
logged "$nodes | \"\(.key) \(.value)\"" "$work/tree.log" | awk '{ print $1, $2 == "null" ? "missing" : sprintf("%.4f", $2) }' | sort >"$work/rows"
claim "its table has every node: with the log's share, or as missing" agree tree \
    '[.tables[] | select(.id == "nodes").rows[] | .[0] + " " + (.[1] | sub(":.*"; ""))] | sort | .[]' "$work/rows"
logged 'select(.type == "topdown" and .kernel == "be.mem.l2" and .reasons).reasons | to_entries[] | "\(.key) missing: \(.value)"' \
    "$work/tree.log" | sort >"$work/reasons"
claim "and says why it is" agree tree \
    '[.tables[] | select(.id == "nodes").rows[] | select(.[1] | startswith("missing")) | join(" ")] | sort | .[]' "$work/reasons"
logged 'select(.type == "topdown" and .kernel == "be.mem.l2" and .over_threshold).over_threshold[]' "$work/tree.log" | sort >"$work/over"
claim "and which are over their threshold" agree tree \
    '[.tables[] | select(.id == "nodes").rows[] | select(.[2] == "over its threshold")[0]] | sort | .[]' "$work/over"
open tree tree.dark 1000 dark
pictured tree.dark

# --- pictures for README ---
# They are tracked, and held against what the page draws: the same texts and shapes, within 4 pixels. PICTURES=doc/pictures
# puts today's there (make report-pictures).
act='document.querySelector("li[data-kernel=\"be.mem.l2\"]").click();
    const calculations = [...charts].map((chart) => {
        chart.setOption({ backgroundColor: "#ffffff" });
        return { id: chart.getDom().id, svg: chart.getDom().querySelector("svg") ? chart.renderToSVGString() : "" };
    });'
open tree
[ -z "${PICTURES-}" ] || mkdir -p "$PICTURES"
shapes() {
    perl -0777 -e '
        my @of = map { local @ARGV = ($_); my $svg = <>; [[$svg =~ />([^<>\n]+)<\/text>/g], [map { /-?[\d.]+/g } $svg =~ / d="([^"]*)"/g]] } @ARGV;
        "@{$of[0][0]}" eq "@{$of[1][0]}" or die "texts: @{$of[0][0]}\nnow: @{$of[1][0]}\n";
        @{$of[0][1]} > 20 && @{$of[0][1]} == @{$of[1][1]} or die "the shapes are others\n";
        abs($of[0][1][$_] - $of[1][1][$_]) <= 4 or die "a shape is elsewhere: $of[0][1][$_], now $of[1][1][$_]\n" for 0 .. $#{$of[0][1]}' "$1" "$2" ||
        { echo "make report-pictures draws doc/pictures anew"; return 1; }
}
for picture in level-1 sunburst; do
    shows tree ".more[] | select(.id == \"$picture\").svg" >"$work/$picture.svg"
    [ -z "${PICTURES-}" ] || cp "$work/$picture.svg" "$PICTURES/"
    claim "the picture $picture of README is what the page draws" shapes "doc/pictures/$picture.svg" "$work/$picture.svg"
    claim "and smaller than 100 KB" [ "$(wc -c <"doc/pictures/$picture.svg")" -lt 100000 ]
done

# --- its formulas ---
# The page's own evaluation of every node of the log; and a click on a node.
act='const calculations = [], v = { data: readData(document.getElementById("data").textContent), core: 0 }; v.model = modelOf(v.data.log(0));
    for (const at of measurementsOf(v.model, 0)) {
        const scope = { tree: treeFor(v), at, extras: extrasFor(v, at), known: new Map() };
        for (const name of at.nodes.keys()) calculations.push([at.name, name, nameIn(scope, name).value, nameIn(scope, name).reason]);
    }
    document.querySelector("li[data-kernel=\"be.mem.l2\"]").click();
    [...document.querySelectorAll("#nodes button")].find((b) => b.textContent === "tma_l2_bound").click();'
opens tree formula 400
logged 'select(.type == "topdown" and .nodes) | .kernel as $k | .nodes | to_entries[] | select(.value != null) | "\($k) \(.key) \(.value)"' "$work/tree.log" | sort >"$work/of.log"
shows tree '.more[] | select(.[2] != null) | "\(.[0]) \(.[1]) \(.[2])"' | sort >"$work/calculated"
claim "formulas: of $(awk 'NR == FNR { v[$1 " " $2] = $3; next } ($1 " " $2) in v { n++ } END { print n }' "$work/of.log" "$work/calculated") nodes each comes out as in the log" \
    awk 'NR == FNR { v[$1 " " $2] = $3; next } ($1 " " $2) in v { n++; d = v[$1 " " $2] - $3; if (d > 0.00011 || d < -0.00011) { print; bad = 1 } }
        END { exit bad || n < 500 }' "$work/of.log" "$work/calculated"
claim "where none comes out, the log lacks the time stamp counter" jq -e --rawfile log "$work/of.log" \
    '[.more[] | select(.[2] == null) | select(.[0] + " " + .[1] + " " | inside($log))] | all(.[3] | contains("TSC"))' "$work/tree.probe"
value() { logged "select(.type == \"kernel\" and .kernel == \"be.mem.l2\").per_iterations[\"$1\"] | values.median" "$work/tree.log"; }
echo "L1D_PEND_MISS.FB_FULL:c1 $(value L1D_PEND_MISS.FB_FULL:c1)" >"$work/names"
claim "a click on a node shows its formula, with the counts of the log" agree tree \
    '.tables[] | select(.id == "formula-names").rows[] | select(.[1] == "count") | "\(.[0]) \(.[2])"' "$work/names"
claim "and the windows that they come from" jq -e --arg n "$(logged 'select(.type == "kernel" and .kernel == "be.mem.l2").iterations' "$work/tree.log" | head -1)" \
    '.tables[] | select(.id == "formula-names").rows[] | select(.[1] == "count") | .[3] | contains("in windows of \($n | tonumber * 2) iterations") and contains("in windows of \($n) iterations")' "$work/tree.probe"
claim "and the log's share beside the page's" jq -e --arg v "$(logged "$nodes | select(.key == \"tma_l2_bound\").value" "$work/tree.log")" \
    '.sections[] | select(.id == "formula").text | contains("the log: \($v); calculated here: \($v)")' "$work/tree.probe"
choose be.mem.l2

# --- a node without a value, and a tree that is not known ---
# edited EXPRESSION: a log, changed by sed, with new CRCs.
edited() { sed "$1" | perl tests/tools/crc.pl; }
# changed NAME EXPRESSION: the page of $work/NAME.log, the log of the tree edited.
changed() {
    edited "$2" <"$work/tree.log" >"$work/$1.log"
    report "$1" "$work/$1.log"
    opens "$1" "tree.$1" 1000
}
changed hole '/"type":"topdown".*"be.mem.l2"/s/"tma_memory_bound":[0-9.]*/"tma_memory_bound":null/'
claim "a node without a value: its place is there, and says so" jq -e \
    '[.shown[] | select(.id == "sunburst") | .series[].data[] | select(.[0] == "tma_backend_bound/missing")] | length == 1' "$work/hole.probe"
changed stick '/"type":"core"/s/"description_from_stick":false/"description_from_stick":true/'
claim "a description from the stick: the page does not guess the tree" jq -e \
    '[.shown[] | select(.id == "sunburst") | .series[].data[]] | length > 0 and all(type != "array" or (.[0] | contains("/") | not))' "$work/stick.probe"

# --- doses, spread ---
boot doses --cpu skylakex --cores 2 --args 'kernels=mix.core.port,mix.bs.return levels=2 repeats=3 warmup=1'
full=$work/doses.esp/slotscope/slotscope.log
report doses "$full"
choose mix.core.port
opens doses doses 400
dose='select(.type == "dose") | . as $r | range(.doses | length) | "\($r.kernel) core \($r.core) \($r.doses[.]) \($r.shares[.])"'
logged "$dose" "$full" | sort >"$work/shares"
claim "doses: a point for each dose and core with its share" agree doses \
    '[.shown[] | select(.id | startswith("dose-")) | (.id | sub("dose-"; "")) as $k | .series[] | select(.name | startswith("core")) | .name as $n |
        .data[] | "\($k) \($n) \(.[0]) \(.[1])"] | sort | .[]' "$work/shares"
logged 'select(.type == "dose" and .core == 0 and .slope != null) | "\(.kernel) \(.intercept) \(.slope)"' "$full" | sort >"$work/lines"
claim "and the line that the log has" agree doses \
    '[.shown[] | select(.id | startswith("dose-")) | (.id | sub("dose-"; "")) as $k | .series[] | select(.name == "line").data |
        "\($k) \(.[0][1]) \((.[1][1] - .[0][1]) * 10000 | round / 10000)"] | sort | .[]' "$work/lines"
logged 'select(.type == "topdown" and .core == 0 and .kernel == "mix.bs.return" and .part == 1 and .nodes.tma_branch_mispredicts == null).dose' "$full" >"$work/without"
claim "a dose without a share is marked as missing: $(cat "$work/without") %" agree doses \
    '.shown[] | select(.id == "dose-mix.bs.return") | .series[] | select(.name == "missing").data[][0]' "$work/without"
# One dose, so that each count is there once.
logged 'select(.type == "kernel" and .kernel == "mix.core.port" and .dose == 0 and .scope == null) | .core as $c | .per_iterations | to_entries[] |
    "\(.key) \($c) \(.value.min) \(.value.median) \(.value.max)"' "$full" >"$work/counts"
# Percent off the mean of the two cores, which is their median.
perl -ane '$of{$F[0]}[$F[1]] = [@F[2 .. 4]]; END { for $e (keys %of) { my @c = @{$of{$e}}; $m = ($c[0][1] + $c[1][1]) / 2; next if abs $m < 100;
    printf "%s %d %.3f\n", $e, $_, 100 * ($c[$_][1] / $m - 1) for 0, 1 } }' "$work/counts" | sed 's/ -0.000$/ 0.000/' | sort >"$work/percent"
claim "spread: a dot for each core and event that counts, as far off the median of the cores" sh -c "
    jq -r '.shown[] | select(.id == \"spread-counts\") | .rows as \$rows | .series[] | select(.name == \"cores\").data[] | [(.[1] | split(\" \")[0]), .[0]] | @tsv' '$work/doses.probe' |
    grep -v '^cycles' | awk '{ printf \"%s %d %.3f\\n\", \$1, seen[\$1]++, \$2 }' | sed 's/ -0.000\$/ 0.000/' | sort | diff '$work/percent' -"
perl -ane 'push @{$of{$F[0]}}, @F; END { print "$_\n" for grep { ($of{$_}[3] + $of{$_}[8]) / 2 < 100 } keys %of }' "$work/counts" | sort >"$work/few"
claim "events that count few are in a table" agree doses '[.tables[] | select(.id == "few-counts").rows[][0]] | sort | .[]' "$work/few"
perl -ane '$m{$F[0]} += $F[3] / 2; push @{$of{$F[0]}}, [@F]; END { for $e (keys %of) { $n += grep { abs $m{$e} >= 100 && $_->[2] < $_->[4] } @{$of{$e}} } print $n + 0, "\n" }' "$work/counts" >"$work/bars"
claim "a bar for each whose repeats differ: $(cat "$work/bars")" agree doses \
    '[.shown[] | select(.id == "spread-counts") | .series[] | select(.name == "repeats").data[]] | length' "$work/bars"
logged 'select(.type == "topdown" and .kernel == "mix.core.port" and .dose == 0 and .part == 1) | .core as $c | .nodes | to_entries[] |
    select(.key == ("tma_frontend_bound", "tma_bad_speculation", "tma_backend_bound", "tma_retiring") and .value != null) | "\(.key) \($c) \(.value)"' "$full" >"$work/of.log"
claim "and of level 1 each core less the median" sh -c "
    perl -ane '\$v{\$F[0]}[\$F[1]] = \$F[2]; END { for \$n (keys %v) { \$m = (\$v{\$n}[0] + \$v{\$n}[1]) / 2; printf \"%s %d %.5f\\n\", \$n, \$_, \$v{\$n}[\$_] - \$m for 0, 1 } }' '$work/of.log' |
        sed 's/ -0.00000\$/ 0.00000/' | sort >'$work/deviations'
    jq -r '.shown[] | select(.id == \"spread-nodes\") | .series[] | select(.name == \"cores\").data[] | [(.[1] | split(\" \")[0]), .[0]] | @tsv' '$work/doses.probe' |
        awk '{ printf \"%s %d %.5f\\n\", \$1, seen[\$1]++, \$2 }' | sed 's/ -0.00000\$/ 0.00000/' | grep -E '_(frontend_bound|bad_speculation|backend_bound|retiring) ' | sort |
        diff '$work/deviations' - && [ -s '$work/deviations' ]"
picture spread
pictured spread

# --- records of samples ---
# One of the slowdowns has no place on a logarithmic scale.
sh tests/tools/sample_log.sh | edited '/"method":"pebs","events":null,"period":1000,/s/"slowdown":{[^}]*}/"slowdown":{"min":-0.0010,"median":0.0000,"max":0.0010}/' \
    >"$work/samples.log"
report samples "$work/samples.log"
# sampled KERNEL SECTION: the page with that kernel, in $page.
sampled() {
    page=$1
    cp "$work/samples.html" "$work/$page.html"
    choose "$page"
    opens "$page" "$2" 800
}
sampled bs.coinflip methods
differences='select(.type == "methods" and .kernel == "bs.coinflip").nodes | to_entries[]'
logged "$differences | select(.value.apart_at_most) | [.key, .value.perf_metrics - .value.formula, .value.apart_at_most] | @tsv" "$work/samples.log" |
    awk '{ printf "%s %.4f %.4f\n", $1, $2, $3 }' >"$work/differences"
claim "two methods: the difference of each node, and what it may be" sh -c "
    jq -r '.shown[] | select(.id == \"methods-own\") | .series as \$s | range(\$s[1].data | length) | [\$s[1].data[.][1], \$s[1].data[.][0], \$s[0].data[.][1]] | @tsv' '$work/$page.probe' |
    awk '{ printf \"%s %.4f %.4f\\n\", \$1, \$2, \$3 }' | diff '$work/differences' -"
logged "$differences | select(.value.reason).key" "$work/samples.log" | sort >"$work/missing"
claim "nodes of which one method has no value are hatched: $(wc -l <"$work/missing")" agree "$page" \
    '[.shown[] | select(.id == "methods-own") | .rows as $rows | .series[] | select(.name == "missing").data[] | $rows[.[0]]] | sort | .[]' "$work/missing"

sampled fe.icache timeline
logged 'select(.type == "timeline" and .kernel == "fe.icache" and .missing == null) | .from as $from | .counts | to_entries[] | "\(.key + $from) \(.value)"' "$work/samples.log" >"$work/cycles"
claim "timeline: the count of each cycle" agree "$page" \
    '.shown[] | select(.id == "timeline") | .series[] | select(.name == "INST_RETIRED.ANY").data | to_entries[] | select(.key >= 13) | "\(.key) \(.value)"' "$work/cycles"
logged 'select(.type == "timeline" and .kernel == "fe.icache" and .missing == null) | range(.from), (.from as $from | .counts | to_entries[] | select(.value == null) | .key + $from)' \
    "$work/samples.log" >"$work/cycles"
claim "cycles without a count are hatched, those before the first, too" agree "$page" \
    '.shown[] | select(.id == "timeline") | .series[] | select(.name == "INST_RETIRED.ANY missing").data | to_entries[] | select(.value != null).key' "$work/cycles"
claim "an event that the core does not count is named with the reason" jq -e \
    '.sections[] | select(.id == "timeline").text | contains("UOPS_EXECUTED.THREAD missing: this CPU'"'"'s description does not name it")' "$work/$page.probe"

sampled lbr.sequence branches
edges='select(.type == "edges" and .kernel == "lbr.sequence") | .edges[]'
logged "$edges | \"\(.count) \(.mispredicted) \(.cycles)\"" "$work/samples.log" | sed 's/null/-/g' >"$work/edges"
claim "branches: each edge with its records, mispredicted ones and cycles" sh -c "
    jq -r '.tables[] | select(.id == \"edges\").rows[] | [.[-4], .[-3], .[-1]] | map(if startswith(\"missing\") then \"-\" else . end) | join(\" \")' '$work/$page.probe' |
    awk '{ print \$1, \$2, \$3 == \"-\" ? \"-\" : \$3 + 0 }' | diff '$work/edges' -"
logged "select(.type == \"edges\" and .kernel == \"lbr.sequence\") | .code as \$code | .edges[] | \"\(.from) \(.to) \(\$code) \(.count)\"" "$work/samples.log" |
    perl -ane 'my ($f, $t) = map { my $d = hex($_) - hex($F[2]); $d >= 0 && $d < 4096 ? $d : "null" } @F[0, 1]; print "$f $t $F[3]\n"' >"$work/arcs"
claim "and an arc for each, from offset to offset" agree "$page" \
    '.shown[] | select(.id == "edges-arcs") | .series[] | select(.name == "edges").data[] | map(tostring) | join(" ")' "$work/arcs"
logged 'select(.type == "lbr" and .kernel == "lbr.sequence") | .entries[] | (.cycles // "missing")' "$work/samples.log" >"$work/last"
claim "the last branches are those of the record" agree "$page" '.tables[] | select(.id == "edges-last").rows[][-1]' "$work/last"

sampled skid.load skid
logged 'select(.type == "skid" and .kernel == "skid.load") | .method as $m | .histogram[] | "\($m) \(.[0]) \(.[1])"' "$work/samples.log" >"$work/skids"
claim "skid: the samples at each distance, by method" agree "$page" \
    '.shown[] | select(.id | startswith("skid-")) | .series[] | .name as $n | .data[] | "\($n | sub(" as .*"; "")) \(.[0]) \(.[1])"' "$work/skids"
claim "cycles that no record has are missing, with the reason" jq -e \
    '.sections[] | select(.id == "skid").text | contains("cycles missing: a PEBS record does not say when the counter overflowed")' "$work/$page.probe"

sampled cpi.loops overhead
logged 'select(.type == "overhead") | [.period // "", .slowdown.median, .slowdown.min, .slowdown.max] | @tsv' "$work/samples.log" |
    awk -F '\t' '{ printf "%s %.4f %.4f %.4f\n", $1, $2, $3, $4 }' >"$work/overheads"
claim "overhead: each row with its slowdown, also those at or below 0" agree "$page" \
    '.tables[] | select(.id == "overheads").rows[][1:5] | join(" ")' "$work/overheads"
logged 'select(.type == "overhead" and .period and .slowdown.median > 0) | "\(.period) \(.slowdown.median)"' "$work/samples.log" | sort >"$work/points"
claim "one of them is 0: it is in the table, and the page says that the chart lacks it" jq -e \
    '.sections[] | select(.id == "overhead").text | contains("Not above 0, and so in the table alone: 1 of the medians")' "$work/$page.probe"
claim "and a point for each that is above 0" agree "$page" \
    '[.shown[] | select(.id == "overhead-chart") | .series[] | select(.name | endswith("spread") | not).data[] | map(tostring) | join(" ")] | sort | .[]' "$work/points"

# The CPI of instructions, on the same page.
logged 'select(.type == "cpi" and .kernel == "cpi.loops" and .method == "cfg" and .level == "instruction") | .entries[] |
    [.offset, (.cpi // ["missing"])[0], (.executions // ["missing"])[0]] | @tsv' "$work/samples.log" |
    awk '{ printf "+0x%x %s %.0f\n", $1, $2 == "missing" ? $2 : sprintf("%.2f", $2), $3 }' >"$work/cpi"
claim "CPI: each instruction with its own, and its executions" sh -c "
    jq -r '.tables[] | select(.id == \"disassembly\").rows[] | select(.[1] | startswith(\"+0x\")) | [.[1], (.[3] | split(\" \")[0] | sub(\":\"; \"\")), (.[5] | split(\" \")[0])] |
    join(\" \")' '$work/$page.probe' | diff '$work/cpi' -"
objcopy -O binary -j .text "$build/asm/kernels/cpi.loops.o" "$work/code"
objdump -D -b binary -m i386:x86-64 -M intel --no-show-raw-insn "$work/code" | sed -n 's/^ *\([0-9a-f]*\):[[:space:]]*\([a-z]*\).*/+0x\1 \2/p' |
    sed 's/jne/jnz/' | head -16 >"$work/instructions"
claim "its instructions are those that objdump finds in the kernel's object" agree "$page" \
    '.tables[] | select(.id == "disassembly").rows[] | select(.[1] | startswith("+0x")) | .[1] + " " + (.[2] | split(" ")[0])' "$work/instructions"
logged 'select(.type == "cpi" and .kernel == "cpi.loops" and .method == "cfg" and .level == "block") | .entries[] | .label' "$work/samples.log" >"$work/blocks"
claim "each block stands before its instructions" agree "$page" \
    '.tables[] | select(.id == "disassembly").rows[] | select(.[1] | startswith("block")) | .[1] | split(" ")[1] | sub(","; "")' "$work/blocks"
picture cpi
pictured cpi

# --- CPI along the code ---
boot along --cpu skylakex --cores 1 --args 'kernels=cpi.calls,cpi.coins samples=300 levels=1 repeats=1 warmup=1 cores=0'
# One of the kernels gets no `resteered`.
edited '/"kernel":"cpi.calls".*"resteered"/s/"resteered":[0-9.]*/"resteered":null,"why":"no record says so"/' \
    <"$work/along.esp/slotscope/slotscope.log" >"$work/along.log"
report along "$work/along.log"
# And one of the methods a name that no program knows. slotlog would refuse it, so it is put into the page's data.
sed -i '/id="data"/s/"classic"/"none such"/' "$work/along.html"
sed -i 's/"method":"classic"/"method":"none such"/' "$work/along.log"
pressed() { act="$act [...document.querySelectorAll('#along button')].find((b) => b.textContent === '$1').click();"; }
choose cpi.coins
# What pointing at each place says.
act="$act const chart = [...charts].find((one) => one.getDom().id === 'along-chart');
    const calculations = chart.getOption().xAxis[0].data.flatMap((place, i) => {
        chart.dispatchAction({ type: 'showTip', x: chart.convertToPixel({ xAxisIndex: 0 }, i), y: 100 });
        return chart.getDom().lastElementChild.innerText.split('\n').slice(1).map((line) => place + ' ' + line);
    });"
opens along along 800
entries='select(.type == "cpi" and .kernel == "cpi.coins" and .level == "instruction") | .method as $m | .entries[]'
logged 'select(.type == "cpi" and .kernel == "cpi.coins" and .level == "instruction").method' "$work/along.log" | uniq >"$work/methods"
in_chart='.shown[] | select(.id == "along-chart") | .columns as $at | .series[] | .name as $n'
claim "along the code: a series for each method of the log, under the log's name: $(paste -sd, "$work/methods")" agree along \
    "$in_chart | \$n | select(endswith(\" missing\") | not)" "$work/methods"
claim "one of these names is new" grep '^none such$' "$work/methods"
# The page's numbers have 15 digits.
twelve_digits() { awk -F '\t' '{ printf "%s %s %.12g %.12g %.12g\n", $1, $2, $3, $4, $5 }'; }
logged "$entries | select(.cpi) | [\$m, .offset, .cpi[]] | @tsv" "$work/along.log" |
    awk -F '\t' -v OFS='\t' '{ $2 = sprintf("+0x%x", $2); print }' | twelve_digits >"$work/numbers"
estimates() {
    shows along "$in_chart | select(\$n | endswith(\" missing\") | not) | .data[] | [\$n, \$at[.[0]], .[1:][]] | @tsv" | twelve_digits |
        diff "$work/numbers" -
}
claim "each estimate with both ends of its interval: $(wc -l <"$work/numbers")" estimates
logged "$entries | select(.cpi == null) | [\$m, .offset] | @tsv" "$work/along.log" |
    awk -F '\t' '{ printf "%s missing +0x%x\n", $1, $2 }' >"$work/gaps"
claim "a gap where the log has null, and nowhere else: $(wc -l <"$work/gaps")" agree along \
    "$in_chart | select(\$n | endswith(\" missing\")) | .data[] | \"\(\$n) \(\$at[.[0]])\"" "$work/gaps"
logged "$entries | [.offset, \$m, (.why // \"\"), (.cpi // [])[]] | @tsv" "$work/along.log" | awk -F '\t' '
    { printf "+0x%x %s", $1, $2 }
    $3 { printf " missing: %s\n", $3; next }
    { printf ": %.2f, 95 %%: %.2f to %.2f\n", $4, $5, $6 }' | sort >"$work/told"
claim "pointing at an instruction says the number and interval of each method, or why it has none" agree along '.more | sort | .[]' "$work/told"
awk 'FNR == NR { of[$0]; next } { sub(/ \+0x.*/, ""); n[$0]++ } END { for (m in of) print m, n[m] + 0 }' "$work/methods" "$work/numbers" | sort >"$work/counts"
claim "below it how many instructions have a number by each" agree along \
    '[.tables[] | select(.id == "along-methods").rows[] | "\(.[0]) \(.[1])"] | sort | .[]' "$work/counts"
logged 'select(.type == "cpi" and .kernel == "cpi.coins" and .level == "instruction" and .part == 1 and .resteered) | "\(.method) \(.resteered)"' "$work/along.log" |
    awk '{ printf "%s %.2f %% of the cycles\n", $1, 100 * $2 }' >"$work/resteered"
claim "and what was moved to mispredicted branches: $(cat "$work/resteered")" agree along \
    '.tables[] | select(.id == "along-methods").rows[] | select(.[3] != "") | "\(.[0]) \(.[3])"' "$work/resteered"
choose cpi.coins
pressed table
opens_table() { open along && quiet along; }
claim "it can be a table instead" opens_table
logged "$entries | [.offset, \$m, (.why // \"\"), (.cpi // [])[]] | @tsv" "$work/along.log" | awk -F '\t' '
    { $3 = $3 ? "missing: " $3 : sprintf("%.2f %.2f to %.2f", $4, $5, $6); printf "+0x%x %s\n", $1, $3 }' | sort >"$work/rows"
claim "with the same numbers and reasons" agree along \
    '[.tables[] | select(.id == "along-numbers").rows[] | .[0] + " " + .[2:][]] | sort | .[]' "$work/rows"
choose cpi.calls
pressed blocks
pressed strips
pressed 'cfg fixed'
opens along along.strips 800
logged 'select(.type == "cpi" and .kernel == "cpi.calls" and .level == "block") | .method' "$work/along.log" | uniq | grep -vx 'cfg fixed' >"$work/methods"
claim "a method that is switched off is not in the chart, and the others are" agree along "$in_chart | \$n | select(endswith(\" missing\") | not)" "$work/methods"
logged 'select(.type == "cpi" and .kernel == "cpi.calls" and .level == "block" and .method == "cfg") | .entries | sort_by(.offset)[].label' "$work/along.log" >"$work/labels"
claim "blocks are in the order of their addresses" agree along '.shown[] | select(.id == "along-chart").columns[]' "$work/labels"
claim "without \`resteered\` the table says why" jq -e \
    '[.tables[] | select(.id == "along-methods").rows[][3] | select(. != "")] == ["missing: no record says so"]' "$work/along.probe"
# 17 instructions 25 times, at further addresses.
perl -ne 'if (/^\{.*"kernel":"cpi.coins".*"level":"instruction","part":1,/) {
        for my $k (0 .. 24) { my $line = $_; $line =~ s/"offset":(\d+)/"\"offset\":" . ($1 + 4096 * $k)/ge; push @lines, $line }
    } else { push @lines, $_ }
    END { for (@lines) { s/"seq":\d+/"\"seq\":" . $seq++/e if /^\{/; print } }' "$work/along.esp/slotscope/slotscope.log" |
    perl tests/tools/crc.pl >"$work/many.log"
report many "$work/many.log"
choose cpi.coins
act="$act document.querySelectorAll('#disassembly button')[1].click();"
opens many
logged 'select(.type == "cpi" and .kernel == "cpi.coins" and .level == "block" and .method == "cfg").entries[].label' "$work/many.log" >"$work/labels"
claim "of a kernel of hundreds of instructions the blocks are drawn first" agree many '.shown[] | select(.id == "along-chart").columns[]' "$work/labels"
claim "and listed first" agree many \
    '.tables[] | select(.id == "disassembly").rows[][1] | select(startswith("block")) | split(" ")[1] | sub(","; "")' "$work/labels"
logged 'select(.type == "cpi" and .kernel == "cpi.coins" and .method == "cfg") | if .level == "block" then .entries[1] | "from \(.offset) \(.length)"
    elif .level == "instruction" then .entries[].offset else empty end' "$work/many.log" |
    awk '$1 == "from" { from = $2; count = $3; next } { at[n++] = $1 } END { for (i = 0; i < n; i++) if (at[i] >= from && count-- > 0) printf "+0x%x\n", at[i] }' \
        >"$work/opened"
claim "a click on a block shows its instructions, and no others: $(wc -l <"$work/opened")" agree many \
    '.tables[] | select(.id == "disassembly").rows[][1] | select(startswith("+0x"))' "$work/opened"

# --- over time ---
boot drift --cpu skylakex --cores 1 --args 'kernels=be.core.chain levels=1 interval=20us intervals=4 repeats=1'
# One of the intervals lacks a node.
edited '/"type":"topdown".*"be.core.chain".*"interval":1,/s/"tma_backend_bound":[-0-9.]*/"tma_backend_bound":null/' <"$work/drift.log" >"$work/hole.log"
mv "$work/hole.log" "$work/drift.log"
report drift "$work/drift.log"
choose be.core.chain
opens drift drift 600
logged 'select(.type == "topdown" and .interval != null and .kernel == "be.core.chain").nodes | [.tma_frontend_bound, .tma_bad_speculation, .tma_backend_bound, .tma_retiring] |
    map(tostring) | join(" ")' "$work/drift.log" >"$work/intervals"
claim "over time: level 1 of each interval" agree drift \
    '.shown[] | select(.id == "intervals") | .series as $s | range($s[0].data | length) as $i | [$s[0:4][].data[$i]] | map(tostring) | join(" ")' "$work/intervals"
logged 'select(.type == "drift" and .kernel == "be.core.chain").nodes | to_entries[] | "\(.key) \(.value.min) \(.value.max) \(.value.drift)"' "$work/drift.log" |
    awk '{ printf "%s %.4f %.4f %.4f\n", $1, $2, $3, $4 }' >"$work/drifts"
claim "an interval without a node is hatched for the rest of its slots: 1" jq -e \
    '[.shown[] | select(.id == "intervals") | .series[] | select(.name == "missing").data | to_entries[] | select(.value > 0.5).key] == [1]' "$work/drift.probe"
claim "and how far each node moved" agree drift '.tables[] | select(.id == "drifts").rows[] | join(" ")' "$work/drifts"

# --- nothing to show ---
claim "a log without such records has none of these sections" jq -e \
    '[.sections[].id] | any(. == ("doses", "methods", "timeline", "drift", "skid", "overhead")) | not' "$work/tree.probe"
finish
