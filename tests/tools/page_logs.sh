# Logs that the suites of the page look at, in the folder $once; sourced behind tests/boot.sh. good.log is a sound run in the
# brief form, full.log the same in full; off.log, in full, has a counter that lies.
# shellcheck disable=SC2154 # tap.sh gives $build, $work and $once
page_logs() {
    kernels='kernels=cal.*,be.core.chain,be.mem.l2,bs.coinflip,mix.core.port,lbr.*,ret.nop levels=2 repeats=1 warmup=1'
    boot good --cpu skylakex --cores 2 --args "$kernels"
    boot off --cpu skylakex --cores 2 --args "$kernels" --fault count:BR_INST_RETIRED.ALL_BRANCHES:5
    cp "$work/good.log" "$once/good.log"
    cp "$work/good.esp/slotscope/slotscope.log" "$once/full.log"
    cp "$work/off.esp/slotscope/slotscope.log" "$once/off.log"
}
# large_page FULL: large.log, of 64 cores and 100 kernels, large.html, and large.status, of `slotlog report`.
large_page() {
    sh tests/tools/large_log.sh "$1" >"$once/large.log"
    "$build/slotlog" report "$once/large.log" -o "$once/large.html"
    echo $? >"$once/large.status"
}
once page_logs page_logs
logs=$once full=$once/full.log off=$once/off.log
once large_page large_page "$full"
large=$once/large
