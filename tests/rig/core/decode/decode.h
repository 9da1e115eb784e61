/* What an instruction is to the pipeline: uops, ports, registers. Decoded once by Zydis, then
 * cached by address and bytes. */
#ifndef RIG_MODEL_DECODE_H
#define RIG_MODEL_DECODE_H

#include <string.h>

#include "core/model.h"
#include "core/parameters.h"

/* Registers as the renamer sees them: 0-15 general, then these. */
enum {
    REG_VECTOR = 16,
    REG_MASK = 48,
    REG_FLAGS = 56,
    REG_X87,
    REG_OTHER, /* MXCSR, segments ... */
    REG_TEMP0,
    REG_TEMP1,
    REG_TEMP2,
    REG_TEMP3,
    REG_NONE, /* none: always ready */
    REG_COUNT
};

#define UOP_SOURCES  4
#define DECODED_UOPS 12 /* more than that are `extra` copies of the last one */

struct uop {
    uint8_t class_id;             /* enum uop_class_id */
    uint8_t sources[UOP_SOURCES]; /* REG_NONE ends the list early */
    uint8_t destinations[2];
    uint8_t access; /* LOAD, STORE_*: which memory access of the instruction, in order, among loads
                       or stores */
    bool fused;     /* shares the slot of the uop before it */
};

/* As FP_ARITH_INST_RETIRED tells them apart. */
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
    FLOPS_INTEGER,     /* what INT_VEC_RETIRED.ADD_128 counts, */
    FLOPS_INTEGER_256, /* ADD_256, */
    FLOPS_INTEGER_MUL, /* MUL_256 */
    FLOPS_TWICE = 16,  /* or-ed in: it counts twice */
    FLOPS_KIND = 15
};

/* The first cache line of the host has all that most instructions need, up to three uops. */
struct decoded {
    _Alignas(64) uint64_t rip; /* key, with the bytes */
    uint8_t bytes[16];         /* those beyond `length` are zero */
    uint8_t length;
    uint8_t uop_count; /* entries in uops (unfused domain) */
    uint16_t extra;    /* further uops like the last one, each with a slot of its own (microcode) */
    uint16_t slots;    /* fused-domain uops */
    uint8_t kind;      /* enum branch_kind, valid when branch */
    uint8_t fuses_with; /* conditional jump: which fuse_class bits it fuses with: 1, 1|2 or 1|2|4 */
    uint8_t fuse_class; /* of the first: 1 test/and, 2 cmp/add/sub, 4 inc/dec */
    uint8_t loads, stores; /* counted once retired: 0 or 1 each, as MEM_INST_RETIRED counts */
    bool branch : 1;
    bool conditional : 1;
    bool microcoded : 1;  /* comes from the sequencer */
    bool lcp : 1;         /* a prefix that changes the length of an immediate */
    bool imm64 : 1;       /* an immediate of 64 bits */
    bool nop : 1;         /* counted as a NOP */
    bool serialising : 1; /* drains before and after: CPUID, WRMSR, IRET, MOV CR ... */
    bool fence : 1;       /* LFENCE: drains before; MFENCE: also the store buffer */
    bool drains_stores : 1;
    bool fuses_first : 1; /* cmp, test, add, sub, inc, dec, and in a fusible form (no
                             rip-relative+immediate) */
    bool prefetch : 1;    /* software prefetch */
    bool flush : 1;       /* CLFLUSH, CLFLUSHOPT, CLWB */
    bool rep : 1;         /* REP string instruction */
    bool locked : 1;
    bool simple_load : 1; /* its address is one register and a displacement of 0..2047 */
    bool pause : 1;       /* PAUSE: the parameters say for how long */
    bool streaming : 1;   /* its stores go around the caches */
    bool plain : 1;   /* one uop that is pipelined, no memory, no branch, nothing of the others but
                         fuses_first and nop */
    bool special : 1; /* serialising, fence, drains_stores, locked, flush or pause */
    bool heavy : 1;   /* all of its slots are heavy operations */
    uint8_t node;     /* enum truth_node of its first slot, when that is a light operation */
    uint8_t flops;    /* enum flops */
    uint8_t upper;    /* enum upper */
    uint32_t retire;  /* enum retire_flag: what is known of it before it executes */
    struct uop uops[DECODED_UOPS];
};

/* Whether it was made of these 16 bytes at this address. */
static inline bool decoded_is(const struct decoded *decoded, uint64_t rip, const uint8_t *bytes)
{
    uint64_t is[2], made_of[2];

    memcpy(is, bytes, sizeof(is));
    memcpy(made_of, decoded->bytes, sizeof(made_of));
    return ((decoded->rip ^ rip) | (is[0] ^ made_of[0]) | (is[1] ^ made_of[1])) == 0;
}

/* What becomes of the upper halves of vector registers, those beyond 128 bits. */
enum upper {
    UPPER_UNTOUCHED,
    UPPER_USED,    /* one is written */
    UPPER_CLEARED, /* VZEROUPPER, VZEROALL */
    UPPER_KEPT     /* SSE: a register is written, and its upper half stays */
};

struct decoder;
struct decoder *decoder_new(const struct model_parameters *parameters);
void decoder_free(struct decoder *decoder);
/* `length` is 1 to 15. Never null: an instruction Zydis does not know becomes one MICROCODE uop.
 * It stays where it is while the decoder lives, but may one day stand for another instruction:
 * decoded_is tells. */
const struct decoded *decoder_get(struct decoder *decoder, uint64_t rip, const uint8_t *bytes,
                                  uint8_t length);

#endif
