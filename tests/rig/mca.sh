#!/bin/sh
# The core model against llvm-mca, the same loop bodies through both. TAP on standard output.
#   mca.sh BUILD
# Where they may differ by more than a quarter, and why, is in mca/differences.
set -u
. tests/tap.sh
here=tests/rig/mca
limit_mean=15 limit_each=25

command -v llvm-mca >/dev/null 2>&1 || skip_all "loop bodies against llvm-mca" "llvm-mca is not installed"

# assemble NAME FILE...: the bodies of these files as one, NAME.s and NAME.dis
assemble() {
    name=$1
    shift
    (cd $here && cat "$@") >"$work/$name.s"
    as "$work/$name.s" -o "$work/$name.o" && objdump -dw "$work/$name.o" >"$work/$name.dis"
}
# predict PERSONALITY PROCESSOR: "BODY CYCLES" by llvm-mca. The difference of two lengths leaves out what the
# start of the pipeline costs.
predict() {
    for iterations in 1000 2000; do
        llvm-mca -mcpu="$2" -iterations=$iterations -summary-view -resource-pressure=0 -instruction-info=0 \
            "$work/$1.s" |
            awk '/Code Region - /{ name = $NF } /^Total Cycles:/{ print name, $NF }' >"$work/mca.$iterations"
    done
    paste -d ' ' "$work/mca.1000" "$work/mca.2000" | awk '{ printf "%s %.3f\n", $1, ($4 - $2) / 1000 }'
}
# compare PERSONALITY: a verdict for each body and one for the mean, from "BODY MODEL BODY LLVM" lines.
compare() {
    awk -v cpu="$1" -v mean="$limit_mean" -v each="$limit_each" -v first="$number" '
        FNR == NR {
            if ($1 == cpu && sub(/^[^ ]+ /, "")) {
                body = $1
                sub(/:$/, "", body)
                sub(/^[^:]*: /, "")
                why[body] = $0
            }
            next
        }
        {
            off = ($2 - $4) / $4 * 100
            sum += off < 0 ? -off : off
            far = off > each || off < -each
            bad = (far != ($1 in why)) || $1 != $3
            printf "%s %d - %s %s: %.2f cycles, llvm-mca %.2f (%+.0f %%)", (bad ? "not ok" : "ok"), first + FNR,
                cpu, $1, $2, $4, off
            print (($1 in why) ? ": " why[$1] : far ? ", and no reason is known" : "")
            delete why[$1]
        }
        END {
            line = first + FNR
            for (body in why)
                printf "not ok %d - %s %s: a difference is explained, but there is no such body\n", ++line, cpu, body
            wrong = sum / FNR > mean || FNR < 30
            printf "%s %d - %s: mean error %.1f %% of %d bodies, at most %d\n", (wrong ? "not ok" : "ok"), ++line, cpu,
                sum / FNR, FNR, mean
        }' $here/differences -
}

# LLVM 14 has no model of its own for Ivy Bridge, which it plays as Sandy Bridge, nor for cores later than these.
for part in ivybridge:ivybridge: haswell:haswell:avx skylakex:skylake-avx512:avx512 icelakex:icelake-server:avx512; do
    cpu=${part%%:*} processor=${part#*:}
    case $part in
    *:avx512) assemble "$cpu" bodies.s bodies_avx.s bodies_avx512.s ;;
    *:avx) assemble "$cpu" bodies.s bodies_avx.s ;;
    *) assemble "$cpu" bodies.s ;;
    esac || exit 1
    predict "$cpu" "${processor%:*}" >"$work/$cpu.mca"
    "$build/mca-model" "$cpu" <"$work/$cpu.dis" >"$work/$cpu.model" || exit 1
    paste -d ' ' "$work/$cpu.model" "$work/$cpu.mca" | compare "$cpu" >"$work/$cpu.tap"
    cat "$work/$cpu.tap"
    number=$((number + $(wc -l <"$work/$cpu.tap")))
    failures=$((failures + $(grep -c '^not ok' "$work/$cpu.tap")))
done
finish
