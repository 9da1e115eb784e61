#include "facts_read.h"

#include "boot/msr.h"
#include "boot/text.h"
#include "kinds.h"
#include "pmu/amd/counter_facts.h"
#include "pmu/intel/counter_facts.h"
#include "pmu/registers.h"

/* Leaves as in SDM volume 2A, "CPUID - CPU Identification". */

static bool bit(uint32_t value, unsigned number)
{
    return value >> number & 1;
}

static void put_text(char *out, const uint32_t *words, unsigned count)
{
    memcpy(out, words, count * sizeof(*words));
    out[count * sizeof(*words)] = 0;
}

static uint32_t highest_leaf(uint32_t range)
{
    uint32_t highest = cpuid_read(range, 0).eax;

    return highest >= range && highest - range < 0x10000 ? highest : 0;
}

/* A Haswell Xeon was seen that says GenuineIotel. Hygon's processors are AMD's Zen. */
static void read_vendor(struct facts *facts)
{
    struct cpuid leaf = cpuid_read(0, 0);

    put_text(facts->vendor, (const uint32_t[]){leaf.ebx, leaf.edx, leaf.ecx}, 3);
    facts->intel = !strcmp(facts->vendor, "GenuineIntel") || !strcmp(facts->vendor, "GenuineIotel");
    facts->amd = !strcmp(facts->vendor, "AuthenticAMD") || !strcmp(facts->vendor, "HygonGenuine");
}

static void read_brand(struct facts *facts, uint32_t highest)
{
    for (uint32_t i = 0; highest >= 0x80000004 && i < 3; i++) {
        struct cpuid leaf = cpuid_read(0x80000002 + i, 0);

        put_text(facts->brand + 16 * i, (const uint32_t[]){leaf.eax, leaf.ebx, leaf.ecx, leaf.edx},
                 4);
    }
}

/* Display family and model: families 6 and 15 use the extended fields. */
static void read_signature(struct facts *facts, uint32_t eax)
{
    facts->family = eax >> 8 & 0xf;
    facts->model = eax >> 4 & 0xf;
    facts->stepping = eax & 0xf;
    if (facts->family == 6 || facts->family == 15)
        facts->model |= eax >> 12 & 0xf0;
    if (facts->family == 15)
        facts->family += eax >> 20 & 0xff;
}

/* "Microcode Update Signature": once the register is cleared, CPUID leaf 1 stores the revision in
 * it.
 */
static void read_microcode(struct facts *facts)
{
    uint64_t revision;

    if (facts->intel && msr_write(IA32_BIOS_SIGN_ID, 0))
        cpuid_read(1, 0);
    if (msr_read(IA32_BIOS_SIGN_ID, &revision))
        facts->microcode = facts->intel ? (uint32_t)(revision >> 32) : (uint32_t)revision;
}

static void read_hypervisor(struct facts *facts, uint32_t ecx)
{
    struct cpuid leaf;

    facts->hypervisor = bit(ecx, 31);
    if (!facts->hypervisor)
        return;
    leaf = cpuid_read(0x40000000, 0);
    put_text(facts->hypervisor_name, (const uint32_t[]){leaf.ebx, leaf.ecx, leaf.edx}, 3);
}

/* Threads of a core where leaf 0BH does not say: the logical processors that leaf 1 counts for a
 * package, over the cores that leaf 4 counts, of which there is one where leaf 4 is absent
 * ("Hierarchical Mapping of Shared Resources"). AMD: APM 3, Fn8000_001E, since Zen; before it there
 * is no SMT. 0: nothing says it. */
static uint32_t threads_without_topology(const struct facts *facts, struct cpuid leaf1,
                                         uint32_t highest, uint32_t highest_extended)
{
    uint32_t logical = bit(leaf1.edx, 28) ? leaf1.ebx >> 16 & 0xff : 1;
    uint32_t cores = highest >= 4 ? (cpuid_read(4, 0).eax >> 26) + 1 : 1;

    if (facts->intel)
        return logical > cores ? logical / cores : 1;
    if (facts->amd && facts->family >= 0x17 && highest_extended >= 0x8000001e)
        return (cpuid_read(0x8000001e, 0).ebx >> 8 & 0xff) + 1;
    return facts->amd || logical <= 1;
}

/* The bits of an APIC id that number what is inside a package: of the last level of leaf 1FH or
 * 0BH; without them those that number leaf 1's logical processors ("Hierarchical Mapping of Shared
 * Resources"). AMD's without leaf 0BH: APM 3, Fn8000_0008 ECX[15:12]. Negative: nothing says it. */
static int package_shift(const struct facts *facts, struct cpuid leaf1, uint32_t highest,
                         uint32_t highest_extended)
{
    const uint32_t logical = bit(leaf1.edx, 28) ? leaf1.ebx >> 16 & 0xff : 1;
    const uint32_t leaf_number = highest >= 0x1f && cpuid_read(0x1f, 0).ebx != 0 ? 0x1f : 0xb;
    int shift = -1;

    for (uint32_t i = 0; highest >= leaf_number && i < 8; i++) {
        const struct cpuid leaf = cpuid_read(leaf_number, i);

        if ((leaf.ecx >> 8 & 0xff) == 0 || (leaf.ebx & 0xffff) == 0)
            break;
        shift = leaf.eax & 0x1f;
    }
    if (shift >= 0)
        return shift;
    if (facts->amd && highest_extended >= 0x80000008)
        shift = (int)(cpuid_read(0x80000008, 0).ecx >> 12 & 0xf);
    if (shift > 0 || (!facts->intel && !facts->amd))
        return shift;
    for (shift = 0; 1u << shift < logical;)
        shift++;
    return shift;
}

/* From the extended topology, leaf 0BH, where it is there. */
static void read_topology(struct facts *facts, struct cpuid leaf1, uint32_t highest,
                          uint32_t highest_extended)
{
    struct cpuid leaf = highest >= 0xb ? cpuid_read(0xb, 0) : (struct cpuid){0};

    if ((leaf.ebx & 0xffff) != 0 && (leaf.ecx >> 8 & 0xff) == 1) {
        facts->apic_id = leaf.edx;
        facts->threads_per_core = leaf.ebx & 0xffff;
        facts->smt_id = leaf.edx & ((1u << (leaf.eax & 0x1f)) - 1);
        return;
    }
    facts->apic_id = leaf1.ebx >> 24;
    facts->threads_per_core = threads_without_topology(facts, leaf1, highest, highest_extended);
    facts->smt_id = facts->threads_per_core > 1 ? facts->apic_id % facts->threads_per_core : 0;
}

static void read_package(struct facts *facts, int shift)
{
    facts->package = shift < 0 ? FACTS_UNKNOWN : shift > 31 ? 0 : facts->apic_id >> shift;
}

static void read_caches(struct facts *facts, uint32_t leaf_number)
{
    for (uint32_t i = 0; i < 16; i++) {
        struct cpuid leaf = cpuid_read(leaf_number, i);
        uint32_t type = leaf.eax & 0x1f, level = leaf.eax >> 5 & 7;
        struct cache_facts cache = {
            .line = (leaf.ebx & 0xfff) + 1,
            .ways = (leaf.ebx >> 22) + 1,
            .sharing = (leaf.eax >> 14 & 0xfff) + 1,
        };

        if (type == 0)
            return;
        cache.bytes = cache.ways * ((leaf.ebx >> 12 & 0x3ff) + 1) * cache.line * (leaf.ecx + 1);
        if (level == 1 && type == 1)
            facts->l1d = cache;
        if (level == 1 && type == 2)
            facts->l1i = cache;
        if (level == 2 && type != 2)
            facts->l2 = cache;
        if (level == 3 && type != 2)
            facts->l3 = cache;
    }
}

/* "Thermal Monitor and Software Controlled Clock Facilities" is leaf 1, EDX[22]. */
static void read_clocks(struct facts *facts, struct cpuid leaf1, uint32_t highest)
{
    facts->aperf_mperf = highest >= 6 && bit(cpuid_read(6, 0).ecx, 0);
    facts->thermal = facts->intel && bit(leaf1.edx, 22);
}

/* Hybrid parts announce in IA32_PERF_CAPABILITIES only what both kinds of cores have, so not the
 * PERF_METRICS of P cores. Linux assumes that P cores have PERF_METRICS; a hypervisor may hide it,
 * so the register must be readable too. What it reads is checked in every window: its bytes must
 * add up. */
static bool has_hidden_metrics(const struct facts *facts)
{
    uint64_t metrics;

    return facts->core_type == CORE_TYPE_CORE && (facts->fixed_mask >> 3 & 1) &&
           msr_read(MSR_PERF_METRICS, &metrics);
}

static void read_capabilities(struct facts *facts, struct cpuid leaf1)
{
    uint64_t capabilities;

    if (!facts->intel || !bit(leaf1.ecx, 15))
        return;
    facts->capabilities_lost = !msr_read(IA32_PERF_CAPABILITIES, &capabilities);
    if (facts->capabilities_lost)
        return;
    facts->pdcm = true;
    facts->capabilities = capabilities;
    facts->lbr_format = (uint32_t)field_get(capabilities, PERF_CAPABILITIES_LBR_FMT);
    facts->full_width_write = field_get(capabilities, PERF_CAPABILITIES_FW_WRITE);
    facts->perf_metrics = field_get(capabilities, PERF_CAPABILITIES_PERF_METRICS_AVAILABLE) ||
                          has_hidden_metrics(facts);
}

/* CPUID leaf 1: EDX[21] is DS, ECX[2] DTES64; "DS Save Area". */
static void read_debug_store(struct facts *facts, struct cpuid leaf1)
{
    uint64_t enable = 0;

    facts->debug_store = facts->intel && bit(leaf1.edx, 21) && bit(leaf1.ecx, 2);
    facts->pebs_unavailable = !facts->debug_store || !msr_read(IA32_MISC_ENABLE, &enable) ||
                              field_get(enable, MISC_ENABLE_PEBS_UNAVAILABLE);
}

/* Microcode that orders memory inside transactions needs PMC3, unless every transaction aborts.
 * CPUID.(7,0):EDX[11] says that all abort; EDX[13] says that MSR_TSX_FORCE_ABORT can make them. */
static void read_reserved(struct facts *facts, uint32_t highest)
{
    struct cpuid leaf = highest >= 7 && facts->intel ? cpuid_read(7, 0) : (struct cpuid){0};
    uint64_t abort = 0;

    if (!bit(leaf.edx, 13) || bit(leaf.edx, 11))
        return;
    if (!msr_read(MSR_TSX_FORCE_ABORT, &abort) ||
        !field_get(abort, TSX_FORCE_ABORT_RTM_FORCE_ABORT))
        facts->general_kept = 1u << 3;
    facts->general_reserved |= facts->general_kept;
}

#define LBR_DEPTH_STEP 8u /* leaf 1CH, EAX[n]: a depth of 8 * (n + 1) can be chosen */

/* "Architectural Last Branch Records": leaf 7, EDX[19] announces leaf 1CH. RTM and HLE are leaf 7,
 * EBX[11] and EBX[4], "Intel Processor Trace" EBX[25]. */
static void read_branch_records(struct facts *facts, uint32_t highest)
{
    struct cpuid leaf7 = highest >= 7 && facts->intel ? cpuid_read(7, 0) : (struct cpuid){0};
    struct lbr_facts *lbr = &facts->lbr;
    struct cpuid leaf;
    uint64_t found;

    facts->transactions = bit(leaf7.ebx, 11) || bit(leaf7.ebx, 4);
    facts->processor_trace = bit(leaf7.ebx, 25);
    if (highest < 0x1c || !bit(leaf7.edx, 19) || !msr_read(IA32_LBR_DEPTH, &found))
        return;
    leaf = cpuid_read(0x1c, 0);
    for (unsigned i = 0; i < LBR_FACTS_DEPTH / LBR_DEPTH_STEP; i++)
        if (bit(leaf.eax, i))
            lbr->depth = LBR_DEPTH_STEP * (i + 1);
    lbr->depth_found = found < LBR_FACTS_DEPTH ? (uint32_t)found : LBR_FACTS_DEPTH;
    lbr->level_filter = bit(leaf.ebx, 0);
    lbr->branch_filter = bit(leaf.ebx, 1);
    lbr->call_stack = bit(leaf.ebx, 2);
    lbr->mispredicts = bit(leaf.ecx, 0);
    lbr->cycles = bit(leaf.ecx, 1);
    lbr->types = bit(leaf.ecx, 2);
}

/* SDM 1, "Detection of Intel AVX Instructions" and "Detection of AVX-512 Foundation Instructions":
 * an extension that CPUID announces is usable when XCR0 enables its registers. */
static void read_vectors(struct facts *facts, struct cpuid leaf1, uint32_t highest)
{
    struct cpuid leaf7 = highest >= 7 ? cpuid_read(7, 0) : (struct cpuid){0};
    const uint64_t sse_avx = XCR0_SSE | XCR0_AVX;
    uint64_t enabled = bit(leaf1.ecx, 27) ? xcr0_read() : 0;

    if ((enabled & sse_avx) != sse_avx || !bit(leaf1.ecx, 28))
        return;
    facts->avx = true;
    facts->fma = bit(leaf1.ecx, 12);
    facts->avx2 = bit(leaf7.ebx, 5);
    facts->avx512f = bit(leaf7.ebx, 16) && (enabled & XCR0_AVX512) == XCR0_AVX512;
}

static void read_counters(struct facts *facts, uint32_t highest)
{
    if (kind_of(facts)->read_counters != NULL)
        kind_of(facts)->read_counters(facts);
    else if (facts->amd)
        amd_counters_read(facts);
    else
        intel_counters_read(facts, highest);
}

static const char *why_absent(const struct facts *facts, uint32_t highest)
{
    uint64_t value;

    if (facts->amd && facts->kind != NULL)
        return amd_absent(facts);
    if (!facts->intel && facts->version != 0)
        return "neither Intel's processor nor AMD's Zen: its counters have no description";
    if (!facts->intel)
        return "neither Intel's processor nor AMD's Zen: no performance monitoring that is known";
    if (kind_of(facts)->absent != NULL)
        return kind_of(facts)->absent(msr_read(IA32_MISC_ENABLE, &value) ? &value : NULL);
    if (highest < 0xa)
        return "CPUID has no leaf 0AH: no architectural performance monitoring";
    if (facts->contradiction[0] != '\0')
        return facts->contradiction;
    if (facts->version == 0)
        return "CPUID 0AH says version 0: no architectural performance monitoring";
    if (facts->general_count == 0 && facts->fixed_mask == 0)
        return "CPUID 0AH says that there are no counters";
    if (facts->architectural_events == 0 && facts->fixed_mask == 0)
        return "CPUID 0AH says that no event can be counted";
    if (facts->general_count > 0 && !msr_read(IA32_PERFEVTSEL0, &value))
        return "IA32_PERFEVTSEL0 faults though CPUID 0AH promises counters";
    return NULL;
}

void facts_identify(struct facts *facts)
{
    const struct cpuid leaf1 = cpuid_read(1, 0);

    *facts = (struct facts){0};
    read_vendor(facts);
    read_brand(facts, highest_leaf(0x80000000));
    read_signature(facts, leaf1.eax);
    read_hypervisor(facts, leaf1.ecx);
    facts->kind = pmu_kind_find(facts);
    facts->signatures = kind_of(facts)->vendor;
}

void facts_read(struct facts *facts)
{
    uint32_t highest = highest_leaf(0), highest_extended = highest_leaf(0x80000000);
    struct cpuid leaf1 = cpuid_read(1, 0);

    facts_identify(facts);
    read_microcode(facts);
    if (highest >= 0x1a) {
        struct cpuid leaf = cpuid_read(0x1a, 0);

        facts->core_type = leaf.eax >> 24;
        facts->native_model = leaf.eax & 0xffffff;
    }
    read_topology(facts, leaf1, highest, highest_extended);
    read_package(facts, package_shift(facts, leaf1, highest, highest_extended));
    if (facts->intel && highest >= 4)
        read_caches(facts, 4);
    if (facts->amd && highest_extended >= 0x8000001d)
        read_caches(facts, 0x8000001d);
    read_clocks(facts, leaf1, highest);
    read_counters(facts, highest);
    read_capabilities(facts, leaf1);
    read_debug_store(facts, leaf1);
    read_reserved(facts, highest);
    read_branch_records(facts, highest);
    read_vectors(facts, leaf1, highest);
    facts->absent = why_absent(facts, highest);
}
