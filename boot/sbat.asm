; The generation of this program, which shim holds against the revoked ones (rhboot/shim, SBAT.md): component, generation,
; vendor, package, version, where to ask. A fault that Secure Boot has to know of raises the generation.
section .sbat progbits alloc noexec nowrite align=16
    db "sbat,1,SBAT Version,sbat,1,https://github.com/rhboot/shim/blob/main/SBAT.md", 10
    db "slotscope,1,The slotscope authors,slotscope,1,README.md", 10
section .note.GNU-stack noalloc noexec nowrite progbits
