/* Alder Lake: its E core (Gracemont): registers, CPUID and events.
 *
 * Event encodings and the counters that can count them: the vendor's public event list for this
 * core (alderlake_gracemont_core V1.40). Registers: as alderlake.c. It is not registered by itself,
 * since it is the small core of the hybrid part. */
#include "pmu/personality.h"
#include "access_events.h"
#include "alderlake.h"
#include "event_rows.h"
#include "golden_cove.h"

extern const struct model_parameters alderlake_e_core;

/* clang-format off */

/* TOPDOWN_RETIRING.ALL and UOPS_RETIRED.ALL have one encoding. MEM_UOPS_RETIRED counts uops; on
 * the rig it counts instructions. */
static const struct pmu_event rows[] = {
    /* clocks, instructions, last-level cache */
    { 0x3c, 0x00, ANY6, false, COUNTS(UNHALTED), "CPU_CLK_UNHALTED.THREAD_P" },
    { 0x3c, 0x01, ANY6, false, COUNTS_TICKS(PER_TSC_TICK), "CPU_CLK_UNHALTED.REF_TSC_P" },
    { 0x2e, 0x4f, ANY6, false, COUNTS(LLC_REFERENCES), "LONGEST_LAT_CACHE.REFERENCE" },
    { 0x2e, 0x41, ANY6, false, COUNTS(LLC_MISSES), "LONGEST_LAT_CACHE.MISS" },
    { 0xc0, 0x00, ANY6, false, COUNTS(INSTRUCTIONS), "INST_RETIRED.ANY_P" },

    /* branches */
    { 0xc4, 0x00, ANY6, false, COUNTS(BRANCHES), "BR_INST_RETIRED.ALL_BRANCHES" },
    { 0xc4, 0x7e, ANY6, false, COUNTS(BRANCHES_CONDITIONAL), "BR_INST_RETIRED.COND" },
    { 0xc4, 0xfe, ANY6, false, COUNTS(BRANCHES_CONDITIONAL_TAKEN), "BR_INST_RETIRED.COND_TAKEN" },
    { 0xc4, 0xf9, ANY6, false, COUNTS(BRANCHES_CALL), "BR_INST_RETIRED.NEAR_CALL" },
    { 0xc4, 0xf7, ANY6, false, COUNTS(BRANCHES_RETURN), "BR_INST_RETIRED.NEAR_RETURN" },
    { 0xc4, 0xc0, ANY6, false, COUNTS(BRANCHES_TAKEN), "BR_INST_RETIRED.NEAR_TAKEN" },
    { 0xc4, 0xbf, ANY6, false, COUNTS(BRANCHES_FAR), "BR_INST_RETIRED.FAR_BRANCH" },
    { 0xc4, 0xeb, ANY6, false, COUNTS(BRANCHES_INDIRECT), "BR_INST_RETIRED.INDIRECT" },
    { 0xc5, 0x00, ANY6, false, COUNTS(MISPREDICTS), "BR_MISP_RETIRED.ALL_BRANCHES" },
    { 0xc5, 0x7e, ANY6, false, COUNTS(MISPREDICTS_CONDITIONAL), "BR_MISP_RETIRED.COND" },
    { 0xc5, 0xf7, ANY6, false, COUNTS(MISPREDICTS_RETURN), "BR_MISP_RETIRED.RETURN" },
    { 0xc5, 0x80, ANY6, false, COUNTS(MISPREDICTS_TAKEN), "BR_MISP_RETIRED.NEAR_TAKEN" },
    { 0xc5, 0xeb, ANY6, false, COUNTS(MISPREDICTS_INDIRECT), "BR_MISP_RETIRED.INDIRECT" },
    { 0xe6, 0x01, ANY6, false, COUNTS(BACLEARS), "BACLEARS.ANY" },

    /* slots: issue, retirement, clears */
    { 0x71, 0x00, ANY6, false, COUNTS_LESS(FE_UNDELIVERED, SLOTS_REFILLING),
      "TOPDOWN_FE_BOUND.ALL" },
    { 0x71, 0x20, ANY6, false, COUNTS(SLOTS_FOR_LINE), "TOPDOWN_FE_BOUND.ICACHE" },
    { 0x71, 0x10, ANY6, false, COUNTS(SLOTS_FOR_TRANSLATION), "TOPDOWN_FE_BOUND.ITLB" },
    { 0x71, 0x02, ANY6, false, COUNTS(SLOTS_FOR_BRANCH), "TOPDOWN_FE_BOUND.BRANCH_DETECT" },
    { 0x71, 0x40, ANY6, false, COUNTS(NEVER), "TOPDOWN_FE_BOUND.BRANCH_RESTEER" },
    { 0x71, 0x72, ANY6, false, COUNTS(SLOTS_FOR_CODE), "TOPDOWN_FE_BOUND.FRONTEND_LATENCY" },
    { 0x71, 0x01, ANY6, false, COUNTS(SLOTS_FOR_SEQUENCER), "TOPDOWN_FE_BOUND.CISC" },
    { 0x71, 0x08, ANY6, false, COUNTS_LESS(FE_UNDELIVERED, SLOTS_NOT_DECODERS),
      "TOPDOWN_FE_BOUND.DECODE" },
    { 0x71, 0x04, ANY6, false, COUNTS(NEVER), "TOPDOWN_FE_BOUND.PREDECODE" },
    { 0x71, 0x80, ANY6, false, COUNTS(SLOTS_FOR_LENGTH), "TOPDOWN_FE_BOUND.OTHER" },
    { 0x71, 0x8d, ANY6, false, COUNTS_LESS(FE_UNDELIVERED, SLOTS_NOT_BANDWIDTH),
      "TOPDOWN_FE_BOUND.FRONTEND_BANDWIDTH" },
    { 0x74, 0x00, ANY6, false, COUNTS(BE_BLOCKED), "TOPDOWN_BE_BOUND.ALL" },
    { 0x74, 0x01, ANY6, false, COUNTS(SLOTS_RESTRICTED), "TOPDOWN_BE_BOUND.ALLOC_RESTRICTIONS" },
    { 0x74, 0x02, ANY6, false, COUNTS(SLOTS_FOR_MEMORY), "TOPDOWN_BE_BOUND.MEM_SCHEDULER" },
    { 0x74, 0x08, ANY6, false, COUNTS(SLOTS_FOR_SCHEDULER), "TOPDOWN_BE_BOUND.NON_MEM_SCHEDULER" },
    { 0x74, 0x20, ANY6, false, COUNTS(NEVER), "TOPDOWN_BE_BOUND.REGISTER" },
    { 0x74, 0x40, ANY6, false, COUNTS(SLOTS_FOR_ROB), "TOPDOWN_BE_BOUND.REORDER_BUFFER" },
    { 0x74, 0x10, ANY6, false, COUNTS(SLOTS_SERIAL), "TOPDOWN_BE_BOUND.SERIALIZATION" },
    { 0x73, 0x00, ANY6, false, COUNTS_BOTH(SLOTS_BAD, SLOTS_REFILLING),
      "TOPDOWN_BAD_SPECULATION.ALL" },
    { 0x73, 0x04, ANY6, false, COUNTS_BOTH(SLOTS_MISPREDICT, SLOTS_REFILLING_BRANCH),
      "TOPDOWN_BAD_SPECULATION.MISPREDICT" },
    { 0x73, 0x03, ANY6, false, COUNTS_BOTH(SLOTS_NUKE, SLOTS_FAST_NUKE),
      "TOPDOWN_BAD_SPECULATION.MACHINE_CLEARS" },
    { 0x73, 0x01, ANY6, false, COUNTS(SLOTS_NUKE), "TOPDOWN_BAD_SPECULATION.NUKE" },
    { 0x73, 0x02, ANY6, false, COUNTS(SLOTS_FAST_NUKE), "TOPDOWN_BAD_SPECULATION.FASTNUKE" },
    { 0xc2, 0x00, ANY6, false, COUNTS(UOPS_RETIRED), "TOPDOWN_RETIRING.ALL" },
    { 0x0e, 0x00, ANY6, false, COUNTS(UOPS_ISSUED), "UOPS_ISSUED.ANY" },
    ORDERING_ALONE(ANY6),
    { 0xc3, 0x08, ANY6, false, COUNTS(MACHINE_CLEARS_DISAMBIGUATION),
      "MACHINE_CLEARS.DISAMBIGUATION" },
    { 0xc3, 0x01, ANY6, false, COUNTS(MACHINE_CLEARS_SMC), "MACHINE_CLEARS.SMC" },

    /* front end */
    { 0x85, 0x01, ANY6, false, COUNTS(ITLB_WALKS), "ITLB_MISSES.MISS_CAUSED_WALK" },
    { 0x85, 0x0e, ANY6, false, COUNTS(ITLB_WALKS), "ITLB_MISSES.WALK_COMPLETED" },

    /* execution */
    { 0xcd, 0x03, ANY6, false, COUNTS(DIVIDER_ACTIVE), "ARITH.DIV_ACTIVE" },

    /* memory */
    { 0xd0, 0x81, ANY6, false, COUNTS(LOADS), "MEM_UOPS_RETIRED.ALL_LOADS" },
    { 0xd0, 0x82, ANY6, false, COUNTS(STORES), "MEM_UOPS_RETIRED.ALL_STORES" },
    { 0xd0, 0x83, ANY6, false, COUNTS_BOTH(LOADS, STORES), "MEM_UOPS_RETIRED.ALL" },
    { 0xd1, 0x01, ANY6, false, COUNTS(LOADS_L1_HIT), "MEM_LOAD_UOPS_RETIRED.L1_HIT" },
    { 0xd1, 0x02, ANY6, false, COUNTS(LOADS_L2_HIT), "MEM_LOAD_UOPS_RETIRED.L2_HIT" },
    { 0xd1, 0x04, ANY6, false, COUNTS(LOADS_L3_HIT), "MEM_LOAD_UOPS_RETIRED.L3_HIT" },
    { 0xd1, 0x08, ANY6, false, COUNTS(LOADS_L1_MISS), "MEM_LOAD_UOPS_RETIRED.L1_MISS" },
    { 0xd1, 0x10, ANY6, false, COUNTS(LOADS_L2_MISS), "MEM_LOAD_UOPS_RETIRED.L2_MISS" },
    { 0xd1, 0x80, ANY6, false, COUNTS(LOADS_L3_MISS), "MEM_LOAD_UOPS_RETIRED.DRAM_HIT" },
    { 0x08, 0x0e, ANY6, false, COUNTS(DTLB_LOAD_WALKS), "DTLB_LOAD_MISSES.WALK_COMPLETED" },
    { 0x49, 0x0e, ANY6, false, COUNTS(DTLB_STORE_WALKS), "DTLB_STORE_MISSES.WALK_COMPLETED" },
};

const struct event_table alderlake_e_events = { .row = rows, .count = COUNT_OF(rows) };

/* The events above that the event list marks as precise. */
static const struct precise_event precise[] = {
    { 0xc0, 0x00 }, { 0xc4, 0x00 }, { 0xc4, 0x7e }, { 0xc4, 0xfe }, { 0xc4, 0xf9 },
    { 0xc4, 0xf7 }, { 0xc4, 0xc0 }, { 0xc4, 0xbf }, { 0xc4, 0xeb }, { 0xc5, 0x00 },
    { 0xc5, 0x7e }, { 0xc5, 0xf7 }, { 0xc5, 0x80 }, { 0xc5, 0xeb }, { 0xc2, 0x00 },
    { 0xd0, 0x81 }, { 0xd0, 0x82 }, { 0xd0, 0x83 }, { 0xd1, 0x01 }, { 0xd1, 0x02 },
    { 0xd1, 0x04 }, { 0xd1, 0x08 }, { 0xd1, 0x10 }, { 0xd1, 0x80 },
    { 0xd0, 0x05 },
};

static const struct msr_fact msrs[] = {
    MSRS_SINCE_SKYLAKE,
    ALDERLAKE_MSRS,
    TEMPERATURE_TARGET(100),
    MISC_FEATURE_CONTROL(0x3d), /* no bit 1 */
    OFFCORE_RSP(0x3fffffffff),
};

static const struct cache_fact caches[] = {
    { .type = 1, .level = 1, .ways = 8, .sets = 64 }, /* 32 KiB */
    { .type = 2, .level = 1, .ways = 8, .sets = 128 }, /* 64 KiB */
    { .type = 3, .level = 2, .ways = 16, .sets = 2048 }, /* 2 MiB */
    { .type = 3, .level = 3, .ways = 12, .sets = 4096, .package = true }, /* 3 MiB a core */
};

static const struct cpuid_fact cpuid[] = {
    ALDERLAKE_CPUID,
    { .leaf = 0x80000006, .ecx = 0x08007040 },
};

static const struct pmu_parameters pmu = {
    ALDERLAKE_PART,
    .version = 5,
    .gp_alone = 6, .gp_smt = 6,
    .fixed = 3,
    .width = 48,
    .architectural_events = 7,
    .evtsel_writable = UINT64_C(0x4ffdfffff), /* 34: adaptive record */
    .fixed_ctrl_writable = UINT64_C(0x11100000000), /* adaptive record of each fixed counter */
    .status_writable = UINT64_C(0xfc80000000000000), /* 55, 58 to 63 */
    .debugctl_writable = 0x7fc2,
    .fixed_source = { COUNTS(INSTRUCTIONS), COUNTS(UNHALTED), COUNTS_TICKS(PER_TSC_TICK) },
    .events = &alderlake_e_events,
    .lbr = ARCHITECTURAL_LBR,
    .access_events = gracemont_access_events, .access_event_count = ACCESS_EVENTS_GRACEMONT,
    .offcore = GRACEMONT_OFFCORE,
    .pebs = { .data_source = &gracemont_source, .latency_halves = true,
              .enable_writable = UINT64_C(0x70000003f), .data_cfg_writable = 0xff00000f,
              .any_event = true,
              .distributed = UINT64_C(1) << 32 | 1,
              .precise = precise, .precise_count = COUNT_OF(precise) },
    .pmi_skid = 12, /* a guess: from a counter's overflow to the interrupt at the APIC */
    .msrs = msrs, .msr_count = COUNT_OF(msrs),
    .core_type = 0x20000001,       /* Atom, native model 1 */
    .caches = caches, .cache_count = COUNT_OF(caches),
    .cpuid = cpuid, .cpuid_count = COUNT_OF(cpuid),
};

const struct personality alderlake_e = {
    .name = "alderlake_e",
    .title = "Alder Lake, E core (Gracemont): 5 slots, 6 counters",
    .omitted = "see alderlake",
    .core = &alderlake_e_core,
    .pmu = &pmu,
    .single_thread = true,
};
/* clang-format on */
