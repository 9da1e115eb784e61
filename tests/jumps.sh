#!/bin/sh
# No jump in CODE of a kernel crosses a multiple of 32 bytes or ends on one, alone or with the instruction that it may
# fuse with: "Mitigations for Jump Conditional Code Erratum" (Intel, 341810-001). The code is read as objdump, an
# independent disassembler, shows it. TAP on standard output.
#   jumps.sh BUILD
set -u
. tests/tap.sh

# touching OBJECT: the jumps of CODE that touch a boundary, a line each. A pair is taken to fuse even where an operand
# or the condition may prevent it.
touching() {
    code=$(nm "$1" | sed -n 's/ t kernel_code$//p')
    objdump -D -w -M intel -j .text "$1" | awk -F '\t' -v code="$code" '
        function hex(text,   i, value) {
            for (i = 1; i <= length(text); i++)
                value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
            return value
        }
        BEGIN { code = hex(code) }
        NF < 3 { next }
        {
            sub(/^ */, "", $1)
            sub(/:$/, "", $1)
            at = hex($1)
            end = at + split($2, bytes, " ")
            split($3, words, " ")
            name = words[1]
            begin = at
            if (name ~ /^j/ && name != "jmp" && before ~ /^(cmp|test|add|sub|and|inc|dec)$/ && last == at)
                begin = first
            if (at >= code && name ~ /^(j.*|call|ret|loop)$/) {
                jumps++
                if (int(begin / 32) != int(end / 32))
                    printf "%s: %d to %d\n", name, begin - code, end - code
            }
            first = at
            last = end
            before = name
        }
        END { if (!jumps) print "no jump found" }'
}
is_clear() { found=$(touching "$1") && echo "$found" && [ -z "$found" ]; }

for object in "$build"/asm/kernels/*.o; do
    name=$(basename "$object" .o)
    [ -f "kernels/$name.asm" ] && claim "$name: no jump of CODE touches a multiple of 32 bytes" is_clear "$object"
done

# sees NAME LINE: CODE from standard input has that jump, and no other, at a boundary.
sees() {
    {
        printf '%s\n' '%include "kernels/kernel.inc"' "KERNEL $1, \"a kernel of this test\"" 'ITERATIONS 10' \
            'EXPECT INST_RETIRED.ANY, 0, n * 100' 'CODE'
        cat
        echo 'ENDKERNEL'
    } >"$work/$1.asm"
    nasm -f elf64 -I ./ -o "$work/$1.o" "$work/$1.asm" || return 1
    touching "$work/$1.o"
    [ "$(touching "$work/$1.o")" = "$2" ]
}
claim "a return whose last byte is the 32nd is seen" sees return "ret: 31 to 32" <<'EOF'
    times 31 nop
    ret
EOF
claim "one behind it is not" sees behind "" <<'EOF'
    times 32 nop
    ret
EOF
claim "a pair of which the first instruction alone crosses is seen" sees pair "jne: 30 to 35" <<'EOF'
.loop:
    times 30 nop
    dec   rdi
    jnz   .loop
    ret
EOF
claim "an instruction that does not fuse may cross" sees apart "" <<'EOF'
.loop:
    times 30 nop
    lea   rdi, [rdi - 1]
    jrcxz .loop
    ret
EOF
claim "a call that crosses is seen" sees call "call: 30 to 35" <<'EOF'
    times 30 nop
    call  .function
    ret
.function:
    ret
EOF
claim "code without a jump is not passed over" sees none "no jump found" <<'EOF'
    ud2
EOF
finish
