/* The arithmetic flags of RFLAGS. */
#ifndef RIG_VECTOR_FLAGS_H
#define RIG_VECTOR_FLAGS_H

#define FLAG_CF          0x001u
#define FLAG_PF          0x004u
#define FLAG_ZF          0x040u
#define FLAGS_ARITHMETIC 0x8d5u /* CF, PF, AF, ZF, SF, OF */

#endif
