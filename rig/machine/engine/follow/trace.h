/* --trace: the instructions of counting windows of one core as they went through the core model, so
 * that a person can see where the truth of these windows comes from. */
#ifndef RIG_MACHINE_ENGINE_FOLLOW_TRACE_H
#define RIG_MACHINE_ENGINE_FOLLOW_TRACE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct core;
struct executed;
struct trace;

/* Follows the windows from `first`, which is 1 or more, to `last` of processor `core`; NULL when
 * the host has no memory left. */
struct trace *trace_new(FILE *out, unsigned core, uint64_t first, uint64_t last);
void trace_free(struct trace *trace);
/* "CORE:N" or "CORE:N-M", as --trace-window takes it. */
bool trace_parse(const char *text, unsigned *core, uint64_t *first, uint64_t *last);
/* Hands the instruction to the core model, and writes it when it is in the window. `trace` may be
 * NULL. */
void trace_execute(struct trace *trace, struct core *core, const struct executed *executed);

#endif
