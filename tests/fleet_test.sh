#!/bin/sh
# Twenty rigs at once (examples/fleet): each one's serial line is a pseudo-terminal at 115200 baud that ser2net serves over
# TCP. Nothing is lost, and all of it is in one SQLite file. TAP on standard output.
#   fleet_test.sh BUILD
set -u
. tests/boot.sh
for program in ser2net socat pv sqlite3; do
    command -v $program >/dev/null 2>&1 || skip_all "twenty rigs" "there is no $program"
done
first=$((20000 + $$ % 20000))

# Ten processors, two rigs each: the second one's log is the first one's with another nonce. What a rig says comes first
# into a file, so that twenty can send at once.
rigs=
for cpu in prescott core2 nehalem ivybridge haswell skylakex icelakex sapphirerapids graniterapids alderlake; do
    boot $cpu-one --cpu $cpu --cores 1 --args "kernels=ret.nop repeats=1 warmup=0 levels=1"
    sed -E '/^\{"type":"log"/s/("nonce":"0x.{8}).{8}/\100000002/' "$work/$cpu-one.log" |
        perl tests/tools/crc.pl >"$work/$cpu-two.log"
    sed 's/$/\r/' "$work/$cpu-two.log" >"$work/$cpu-two.serial"
    rigs="$rigs $cpu-one $cpu-two"
done
# Two rigs are switched on by labgrid's driver, where that is installed.
power=examples/fleet/power.py
by_labgrid=no
! /usr/bin/python3 -c 'import labgrid' 2>/dev/null || by_labgrid=yes
echo 'targets:' >"$work/labgrid.yaml"
for name in skylakex-one skylakex-two; do
    printf '  %s:\n    drivers:\n      ExternalPowerDriver: {cmd_on: "false", cmd_off: "false", cmd_cycle: "touch %s"}\n' \
        $name "$work/$name.on" >>"$work/labgrid.yaml"
done
port=$first
: >"$work/rigs.txt"
printf '%%YAML 1.1\n---\n' >"$work/ser2net.yaml"
for name in $rigs; do
    port=$((port + 1))
    # The rig is powered on by the file NAME.on, and sends as fast as the line takes it.
    {
        until [ -e "$work/$name.on" ]; do sleep 0.2; done
        pv -q -L 11520 "$work/$name.serial"
        sleep 2
    } | socat -u - "PTY,link=$work/$name.tty,raw,echo=0,wait-slave" &
    printf 'connection: &rig%s\n  accepter: tcp,localhost,%s\n  connector: serialdev,%s,115200n81,local\n' \
        "$port" "$port" "$PWD/$work/$name.tty" >>"$work/ser2net.yaml"
    case $by_labgrid$name in
    yesskylakex*) echo "$name tcp:localhost:$port /usr/bin/python3 $power $work/labgrid.yaml $name" ;;
    *) echo "$name tcp:localhost:$port touch $work/$name.on" ;;
    esac >>"$work/rigs.txt"
done
sleep 1
ser2net -n -c "$work/ser2net.yaml" >"$work/ser2net.said" 2>&1 &
server=$!
sleep 1
SLOTLOG=$build/slotlog sh examples/fleet/fleet.sh "$work/rigs.txt" "$work/fleet" >"$work/fleet.said" 2>&1
echo $? >"$work/fleet.status"
kill $server
wait 2>/dev/null

lost=0
for name in $rigs; do
    cmp -s "$work/$name.log" "$work/fleet/$name.log" || { lost=$((lost + 1)); echo "# $name: $(tail -2 "$work/fleet/$name.said")"; }
done
claim "twenty rigs at once: every log is byte for byte what its rig sent" [ $lost -eq 0 ]
claim "one line says what came of each" [ "$(grep -c 'problems; ' "$work/fleet.said")" -eq 20 ]
claim "all runs are in one file" [ "$(sqlite3 "$work/fleet/fleet.sqlite" 'SELECT count(*) FROM run')" = 20 ]
not_ok=$(for name in $rigs; do cat "$work/$name.log"; done | grep -c '^not ok')
claim "with every verdict that failed" \
    [ "$(sqlite3 "$work/fleet/fleet.sqlite" 'SELECT sum(failed) FROM run')" = "$not_ok" ]
claim "the exit status says whether all is well" \
    [ "$(cat "$work/fleet.status")" = $([ "$not_ok" -eq 0 ] && echo 0 || echo 1) ]
if [ $by_labgrid = yes ]; then
    claim "labgrid's driver switched two of them on" [ "$(grep -c "$power" "$work/rigs.txt")/$(ls "$work"/skylakex-*.on | wc -l)" = 2/2 ]
    claim "a driver that fails is said" sh -c "
        printf 'targets: {rig: {drivers: {ExternalPowerDriver: {cmd_on: \"false\", cmd_off: \"false\", cmd_cycle: \"false\"}}}}\n' >'$work/off.yaml'
        ! /usr/bin/python3 $power '$work/off.yaml' rig 2>'$work/off.said' && [ -s '$work/off.said' ]"
    claim "the example's drivers are labgrid's" /usr/bin/python3 -c '
import sys
from labgrid import Environment
for rig in ("rig01", "rig02"):
    target = Environment(sys.argv[1]).get_target(rig)
    assert target.get_driver("PowerProtocol", activate=False).port.model == "netio"' examples/fleet/labgrid.yaml
else
    number=$((number + 1))
    echo "ok $number - labgrid's driver switched two of them on # SKIP python3-labgrid is not installed"
fi
refused() {
    sh examples/fleet/fleet.sh "$1" "$2" >"$work/out" 2>&1
    [ $? -eq 2 ] && [ "$(wc -l <"$work/out")" -eq 1 ] && grep -E "$3" "$work/out" || { cat "$work/out"; return 1; }
}
echo '# none' >"$work/none.txt"
printf 'a /dev/null\na /dev/zero\n' >"$work/twice.txt"
claim "no rigs are refused" refused "$work/none.txt" "$work/f2" 'names no rig'
claim "a rig that is named twice" refused "$work/twice.txt" "$work/f2" 'named twice: a'
echo 'rig1' >"$work/lineless.txt"
claim "a rig without a line is refused" refused "$work/lineless.txt" "$work/fleet2" 'no line is named for: rig1'
echo '../rig1 /dev/null' >"$work/outside.txt"
claim "so is a name that leads out of the folder" refused "$work/outside.txt" "$work/fleet2" "make no file's name: ../rig1"
powerless() {
    echo "dark $work/no-such-line touch $work/powered" >"$work/dark.txt"
    sh examples/fleet/fleet.sh "$work/dark.txt" "$work/fleet3" >"$work/out" 2>&1
    [ $? -eq 1 ] && [ ! -e "$work/powered" ] && grep 'dark .*No such file' "$work/out"
}
claim "a rig whose line cannot be opened is not switched on, and its line says why" powerless
# Two rigs of a kind that send the same bytes, between them one that was reset in its run; their lines are files.
twins() {
    serial=$work/skylakex-one.serial
    { head -c 3000 "$serial"; cat "$serial"; } >"$work/reset.serial"
    printf 'one %s\nreset %s\ntwo %s\n' "$serial" "$work/reset.serial" "$serial" >"$work/twins.txt"
    SLOTLOG=$build/slotlog sh examples/fleet/fleet.sh "$work/twins.txt" "$work/fleet4" >"$work/out" 2>&1
    [ $? -eq 1 ] && grep 'reset.log: a log of 2 runs' "$work/out" && grep 'two.log: .* those of .*one.log, byte for byte' "$work/out" &&
        [ "$(sqlite3 "$work/fleet4/fleet.sqlite" 'SELECT file FROM run ORDER BY file' | tr '\n' ' ')" = \
            "$(realpath "$work")/fleet4/one.log $(realpath "$work")/fleet4/two.log " ]
}
claim "two rigs that send the same are two, and one that was reset keeps none out" twins
claim "logs that are there are not written over" refused "$work/rigs.txt" "$work/fleet" 'is there already'
finish
