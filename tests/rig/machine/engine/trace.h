/* --trace: the instructions of one counting window of one core as they went through the core model,
 * so that a person can see where the truth of that window comes from. */
#ifndef RIG_TRACE_H
#define RIG_TRACE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct core;
struct executed;
struct trace;

/* Follows window `window`, from 1, of processor `core`; NULL when the host has no memory left. */
struct trace *trace_new(FILE *out, unsigned core, uint64_t window);
void trace_free(struct trace *trace);
/* "CORE:N", as --trace-window takes it. */
bool trace_parse(const char *text, unsigned *core, uint64_t *window);
/* Hands the instruction to the core model, and writes it when it is in the window. `trace` may be
 * NULL. */
void trace_execute(struct trace *trace, struct core *core, const struct executed *executed);

#endif
