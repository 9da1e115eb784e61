/* Cores without a cause of lost slots: what a run saves there is what the cause costs, whatever
 * rule charges slots to it. */
#ifndef RIG_CORE_IDEAL_H
#define RIG_CORE_IDEAL_H

#include <stdbool.h>
#include <stddef.h>

#include "parameters.h"

/* Changes the parameters of a core to those of the core without these causes (a set of enum
 * ideal). Instructions, their uops and what they do to memory stay the same. */
void ideal_core(struct model_parameters *parameters, unsigned ideals);
/* Reads names separated by commas. False: `*bad` and `*bad_length` are the name that is unknown. */
bool ideal_parse(const char *names, unsigned *ideals, const char **bad, size_t *bad_length);
/* The name of the i-th cause that can be taken away; NULL: there are not so many. */
const char *ideal_name(unsigned i);

#endif
