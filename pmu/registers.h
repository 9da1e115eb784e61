/* The performance-monitoring registers of Intel processors, once each. Names are the manual's. SDM
 * volume 3B, chapter "Performance Monitoring", and volume 4, "Architectural MSRs".
 *
 * A register is REGISTER(NAME, ADDRESS, FIELDS): its address as an enumerator, each field as a
 * value that field_get and field_of take, and a compile-time proof that no two fields overlap. */
#ifndef PMU_REGISTERS_H
#define PMU_REGISTERS_H

#include <stdint.h>

#define FIELD_NAMED(name, low, high) name = (low) | (high) << 8,
#define FIELD_MASK(low, high)        ((~0ull >> (63 - (high))) & (~0ull << (low)))
#define FIELD_SUM(name, low, high)   +FIELD_MASK(low, high)
#define FIELD_UNION(name, low, high) | FIELD_MASK(low, high)
#define REGISTER(name, address, fields)                                                            \
    enum { name = (address) };                                                                     \
    enum { fields(FIELD_NAMED) };                                                                  \
    _Static_assert((0ull fields(FIELD_SUM)) == (0ull fields(FIELD_UNION)),                         \
                   #name ": fields overlap");

static inline uint64_t field_mask(unsigned field)
{
    return FIELD_MASK(field & 0xff, field >> 8);
}

/* The field's value, moved down to bit 0. */
static inline uint64_t field_get(uint64_t value, unsigned field)
{
    return (value & field_mask(field)) >> (field & 0xff);
}

/* `value` moved up to where the field is; bits that do not fit are cut off. */
static inline uint64_t field_of(unsigned field, uint64_t value)
{
    return value << (field & 0xff) & field_mask(field);
}

/* Registers that come in rows: entry n is at the address plus n. */
enum {
    IA32_PMC0 = 0xc1, /* writes are sign-extended from bit 31 */
    IA32_PERFEVTSEL0 = 0x186,
    IA32_FIXED_CTR0 = 0x309,
    IA32_A_PMC0 =
        0x4c1, /* the same counters, writable at full width (PERF_CAPABILITIES_FW_WRITE) */
    MSR_LASTBRANCH_0_FROM_IP = 0x680,
    MSR_LASTBRANCH_0_TO_IP = 0x6c0,
    MSR_LBR_INFO_0 = 0xdc0,
};
/* Registers whose fields nothing here takes apart. */
enum {
    IA32_BIOS_SIGN_ID = 0x8b, /* microcode revision in bits 63:32 */
    MSR_LASTBRANCH_TOS = 0x1c9,
};

/* "Architectural Performance Monitoring Version 1 Facilities"; ANY since version 3. */
#define PERFEVTSEL_FIELDS(F)                                                                       \
    F(PERFEVTSEL_EVENT_SELECT, 0, 7)                                                               \
    F(PERFEVTSEL_UMASK, 8, 15)                                                                     \
    F(PERFEVTSEL_USR, 16, 16)                                                                      \
    F(PERFEVTSEL_OS, 17, 17)                                                                       \
    F(PERFEVTSEL_EDGE, 18, 18)                                                                     \
    F(PERFEVTSEL_ANY, 21, 21)                                                                      \
    F(PERFEVTSEL_EN, 22, 22)                                                                       \
    F(PERFEVTSEL_INV, 23, 23)                                                                      \
    F(PERFEVTSEL_CMASK, 24, 31)                                                                    \
    F(PERFEVTSEL_EQ, 36, 36)                                                                       \
    F(PERFEVTSEL_UMASK2, 40, 47)
REGISTER(IA32_PERFEVTSELx, IA32_PERFEVTSEL0, PERFEVTSEL_FIELDS)

/* Four bits a counter: OS and USR enable, ANY, PMI. Of counter 0; the others follow at
 * FIXED_CTR_CTRL_STEP. */
#define FIXED_CTR_CTRL_FIELDS(F) F(FIXED_CTR_CTRL_EN0, 0, 1)
REGISTER(IA32_FIXED_CTR_CTRL, 0x38d, FIXED_CTR_CTRL_FIELDS)
enum { FIXED_CTR_CTRL_STEP = 4, FIXED_CTR_CTRL_OS_AND_USR = 3 };

/* "Global Control", "Performance Metrics". General counter n is bit n. */
#define PERF_GLOBAL_CTRL_FIELDS(F)                                                                 \
    F(PERF_GLOBAL_CTRL_EN_PMC, 0, 31)                                                              \
    F(PERF_GLOBAL_CTRL_EN_FIXED_CTR, 32, 47)                                                       \
    F(PERF_GLOBAL_CTRL_EN_PERF_METRICS, 48, 48)
REGISTER(IA32_PERF_GLOBAL_CTRL, 0x38f, PERF_GLOBAL_CTRL_FIELDS)

/* IA32_PERF_GLOBAL_STATUS, and IA32_PERF_GLOBAL_OVF_CTRL (called IA32_PERF_GLOBAL_STATUS_RESET
 * since version 4) where the same bits are written to clear them. LBR_FRZ and CTR_FRZ exist since
 * version 4. */
#define PERF_GLOBAL_STATUS_FIELDS(F)                                                               \
    F(PERF_GLOBAL_STATUS_OVF_PMC, 0, 31)                                                           \
    F(PERF_GLOBAL_STATUS_OVF_FIXED_CTR, 32, 47)                                                    \
    F(PERF_GLOBAL_STATUS_OVF_PERF_METRICS, 48, 48)                                                 \
    F(PERF_GLOBAL_STATUS_LBR_FRZ, 58, 58)                                                          \
    F(PERF_GLOBAL_STATUS_CTR_FRZ, 59, 59)
REGISTER(IA32_PERF_GLOBAL_STATUS, 0x38e, PERF_GLOBAL_STATUS_FIELDS)
enum { IA32_PERF_GLOBAL_OVF_CTRL = 0x390 };

#define PERF_CAPABILITIES_FIELDS(F)                                                                \
    F(PERF_CAPABILITIES_LBR_FMT, 0, 5)                                                             \
    F(PERF_CAPABILITIES_FW_WRITE, 13, 13)                                                          \
    F(PERF_CAPABILITIES_PERF_METRICS_AVAILABLE, 15, 15)
REGISTER(IA32_PERF_CAPABILITIES, 0x345, PERF_CAPABILITIES_FIELDS)

/* "Performance Metrics". Each byte is a share of the slots since both were cleared, 0xff = all of
 * them. Fields are addressed by number (a description's `metric NAME FIELD`), byte n at bits
 * 8n+7:8n. */
enum { MSR_PERF_METRICS = 0x329 };

/* "Last Branch, Interrupt, and Exception Recording" */
#define DEBUGCTL_FIELDS(F) F(DEBUGCTL_LBR, 0, 0)
REGISTER(IA32_DEBUGCTL, 0x1d9, DEBUGCTL_FIELDS)
/* A set bit: the counter's overflow writes a record to memory. "Processor Event Based Sampling" */
enum { IA32_PEBS_ENABLE = 0x3f1 };
enum { MSR_LBR_SELECT = 0x1c8 }; /* a set bit filters a kind of branch out; 0 records everything */

#define LBR_INFO_FIELDS(F)                                                                         \
    F(LBR_INFO_CYC, 0, 15)                                                                         \
    F(LBR_INFO_MISPRED, 63, 63)
REGISTER(MSR_LBR_INFO_x, MSR_LBR_INFO_0, LBR_INFO_FIELDS)

/* Microcode that rolls TSX back by means of PMC3 gives it up while this bit is set. Exists when
 * CPUID.(7,0):EDX[13] is set. "Performance Monitoring Impact of Intel TSX Memory Ordering Issue".
 */
#define TSX_FORCE_ABORT_FIELDS(F) F(TSX_FORCE_ABORT_RTM_FORCE_ABORT, 0, 0)
REGISTER(MSR_TSX_FORCE_ABORT, 0x10f, TSX_FORCE_ABORT_FIELDS)

/* RDPMC indices beside the plain numbers of general counters. "RDPMC" in volume 2B. */
enum { RDPMC_FIXED = 0x40000000, RDPMC_PERF_METRICS = 0x20000000 };

#endif
