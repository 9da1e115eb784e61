/* A CPUID feature bit that decides whether an instruction exists. */
#ifndef RIG_VECTOR_CPUID_BIT_H
#define RIG_VECTOR_CPUID_BIT_H

#include <stdbool.h>
#include <stdint.h>

enum cpuid_register { CPUID_EAX, CPUID_EBX, CPUID_ECX, CPUID_EDX };

struct cpuid_bit {
    uint32_t leaf; /* and CPUID_SUBLEAF */
    uint8_t reg;   /* enum cpuid_register */
    uint8_t bit;
};

/* No leaf has a number with these bits. */
#define CPUID_SUBLEAF(n) ((uint32_t)(n) << 16)
#define CPUID_SUBLEAVES  CPUID_SUBLEAF(0xff)

/* Whether a processor's CPUID offers that bit. */
typedef bool cpuid_offers_function(void *context, const struct cpuid_bit *bit);

#endif
