#include "recording.h"

#include "boot/machine/apic.h"
#include "boot/msr.h"
#include "boot/text.h"
#include "harness/window/measured_window.h"
#include "harness/window/window.h"
#include "pmu/sampling/lbr_decode.h"
#include "pmu/sampling/lbr_take.h"

#define ALONE(type)                                                                                \
    {                                                                                              \
        .types = 1u << (type)                                                                      \
    }

/* In the order of their verdicts. */
/* clang-format off */
static const struct recording_way of_steps[] = {
    { "every branch", RECORDING_LAST, {0} },
    { "conditional branches alone", RECORDING_LAST, ALONE(LBR_CONDITIONAL) },
    { "jumps alone", RECORDING_LAST, ALONE(LBR_JUMP) },
    { "indirect jumps alone", RECORDING_LAST, ALONE(LBR_JUMP_INDIRECT) },
    { "calls alone", RECORDING_LAST, ALONE(LBR_CALL) },
    { "indirect calls alone", RECORDING_LAST, ALONE(LBR_CALL_INDIRECT) },
    { "returns alone", RECORDING_LAST, ALONE(LBR_RETURN) },
    { "ring 0 alone", RECORDING_LAST, { .kernel_only = true } },
    { "other rings alone", RECORDING_NOTHING, { .user_only = true } },
    { "frozen on a PMI", RECORDING_FROZEN, { .freeze_on_pmi = true } },
    { "mispredicted branches", RECORDING_MISPREDICTED, {0} },
};
/* In the place of those two, of a kernel in ring 3. */
static const struct recording_way in_ring_3[] = {
    { "ring 0 alone", RECORDING_NOTHING, { .kernel_only = true } },
    { "other rings alone", RECORDING_LAST, { .user_only = true } },
};
/* clang-format on */
_Static_assert(sizeof(of_steps) / sizeof(*of_steps) == RECORDINGS, "the most that there are");
/* Of a kernel with far branches: they have a bit of the filter of their own. */
static const struct recording_way of_far_steps[] = {
    {"every branch", RECORDING_LAST, {0}},
    {"far branches alone", RECORDING_LAST, ALONE(LBR_OTHER)},
    {"conditional branches alone", RECORDING_LAST, ALONE(LBR_CONDITIONAL)},
};
static const struct recording_way of_branches = {"every branch", RECORDING_LAST, {0}};
static const struct recording_way of_open_calls = {
    "open calls", RECORDING_OPEN_CALLS, {.call_stack = true}};

#define TRIES             8u /* of a recording, until no SMI comes */
#define READINGS          4u /* of a stack */
#define MISPREDICTED_RUNS 4u
/* Instructions from the begin of a frozen run to its PMI. The run has many more. */
#define FROZEN_AFTER 1000u
/* Bits of IA32_PERFEVTSELx and of CPUID 0AH:EBX: instructions, mispredicted branches. */
enum { INSTRUCTIONS_RETIRED = 1, BRANCH_MISSES_RETIRED = 6 };

static bool takes_far_branches(const struct kernel *kernel)
{
    for (uint64_t i = 0; i < kernel->step_count; i++)
        if (kernel->steps[i].kind == KERNEL_STEP_FAR)
            return true;
    return false;
}

/* Rings are filtered the other way round for a kernel in ring 3. */
static const struct recording_way *way_of(const struct recording_way *way, bool ring_3)
{
    if (ring_3 && way->options.kernel_only)
        return &in_ring_3[0];
    if (ring_3 && way->options.user_only)
        return &in_ring_3[1];
    return way;
}

unsigned recordings_begin(struct recording *recordings, const struct kernel *kernel, bool ring_3)
{
    const bool far = takes_far_branches(kernel);
    const struct recording_way *ways = far                         ? of_far_steps
                                       : kernel->step_count > 0    ? of_steps
                                       : kernel->stacked_count > 0 ? &of_open_calls
                                                                   : &of_branches;
    const unsigned count = far ? COUNT_OF(of_far_steps) : kernel->step_count > 0 ? RECORDINGS : 1;

    if (kernel->step_count + kernel->stacked_count + kernel->branch_count == 0)
        return 0;
    memset(recordings, 0, count * sizeof(*recordings));
    for (unsigned i = 0; i < count; i++)
        recordings[i].way = way_of(&ways[i], ring_3);
    return count;
}

/* Where the kernel's last RET returns to. */
static uint64_t return_of(const struct measurement *m)
{
    return (uint64_t)(uintptr_t)window_return_of(m->registers->ring_3);
}

/* Takes the ways to ring 3 and back off the stack, which some stacks and filters record. Returns
 * how many there were. */
static unsigned drop_crossings(struct lbr_stack *stack)
{
    unsigned kept = 0, dropped;

    for (unsigned i = 0; i < stack->count; i++) {
        const uint64_t to = stack->entries[i].to;

        if (to != (uint64_t)(uintptr_t)window_ring_3_left &&
            to != (uint64_t)(uintptr_t)window_in_ring_3)
            stack->entries[kept++] = stack->entries[i];
    }
    dropped = stack->count - kept;
    stack->count = kept;
    return dropped;
}

/* The stack does not record while it is read, so what was read is read again: two readings in a row
 * must be the same. */
static bool read_stack(struct measurement *m, const struct lbr_plan *plan, struct recording *r)
{
    uint64_t words[2][LBR_WORDS] = {{0}};
    uint32_t msr = 0;

    for (unsigned tries = 0; tries < READINGS; tries++) {
        if (lbr_take(plan, words[tries % 2], &msr) != RC_OK) {
            measurement_fail_register(m, RC_FAULT, "reading a branch record", msr);
            return false;
        }
        if (tries > 0 && memcmp(words[0], words[1], sizeof(words[0])) == 0) {
            lbr_decode(plan, words[0], &r->stack);
            r->depth = plan->depth - drop_crossings(&r->stack);
            return true;
        }
    }
    measurement_fail(m, RC_FAULT, "branch records were not the same when they were read again");
    return false;
}

/* No counter counts. */
static bool record_window(struct measurement *m, const struct lbr_plan *plan, struct recording *r)
{
    struct pass pass;

    lbr_pass(&pass, plan);
    return measured_window_run(m, &pass, m->n) && read_stack(m, plan, r);
}

/* The event that every description with it calls by the same number of CPUID 0AH:EBX; null: this
 * core does not count it. */
static const struct event *architectural_event(const struct measurement *m, int bit)
{
    for (unsigned i = 0; i < m->description->event_count; i++) {
        const struct event *event = &m->description->events[i];

        if (event->architectural == bit && event->encodable &&
            m->facts->architectural_events >> bit & 1)
            return event;
    }
    return NULL;
}

/* A pass in which the first general counter alone counts that event. */
static bool make_pass(const struct measurement *m, int bit, struct pass *pass, unsigned *counter)
{
    struct assignment assignment = {.slots = NULL};
    const uint32_t counters = pass_general_counters(m->facts);
    const struct event *event = architectural_event(m, bit);

    *counter = 0;
    while (*counter < GENERAL_COUNTERS && !(counters >> *counter & 1))
        ++*counter;
    if (event == NULL || *counter == GENERAL_COUNTERS)
        return false;
    assignment.general[*counter] = event;
    pass_make(pass, m->facts, &assignment);
    return true;
}

/* The window inside a bracket that switches the stack on and off: what the counters count lies
 * between two branches that the stack records. */
static bool run_bracketed(struct measurement *m, const struct lbr_plan *plan,
                          const struct pass *counting, uint64_t n)
{
    struct pass recording;

    lbr_pass(&recording, plan);
    if (!measurement_set_up(m, &recording))
        return false;
    /* The bracket does not survive a fault, so the register is tried first. */
    if (!msr_write(plan->enable.msr, plan->enable.value) ||
        !msr_write(plan->enable.msr, plan->disable)) {
        measurement_fail_register(m, RC_FAULT, "writing a register", plan->enable.msr);
        return false;
    }
    return measurement_set_up(m, &recording) &&
           measured_window_run_within(m, counting, n, &recording.enable, recording.disable);
}

/* The records from the CALL of the kernel to its last RET. False: the stack does not hold it all.
 */
static bool find_run(const struct measurement *m, const struct lbr_stack *stack, unsigned *newest,
                     unsigned *oldest)
{
    unsigned i = 0;

    while (i < stack->count && stack->entries[i].to != return_of(m))
        i++;
    *newest = i;
    while (i < stack->count && stack->entries[i].to != (uint64_t)(uintptr_t)m->kernel->code)
        i++;
    *oldest = i;
    return i < stack->count;
}

/* Runs of one iteration, which fit into most stacks. */
static bool record_mispredicted(struct measurement *m, const struct lbr_plan *plan,
                                struct recording *r)
{
    struct pass counting;
    struct raw_counts raw;
    uint32_t index = 0;
    unsigned counter, newest, oldest;

    if (!make_pass(m, BRANCH_MISSES_RETIRED, &counting, &counter)) {
        r->missing = "this core does not count mispredicted branches";
        return true;
    }
    r->whole = true;
    for (unsigned run = 0; run < MISPREDICTED_RUNS; run++) {
        if (!run_bracketed(m, plan, &counting, 1))
            return false;
        if (counters_read(&counting, m->facts, &raw, &index) != RC_OK) {
            measurement_fail(m, RC_FAULT, "reading a counter");
            return false;
        }
        if (!read_stack(m, plan, r))
            return false;
        r->whole = r->whole && find_run(m, &r->stack, &newest, &oldest);
        r->counted += raw.value[0];
        for (unsigned i = newest; r->whole && i <= oldest; i++)
            r->flagged += r->stack.entries[i].mispredicted;
    }
    return true;
}

/* The pass's last write of the register; null: there is none. */
static struct msr_value *last_write(struct pass *pass, uint32_t msr)
{
    for (unsigned i = pass->setup_count; i > 0; i--)
        if (pass->setup[i - 1].msr == msr)
            return &pass->setup[i - 1];
    return NULL;
}

/* The counter overflows FROZEN_AFTER counts after the begin. A write of IA32_PMCx takes 32 bits and
 * extends their sign. */
static void preset(struct pass *pass, const struct facts *facts, unsigned counter)
{
    const uint64_t start = (0 - (uint64_t)FROZEN_AFTER) & ((1ull << facts->general_width) - 1);

    struct msr_value *select = last_write(pass, IA32_PERFEVTSEL0 + counter);
    struct msr_value *wide = last_write(pass, IA32_A_PMC0 + counter);
    struct msr_value *narrow = last_write(pass, IA32_PMC0 + counter);

    if (select != NULL)
        select->value |= field_of(PERFEVTSEL_INT, 1);
    if (wide != NULL)
        wide->value = start;
    if (narrow != NULL)
        narrow->value = (uint32_t)start;
}

/* Nobody takes the PMI: the local APIC's entry for it must be masked. */
static bool record_frozen(struct measurement *m, const struct lbr_plan *plan, struct recording *r)
{
    struct pass counting;
    unsigned counter;

    if (!apic_masks_pmi())
        r->missing = "the firmware wants the PMI for itself";
    else if (!make_pass(m, INSTRUCTIONS_RETIRED, &counting, &counter))
        r->missing = "this core's general counters do not count instructions";
    if (r->missing != NULL)
        return true;
    preset(&counting, m->facts, counter);
    if (!run_bracketed(m, plan, &counting, m->n) || !read_stack(m, plan, r))
        return false;
    r->frozen = r->stack.count > 0;
    for (unsigned i = 0; i < r->stack.count; i++)
        if (r->stack.entries[i].to == return_of(m))
            r->frozen = false;
    /* The overflow and the freeze end here. */
    make_pass(m, INSTRUCTIONS_RETIRED, &counting, &counter);
    return measurement_set_up(m, &counting);
}

static bool record(struct measurement *m, struct recording *r)
{
    struct lbr_plan plan;

    r->missing = lbr_plan_make(&plan, m->facts, m->description, &r->way->options);
    if (r->missing != NULL)
        return true;
    r->depth = plan.depth;
    r->types_recorded = plan.types_recorded;
    r->flags = plan.layout->from_mispredicted || (plan.layout->info && plan.mispredicts);
    if (plan.kind->select_shared && m->shares_core) {
        r->missing = "the other thread works too, and both threads share the filter";
        return true;
    }
    if (!measurement_keep(m, plan.keep, plan.keep_count))
        return false;
    switch (r->way->kind) {
    case RECORDING_FROZEN:
        return record_frozen(m, &plan, r);
    case RECORDING_MISPREDICTED:
        return record_mispredicted(m, &plan, r);
    default:
        return record_window(m, &plan, r);
    }
}

/* The branches of an SMI's handler are recorded, too (SDM 3B, "IA32_DEBUGCTL MSR",
 * FREEZE_WHILE_SMM): a recording with an SMI in it is made again. */
static bool record_without_smi(struct measurement *m, struct recording *r)
{
    struct core_guards *guards = &m->registers->guards;
    const struct recording fresh = *r;

    for (unsigned tries = 0; tries < TRIES; tries++) {
        struct guard_bracket bracket;

        *r = fresh;
        guards_open(guards, &bracket);
        if (!record(m, r))
            return false;
        if (guards_close(guards, &bracket, 0) != GUARD_SMI)
            return true;
        m->discarded[GUARD_SMI]++;
    }
    *r = fresh;
    r->missing = "an SMI came each time";
    r->disturbed = true;
    return true;
}

void recordings_take(struct measurement *m)
{
    for (unsigned i = 0; i < m->recording_count; i++) {
        struct recording *r = &m->recordings[i];

        if (r->taken || r->missing != NULL)
            continue;
        if (!record_without_smi(m, r))
            return;
        r->taken = r->missing == NULL;
    }
}
