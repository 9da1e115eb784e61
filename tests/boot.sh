# Suites that boot the image on the virtual rig source this in place of tap.sh. A run has a NAME; its files are in
# $work: NAME.esp the stick, NAME.serial the bytes of the serial line, NAME.log the same as lines, NAME.truth,
# NAME.err, NAME.status.
. tests/tap.sh
esp=$build/esp

# stick NAME [FOLDER]: makes NAME's stick anew: that of $esp without the logs of runs by hand, with the files of the
# folder over it.
stick() {
    rm -rf "$work/$1.esp"
    cp -r "$esp" "$work/$1.esp"
    rm -f "$work/$1.esp"/slotscope/*.log
    [ $# -eq 1 ] || cp -r "$2/." "$work/$1.esp/"
}

# in_full NAME: the serial line, too, gets the full form of the log, unless the stick's configuration says which form.
in_full() {
    configuration=$work/$1.esp/slotscope/slotscope.cfg
    [ ! -f "$configuration" ] || grep -q '^detail' "$configuration" || printf '\ndetail = full\n' >>"$configuration"
}
# boot NAME OPTION...: runs the rig on NAME's stick, which is made unless it is there. The limit of host time is
# there for a suite that hangs; no host is so busy that a sound run needs an hour.
boot() {
    name=$1
    shift
    [ -d "$work/$name.esp" ] || stick "$name"
    in_full "$name"
    "$build/rig" --esp "$work/$name.esp" --truth "$work/$name.truth" --seconds 3600 "$@" \
        >"$work/$name.serial" 2>"$work/$name.err"
    echo $? >"$work/$name.status"
    tr -d '\r' <"$work/$name.serial" >"$work/$name.log"
}

# k10 FILE: writes the CPUID of an AMD processor from before Zen, whose counters slotscope does not know: nothing is
# measured on it (`--cpu zen4 --cpuid FILE`). The signature is that of a Phenom II.
k10() {
    cat >"$1" <<'EOF'
machine,name,source,core,leaf,subleaf,eax,ebx,ecx,edx
k10,An AMD processor of family 10H,made up,0,00000000,00000000,00000006,68747541,444d4163,69746e65
k10,An AMD processor of family 10H,made up,0,00000001,00000000,00100f43,00010800,00802009,178bfbff
k10,An AMD processor of family 10H,made up,0,80000000,00000000,80000008,00000000,00000000,00000000
EOF
}

# refuses OPTION...: the rig ends with status 2 and one line on standard error, and boots nothing.
refuses() {
    "$build/rig" --esp "$build/esp" "$@" >"$work/refused.out" 2>"$work/refused.err"
    [ $? -eq 2 ] && [ ! -s "$work/refused.out" ] && [ "$(wc -l <"$work/refused.err")" -eq 1 ]
}

# lines_of NAME: the records of NAME's log, in $lines, a file that is made when the log is newer.
lines_of() {
    lines=$work/$1.lines
    [ "$lines" -nt "$work/$1.log" ] || grep '^{' "$work/$1.log" >"$lines"
}
# records NAME FILTER: the records of NAME's log through jq, a line each.
records() {
    lines_of "$1"
    jq -r "$2" "$lines"
}
# has NAME CONDITION: some record satisfies it. The records are printed. jq ends with status 4 when there is none.
has() {
    lines_of "$1"
    jq -nce "inputs | select($2)" "$lines"
}
has_no() {
    has "$1" "$2"
    [ $? -eq 4 ]
}

same() { cmp "$1" "$2"; }
# Test::Harness before 3.45 refuses the version number 14; nothing else in a log is newer than version 13.
proves() { prove --norc -Q --exec 'sed 1s/14/13/' "$1"; }
# whole LOG: its form holds (sequence, CRCs, plan), and every record is as doc/log.schema.json says.
whole() {
    "$build/tools/check_log" "$1" && "$build/tools/check_schema" doc/log.schema.json "$1"
}

# ended NAME: the image ended the run itself, with an end record and the plan, and told the firmware whether the run
# was complete.
ended() {
    cat "$work/$1.err"
    wanted=4
    ! has "$1" '.type == "end" and (.reason == "complete" or .reason == "help")' >/dev/null || wanted=0
    [ "$(cat "$work/$1.status")" = $wanted ] && has "$1" '.type == "end"' && grep '^1\.\.' "$work/$1.log"
}
in_order() {
    claim "$1: the image ends the run itself" ended "$1"
    claim "$1: the log is whole: records, CRCs, sequence, plan" whole "$work/$1.log"
    [ ! -f "$work/$1.profile" ] || claim "$1: no interrupt is taken before it is there" in_time "$1"
}
# in_time NAME: by the rig's --profile. Of a core that two threads share nobody knows, so such a run has no claim.
in_time() {
    jq -c '.pmi | select(.taken) | select(.taken < .accepted)' "$work/$1.profile" >"$work/$1.early" || return 1
    head -5 "$work/$1.early"
    [ ! -s "$work/$1.early" ] && grep -q '"taken":' "$work/$1.profile"
}
# unmeasured NAME COUNT [REASON]: so many cores measured nothing, because of REASON, a pattern, and nothing else failed.
# One SKIP stands for all verdicts of each.
only_unmeasured() {
    [ "$(grep -cE "^not ok [0-9]+ - core [0-9]+ is measured: nothing was counted: ${3-}" "$work/$1.log")" -eq "$2" ] &&
        [ "$(grep -c '^not ok' "$work/$1.log")" -eq "$2" ] &&
        [ "$(grep -cE "^ok .* all verdicts from .* on # SKIP ${3-}" "$work/$1.log")" -eq "$2" ] &&
        has "$1" ".type == \"end\" and .reason == \"unmeasured\" and .cores_unmeasured == $2"
}
unmeasured() { claim "$1: nothing fails but that nothing was measured, with one SKIP and its reason" only_unmeasured "$@"; }
no_failure() { claim "$1: no verdict failed" absent '^not ok' "$work/$1.log"; }
# The verdict says that what the published formula of a node gives is no share: on a sound machine, too.
no_share=' is the largest of its siblings, but no share: outside of 0 to 1 by more than its error of '
# only_no_share NAME [KERNELS]: no other verdict failed, and these only of kernels that match the pattern.
only_no_share() {
    grep '^not ok' "$work/$1.log" >"$work/$1.failed"
    ! grep -vE "^not ok [0-9]+ - core [0-9]+ (${2-.*}) tma_[a-z0-9_]+ [0-9.-]+$no_share" "$work/$1.failed"
}
no_error() { claim "$1: there is no error record" has_no "$1" '.type == "error"'; }
# nothing_measured NAME
nothing_measured() { claim "$1: nothing is measured" has_no "$1" '.type == ("counts", "topdown", "cpi")'; }

# judged TEXT COMMAND...: one claim for all that a program which prints TAP says; its failures and comments are shown.
judged() {
    text=$1
    shift
    "$@" >"$work/judged.out" 2>&1
    status=$?
    claim "$text ($(grep -c '^ok' "$work/judged.out") of $(grep -cE '^(not )?ok' "$work/judged.out"))" [ $status -eq 0 ]
    grep '^not ok' "$work/judged.out" | head -10 | sed 's/^/# /'
    grep '^#' "$work/judged.out" | head -12
}

# adopt COMMAND...: every verdict of such a program becomes one of the suite's. What it says of those that failed is shown.
adopt() {
    "$@" >"$work/adopted.out" 2>"$work/adopted.err"
    status=$?
    first=$number
    sed -n 's/^ok [0-9]* /ok /p; s/^not ok [0-9]* /not ok /p' "$work/adopted.out" >"$work/adopted"
    awk -v n="$number" '/^not/ { print "not ok", ++n, substr($0, 8) } /^ok/ { print "ok", ++n, substr($0, 4) }' \
        "$work/adopted"
    number=$((first + $(wc -l <"$work/adopted")))
    failures=$((failures + $(grep -c '^not' "$work/adopted")))
    [ $status -eq 0 ] || grep '^#' "$work/adopted.out" | head -12
    if [ $status -ne 0 ] && ! grep -q '^not ok' "$work/adopted"; then
        claim "$* ends with status 0" false
    fi
}

# copy_sources NAME: the image's sources, to be changed, in $work/NAME, with what is built of them.
copy_sources() {
    mkdir -p "$work/$1/build"
    cp -a Makefile VERSION linker.ld boot pmu kernels tools harness "$work/$1/"
    cp -a "$build/image" "$build/asm" "$build/kernel-maps" "$build/maps" "$build/.flags" "$work/$1/build/"
    touch "$work/$1/build/.packages"
}
# build_image NAME: builds them into $work/NAME.overlay, to be laid over a stick.
build_image() {
    mkdir -p "$work/$1.overlay/EFI/BOOT"
    make -s -C "$work/$1" BUILD=build build/BOOTX64.EFI && cp "$work/$1/build/BOOTX64.EFI" "$work/$1.overlay/EFI/BOOT/"
}
