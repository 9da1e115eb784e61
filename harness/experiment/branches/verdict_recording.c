/* Verdicts on recordings of a kernel that lists all branches of its iterations. */
#include "verdict_recording.h"

#include "boot/format.h"
#include "boot/text.h"
#include "kernels/kernel_map.h"
#include "pmu/sampling/lbr_decode.h"

_Static_assert((int)LBR_CONDITIONAL == (int)MAP_CONDITIONAL && (int)LBR_JUMP == (int)MAP_JUMP &&
                   (int)LBR_JUMP_INDIRECT == (int)MAP_JUMP_INDIRECT &&
                   (int)LBR_CALL == (int)MAP_CALL &&
                   (int)LBR_CALL_INDIRECT == (int)MAP_CALL_INDIRECT &&
                   (int)LBR_RETURN == (int)MAP_RETURN && (int)LBR_OTHER == (int)KERNEL_STEP_FAR,
               "a kind of edge, or a step's, is a type of branch");

struct known {
    uint64_t from, to, type;
};

static struct known known_of(const struct kernel_step *step)
{
    return (struct known){(uint64_t)(uintptr_t)step->from, (uint64_t)(uintptr_t)step->to,
                          step->kind};
}

/* Branch number `age` before the end of the window, counted from 0: the RET that leaves the kernel,
 * the branch that leads to it, then whole iterations, backwards. */
static struct known branch_at(const struct kernel *kernel, uint64_t age, const void *return_address)
{
    const uint64_t count = kernel->step_count;

    if (age == 0)
        return (struct known){(uint64_t)(uintptr_t)kernel->leaves->to,
                              (uint64_t)(uintptr_t)return_address, LBR_RETURN};
    if (age == 1)
        return known_of(kernel->leaves);
    return known_of(&kernel->steps[(count - age % count) % count]);
}

static void complain(struct verdict *verdict, const char *text)
{
    verdict_append(verdict, ", %s", text);
    verdict->outcome = VERDICT_FAIL;
}

/* False: the record is not the known branch, and the verdict says so. */
static bool compare(struct verdict *verdict, const struct kernel *kernel,
                    const struct recording *recording, unsigned index, const struct known *known)
{
    const struct lbr_entry *entry = &recording->stack.entries[index];
    char places[4][VERDICT_PLACE], text[200];

    if (entry->from == known->from && entry->to == known->to &&
        (entry->type == LBR_TYPE_UNKNOWN || entry->type == known->type))
        return true;
    verdict_place(places[0], kernel, entry->from);
    verdict_place(places[1], kernel, entry->to);
    verdict_place(places[2], kernel, known->from);
    verdict_place(places[3], kernel, known->to);
    format(text, sizeof(text), "record %u is %s to %s (%s), not %s to %s (%s)", index, places[0],
           places[1], lbr_type_name(entry->type), places[2], places[3],
           lbr_type_name((unsigned)known->type));
    complain(verdict, text);
    return false;
}

static bool has_count(struct verdict *verdict, const struct recording *recording, unsigned count)
{
    char text[40];

    if (recording->stack.count == count)
        return true;
    format(text, sizeof(text), "%u records hold a branch", recording->stack.count);
    complain(verdict, text);
    return false;
}

/* The newest branches of the kinds that are recorded fill the stack. */
static void judge_last(struct verdict *verdict, const struct kernel *kernel,
                       const struct recording *recording, const void *return_address)
{
    unsigned index = 0;

    if (!has_count(verdict, recording, recording->depth))
        return;
    for (uint64_t age = 0; index < recording->stack.count; age++) {
        struct known known = branch_at(kernel, age, return_address);

        if (!(recording->types_recorded >> known.type & 1))
            continue;
        if (!compare(verdict, kernel, recording, index, &known))
            return;
        index++;
    }
}

/* The last RET has taken one record away. */
static void judge_open_calls(struct verdict *verdict, const struct kernel *kernel,
                             const struct recording *recording)
{
    if (!has_count(verdict, recording, recording->depth - 1))
        return;
    for (unsigned i = 0; i < recording->stack.count; i++) {
        struct known known = known_of(&kernel->stacked[i % kernel->stacked_count]);

        if (!compare(verdict, kernel, recording, i, &known))
            return;
    }
}

/* The newest record is some branch of an iteration; the others are those before it. A legacy freeze
 * comes with the PMI, which nobody takes here, so it may not come. */
static void judge_frozen(struct verdict *verdict, const struct kernel *kernel,
                         const struct recording *recording, enum lbr_freeze freeze)
{
    const uint64_t count = kernel->step_count;
    uint64_t newest = 0;

    if (!recording->frozen && freeze == LBR_FREEZE_LEGACY) {
        verdict_skip(verdict, "the stack did not freeze: no PMI is delivered to the core");
        return;
    }
    if (!recording->frozen) {
        complain(verdict, "the stack did not freeze");
        return;
    }
    if (!has_count(verdict, recording, recording->depth))
        return;
    while (newest < count &&
           (uint64_t)(uintptr_t)kernel->steps[newest].from != recording->stack.entries[0].from)
        newest++;
    for (unsigned i = 0; i < recording->stack.count; i++) {
        struct known known =
            known_of(&kernel->steps[(newest % count + count * LBR_DEPTH - i) % count]);

        if (!compare(verdict, kernel, recording, i, &known))
            return;
    }
}

static void judge_mispredicted(struct verdict *verdict, const struct recording *recording)
{
    char text[80];

    if (!recording->flags) {
        verdict_skip(verdict, "this CPU's LBR does not record mispredictions");
        return;
    }
    if (!recording->whole) {
        format(text, sizeof(text), "%u records do not hold a run of one iteration",
               recording->depth);
        verdict_skip(verdict, text);
        return;
    }
    format(text, sizeof(text), "%llu records, %llu counted", (unsigned long long)recording->flagged,
           (unsigned long long)recording->counted);
    verdict_append(verdict, ", %s", text);
    if (recording->flagged != recording->counted)
        verdict->outcome = VERDICT_FAIL;
}

static void begin(struct verdict *verdict, const struct trial *trial,
                  const struct recording *recording)
{
    char subject[120];

    switch (recording->way->kind) {
    case RECORDING_LAST:
    case RECORDING_OPEN_CALLS:
    case RECORDING_FROZEN:
        format(subject, sizeof(subject), "branch records, %s: all are known branches",
               recording->way->name);
        break;
    case RECORDING_NOTHING:
        format(subject, sizeof(subject), "branch records, %s: none", recording->way->name);
        break;
    case RECORDING_MISPREDICTED:
        format(subject, sizeof(subject), "branch records, %s: as many as counted",
               recording->way->name);
        break;
    }
    verdict_begin(verdict, trial, subject);
}

void verdict_recording(struct verdict *verdict, const struct trial *trial,
                       const struct recording *recording, const char *absent,
                       const void *return_address)
{
    const struct kernel *kernel = trial->experiment->kernel;
    const struct lbr_kind *kind = trial->description->lbr;

    begin(verdict, trial, recording);
    if (trial->blocked != NULL || recording->missing != NULL || !recording->taken) {
        verdict_skip(verdict, trial->blocked != NULL       ? trial->blocked
                              : recording->missing != NULL ? recording->missing
                                                           : absent);
        return;
    }
    switch (recording->way->kind) {
    case RECORDING_LAST:
        judge_last(verdict, kernel, recording, return_address);
        break;
    case RECORDING_NOTHING:
        has_count(verdict, recording, 0);
        break;
    case RECORDING_OPEN_CALLS:
        judge_open_calls(verdict, kernel, recording);
        break;
    case RECORDING_FROZEN:
        judge_frozen(verdict, kernel, recording, kind->freeze);
        break;
    case RECORDING_MISPREDICTED:
        judge_mispredicted(verdict, recording);
        break;
    }
}
