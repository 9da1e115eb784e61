/* An emulator engine for a core: its registers, and what libunicorn needs help with. */
#ifndef RIG_MACHINE_ENGINE_ENGINE_H
#define RIG_MACHINE_ENGINE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct core;
struct machine;

/* libunicorn takes callbacks of every type as void pointers. */
#define ENGINE_CALLBACK(function)                                                                  \
    ((union {                                                                                      \
         void (*f)(void);                                                                          \
         void *p;                                                                                  \
     }){.f = (void (*)(void))(function)}                                                           \
         .p)

/* Finds out where this build of libunicorn keeps the state that its interface does not set; false,
 * with a line in `why`, when that is not where version 2.0.1 keeps it. Once for a machine, before
 * engine_new. */
bool engine_probe(struct machine *machine, char *why, size_t why_size);
/* Without memory and hooks (exec.h). False, with a line in `why`, when the host lacks memory. */
bool engine_new(struct core *core, char *why, size_t why_size);
void engine_free(struct core *core);

/* `id` is libunicorn's, of a register of at most 64 bits. */
uint64_t core_register(const struct core *core, int id);
void core_set_register(struct core *core, int id, uint64_t value);
/* libunicorn's id of RAX, RCX, RDX ... in the order in which instructions number them. */
int engine_general(unsigned number);
/* An MSR that the engine keeps. */
uint64_t engine_msr(const struct core *core, uint32_t msr);

/* The state of a reset in real mode, with that CS selector. False when the host lacks memory. */
bool engine_enter_real_mode(struct core *core, uint16_t selector);
/* The last exception no longer counts for the double-fault rules. */
void engine_forget_exception(struct core *core);
/* Sets what a write to the register does not: the privilege level, all bits of EFER. */
void engine_set_level(struct core *core, unsigned level);
void engine_set_efer(struct core *core, uint64_t value);

#endif
