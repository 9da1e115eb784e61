; The text of one CPU description, and its entry (struct builtin of builtin.c) in the section `cpus`. Assembled once for
; each file of pmu/cpu, with CPU_NAME (a quoted string) and CPU_FILE (a quoted path) defined.

section cpus progbits alloc noexec write align=8
        dq      name
        dq      text
        dq      text_end - text

section .rodata
name:   db      CPU_NAME, 0
text:   incbin  CPU_FILE
text_end:
        db      0

section .note.GNU-stack noalloc noexec nowrite progbits
