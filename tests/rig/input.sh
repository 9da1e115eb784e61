#!/bin/sh
# What the user changes: a kernel's expectation, a formula on the stick, and bad input. TAP on standard output.
#   input.sh BUILD
set -u
. tests/boot.sh

# A kernel whose expectation is falsified on purpose is `not ok`.
copy_sources falsified
sed -i 's/^\( *EXPECT  *MEM_INST_RETIRED.ALL_LOADS *,\).*/\1 n * 8 + 1, n * 8 + 1/' \
    "$work/falsified/kernels/cal.loads.asm"
claim "the falsified kernel builds" build_image falsified
stick falsified "$work/falsified.overlay"
boot falsified --cpu skylakex --cores 1 --args "kernels=cal.*"
claim "a falsified expectation is not ok" \
    grep -E '^not ok .*cal\.loads.*MEM_INST_RETIRED\.ALL_LOADS' "$work/falsified.log"
in_order falsified

# A formula changed on the stick changes the verdicts.
stick formula
mkdir -p "$work/formula.esp/slotscope/cpu"
{
    cat pmu/cpu/skylakex.def
    echo 'node tma_retiring level 1 = #Retired_Slots / tma_info_thread_slots / 4' # instead of the inherited one
} >"$work/formula.esp/slotscope/cpu/skylakex.def"
boot formula --cpu skylakex --cores 1 --args "kernels=ret.nop"
claim "a formula on the stick changes the verdict" grep -qE '^not ok .*ret\.nop.*tma_retiring' "$work/formula.log"
in_order formula

# help = yes lists the keys of the table of doc/configuration.md, measures nothing, and is no failure.
boot help --cpu skylakex --cores 2 --args "help=yes"
in_order help
sed -n '/^| key | values/,/^$/s/^| `\([a-z_]*\)` .*/\1/p' doc/configuration.md >"$work/help.keys"
claim "help = yes lists every key of the table of doc/configuration.md" sh -c \
    "sed -n 's/^# \([a-z_]*\) (default .*/\1/p' '$work/help.log' | diff - '$work/help.keys'"
claim "it ends for this reason" has help '.type == "end" and .reason == "help" and .fail == 0'
claim "and is no failed run" [ "$(cat "$work/help.status")" = 0 ]
claim "nothing is measured" has_no help '.type == "kernel" or .type == "result" or .type == "core"'

# A pattern with a first ! leaves kernels out.
stick without
printf '\nkernels = ret.* !ret.ms\n' >>"$work/without.esp/slotscope/slotscope.cfg"
boot without --cpu skylakex --cores 1 --args "levels=1"
in_order without
claim "kernels = ret.* !ret.ms runs the others" has without '.type == "kernel" and .kernel == "ret.nop"'
claim "and not ret.ms" has_no without '.type == "kernel" and .kernel == "ret.ms"'

# refuse NAME FILE TEXT WHERE: with TEXT in \slotscope\FILE there is an error with file, line, column and
# expectation, nothing is measured, and the run still ends in order.
refuse() {
    stick "$1"
    mkdir -p "$work/$1.esp/slotscope/cpu"
    printf '%b' "$3" >"$work/$1.esp/slotscope/$2"
    boot "$1" --cpu skylakex --cores 2
    in_order "$1"
    claim "$1: an error record names $4 and what was expected" has "$1" \
        ".type == \"error\" and (\"\(.where): \(.what)\" | test(\"$4\")) and .expected != null"
    claim "$1: a verdict says so" grep '^not ok [0-9]* - configuration' "$work/$1.log"
    nothing_measured "$1"
}
skylakex='cpu skylakex\nsignature 06_55\nwidth 4\n'
refuse unknown-key slotscope.cfg 'repeats = 3\nwindw = 4\n' 'slotscope.cfg:2:1'
refuse bad-value slotscope.cfg 'repeats = many\n' 'slotscope.cfg:1:11'
refuse too-deep slotscope.cfg 'repeats = 3\nlevels = 9\n' 'slotscope.cfg:2:10'
claim "too-deep: it names the levels that there are" has too-deep '.type == "error" and (.expected | test("1\\.\\.6"))'
refuse exclusive slotscope.cfg 'multiplex = yes\ninterval = 100us\n' 'slotscope.cfg:2:12'
refuse unknown-node slotscope.cfg 'nodes = tma_nonsense\n' 'tma_nonsense'
refuse unknown-cpu slotscope.cfg 'cpu = nonsense\n' 'nonsense'
refuse unknown-event cpu/skylakex.def "${skylakex}node tma_retiring level 1 = NO.SUCH / 4\n" 'skylakex.def:4:29'
event='event A.B 0x0e umask 0x01\n'
refuse parenthesis cpu/skylakex.def "${skylakex}${event}node tma_retiring level 1 = ( A.B / 4\n" 'skylakex.def:5:'
refuse zero-division cpu/skylakex.def "${skylakex}${event}node tma_retiring level 1 = A.B / 0\n" 'skylakex.def:5:'
refuse cycle cpu/skylakex.def "${skylakex}node tma_a level 1 = tma_b + 1\nnode tma_b level 1 = tma_a + 1\n" \
    'skylakex.def:[45]:'
filler=$(yes '# a comment that makes the file longer than a mebibyte' | head -n 20000)
refuse large cpu/skylakex.def "$(cat pmu/cpu/skylakex.def)\n$filler" 'skylakex.def'
claim "large: it names the limit" has large '.type == "error" and (.expected | test("at most 1024 KiB"))'
# Load options as `bcfg boot -opt` hands them over, from a file that an editor wrote.
boot marked --cpu skylakex --cores 1 --args "$(printf '\357\273\277kernels=ret.nop\tlevels=1\r\nrepeats=1 ')"
no_error marked
claim "marked: load options behind a byte order mark, parted by tabs and line ends, are read" \
    has marked '.type == "machine" and .levels == 1 and .repeats == 1'
claim "marked: nothing is said of them" absent '^# load options' "$work/marked.log"
# Those that are no text are none, and that is said.
stick binary
printf 'kernels = ret.nop\nlevels = 1\nrepeats = 1\n' >>"$work/binary.esp/slotscope/slotscope.cfg"
boot binary --cpu skylakex --cores 1 --args "$(printf 'repeats=3 \001')"
claim "binary: load options that are no text are named" \
    grep -x '# load options, 24 bytes, are ignored: they are no ASCII text' "$work/binary.log"
claim "binary: and none of them counts" has binary '.type == "machine" and .repeats == 1'
stick long
printf 'kernels = ret.nop\nlevels = 1\nrepeats = 1\n' >>"$work/long.esp/slotscope/slotscope.cfg"
boot long --cpu skylakex --cores 1 --args "$(printf 'repeats=3 %01014d' 0)"
claim "long: so are those that are too long" grep -x '# load options, 2050 bytes, are ignored: they are too long' "$work/long.log"
# The configuration as an editor writes it that calls UTF-16 Unicode.
for order in LE BE; do
    stick wide
    mark='\377\376'
    [ $order = LE ] || mark='\376\377'
    {
        printf "$mark"
        printf 'detail = full\r\n\tkernels = ret.nop\r\nlevels = 1 # caf\303\251\r\nrepeats = 1\r\n' | iconv -f UTF-8 -t UTF-16$order
    } >"$work/wide.esp/slotscope/slotscope.cfg"
    "$build/rig" --cpu skylakex --cores 1 --esp "$work/wide.esp" --seconds 3600 2>"$work/wide.err" | tr -d '\r' >"$work/wide.log"
    no_error wide
    claim "UTF-16$order: the configuration is read" has wide '.type == "machine" and .detail == "full" and .levels == 1 and .repeats == 1'
done
finish
