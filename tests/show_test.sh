#!/bin/sh
# `make run`: its last line is where the page is, or how to get one. A script plays the rig. TAP on standard output.
#   show_test.sh BUILD
set -u
. tests/tap.sh
run=$work/build
mkdir -p "$run/esp"
cp "$build/slotlog" "$run/"
sh tests/tools/sample_log.sh >"$work/sample.log"
cat >"$run/rig" <<EOF
#!/bin/sh
while [ "\$1" != --esp ]; do shift; done
mkdir -p "\$2/slotscope"
cp "$work/sample.log" "\$2/slotscope/slotscope.log"
printf 'TAP version 14\\r\\n# a comment\\r\\n'
exit 4
EOF
chmod +x "$run/rig"
shown() { sh tools/show.sh "$run" >"$work/shown" 2>&1; }

shown
claim "the rig's status is make run's" [ $? -eq 4 ]
claim "comments of the log are shown" grep -x 'a comment' "$work/shown"
how="as a page with charts: make report-library (once), then $run/slotlog report $run/run-esp/slotscope/slotscope.log -o $run/report.html"
claim "without Apache ECharts the last line says how to get a page" [ "$(tail -n 1 "$work/shown")" = "$how" ]
if [ -d "$build/echarts" ]; then
    cp -r "$build/echarts" "$run/"
    shown
    claim "with it the last line is the page's path" [ "$(tail -n 1 "$work/shown")" = "as a page with charts: $run/report.html" ]
    claim "and the page is there" grep -q '<title>slotscope report' "$run/report.html"
fi
finish
