/* Ports by the uops that wait for them: the rule that "uiCA" (A. Abel, J. Reineke, "Accurate
 * Throughput Prediction of Basic Blocks on Recent Intel Microarchitectures", ICS 2022, and the
 * program of that name) found by measurement on Skylake.
 *
 * A port's count is of uops that were bound to it in earlier cycles and began, if they did, in the
 * last cycle. Uops of one cycle do not see each other, so the place in the cycle decides between
 * the ports with the lowest counts. */
#include "bind.h"

#include <limits.h>

#include "core/cycle/smt.h"

/* A port that so many more uops wait for is not chosen. */
#define TOO_MANY 3u

/* What the other thread of the core has bound; without one, nothing. */
static const union port_counts *of_sibling(struct smt *smt, unsigned thread)
{
    static const union port_counts none;

    return is_shared(smt) ? &smt->thread[1 - thread].model->dispatch.bound : &none;
}

/* Of two ports or more: the first and the third slot of a cycle take the port with the fewest uops,
 * the others the second best. Of ports with as many uops the one with the highest number is first.
 */
static unsigned by_count(const struct model *model, uint16_t ports)
{
    const unsigned slot = model->allocator.issued ? model->allocator.issued - 1 : 0;
    const union port_counts *sibling = of_sibling(model->smt, model->thread);
    unsigned best = 0, second = 0, least = UINT_MAX, next = UINT_MAX;

    for (unsigned rest = ports; rest != 0; rest &= rest - 1) {
        const unsigned port = (unsigned)__builtin_ctz(rest);
        const unsigned uops = model->dispatch.bound.of[port] + sibling->of[port];

        if (uops <= least) {
            second = best;
            next = least;
            best = port;
            least = uops;
        } else if (uops <= next) {
            second = port;
            next = uops;
        }
    }
    return slot % 2 && next < least + TOO_MANY ? second : best;
}

uint16_t bind_port(struct model *model, uint16_t ports)
{
    unsigned port = (unsigned)__builtin_ctz(ports);

    if (ports == LOAD_PORTS) {
        model->loads.second_port = !model->loads.second_port;
        port = model->loads.second_port ? 2 : 3;
    } else if (ports & (ports - 1u)) {
        port = by_count(model, ports);
    }
    if (model->p->binds_ports == BINDS_ALL)
        model->dispatch.binding.of[port]++;
    return (uint16_t)PORT(port);
}
