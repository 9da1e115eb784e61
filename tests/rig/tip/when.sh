#!/bin/sh
# What a log of cpi.when tells of the way in which the core takes an interrupt, on the rig in each way (--interrupt):
# which of two neighbours has the cycles, as the table of doc/sampling.md has it. TAP on standard output.
#   when.sh BUILD
set -u
. tests/boot.sh

# Offsets into the code, by hand from the lengths of the instructions; the object file must agree.
branch=62 heads=64 tails=73 before_division=85 division=87 before_fence=93 fence=96 behind_fence=99
code=$(nm "$build/asm/kernels/cpi.when.o" | sed -n 's/ t kernel_code$//p')
is_at() { # OFFSET INSTRUCTION
    objdump -D -M intel -j .text --no-show-raw-insn "$build/asm/kernels/cpi.when.o" |
        grep -E "^ *$(printf %x $((0x$code + $1))):[[:space:]]+$2"
}
claim "the branch" is_at $branch jae
claim "what comes behind it" is_at $heads 'add +rbx,rcx'
claim "or at its target" is_at $tails 'sub +rbx,rcx'
claim "the division" is_at $division 'div +ebp'
claim "the instruction before it" is_at $before_division 'xor +edx,edx'
claim "the fence" is_at $fence mfence
claim "the instruction before it" is_at $before_fence 'xor +r13,r12'
claim "the instruction behind it" is_at $behind_fence 'add +r14,'

# percent NAME OFFSET...: of the kernel's cycles that the oldest instructions there have, by the method cfg.
percent() {
    name=$1
    shift
    records "$name" '
        select(.type == "cpi" and .method == "cfg" and .level == "instruction") | .entries[] | "\(.offset) \(.cycles[0])"' |
        awk -v wanted=" $* " '{ all += $2 } index(wanted, " " $1 " ") { sum += $2 } END { print all ? 100 * sum / all : -1 }'
}
# more TIMES NAME OFFSETS OFFSETS: the first have at least so many times the cycles of the second, and 4 % of all.
more() {
    # shellcheck disable=SC2086 # several offsets are a word
    set -- "$1" "$(percent "$2" $3)" "$(percent "$2" $4)"
    echo "$2 % and $3 % of all cycles"
    echo "$*" | awk '{ is = $2 > 4 && $2 > $1 * $3 && $3 >= 0 } END { exit !is }'
}

for way in oldest empty flush; do
    boot $way --cpu skylakex --cores 1 --interrupt $way --profile "$work/$way.profile" \
        --args "kernels=cpi.when samples=300 levels=1 repeats=1 warmup=1 scale=10 log=none"
    in_order $way
    no_error $way
done
claim "oldest: the wait for the division is the division's" more 5 oldest $division $before_division
claim "empty: the same" more 5 empty $division $before_division
claim "flush: it is that of the instruction before" more 5 flush $before_division $division
claim "oldest: the refill is that of what comes behind the branch" more 3 oldest "$heads $tails" $branch
claim "empty: more of it is the branch's" more 1 empty $branch "$heads $tails"
claim "flush: all of it is the branch's" more 5 flush $branch "$heads $tails"
# Cycles that the branch had before are not moved to it in silence. Some 5 % of the cycles are to be moved, 14 of 300
# samples: whether a fifth of these is missing in the way `empty`, and then nothing is moved, is chance.
says() { has "$1" ".type == \"cpi\" and .method == \"shared\" and (.why // \"\" | test(\"$2\"))"; }
claim "empty: shared says that the branch may have had it before, or that its cycles are not behind it" says empty \
    'have as many samples of their own|fewer samples than cycles'
claim "flush: and that its cycles are not behind it" says flush 'fewer samples than cycles'
claim "oldest: it says nothing" has_no oldest '.type == "cpi" and .method == "shared" and .why'
claim "oldest: what MFENCE lets in late has the wait for that" more 2 oldest $behind_fence $fence
claim "empty: most of it is MFENCE's" more 2 empty $fence $behind_fence
claim "flush: all of it is MFENCE's" more 5 flush $fence $behind_fence
claim "flush: the wait for MFENCE itself is that of the instruction before" more 2 flush $before_fence $behind_fence
finish
