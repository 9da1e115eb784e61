/* What a run gains when causes of lost slots are taken away from the cores of the rig
 * (build/rig --ideal), as a share of the slots of the run as it is. */
#ifndef TESTS_TOOLS_GAINS_H
#define TESTS_TOOLS_GAINS_H

#include <stdbool.h>
#include <stddef.h>

/* Sets of causes are sums of these. The names are those of --ideal. */
/* clang-format off */
#define GAIN_CAUSES(C) \
    C(MEMORY, "memory", 1) \
    C(BRANCHES, "branches", 2) \
    C(FRONTEND, "frontend", 4) \
    C(CLEARS, "clears", 8) \
    C(CORE, "core", 16)
/* clang-format on */

enum gain_cause {
#define GAIN_CAUSE_ENUM(name, text, bit) GAIN_##name = bit,
    GAIN_CAUSES(GAIN_CAUSE_ENUM)
#undef GAIN_CAUSE_ENUM
        GAIN_ALL = 31
};
#define GAIN_SETS 32u

/* The cycles of an iteration, by the set of causes that were taken away; NAN: not measured. */
struct gains {
    double cycles[GAIN_SETS];
};

/* A node of levels 1 and 2, and the causes that answer for it. Retiring is what is left when all
 * are taken away. */
struct gain_node {
    const char *name;
    unsigned set; /* 0: no counterfactual tells it from its siblings */
    bool left;    /* the slots that are left, not those that are saved */
};
extern const struct gain_node gain_nodes[];
extern const size_t gain_node_count;

/* Reads names joined by commas. False: `*bad` and `*length` are the name that is unknown. */
bool gain_set(const char *names, unsigned *set, const char **bad, size_t *length);
/* The names of the set, joined by `+`. False: `text` has no room. */
bool gain_name(unsigned set, char *text, size_t size);

/* The slots that taking the set away saves, of the slots of the run as it is: cycles saved x width,
 * divided by cycles x width. NAN when either was not measured, or the run took no cycles. */
double gained(const struct gains *gains, unsigned set);
/* What the set saves when it is the last to go: of the slots of the run as it is, those that it
 * still takes when all other causes are away. Where causes hold the same slots up, this and
 * `gained` are the ends of what any order of taking them away says. */
double gained_last(const struct gains *gains, unsigned set);
/* What two sets save together less what each saves alone. Above 0: each hides behind the other, and
 * only both together are worth it. Below 0: either alone saves the same slots. */
double gain_interaction(const struct gains *gains, unsigned one, unsigned other);
/* What answers for the node: `gained`, or what is left; NAN also where nothing answers for it. */
double gain_of_node(const struct gains *gains, const struct gain_node *node);
double last_gain_of_node(const struct gains *gains, const struct gain_node *node);

#endif
