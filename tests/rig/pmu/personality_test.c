/* The personalities as data: tables that agree with one another, with CPUID and with published
 * figures. */
#include <stdio.h>

#include "core/parameters.h"
#include "core/memory/shared.h"
#include "pmu/event_table.h"
#include "pmu_test.h"
#include "facts.h"

#define LINE_BYTES 64u
#define PORTS_MOST 16u

static void every_personality_has_its_facts_and_every_file_its_personality(void **state)
{
    (void)state;
    assert_int_equal(facts_of_all()->problems, 0);
    for (unsigned i = 0; i < facts_of_all()->count; i++) {
        const struct facts *facts = &facts_of_all()->facts[i];

        if (facts->version != personality_find(facts->name)->pmu->version)
            fail_msg("%s: counters of version %u, published %u", facts->name,
                     personality_find(facts->name)->pmu->version, facts->version);
    }
}

/* Calls `check` for each part with architectural counters. */
static void each_part(void (*check)(const struct personality *, const struct facts *))
{
    for (unsigned i = 0; i < facts_of_all()->count; i++)
        if (facts_of_all()->facts[i].version != 0)
            check(personality_find(facts_of_all()->facts[i].name), &facts_of_all()->facts[i]);
}

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

static void check_encodings(const struct personality *personality, const struct facts *facts)
{
    for (unsigned i = 0; i < facts->events; i++) {
        const struct fact_event *published = &facts->event[i];
        const struct pmu_event *event;

        if (published->small)
            assert_non_null(personality->small);
        event = find(published->small ? personality->small : personality, published->name);
        if (event->code != published->code || event->umask != published->umask ||
            event->counters != published->counters)
            fail_msg("%s: %s has code %02x umask %02x counters %02x, published %02x %02x %02x",
                     facts->name, event->name, event->code, event->umask, event->counters,
                     published->code, published->umask, published->counters);
    }
}

/* Events that differ between generations, from the public list of each part. */
static void events_have_their_published_encodings(void **state)
{
    (void)state;
    each_part(check_encodings);
}

/* As assert_int_equal, and names the part. */
static void same(const struct facts *facts, const char *what, unsigned long is,
                 unsigned long published)
{
    if (is != published)
        fail_msg("%s: %s is %lu, published %lu", facts->name, what, is, published);
}

static void check_counters(const struct personality *personality, const struct facts *facts)
{
    struct rig rig;
    struct cpuid_result leaf;
    uint64_t value;

    rig_make(&rig, personality, 1);
    same(facts, "signature", cpuid(&rig, 1, 0).eax, facts->signature);
    leaf = cpuid(&rig, 0xa, 0);
    same(facts, "version", leaf.eax & 0xff, facts->version);
    same(facts, "alone", leaf.eax >> 8 & 0xff, facts->stated ? facts->stated : facts->alone);
    same(facts, "width", leaf.eax >> 16 & 0xff, facts->width);
    same(facts, "fixed", leaf.edx & 0x1f, facts->stated_fixed ? facts->stated_fixed : facts->fixed);
    same(facts, "width", leaf.edx >> 5 & 0xff, facts->width);
    same(facts, "slots", personality->core->width, facts->slots);
    same(facts, "IA32_PMCx", pmu_rdmsr(rig.pmu, 0xc1 + facts->alone - 1, &value), ACCESS_OK);
    same(facts, "IA32_PMCx", pmu_rdmsr(rig.pmu, 0xc1 + facts->alone, &value), ACCESS_FAULT);
    same(facts, "IA32_FIXED_CTRx", pmu_rdmsr(rig.pmu, 0x309 + facts->fixed - 1, &value), ACCESS_OK);
    same(facts, "IA32_FIXED_CTRx", pmu_rdmsr(rig.pmu, 0x309 + facts->fixed, &value), ACCESS_FAULT);
    rig_end(&rig);
    if (personality->single_thread)
        return;
    rig_make(&rig, personality, 2);
    same(facts, "smt", cpuid(&rig, 0xa, 0).eax >> 8 & 0xff,
         facts->stated ? facts->stated : facts->smt);
    rig_end(&rig);
}

static void counters_are_as_published_and_as_cpuid_says(void **state)
{
    (void)state;
    each_part(check_counters);
}

static void check_metrics(const struct personality *personality, const struct facts *facts)
{
    same(facts, "metrics", personality->pmu->metrics, facts->metrics > 0);
    same(facts, "metrics", personality->pmu->metrics_level2, facts->metrics > 1);
}

static void perf_metrics_has_the_levels_that_are_published(void **state)
{
    (void)state;
    each_part(check_metrics);
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

static void check_branches(const struct personality *personality, const struct facts *facts)
{
    const bool architectural = facts->lbr_at == 0x1500;
    struct rig rig;
    uint64_t value;

    rig_make(&rig, personality, 1);
    same(facts, "lbr_at", pmu_rdmsr(rig.pmu, facts->lbr_at, &value), ACCESS_OK);
    same(facts, "lbr", pmu_rdmsr(rig.pmu, facts->lbr_at + facts->lbr - 1, &value), ACCESS_OK);
    same(facts, "lbr", pmu_rdmsr(rig.pmu, facts->lbr_at + facts->lbr, &value), ACCESS_FAULT);
    same(facts, "CPUID of the records", cpuid(&rig, 7, 0).edx >> 19 & 1, architectural);
    same(facts, "their control", pmu_rdmsr(rig.pmu, architectural ? 0x14ce : 0x1c9, &value),
         ACCESS_OK);
    rig_end(&rig);
}

static void last_branch_records_are_at_the_addresses_of_the_part(void **state)
{
    (void)state;
    each_part(check_branches);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_personality_has_its_facts_and_every_file_its_personality),
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
    };

    facts_load();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
