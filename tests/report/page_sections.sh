#!/bin/sh
# Sections of the page of `slotlog report` that are about one kernel, or about records that few logs have: what they show
# in a headless Chromium, against the log, by jq. A picture of each is kept in the suite's folder. TAP on standard output.
#   page_sections.sh BUILD
set -u
. tests/boot.sh
. tests/tools/browser.sh

choose() { act="document.querySelector('li[data-kernel=\"$1\"]').click();"; }
# pictures NAME SECTION: in light and in dark.
pictures() {
    claim "a picture of the section $2: $work/$2.png" picture "$1" "$2" '' "$2"
    claim "and in dark: $work/$2.dark.png" picture "$1" "$2" --blink-settings=preferredColorScheme=0 "$2.dark"
}

# --- the tree ---
boot tree --cpu skylakex --cores 1 --args 'kernels=be.mem.l2,bs.coinflip levels=6'
report tree "$work/tree.log"
choose be.mem.l2
opens tree
nodes='select(.type == "topdown" and .kernel == "be.mem.l2" and .nodes).nodes | to_entries[]'
# What is inside of a node of 0 has no room: tma_fetch_bandwidth and tma_ports_utilized_3m are 0 here.
logged "$nodes | select(.value > 0 and (.key | test(\"_(dsb|op_utilization|port_[0-9])$\") | not)) | \"\(.key) \(.value)\"" "$work/tree.log" | sort >"$work/sectors"
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
pictures tree tree

# --- a node without a value, and a tree that is not known ---
# changed NAME EXPRESSION: $work/NAME.log, the log of the tree changed by sed, with new CRCs.
changed() {
    sed "$2" "$work/tree.log" | perl -MCompress::Zlib -pe 's/^(\{.*),"crc":"[0-9a-f]*"\}$/sprintf "%s,\"crc\":\"%08x\"}", $1, crc32($1)/e' >"$work/$1.log"
    report "$1" "$work/$1.log"
    opens "$1"
}
changed hole '/"type":"topdown".*"be.mem.l2"/s/"tma_memory_bound":[0-9.]*/"tma_memory_bound":null/'
claim "a node without a value: its place is there, and says so" jq -e \
    '[.shown[] | select(.id == "sunburst") | .series[].data[] | select(.[0] == "tma_backend_bound/missing")] | length == 1' "$work/hole.probe"
claim "a picture of it: $work/hole.png" picture hole tree '' hole
changed stick '/"type":"core"/s/"description_from_stick":false/"description_from_stick":true/'
claim "a description from the stick: the page does not guess the tree" jq -e \
    '[.shown[] | select(.id == "sunburst") | .series[].data[]] | length > 0 and all(type != "array" or (.[0] | contains("/") | not))' "$work/stick.probe"
finish
