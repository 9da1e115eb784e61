/* What an instruction is to the pipeline: uops, ports, registers, and what it retires as. */
#ifndef RIG_CORE_DECODE_DECODED_H
#define RIG_CORE_DECODE_DECODED_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/model.h"
#include "core/parameters.h"

/* Registers as the renamer sees them: 0 to 15 are the general ones, then these. */
enum {
    STACK_POINTER = 4, /* RSP; the stack engine keeps it out of PUSH and POP */
    REG_VECTOR = 16,
    REG_MASK = 48,
    REG_FLAGS = 56,
    REG_X87,
    REG_OTHER, /* MXCSR, segments ... */
    REG_TEMP0,
    REG_TEMP1,
    REG_TEMP2,
    REG_TEMP3,
    REG_NONE, /* no register: always ready */
    REG_COUNT
};

#define UOP_SOURCES  4
#define DECODED_UOPS 12 /* any further uops are `extra` copies of the last one */

struct uop {
    uint8_t class_id;             /* enum uop_class_id */
    uint8_t sources[UOP_SOURCES]; /* REG_NONE ends the list early */
    uint8_t destinations[2];
    bool fused : 1;       /* shares the slot of the uop before it, */
    bool unlaminates : 1; /* but in the decoders and the queue only */
    bool copies : 1;      /* an eliminated move of 64 bits: both registers become one */
    bool moves : 1;       /* a move that is executed if it is not eliminated */
};

/* Arithmetic, in the kinds of FP_ARITH_INST_RETIRED and INT_VEC_RETIRED. */
enum flops {
    FLOPS_NONE,
    FLOPS_SCALAR_SINGLE,
    FLOPS_SCALAR_DOUBLE,
    FLOPS_PACKED_SINGLE, /* of 128 bits */
    FLOPS_PACKED_DOUBLE,
    FLOPS_256_SINGLE,
    FLOPS_256_DOUBLE,
    FLOPS_512_SINGLE,
    FLOPS_512_DOUBLE,
    FLOPS_INTEGER,     /* counted by INT_VEC_RETIRED.ADD_128, */
    FLOPS_INTEGER_256, /* by ADD_256, */
    FLOPS_INTEGER_MUL, /* by MUL_256 */
    FLOPS_TWICE = 16,  /* or-ed in: the instruction counts twice */
    FLOPS_KIND = 15
};

/* All that most instructions need is in the first cache line of the host, up to two uops. */
struct decoded {
    _Alignas(64) uint64_t rip; /* with `bytes` the key */
    uint8_t bytes[16];         /* zero beyond `length` */
    uint8_t length;
    uint8_t uop_count;  /* entries in uops (unfused domain) */
    uint16_t extra;     /* further uops like the last one, each in its own slot (microcode) */
    uint16_t slots;     /* fused-domain uops */
    uint8_t kind;       /* enum branch_kind, valid when branch */
    uint8_t fuses_with; /* conditional jump: which fuse_class bits it fuses with: 1, 1|2 or 1|2|4 */
    uint8_t fuse_class; /* of the first: 1 test/and, 2 cmp/add/sub, 4 inc/dec */
    uint8_t loads, stores; /* 0 or 1: whether it counts as a load, as a store (MEM_INST_RETIRED) */
    bool branch : 1;
    bool conditional : 1;
    bool microcoded : 1;     /* comes from the sequencer */
    bool only_microcode : 1; /* and is decoded in a cycle of its own */
    bool lcp : 1;            /* a prefix changes the length of its immediate */
    bool imm64 : 1;          /* has an immediate of 64 bits */
    bool nop : 1;            /* counted as a NOP */
    bool serialising : 1;    /* drains before and after: CPUID, WRMSR, IRET, MOV CR ... */
    bool fence : 1;          /* LFENCE: drains before; MFENCE: also the store buffer */
    bool drains_stores : 1;
    bool fuses_first : 1;  /* cmp, test, add, sub, inc, dec in a fusible form */
    bool prefetch : 1;     /* software prefetch */
    bool flush : 1;        /* CLFLUSH, CLFLUSHOPT, CLWB */
    bool rep : 1;          /* REP string instruction */
    bool stack_moves : 1;  /* the stack engine moves RSP for it */
    bool stack_reads : 1;  /* it reads RSP past the stack engine, as a register or in an address, */
    bool stack_writes : 1; /* or writes it; all three false without a stack engine */
    bool ends_decoding : 1; /* no other is decoded behind it in its cycle */
    bool first_decoder : 1; /* only the first decoder takes it, whatever its slots */
    bool locked : 1;
    bool simple_load : 1; /* its address is one register and a displacement of 0 to 2047 */
    bool pause : 1;       /* PAUSE */
    bool mfence : 1;      /* MFENCE */
    bool small_add : 1;   /* adds a small constant to a register, which the renamer may do */
    bool streaming : 1;   /* its stores go around the caches */
    bool plain : 1;       /* one pipelined uop, no memory, no branch, and of the flags above at most
                             fuses_first and nop */
    bool unlaminates : 1; /* one of its uops does */
    bool special : 1;     /* serialising, fence, drains_stores, locked, flush or pause */
    bool heavy : 1;       /* all of its slots are heavy operations */
    bool high_byte : 1;   /* it reads or writes AH, BH, CH or DH, and they are kept apart */
    uint8_t node;         /* enum truth_node of its first slot, when that is a light operation */
    uint8_t flops;        /* enum flops */
    uint8_t upper;        /* enum upper */
    uint8_t opcode_at;    /* bytes before the last one of its opcode: prefixes and escapes */
    uint8_t spill;   /* copies a register to or from memory in a way that the renamer can follow
                        (memory_renaming in parameters.h): 1 + the base register; else 0 */
    uint32_t retire; /* enum retire_flag: the flags known before it executes */
    struct uop uops[DECODED_UOPS];
    /* A bit for each of RAX, RCX, RDX and RBX whose high byte it reads or writes, or of which it
     * reads, or uses at all, more than a byte. */
    uint8_t high_read, high_write, wide_read, wide;
};

/* Whether `decoded` was made of these 16 bytes at this address. */
static inline bool decoded_is(const struct decoded *decoded, uint64_t rip, const uint8_t *bytes)
{
    uint64_t is[2], made_of[2];

    memcpy(is, bytes, sizeof(is));
    memcpy(made_of, decoded->bytes, sizeof(made_of));
    return ((decoded->rip ^ rip) | (is[0] ^ made_of[0]) | (is[1] ^ made_of[1])) == 0;
}

/* What becomes of the upper halves of vector registers, the bits beyond 128. */
enum upper {
    UPPER_UNTOUCHED,
    UPPER_USED,    /* one is written */
    UPPER_CLEARED, /* VZEROUPPER, VZEROALL */
    UPPER_KEPT     /* SSE: a register is written, its upper half stays */
};

/* What an instruction retires as: set by the decoder, on its way, or when it retires. */
enum retire_flag {
    RETIRE_INSTRUCTION = 1u << 0,
    RETIRE_NOP = 1u << 1,
    RETIRE_FUSED = 1u << 2,
    RETIRE_LOAD = 1u << 3,
    RETIRE_STORE = 1u << 4,
    RETIRE_BRANCH = 1u << 5,
    RETIRE_TAKEN = 1u << 6,
    RETIRE_MISPREDICTED = 1u << 7,
    RETIRE_LOAD_WALK = 1u << 8,
    RETIRE_STORE_WALK = 1u << 9,
    RETIRE_LEVELLED = 1u << 10,   /* the entry's `level` says where its load was found */
    RETIRE_SPLIT_LOAD = 1u << 12, /* crosses a cache line */
    RETIRE_SPLIT_STORE = 1u << 13,
    RETIRE_LOCK = 1u << 14,            /* a locked load */
    RETIRE_FORWARD_BLOCKED = 1u << 15, /* its load overlapped an older store that cannot forward */
    RETIRE_ALIAS = 1u << 16,           /* its load was compared again with a store 4 KiB away */
    RETIRE_SPLIT_BLOCKED = 1u << 20,   /* its load had to wait for a split register */
    RETIRE_ASSIST = 1u << 21,          /* these slots are an assist's */
    RETIRE_RFO_HITM = 1u << 23,        /* another core had modified the line of its store, */
    RETIRE_RFO_REMOTE = 1u << 22,      /* or a core of another package */
    RETIRE_ACCESS = RETIRE_SPLIT_LOAD | RETIRE_SPLIT_STORE | RETIRE_LOCK | RETIRE_FORWARD_BLOCKED |
                    RETIRE_ALIAS | RETIRE_SPLIT_BLOCKED | RETIRE_RFO_HITM | RETIRE_RFO_REMOTE,
    RETIRE_LFENCE = 1u << 17,
    RETIRE_MICROCODED = 1u << 18,  /* its slots came from the sequencer, */
    RETIRE_FIRST_LIGHT = 1u << 19, /* of which the first does not count as heavy */
    RETIRE_DIVIDES = 1u << 24,     /* it has a uop for the divider */
    RETIRE_FP_DIVIDES = 1u << 25,
    RETIRE_LOAD_STLB_HIT = 1u << 26, /* the second-level TLB had its page */
    RETIRE_STORE_STLB_HIT = 1u << 27,
    RETIRE_RFO_L2_HIT = 1u << 28, /* its store missed L1 and hit L2 */
    RETIRE_RFO_L2_MISS = 1u << 29,
    RETIRE_PAUSE = 1u << 30,
    RETIRE_NOTED = RETIRE_LOAD_STLB_HIT | RETIRE_STORE_STLB_HIT | RETIRE_RFO_L2_HIT |
                   RETIRE_RFO_L2_MISS | RETIRE_PAUSE | RETIRE_LFENCE | RETIRE_ASSIST |
                   RETIRE_MICROCODED, /* signals of notes_retire */
};

/* The flags of a division; 0: it is none. All divisions share one divider. */
static inline uint32_t divides(enum uop_class_id id)
{
    if (id == CLASS_DIV32 || id == CLASS_DIV64 || id == CLASS_IDIV64)
        return RETIRE_DIVIDES;
    if (id >= CLASS_FP_DIV_SINGLE && id <= CLASS_FP_DIV_DOUBLE_256)
        return RETIRE_DIVIDES | RETIRE_FP_DIVIDES;
    return 0;
}

#endif
