#!/bin/sh
# Measures a fleet: captures every rig at once, puts the logs into one SQLite file, and says what came of each.
#   fleet.sh RIGS FOLDER
# A line of RIGS is a name, where its serial line is (a device, or tcp:HOST:PORT), and, optional, the command that
# power-cycles it, which is run when its line is open. A # begins a comment. FOLDER gets NAME.log, NAME.said (what the
# capture said), NAME.power (what the command said) and fleet.sqlite. Exit status: 0 every run is whole and nothing
# failed, 1 not, 2 it could not begin.
set -u
slotlog=${SLOTLOG:-build/slotlog}
[ $# -eq 2 ] && [ -r "$1" ] || { echo "usage: fleet.sh RIGS FOLDER   (RIGS is a file: NAME LINE [POWER COMMAND])" >&2; exit 2; }
rigs=$1 folder=$2
# The lines of RIGS, without comments and what Windows ends a line with.
lines() { tr -d '\r' <"$rigs" | sed 's/#.*//' | awk 'NF'; }
names=$(lines | awk '{ print $1 }')
[ -n "$names" ] || { echo "fleet: $rigs: names no rig" >&2; exit 2; }
twice=$(echo "$names" | sort | uniq -d | paste -sd' ')
[ -z "$twice" ] || { echo "fleet: $rigs: named twice: $twice" >&2; exit 2; }
lineless=$(lines | awk 'NF == 1 { print $1 }' | paste -sd' ')
[ -z "$lineless" ] || { echo "fleet: $rigs: no line is named for: $lineless" >&2; exit 2; }
odd=$(echo "$names" | grep -E '/|^[.-]' | paste -sd' ')
[ -z "$odd" ] || { echo "fleet: $rigs: names that make no file's name: $odd" >&2; exit 2; }
mkdir -p "$folder" || exit 2
for name in $names; do
    [ ! -e "$folder/$name.log" ] || { echo "fleet: $folder/$name.log: is there already" >&2; exit 2; }
done

# one NAME LINE [POWER COMMAND...]: one rig, from power-on to the end of its run.
one() {
    name=$1 line=$2
    shift 2
    "$slotlog" capture "$line" -o "$folder/$name.log" 2>"$folder/$name.said" &
    capture=$!
    if [ $# -gt 0 ]; then
        sleep 1 # the line is open, or the capture has ended
        ! kill -0 $capture 2>/dev/null || "$@" >"$folder/$name.power" 2>&1 ||
            echo "$name: the power command ended with status $?: $*" >&2
    fi
    wait $capture
    echo $? >"$folder/$name.status"
}
lines >"$folder/rigs"
while read -r words; do
    # shellcheck disable=SC2086
    one $words </dev/null &
done <"$folder/rigs"
wait

worst=0
for name in $names; do
    status=$(cat "$folder/$name.status" 2>/dev/null || echo 2)
    printf '%-20s %s\n' "$name" "$(tail -1 "$folder/$name.said" | sed 's/^slotlog: [^ ]*: //')"
    [ "$status" = 0 ] || worst=1
done
# One by one: a log that is refused, such as that of a rig that was reset in its run, keeps no other out.
for name in $names; do
    [ ! -s "$folder/$name.log" ] || "$slotlog" merge "$folder/$name.log" -o "$folder/fleet.sqlite" || worst=1
done
exit $worst
