#!/bin/sh
# The log on a stick that fails: one call of a file at each place of the run, and every call from each place on. After one
# failure nothing is missing on the stick; what a dead stick lacks is named on the serial line, and what it has is whole. TAP
# on standard output.
#   stick.sh BUILD
# Every tenth place, and the last ones; with TREE=all every place. The sweep tries the others, by chance.
set -u
. tests/boot.sh
slotlog=$build/slotlog

# run NAME OPTION...: both get the full log, whose records are of the same things wherever the stick fails.
run() {
    name=$1
    shift
    boot "$name" --cpu skylakex --cores 1 --args "kernels=cal.branches levels=1 repeats=1 warmup=1" "$@"
}
# kept NAME: what the records are of that the run has on its stick; those of errors left out.
kept() {
    grep '^{' "$work/$1.esp/slotscope/slotscope.log" |
        jq -c 'select(.type != "error") | [.type, .core, .kernel, .window, .iterations]'
}
run sound --fault-points "$work/points"
kept sound >"$work/sound.kept"
# how_many CLASS: how many K it has.
how_many() { jq -r --arg class "$1" 'select(.class == $class) | .count' "$work/points"; }
writes=$(how_many stick)
claim "sound: the stick's log is whole, after $writes writes" "$slotlog" verify "$work/sound.esp/slotscope/slotscope.log"
claim "sound: all of it is the serial line's" same "$work/sound.log" "$work/sound.esp/slotscope/slotscope.log"

# safe SAID OPTION...: nothing is missing on the stick, and a comment says that something was (SAID: said, silent).
safe() {
    said=$1
    shift
    run safe "$@"
    [ "$(cat "$work/safe.status")" = 0 ] || { cat "$work/safe.err"; return 1; }
    "$slotlog" verify "$work/safe.log" "$work/safe.esp/slotscope/slotscope.log" && kept safe | diff "$work/sound.kept" - &&
        { [ "$said" = silent ] || grep '^# the log file could not be written, and now is: nothing is missing there' "$work/safe.log"; }
}
# next K COUNT: the place to be tried behind K.
step=10
[ "${TREE-}" != all ] || step=1
next() {
    if [ "$1" -lt "$2" ] && [ $(($1 + step)) -gt "$2" ]; then echo "$2"; else echo $(($1 + step)); fi
}
# all_safe CLASS FROM: each K from that one on; behind the last one nothing can be said any more.
all_safe() {
    class=$1 count=$(how_many "$2") k=$3
    while [ "$k" -le "$count" ]; do
        said=said
        [ "$k" -lt "$count" ] || said=silent
        safe $said --fault "$class:$k" || { echo "$class:$k"; return 1; }
        k=$(next "$k" "$count")
    done
    [ "$count" -gt 0 ]
}
claim "a write that fails: nothing is missing" all_safe uefi:file_write uefi:file_write 1
claim "a flush that fails" all_safe uefi:file_flush uefi:file_flush 1
claim "a write that takes half and says all" all_safe stick:short stick 1
claim "a write that takes nothing and says all" all_safe stick:lost stick 1
# The first call is for what the image was started from: without it there is no stick.
found() {
    count=$(how_many uefi:handle_protocol) k=2
    while [ "$k" -le "$count" ]; do
        safe silent --fault "uefi:handle_protocol:$k" || { echo "handle_protocol:$k"; return 1; }
        k=$(next "$k" "$count")
    done
    [ "$count" -gt 2 ]
}
claim "a protocol that is not found once, but the first: the stick is" found
claim "a failure while the file is opened again" safe said --fault uefi:file_write:9 --fault uefi:file_set_position:1
claim "two failures in a row" safe said --fault uefi:file_write:9 --fault uefi:file_write:10
claim "which the log names, in both places" sh -c "
    for log in '$work/safe.log' '$work/safe.esp/slotscope/slotscope.log'; do
        grep 'the log file cannot be written: what follows may be missing there' \"\$log\" || exit 1; done"

# named FAULT: what is on the stick is whole as far as it goes, and the serial line's log is, too, and says what happened.
named() {
    run dead --fault "$1"
    [ "$(cat "$work/dead.status")" = 0 ] || { cat "$work/dead.err"; return 1; }
    "$slotlog" verify "$work/dead.log" && grep -q 'the log file cannot be written' "$work/dead.log" || return 1
    [ ! -s "$work/dead.esp/slotscope/slotscope.log" ] || "$slotlog" verify "$work/dead.esp/slotscope/slotscope.log" |
        grep ' 0 damaged lines, 0 records missing'
}
# all_named CLASS POINTS: from each K on, but for the last write, which is the plan.
all_named() {
    class=$1 k=1 last=$(($(how_many "$2") - 1))
    while [ "$k" -le "$last" ]; do
        named "$class:$k$3" || { echo "$class:$k$3"; return 1; }
        k=$(next "$k" "$last")
    done
}
claim "a stick that is pulled at a write: the loss is named" all_named stick:pulled stick ''
claim "writes that fail from each one on" all_named uefi:file_write uefi:file_write -
finish
