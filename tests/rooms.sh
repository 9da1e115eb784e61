#!/bin/sh
# The rooms of the house: what may include what, no circle of files, no folder that is too full. TAP on standard
# output.
#   rooms.sh BUILD [TREE]
# The include graph is built from the sources of TREE (this one unless given). In the image a use of a symbol
# counts like an include, where BUILD/image and BUILD/asm hold its objects.
set -u
. tests/tap.sh
tree=${2:-.}

# A room is a folder. Its files may include each other, the files of the rooms behind its name, and whatever these may
# include. "/*" takes in all folders inside it: they are one room.
cat >"$work/rooms" <<'EOF'
boot                        -
boot/pci                    boot
boot/network                boot
boot/serial                 boot/pci
boot/context                boot
boot/firmware               boot/serial boot/network boot/context
bios                        boot
boot/machine/memory         boot/firmware
boot/machine                boot/machine/memory
boot/cell                   boot/machine
pmu/formula                 boot
pmu                         boot/machine pmu/formula
pmu/cpu                     -
pmu/sampling                pmu
pmu/intel                   pmu/sampling
pmu/amd                     pmu/sampling
pmu/netburst                pmu/sampling
pmu/kinds                   pmu/amd pmu/intel pmu/netburst
pmu/parse                   pmu/kinds
kernels                     pmu/parse
tools                       kernels
harness/configure           kernels
harness/profile             kernels
harness/plan                kernels
harness/window              boot/cell harness/configure harness/plan
harness/sampler             harness/window harness/profile
harness/judge               harness/sampler
harness/records             harness/judge
harness/own                 boot/cell harness/configure harness/plan
harness/rounds              harness/records
harness/experiment/topdown  harness/records
harness/experiment/branches harness/records
harness/experiment/pebs     harness/records
harness/experiment/multiplex harness/records
harness/experiment/timeline harness/experiment/multiplex
harness/experiment/cpi      harness/records
harness/experiment/overhead harness/experiment/cpi
harness/experiment/skid     harness/records
harness/experiment/precision harness/records
harness/experiment/cascade  harness/records
harness/doubt               harness/experiment/topdown
harness/measure             harness/experiment/branches harness/experiment/multiplex harness/experiment/pebs
harness/run                 harness/own harness/measure harness/doubt harness/rounds harness/experiment/overhead harness/experiment/precision harness/experiment/skid harness/experiment/timeline
harness/outcome             harness/run
harness/survey              harness/outcome
harness/setup               harness/survey
harness/series              harness/survey harness/experiment/cascade
harness                     harness/setup harness/series
pc                          harness
slotlog/reader              pc
slotlog                     slotlog/reader
tests/unit                  slotlog tests/tools
tests/unit/bios             tests/unit/boot bios
tests/unit/slotlog          tests/unit
tests/unit/boot             tests/unit
tests/unit/lbr              tests/unit
tests/unit/records          tests/unit
tests/unit/netburst         tests/unit
tests/unit/amd              tests/unit
tests/unit/self_check       tests/unit
tests/unit/doubt            tests/unit
tests/unit/screen           tests/unit
tests/unit/timeline         tests/unit
tests/unit/windows          tests/unit
tests/unit/profile          tests/unit
tests/unit/rounds           tests/unit
tests/unit/outcome          tests/unit
tests/unit/skid             tests/unit/profile
tests/unit/precision        tests/unit
tests/fuzz                  tests/unit/profile tools bios slotlog
tests/fuzz/rig              rig/firmware/* rig/record
tests/unit/kernels          tests/unit tools
tests/unit/sampling         tests/unit
tests/unit/pebs             tests/unit
tests/unit/overhead         tests/unit
tests/unit/own              tests/unit
tests/bench                 harness
tests/tools                 slotlog
tests/sweep                 tests/tools
tests/unit/sweep            tests/unit tests/sweep
tests/qemu/la57             -
rig/core                    -
rig/core/decode             rig/core
rig/core/memory             rig/core
rig/core/predict            rig/core
rig/core/cycle              rig/core/decode rig/core/memory rig/core/predict
rig/core/pipeline           rig/core/cycle
rig/core/mechanism          rig/core/pipeline
rig/pmu                     rig/core/mechanism
rig/pmu/kind                rig/pmu
rig/fault                   -
rig/device                  rig/pmu rig/fault
rig/vector                  rig/pmu
rig/firmware/*              rig/device
rig/machine/engine/*        rig/firmware/* rig/vector
rig/machine/special         rig/machine/engine/*
rig/record                  rig/pmu
rig/machine                 rig/machine/special rig/record
rig/blocks                  rig/pmu
rig/cpu                     rig/pmu/kind
tests/rig/*                 rig/machine rig/cpu rig/blocks
EOF
# Test programs that hold the rig against the image's side, or need its tools: they may include that room too.
cat >"$work/crossings" <<'EOF'
tests/rig/pmu/vendor_rows_test.c          tests/unit
tests/rig/valgrind/hosted.c               kernels
tests/unit/sweep/plan_test.c              rig/fault
tests/fuzz/rig/pe_fuzz.c                  tests/fuzz
tests/fuzz/rig/cpuid_file_fuzz.c          tests/fuzz
EOF
# This list names what its headers declare to the rooms below them: its includes make no edge. In turn these headers
# include no header of the rig but that one.
list=rig/core/mechanisms.inc listed=rig/core/mechanism may_include=core/model.h
# The entry point, which start.asm calls by name, makes no edge.
called_by_name=efi_main
most_files=45
roomy='kernels pmu/cpu'

(cd "$tree" && find . -name .git -prune -o -path './build*' -prune -o -type f -print) |
    sed 's,^\./,,' | sort >"$work/files"
grep -E '\.(c|h|inc|def|s|asm)$' "$work/files" >"$work/sources"

# "FILE include HEADER" for each #include and %include
(cd "$tree" && xargs grep -HE '^[[:space:]]*[#%][[:space:]]*include[[:space:]]+"') <"$work/sources" |
    sed 's/^\([^:]*\):[^"]*"\([^"]*\)".*/\1 include \2/' >"$work/all"
grep -v "^$list include " "$work/all" >"$work/includes"
grep "^$listed/[^ ]*\.h include" "$work/all" | grep -v " $may_include\$" >"$work/listed"
# "FILE symbol NAME FILE-THAT-DEFINES-IT" for each use of another file's symbol
find "$build/image" "$build/asm" -name '*.o' -exec nm -A -g {} + 2>/dev/null |
    sed "s,^$build/[a-z]*/\(.*\)\.o:,\1 ," | awk -v except="$called_by_name" '
        FNR == NR { stem = $1; if (sub(/\.(c|asm|def)$/, "", stem)) source[stem] = $1; next }
        !($1 in source) { next }
        $2 == "U" { uses[source[$1] " symbol " $3]; next }
        { defined[$4] = source[$1] }
        END {
            for (use in uses)
                if (split(use, word) && defined[word[3]] && word[3] != except)
                    print use, defined[word[3]]
        }
    ' "$work/sources" - | sort >"$work/uses"

# "refused ROOM what is wrong" for an edge that no room allows, "edge UNIT UNIT reason" for every one between two
# units. A unit is X.c or X.asm with X.h, with X_*.c that have no header of their own, and with X_*.h that have no
# source of their own and that only these files include.
cat "$work/includes" "$work/uses" |
    awk -v rooms="$work/rooms" -v crossings="$work/crossings" -v sources="$work/sources" '
    function folder(path) { return sub(/\/[^\/]*$/, "", path) ? path : "" }
    function unit(path,    stem, i) {
        sub(/\.[^.\/]*$/, "", path)
        if (path in unit_of)
            return unit_of[path]
        unit_of[path] = path
        if ((path ".h") in exists && ((path ".c") in exists || (path ".asm") in exists))
            return path
        for (stem = path; sub(/_[^_\/]*$/, "", stem) && !((stem ".h") in exists);)
            ;
        if (!((stem ".h") in exists))
            return path
        for (i = 1; i <= edges; i++)
            if (target[i] == path ".h" && unit(source[i]) != stem)
                return path
        return unit_of[path] = stem
    }
    function room_of(path,    at) {
        at = folder(path)
        if (at in stands)
            return at
        for (at = at; at != ""; at = folder(at))
            if ((at "/*") in stands)
                return at "/*"
        return ""
    }
    function may(from, to,    i, n, on) {
        if (from == to)
            return 1
        n = split(stands[from], on)
        for (i = 1; i <= n; i++)
            if (on[i] != "-" && may(on[i], to))
                return 1
        return 0
    }
    function resolve(file, name,    i, n, place) { # as the compiler does
        n = split(folder(file) "/ " (file ~ /^(tests\/(fuzz\/)?)?rig\// ? "rig/ " : "") "./", place)
        for (i = 1; i <= n; i++) {
            sub(/^\.\//, "", place[i])
            if ((place[i] name) in exists)
                return place[i] name
        }
        return ""
    }
    BEGIN {
        while ((getline line < rooms) > 0) { split(line, word); stands[word[1]] = substr(line, length(word[1]) + 1) }
        while ((getline line < crossings) > 0) { split(line, word); crosses[word[1]] = word[2] }
        while ((getline line < sources) > 0) {
            exists[line]
            if (room_of(line) == "")
                print "refused nowhere", line
        }
    }
    {
        to = $2 == "include" ? resolve($1, $3) : $4
        reason = $2 == "include" ? $1 " includes " $3 : $1 " uses " $3 " of " to
        if (to == "")
            print "refused", room_of($1), reason ", which is not there"
        else if (!may(room_of($1), room_of(to)) && crosses[$1] != room_of(to))
            print "refused", room_of($1), reason
        if (to != "") {
            source[++edges] = $1
            target[edges] = to
            why[edges] = reason
        }
    }
    END {
        for (k = 1; k <= edges; k++)
            if (unit(source[k]) != unit(target[k]))
                print "edge", unit(source[k]), unit(target[k]), why[k]
    }' >"$work/judged"

# Each circle that tsort finds, as the edges that close it.
sed -n 's/^edge \([^ ]*\) \([^ ]*\) .*/\1 \2/p' "$work/judged" | sort -u | tsort 2>&1 >/dev/null |
    awk -v judged="$work/judged" '
        function show(    i) {
            for (i = 1; i <= n; i++) {
                one = reason[at[i] " " at[i % n + 1]]
                print "    " (one != "" ? one : reason[at[i % n + 1] " " at[i]])
            }
        }
        BEGIN {
            while ((getline line < judged) > 0)
                if (split(line, word) && word[1] == "edge" && !reason[word[2] " " word[3]])
                    reason[word[2] " " word[3]] = substr(line, length(word[2] word[3]) + 8)
        }
        /input contains a loop/ { show(); n = 0; print "circle:"; next }
        { at[++n] = $2 }
        END { show() }' >"$work/circles"

# none FILE: it is empty, or not there.
none() { [ ! -s "$1" ] || { cat "$1"; false; }; }
# What is refused of a room, in a folder that is named like it.
awk -v folder="$work/refused" '$1 == "refused" {
    file = folder "/" $2
    if (!(file in made))
        system("mkdir -p \047" file "\047")
    made[file]
    print substr($0, length($2) + 10) >(file "/edges")
}' "$work/judged"
of_room() { none "$work/refused/$1/edges"; }
while read -r room _; do
    claim "$room includes and uses only rooms that it may" of_room "$room"
done <"$work/rooms"
claim "every folder of sources is a room" of_room nowhere
claim "there is no circle of files" none "$work/circles"
sed -n 's,/[^/]*$,,p' "$work/files" | sort | uniq -c | awk -v most=$most_files -v roomy=" $roomy " \
    '$1 > most && !index(roomy, " " $2 " ") { print $2 ": " $1 " files, at most " most }' >"$work/full"
# A kind of counters is a room. Outside of it and of pmu/kinds nothing names it. Intel and AMD also name vendors: of these
# rooms no header is included, and no function named.
sed -n 's,^pmu/\([^/]*\)/.*\.c$,\1,p' "$work/files" | sort -u | grep -vxE 'formula|sampling|kinds|parse' | while read -r kind; do
    case $kind in
    intel | amd) pattern="pmu/$kind/|\\b${kind}_[a-z]" ;;
    *) pattern=$kind ;;
    esac
    grep -E '^(boot|pmu|kernels|harness|pc|slotlog)/.*\.[ch]$' "$work/sources" |
        grep -vE "^pmu/($kind|kinds)/" | (cd "$tree" && xargs grep -inHE "$pattern")
done >"$work/named"
claim "outside of its room no file names a kind of counters, but for pmu/kinds" none "$work/named"
claim "the headers in $listed include no header but $may_include" none "$work/listed"
# Of two headers with one guard a file that includes both loses one, without a word.
grep '\.h$' "$work/sources" >"$work/headers"
(cd "$tree" && xargs grep -L '^#ifndef [A-Z0-9_]*_H$') <"$work/headers" | sed 's/$/: no guard/' >"$work/guards"
(cd "$tree" && xargs grep -Hm1 '^#ifndef [A-Z0-9_]*_H$') <"$work/headers" | awk '{
    file = $1
    sub(/:#ifndef$/, "", file)
    guard = toupper(file)
    gsub(/[^A-Z0-9]/, "_", guard)
    if ($2 != guard)
        print file ": " $2 ", not " guard
}' >>"$work/guards"
claim "the guard of each header is its path" none "$work/guards"
claim "no folder has more than $most_files files, apart from $roomy" none "$work/full"
finish
