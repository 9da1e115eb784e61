/* The performance-monitoring registers of Intel processors, and what all kinds of counters must
 * know of other vendors' ones, each defined once under the manual's name. SDM volume 3B, chapter
 * "Performance Monitoring", and volume 4, "Architectural MSRs".
 *
 * REGISTER(NAME, ADDRESS, FIELDS) defines the address as an enumerator and each field as a value
 * for field_get and field_of. It does not compile when two fields overlap. */
#ifndef PMU_REGISTERS_H
#define PMU_REGISTERS_H

#include <stdbool.h>
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

/* The bits of the field, in place. */
static inline uint64_t field_mask(unsigned field)
{
    return FIELD_MASK(field & 0xff, field >> 8);
}

/* Returns the field's value, shifted down to bit 0. */
static inline uint64_t field_get(uint64_t value, unsigned field)
{
    return (value & field_mask(field)) >> (field & 0xff);
}

/* Returns `value` shifted up to the field's place. Bits that do not fit are cut off. */
static inline uint64_t field_of(unsigned field, uint64_t value)
{
    return value << (field & 0xff) & field_mask(field);
}

/* Rows of registers: register n of a row is at the row's address plus n. */
enum {
    IA32_PMC0 = 0xc1, /* writes are sign-extended from bit 31 */
    IA32_PERFEVTSEL0 = 0x186,
    IA32_FIXED_CTR0 = 0x309,
    /* IA32_PMCn again, writable at full width when PERF_CAPABILITIES_FW_WRITE is set */
    IA32_A_PMC0 = 0x4c1,
    MSR_LASTBRANCH_0_FROM_IP_CORE = 0x40, /* of Core, and of Atom up to Silvermont */
    MSR_LASTBRANCH_0_TO_IP_CORE = 0x60,
    MSR_LASTBRANCH_0_FROM_IP = 0x680,
    MSR_LASTBRANCH_0_TO_IP = 0x6c0,
    MSR_LBR_INFO_0 = 0xdc0,
    IA32_LBR_0_INFO = 0x1200,
    IA32_LBR_0_FROM_IP = 0x1500,
    IA32_LBR_0_TO_IP = 0x1600,
};
/* Counters that a plan may use: IA32_PERFEVTSEL0 to 9 and IA32_FIXED_CTR0 to 6. */
enum { GENERAL_COUNTERS = 10, FIXED_COUNTERS = 7 };

/* Registers without defined fields: they are read and written whole. */
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
    F(PERFEVTSEL_INT, 20, 20)                                                                      \
    F(PERFEVTSEL_ANY, 21, 21)                                                                      \
    F(PERFEVTSEL_EN, 22, 22)                                                                       \
    F(PERFEVTSEL_INV, 23, 23)                                                                      \
    F(PERFEVTSEL_CMASK, 24, 31)                                                                    \
    F(PERFEVTSEL_ADAPTIVE_RECORD, 34, 34)                                                          \
    F(PERFEVTSEL_EQ, 36, 36)                                                                       \
    F(PERFEVTSEL_UMASK2, 40, 47)
REGISTER(IA32_PERFEVTSELx, IA32_PERFEVTSEL0, PERFEVTSEL_FIELDS)

/* Four bits for each fixed counter: enable in OS, enable in USR, ANY, PMI. The field is counter
 * 0's; counter n's is n * FIXED_CTR_CTRL_STEP bits higher. */
#define FIXED_CTR_CTRL_FIELDS(F)                                                                   \
    F(FIXED_CTR_CTRL_EN0, 0, 1)                                                                    \
    F(FIXED_CTR_CTRL_PMI0, 3, 3)                                                                   \
    F(FIXED_CTR_CTRL_ADAPTIVE_RECORD0, 32, 32)
REGISTER(IA32_FIXED_CTR_CTRL, 0x38d, FIXED_CTR_CTRL_FIELDS)
enum { FIXED_CTR_CTRL_STEP = 4, FIXED_CTR_CTRL_USR = 2, FIXED_CTR_CTRL_OS_AND_USR = 3 };

/* "Global Control", "Performance Metrics". General counter n is bit n, fixed counter n bit 32 + n.
 */
#define PERF_GLOBAL_CTRL_FIELDS(F)                                                                 \
    F(PERF_GLOBAL_CTRL_EN_PMC, 0, 31)                                                              \
    F(PERF_GLOBAL_CTRL_EN_FIXED_CTR, 32, 47)                                                       \
    F(PERF_GLOBAL_CTRL_EN_PERF_METRICS, 48, 48)
REGISTER(IA32_PERF_GLOBAL_CTRL, 0x38f, PERF_GLOBAL_CTRL_FIELDS)

/* A bit of IA32_PERF_GLOBAL_STATUS is cleared by writing the same bit to IA32_PERF_GLOBAL_OVF_CTRL,
 * which the manual calls IA32_PERF_GLOBAL_STATUS_RESET since version 4. LBR_FRZ and CTR_FRZ exist
 * since version 4. */
#define PERF_GLOBAL_STATUS_FIELDS(F)                                                               \
    F(PERF_GLOBAL_STATUS_OVF_PMC, 0, 31)                                                           \
    F(PERF_GLOBAL_STATUS_OVF_FIXED_CTR, 32, 47)                                                    \
    F(PERF_GLOBAL_STATUS_OVF_PERF_METRICS, 48, 48)                                                 \
    F(PERF_GLOBAL_STATUS_LBR_FRZ, 58, 58)                                                          \
    F(PERF_GLOBAL_STATUS_CTR_FRZ, 59, 59)                                                          \
    F(PERF_GLOBAL_STATUS_OVF_DS_BUFFER, 62, 62)
REGISTER(IA32_PERF_GLOBAL_STATUS, 0x38e, PERF_GLOBAL_STATUS_FIELDS)
enum { IA32_PERF_GLOBAL_OVF_CTRL = 0x390 };

/* The same of AMD's PerfMonV2 (APM 2, "Performance Monitoring Counters"): core counter n is bit n.
 * The last two are commands, which hold no value. */
enum {
    PERF_CNTR_GLOBAL_STATUS = 0xc0000300,
    PERF_CNTR_GLOBAL_CTL = 0xc0000301,
    PERF_CNTR_GLOBAL_STATUS_CLR = 0xc0000302,
    PERF_CNTR_GLOBAL_STATUS_SET = 0xc0000303,
};

/* Whether the register starts and stops counters together, and whether a write of it is a command,
 * so that what it reads is not to be put back. No number means something else to another vendor. */
static inline bool register_starts_all(uint32_t msr)
{
    return msr == IA32_PERF_GLOBAL_CTRL || msr == PERF_CNTR_GLOBAL_CTL;
}
static inline bool register_is_command(uint32_t msr)
{
    return msr == IA32_PERF_GLOBAL_OVF_CTRL || msr == PERF_CNTR_GLOBAL_STATUS_CLR;
}

#define PERF_CAPABILITIES_FIELDS(F)                                                                \
    F(PERF_CAPABILITIES_LBR_FMT, 0, 5)                                                             \
    F(PERF_CAPABILITIES_PEBS_TRAP, 6, 6)                                                           \
    F(PERF_CAPABILITIES_PEBS_ARCH_REG, 7, 7)                                                       \
    F(PERF_CAPABILITIES_PEBS_FMT, 8, 11)                                                           \
    F(PERF_CAPABILITIES_FW_WRITE, 13, 13)                                                          \
    F(PERF_CAPABILITIES_PEBS_BASELINE, 14, 14)                                                     \
    F(PERF_CAPABILITIES_PERF_METRICS_AVAILABLE, 15, 15)                                            \
    F(PERF_CAPABILITIES_PEBS_TIMING_INFO, 17, 17)
REGISTER(IA32_PERF_CAPABILITIES, 0x345, PERF_CAPABILITIES_FIELDS)

/* "Performance Metrics". Each byte is a share of the slots counted since this register and fixed
 * counter 3 were cleared; 0xff is all slots. A description's `metric NAME FIELD` addresses bytes by
 * number: byte n is bits 8n+7:8n. */
enum { MSR_PERF_METRICS = 0x329 };

/* "Last Branch, Interrupt, and Exception Recording"; FREEZE_PERFMON_ON_PMI since version 2,
 * "Freezing LBR and Performance Counters on PMI". TRACES: TR, BTS and BTINT. */
#define DEBUGCTL_FIELDS(F)                                                                         \
    F(DEBUGCTL_LBR, 0, 0)                                                                          \
    F(DEBUGCTL_TRACES, 6, 8)                                                                       \
    F(DEBUGCTL_FREEZE_LBRS_ON_PMI, 11, 11)                                                         \
    F(DEBUGCTL_FREEZE_PERFMON_ON_PMI, 12, 12)
REGISTER(IA32_DEBUGCTL, 0x1d9, DEBUGCTL_FIELDS)

/* "Intel Processor Trace": while TRACE_EN is set, no other bit of the register may change. */
#define RTIT_CTL_FIELDS(F) F(RTIT_CTL_TRACE_EN, 0, 0)
REGISTER(IA32_RTIT_CTL, 0x570, RTIT_CTL_FIELDS)

/* "Processor Event Based Sampling": a set bit makes the counter's overflow write a record to
 * memory. General counter n is bit n. From PEBS baseline on fixed counter n is bit 32 + n; before,
 * bit 32 + n goes with bit n when that counter counts load latency. */
#define PEBS_ENABLE_FIELDS(F)                                                                      \
    F(PEBS_ENABLE_PMC, 0, 31)                                                                      \
    F(PEBS_ENABLE_HIGH, 32, 47)
REGISTER(IA32_PEBS_ENABLE, 0x3f1, PEBS_ENABLE_FIELDS)

/* "Adaptive PEBS": the groups of a record. CNTR and METRICS, with their masks, since format 6 (from
 * Linux only). LBR_ENTRIES is the number of entries less one. */
#define PEBS_DATA_CFG_FIELDS(F)                                                                    \
    F(PEBS_DATA_CFG_MEMINFO, 0, 0)                                                                 \
    F(PEBS_DATA_CFG_GPRS, 1, 1)                                                                    \
    F(PEBS_DATA_CFG_XMMS, 2, 2)                                                                    \
    F(PEBS_DATA_CFG_LBRS, 3, 3)                                                                    \
    F(PEBS_DATA_CFG_CNTR, 4, 4)                                                                    \
    F(PEBS_DATA_CFG_METRICS, 5, 5)                                                                 \
    F(PEBS_DATA_CFG_LBR_ENTRIES, 24, 31)                                                           \
    F(PEBS_DATA_CFG_CNTR_MASK, 32, 47)                                                             \
    F(PEBS_DATA_CFG_FIXED_MASK, 48, 55)
REGISTER(MSR_PEBS_DATA_CFG, 0x3f2, PEBS_DATA_CFG_FIELDS)

/* "Load Latency Performance Monitoring Facility": loads of more core cycles than this are counted;
 * at least 3. */
enum { MSR_PEBS_LD_LAT = 0x3f6 };
/* Registers that say what an event counts, with the values of the descriptions. */
enum { MSR_OFFCORE_RSP_0 = 0x1a6, MSR_PEBS_FRONTEND = 0x3f7 };
/* "DS Save Area": the linear address of the management area. */
enum { IA32_DS_AREA = 0x600 };

#define MISC_ENABLE_FIELDS(F)                                                                      \
    F(MISC_ENABLE_PERFMON_AVAILABLE, 7, 7)                                                         \
    F(MISC_ENABLE_PEBS_UNAVAILABLE, 12, 12)                                                        \
    F(MISC_ENABLE_TURBO_DISABLE, 38, 38)
REGISTER(IA32_MISC_ENABLE, 0x1a0, MISC_ENABLE_FIELDS)

/* Volume 4, tables of Nehalem and later; a bit that is set switches a prefetcher off: from bit 0 on
 * L2 hardware, L2 adjacent line, DCU hardware, DCU IP. */
#define FEATURE_CONTROL_FIELDS(F) F(FEATURE_CONTROL_PREFETCHERS, 0, 3)
REGISTER(MSR_MISC_FEATURE_CONTROL, 0x1a4, FEATURE_CONTROL_FIELDS)
#define POWER_CTL_FIELDS(F) F(POWER_CTL_C1E_ENABLE, 1, 1)
REGISTER(MSR_POWER_CTL, 0x1fc, POWER_CTL_FIELDS)
#define PERF_CTL_FIELDS(F) F(PERF_CTL_TURBO_DISENGAGE, 32, 32)
REGISTER(IA32_PERF_CTL, 0x199, PERF_CTL_FIELDS)
enum { IA32_PERF_STATUS = 0x198, IA32_PM_ENABLE = 0x770, IA32_HWP_REQUEST = 0x774 };

/* The first word of a record with groups: what PEBS_DATA_CFG says of them, and these fields. */
#define PEBS_BASIC_FIELDS(F)                                                                       \
    F(PEBS_BASIC_GROUPS, 0, 31)                                                                    \
    F(PEBS_BASIC_RETIRE_LATENCY, 32, 47)                                                           \
    F(PEBS_BASIC_RECORD_SIZE, 48, 63)
enum { PEBS_BASIC_FIELDS(FIELD_NAMED) };
/* The latency of a memory group, where it has two halves. */
#define PEBS_LATENCY_FIELDS(F)                                                                     \
    F(PEBS_LATENCY_INSTRUCTION, 0, 15)                                                             \
    F(PEBS_LATENCY_CACHE, 32, 47)
enum { PEBS_LATENCY_FIELDS(FIELD_NAMED) };

/* "Filtering of Last Branch Records": a set bit excludes a kind of branch, or the branches of a
 * privilege level; 0 records every branch. EN_CALLSTACK since Haswell: "Last Branch Call Stack". */
#define LBR_SELECT_FIELDS(F)                                                                       \
    F(LBR_SELECT_CPL_EQ_0, 0, 0)                                                                   \
    F(LBR_SELECT_CPL_NEQ_0, 1, 1)                                                                  \
    F(LBR_SELECT_JCC, 2, 2)                                                                        \
    F(LBR_SELECT_NEAR_REL_CALL, 3, 3)                                                              \
    F(LBR_SELECT_NEAR_IND_CALL, 4, 4)                                                              \
    F(LBR_SELECT_NEAR_RET, 5, 5)                                                                   \
    F(LBR_SELECT_NEAR_IND_JMP, 6, 6)                                                               \
    F(LBR_SELECT_NEAR_REL_JMP, 7, 7)                                                               \
    F(LBR_SELECT_FAR_BRANCH, 8, 8)                                                                 \
    F(LBR_SELECT_EN_CALLSTACK, 9, 9)
REGISTER(MSR_LBR_SELECT, 0x1c8, LBR_SELECT_FIELDS)

/* "Architectural Last Branch Records": a set bit includes. A write of IA32_LBR_DEPTH clears all
 * records; record 0 is the newest. */
#define LBR_CTL_FIELDS(F)                                                                          \
    F(LBR_CTL_LBREN, 0, 0)                                                                         \
    F(LBR_CTL_OS, 1, 1)                                                                            \
    F(LBR_CTL_USR, 2, 2)                                                                           \
    F(LBR_CTL_CALL_STACK, 3, 3)                                                                    \
    F(LBR_CTL_JCC, 16, 16)                                                                         \
    F(LBR_CTL_NEAR_REL_JMP, 17, 17)                                                                \
    F(LBR_CTL_NEAR_IND_JMP, 18, 18)                                                                \
    F(LBR_CTL_NEAR_REL_CALL, 19, 19)                                                               \
    F(LBR_CTL_NEAR_IND_CALL, 20, 20)                                                               \
    F(LBR_CTL_NEAR_RET, 21, 21)                                                                    \
    F(LBR_CTL_OTHER_BRANCH, 22, 22)
REGISTER(IA32_LBR_CTL, 0x14ce, LBR_CTL_FIELDS)
enum { IA32_LBR_DEPTH = 0x14cf };

/* The flags of formats that have no INFO register, and what TO holds besides in format TIME. "LBR
 * Format". */
#define LASTBRANCH_FROM_FIELDS(F)                                                                  \
    F(LASTBRANCH_FROM_ABORT, 61, 61)                                                               \
    F(LASTBRANCH_FROM_IN_TX, 62, 62)                                                               \
    F(LASTBRANCH_FROM_MISPRED, 63, 63)
REGISTER(MSR_LASTBRANCH_x_FROM_IP, MSR_LASTBRANCH_0_FROM_IP, LASTBRANCH_FROM_FIELDS)
#define LASTBRANCH_TO_FIELDS(F) F(LASTBRANCH_TO_CYC, 48, 63)
REGISTER(MSR_LASTBRANCH_x_TO_IP, MSR_LASTBRANCH_0_TO_IP, LASTBRANCH_TO_FIELDS)

/* BR_TYPE and CYC_CNT_VALID in the architectural stack only. */
#define LBR_INFO_FIELDS(F)                                                                         \
    F(LBR_INFO_CYC_CNT, 0, 15)                                                                     \
    F(LBR_INFO_BR_TYPE, 56, 59)                                                                    \
    F(LBR_INFO_CYC_CNT_VALID, 60, 60)                                                              \
    F(LBR_INFO_ABORT, 61, 61)                                                                      \
    F(LBR_INFO_IN_TX, 62, 62)                                                                      \
    F(LBR_INFO_MISPRED, 63, 63)
REGISTER(MSR_LBR_INFO_x, MSR_LBR_INFO_0, LBR_INFO_FIELDS)

/* Microcode that needs PMC3 to order memory inside transactions leaves PMC3 to software while
 * RTM_FORCE_ABORT is set. The register exists when CPUID.(7,0):EDX[13] is set. "Performance
 * Monitoring Impact of Intel TSX Memory Ordering Issue". */
#define TSX_FORCE_ABORT_FIELDS(F) F(TSX_FORCE_ABORT_RTM_FORCE_ABORT, 0, 0)
REGISTER(MSR_TSX_FORCE_ABORT, 0x10f, TSX_FORCE_ABORT_FIELDS)

/* RDPMC indices of fixed counter 0 and of PERF_METRICS; a general counter's index is its number.
 * "RDPMC" in volume 2B. */
enum { RDPMC_FIXED = 0x40000000, RDPMC_PERF_METRICS = 0x20000000 };
/* Where the kind of counters has it ("RDPMC", Pentium 4): the low 32 bits, read faster. */
#define RDPMC_FAST 0x80000000u

#endif
