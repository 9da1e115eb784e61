; doc/log.schema.json, for programs that hold a log against it wherever they run.
global slotlog_schema, slotlog_schema_end
section .rodata
slotlog_schema:
    incbin "doc/log.schema.json"
slotlog_schema_end:
    db 0
section .note.GNU-stack noalloc noexec nowrite progbits
