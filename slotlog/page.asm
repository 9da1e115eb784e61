; The page of `slotlog report` (slotlog/page): its frame, style and script.
global slotlog_page_frame, slotlog_page_style, slotlog_page_script
section .rodata
slotlog_page_frame:
    incbin "slotlog/page/page.html"
    db 0
slotlog_page_style:
    incbin "slotlog/page/page.css"
    db 0
slotlog_page_script:
    incbin PAGE_SCRIPT
    db 0
section .note.GNU-stack noalloc noexec nowrite progbits
