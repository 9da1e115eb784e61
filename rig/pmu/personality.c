/* Finding a personality. The linker collects all of them in one section (PERSONALITY). */
#include "personality.h"

#include <stddef.h>
#include <string.h>

#include "parameters.h"

extern const struct personality *const __start_personalities[];
extern const struct personality *const __stop_personalities[];

const struct personality *personality_find(const char *name)
{
    const struct personality *const *entry;

    for (entry = __start_personalities; entry < __stop_personalities; entry++)
        if (strcmp((*entry)->name, name) == 0)
            return *entry;
    return NULL;
}

const struct personality *personality_of_core(const struct personality *personality, unsigned core,
                                              unsigned cores)
{
    return personality->small != NULL && core >= cores - cores / 2 ? personality->small
                                                                   : personality;
}

static unsigned threads_of(const struct personality *kind, unsigned threads)
{
    return kind->single_thread ? 1 : threads;
}

unsigned personality_processors(const struct personality *personality, unsigned cores,
                                unsigned threads)
{
    unsigned count = 0;

    for (unsigned core = 0; core < cores; core++)
        count += threads_of(personality_of_core(personality, core, cores), threads);
    return count;
}

struct personality_seat personality_seat(const struct personality *personality, unsigned cores,
                                         unsigned threads, unsigned index)
{
    struct personality_seat seat = {0};

    for (;; seat.core++) {
        seat.kind = personality_of_core(personality, seat.core, cores);
        seat.threads = threads_of(seat.kind, threads);
        if (index < seat.threads)
            break;
        index -= seat.threads;
    }
    seat.thread = index;
    return seat;
}

uint32_t personality_apic_id(const struct personality_seat *seat)
{
    const unsigned ids = seat->kind->pmu->core_ids;

    return seat->core * (ids ? ids : seat->threads) + seat->thread;
}

void personality_list(void (*line)(const struct personality *personality))
{
    const struct personality *const *entry;

    for (entry = __start_personalities; entry < __stop_personalities; entry++)
        line(*entry);
}
