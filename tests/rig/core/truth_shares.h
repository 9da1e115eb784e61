/* Shares of the slots that a loop has in each node. */
#ifndef TESTS_RIG_CORE_TRUTH_SHARES_H
#define TESTS_RIG_CORE_TRUTH_SHARES_H

#include "model_test.h"

#define REPEAT(n) for (unsigned repeat_ = 0; repeat_ < (n); repeat_++)

static inline double part(const struct bench *bench, const struct figures *figures, unsigned node)
{
    return share(bench, (double)figures->truth.nodes[node], &figures->truth);
}

/* The nodes that have a twentieth of the slots, for the message. */
static inline void show(const struct bench *bench, const struct figures *figures)
{
    for (unsigned i = 0; i < NODE_COUNT; i++)
        if ((int64_t)figures->truth.exact[i] * 20 >
            (int64_t)figures->truth.cycles * bench->parameters->width)
            print_message("  %s %.3f\n", model_node_name((enum truth_node)i),
                          part(bench, figures, i));
}

#endif
