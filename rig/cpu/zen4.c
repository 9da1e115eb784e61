/* Zen 4 (Genoa): registers, CPUID and events.
 *
 * Event encodings: the public event lists of Linux perf (amdzen4) and libpfm4, which agree.
 * Registers: AMD64 Architecture Programmer's Manual volume 2, and the public headers of Linux and
 * LIKWID. The rig plays a 2.4 GHz part at a constant 3.4 GHz. */
#include "pmu/personality.h"
#include "pmu/kind/amd.h"
#include "omitted.h"
#include "rows.h"

extern const struct model_parameters zen4_core;

/* clang-format off */

#define WIDTH 6 /* slots a cycle */

/* While dispatch waits for the front end to return from the wrong path, its slots have no ops,
 * and the published formulas count them as front end bound: bad speculation is only ops that
 * were dispatched and did not retire. */
#define NO_OPS                                                                                     \
    {                                                                                              \
        .signal = SIG_FE_UNDELIVERED, .weight = 1, .plus = SIG_RECOVERY, .plus_weight = WIDTH      \
    }

/* Slots of the cycles in which dispatch serves the other thread. */
#define CONTENDED                                                                                  \
    {                                                                                              \
        .signal = SIG_UNHALTED, .weight = WIDTH, .plus = SIG_ALLOCATOR, .plus_weight = -WIDTH      \
    }

static const struct amd_event events[] = {
    { 0x076, 0x00, COUNTS(UNHALTED), "ls_not_halted_cyc" },
    { 0x0c0, 0x00, COUNTS(INSTRUCTIONS), "ex_ret_instr" },
    { 0x0c1, 0x00, COUNTS(UOPS_RETIRED), "ex_ret_ops" },
    { 0x0c2, 0x00, COUNTS(BRANCHES), "ex_ret_brn" },
    { 0x0c3, 0x00, COUNTS(MISPREDICTS), "ex_ret_brn_misp" },
    { 0x096, 0x00, COUNTS(MACHINE_CLEARS), "resyncs_or_nc_redirects" },
    { 0x0aa, 0x07, COUNTS(UOPS_ISSUED), "de_src_op_disp.all" },
    { 0x1a0, 0x01, NO_OPS, "de_no_dispatch_per_slot.no_ops_from_frontend" },
    { 0x1a0, 0x1e, COUNTS(BE_BLOCKED), "de_no_dispatch_per_slot.backend_stalls" },
    { 0x1a0, 0x60, CONTENDED, "de_no_dispatch_per_slot.smt_contention" },
};

static const struct amd_parameters amd = {
    .counters = 6,
    .branches = 16,
    .events = events, .event_count = COUNT_OF(events),
};

static const struct msr_fact msrs[] = {
    { .address = 0x08b, .read_only = true, .reset = 0x0a101148 }, /* PATCH_LEVEL */
    /* PREFETCH_CONTROL: can be written and changes nothing */
    { .address = 0xc0000108, .writable = 0x2f },
    { .address = 0xc0010010, .reset = 0x740000, .ignored = ALL_BITS }, /* SYSCFG */
    { .address = 0xc001001a, .ignored = ALL_BITS }, /* TOP_MEM */
    { .address = 0xc001001d, .ignored = ALL_BITS }, /* TOP_MEM2 */
    { .address = 0xc001001f, .ignored = ALL_BITS }, /* NB_CFG */
    { .address = 0xc0010061, .read_only = true }, /* PStateCurLim */
    { .address = 0xc0010062, .writable = 0x7 }, /* PStateCtl */
    { .address = 0xc0010063, .read_only = true }, /* PStateStat */
    /* PStateDef 0: on, divider 8 (in eighths), 96 x 25 MHz */
    { .address = 0xc0010064, .read_only = true, .reset = UINT64_C(0x8000000000000860) },
    { .address = 0xc0010114, .read_only = true, .reset = 0x18 }, /* VM_CR: SVM locked off */
};

/* CPUID 8000001DH has the form of Intel's leaf 4. */
static const struct cache_fact caches[] = {
    { .type = 1, .level = 1, .ways = 8, .sets = 64 },                     /* 32 KiB */
    { .type = 2, .level = 1, .ways = 8, .sets = 64 },                     /* 32 KiB */
    { .type = 3, .level = 2, .ways = 8, .sets = 2048 },                   /* 1 MiB */
    { .type = 3, .level = 3, .ways = 16, .sets = 4096, .package = true }, /* 4 MiB a core */
};

/* Hidden, because the emulator lacks them or emulates them wrongly: SSSE3, SSE4, F16C, SSE4A,
 * POPCNT, MOVBE, XSAVES, SVM, SMEP, SMAP, PCID, FFXSR. */
static const struct cpuid_fact cpuid[] = {
    /* SSE3, MONITOR, FMA, CX16, x2APIC, XSAVE, AVX, hypervisor */
    { .leaf = 0x1, .ecx = 0x94203009, .edx = 0x078bfbff },
    { .leaf = 0x5, .eax = 0x40, .ebx = 0x40, .ecx = 0x3, .edx = 0x11 },
    { .leaf = 0x6, .eax = 0x4, .ecx = 0x1 }, /* ARAT; MPERF and APERF */
    { .leaf = 0x7, .ebx = 0xc1830220 },      /* AVX2, ERMS, AVX512F, DQ, CLFLUSHOPT, CLWB, BW, VL */
    /* register state: x87, SSE, AVX, opmasks, ZMM's upper halves, ZMM16 to ZMM31 */
    { .leaf = 0xd, .eax = 0xe7, .ecx = 0x980 },
    { .leaf = 0xd, .subleaf = 1, .eax = 0x7 }, /* XSAVEOPT, XSAVEC, XGETBV of what is in use */
    { .leaf = 0xd, .subleaf = 2, .eax = 0x100, .ebx = 0x240 },
    { .leaf = 0xd, .subleaf = 5, .eax = 0x40, .ebx = 0x340 },
    { .leaf = 0xd, .subleaf = 6, .eax = 0x200, .ebx = 0x380 },
    { .leaf = 0xd, .subleaf = 7, .eax = 0x400, .ebx = 0x580 },
    /* LAHF, extended core counters, topology extensions */
    { .leaf = 0x80000001, .ecx = 0x00c00001, .edx = 0x2dd3fbff },
    { .leaf = 0x80000005, .eax = 0xff48ff40, .ebx = 0xff48ff40, .ecx = 0x20080140,
      .edx = 0x20080140 },
    { .leaf = 0x80000006, .ecx = 0x04006140, .edx = 0x9140 },
    { .leaf = 0x80000007, .edx = 0x500 }, /* invariant TSC, read-only MPERF and APERF */
    { .leaf = 0x80000008, .eax = 0x302e, .ebx = 0x2 }, /* the counter of retired instructions */
    { .leaf = 0x80000021, .eax = 0x2000 }, /* PREFETCH_CONTROL */
};

static const struct pmu_parameters pmu = {
    .kind = &pmu_amd,
    .amd = &amd,
    .core_mhz = 3400, .tsc_mhz = 2400, .crystal_mhz = 100, .max_mhz = 3400, .bus_mhz = 100,
    .msrs = msrs, .msr_count = COUNT_OF(msrs),
    .signature = 0xa10f11,
    .brand = "AMD EPYC 9654 96-Core Processor",
    .vendor = "AuthenticAMD",
    .max_leaf = 0x10,
    .max_extended = 0x80000022,
    .caches = caches, .cache_count = COUNT_OF(caches),
    .cpuid = cpuid, .cpuid_count = COUNT_OF(cpuid),
};

static const struct personality zen4 = {
    .name = "zen4",
    .title = "Zen 4 (Genoa), 19_11H stepping 1: 6 slots, 6 core counters, PerfMonV2, LbrExtV2",
    .omitted =
        "no counters of the L3, the data fabric and the memory controllers, no IBS, no SVM "
        "(GUEST_ONLY counts nothing), no energy registers, no SMI, machine check or thermal "
        "event; one constant frequency; no single last branch registers, no speculative branch "
        "records and no fused branches in the stack; the merge event is unknown; " OMITTED_VECTORS
        "; SSSE3, SSE4, F16C, SSE4A and SVM are hidden; the prefetch control register can be "
        "written and changes nothing; "
        OMITTED_EVENTS("ex_no_retire, microcode ops, op queue, de_src_op_disp by source, tokens, "
                       "caches") "; slots in which dispatch recovers from a mispredict count as "
        "slots without ops from the front end; a PMI may not come late; " OMITTED_TLBS "; two "
        "threads share the op cache as on Intel's parts",
    .core = &zen4_core,
    .pmu = &pmu,
};
/* clang-format on */
PERSONALITY(zen4);
