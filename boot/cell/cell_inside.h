/* What a cell is made of; for cell.c and its parts. */
#ifndef BOOT_CELL_CELL_INSIDE_H
#define BOOT_CELL_CELL_INSIDE_H

#include "boot/context/context.h"
#include "boot/machine/hold.h"
#include "cell.h"
#include "cell_view.h"

#define CELL_PAGE 4096u

/* The pages of a cell, by number; a GAP is never mapped while code runs. */
enum {
    CELL_TEXT,             /* two: the code of cell.asm */
    CELL_CONTROL = 2,      /* struct cell_control */
    CELL_IDT,              /* the interrupt descriptor table */
    CELL_TRAP_STACK,       /* two: IST 6 */
    CELL_NMI_STACK = 6,    /* two: IST 7 */
    CELL_GATE = 8,         /* the instruction that a trial returns to */
    CELL_STACK_PAGES = 24, /* behind a gap of 15 pages, and before one */
    CELL_PAGES = CELL_STACK_PAGES + CELL_STACK_BYTES / CELL_PAGE + 1,
};

enum cell_mode {
    CELL_MODE_TRIAL,   /* in ring 3, also when it is counted */
    CELL_MODE_PLAIN,   /* uncounted */
    CELL_MODE_COUNTED, /* the same, and then counted */
    CELL_MODE_COLD,    /* counted at once */
};

/* In the order of cell.asm. The code that runs can read it, and not write it. */
struct cell_control {
    uint64_t n, buffer, buffer_bytes, code;
    uint64_t msr, enable, disable;
    uint64_t mode; /* enum cell_mode */
    uint64_t root, full_root;
    uint64_t kernel_stack, trap_stack, caller_stack;
    uint64_t handler;
    uint64_t returned_stack;
    uint64_t end; /* 0: nothing has ended it; 1 + enum cell_end */
    struct table_pointer gdt;
    uint8_t unused1[6];
    struct table_pointer idt;
    uint8_t unused2[6], caller[32];
    uint64_t descriptors[6];
};

/* What code in a cell may change that is not its own, and that outlasts it (cell_changes.c), as it
 * was found: settings, the time stamp counter, the local APIC, port 61H. */
#define CHANGES_MSRS 96 /* at most */
#define CHANGES_APIC 12

struct changes {
    uint64_t msr[CHANGES_MSRS];
    uint8_t present[CHANGES_MSRS];
    uint32_t apic[CHANGES_APIC];
    uint64_t apic_base, tsc, tsc_adjust;
    uint32_t pending[8]; /* bit n of word k: vector 32 k + n, of the firmware's devices */
    bool has_adjust;
    uint8_t port_61;
};

struct cell {
    struct cell_control *control;
    uint64_t pages; /* address of the first page */
    uint64_t copy;  /* of the code, */
    uint64_t copy_pages;
    struct cell_code code;
    struct cell_view view;
    struct cell_report report;
    /* In ring 3: what is to be done when the code returns. */
    enum {
        RING_3_END,   /* nothing more: it ran */
        RING_3_COUNT, /* it ran to warm up: count it now */
        RING_3_STOP,  /* it was counted */
    } next;
    bool disturbed;
    enum cell_end nmi_end; /* how an NMI ended it while it ran last; CELL_RETURNED: none did */
    /* As cell_open found the local APIC. */
    struct held held;
    uint32_t spurious, timer, divide, count;
    uint32_t armed; /* the timer's ticks until the deadline of the run */
    uint64_t tsc_deadline;
    struct changes changes;
    bool apic_lost; /* the local APIC is switched off, and does not come back */
};

/* cell.asm: the code that is copied, 8 KiB; and where in it a trap that ends the code goes on. */
extern const uint8_t cell_text[];
extern const uint64_t cell_leave_offset;
/* Where the stubs of the vectors begin in it, and how far apart they are. */
#define CELL_STUBS     4096u
#define CELL_STUB_STEP 16u
#define CELL_TEXT_SPAN 8192u

/* Selectors of a cell's own GDT, besides context.h's. */
#define CELL_USER_DATA 0x20u
#define CELL_USER_CODE 0x28u

/* Fills the cell's code, descriptor tables and page tables. False: no memory. */
bool cell_build(struct cell *cell, unsigned core);
/* The handler of all its vectors (cell_trap.c). */
void cell_trap(struct trap_frame *frame, uint64_t *cr3);
/* The open cell of that core, or null; and setting it. */
struct cell *cell_of(unsigned core);
void cell_set(unsigned core, struct cell *cell);

/* What the code changed is looked for behind each run in ring 0, put back, and noted in the report.
 */
/* Reads what the settings are, before the first run. */
void changes_open(struct cell *cell);
/* Before each run, with the timer armed: reads what the image itself may have changed. */
void changes_before(struct cell *cell);
/* After it, and before the local APIC is used again. */
void changes_after(struct cell *cell);

#endif
