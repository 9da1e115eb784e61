#include "fused.h"

/* A conditional jump but JCXZ. */
static bool is_jcc(const uint8_t *bytes, uint32_t length)
{
    return (length >= 2 && bytes[0] >> 4 == 7) ||
           (length >= 6 && bytes[0] == 0x0f && bytes[1] >> 4 == 8);
}

static bool is_rip_relative(uint8_t modrm)
{
    return (modrm & 0xc7) == 0x05;
}

/* What can fuse, by the condition: ADD, SUB, CMP with those of the carry and of the signed order,
 * and the others. */
enum fusing { NEVER, ALWAYS, NO_SIGN, NO_CARRY };

/* The eight operations of the first rows of the opcode map, and of groups 80H to 83H. */
static enum fusing arithmetic(unsigned operation)
{
    switch (operation) {
    case 4: /* AND */
        return ALWAYS;
    case 0: /* ADD */
    case 5: /* SUB */
    case 7: /* CMP */
        return NO_SIGN;
    default:
        return NEVER;
    }
}

static enum fusing first_of(const uint8_t *bytes, uint32_t length)
{
    uint32_t at = 0;
    unsigned operation;
    uint8_t opcode, modrm;

    while (at < length && (bytes[at] == 0x66 || bytes[at] >> 4 == 4))
        at++;
    if (at >= length)
        return NEVER;
    opcode = bytes[at];
    modrm = at + 1 < length ? bytes[at + 1] : 0;
    operation = modrm >> 3 & 7;
    if (opcode < 0x40 && (opcode & 7) < 6) {
        /* with an immediate there is no operand in memory; a destination in memory is fused of CMP
         * alone */
        if ((opcode & 7) < 2 && modrm >> 6 != 3 && opcode >> 3 != 7)
            return NEVER;
        return (opcode & 7) < 4 && is_rip_relative(modrm) ? NEVER : arithmetic(opcode >> 3);
    }
    if (opcode == 0xa8 || opcode == 0xa9) /* TEST of the accumulator */
        return ALWAYS;
    if (opcode == 0x84 || opcode == 0x85)
        return is_rip_relative(modrm) ? NEVER : ALWAYS;
    if (modrm >> 6 != 3) /* memory and an immediate, or a destination in memory */
        return NEVER;
    if (opcode >= 0x80 && opcode <= 0x83)
        return arithmetic(operation);
    if ((opcode == 0xf6 || opcode == 0xf7) && operation < 2) /* TEST */
        return ALWAYS;
    if ((opcode == 0xfe || opcode == 0xff) && operation < 2) /* INC, DEC leave the carry */
        return NO_CARRY;
    return NEVER;
}

bool fused_may(const uint8_t *bytes, uint32_t length, const uint8_t *next, uint32_t next_length)
{
    enum fusing fusing;
    unsigned condition;

    if (!is_jcc(next, next_length))
        return false;
    condition = (next[0] == 0x0f ? next[1] : next[0]) & 0xf;
    fusing = first_of(bytes, length);
    switch (condition >> 1) {
    case 0: /* overflow */
    case 4: /* sign */
    case 5: /* parity */
        return fusing == ALWAYS;
    case 1: /* carry */
    case 3: /* carry or zero */
        return fusing == ALWAYS || fusing == NO_SIGN;
    default: /* zero, and the signed order */
        return fusing != NEVER;
    }
}
