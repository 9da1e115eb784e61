#include "profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "pmu/pmu.h"
#include "machine/engine/state.h"
#include "tip.h"

#define FIRST_ROOM 1024u /* addresses of a table at first: a power of two */
#define RECENT     2048u /* more than can be in flight */
#define NMI_VECTOR 2u

struct place {
    uint64_t address; /* and 1: 0 is an empty place */
    uint64_t executions, cycles, oldest;
    double tip;
    bool used;
};

/* An instruction that may retire behind the window's end. */
struct recent {
    uint64_t from, to; /* it is the oldest in the cycles behind `from`, up to `to` */
    uint64_t at;       /* the cycle in which it retires */
    uint64_t address, next;
    uint64_t entered;
    bool retires, alone; /* `alone`: on a core that is not shared */
    bool holds, fused;   /* struct model_passage */
};

enum progress { PMI_NONE, PMI_RAISED, PMI_TAKEN, PMI_RETURNED };

struct pmi {
    enum progress progress;
    uint64_t window, begun;
    uint64_t counters, overflow, accepted, taken, rip, returned, resumed;
};

struct watched {
    uint64_t idle;   /* cycles halted so far */
    uint64_t begun;  /* the window's first cycle */
    uint64_t halted; /* pmu_unhalted then */
    uint64_t last;   /* the cycle in which the instruction before retired */
    uint64_t handlers, handler_cycles;
    struct pmi pmi;
    struct place *place;
    size_t room, used;
    struct recent recent[RECENT];
    uint64_t count;  /* of instructions in the window, */
    uint64_t passed; /* and of those that `tip` was told of */
    struct tip tip;
};

struct profile {
    FILE *out;
    unsigned processors;
    struct watched *watched;
};

struct profile *profile_new(FILE *out, unsigned processors)
{
    struct profile *profile = malloc(sizeof(*profile));

    if (profile == NULL)
        return NULL;
    profile->out = out;
    profile->processors = processors;
    profile->watched = calloc(processors, sizeof(*profile->watched));
    if (profile->watched != NULL)
        return profile;
    free(profile);
    return NULL;
}

/* ---- the table of addresses ---- */

static struct place *find(struct place *places, size_t room, uint64_t address)
{
    size_t at = (address * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (room - 1);

    while (places[at].used && places[at].address != address)
        at = (at + 1) & (room - 1);
    return &places[at];
}

static void grow(struct watched *watched)
{
    const size_t room = watched->room ? 2 * watched->room : FIRST_ROOM;
    struct place *places = calloc(room, sizeof(*places));

    if (places == NULL) {
        fprintf(stderr, "rig: not enough memory on the host\n");
        exit(1);
    }
    for (size_t i = 0; i < watched->room; i++)
        if (watched->place[i].used)
            *find(places, room, watched->place[i].address) = watched->place[i];
    free(watched->place);
    watched->place = places;
    watched->room = room;
}

static struct place *place_of(struct watched *watched, uint64_t address)
{
    struct place *place;

    if (2 * watched->used >= watched->room)
        grow(watched);
    place = find(watched->place, watched->room, address);
    watched->used += !place->used;
    place->used = true;
    place->address = address;
    return place;
}

/* ---- instructions ---- */

/* The cycle in which the instruction given to the model last retires, halted cycles left out. */
static uint64_t retired(const struct watched *watched, const struct core *core)
{
    return model_retired(core->model) - watched->idle;
}

static void add(struct watched *watched, const struct recent *one, int sign)
{
    const uint64_t cycles = one->to - one->from, signed_cycles = sign > 0 ? cycles : 0 - cycles;
    struct place *place = place_of(watched, one->address);

    place->oldest += signed_cycles;
    if (one->retires)
        place->executions += sign > 0 ? 1 : UINT64_MAX;
    place_of(watched, one->next)->cycles += signed_cycles;
}

static void add_tip(void *watched, uint64_t address, double cycles)
{
    place_of(watched, address)->tip += cycles;
}

/* Tells `tip` of the next instruction, or of a fused pair, by its second. False: it does not retire
 * before cycle `end`, which ends the window. Of a core that two threads share nothing is told. */
static bool pass_next(struct watched *watched, uint64_t end)
{
    const struct recent *first = &watched->recent[watched->passed % RECENT];
    const struct recent *second = &watched->recent[(watched->passed + 1) % RECENT];
    const bool pair = watched->passed + 1 < watched->count && second->fused;
    const struct recent *last = pair ? second : first;
    const struct tip_passage passage = {last->address, first->entered, last->at, last->holds};
    const struct tip_sink sink = {watched, add_tip};

    watched->passed += 1 + pair;
    if (!first->alone)
        return true;
    if (last->at < end)
        tip_pass(&watched->tip, &passage, &sink);
    else
        tip_end(&watched->tip, end, &passage, &sink);
    return last->at < end;
}

/* The window ends before cycle `end`. */
static void pass_rest(struct watched *watched, uint64_t end)
{
    const struct tip_sink sink = {watched, add_tip};

    while (watched->passed < watched->count)
        if (!pass_next(watched, end))
            return;
    tip_end(&watched->tip, end, NULL, &sink);
}

static void follow_handler(struct profile *profile, struct watched *watched,
                           const struct core *core, const struct executed *executed);

void profile_execute(struct profile *profile, const struct core *core,
                     const struct executed *executed)
{
    struct model_passage passage;
    struct watched *watched;
    struct recent *one;

    if (profile == NULL || !core->long_mode)
        return;
    watched = &profile->watched[core->index];
    follow_handler(profile, watched, core, executed);
    if (!core->counting)
        return;
    if (watched->count - watched->passed == RECENT)
        pass_next(watched, UINT64_MAX);
    passage = model_passage(core->model);
    one = &watched->recent[watched->count++ % RECENT];
    *one = (struct recent){.from = watched->last,
                           .to = watched->last,
                           .at = retired(watched, core),
                           .address = executed->rip,
                           .next = executed->next,
                           .entered = passage.entered - watched->idle,
                           .holds = passage.holds && executed->end == END_NEXT,
                           .alone = !model_is_shared(core->model),
                           .fused = passage.fused,
                           .retires = executed->end != END_FAULT && !executed->repeat};
    if (one->alone && model_can_interrupt(core->model) && one->at > watched->last)
        one->to = watched->last = one->at;
    add(watched, one, 1);
}

/* ---- windows ---- */

static int by_address(const void *a, const void *b)
{
    const struct place *one = a, *two = b;

    return (one->address > two->address) - (one->address < two->address);
}

/* Takes back what retires at or behind cycle `end`. */
static void cut(struct watched *watched, uint64_t end)
{
    uint64_t left = watched->count < RECENT ? watched->count : RECENT;

    for (; left > 0; left--) {
        struct recent *one = &watched->recent[--watched->count % RECENT];

        if (one->at < end)
            break;
        add(watched, one, -1);
        if (one->to >= end)
            one->to = one->from < end ? end - 1 : one->from;
        one->retires = false;
        add(watched, one, 1);
    }
}

/* Moves the places in use to the front of the table, in the order of their addresses; the others
 * are empty then. */
static void sort(struct watched *watched)
{
    size_t count = 0;

    for (size_t i = 0; i < watched->room && count < watched->used; i++) {
        if (!watched->place[i].used)
            continue;
        if (i != count) {
            watched->place[count] = watched->place[i];
            watched->place[i] = (struct place){0};
        }
        count++;
    }
    if (count > 0)
        qsort(watched->place, count, sizeof(*watched->place), by_address);
}

static void write_window(struct profile *profile, struct watched *watched, const struct core *core,
                         uint64_t cycles)
{
    uint64_t rest = cycles;
    const char *comma = "";

    sort(watched);
    for (size_t i = 0; i < watched->used; i++)
        rest -= watched->place[i].cycles;
    fprintf(profile->out,
            "{\"core\":%u,\"window\":%" PRIu64 ",\"cycles\":%" PRIu64 ",\"handlers\":%" PRIu64
            ",\"handler_cycles\":%" PRIu64 ",\"elsewhere\":%" PRIu64 ",\"at\":[",
            core->index, core->window, cycles, watched->handlers, watched->handler_cycles, rest);
    for (size_t i = 0; i < watched->used; i++) {
        const struct place *place = &watched->place[i];

        if (!(place->executions | place->cycles | place->oldest) && place->tip == 0)
            continue;
        fprintf(profile->out,
                "%s{\"address\":%" PRIu64 ",\"executions\":%" PRIu64 ",\"cycles\":%" PRIu64
                ",\"oldest\":%" PRIu64 ",\"tip\":%.3f}",
                comma, place->address, place->executions, place->cycles, place->oldest, place->tip);
        comma = ",";
    }
    fputs("]}\n", profile->out);
}

void profile_window(struct profile *profile, const struct core *core, bool begins)
{
    struct watched *watched;
    uint64_t cycles;

    if (profile == NULL)
        return;
    watched = &profile->watched[core->index];
    if (begins) {
        watched->begun = model_now(core->model) - watched->idle;
        watched->halted = pmu_unhalted(core->pmu);
        watched->last = watched->begun - 1;
        tip_begin(&watched->tip, watched->begun);
        return;
    }
    cycles = pmu_unhalted(core->pmu) - watched->halted;
    pass_rest(watched, watched->begun + cycles);
    cut(watched, watched->begun + cycles);
    write_window(profile, watched, core, cycles);
    watched->handlers = watched->handler_cycles = watched->count = watched->passed = 0;
    if (watched->used)
        memset(watched->place, 0, watched->used * sizeof(*watched->place));
    watched->used = 0;
}

void profile_idle(struct profile *profile, const struct core *core, uint64_t cycles)
{
    if (profile != NULL)
        profile->watched[core->index].idle += cycles;
}

/* ---- interrupts ---- */

static void write_pmi(struct profile *profile, struct watched *watched, unsigned core)
{
    const struct pmi *pmi = &watched->pmi;

    if (pmi->progress == PMI_NONE)
        return;
    fprintf(profile->out,
            "{\"core\":%u,\"window\":%" PRIu64 ",\"pmi\":{\"counters\":%" PRIu64
            ",\"overflow\":%" PRId64 ",\"accepted\":%" PRIu64,
            core, pmi->window, pmi->counters, (int64_t)pmi->overflow, pmi->accepted);
    if (pmi->progress >= PMI_TAKEN)
        fprintf(profile->out, ",\"taken\":%" PRIu64 ",\"rip\":%" PRIu64, pmi->taken, pmi->rip);
    if (pmi->progress >= PMI_RETURNED)
        fprintf(profile->out, ",\"returned\":%" PRIu64 ",\"resumed\":%" PRIu64, pmi->returned,
                pmi->resumed);
    fputs("}}\n", profile->out);
    watched->pmi.progress = PMI_NONE;
}

/* What comes next is the handler's first instruction. That it comes late is the interrupt's doing,
 * and not that of the instruction before it, unless that one is still to be accounted for: then it
 * says so itself (END_INTERRUPT). */
static void behind_interrupt(struct watched *watched, const struct core *core)
{
    if (!core->pending.live && watched->count > watched->passed)
        watched->recent[(watched->count - 1) % RECENT].holds = false;
}

void profile_raised(struct profile *profile, const struct core *core)
{
    const struct pmu_interrupt interrupt = pmu_last_pmi(core->pmu);
    struct watched *watched;

    if (profile == NULL)
        return;
    watched = &profile->watched[core->index];
    write_pmi(profile, watched, core->index);
    watched->pmi = (struct pmi){.progress = PMI_RAISED,
                                .window = core->window,
                                .begun = watched->begun,
                                .counters = interrupt.counters,
                                .overflow = interrupt.requested - watched->halted - 1,
                                .accepted = interrupt.raised - watched->halted};
}

void profile_taken(struct profile *profile, const struct core *core, unsigned vector, uint64_t rip)
{
    struct watched *watched;
    const uint32_t entry = core->apic.lvt[LVT_PERFORMANCE];

    if (profile == NULL)
        return;
    watched = &profile->watched[core->index];
    behind_interrupt(watched, core);
    if (watched->pmi.progress != PMI_RAISED ||
        vector != ((enum delivery)(entry >> 8 & 7) == DELIVER_NMI ? NMI_VECTOR : (entry & 0xff)))
        return;
    watched->pmi.progress = PMI_TAKEN;
    watched->pmi.taken = retired(watched, core) - watched->pmi.begun;
    watched->pmi.rip = rip;
}

/* The model was given an instruction behind the interrupt. */
static void follow_handler(struct profile *profile, struct watched *watched,
                           const struct core *core, const struct executed *executed)
{
    struct pmi *pmi = &watched->pmi;

    if (pmi->progress == PMI_TAKEN && executed->end == END_INTERRUPT)
        pmi->taken = retired(watched, core) - pmi->begun; /* it was not yet given to the model */
    if (pmi->progress == PMI_RETURNED) {
        pmi->resumed = retired(watched, core) - pmi->begun;
        write_pmi(profile, watched, core->index);
    } else if (pmi->progress == PMI_TAKEN && core->attention & ATTENTION_IRET) {
        pmi->progress = PMI_RETURNED;
        pmi->returned = retired(watched, core) - pmi->begun;
        if (core->counting && pmi->window == core->window) {
            watched->handlers++;
            watched->handler_cycles += pmi->returned - pmi->taken;
        }
    }
}

void profile_free(struct profile *profile)
{
    if (profile == NULL)
        return;
    for (unsigned i = 0; i < profile->processors; i++) {
        write_pmi(profile, &profile->watched[i], i);
        free(profile->watched[i].place);
    }
    free(profile->watched);
    free(profile);
}
