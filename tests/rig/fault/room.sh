#!/bin/sh
# A stick without room for all of the log: how the log there ends, what goes first, and a file that may not grow. TAP on
# standard output.
#   room.sh BUILD
# Six sizes of what is free, by turns beside a serial line and without one; ROOM=all takes forty, both ways.
set -u
. tests/boot.sh
slotlog=$build/slotlog

# run NAME ARGUMENTS OPTION...: each log is the full one.
run() {
    name=$1 arguments=$2
    shift 2
    stick "$name"
    boot "$name" --cpu skylakex --cores 1 --args "kernels=cal.branches levels=1 repeats=1 warmup=1 $arguments" "$@"
    rm -f "$work/$name-stick.lines"
    cp "$work/$name.esp/slotscope/slotscope.log" "$work/$name-stick.log" 2>/dev/null || : >"$work/$name-stick.log"
}
run sound serial=none
claim "with room: the run is complete" grep -x 0 "$work/sound.status"
claim "with room: how much is needed, and how much is free, is said" \
    grep -E '^# stick: the full log takes about [0-9]+ KB of it, and [0-9]+ KB are free$' "$work/sound-stick.log"
claim "with room: nothing is left beside the log" [ "$(ls "$work/sound.esp/slotscope" | paste -sd' ')" = "slotscope.cfg slotscope.log" ]
# told NAME: the KB that it takes, and those that are free, as its log says before the run.
told() { sed -nE 's/^# stick: the full log takes about ([0-9]+) KB of it, and ([0-9]+) KB are free.*/\1 \2/p' "$work/$1-stick.log"; }
bytes=$(wc -c <"$work/sound-stick.log")
claim "with room: the need that is said is the log's size, $bytes bytes, to a tenth" \
    [ $(($(told sound | cut -d' ' -f1) * 10000)) -ge $((bytes * 9)) -a $(($(told sound | cut -d' ' -f1) * 10000)) -le $((bytes * 11)) ]
need=$((($(wc -c <"$work/sound-stick.log") + 1023) / 1024)) # KiB
end_room=8 # KiB, which the log's end is sure of

# ends LOG: to its end, with nothing damaged or missing before it, and the end says that it is cut, and where.
ends() {
    "$slotlog" verify "$work/$1.log" | grep -E ' 0 damaged lines, 0 records missing, 0 verdicts and comments not believed, 0 problems' &&
        has "$1" '.type == "end" and .reason == "full" and (.cut_behind | test("^(no kernel|cal[.][a-z]+ on core 0)$"))'
}
named() { has "$1" '.type == "error" and .what == "the log file has no room for more, and ends"'; }
# beside K: with a serial line. Where not even the end has room, the stick's log is without one.
beside() {
    run cut '' --fault "stick:room:$1"
    [ "$(cat "$work/cut.status")" = 4 ] && ends cut && named cut || return 1
    [ "$1" -lt $((end_room + 4)) ] || { ends cut-stick && named cut-stick; }
}
# alone K: the stick is all there is, and has not all: the machine stays on, halted, with its last page.
alone() {
    [ "$1" -ge $((end_room + 4)) ] || return 0
    run cut serial=none --fault "stick:room:$1" --processors "$work/cut.processors"
    [ "$(jq -r .stands "$work/cut.processors")" = halted_off ] || return 1
    ends cut-stick && named cut-stick
}
steps=6
[ "${ROOM-}" != all ] || steps=40
all_sizes() {
    for step in $(seq "$steps"); do
        room=$(((need + end_room) * (step - 1) / steps + 1))
        if [ "${ROOM-}" = all ] || [ $((step % 2)) = 1 ]; then beside $room || { echo "$room KiB, beside"; return 1; }; fi
        if [ "${ROOM-}" = all ] || [ $((step % 2)) = 0 ]; then alone $room || { echo "$room KiB, alone"; return 1; }; fi
    done
}
claim "of $need KiB and $end_room, any less: the log has its end, and says that and where it is cut" all_sizes
claim "so it is said before the run" grep -E '^# stick: .* KB are free: the log there may be cut$' "$work/cut-stick.log"
run enough serial=none --fault "stick:room:$((need + end_room + 1))"
# What is kept for the end is not free, nor what the log has by then.
free=$(told enough | cut -d' ' -f2)
claim "what is said to be free, $free KB, is what the stick has, less what is kept and written" \
    [ $((free * 1000)) -le $(((need + 1) * 1024)) -a $((free * 1000)) -ge $(((need + 1) * 1024 - 8192)) ]
claim "with so much: the run is complete" has enough-stick '.type == "end" and .reason == "complete" and (has("cut_behind") | not)'

# The log of the run before has what this one needs.
stick second
cp "$work/sound-stick.log" "$work/second.esp/slotscope/slotscope.log"
second() { boot second --cpu skylakex --cores 1 --args "kernels=cal.branches levels=1 repeats=1 warmup=1" --fault "stick:room:$((end_room + 4))"; }
second
cp "$work/second.esp/slotscope/slotscope.log" "$work/second-stick.log"
claim "the log of the run before goes first: this one is complete" grep -x 0 "$work/second.status"
claim "the stick's is whole" "$slotlog" verify "$work/second-stick.log"
claim "and says so" grep -x '# the log of the run before is deleted: the stick has no room for both' "$work/second-stick.log"
claim "it is not there any more" [ ! -e "$work/second.esp/slotscope/slotscope.1.log" ]

# A file of at most 16 KiB.
run parts '' --fault stick:largest:16
claim "a file that may not grow: the run is complete" grep -x 0 "$work/parts.status"
claim "the log goes on in others" [ "$(ls "$work/parts.esp/slotscope" | paste -sd' ')" = "slotscope-2.log slotscope-3.log slotscope.cfg slotscope.log" ]
cat "$work/parts.esp/slotscope/slotscope.log" "$work/parts.esp/slotscope/slotscope-2.log" "$work/parts.esp/slotscope/slotscope-3.log" \
    >"$work/parts-stick.log"
claim "which together are whole" "$slotlog" verify "$work/parts-stick.log"
claim "and are the line's log" same "$work/parts.log" "$work/parts-stick.log"
claim "which says where it goes on" grep -x '# the log file may not grow; the log goes on in slotscope-2.log, which belongs behind it' "$work/parts.log"
finish
