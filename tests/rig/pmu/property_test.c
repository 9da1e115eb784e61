/* Random register writes and random work, compared with a naive PMU in this file: 64-bit totals
 * that never wrap, advanced cycle by cycle. After every step all registers must agree, no
 * reserved bit may have been accepted, and no count may be lost in a wrap, a freeze or a PMI.
 * The lists of bits are from the manual. */
#include "counters_test.h"

#define GP    8
#define FIXED 4
#define STEPS 20000

/* The writable bits of each register; 0: the part lacks the register. */
struct writable {
    const char *name;
    unsigned version, fixed;
    unsigned core_mhz, tsc_mhz;
    uint64_t evtsel, fixed_ctrl, ctrl, reset, set, debugctl;
};

/* clang-format off */
static const struct writable parts[] = {
    { "skylakex", 4, 3, 2700, 2100, UINT64_C(0xffffffff), 0xfff, UINT64_C(0x7000000ff),
      UINT64_C(0xfc800007000000ff), UINT64_C(0x7c800007000000ff), 0x7fc3 },
    { "icelakex", 5, 4, 2600, 2000, UINT64_C(0x4ffdfffff), UINT64_C(0x11110000bbbb),
      UINT64_C(0x1000f000000ff), UINT64_C(0xfc81000f000000ff), UINT64_C(0x7c81000f000000ff),
      0x7fc3 },
    { "skylakex", 3, 3, 2700, 2100, UINT64_C(0xffffffff), 0xfff, UINT64_C(0x7000000ff),
      UINT64_C(0xfc800007000000ff), 0, 0x7fc3 }, /* as a part with the legacy freeze */
};
/* clang-format on */

struct reference {
    const struct writable *part;
    uint64_t total[GP + FIXED]; /* all counts so far, plus what software wrote */
    uint64_t select[GP], fixed_ctrl, ctrl, status, debugctl;
    bool met_before[GP];
    unsigned cpl;
    unsigned ticks; /* towards the next tick of fixed counter 2 */
    uint64_t cycle, due;
    bool pending;
    unsigned pmis;
};

struct work {
    unsigned instructions, issued;
};

static uint64_t status_bit(unsigned counter)
{
    return UINT64_C(1) << (counter < GP ? counter : 32 + counter - GP);
}

static unsigned field(const struct reference *reference, unsigned counter)
{
    return (unsigned)(reference->fixed_ctrl >> 4 * (counter - GP) & 0xf);
}

/* Whether all enables of the counter are set, also for the level of the work. In an event select
 * EN is bit 22, OS 17 and USR 16; in the field of a fixed counter OS and USR are bits 0 and 1. */
static bool is_on(const struct reference *reference, unsigned counter)
{
    uint64_t level = UINT64_C(1) << (reference->cpl ? 16 : 17) | 0x400000;
    bool local = counter < GP ? (reference->select[counter] & level) == level
                              : field(reference, counter) >> (reference->cpl > 0) & 1;

    return local && reference->ctrl & status_bit(counter) && !(reference->status >> 59 & 1);
}

static void forget_edges(struct reference *reference)
{
    unsigned i;

    for (i = 0; i < GP; i++)
        reference->met_before[i] = reference->met_before[i] && is_on(reference, i);
}

static unsigned gp_step(struct reference *reference, unsigned counter, const struct work *work)
{
    uint64_t select = reference->select[counter];
    unsigned cmask = select >> 24 & 0xff, value;
    bool met, before = reference->met_before[counter];

    switch (select & 0xffff) {
    case 0x00c0:
        value = work->instructions;
        break;
    case 0x003c:
        value = 1;
        break;
    default:
        value = work->issued;
        break;
    }
    met = cmask ? (value >= cmask) != (select >> 23 & 1) : value > 0;
    reference->met_before[counter] = met;
    if (select >> 18 & 1)
        return met && !before;
    return cmask ? met : value;
}

static unsigned fixed_step(struct reference *reference, unsigned counter, const struct work *work)
{
    unsigned ticks;

    switch (counter - GP) {
    case 0:
        return work->instructions;
    case 1:
        return 1;
    case 3:
        return 5;
    default:
        break;
    }
    reference->ticks += reference->part->tsc_mhz;
    ticks = reference->ticks / reference->part->core_mhz;
    reference->ticks %= reference->part->core_mhz;
    return ticks;
}

static bool wants_pmi(const struct reference *reference, unsigned counter)
{
    return counter < GP ? reference->select[counter] >> 20 & 1 : field(reference, counter) >> 3;
}

static void legacy_freeze(struct reference *reference)
{
    if (reference->debugctl >> 12 & 1)
        reference->ctrl = 0;
    if (reference->debugctl >> 11 & 1)
        reference->debugctl &= ~UINT64_C(1);
}

static void one_cycle(struct reference *reference, const struct work *work)
{
    bool ask = false;
    unsigned i;

    reference->cycle++;
    for (i = 0; i < GP + reference->part->fixed; i++) {
        uint64_t before = reference->total[i];

        if (!is_on(reference, i))
            continue;
        reference->total[i] +=
            i < GP ? gp_step(reference, i, work) : fixed_step(reference, i, work);
        if (reference->total[i] >> 48 == before >> 48)
            continue;
        reference->status |= status_bit(i);
        ask = ask || wants_pmi(reference, i);
    }
    if (ask && reference->part->version >= 4)
        reference->status |= (reference->debugctl >> 11 & 3) << 58;
    if (ask && !reference->pending) {
        reference->pending = true;
        reference->due = reference->cycle + SKID;
    }
    if (reference->pending && reference->cycle >= reference->due) {
        reference->pending = false;
        reference->pmis++;
        if (reference->part->version < 4)
            legacy_freeze(reference);
    }
    forget_edges(reference);
}

/* Sets the 48 visible bits and keeps the wraps. */
static void put(struct reference *reference, unsigned counter, uint64_t value)
{
    reference->total[counter] = (reference->total[counter] & ~MAX_48) | (value & MAX_48);
    if (counter == GP + 2)
        reference->ticks = 0;
}

/* False: the write must fault. */
static bool write_block(struct reference *reference, uint32_t msr, uint64_t value)
{
    if (msr >= PMC0 && msr < PMC0 + GP) {
        put(reference, msr - PMC0,
            value & 0x80000000 ? value | ~UINT64_C(0xffffffff) : value & UINT32_MAX);
        return true;
    }
    if (msr >= EVTSEL0 && msr < EVTSEL0 + GP) {
        if (value & ~reference->part->evtsel)
            return false;
        reference->select[msr - EVTSEL0] = value;
        reference->met_before[msr - EVTSEL0] = false;
        return true;
    }
    if (value & ~MAX_48)
        return false;
    put(reference, msr >= A_PMC0 ? msr - A_PMC0 : msr - FIXED_CTR0 + GP, value);
    return true;
}

static bool write_reference(struct reference *reference, uint32_t msr, uint64_t value)
{
    const struct writable *part = reference->part;

    switch (msr) {
    case FIXED_CTRL:
        return !(value & ~part->fixed_ctrl) && (reference->fixed_ctrl = value, true);
    case CTRL:
        return !(value & ~part->ctrl) && (reference->ctrl = value, true);
    case DEBUGCTL:
        return !(value & ~part->debugctl) && (reference->debugctl = value, true);
    case RESET:
        return !(value & ~part->reset) && (reference->status &= ~value, true);
    case SET:
        return part->set && !(value & ~part->set) && (reference->status |= value, true);
    case STATUS:
        return false;
    default:
        return write_block(reference, msr, value);
    }
}

static uint64_t mask_of(const struct writable *part, uint32_t msr)
{
    switch (msr) {
    case FIXED_CTRL:
        return part->fixed_ctrl;
    case CTRL:
        return part->ctrl;
    case RESET:
        return part->reset;
    case SET:
        return part->set;
    case DEBUGCTL:
        return part->debugctl;
    default:
        return msr >= EVTSEL0 && msr < EVTSEL0 + GP ? part->evtsel : MAX_48;
    }
}

/* One of three events, so that something counts; counters near their end, so that they wrap. */
static uint64_t random_value(const struct writable *part, uint32_t msr, uint64_t *seed)
{
    static const uint16_t events[] = {0x00c0, 0x003c, 0x010e};
    uint64_t value = next_random(seed), stray = next_random(seed) % 512;

    if (msr >= EVTSEL0 && msr < EVTSEL0 + GP) {
        stray += 16; /* not a bit of the event */
        value = (value & ~UINT64_C(0xf800ffff)) | events[next_random(seed) % 3];
        if (next_random(seed) % 4)
            value |= 0x420000;
    }
    value &= mask_of(part, msr);
    if (msr == A_PMC0 || (msr > A_PMC0 && msr < A_PMC0 + GP) || (msr >> 4) == (FIXED_CTR0 >> 4))
        value = next_random(seed) % 2 ? MAX_48 - value % 64 : value;
    if (msr == CTRL && next_random(seed) % 4)
        value = part->ctrl;
    return stray < 64 ? value | UINT64_C(1) << stray : value;
}

static uint32_t random_register(const struct writable *part, uint64_t *seed)
{
    static const uint32_t single[] = {FIXED_CTRL, CTRL, RESET, RESET, SET, DEBUGCTL, STATUS};
    uint64_t random = next_random(seed);

    switch (random % 5) {
    case 0:
        return (uint32_t)(PMC0 + random / 8 % GP);
    case 1:
        return (uint32_t)(EVTSEL0 + random / 8 % GP);
    case 2:
        return (uint32_t)(A_PMC0 + random / 8 % GP);
    case 3:
        return (uint32_t)(FIXED_CTR0 + random / 8 % part->fixed);
    default:
        return single[random / 8 % (sizeof(single) / sizeof(single[0]))];
    }
}

static void random_work(struct rig *rig, struct reference *reference, uint64_t *seed)
{
    uint64_t random = next_random(seed), i;
    struct work work = {random >> 8 & 3, random >> 10 & 7};
    struct span span = {.cycles = 1 + (random >> 16) % 23};

    span.value[SIG_UNHALTED] = span.value[SIG_ALONE] = span.value[SIG_ALLOCATOR] = 1;
    span.value[SIG_INSTRUCTIONS] = (uint16_t)work.instructions;
    span.value[SIG_UOPS_ISSUED] = (uint16_t)work.issued;
    rig->now += span.cycles;
    pmu_span(rig->pmu, &span);
    for (i = 0; i < span.cycles; i++)
        one_cycle(reference, &work);
}

static void compare(struct rig *rig, const struct reference *reference)
{
    unsigned i;

    for (i = 0; i < GP; i++) {
        assert_int_equal(rdmsr(rig, PMC0 + i), reference->total[i] & MAX_48);
        assert_int_equal(rdmsr(rig, EVTSEL0 + i), reference->select[i]);
    }
    for (i = 0; i < reference->part->fixed; i++)
        assert_int_equal(rdmsr(rig, FIXED_CTR0 + i), reference->total[GP + i] & MAX_48);
    assert_int_equal(rdmsr(rig, FIXED_CTRL), reference->fixed_ctrl);
    assert_int_equal(rdmsr(rig, CTRL), reference->ctrl);
    assert_int_equal(rdmsr(rig, STATUS), reference->status);
    assert_int_equal(rdmsr(rig, DEBUGCTL), reference->debugctl);
    assert_int_equal(rig->pmis, reference->pmis);
}

static void follow(const struct writable *part, uint64_t seed)
{
    struct personality personality = *personality_find(part->name);
    struct pmu_parameters parameters = *personality.pmu;
    struct reference reference = {.part = part, .ctrl = 0xff};
    unsigned step, refused = 0, taken = 0;
    struct rig rig;

    parameters.version = part->version;
    personality.pmu = &parameters;
    rig_make(&rig, &personality, 1);
    for (step = 0; step < STEPS; step++) {
        uint32_t msr = random_register(part, &seed);
        uint64_t value = random_value(part, msr, &seed);
        bool valid = write_reference(&reference, msr, value);

        forget_edges(&reference);
        assert_int_equal(pmu_wrmsr_faults(rig.pmu, msr, value), !valid);
        assert_int_equal(pmu_wrmsr(rig.pmu, msr, value), valid ? ACCESS_OK : ACCESS_FAULT);
        compare(&rig, &reference);
        if (next_random(&seed) % 8 == 0) {
            reference.cpl = next_random(&seed) % 4;
            pmu_privilege(rig.pmu, reference.cpl);
            forget_edges(&reference);
            compare(&rig, &reference);
        }
        random_work(&rig, &reference, &seed);
        compare(&rig, &reference);
        taken += valid;
        refused += !valid;
    }
    assert_true(refused > STEPS / 20);
    assert_true(taken > STEPS / 2);
    assert_true(reference.pmis > STEPS / 100);
    rig_end(&rig);
}

static void random_writes_agree_with_the_naive_counters(void **state)
{
    unsigned i;

    (void)state;
    for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        follow(&parts[i], UINT64_C(0x9e3779b97f4a7c15) + i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_writes_agree_with_the_naive_counters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
