#!/bin/sh
# `make run`: slotscope on the virtual rig. The terminal shows what a person wants to see; the whole log is kept.
#   show.sh BUILD [--cpu NAME] [more options of the rig]
set -eu
build=$1
shift
log=$build/run-esp/slotscope/slotscope.log
serial=$build/run.log
rm -rf "$build/run-esp" "$build/run.status"
mkdir -p "$build/run-esp"
cp -r "$build/esp/." "$build/run-esp/"
[ $# -gt 0 ] || set -- --cpu skylakex
echo "slotscope on the virtual rig: $* --cores 4 (a modelled processor, not silicon)"
status=0
{ "$build/rig" "$@" --cores 4 --esp "$build/run-esp" --truth "$build/run.truth" || echo $? >"$build/run.status"; } |
    tr -d '\r' | tee "$serial" | sed -u -n -e '/^# crc of texts /d' -e 's/^# //p' -e 's/^#$//p' -e '/^not ok/p'
if [ -s "$build/run.status" ]; then
    status=$(cat "$build/run.status")
    rm -f "$build/run.status"
    echo "the rig ended with status $status"
fi
echo
echo "what the serial line said: $serial"
echo "whole log, from the stick: $log"
echo "as a test report: prove $log"
if [ ! -f "$build/echarts/echarts.min.js" ]; then
    echo "as a page with charts: make report-library (once), then $build/slotlog report $log -o $build/report.html"
elif "$build/slotlog" report "$log" -o "$build/report.html" || [ $? -eq 1 ]; then
    echo "as a page with charts: $build/report.html"
fi
exit "$status"
