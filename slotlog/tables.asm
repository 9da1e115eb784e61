; The tables of `slotlog merge`.
global slotlog_tables
section .rodata
slotlog_tables:
    incbin "slotlog/tables.sql"
    db 0
section .note.GNU-stack noalloc noexec nowrite progbits
