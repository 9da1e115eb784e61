/* The log of rounds. */
#ifndef HARNESS_ROUNDS_ROUNDS_RECORD_H
#define HARNESS_ROUNDS_ROUNDS_RECORD_H

#include "rounds.h"

/* Says which round begins; nothing where there is one. */
void rounds_log_begin(const struct rounds *rounds);
/* Sends the `round` record, and a line for people. `discarded`: windows so far; `memory`: bytes
 * that the image holds. */
void rounds_record(const struct rounds *rounds, uint64_t discarded, uint64_t memory);

#endif
