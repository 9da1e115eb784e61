#include "gains.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    unsigned bit;
} causes[] = {
#define GAIN_CAUSE_ROW(name, text, bit) {text, bit},
    GAIN_CAUSES(GAIN_CAUSE_ROW)
#undef GAIN_CAUSE_ROW
};

#define CAUSES (sizeof(causes) / sizeof(causes[0]))

const struct gain_node gain_nodes[] = {
    {"tma_frontend_bound", GAIN_FRONTEND, false},
    {"tma_fetch_latency", 0, false},
    {"tma_fetch_bandwidth", 0, false},
    {"tma_bad_speculation", GAIN_BRANCHES | GAIN_CLEARS, false},
    {"tma_branch_mispredicts", GAIN_BRANCHES, false},
    {"tma_machine_clears", GAIN_CLEARS, false},
    {"tma_backend_bound", GAIN_MEMORY | GAIN_CORE, false},
    {"tma_memory_bound", GAIN_MEMORY, false},
    {"tma_core_bound", GAIN_CORE, false},
    {"tma_retiring", GAIN_ALL, true},
    {"tma_light_operations", 0, false},
    {"tma_heavy_operations", 0, false},
};
const size_t gain_node_count = sizeof(gain_nodes) / sizeof(gain_nodes[0]);

static unsigned bit_of(const char *name, size_t length)
{
    for (size_t i = 0; i < CAUSES; i++)
        if (strlen(causes[i].name) == length && memcmp(causes[i].name, name, length) == 0)
            return causes[i].bit;
    return 0;
}

bool gain_set(const char *names, unsigned *set, const char **bad, size_t *length)
{
    for (*set = 0;; names++) {
        const size_t name = strcspn(names, ",");
        const unsigned bit = bit_of(names, name);

        if (bit == 0) {
            *bad = names;
            *length = name;
            return false;
        }
        *set |= bit;
        names += name;
        if (*names == '\0')
            return true;
    }
}

bool gain_name(unsigned set, char *text, size_t size)
{
    size_t used = 0;

    if (size == 0)
        return false;
    text[0] = '\0';
    for (size_t i = 0; i < CAUSES; i++) {
        int more;

        if (!(set & causes[i].bit))
            continue;
        more = snprintf(text + used, size - used, "%s%s", used ? "+" : "", causes[i].name);
        if (more < 0 || (size_t)more >= size - used)
            return false;
        used += (size_t)more;
    }
    return true;
}

double gained(const struct gains *gains, unsigned set)
{
    const double cycles = gains->cycles[0];

    return cycles > 0 ? (cycles - gains->cycles[set]) / cycles : NAN;
}

double gained_last(const struct gains *gains, unsigned set)
{
    return gained(gains, GAIN_ALL) - gained(gains, GAIN_ALL & ~set);
}

double gain_interaction(const struct gains *gains, unsigned one, unsigned other)
{
    return gained(gains, one | other) - gained(gains, one) - gained(gains, other);
}

double gain_of_node(const struct gains *gains, const struct gain_node *node)
{
    if (node->set == 0)
        return NAN;
    return node->left ? 1 - gained(gains, node->set) : gained(gains, node->set);
}

double last_gain_of_node(const struct gains *gains, const struct gain_node *node)
{
    return node->set == 0 || node->left ? NAN : gained_last(gains, node->set);
}
