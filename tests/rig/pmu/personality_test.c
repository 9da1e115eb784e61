/* The personalities as data: tables that agree with one another, with CPUID and with published
 * figures. */
#include <stdio.h>

#include "core/parameters.h"
#include "core/memory/shared.h"
#include "pmu/event_table.h"
#include "pmu_test.h"

#define LINE_BYTES 64u
#define PORTS_MOST 16u

/* Published in the manuals and in the vendor's model lists. `alone` and `smt`: general-purpose
 * counters of a logical processor without and with a sibling. */
static const struct published {
    const char *name;
    uint32_t signature; /* family, model, stepping as CPUID 1:EAX */
    unsigned version, alone, smt, width, fixed, slots;
    unsigned lbr_depth;
    bool level2; /* PERF_METRICS has its upper half */
    /* of leaf 0AH where it states less than the core has: a hybrid part's (recorded from a Core
     * i9-12900K) */
    unsigned stated, stated_fixed;
} published[] = {
    {"core2", 0x006f6, 2, 2, 2, 40, 3, 4, 4, false, 0, 0},
    {"nehalem", 0x106a5, 3, 4, 4, 48, 3, 4, 16, false, 0, 0},
    {"ivybridge", 0x306a9, 3, 8, 4, 48, 3, 4, 16, false, 0, 0},
    {"haswell", 0x306c3, 3, 8, 4, 48, 3, 4, 16, false, 0, 0},
    {"skylakex", 0x50654, 4, 8, 4, 48, 3, 4, 32, false, 0, 0},
    {"icelakex", 0x606a6, 5, 8, 8, 48, 4, 5, 32, false, 0, 0},
    {"sapphirerapids", 0x806f8, 5, 8, 8, 48, 4, 6, 32, true, 0, 0},
    {"alderlake", 0x90672, 5, 8, 8, 48, 4, 6, 32, true, 6, 3},
    {"graniterapids", 0xa06d1, 5, 8, 8, 48, 4, 6, 32, true, 0, 0},
};

#define PUBLISHED_COUNT (sizeof(published) / sizeof(published[0]))

/* CPUID of the part of `rig`, on one core of four. */
static struct cpuid_result cpuid(const struct rig *rig, uint32_t leaf, uint32_t subleaf)
{
    return pmu_cpuid(rig->pmu, leaf, subleaf, 0);
}

/* Checks both kinds of cores of a hybrid part. */
static void both(const struct personality *personality, void (*check)(const struct personality *))
{
    check(personality);
    if (personality->small != NULL)
        check(personality->small);
}

static void check_rows(const struct personality *personality, const struct pmu_event *rows[],
                       size_t count)
{
    const unsigned counters = (1u << personality->pmu->gp_alone) - 1;

    assert_true(count > 0 && count < EVENTS_MOST);
    for (size_t i = 0; i < count; i++) {
        assert_non_null(rows[i]->name);
        assert_int_not_equal(rows[i]->code, 0); /* events of fixed counters have no code */
        assert_int_not_equal(rows[i]->counters, 0);
        assert_int_equal(rows[i]->counters & ~counters, 0);
        assert_true(rows[i]->source.signal < SIGNAL_COUNT && rows[i]->source.plus < SIGNAL_COUNT);
        assert_true(rows[i]->source.rate != PER_CORE_CYCLE || rows[i]->source.weight != 0);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(rows[i]->name, rows[k]->name);
    }
}

static const struct pmu_event *row_of(const struct pmu_event *rows[], size_t count, uint8_t code,
                                      uint16_t umask)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i]->code == code && rows[i]->umask == umask)
            return rows[i];
    return NULL;
}

static bool is_same_source(const struct pmu_source *a, const struct pmu_source *b)
{
    return a->rate == b->rate && a->signal == b->signal && a->plus == b->plus &&
           a->weight == b->weight && a->plus_weight == b->plus_weight && a->once == b->once;
}

/* What a table states of its own: no encoding twice, no row that the other table has just so, and
 * without nothing that is not in the other table. */
static void check_table(const char *name, const struct event_table *table)
{
    const struct pmu_event *like[EVENTS_MOST], *other;
    const size_t count = event_rows(table->like, like);

    for (size_t i = 0; i < table->count; i++) {
        const struct pmu_event *event = &table->row[i];

        for (size_t k = 0; k < i; k++)
            if (event->code == table->row[k].code && event->umask == table->row[k].umask)
                fail_msg("%s: %s and %s have one encoding", name, event->name, table->row[k].name);
        other = row_of(like, count, event->code, event->umask);
        if (other != NULL && event->counters == other->counters && event->core == other->core &&
            is_same_source(&event->source, &other->source) && !strcmp(event->name, other->name))
            fail_msg("%s: %s is already so in the other table", name, event->name);
    }
    for (size_t i = 0; i < table->without_count; i++) {
        const struct event_encoding *lacked = &table->without[i];

        if (row_of(like, count, lacked->code, lacked->umask) == NULL)
            fail_msg("%s: without 0x%02x umask 0x%02x, which the other table does not have", name,
                     lacked->code, lacked->umask);
        for (size_t k = 0; k < table->count; k++)
            if (table->row[k].code == lacked->code && table->row[k].umask == lacked->umask)
                fail_msg("%s: without %s, which it has", name, table->row[k].name);
        for (size_t k = 0; k < i; k++)
            if (table->without[k].code == lacked->code && table->without[k].umask == lacked->umask)
                fail_msg("%s: twice without 0x%02x umask 0x%02x", name, lacked->code,
                         lacked->umask);
    }
}

static void check_events(const struct personality *personality)
{
    const struct pmu_event *rows[EVENTS_MOST];
    const struct event_table *table;

    check_rows(personality, rows, event_rows(personality->pmu->events, rows));
    for (table = personality->pmu->events; table != NULL; table = table->like)
        check_table(personality->name, table);
}

static void check_events_of(const struct personality *personality)
{
    if (personality->pmu->version) /* other kinds of PMU have no such table */
        both(personality, check_events);
}

static void no_two_events_share_an_encoding_and_every_event_has_a_counter(void **state)
{
    (void)state;
    personality_list(check_events_of);
}

static const struct pmu_event *find(const struct personality *personality, const char *name)
{
    const struct pmu_event *rows[EVENTS_MOST];
    const size_t count = event_rows(personality->pmu->events, rows);

    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i]->name, name) == 0)
            return rows[i];
    fail_msg("%s has no event %s", personality->name, name);
    return NULL;
}

/* Events that differ between generations, from the public list of each part. */
static void events_have_their_published_encodings(void **state)
{
    static const struct {
        const char *personality, *event;
        uint8_t code, umask;
        uint16_t counters;
    } rows[] = {
        {"core2", "INST_RETIRED.LOADS", 0xc0, 0x01, 0x03},
        {"core2", "CYCLES_DIV_BUSY", 0x14, 0x00, 0x01},
        {"nehalem", "MEM_INST_RETIRED.STORES", 0x0b, 0x02, 0x0f},
        {"nehalem", "MEM_LOAD_RETIRED.HIT_LFB", 0xcb, 0x40, 0x0f},
        {"ivybridge", "DTLB_LOAD_MISSES.MISS_CAUSES_A_WALK", 0x08, 0x81, 0xff},
        {"ivybridge", "INT_MISC.RECOVERY_CYCLES", 0x0d, 0x03, 0xff},
        {"ivybridge", "CYCLE_ACTIVITY.STALLS_L1D_MISS", 0xa3, 0x0c, 0x04},
        {"haswell", "MEM_UOPS_RETIRED.ALL_LOADS", 0xd0, 0x81, 0x0f},
        {"haswell", "BACLEARS.ANY", 0xe6, 0x1f, 0xff},
        {"sapphirerapids", "UOPS_ISSUED.ANY", 0xae, 0x01, 0xff},
        {"sapphirerapids", "INT_MISC.RECOVERY_CYCLES", 0xad, 0x01, 0xff},
        {"sapphirerapids", "TOPDOWN.BR_MISPREDICT_SLOTS", 0xa4, 0x08, 0x01},
        {"graniterapids", "EXE_ACTIVITY.BOUND_ON_LOADS", 0xa6, 0x21, 0xff},
        {"alderlake", "BACLEARS.ANY", 0x60, 0x01, 0x0f},
    };
    const struct personality *gracemont = personality_find("alderlake")->small;

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct pmu_event *event = find(personality_find(rows[i].personality), rows[i].event);

        assert_int_equal(event->code, rows[i].code);
        assert_int_equal(event->umask, rows[i].umask);
        assert_int_equal(event->counters, rows[i].counters);
    }
    assert_int_equal(find(gracemont, "TOPDOWN_BAD_SPECULATION.ALL")->code, 0x73);
    assert_int_equal(find(gracemont, "TOPDOWN_FE_BOUND.ALL")->code, 0x71);
    assert_int_equal(find(gracemont, "BR_INST_RETIRED.NEAR_TAKEN")->umask, 0xc0);
}

static void counters_are_as_published_and_as_cpuid_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < PUBLISHED_COUNT; i++) {
        const struct published *part = &published[i];
        const struct personality *personality = personality_find(part->name);
        struct rig rig;
        struct cpuid_result leaf;
        uint64_t value;

        assert_non_null(personality);
        rig_make(&rig, personality, 1);
        assert_int_equal(cpuid(&rig, 1, 0).eax, part->signature);
        leaf = cpuid(&rig, 0xa, 0);
        assert_int_equal(leaf.eax & 0xff, part->version);
        assert_int_equal(leaf.eax >> 8 & 0xff, part->stated ? part->stated : part->alone);
        assert_int_equal(leaf.eax >> 16 & 0xff, part->width);
        assert_int_equal(leaf.edx & 0x1f, part->stated_fixed ? part->stated_fixed : part->fixed);
        assert_int_equal(leaf.edx >> 5 & 0xff, part->width);
        assert_int_equal(personality->core->width, part->slots);
        assert_int_equal(pmu_rdmsr(rig.pmu, 0xc1 + part->alone - 1, &value), ACCESS_OK);
        assert_int_equal(pmu_rdmsr(rig.pmu, 0xc1 + part->alone, &value), ACCESS_FAULT);
        assert_int_equal(pmu_rdmsr(rig.pmu, 0x309 + part->fixed - 1, &value), ACCESS_OK);
        assert_int_equal(pmu_rdmsr(rig.pmu, 0x309 + part->fixed, &value), ACCESS_FAULT);
        rig_end(&rig);
        if (personality->single_thread)
            continue;
        rig_make(&rig, personality, 2);
        assert_int_equal(cpuid(&rig, 0xa, 0).eax >> 8 & 0xff,
                         part->stated ? part->stated : part->smt);
        rig_end(&rig);
    }
}

static void perf_metrics_has_the_levels_that_are_published(void **state)
{
    (void)state;
    for (size_t i = 0; i < PUBLISHED_COUNT; i++) {
        const struct pmu_parameters *pmu = personality_find(published[i].name)->pmu;

        assert_int_equal(pmu->metrics, published[i].slots > 4);
        assert_int_equal(pmu->metrics_level2, published[i].level2);
    }
    assert_false(personality_find("alderlake")->small->pmu->metrics);
}

/* Compares the cache that this sub-leaf of leaf 4 enumerates with the cache of the model. */
static void check_cache(const struct rig *rig, const struct personality *personality, unsigned type,
                        unsigned level, bool shared, const struct cache_geometry *modelled)
{
    for (uint32_t subleaf = 0;; subleaf++) {
        struct cpuid_result leaf = cpuid(rig, 4, subleaf);
        uint64_t ways = (leaf.ebx >> 22) + 1, sets = (uint64_t)leaf.ecx + 1;

        if (!(leaf.eax & 0x1f)) {
            fail_msg("%s: no cache of level %u", personality->name, level);
            return;
        }
        if ((leaf.eax & 0x1f) != type || (leaf.eax >> 5 & 7) != level)
            continue;
        assert_int_equal((leaf.ebx & 0xfff) + 1, LINE_BYTES);
        assert_int_equal(ways, modelled->ways);
        assert_int_equal(ways * sets * LINE_BYTES, modelled->bytes * (shared ? 4u : 1u));
        return;
    }
}

static void check_caches(const struct personality *personality)
{
    const struct model_parameters *core = personality->core;
    unsigned last = core->l2.ways ? 3 : 2; /* Core 2's second level is the shared cache */
    struct rig rig;

    rig_make(&rig, personality, 1);
    check_cache(&rig, personality, 1, 1, false, &core->l1d);
    check_cache(&rig, personality, 2, 1, false, &core->l1i);
    if (core->l2.ways)
        check_cache(&rig, personality, 3, 2, false, &core->l2);
    check_cache(&rig, personality, 3, last, true, &core->l3_slice);
    rig_end(&rig);
}

static void check_caches_of(const struct personality *personality)
{
    if (personality->pmu->version)
        both(personality, check_caches);
}

static void cpuid_enumerates_the_caches_that_the_model_has(void **state)
{
    (void)state;
    personality_list(check_caches_of);
}

static void check_identity(const struct personality *personality)
{
    const struct pmu_parameters *pmu = personality->pmu;
    struct rig rig;
    struct cpuid_result leaf;

    assert_true(strlen(pmu->brand) <= 47);
    assert_true(strlen(personality->title) > 0 && strlen(personality->omitted) > 0);
    rig_make(&rig, personality, 1);
    assert_int_equal(cpuid(&rig, 0, 0).eax, pmu->max_leaf);
    if (pmu->max_leaf >= 0x15 && pmu->crystal_enumerated) {
        leaf = cpuid(&rig, 0x15, 0);
        assert_int_equal((uint64_t)leaf.ecx * leaf.ebx / leaf.eax,
                         pmu->tsc_mhz * UINT64_C(1000000));
    }
    /* IA32_MISC_ENABLE: counters are available; a part without PEBS has bit 12 set */
    assert_int_equal(rdmsr(&rig, 0x1a0) >> 7 & 1, 1);
    rig_end(&rig);
}

static void check_identity_of(const struct personality *personality)
{
    if (personality->pmu->version)
        both(personality, check_identity);
}

static void cpuid_clocks_and_names_are_consistent(void **state)
{
    (void)state;
    personality_list(check_identity_of);
}

static void check_core(const struct personality *personality)
{
    const struct model_parameters *core = personality->core;
    const struct tlb_geometry *tlbs[] = {&core->itlb, &core->dtlb, &core->stlb};

    assert_true(core->ports <= PORTS_MOST);
    for (unsigned i = 0; i < CLASS_COUNT; i++) {
        const struct uop_class *uop_class = &core->classes[i];

        assert_int_equal(uop_class->ports >> core->ports, 0);
        const bool optional = i == CLASS_LEA || i == CLASS_MUL64 || i == CLASS_FP_COMPARE ||
                              i == CLASS_IDIV64 || i == CLASS_STORE_INDEXED ||
                              i == CLASS_VECTOR_MOVE ||
                              (i >= CLASS_FP_DIV_PACKED && i <= CLASS_FP_512);

        if (i != CLASS_NONE && !(optional && uop_class->ports == 0)) {
            assert_int_not_equal(uop_class->ports, 0);
            assert_true(uop_class->latency > 0 && uop_class->occupies > 0);
        }
    }
    for (unsigned i = 0; i < 3; i++) {
        if (tlbs[i]->ways_4k) /* else the part has no such TLB */
            assert_int_equal(tlbs[i]->entries_4k % tlbs[i]->ways_4k, 0);
        if (tlbs[i]->ways_2m)
            assert_int_equal(tlbs[i]->entries_2m % tlbs[i]->ways_2m, 0);
    }
    assert_true(core->resteer > core->recovery);
    if (core->l2.ways)
        assert_true(core->l2.latency > core->l1d.latency);
    if (core->l3_slice.ways)
        assert_true(core->l3_slice.latency > core->l2.latency &&
                    core->memory_latency > core->l3_slice.latency);
    assert_true(core->memory_latency > core->l2.latency);
    assert_true(core->rob > core->scheduler && core->load_buffer > 0 && core->store_buffer > 0);
}

static void check_core_of(const struct personality *personality)
{
    both(personality, check_core);
}

/* SDM 1, chapter on AVX: the extensions that each extension needs; SDM 2A, CPUID leaf 0DH: the
 * offsets in an XSAVE area. */
static void check_vectors(const struct personality *personality)
{
    const struct model_parameters *core = personality->core;
    struct cpuid_result leaf, part;
    struct rig rig;
    uint32_t end = 576;
    bool avx, fma, avx2, avx512;

    rig_make(&rig, personality, 1);
    leaf = cpuid(&rig, 1, 0);
    fma = leaf.ecx >> 12 & 1;
    avx = leaf.ecx >> 28 & 1;
    assert_true(!avx || leaf.ecx >> 26 & 1);
    leaf = cpuid(&rig, 7, 0);
    avx2 = personality->pmu->max_leaf >= 7 && leaf.ebx >> 5 & 1;
    avx512 = personality->pmu->max_leaf >= 7 && leaf.ebx >> 16 & 1;
    assert_true((!avx2 || avx) && (!fma || avx) && (!avx512 || (avx2 && fma)));
    assert_true(!fma || core->classes[CLASS_FMA].ports);
    assert_true(!avx512 || core->classes[CLASS_FP_512].ports || core->vector_bits);
    if (personality->pmu->max_leaf >= 0xd) {
        leaf = cpuid(&rig, 0xd, 0);
        assert_int_equal(leaf.eax, avx512 ? 0xe7 : avx ? 7 : 0);
        /* XSAVEOPT came before AVX; the rig has no XSAVES */
        assert_int_equal(cpuid(&rig, 0xd, 1).eax & ~6u, avx);
        for (unsigned i = 2; i < 32; i++) {
            part = cpuid(&rig, 0xd, i);
            assert_int_equal(part.eax != 0, leaf.eax >> i & 1);
            if (!part.eax)
                continue;
            assert_true(part.ebx >= end);
            end = part.ebx + part.eax;
        }
        assert_true(leaf.eax == 0 || leaf.ecx == end);
    } else {
        assert_false(avx);
    }
    rig_end(&rig);
}

static void check_vectors_of(const struct personality *personality)
{
    if (personality->pmu->version)
        both(personality, check_vectors);
}

static void vectors_build_on_each_other(void **state)
{
    (void)state;
    personality_list(check_vectors_of);
}

static void pipelines_are_possible(void **state)
{
    (void)state;
    personality_list(check_core_of);
}

static unsigned page_4k(void *context, uint64_t address)
{
    (void)context;
    (void)address;
    return 12;
}

static void take_span(void *context, const struct span *span)
{
    *(uint64_t *)context += span->cycles;
}

static void take_branch(void *context, const struct retired_branch *branch)
{
    (void)context;
    (void)branch;
}

static struct model *model_of(const struct personality *personality, struct shared_cache **shared,
                              uint64_t *cycles)
{
    struct model *model;

    *shared = shared_cache_new(personality->core, 1);
    assert_non_null(*shared);
    *cycles = 0;
    model =
        model_new(personality->core, 0, *shared, (struct model_world){NULL, page_4k},
                  (struct model_sink){.context = cycles, .span = take_span, .branch = take_branch});
    assert_non_null(model);
    return model;
}

/* Executes the instruction `count` times, in a loop of sixteen. */
static void repeat(struct model *model, const uint8_t *bytes, uint8_t length, unsigned count,
                   const struct access *access)
{
    struct executed executed = {.bytes = bytes, .length = length, .accesses = access != NULL};

    if (access != NULL)
        executed.access[0] = *access;
    for (unsigned i = 0; i < count; i++) {
        executed.rip = 0x100000 + (uint64_t)length * (i % 16);
        executed.next = executed.rip + length;
        model_execute(model, &executed);
    }
    model_drain(model);
}

/* A thousand times a register added to itself is a chain of a thousand cycles on every core, and
 * the slots add up to width times cycles. Loads of one line, as many as the core can have in
 * flight, all end when the line comes: additions after them do not wait for memory. */
static void check_model(const struct personality *personality)
{
    static const uint8_t add[] = {0x48, 0x01, 0xc0};     /* add rax, rax */
    static const uint8_t loading[] = {0x48, 0x8b, 0x1f}; /* mov rbx, [rdi] */
    static const struct access access = {.address = 0x200000, .size = 8};
    struct shared_cache *shared;
    uint64_t cycles, slots = 0;
    struct model_truth truth;
    struct model *model = model_of(personality, &shared, &cycles);

    model_truth_reset(model);
    repeat(model, add, sizeof(add), 1000, NULL);
    model_truth(model, &truth);
    for (unsigned i = 0; i < CAUSE_COUNT; i++)
        slots += truth.slots[i];
    assert_int_equal(truth.instructions, 1000);
    assert_true(truth.cycles >= 1000);
    assert_int_equal(slots, truth.cycles * personality->core->width);

    repeat(model, loading, sizeof(loading), personality->core->load_buffer, &access);
    model_truth_reset(model);
    repeat(model, add, sizeof(add), 1000, NULL);
    model_truth(model, &truth);
    assert_int_equal(truth.slots[CAUSE_MEMORY_BOUND], 0);
    model_free(model);
    shared_cache_free(shared);
}

static void check_model_of(const struct personality *personality)
{
    both(personality, check_model);
}

static void every_core_runs_and_accounts_for_every_slot(void **state)
{
    (void)state;
    personality_list(check_model_of);
}

static void last_branch_records_are_at_the_addresses_of_the_part(void **state)
{
    (void)state;
    for (size_t i = 0; i < PUBLISHED_COUNT; i++) {
        const struct personality *personality = personality_find(published[i].name);
        bool architectural = personality->pmu->version == 5 && published[i].slots == 6;
        uint32_t from = architectural ? 0x1500 : strcmp(published[i].name, "core2") ? 0x680 : 0x40;
        struct rig rig;
        uint64_t value;

        rig_make(&rig, personality, 1);
        assert_int_equal(pmu_rdmsr(rig.pmu, from, &value), ACCESS_OK);
        assert_int_equal(pmu_rdmsr(rig.pmu, from + published[i].lbr_depth - 1, &value), ACCESS_OK);
        assert_int_equal(pmu_rdmsr(rig.pmu, from + published[i].lbr_depth, &value), ACCESS_FAULT);
        assert_int_equal(cpuid(&rig, 7, 0).edx >> 19 & 1, architectural);
        assert_int_equal(pmu_rdmsr(rig.pmu, architectural ? 0x14ce : 0x1c9, &value), ACCESS_OK);
        rig_end(&rig);
    }
}

/* A processor of so many cores, with two threads each where the kind has them. */
static void rig_sit(struct rig *rig, const char *name, unsigned cores, unsigned index)
{
    const struct personality *personality = personality_find(name);
    const struct personality_seat seat = personality_seat(personality, cores, 2, index);

    rig_make_at(rig, seat.kind,
                (struct pmu_place){index, personality_apic_id(&seat), cores, seat.threads,
                                   personality_processors(personality, cores, 2)});
}

/* Leaves of a Core i9-12900K's first P core and first E core: 8 P cores with two threads and 8 E
 * cores with one (InstLatX64, GenuineIntel0090672_AlderLake_01_LC_BC). Leaf 4, EAX[25:14] and
 * [31:26]: who shares L1, L2 and L3, and the cores, as ids. */
static void hybrid_part_is_placed_as_recorded(void **state)
{
    static const struct {
        unsigned index;
        uint32_t version_ebx, threads, id;
    } recorded[] = {{0, 0x00800800, 2, 0}, {16, 0x40800800, 1, 0x40}};
    static const uint32_t caches[] = {0xfc004121, 0xfc004122, 0xfc01c143, 0xfc1fc163};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct rig rig;

        rig_sit(&rig, "alderlake", 16, recorded[i].index);
        assert_int_equal(cpuid(&rig, 1, 0).ebx, recorded[i].version_ebx);
        for (unsigned leaf = 0xb; leaf <= 0x1f; leaf += 0x1f - 0xb) {
            assert_int_equal(cpuid(&rig, leaf, 0).eax, 1);
            assert_int_equal(cpuid(&rig, leaf, 0).ebx, recorded[i].threads);
            assert_int_equal(cpuid(&rig, leaf, 0).ecx, 0x100);
            assert_int_equal(cpuid(&rig, leaf, 1).eax, 7);
            assert_int_equal(cpuid(&rig, leaf, 1).ebx, 0x18);
            assert_int_equal(cpuid(&rig, leaf, 1).ecx, 0x201);
            assert_int_equal(cpuid(&rig, leaf, 1).edx, recorded[i].id);
        }
        for (unsigned cache = 0; cache < 4; cache++)
            assert_int_equal(cpuid(&rig, 4, cache).eax, caches[cache]);
        rig_end(&rig);
    }
}

/* Its P cores' threads are neighbours, and an E core has no second one. */
static void seats_are_one_after_the_other(void **state)
{
    static const struct {
        unsigned core, thread;
        uint32_t id, skylakex_id;
    } seats[] = {{0, 0, 0, 0}, {0, 1, 1, 1}, {1, 0, 8, 2}, {1, 1, 9, 3}, {2, 0, 16, 4}};
    const struct personality *hybrid = personality_find("alderlake"),
                             *other = personality_find("skylakex");

    (void)state;
    assert_int_equal(personality_processors(hybrid, 3, 2), 5);
    assert_int_equal(personality_processors(hybrid, 3, 1), 3);
    assert_int_equal(personality_processors(other, 3, 2), 6);
    for (unsigned i = 0; i < sizeof(seats) / sizeof(*seats); i++) {
        const struct personality_seat seat = personality_seat(hybrid, 3, 2, i),
                                      plain = personality_seat(other, 3, 2, i);

        assert_int_equal(seat.core, seats[i].core);
        assert_int_equal(seat.thread, seats[i].thread);
        assert_int_equal(seat.threads, seats[i].core < 2 ? 2 : 1);
        assert_int_equal(personality_apic_id(&seat), seats[i].id);
        assert_int_equal(personality_apic_id(&plain), seats[i].skylakex_id);
    }
}

/* The first half of the cores, rounded up, are P cores: Core is type 40H and Atom 20H. */
static void hybrid_part_has_big_cores_first(void **state)
{
    const struct personality *big = personality_find("alderlake"), *small = big->small;
    struct rig rig;

    (void)state;
    assert_non_null(small);
    assert_ptr_equal(personality_of_core(big, 0, 1), big);
    assert_ptr_equal(personality_of_core(big, 0, 2), big);
    assert_ptr_equal(personality_of_core(big, 1, 2), small);
    assert_ptr_equal(personality_of_core(big, 1, 3), big);
    assert_ptr_equal(personality_of_core(big, 2, 3), small);
    assert_ptr_equal(personality_of_core(personality_find("haswell"), 1, 2),
                     personality_find("haswell"));
    assert_null(personality_find("alderlake_e"));

    rig_make(&rig, big, 1);
    assert_int_equal(cpuid(&rig, 0x1a, 0).eax >> 24, 0x40);
    assert_int_equal(cpuid(&rig, 7, 0).edx >> 15 & 1, 1);
    rig_end(&rig);
    rig_make(&rig, small, 1);
    assert_int_equal(cpuid(&rig, 0x1a, 0).eax >> 24, 0x20);
    assert_int_equal(cpuid(&rig, 7, 0).edx >> 15 & 1, 1);
    assert_int_equal(cpuid(&rig, 0xa, 0).eax >> 8 & 0xff, 6);
    assert_int_equal(cpuid(&rig, 0xa, 0).edx & 0x1f, 3);
    rig_end(&rig);
    assert_int_equal(big->pmu->core_mhz, small->pmu->core_mhz);
    assert_int_equal(big->pmu->tsc_mhz, small->pmu->tsc_mhz);
    assert_int_equal(small->core->width, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_two_events_share_an_encoding_and_every_event_has_a_counter),
        cmocka_unit_test(events_have_their_published_encodings),
        cmocka_unit_test(counters_are_as_published_and_as_cpuid_says),
        cmocka_unit_test(perf_metrics_has_the_levels_that_are_published),
        cmocka_unit_test(cpuid_enumerates_the_caches_that_the_model_has),
        cmocka_unit_test(cpuid_clocks_and_names_are_consistent),
        cmocka_unit_test(pipelines_are_possible),
        cmocka_unit_test(vectors_build_on_each_other),
        cmocka_unit_test(every_core_runs_and_accounts_for_every_slot),
        cmocka_unit_test(last_branch_records_are_at_the_addresses_of_the_part),
        cmocka_unit_test(hybrid_part_has_big_cores_first),
        cmocka_unit_test(hybrid_part_is_placed_as_recorded),
        cmocka_unit_test(seats_are_one_after_the_other),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
