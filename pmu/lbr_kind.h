/* Kinds of last-branch stacks as data: where a stack's registers are, and how a record is laid out.
 * "Last Branch, Interrupt, and Exception Recording" and "Architectural Last Branch Records" in SDM
 * volume 3B. A stack of another vendor is one more row. */
#ifndef PMU_LBR_KIND_H
#define PMU_LBR_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a taken branch is. A stack that does not record it says LBR_TYPE_UNKNOWN. */
enum lbr_type {
    LBR_TYPE_UNKNOWN,
    LBR_CONDITIONAL,
    LBR_JUMP, /* near, relative; and so are calls */
    LBR_JUMP_INDIRECT,
    LBR_CALL,
    LBR_CALL_INDIRECT,
    LBR_RETURN,
    LBR_OTHER, /* far branches, interrupts, exceptions */
    LBR_TYPES
};
#define LBR_EVERY_TYPE ((1u << LBR_TYPES) - 2u) /* bit n for type n, without LBR_TYPE_UNKNOWN */

/* How a record is laid out in its registers. Values of IA32_PERF_CAPABILITIES[5:0] from 0 on, "LBR
 * Format"; LBR_FORMAT_ARCHITECTURAL is what an architectural stack has. */
enum lbr_format {
    LBR_FORMAT_32,         /* 32-bit addresses */
    LBR_FORMAT_LIP,        /* linear addresses */
    LBR_FORMAT_EIP,        /* addresses relative to the code segment, whose base is 0 here */
    LBR_FORMAT_EIP_FLAGS,  /* FROM[63] mispredicted */
    LBR_FORMAT_EIP_FLAGS2, /* the same, FROM[62] in a transaction, FROM[61] abort */
    LBR_FORMAT_INFO,       /* all flags and cycles in an INFO register */
    LBR_FORMAT_TIME,       /* FROM[63] mispredicted, TO[63:48] cycles */
    LBR_FORMAT_INFO2,      /* as LBR_FORMAT_INFO, without transactions */
    LBR_FORMAT_ARCHITECTURAL,
    LBR_FORMATS
};

struct lbr_layout {
    uint8_t from_bits; /* of an address in FROM, its sign bit the highest of them; and in TO */
    uint8_t to_bits;
    bool from_mispredicted; /* FROM[63] */
    bool from_transaction;  /* FROM[62], FROM[61] */
    bool to_cycles;         /* TO[63:48] */
    bool info;              /* INFO[63] mispredicted, [15:0] cycles */
    bool info_transaction;  /* INFO[62], INFO[61] */
    bool info_type;         /* INFO[59:56] type, INFO[60] the cycles are valid */
};
/* The layout of the format. */
const struct lbr_layout *lbr_layout_of(enum lbr_format format);

enum lbr_freeze {
    LBR_FREEZE_NONE,
    LBR_FREEZE_LEGACY,     /* IA32_DEBUGCTL[11]: a PMI clears IA32_DEBUGCTL[0] */
    LBR_FREEZE_STREAMLINED /* IA32_DEBUGCTL[11]: an overflow sets IA32_PERF_GLOBAL_STATUS[58] */
};

/* Register 0 means that the stack has no such register. */
struct lbr_kind {
    const char *name;        /* in a CPU description: `lbr NAME` */
    unsigned depth;          /* records; 0: CPUID 1CH says it */
    uint32_t from, to, info; /* the first of a row; TO 0: FROM holds both addresses */
    uint32_t tos;            /* index of the newest record; without it, record 0 is the newest */
    uint32_t select;         /* MSR_LBR_SELECT: a set bit suppresses a kind of branch */
    bool select_shared;      /* both threads of a core have one MSR_LBR_SELECT */
    bool call_stack;         /* MSR_LBR_SELECT[9] */
    bool calls_need_jumps;   /* calls are recorded only where near jumps are, an erratum */
    bool architectural;      /* IA32_LBR_CTL, IA32_LBR_DEPTH; CPUID 1CH says what there is */
    uint32_t formats;        /* bit n: IA32_PERF_CAPABILITIES[5:0] may be n; 0: nothing says it */
    enum lbr_format fixed;   /* used whatever the register says; LBR_FORMATS: what it says */
    enum lbr_freeze freeze;
};

#endif
