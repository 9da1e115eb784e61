#!/bin/sh
# What the build refuses in a kernel file that states its blocks: the error names the file and the label. TAP on
# standard output.
#   kernel_maps_test.sh BUILD
set -u
. tests/tap.sh

# assemble NAME: standard input is CODE of a kernel of that name.
assemble() {
    {
        echo '%include "kernels/kernel.inc"'
        echo "KERNEL $1, \"a kernel of this test\""
        echo 'ITERATIONS 10'
        echo 'EXPECT INST_RETIRED.ANY, 0, n * 100'
        echo 'CODE'
        cat
        echo 'ENDKERNEL'
    } >"$work/$1.asm"
    nasm -f elf64 -I ./ -o "$work/$1.o" "$work/$1.asm"
}
maps() { "$build/kernel-maps" "$work/maps.c" "$@"; }
accepts() { assemble "$1" && maps "$work/$1.o"; }
# says STATUS LINE OBJECT: that is the status, and all that it says.
says() {
    maps "$3" 2>"$work/error"
    status=$?
    cat "$work/error"
    [ $status -eq "$1" ] && [ "$(cat "$work/error")" = "$2" ]
}
refuses() { assemble "$1" && says 1 "kernels/$1.asm: $2" "$work/$1.o"; }
unreadable() { says 2 "$1: $2" "$1"; }

claim "a kernel with its blocks is accepted" accepts zz.good <<'CODE'
BLOCK .entry, 1
    lea   rax, [.square]
BLOCK .loop, n
.call:
    call  rax
TARGETS .call, .square
BLOCK .back, n
    dec   rdi
    jnz   .loop
BLOCK .leave, 1
    ret
BLOCK .square, n
    imul  rcx, rcx
    ret
CODE
compiles() { gcc -std=c11 -Wall -Wextra -Werror -ffreestanding -I. -c "$work/maps.c" -o "$work/maps.o"; }
claim "the map is C" compiles
claim "a count with commas is written in braces" accepts zz.braces <<'CODE'
BLOCK .entry, {max(1, n)}
    ret
CODE
claim "its map has the whole count" grep -F '{".entry", "max(1, n)", 0, 1, 0, 1, 0},' "$work/maps.c"
claim "a kernel all of whose counts chance decides is accepted" accepts zz.chance <<'CODE'
BLOCK .entry, -1
    dec   rdi
    jnz   .entry
BLOCK .leave, -1
    ret
CODE
claim "its map says so of each block" [ "$(grep -c '", "-1", ' "$work/maps.c")" -eq 2 ]

claim "a BLOCK that is no leader is refused" \
    refuses zz.inner ".inner: expected BLOCK where a basic block begins" <<'CODE'
BLOCK .entry, 1
    nop
BLOCK .inner, 1
    ret
CODE
claim "a leader without BLOCK is refused" \
    refuses zz.bare ".entry + 4 bytes: expected a BLOCK line, since a basic block begins here" <<'CODE'
BLOCK .entry, 1
    nop
    nop
    jz    .leave
    nop
BLOCK .leave, 1
    ret
CODE
claim "a kernel whose only BLOCK is beyond its first instruction is refused" \
    refuses zz.late "CODE: expected a BLOCK line, since a basic block begins here" <<'CODE'
    test  rdi, rdi
    jz    .leave
BLOCK .leave, 1
    ret
CODE
claim "an indirect branch without TARGETS is refused" \
    refuses zz.indirect ".entry + 7 bytes: expected TARGETS of this indirect branch" <<'CODE'
BLOCK .entry, 1
    lea   rax, [.leave]
    jmp   rax
BLOCK .leave, 1
    ret
CODE
claim "TARGETS of another instruction is refused" \
    refuses zz.direct ".jump: expected TARGETS of an indirect JMP or CALL" <<'CODE'
BLOCK .entry, 1
.jump:
    jmp   .leave
TARGETS .jump, .leave
BLOCK .leave, 1
    ret
CODE
claim "code that nothing reaches is refused" \
    refuses zz.unreached ".entry + 1 bytes: expected code that something reaches, or 0xcc" <<'CODE'
BLOCK .entry, 1
    ret
    nop
CODE
claim "an instruction that leaves the flow is refused" \
    refuses zz.trap ".entry + 1 bytes: expected an instruction that goes on, or a near branch" <<'CODE'
BLOCK .entry, 1
    nop
    int3
    ret
CODE

echo 'no object' >"$work/text.o"
claim "a file that is no object is refused" unreadable "$work/text.o" "expected an ELF object of 64 bits"
claim "a file that is not there is refused" unreadable "$work/nothing.o" "No such file or directory"

# An object that ends early, at any byte, is refused or has no map; the program ends by itself.
ends_early() {
    size=$(wc -c <"$work/zz.good.o")
    for bytes in $(seq 0 37 "$size"); do
        head -c "$bytes" "$work/zz.good.o" >"$work/cut.o"
        maps "$work/cut.o" 2>/dev/null
        status=$?
        [ $status -le 2 ] || { echo "status $status at $bytes bytes"; return 1; }
    done
}
claim "an object that is cut off does no harm" ends_early
finish
