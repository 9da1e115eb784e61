/* The counters of NetBurst (family 15, models 0 to 6): 45 registers that select an event (ESCR),
 * and 18 counters, each with a register that says when and from which ESCR it counts (CCCR). Data,
 * as in SDM volume 3B, "Performance Monitoring (Processors Based on Intel NetBurst
 * Microarchitecture)". Nothing here reads or writes a register. */
#ifndef PMU_NETBURST_REGISTERS_H
#define PMU_NETBURST_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "boot/slice.h"
#include "pmu/registers.h"

#define NETBURST_LAST_MODEL 6
#define NETBURST_ESCRS      45
#define NETBURST_COUNTERS   18
#define NETBURST_SELECTS    8 /* values of CCCR_ESCR_SELECT */
#define NETBURST_NONE       0xff
/* MSR_IQ_COUNTER4, the only one that makes records while HyperThreading is off; with it there are
 * none (IA32_MISC_ENABLE). */
#define NETBURST_PEBS_COUNTER  16
#define NETBURST_COUNTERS_TEXT 64

/* "ESCR MSRs". T0 and T1 are the logical processors; without HyperThreading T1's bits are reserved.
 * Bit n of the event mask is the manual's "bit n of the event mask". */
#define ESCR_FIELDS(F)                                                                             \
    F(ESCR_T1_USR, 0, 0)                                                                           \
    F(ESCR_T1_OS, 1, 1)                                                                            \
    F(ESCR_T0_USR, 2, 2)                                                                           \
    F(ESCR_T0_OS, 3, 3)                                                                            \
    F(ESCR_TAG_ENABLE, 4, 4)                                                                       \
    F(ESCR_TAG_VALUE, 5, 8)                                                                        \
    F(ESCR_EVENT_MASK, 9, 24)                                                                      \
    F(ESCR_EVENT_SELECT, 25, 30)
enum { ESCR_FIELDS(FIELD_NAMED) };
#define ESCR_RESERVED (~(0ull ESCR_FIELDS(FIELD_UNION)))

/* "CCCR MSRs". ACTIVE_THREAD must be 3 without HyperThreading, and is "any" with it. EDGE and
 * COMPLEMENT act only with COMPARE. EXTENDED_CASCADE is reserved in most CCCRs:
 * netburst_cccr_reserved. */
#define CCCR_FIELDS(F)                                                                             \
    F(CCCR_EXTENDED_CASCADE, 11, 11)                                                               \
    F(CCCR_ENABLE, 12, 12)                                                                         \
    F(CCCR_ESCR_SELECT, 13, 15)                                                                    \
    F(CCCR_ACTIVE_THREAD, 16, 17)                                                                  \
    F(CCCR_COMPARE, 18, 18)                                                                        \
    F(CCCR_COMPLEMENT, 19, 19)                                                                     \
    F(CCCR_THRESHOLD, 20, 23)                                                                      \
    F(CCCR_EDGE, 24, 24)                                                                           \
    F(CCCR_FORCE_OVF, 25, 25)                                                                      \
    F(CCCR_OVF_PMI_T0, 26, 26)                                                                     \
    F(CCCR_OVF_PMI_T1, 27, 27)                                                                     \
    F(CCCR_CASCADE, 30, 30)                                                                        \
    F(CCCR_OVF, 31, 31)
enum { CCCR_FIELDS(FIELD_NAMED) };
enum { CCCR_ACTIVE_THREAD_ANY = 3 };

/* MSR_DEBUGCTLA has IA32_DEBUGCTL's address: LBR, BTF, TR, BTS and BTINT are other bits of it. */
#define DEBUGCTLA_FIELDS(F) F(DEBUGCTLA_RECORDS, 0, 4)
enum { DEBUGCTLA_FIELDS(FIELD_NAMED) };
#define DEBUGCTLA_RECORDING (0ull DEBUGCTLA_FIELDS(FIELD_UNION))

/* "Last Branch, Interrupt, and Exception Recording": the index of the newest record, and the first
 * of the four records of models 0 to 2. */
enum { MSR_LASTBRANCH_TOS_NETBURST = 0x1da, MSR_LASTBRANCH_0_NETBURST = 0x1db };

/* "Replay Tagging For Replay_event": which replays tag uops. Its number is that of
 * MSR_PEBS_DATA_CFG on later processors. */
enum { MSR_PEBS_MATRIX_VERT = 0x3f2 };
/* The bits that choose replays: of IA32_PEBS_ENABLE metrics and UOP_TAG, none that samples. */
enum { NETBURST_REPLAY_ENABLE = 0x01019fff, NETBURST_REPLAY_MATRIX = 0x1fff };

enum { NETBURST_COUNTER_BITS = 40 };

enum netburst_group { NETBURST_BPU, NETBURST_MS, NETBURST_FLAME, NETBURST_IQ };

/* All models have an ESCR, or the first models only. */
enum netburst_models { NETBURST_ALL_MODELS, NETBURST_MODELS_0_TO_2 };

struct netburst_escr {
    const char *name;
    uint16_t address;
    uint8_t select; /* what CCCR_ESCR_SELECT must be for this ESCR */
    uint8_t half;   /* 0 or 1: of the two ESCRs of a unit, which of the two feeds other counters */
    uint32_t counters; /* bit n: counter n can count what this ESCR selects */
    uint8_t models;    /* enum netburst_models */
};

struct netburst_counter {
    const char *name, *cccr_name;
    uint16_t address, cccr;
    uint8_t group;        /* enum netburst_group */
    uint8_t half;         /* of the ESCRs that feed it */
    uint8_t cascade_from; /* the counter whose overflow starts this one by CCCR_CASCADE */
    /* The counter whose overflow starts this one by CCCR_EXTENDED_CASCADE, on models 2 and above;
     * NETBURST_NONE where the bit is reserved. */
    uint8_t extended_from;
    /* The logical processor for which it counts precise events; NETBURST_NONE: for none. */
    uint8_t pebs_thread;
};

extern const struct netburst_escr netburst_escrs[NETBURST_ESCRS];
extern const struct netburst_counter netburst_counters[NETBURST_COUNTERS];

/* Returns whether the model of family 15 (0 to 6) has the ESCR, an index into netburst_escrs. */
bool netburst_has_escr(unsigned escr, unsigned model);
/* Returns the index of the ESCR that a counter (0 to 17) counts from with that value of
 * CCCR_ESCR_SELECT; NETBURST_NONE where no ESCR of that model is. */
unsigned netburst_escr_of(unsigned counter, unsigned select, unsigned model);
/* Returns the index of the ESCR of that name, with or without MSR_; NETBURST_NONE: no such name. */
unsigned netburst_escr_named(struct slice name);
/* Returns whether the two ESCRs, indices, are the two halves of one unit: the same select, and
 * counters of the same group. */
bool netburst_are_pair(unsigned a, unsigned b);
/* Returns the group, enum netburst_group, of the counters that the ESCR, an index, feeds. */
unsigned netburst_group_of(unsigned escr);
/* Returns whether a CCCR has that address. */
bool netburst_is_cccr(uint32_t msr);
/* Returns whether an ESCR, a CCCR, a counter or MSR_PEBS_MATRIX_VERT has that address. */
bool netburst_has_register(uint32_t msr);
/* Writes the name of the ESCR, CCCR or counter of that address to `out`, at most `size` bytes with
 * the 0. Returns false, and writes nothing, when none of them has it. */
bool netburst_register_name(uint32_t msr, char *out, unsigned size);
/* Returns the bits that must be written as zero to the CCCR of a counter (0 to 17). */
uint64_t netburst_cccr_reserved(unsigned counter, unsigned model);
/* Writes the numbers of the counters (bit n for counter n), such as "12, 13, 16"; "none". */
void netburst_counters_text(uint32_t counters, char out[NETBURST_COUNTERS_TEXT]);

#endif
