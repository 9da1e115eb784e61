/* Prescott with EM64T: registers, CPUID.
 *
 * Registers: SDM 4, "MSRs in the Pentium 4 and Intel Xeon Processors". Events:
 * pmu/kind/netburst_rows.c. */
#include "pmu/personality.h"
#include "pmu/kind/netburst.h"
#include "omitted.h"
#include "rows.h"

extern const struct model_parameters prescott_core;

/* clang-format off */

static const struct msr_fact msrs[] = {
    { .address = 0x017, .read_only = true }, /* IA32_PLATFORM_ID */
    { .address = 0x02a, .read_only = true }, /* MSR_EBC_HARD_POWERON */
    /* MSR_EBC_FREQUENCY_ID: 16 x 200 MHz */
    { .address = 0x02c, .read_only = true, .reset = 0x10120000 },
    BIOS_SIGN_ID(0x17),
    { .address = 0x198, .read_only = true, .reset = 0x1000 }, /* IA32_PERF_STATUS: ratio 16 */
    { .address = 0x199, .reset = 0x1000, .writable = 0xffff }, /* IA32_PERF_CTL */
    { .address = 0x19a, .writable = 0x1e }, /* IA32_CLOCK_MODULATION */
    { .address = 0x19c, .ignored = UINT32_MAX }, /* IA32_THERM_STATUS */
    /* IA32_MISC_ENABLE: fast strings, TM1, counters, no BTS, PEBS, MONITOR; the bits of the two
     * prefetchers (9, 19) can be set and change nothing */
    { .address = 0x1a0, .reset = 0x40889, .writable = UINT64_C(0x400cc271d), .ignored = 0x1880,
      .core = ALL_BITS },
};

static const struct cache_fact caches[] = {
    { .type = 1, .level = 1, .ways = 8, .sets = 32 },   /* 16 KiB */
    { .type = 3, .level = 2, .ways = 8, .sets = 2048 }, /* 1 MiB */
};

static const struct cpuid_fact cpuid[] = {
    /* SSE3, DTES64, MONITOR, DS-CPL, TM2, CNXT-ID, CX16, xTPR, hypervisor */
    { .leaf = 0x1, .ecx = 0x8000651d, .edx = 0xafebfbff },
    /* 4 KiB pages: 128 for code, 64 for data; 12K uops; 16 KiB and 1 MiB; no third level */
    { .leaf = 0x2, .eax = 0x605b5101, .edx = 0x007c7040 },
    { .leaf = 0x5, .eax = 0x40, .ebx = 0x40 },
    { .leaf = 0x80000001, .edx = 0x20100800 },
    { .leaf = 0x80000006, .ecx = 0x04006040 },
    { .leaf = 0x80000008, .eax = 0x3024 },
};

static const struct pmu_parameters pmu = {
    .kind = &pmu_netburst,
    .core_mhz = 3200, .tsc_mhz = 3200, .crystal_mhz = 200, .max_mhz = 3200, .bus_mhz = 200,
    .msrs = msrs, .msr_count = COUNT_OF(msrs),
    .signature = 0xf41,
    .brand = "Intel(R) Xeon(TM) CPU 3.20GHz",
    .max_leaf = 0x5,
    .caches = caches, .cache_count = COUNT_OF(caches),
    .cpuid = cpuid, .cpuid_count = COUNT_OF(cpuid),
};

static const struct personality prescott = {
    .name = "prescott",
    .title = "Prescott with EM64T, 0F_04H stepping 1: 3 slots, 43 ESCRs, 18 counters, LBR",
    .omitted =
        "no BTS (IA32_MISC_ENABLE says so), no PEBS with two threads a core, no branch trace "
        "messages; execution tags for SSE arithmetic only, one uop for each instruction; no SMI, "
        "machine check, thermal event or assist; bus events, events of the FIRM, DAC and BSU "
        "units, replays by the MOB and SAAT units and flushes of the trace cache count nothing, "
        "and the report at the end names them; uops of a wrong path have no instruction and no "
        "kind: uops_retired counts them as bogus, uop_queue_writes as they are issued and by the "
        "trace cache's mode, bogus instructions and bogus tagged uops count nothing; all cycles "
        "until the recovery of a machine clear count as its; in a "
        "cycle without a uop of the decoders or of the trace cache the mode of the "
        "trace cache is the last one, and a long flow of microcode does not make a thread "
        "inactive; an instruction is tagged if one of its uops is; replay tags are also on "
        "locked accesses and returns, and those of the DTLB count page walks; UNCONDITIONAL of "
        "the branch type events is unknown; uops follow the model, which fuses a load with its "
        "operation and a comparison with its branch, unlike this part; the trace cache holds "
        "code by address; counters stop while both the clock and the core are halted; " OMITTED_TLBS
        ", ACTIVE_THREAD must be 11B, a comparator sees one thread at a time but for "
        "TC_deliver_mode, and the truth file opens a window only for the thread that wrote to "
        "it; errata (MSR_BPU_CCCR1, lost writes) do not occur",
    .core = &prescott_core,
    .pmu = &pmu,
};
/* clang-format on */
PERSONALITY(prescott);
