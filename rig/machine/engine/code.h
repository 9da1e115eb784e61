/* Decoded code: every instruction is decoded once, and again after its bytes were overwritten. */
#ifndef RIG_MACHINE_ENGINE_CODE_H
#define RIG_MACHINE_ENGINE_CODE_H

#include <stdbool.h>
#include <stdint.h>

struct core;
struct instruction;
struct machine;

/* Allocates the tables of a core; false when the host has no memory left. */
bool code_new(struct core *core);
void code_free(struct core *core);
/* The instruction at `address`, which is in RAM or an entry point of the firmware. Valid until code
 * is written. */
struct instruction *code_at(struct core *core, uint64_t address);
/* The same of an instruction that runs after `before`, which came from here. */
struct instruction *code_behind(struct core *core, const struct instruction *before,
                                uint64_t address);
/* Whether code of that line of 64 bytes was decoded. */
bool code_has_line(const struct core *core, uint64_t line);
/* `writer`, or the host when it is NULL, wrote to [address, address + size). */
void code_written(struct core *writer, struct machine *machine, uint64_t address, uint64_t size);

#endif
