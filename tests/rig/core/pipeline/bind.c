/* Ports by the uops that wait for them: the rules that "uiCA" (A. Abel, J. Reineke, "Accurate
 * Throughput Prediction of Basic Blocks on Recent Intel Microarchitectures", ICS 2022, and the
 * program of that name) found by measurement.
 *
 * A port's count is of uops that were bound to it in earlier cycles and began, if they did, in the
 * last cycle. Uops of one cycle do not see each other, so the place in the cycle decides between
 * the ports with the lowest counts. */
#include "bind.h"

#include "core/cycle/smt.h"

#define PORTS_MOST   16u
#define LOADS        (PORT(2) | PORT(3))
#define SANDY_BRIDGE (PORT(0) | PORT(1) | PORT(5)) /* all ports for arithmetic there */

/* A port that so many more uops wait for is not chosen. */
#define TOO_MANY 3u

/* Ports, those with the fewest uops first. */
struct sorted {
    unsigned count;
    uint8_t port[PORTS_MOST];
    uint16_t uops[PORTS_MOST];
};

/* Uops that wait for the port; where two threads share the core, those of both. */
static uint16_t uops_at(const struct model *model, unsigned port)
{
    uint16_t uops = model->bound.of[port];

    if (is_shared(model))
        uops = (uint16_t)(uops + model->smt->thread[1 - model->thread].model->bound.of[port]);
    return uops;
}

/* Of ports with as many uops Sandy Bridge prefers the one with the lowest number, the others the
 * one with the highest. */
static void sort_ports(const struct model *model, uint16_t ports, struct sorted *sorted)
{
    const bool lowest = model->p->binds == BINDS_SANDY_BRIDGE;

    sorted->count = 0;
    for (unsigned rest = ports; rest != 0; rest &= rest - 1) {
        const unsigned port = (unsigned)__builtin_ctz(rest);
        const uint16_t uops = uops_at(model, port);
        unsigned at = sorted->count++;

        for (; at > 0 && (lowest ? sorted->uops[at - 1] > uops : sorted->uops[at - 1] >= uops);
             at--) {
            sorted->port[at] = sorted->port[at - 1];
            sorted->uops[at] = sorted->uops[at - 1];
        }
        sorted->port[at] = (uint8_t)port;
        sorted->uops[at] = uops;
    }
}

/* The first and the third slot of a cycle take the best port, the others the second best. */
static unsigned haswell(const struct sorted *sorted, unsigned slot)
{
    return sorted->port[slot % 2 && sorted->uops[1] < sorted->uops[0] + TOO_MANY];
}

/* Slots take turns, beginning with the best port, where the counts are close. */
static unsigned sandy_bridge(const struct sorted *sorted, unsigned slot, uint16_t ports)
{
    static const uint8_t turns[][4] = {[0] = {0, 5, 1, 0}, [1] = {1, 5, 0, 1}, [5] = {5, 1, 0, 5}};
    const unsigned best = sorted->port[0], last = sorted->count - 1;

    if (sorted->uops[last] >= sorted->uops[0] + TOO_MANY)
        return best;
    if (ports == SANDY_BRIDGE)
        return turns[best][slot % 4];
    return slot % 2 ? sorted->port[last] : best;
}

static unsigned choose(struct model *model, uint16_t ports)
{
    const unsigned slot = model->issued ? model->issued - 1 : 0;
    struct sorted sorted;

    if (ports == LOADS) {
        model->second_load_port = !model->second_load_port;
        return model->second_load_port ? 2 : 3;
    }
    sort_ports(model, ports, &sorted);
    return model->p->binds == BINDS_SANDY_BRIDGE ? sandy_bridge(&sorted, slot, ports)
                                                 : haswell(&sorted, slot);
}

uint16_t bind_port(struct model *model, uint16_t ports)
{
    const unsigned port =
        ports & (ports - 1u) ? choose(model, ports) : (unsigned)__builtin_ctz(ports);

    model->binding.of[port]++;
    return (uint16_t)PORT(port);
}
