#include "ideal.h"

#include <string.h>

#include "mechanism_rules.h"

static const char *const names[] = {
#define IDEAL_NAME(name, text) text,
    IDEALS(IDEAL_NAME)
#undef IDEAL_NAME
};

#define NAMES (sizeof(names) / sizeof(*names))

const char *ideal_name(unsigned i)
{
    return i < NAMES ? names[i] : NULL;
}

bool ideal_parse(const char *text, unsigned *ideals, const char **bad, size_t *bad_length)
{
    for (;; text++) {
        const size_t length = strcspn(text, ",");
        unsigned i = 0;

        while (i < NAMES && (strlen(names[i]) != length || memcmp(names[i], text, length) != 0))
            i++;
        if (i == NAMES) {
            *bad = text;
            *bad_length = length;
            return false;
        }
        *ideals |= 1u << i;
        text += length;
        if (*text == '\0')
            return true;
    }
}

/* An access is a hit: nothing is added to it. What needs a look at the access is done where the
 * access is (memory/memory.c, pipeline/order.c). */
static void all_hit(struct model_parameters *parameters)
{
    parameters->alias_penalty = 0;
    parameters->lock_penalty = 0;
}

/* The queue is filled as fast as it is emptied. */
static void fetch_at_once(struct model_parameters *parameters)
{
    parameters->dsb_uops = parameters->ms_uops = UINT8_MAX;
    parameters->btb_miss_resteer = 0;
}

/* A hit in L1 and a value from an older store are latencies, too. */
static void execute_at_once(struct model_parameters *parameters)
{
    for (unsigned i = 0; i < CLASS_COUNT; i++) {
        struct uop_class *uop_class = &parameters->classes[i];

        uop_class->latency = uop_class->latency > 0;
        uop_class->occupies = 0;
    }
    parameters->binds_ports = BINDS_NONE; /* a port without end has no uops that wait */
    parameters->l1d.latency = 1;
    parameters->simple_load_saves = 0;
    parameters->forward_latency = 1;
    parameters->pause_latency = 0;
}

void ideal_core(struct model_parameters *parameters, unsigned ideals)
{
    parameters->ideal |= ideals;
    if (ideals & IDEAL_MEMORY)
        all_hit(parameters);
    if (ideals & IDEAL_FRONTEND)
        fetch_at_once(parameters);
    if (ideals & IDEAL_CORE)
        execute_at_once(parameters);
    mechanisms_ideal(parameters, ideals);
}
