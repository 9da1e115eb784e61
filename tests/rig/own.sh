#!/bin/sh
# Kernels of the user's own on the stick: the example of doc/own_kernels.md, and files that are refused. TAP on standard
# output.
#   own.sh BUILD
set -u
. tests/boot.sh
page=doc/own_kernels.md

# block N: the N-th fenced block of the page.
block() { awk -v wanted="$1" '/^```/ { inside = !inside; if (inside) n++; next } inside && n == wanted' "$page"; }
# kernel NAME: an empty place for an own kernel on NAME's stick, in $kernels.
kernels_of() {
    stick "$1"
    kernels=$work/$1.esp/slotscope/kernels
    mkdir "$kernels"
}
# make_kernel FILE [CPU]: what `make kernel` does; its output is in made, what it complains of in made.err.
make_kernel() {
    sh tools/kernel.sh "$build" "$@" >"$work/made" 2>"$work/made.err"
    status=$?
    cat "$work/made" "$work/made.err"
    return $status
}
# What the page says is shown, but for numbers that the image's layout moves: the slots of a window also are those of its
# two edges. The kernel has 3 uops in each iteration of 5 cycles of 4 slots; 120 cycles' slots are 0.006 of the 80,000 of
# a window of 2n, and a mispredicted branch more (20 cycles) is 0.002 of what 2n less n iterations have. In these cycles up
# to 80 uops are issued that do not retire, beside the 12,000 of a window of 2n: after the loop and at one edge, 0.013.
shows() {
    own='s/( of width x cycles | of those issued )[0-9.]* in /\1SHARE in /; s/ 0\.00[0-2] / 0.000 /g; s/ 0\.8(4[89]|5[0-2]) / 0.850 /; s/ 0\.1(49|51) / 0.150 /'
    block "$1" | sed -E "/^$/d; $own; s,build/,$build/,g" >"$work/block"
    sed -E "$own" "$work/made" | grep -Fxf "$work/block" | diff "$work/block" -
}
# has_share FILE WORDS LOW HIGH: behind the words is one number, within the bounds.
has_share() {
    sed -n "s/.* $2 \([0-9.]*\) in .*/\1/p" "$1" |
        awk -v low="$3" -v high="$4" '{ n++; print } $1 < low || $1 > high { bad = 1 } END { exit bad || n != 1 }'
}
has_shares() { has_share "$1" 'of width x cycles' 0.150 0.156 && has_share "$1" 'of those issued' 0.987 1.000; }

block 1 >"$work/memory_add.asm"
block 2 >"$work/memory_add.exp"
claim "the page's kernel passes" make_kernel "$work/memory_add.asm"
claim "and what is shown is what the page says" shows 4
claim "with the slots of its uops and at most what edges have, of a window of 2n" has_shares "$work/made"
block 4 >"$work/said"
claim "as the page says" has_shares "$work/said"
cp "$build/kernel.log" "$work/example.log"
claim "the log is whole: records, CRCs, sequence, plan" whole "$work/example.log"
no_error example
block 5 >"$work/page.c"
claim "its C function passes, with what is assumed without a .exp file" make_kernel "$work/page.c" icelakex
claim "and is counted" sh -c "grep '^{' '$build/kernel.log' | jq -se 'any(.type == \"kernel\" and .kernel == \"own.page\"
    and .iterations == 1000 and .arena == 65536)'"

# wrong STATUS PATTERN FILE: what make kernel says of the file.
wrong() {
    make_kernel "$3"
    [ $? -eq "$1" ] && grep -E "$2" "$work/made" "$work/made.err"
}
claim "a kernel that is ended is status 1, with its place" \
    wrong 1 'own.ud, its trial with n = 1000: an own kernel was ended: #UD at byte 0' tests/rig/own/ud.asm
claim "what would end it in its trial is known before" \
    wrong 1 'gp_out.bin: warning: byte 6: out ends the kernel in its trial' tests/rig/own/gp_out.asm
printf 'name own.a\nn 5\nexpect A, 1\n' >"$work/memory_add.exp"
claim "a malformed .exp file is status 2, with its place" \
    wrong 2 'memory_add.exp:3:12: part missing, expected a subject and two bounds' "$work/memory_add.asm"
printf 'name own.a\nn 0\n' >"$work/memory_add.exp"
claim "n of 0 is, too, before anything runs" wrong 2 'memory_add.exp:2:3: n out of range, expected iterations of a window, 1 to ' "$work/memory_add.asm"
printf 'name own.a\nn n\n' >"$work/memory_add.exp"
claim "so is n that rests on itself" wrong 2 'memory_add.exp:2:3: n may not name n, expected numbers' "$work/memory_add.asm"
printf 'name own.a\nn 5\nbuffer -1\n' >"$work/memory_add.exp"
claim "and a buffer of less than nothing" \
    wrong 2 'memory_add.exp:3:8: buffer out of range, expected bytes, 0 to ' "$work/memory_add.asm"
printf 'name ret.nop\nn 5\n' >"$work/memory_add.exp"
claim "and a built-in kernel's name" \
    wrong 2 'memory_add.exp:1:6: a built-in kernel has this name, expected another' "$work/memory_add.asm"
printf 'bits 64\nagain: dec rdi\njnz again\nret\n' >"$work/tiny.asm"
printf 'name own.tiny\nn 1\n' >"$work/tiny.exp"
claim "a kernel of too few cycles for a share passes" make_kernel "$work/tiny.asm"
grep '^{' "$build/kernel.log" | jq -r 'select(.type == "topdown" and .kernel == "own.tiny").reasons | .tma_retiring, .tma_backend_bound | values' | sort -u >"$work/reasons"
claim "where the table has dashes the log's reason is below them: $(head -1 "$work/reasons")" \
    sh -c "[ -s '$work/reasons' ] && sed 's/^/      /' '$work/reasons' | grep -Fxf - '$work/made' | sort -u | wc -l | grep -qx $(wc -l <"$work/reasons")"
claim "and no line of the self-check's" absent '^  cal\.|division by zero' "$work/made"
printf 'static int a[2]; int *p = a; void kernel(void) { p[1]++; }\n' >"$work/address.c"
claim "an address in a C file's data is status 2" wrong 2 'address.c: an address in its data' "$work/address.c"
printf 'void memory(void); void kernel(void) { memory(); }\n' >"$work/calls.c"
claim "a function of nobody is status 2" wrong 2 'undefined reference to .memory' "$work/calls.c"
printf 'void code(void) {}\n' >"$work/nothing.c"
claim "a C file without that function is status 2" wrong 2 'nothing.c: no function' "$work/nothing.c"
claim "no file is status 2" wrong 2 'expected SRC=' ""

# --- what was measured ---
# The page's command takes a file out of the log.
kernels_of files
block 1 >"$work/memory_add.asm"
nasm -f bin -o "$kernels/memory_add.bin" "$work/memory_add.asm"
block 2 >"$kernels/memory_add.exp"
printf '\303' >"$kernels/long.bin"
{
    printf 'name own.long-comment\nn 5\n#'
    seq 1000 1500 | tr -c '0-9' ' '
} >"$kernels/long.exp"
printf '\303' >"$kernels/longer.bin"
{
    printf 'name own.longer\nn 5\n#'
    head -c 16384 /dev/zero | tr '\0' x
} >"$kernels/longer.exp"
printf '\ndetail = brief\n' >>"$work/files.esp/slotscope/slotscope.cfg"
boot files --cpu skylakex --cores 2 --args 'kernels=own.memory_add,own.long* levels=1 repeats=1'
in_order files
cp "$work/files.esp/slotscope/slotscope.log" "$work/files-full.log"
claim "files: the stick's log is whole, also of a name with a hyphen" whole "$work/files-full.log"
# taken FILE: the page's command for that file of the stick's log.
taken() {
    block 7 | sed "s,slotscope\\.log,$work/files-full.log,; s,memory_add\\.bin\"),$1\"),; s,>memory_add\\.bin,>$work/taken," >"$work/taken.sh"
    rm -f "$work/taken"
    sh "$work/taken.sh" && cmp "$work/taken" "$kernels/$1"
}
for file in memory_add.bin memory_add.exp long.bin long.exp; do
    claim "files: the page's command gives $file back" taken $file
done
hashes() {
    records "$1" 'select(.type == "own_file") | "\(.sha256) \(.bytes) \(.file[8:])"' | sort -u >"$work/hashes"
    (cd "$kernels" && for file in *; do echo "$(sha256sum <"$file" | cut -d' ' -f1) $(wc -c <"$file") $file"; done) | sort | diff - "$work/hashes"
}
claim "files: hashes and lengths are sha256sum's and wc's" hashes files-full
claim "files: in the brief form, too" hashes files
claim "files: which has a record of each file, once for both cores, and no bytes" \
    [ "$(records files 'select(.type == "own_file") | "\(.part) \(.data)"' | paste -sd' ')" = "1 null 1 null 1 null 1 null 1 null 1 null" ]
claim "files: 2532 bytes are three records" [ "$(wc -c <"$kernels/long.exp")/$(records files-full \
    'select(.file == "kernels\\long.exp") | "\(.part):\(.data | length / 2)"' | paste -sd' ')" = "2532/1:1024 2:1024 3:484" ]
claim "files: of more than 16384 bytes there is the hash alone" [ "$(records files-full \
    'select(.file == "kernels\\longer.exp") | "\(.part) \(.data)"')" = "1 null" ]
boot none --cpu skylakex --cores 1 --args 'kernels=ret.nop levels=1 repeats=1'
claim "files: of kernels that are not measured there is none" has_no none '.type == "own_file"'
rm -r "$work/none.esp"
cp -r "$work/files.esp" "$work/none.esp"
boot none --cpu skylakex --cores 1 --args 'kernels=own.memory_add levels=1 repeats=1'
claim "files: but of the one that is" [ "$(records none 'select(.type == "own_file") | .kernel' | sort -u)" = own.memory_add ]

# refuse NAME WHERE: with the files of its stick there is an error with place and expectation, and nothing is measured.
refuse() {
    boot "$1" --cpu skylakex --cores 1 --args "kernels=own.a"
    claim "$1: an error record names $2 and what was expected" has "$1" \
        ".type == \"error\" and (\"\(.where): \(.what)\" | test(\"$2\")) and .expected != null"
    nothing_measured "$1"
}
kernels_of malformed
printf '\303' >"$kernels/a.bin"
printf 'name own.a\nn 5\nexpect A, 1\n' >"$kernels/a.exp"
refuse malformed '^kernels.*a.exp:3:12: part missing'
kernels_of codeless
printf 'name own.a\nn 5\n' >"$kernels/a.exp"
refuse codeless '^kernels.*a.bin:.*no such file'
kernels_of unstated
printf '\303' >"$kernels/a.bin"
refuse unstated '^kernels.*a.bin:.*no .exp file'
kernels_of taken
printf '\303' >"$kernels/a.bin"
printf 'name ret.nop\nn 5\n' >"$kernels/a.exp"
refuse taken '^kernels.*a.exp:.*another kernel has this name'

# Own kernels without `expect` that cannot be measured, or whose leaf no CPU knows: a SKIP says so. Nehalem has no AVX-512.
kernels_of silent
for kernel in none huge wide leaf sound; do
    printf '\303' >"$kernels/$kernel.bin"
    printf 'name own.%s\nn 5\n' $kernel >"$kernels/$kernel.exp"
done
printf 'name own.none\nn l3_size - l3_size\n' >"$kernels/none.exp"
echo 'buffer 1125899906842624' >>"$kernels/huge.exp"
echo 'requires avx512f' >>"$kernels/wide.exp"
echo 'leaf tma_memory_bund' >>"$kernels/leaf.exp"
boot silent --cpu nehalem --cores 1 --args "kernels=own.* levels=1 repeats=1"
in_order silent
# skipped KERNEL PATTERN
skipped() { grep -E "^ok [0-9]+ - core 0 own\.$1 $2" "$work/silent.log"; }
claim "silent: n of 0 is a SKIP" skipped none 'is measured # SKIP iterations out of range: 0'
claim "silent: too large a buffer, too" skipped huge 'is measured # SKIP '
claim "silent: and a feature that the CPU lacks" skipped wide 'is measured # SKIP .*avx512f'
claim "silent: and a misspelt leaf" skipped leaf 'tma_memory_bund is the largest of its siblings # SKIP the CPU description has no such node'
claim "silent: nothing is said of the sound one" absent '^(not )?ok [0-9]+ - core 0 own\.sound is measured' "$work/silent.log"
finish
