/* When a counter of NetBurst will raise its PMI: foresee.h. */
#include <string.h>

#include "netburst_state.h"
#include "pmu/foresee.h"
#include "pmu/running.h"

/* Counters with a PMI that one look follows; with more of them, none is foreseen, and every cycle
 * may be that of an overflow. */
#define FOLLOWED 4

struct look {
    unsigned count;
    struct netburst_counter counter[FOLLOWED];
};
_Static_assert(sizeof(struct look) <= FORESEE_KIND, "a look has room for it");

static uint32_t pmi_bit(const struct pmu *pmu)
{
    return netburst_thread_of(pmu) == 0 ? CCCR_OVF_PMI_T0 : CCCR_OVF_PMI_T1;
}

/* Whether it interrupts this logical processor, and by what only this one does. */
static bool is_own(const struct pmu *pmu, const struct netburst_counter *counter)
{
    return counter->running && counter->cccr & pmi_bit(pmu) &&
           !(counter->threads & ~(1u << netburst_thread_of(pmu)));
}

static bool is_told(const struct netburst_counter *counter)
{
    if (counter->modes || counter->requests)
        return false;
    for (unsigned i = 0; i < counter->terms; i++)
        if (!model_tells_ahead(counter->term[i].signal))
            return false;
    return true;
}

/* Gives how many counters interrupt it. `look`, which may be NULL, gets them, or none where not all
 * can be followed. */
static unsigned list(const struct pmu *pmu, struct look *look)
{
    const struct netburst *netburst = netburst_of(pmu);
    unsigned count = 0;
    bool told = true;

    for (unsigned i = 0; i < NETBURST_COUNTERS; i++) {
        if (!is_own(pmu, &netburst->counter[i]))
            continue;
        told &= is_told(&netburst->counter[i]);
        if (look != NULL && count < FOLLOWED)
            look->counter[count] = netburst->counter[i];
        count++;
    }
    if (look != NULL)
        look->count = told && count <= FOLLOWED ? count : 0;
    return count;
}

static bool wanted(const struct pmu *pmu)
{
    return list(pmu, NULL) > 0;
}

static void begin(struct pmu_foresight *sight)
{
    struct look *look = (struct look *)sight->kind;

    list(sight->pmu, look);
    sight->count = look->count;
}

static uint64_t pass(struct pmu_foresight *sight, const struct span *span)
{
    const unsigned thread = netburst_thread_of(sight->pmu);
    struct look *look = (struct look *)sight->kind;
    struct span cycle = *span;

    cycle.cycles = 1;
    for (uint64_t i = 1; i <= span->cycles; i++) {
        for (unsigned c = 0; c < look->count; c++) {
            struct netburst_counter *counter = &look->counter[c];
            bool overflowed;

            if (netburst_advance(counter, netburst_step(counter, thread, &cycle), &overflowed) >>
                    thread &
                1)
                return i;
        }
    }
    return 0;
}

/* Four wires lead to the counter, and a comparator adds 1. */
uint64_t netburst_quiet(const struct netburst_counter *counter)
{
    const uint64_t most = counter->cccr & CCCR_COMPARE ? 1 : NETBURST_INPUT_MAX;

    if (counter->pmi_due || counter->cccr & CCCR_FORCE_OVF)
        return 0;
    if (counter->terms == 1 && counter->term[0].signal == SIG_UNHALTED &&
        counter->term[0].weight == 1)
        return NETBURST_COUNT_MASK - counter->value;
    return (NETBURST_COUNT_MASK - counter->value) / most;
}

static uint64_t quiet(const struct pmu_foresight *sight)
{
    const struct look *look = (const struct look *)sight->kind;
    uint64_t least = UINT64_MAX;

    for (unsigned i = 0; i < look->count; i++) {
        const uint64_t cycles = netburst_quiet(&look->counter[i]);

        least = cycles < least ? cycles : least;
    }
    return look->count > 0 ? least : 0;
}

const struct pmu_kind_foresight netburst_foresight = {wanted, begin, pass, quiet};
