#!/bin/sh
# No jump in CODE of a kernel crosses a multiple of 32 bytes or ends on one, alone or with the instruction that it may
# fuse with: "Mitigations for Jump Conditional Code Erratum" (Intel, 341810-001). The code is read as objdump, an
# independent disassembler, shows it. TAP on standard output.
#   jumps.sh BUILD
set -u
. tests/tap.sh

# touching OBJECT...: the jumps of CODE that touch a boundary, a line each behind the object's file. A pair is taken to
# fuse even where an operand or the condition may prevent it.
touching() {
    {
        nm -A "$@" | sed -n 's/^\(.*\):\([0-9a-f]*\) t kernel_code$/code\t\1\t\2/p'
        objdump -D -w -M intel -j .text "$@"
    } | awk -F '\t' '
        function hex(text,   i, value) {
            for (i = 1; i <= length(text); i++)
                value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
            return value
        }
        function end_of_object() { if (object != "" && !jumps) print object ": no jump found" }
        $1 == "code" { code[$2] = hex($3); next }
        /: +file format / {
            end_of_object()
            object = $0
            sub(/: +file format .*/, "", object)
            jumps = last = 0
            seen[object]
            next
        }
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
            if (at >= code[object] && name ~ /^(j.*|call|ret|loop)$/) {
                jumps++
                if (int(begin / 32) != int(end / 32))
                    printf "%s: %s: %d to %d\n", object, name, begin - code[object], end - code[object]
            }
            first = at
            last = end
            before = name
        }
        END {
            end_of_object()
            for (object in code)
                if (!(object in seen))
                    print object ": objdump does not show it"
        }'
}

set --
for object in "$build"/asm/kernels/*.o; do
    name=${object##*/}
    [ ! -f "kernels/${name%.o}.asm" ] || set -- "$@" "$object"
done
touching "$@" >"$work/touching"
for object; do
    name=${object##*/}
    claim "${name%.o}: no jump of CODE touches a multiple of 32 bytes" absent "^$object: " "$work/touching"
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
    [ "$(touching "$work/$1.o")" = "${2:+$work/$1.o: $2}" ]
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
