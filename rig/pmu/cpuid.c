/* CPUID: leaves that depend on the place of the logical processor or on the counters are computed
 * here; all others are data of the personality.
 *
 * Source: SDM 2A, "CPUID - CPU Identification". */
#include "cpuid.h"

#include <string.h>

#include "kind.h"

#define HYPERVISOR_LEAF     0x40000000u
#define EXTENDED_LEAF       0x80000000u
#define EXTENDED_LAST       0x80000008u
#define NO_LEAF             0x7fffffffu
#define LINE_SIZE           64u
#define FEATURE_XSAVE       (1u << 26) /* leaf 1 ECX */
#define FEATURE_OSXSAVE     (1u << 27)
#define FEATURE_HTT         (1u << 28) /* leaf 1 EDX */
#define FEATURE_FORCE_ABORT (1u << 13) /* leaf 7 EDX */
#define CR4_OSXSAVE         (UINT64_C(1) << 18)

static unsigned bits_for(unsigned count)
{
    unsigned bits = 0;

    while (1u << bits < count)
        bits++;
    return bits;
}

/* Bits of an APIC id that are the thread's, or the thread's and the core's. */
static unsigned thread_bits(const struct pmu *pmu)
{
    return pmu->parameters->core_ids ? 1 : bits_for(pmu->place.threads_per_core);
}

static unsigned package_bits(const struct pmu *pmu)
{
    const struct pmu_parameters *parameters = pmu->parameters;
    const unsigned used = parameters->core_ids ? bits_for(pmu->place.cores * parameters->core_ids)
                                               : thread_bits(pmu) + bits_for(pmu->place.cores);

    return used > parameters->package_bits ? used : parameters->package_bits;
}

static void four_characters(uint32_t *word, const char *text)
{
    memcpy(word, text, sizeof(*word));
}

static void leaf_vendor(const struct pmu *pmu, struct cpuid_result *result)
{
    const char *vendor = pmu->parameters->vendor != NULL ? pmu->parameters->vendor : "GenuineIntel";

    result->eax = pmu->parameters->max_leaf;
    four_characters(&result->ebx, vendor);
    four_characters(&result->edx, vendor + 4);
    four_characters(&result->ecx, vendor + 8);
}

/* The feature bits are data of the personality. */
static void leaf_version(const struct pmu *pmu, uint64_t cr4, struct cpuid_result *result)
{
    /* Parts without leaf 4 have one core a package (SDM 3A, "Hierarchical Mapping"). */
    const bool one_core = pmu->parameters->max_leaf < 4;
    unsigned count = one_core ? pmu->place.threads_per_core : pmu->place.processors;
    unsigned addressable = 1u << (pmu->parameters->core_ids ? package_bits(pmu) : bits_for(count));

    if (addressable > 255)
        addressable = 255;
    result->eax = pmu->parameters->signature;
    result->ebx = (LINE_SIZE / 8) << 8 | addressable << 16 | pmu->place.apic_id << 24;
    if (count > 1)
        result->edx |= FEATURE_HTT;
    if (result->ecx & FEATURE_XSAVE && cr4 & CR4_OSXSAVE)
        result->ecx |= FEATURE_OSXSAVE;
}

/* Bits of an APIC id that the processors which share the cache differ in. Where cores have more ids
 * than threads, those are room for the cores that share an L2. */
static unsigned sharing_bits(const struct pmu *pmu, const struct cache_fact *cache)
{
    const unsigned ids = pmu->parameters->core_ids;

    if (cache->package)
        return ids ? package_bits(pmu) : bits_for(pmu->place.processors);
    return ids && cache->level == 2 ? bits_for(ids) : thread_bits(pmu);
}

static void leaf_cache(const struct pmu *pmu, uint32_t subleaf, struct cpuid_result *result)
{
    const struct cache_fact *cache;
    uint32_t sets;

    if (subleaf >= pmu->parameters->cache_count)
        return;
    cache = &pmu->parameters->caches[subleaf];
    sets = cache->package ? cache->sets * pmu->place.cores : cache->sets;
    result->eax = cache->type | (uint32_t)cache->level << 5 | 1u << 8 |
                  ((1u << sharing_bits(pmu, cache)) - 1) << 14 |
                  ((1u << (package_bits(pmu) - thread_bits(pmu))) - 1) << 26;
    result->ebx = (LINE_SIZE - 1) | (uint32_t)(cache->ways - 1) << 22;
    result->ecx = sets - 1;
    result->edx = cache->package ? 1u << 2 : 0; /* the slices are picked by a hash of the address */
}

static uint32_t fixed_bitmap(const struct pmu *pmu)
{
    return ((1u << pmu->parameters->fixed) - 1) & ~pmu->parameters->fixed_absent;
}

/* EDX counts the fixed counters before the first that the part lacks. */
static uint32_t fixed_contiguous(const struct pmu *pmu)
{
    uint32_t count = 0;

    while (pmu_has_fixed(pmu, count))
        count++;
    return count;
}

static void leaf_counters(const struct pmu *pmu, struct cpuid_result *result)
{
    const struct pmu_parameters *parameters = pmu->parameters;
    unsigned fixed_width = parameters->fixed_width ? parameters->fixed_width : parameters->width;

    if (parameters->common_counters.leaf != 0) {
        const struct cpuid_fact *common = &parameters->common_counters;

        *result = (struct cpuid_result){common->eax, common->ebx, common->ecx, common->edx};
        return;
    }
    result->eax = parameters->version | pmu->gp_count << 8 | parameters->width << 16 |
                  parameters->architectural_events << 24;
    result->ebx = parameters->architectural_absent;
    result->ecx = parameters->version >= 5 ? fixed_bitmap(pmu) : 0;
    result->edx = fixed_contiguous(pmu) | fixed_width << 5 |
                  (parameters->version >= 5 && !parameters->anythread ? 1u << 15 : 0);
}

/* SDM 2A, leaf 23H: sub-leaf 0 says which sub-leaves exist and which event select fields work. */
static void leaf_counters_extended(const struct pmu *pmu, uint32_t subleaf,
                                   struct cpuid_result *result)
{
    const struct pmu_parameters *parameters = pmu->parameters;

    if (subleaf == 0) {
        result->eax = 1u << 0 | 1u << 1 | 1u << 3;
        result->ebx = (parameters->evtsel_writable >> EVTSEL_UMASK2_SHIFT & 1) |
                      (parameters->evtsel_writable & EVTSEL_EQ ? 2u : 0) |
                      (parameters->evtsel_writable & EVTSEL_USER_DISABLE ? 4u : 0);
    } else if (subleaf == 1) {
        result->eax = (1u << pmu->gp_count) - 1;
        result->ebx = fixed_bitmap(pmu);
    } else if (subleaf == 3) {
        result->eax =
            ((1u << parameters->architectural_events) - 1) & ~parameters->architectural_absent;
    }
}

static void leaf_lbr(const struct pmu *pmu, struct cpuid_result *result)
{
    const struct lbr_parameters *lbr = &pmu->parameters->lbr;

    if (lbr->architectural)
        *result = (struct cpuid_result){lbr->leaf.eax, lbr->leaf.ebx, lbr->leaf.ecx, lbr->leaf.edx};
}

/* In leaf 1FH cores that have ids of their own are in modules, where the part says so. */
static void leaf_topology(const struct pmu *pmu, uint32_t leaf, uint32_t subleaf,
                          struct cpuid_result *result)
{
    const bool modules = leaf == 0x1f && pmu->parameters->modules && pmu->parameters->core_ids;
    const unsigned last = modules ? 2 : 1;

    result->ecx = subleaf & 0xff;
    result->edx = pmu->place.apic_id;
    if (subleaf == 0) {
        result->eax = thread_bits(pmu);
        result->ebx = pmu->place.threads_per_core;
        result->ecx |= 1u << 8;  /* SMT */
    } else if (subleaf < last) { /* a core in its module, which is alone there */
        result->eax = bits_for(pmu->parameters->core_ids);
        result->ebx = pmu->place.threads_per_core;
        result->ecx |= 2u << 8; /* core */
    } else if (subleaf == last) {
        result->eax = package_bits(pmu);
        result->ebx = pmu->place.processors;
        result->ecx |= (modules ? 3u : 2u) << 8; /* module, or core */
    }
}

static void leaf_clocks(const struct pmu *pmu, struct cpuid_result *result)
{
    const struct pmu_parameters *parameters = pmu->parameters;

    result->eax = 2; /* TSC = crystal * EBX / EAX */
    result->ebx = 2 * parameters->tsc_mhz / parameters->crystal_mhz;
    result->ecx = parameters->crystal_enumerated ? parameters->crystal_mhz * 1000000u : 0;
}

static void leaf_frequencies(const struct pmu *pmu, struct cpuid_result *result)
{
    result->eax = pmu->parameters->tsc_mhz;
    result->ebx = pmu->parameters->max_mhz;
    result->ecx = pmu->parameters->bus_mhz;
}

/* A program can see that it runs on the rig: the rig's name is where a hypervisor's name is. */
static void leaf_hypervisor(struct cpuid_result *result)
{
    result->eax = HYPERVISOR_LEAF;
    four_characters(&result->ebx, "slot");
    four_characters(&result->ecx, "scop");
    four_characters(&result->edx, "eRIG");
}

static void leaf_brand(const struct pmu *pmu, uint32_t leaf, struct cpuid_result *result)
{
    char brand[48] = {0};
    const char *part = brand + 16 * (leaf - 0x80000002u);

    strncpy(brand, pmu->parameters->brand, sizeof(brand) - 1);
    four_characters(&result->eax, part);
    four_characters(&result->ebx, part + 4);
    four_characters(&result->ecx, part + 8);
    four_characters(&result->edx, part + 12);
}

static struct cpuid_result fact(const struct pmu_parameters *parameters, uint32_t leaf,
                                uint32_t subleaf)
{
    struct cpuid_result result = {0};
    size_t i;

    for (i = 0; i < parameters->cpuid_count; i++) {
        const struct cpuid_fact *fact = &parameters->cpuid[i];

        if (fact->leaf == leaf && fact->subleaf == subleaf)
            result = (struct cpuid_result){fact->eax, fact->ebx, fact->ecx, fact->edx};
    }
    return result;
}

static bool has_subleaves(uint32_t leaf)
{
    return leaf == 0x4 || leaf == 0x7 || leaf == 0xb || leaf == 0xd || leaf == 0x14 ||
           leaf == 0x1f || leaf == 0x8000001d || leaf == CPUID_COUNTERS;
}

static uint32_t extended_last(const struct pmu *pmu)
{
    return pmu->parameters->max_extended ? pmu->parameters->max_extended : EXTENDED_LAST;
}

/* A leaf above the last leaf of its range answers as the last basic leaf; on AMD it is zero. */
static uint32_t clamp(const struct pmu *pmu, uint32_t leaf)
{
    if (leaf <= pmu->parameters->max_leaf || leaf == HYPERVISOR_LEAF ||
        (leaf >= EXTENDED_LEAF && leaf <= extended_last(pmu)))
        return leaf;
    return pmu->parameters->amd != NULL ? NO_LEAF : pmu->parameters->max_leaf;
}

/* As the personality answers. */
static struct cpuid_result played(const struct pmu *pmu, uint32_t leaf, uint32_t subleaf,
                                  uint64_t cr4)
{
    struct cpuid_result result = fact(pmu->parameters, leaf, has_subleaves(leaf) ? subleaf : 0);
    switch (leaf) {
    case 0x0:
        leaf_vendor(pmu, &result);
        break;
    case 0x1:
        leaf_version(pmu, cr4, &result);
        break;
    case 0x4:
        leaf_cache(pmu, subleaf, &result);
        break;
    case 0x7:
        if (subleaf == 0 && pmu->parameters->tsx_takes_counter)
            result.edx |= FEATURE_FORCE_ABORT;
        break;
    case 0xa:
        leaf_counters(pmu, &result);
        break;
    case 0xb:
    case 0x1f:
        leaf_topology(pmu, leaf, subleaf, &result);
        break;
    case 0x15:
        leaf_clocks(pmu, &result);
        break;
    case 0x16:
        leaf_frequencies(pmu, &result);
        break;
    case 0x1a:
        result.eax = pmu->parameters->core_type;
        break;
    case 0x1c:
        leaf_lbr(pmu, &result);
        break;
    case CPUID_COUNTERS:
        leaf_counters_extended(pmu, subleaf, &result);
        break;
    case HYPERVISOR_LEAF:
        leaf_hypervisor(&result);
        break;
    case EXTENDED_LEAF:
        result.eax = extended_last(pmu);
        break;
    case 0x80000002:
    case 0x80000003:
    case 0x80000004:
        leaf_brand(pmu, leaf, &result);
        break;
    case 0x8000001d:
        leaf_cache(pmu, subleaf, &result);
        break;
    default:
        break;
    }
    if (pmu->parameters->kind != NULL && pmu->parameters->kind->cpuid != NULL)
        pmu->parameters->kind->cpuid(pmu, leaf, &result);
    return result;
}

struct cpuid_result pmu_cpuid(const struct pmu *pmu, uint32_t leaf, uint32_t subleaf, uint64_t cr4)
{
    const struct cpuid_record *record = pmu->parameters->recorded;

    if (record == NULL) {
        leaf = clamp(pmu, leaf);
        return played(pmu, leaf, subleaf, cr4);
    }
    leaf = record->leaf(record, leaf);
    return record->answer(record, leaf, subleaf, played(pmu, leaf, subleaf, cr4));
}
