/* Mechanisms of a core that are alike in form: figures, a state of their own, and rules. What
 * follows for each line of mechanisms.inc:
 *
 * - struct NAME_figures is the member NAME of struct model_parameters. A core whose figures are all
 *   zero does not have the mechanism, and leaves its state as it is.
 * - struct NAME_state is the member NAME of struct mechanisms, from cycle to cycle; at first all of
 *   it is zero. It has values only, no pointers. A loop is skipped (pipeline/period.c) only where
 *   all of it is what it was.
 * - NAME.c defines NAME_rules: what the calls below do with the figures and the state. */
#ifndef RIG_CORE_MECHANISM_RULES_H
#define RIG_CORE_MECHANISM_RULES_H

#include <stdint.h>

#include "mechanisms.inc"

struct model_parameters;
struct snapshot;

/* clang-format off */
#define MECHANISM(name)                                                                            \
    struct name##_rules {                                                                          \
        /* A core without one of these causes of lost slots (a set of enum ideal) has these figures \
         * in place of its own; all zero: it is without the mechanism. */                          \
        unsigned ideals;                                                                           \
        struct name##_figures ideal;                                                               \
        /* Takes from the state what an interrupt loses. NULL: nothing. */                         \
        void (*interrupted)(struct name##_state *state);                                           \
        /* Takes from the state what is not followed while nobody counts. NULL: the state stays. */ \
        void (*unobserved)(struct name##_state *state);                                            \
        /* Changes a copy of the state: cycles become their distance from `now`, and what is over   \
         * becomes zero. Of two states that are then equal the same follows. NULL: the state names  \
         * no cycle. */                                                                            \
        void (*relative)(struct name##_state *copy, uint64_t now);                                 \
    };                                                                                             \
    extern const struct name##_rules name##_rules;
#include "mechanisms.inc"
#undef MECHANISM
/* clang-format on */

struct mechanisms {
#define MECHANISM(name) struct name##_state name;
#include "mechanisms.inc"
#undef MECHANISM
};

/* Changes the figures to those of a core without these causes. */
void mechanisms_ideal(struct model_parameters *parameters, unsigned ideals);
/* An interrupt is taken. */
void mechanisms_interrupted(struct mechanisms *mechanisms);
/* Functional warming begins. */
void mechanisms_unobserved(struct mechanisms *mechanisms);
/* Writes down the states of the mechanisms that the core has. */
void mechanisms_snapshot(const struct model_parameters *parameters,
                         const struct mechanisms *mechanisms, uint64_t now,
                         struct snapshot *snapshot);

/* For `relative`: how far ahead `cycle` is. Some waits end in the cycle behind, so the cycle before
 * `now` is told from all that came earlier, which are 0. */
static inline uint64_t cycles_ahead(uint64_t cycle, uint64_t now)
{
    return cycle + 1 < now ? 0 : cycle + 2 - now;
}

#endif
