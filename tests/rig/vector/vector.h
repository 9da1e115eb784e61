/* Instructions in VEX and EVEX encodings, of which the emulator has none. The rig plays those that
 * vector_rows.c names, with registers of its own beside the emulator's XMM0 to XMM15. */
#ifndef RIG_VECTOR_H
#define RIG_VECTOR_H

#include <Zydis/Zydis.h>
#include <stdbool.h>
#include <stdint.h>

#include "machine/instruction.h"

#define VECTOR_BYTES     64u
#define VECTOR_REGISTERS 32u
#define VECTOR_MASKS     8u

/* ZMM0 to ZMM31, K0 to K7. */
struct vector_file {
    _Alignas(VECTOR_BYTES) uint8_t vector[VECTOR_REGISTERS][VECTOR_BYTES];
    uint64_t mask[VECTOR_MASKS];
};

/* What a core has of them: bits 127:0 of the first 16 are stale here, the emulator has them. */
struct vector_state {
    struct vector_file file;
    uint64_t xcr0;
};

enum vector_shape {
    VECTOR_NONE,        /* not played */
    VECTOR_LANES,       /* every element by itself */
    VECTOR_LOWEST,      /* the lowest element; the rest of 128 bits is the first source's */
    VECTOR_COPY,        /* all of it */
    VECTOR_COPY_LOWEST, /* MOVSS, MOVSD */
    VECTOR_TRANSFER,    /* MOVD, MOVQ: the lowest element, zeros above it */
    VECTOR_BROADCAST,   /* one block, everywhere */
    VECTOR_EXTRACT,     /* the block that the constant says */
    VECTOR_INSERT,
    VECTOR_SHUFFLE,   /* elements change places */
    VECTOR_SIGNS,     /* the highest bit of each element, into a general register */
    VECTOR_TEST,      /* into the flags */
    VECTOR_MASK_COPY, /* KMOV */
    VECTOR_MASKED,    /* VMASKMOV: a copy by the signs of another vector */
    VECTOR_ZERO_UPPER,
    VECTOR_ZERO_ALL,
};

enum vector_op {
    VECTOR_ADD,
    VECTOR_SUB,
    VECTOR_MUL,
    VECTOR_DIV,
    VECTOR_MIN,
    VECTOR_MAX,
    VECTOR_SQRT,
    VECTOR_FMA,
    VECTOR_LAST_FLOAT = VECTOR_FMA,
    VECTOR_AND,
    VECTOR_ANDN,
    VECTOR_OR,
    VECTOR_XOR,
    VECTOR_INTEGER_ADD,
    VECTOR_INTEGER_SUB,
    VECTOR_INTEGER_MUL,      /* the lower half of the product */
    VECTOR_INTEGER_MUL_WIDE, /* of the lower halves of the elements */
    VECTOR_EQUAL,            /* all ones where it holds */
    VECTOR_GREATER,
    VECTOR_MIN_SIGNED,
    VECTOR_MIN_UNSIGNED,
    VECTOR_MAX_SIGNED,
    VECTOR_MAX_UNSIGNED,
    VECTOR_SHIFT_LEFT,
    VECTOR_SHIFT_RIGHT,
    VECTOR_SHIFT_ARITHMETIC,
    VECTOR_UNPACK_LOW,
    VECTOR_UNPACK_HIGH,
    VECTOR_SHUFFLE_PAIR,
    VECTOR_SHUFFLE_BYTES,
    VECTOR_ALIGN,
    VECTOR_BYTES_UP,
    VECTOR_BYTES_DOWN,
    VECTOR_DUPLICATE_EVEN,
    VECTOR_DUPLICATE_ODD,
    VECTOR_PERMUTE,
    VECTOR_PERMUTE_HALVES,
    VECTOR_TEST_BITS,
    VECTOR_COMPARE,
};

/* Of FMA: which operands are multiplied, counted from 1; the rest is added. */
enum vector_fma {
    VECTOR_132 = 1,
    VECTOR_213,
    VECTOR_231,
    VECTOR_ORDER = 3,
    VECTOR_NEGATE_PRODUCT = 4,
    VECTOR_NEGATE_ADDEND = 8
};

struct vector_row {
    uint8_t shape, op;
    uint8_t size; /* bytes of an element: of a number, or of what one bit of a mask is about */
    uint8_t
        block; /* BROADCAST, EXTRACT, INSERT: bytes; FMA: enum vector_fma; shifts: 1 when one count
                  is for all; copies: not 0 when the address must be a multiple of the size */
};

/* vector_rows.c. The row of a mnemonic that is not played has no shape. */
const struct vector_row *vector_row(ZydisMnemonic mnemonic);

/* vector_kind.c: what the machine does with an instruction in VEX or EVEX encoding. */
enum instruction_kind vector_kind(const ZydisDecodedInstruction *decoded,
                                  bool (*offers)(void *context, const struct cpuid_bit *bit),
                                  void *context);

/* vector_float.c: bits of a single (`size` 4) or double number in and out; MXCSR's rounding is the
 * host's meanwhile. `how` is the enum vector_fma of VECTOR_FMA. `raised` gets the flags of
 * MXCSR for the exceptions, all of which are masked. */
uint64_t vector_float(enum vector_op op, unsigned size, unsigned how, const uint64_t operand[3],
                      uint32_t mxcsr, uint32_t *raised);

/* The flags of a comparison, UCOMISD's; `ordered`: COMISD's, to which a quiet NaN is invalid. */
unsigned vector_compare(unsigned size, uint64_t a, uint64_t b, bool ordered, uint32_t mxcsr,
                        uint32_t *raised);
/* vector_integer.c: elements of `size` bytes, with zeros above; the result's upper bytes are to be
 * dropped. */
uint64_t vector_integer(enum vector_op op, unsigned size, uint64_t a, uint64_t b);
/* vector_shuffle.c: `length` bytes of elements of `size`; the second source may be the first again.
 */
void vector_shuffle(enum vector_op op, unsigned size, unsigned length, const uint8_t *a,
                    const uint8_t *b, unsigned constant, uint8_t *to);

/* An instruction with all that it works on. */
#define VECTOR_OPERANDS 4u
struct vector_step {
    const ZydisDecodedInstruction *decoded;
    const struct vector_row *row;
    const ZydisDecodedOperand *operand[VECTOR_OPERANDS]; /* those that are written out, but for the
                                                            mask */
    unsigned operands;
    struct vector_file *file;
    uint64_t *general;            /* RAX, RCX, RDX ... */
    uint8_t memory[VECTOR_BYTES]; /* of the memory operand: as read before, or to be written */
    uint32_t mxcsr;               /* gets flags of exceptions */
    uint64_t flags;               /* RFLAGS: read and written by VECTOR_TEST only */
};

/* vector_execute.c */
/* Finds row and operands. False: this form of it is not played. */
bool vector_prepare(struct vector_step *step, const ZydisDecodedInstruction *decoded,
                    const ZydisDecodedOperand *list);
void vector_execute(struct vector_step *step);
/* vector_mask.c: of the memory operand, a bit for each byte. Registers that it reads must be there.
 */
uint64_t vector_active(const struct vector_step *step);  /* read or written */
uint64_t vector_reached(const struct vector_step *step); /* where a fault counts */
/* Whether it computes with floating-point numbers. */
bool vector_computes(const struct vector_step *step);
/* Whether a multiplication needs an assist, with what assist.h asks. */
bool vector_assists(const struct vector_step *step);

#endif
