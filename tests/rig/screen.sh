#!/bin/sh
# The screen: a still page for people, drawn so rarely that a slow console does not slow the run, and ESC. TAP on
# standard output.
#   screen.sh BUILD
set -u
. tests/boot.sh

# screen NAME OPTION...: a run whose last screen is NAME.txt, or NAME.svg where the options name it.
screen() {
    name=$1
    shift
    stick "$name"
    printf 'detail = brief\n' >>"$work/$name.esp/slotscope/slotscope.cfg"
    boot "$name" --cpu skylakex --screen "$work/$name.txt" "$@"
    in_order "$name"
}
line() { sed -n "${2}p" "$work/$1.txt"; }
says() { # NAME ROW TEXT
    echo "row $2: '$(line "$1" "$2")', expected '$3'"
    [ "$(line "$1" "$2")" = "$3" ]
}
# The verdicts of the end record, as the page writes them.
verdicts() {
    records "$1" 'select(.type == "end") |
        " verdicts: \(.pass) ok, \(.fail) not ok, \(.skip) skipped; windows thrown away: \(.discarded)"'
}
duration() { records "$1" 'select(.type == "end").duration_us'; }
no_log() { ! grep -E '^(ok|not ok|\{|# |1\.\.)' "$work/$1.txt" && [ "$(wc -l <"$work/$1.txt")" -le 25 ]; }

screen page --cores 2 --args 'kernels=be.core.div,fe.icache'
claim "page: no line of the log is on the screen, and nothing scrolled" no_log page
brand=$(records page 'select(.type == "core" and .core == 0).brand')
claim "page: the first row names the processor" says page 1 " slotscope  $brand"
claim "page: how the run ended, as in the end record" \
    says page 3 " the run is over: $(records page 'select(.type == "end").reason')"
claim "page: the verdicts are those of the end record" says page 6 "$(verdicts page)"
claim "page: the last row says who keeps the log" \
    says page 25 " The log: serial line $(records page 'select(.type == "machine").serial'), and the stick"

# The bars: a picture of the same run. A bar of 40 columns of 8 pixels is all of the slots; the log's shares are those
# of the last kernel on the last core.
boot page --cpu skylakex --cores 2 --args 'kernels=be.core.div,fe.icache detail=full' --screen "$work/page.svg"
kernel=$(sed -n '8s/^ \([a-z0-9.]*\) on core 1:.*/\1/p' "$work/page.txt")
claim "page: the shares are those of the kernel that was measured last" [ "$kernel" = fe.icache ]
# NODE COLUMNS of the nodes that the page names, where a bar has a column at least, by name.
wanted_bars() {
    sed -n 's/^ *\(tma_[a-z_]*\) .*/\1/p' "$work/page.txt" >"$work/named"
    records page "select(.type == \"topdown\" and .kernel == \"$kernel\" and .core == 1) | .nodes | to_entries[] |
        select(.value != null) | \"\(.key) \((.value * 40 + 0.5) | floor)\"" |
        grep -v ' 0$' | grep -wF -f "$work/named" | sort
}
drawn_bars() {
    awk '
        /<rect x="272"/ { split($0, part, "\""); bar[part[4]] = part[6] / 8 }
        /<text x="0"/ { split($0, part, "\""); y = part[4] - 13; sub(/<text[^>]*> */, ""); sub(/ .*/, ""); name[y] = $0 }
        END { for (y in bar) print name[y], bar[y] }' "$work/page.svg" | sort
}
bars() {
    wanted_bars >"$work/wanted"
    drawn_bars >"$work/drawn"
    [ "$(grep -c . "$work/wanted")" -ge 3 ] && same "$work/wanted" "$work/drawn" || {
        cat "$work/wanted" "$work/drawn"
        false
    }
}
claim "page: each node's bar is as long as its share in the full log" bars

# Failures are on the page, the newest first.
stick failing
boot failing --cpu skylakex --cores 1 --fault count:BR_INST_RETIRED.ALL_BRANCHES:5 --screen "$work/failing.txt" \
    --args 'kernels=cal.*'
# Each has its first 78 characters in a row, and the rest in another.
last_failures() {
    tac "$work/failing.log" | sed -n 's/^not ok [0-9]* - //p' | cut -c 1-154 |
        sed 's/^\(.\{78\}\)\(.\)/ \1\n   \2/;t;s/^/ /' | sed 's/ *$//' | head -3
}
failures_shown() {
    last_failures >"$work/failures"
    tail -4 "$work/failing.txt" | head -3 >"$work/shown"
    [ "$(grep -c . "$work/failures")" -eq 3 ] && same "$work/failures" "$work/shown" || {
        cat "$work/failures" "$work/failing.txt"
        false
    }
}
claim "failing: the page has the last failures" failures_shown

# A console that takes 50 ms for each scrolled row and a stick that takes 20 ms for each flush, beside a serial line of
# 115200 baud, which every run of this program on a board has. With TREE=all it is the default run, else a part of it.
some='levels=1 kernels=be.core.div,be.core.port,fe.icache,ret.nop'
[ "${TREE-}" != all ] || some=
screen quick --cores 1 --serial-paced --args "$some"
screen slow --cores 1 --serial-paced --console-row-us 50000 --stick-flush-us 20000 --args "$some"
# 10 bits a byte.
line_us=$(($(wc -c <"$work/quick.serial") * 1000000 / 11520))
claim "quick: the line is busy for $line_us us of the run's $(duration quick)" \
    [ "$(duration quick)" -ge $((line_us * 9 / 10)) ]
claim "slow: console and stick take the run at most 1.5 times as long: $(duration quick) and $(duration slow) us" \
    [ $((2 * $(duration slow))) -le $((3 * $(duration quick))) ]
said() { sed -n 's/^\(not \)*ok [0-9]* - //p' "$work/$1.log" >"$work/$1.said" && [ -s "$work/$1.said" ]; }
alike() { said quick && said slow && same "$work/quick.said" "$work/slow.said"; }
claim "slow: the verdicts are the same" alike
claim "slow: the stick has the whole log" whole "$work/slow.esp/slotscope/slotscope.log"

# ESC, after 50 other keys: 16 are read at a time.
screen escape --cores 2 --keys "$(printf '%050d\033' 0)"
stopped() {
    has "$1" '.type == "end" and .reason == "stopped"' && [ "$(cat "$work/$1.status")" = 4 ] &&
        grep '^ok .* core 1 the last [1-9][0-9]* kernels # SKIP ESC was pressed' "$work/$1.log"
}
claim "escape: the run ends in order, and says which kernels were not measured" stopped escape
claim "escape: the page says so" says escape 3 " the run is over: stopped"
no_failure escape
# ESC before the first kernel: nothing is measured, and the run says why.
screen at-once --cores 2 --keys "$(printf '\033')"
claim "at-once: no kernel of either core is measured, and ESC is the reason" \
    [ "$(grep -c '^ok .* # SKIP ESC was pressed: the run ended early' "$work/at-once.log")" -eq 2 ]
no_failure at-once

# ESC that was pressed for the firmware's boot menu ends nothing.
screen before --cores 1 --keys-before "$(printf 'x\033\033')" --args 'kernels=ret.nop levels=1 repeats=1'
claim "before: the run is complete" has before '.type == "end" and .reason == "complete"'
# A console that nobody has set up has no mode, and takes nothing before it has one; one that takes nothing is left alone.
screen unset --cores 1 --text-mode-unset --args 'kernels=ret.nop levels=1 repeats=1'
claim "unset: the page is shown" says unset 3 " the run is over: complete"
screen refuses --cores 1 --fault uefi:output_string:3- --args 'kernels=ret.nop levels=1 repeats=1'
claim "refuses: the run is complete, and says what does not take its page" \
    grep -x '# 1 screens take no text, and are left alone' "$work/refuses.log"

# Without a screen nothing is drawn, and without boot services the screen keeps what it shows.
few='levels=1 repeats=1 warmup=0 kernels=ret.nop'
screen none --cores 1 --args "screen=no $few"
claim "none: nothing is drawn" [ ! -s "$work/none.txt" ]
screen exclusive --cores 1 --args "exclusive=yes $few"
claim "exclusive: the screen says where the results are" \
    grep 'boot services end: results are on the serial line only' "$work/exclusive.txt"

# No serial line and no file: the machine stays on with the summary. The rig then finds every processor halted; after
# a power-off its message names the shutdown's status.
stick alone
boot alone --cpu skylakex --cores 1 --args "serial=none log=none $few" --screen "$work/alone.txt"
claim "alone: the page says that nobody keeps the log" \
    says alone 25 " The log: kept nowhere (no serial line, no stick): the machine stays on"
claim "alone: and how the run ended" says alone 3 " the run is over: complete"
finish
