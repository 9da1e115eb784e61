#!/bin/sh
# Machines with several packages: where each core is, and who its partner is. TAP on standard output.
#   sockets.sh BUILD
set -u
. tests/boot.sh

# places NAME: "CORE PACKAGE NODE" of each core.
places() { records "$1" 'select(.type == "core") | "\(.core) \(.package) \(.node)"' | paste -sd,; }
# machine NAME PLACES OPTION...: the default run's kernels that need two cores.
machine() {
    name=$1 places_wanted=$2
    shift 2
    boot "$name" --cpu skylakex "$@"
    in_order "$name"
    no_error "$name"
    no_failure "$name"
    claim "$name: package and node of each core" [ "$(places "$name")" = "$places_wanted" ]
}

machine one "0 0 null,1 0 null" --cores 2 --args "kernels=be.mem.contested cores=all log=none"
machine two "0 0 0,1 0 0,2 1 1,3 1 1" --cores 4 --sockets 2 --args "kernels=be.mem.contested cores=all log=none"
claim "two: each core has a partner in its own package" absent 'is in another package' "$work/two.log"
machine far "0 0 0,2 1 1" --cores 4 --sockets 2 --args "kernels=be.mem.contested cores=0,2 log=none"
claim "far: a partner in another package is named" \
    [ "$(grep -c '^# core [02] be\.mem\.contested[a-z_.]*: its partner, core [02], is in another package$' "$work/far.log")" -ge 2 ]
machine threads "0 0 0,1 0 0,2 0 0,3 0 0,4 1 1,5 1 1,6 1 1,7 1 1" --cores 4 --sockets 2 --smt \
    --args "kernels=cal.instructions cores=all log=none"

claim "a package of three cores is refused" refuses --cpu skylakex --cores 6 --sockets 2
claim "and cores that cannot be shared out" refuses --cpu skylakex --cores 5 --sockets 2
finish
