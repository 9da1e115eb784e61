#include "recorded.h"

#include <string.h>
#include <stdio.h>

#include "answers.h"
#include "cpuid_file.h"
#include "pmu/pmu.h"

/* Leaves and bits: SDM 2A, "CPUID - CPU Identification". */
#define FEATURE_PDCM      (1u << 15)          /* 1:ECX */
#define FEATURE_AVX       (1u << 28)          /* 1:ECX */
#define FEATURE_AVX2      (1u << 5)           /* 7:EBX */
#define FEATURE_TRACE     (1u << 25)          /* 7:EBX */
#define FEATURE_AVX512    (1u << 16)          /* 7:EBX */
#define FEATURE_HYBRID    (1u << 15)          /* 7:EDX */
#define FEATURE_LBR       (1u << 19)          /* 7:EDX */
#define ALWAYS_ABORT      (1u << 11)          /* 7:EDX */
#define FORCE_ABORT       (1u << 13)          /* 7:EDX */
#define FEATURE_SSE42     (1u << 20)          /* 1:ECX */
#define HAS_LEAF_23       (1u << 8)           /* 7.1:EAX */
#define ANNOUNCES_METRICS (UINT64_C(1) << 15) /* IA32_PERF_CAPABILITIES */
#define TYPE_ATOM         0x20u               /* 1AH:EAX[31:24] */
#define TYPE_CORE         0x40u
#define LEVEL_SMT         1u /* 0BH, 1FH:ECX[15:8] */
#define LEVEL_MODULE      3u
#define SANDYBRIDGE_EP    0x206d0u /* 1:EAX without the stepping: 06_2DH */

static struct cpuid_fact leaf(const struct recorded_kind *kind, uint32_t number, uint32_t subleaf)
{
    const struct cpuid_fact *first = recorded_row(kind, 0, 0);
    const struct cpuid_fact *row = recorded_row(kind, number, subleaf);

    return row != NULL && (number <= first->eax || number >= 0x80000000) ? *row
                                                                         : (struct cpuid_fact){0};
}

static bool is_intel(const struct recorded_kind *kind)
{
    return leaf(kind, 0, 0).ebx == 0x756e6547; /* "Genu" */
}

static bool is_amd(const struct recorded_kind *kind)
{
    const uint32_t word = leaf(kind, 0, 0).ebx;

    return word == 0x68747541 || word == 0x6f677948; /* "Auth", "Hygo" */
}

static uint32_t type_of(const struct recorded_kind *kind)
{
    return leaf(kind, 0x1a, 0).eax >> 24;
}

/* Without the stepping. */
static uint32_t model_of(uint32_t signature)
{
    return signature & 0x0fff0ff0;
}

/* ---- the nearest personality ---- */

static uint32_t wanted_model;
static const struct personality *same_model;

static void look_at(const struct personality *personality)
{
    if (model_of(personality->pmu->signature) == wanted_model)
        same_model = personality;
}

/* The youngest that the record's features reach: by vector registers, and by the version of the
 * PMU. */
static const char *nearest_name(const struct recorded_kind *kind)
{
    const struct cpuid_fact seven = leaf(kind, 7, 0);
    const unsigned version = leaf(kind, 0xa, 0).eax & 0xff;

    if (is_amd(kind))
        return "zen4";
    if ((leaf(kind, 1, 0).eax >> 8 & 0xf) == 0xf)
        return "prescott";
    if (seven.edx & FEATURE_HYBRID || type_of(kind) == TYPE_ATOM)
        return "alderlake";
    if (seven.ebx & FEATURE_AVX512)
        return seven.edx & FEATURE_LBR ? "sapphirerapids" : version >= 5 ? "icelakex" : "skylakex";
    if (seven.ebx & FEATURE_AVX2)
        return seven.edx & FEATURE_LBR ? "alderlake" : version >= 4 ? "skylakex" : "haswell";
    if (version >= 4)
        return "skylakex";
    if (leaf(kind, 1, 0).ecx & FEATURE_AVX)
        return "ivybridge";
    return version >= 3 && leaf(kind, 1, 0).ecx & FEATURE_SSE42 ? "nehalem" : "core2";
}

static const struct personality *nearest(const struct recorded_kind *kind)
{
    wanted_model = model_of(leaf(kind, 1, 0).eax);
    same_model = NULL;
    if (is_intel(kind))
        personality_list(look_at);
    return same_model != NULL ? same_model : personality_find(nearest_name(kind));
}

/* ---- counters ---- */

static void set_counters(struct pmu_parameters *pmu, uint32_t general, uint32_t fixed)
{
    unsigned count = 0, last = 0;

    while (count < PMU_GP_MAX && general >> count & 1)
        count++;
    for (unsigned i = 0; i < PMU_FIXED_MAX; i++)
        if (fixed >> i & 1)
            last = i + 1;
    pmu->gp_alone = pmu->gp_smt = count;
    pmu->fixed = last;
    pmu->fixed_absent = ~fixed & ((1u << last) - 1);
    pmu->metrics = pmu->metrics && fixed >> 3 & 1;
}

static uint32_t bits(unsigned count)
{
    return count < 32 ? (1u << count) - 1 : ~0u;
}

/* As leaf 23H states the counters of this kind of core, or leaf 0AH. Early parts of versions 2 to 4
 * have three fixed counters and state fewer; the P cores of a hybrid without leaf 23H have those of
 * the personality (Linux, arch/x86/events/intel/core.c, for both). */
static void make_counters(struct pmu_parameters *pmu, const struct recorded_kind *kind)
{
    const struct cpuid_fact ten = leaf(kind, 0xa, 0), own = leaf(kind, 0x23, 1);
    const bool guest = leaf(kind, 1, 0).ecx >> 31;
    uint32_t fixed = bits(ten.edx & 0x1f);

    pmu->version = ten.eax & 0xff;
    pmu->width = pmu->version != 0 ? ten.eax >> 16 & 0xff : pmu->width;
    pmu->fixed_width = ten.edx >> 5 & 0xff;
    pmu->architectural_events = ten.eax >> 24;
    pmu->architectural_absent = ten.ebx;
    pmu->anythread = pmu->version >= 3 && !(ten.edx >> 15 & 1);
    if (pmu->version < 2)
        fixed = 0;
    else if (pmu->version >= 5)
        fixed |= ten.ecx;
    else if (!guest)
        fixed |= 7;
    if (leaf(kind, 7, 1).eax & HAS_LEAF_23 && own.eax != 0)
        set_counters(pmu, own.eax, own.ebx);
    else if (leaf(kind, 7, 0).edx & FEATURE_HYBRID && type_of(kind) == TYPE_CORE && !guest)
        set_counters(pmu, bits(pmu->gp_alone) | bits(ten.eax >> 8 & 0xff),
                     (bits(pmu->fixed) & ~pmu->fixed_absent) | fixed);
    else
        set_counters(pmu, pmu->version != 0 ? bits(ten.eax >> 8 & 0xff) : 0, fixed);
}

/* A machine that is not one of the erratum's models does not have it, whatever plays it. AAK100,
 * AAP53, BD53: Linux, arch/x86/events/intel/core.c, has the workaround on Nehalem and Westmere;
 * BJ122, BV98, HSD29: it has the other one from Sandy Bridge to Haswell. */
static bool is_one_of(uint32_t signature, const uint8_t *models, size_t count)
{
    const uint32_t model = model_of(signature);

    for (size_t i = 0; i < count; i++)
        if (model == (0x600u | (models[i] & 0xfu) << 4 | (models[i] & 0xf0u) << 12))
            return true;
    return false;
}

static void drop_errata(struct pmu_parameters *pmu)
{
    static const uint8_t primed[] = {0x1a, 0x1e, 0x1f, 0x2e, 0x25, 0x2c, 0x2f};
    static const uint8_t leaking[] = {0x2a, 0x2d, 0x3a, 0x3e, 0x3c, 0x3f, 0x45, 0x46};

    if (!is_one_of(pmu->signature, primed, sizeof(primed)))
        memset(pmu->prime, 0, sizeof(pmu->prime));
    if (!is_one_of(pmu->signature, leaking, sizeof(leaking)))
        pmu->leaks_first = pmu->leaks_last = 0;
}

/* Leaf 0BH counts the threads of a core as shipped: two also where one is switched off. */
static bool has_one_thread(const struct recorded_kind *kind)
{
    const struct cpuid_fact threads = leaf(kind, 0xb, 0);

    return (threads.ecx >> 8 & 0xff) == LEVEL_SMT && threads.ebx == 1;
}

/* What the rig plays of this kind of core. */
static void make_kind(struct personality *made, struct pmu_parameters *pmu,
                      struct cpuid_record *record, const struct personality *base,
                      const struct recorded_kind *kind)
{
    *made = *base;
    *pmu = *base->pmu;
    *record = (struct cpuid_record){kind->row, kind->count, answers_leaf, answers_cpuid};
    made->pmu = pmu;
    made->small = NULL;
    made->single_thread = base->single_thread || has_one_thread(kind);
    pmu->recorded = record;
    pmu->signature = leaf(kind, 1, 0).eax;
    pmu->max_leaf = leaf(kind, 0, 0).eax;
    pmu->modules = (leaf(kind, 0x1f, 2).ecx >> 8 & 0xff) == LEVEL_MODULE;
    pmu->core_type = leaf(kind, 0x1a, 0).eax;
    if (pmu->kind != NULL)
        return; /* NetBurst's and AMD's counters are stated by no leaf that the rig plays */
    pmu->gp_of_events = base->pmu->gp_alone;
    make_counters(pmu, kind);
    pmu->tsx_takes_counter = (leaf(kind, 7, 0).edx & (FORCE_ABORT | ALWAYS_ABORT)) == FORCE_ABORT;
    drop_errata(pmu);
    pmu->bypassed_loads = model_of(pmu->signature) == SANDYBRIDGE_EP;
    if (!(leaf(kind, 1, 0).ecx & FEATURE_PDCM))
        pmu->capabilities = 0;
    if (!pmu->metrics)
        pmu->capabilities &= ~ANNOUNCES_METRICS;
    if (!(leaf(kind, 7, 0).ebx & FEATURE_TRACE))
        pmu->processor_trace = TRACE_NONE;
    if (pmu->lbr.architectural && !(leaf(kind, 7, 0).edx & FEATURE_LBR))
        pmu->lbr = (struct lbr_parameters){0};
}

const struct personality *recorded_personality(const char *file, const struct personality *chosen,
                                               char *why, size_t why_size)
{
    static struct recorded_machine machine;
    static struct personality made[RECORD_KINDS];
    static struct pmu_parameters pmu[RECORD_KINDS];
    static struct cpuid_record record[RECORD_KINDS];
    const struct personality *base;
    bool small;

    if (!cpuid_file_read(&machine, file, why, why_size))
        return NULL;
    base = chosen != NULL ? chosen : nearest(&machine.kind[0]);
    small = base->small != NULL && type_of(&machine.kind[0]) == TYPE_ATOM;
    fprintf(stderr, "rig: %s: CPUID as recorded, on the pipeline and the events of %s%s%s\n",
            machine.name, base->name, small ? "'s E cores" : "",
            model_of(base->pmu->signature) == model_of(leaf(&machine.kind[0], 1, 0).eax)
                ? ""
                : ", the nearest");
    make_kind(&made[0], &pmu[0], &record[0], small ? base->small : base, &machine.kind[0]);
    if (machine.kinds > 1 && base->small != NULL) {
        make_kind(&made[1], &pmu[1], &record[1], base->small, &machine.kind[1]);
        made[0].small = &made[1];
    }
    return &made[0];
}
