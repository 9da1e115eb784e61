/* Shared by exec.c and exec_hooks.c: the hooks that exec.c has. `user` is the struct core. */
#ifndef RIG_MACHINE_EXEC_INSIDE_H
#define RIG_MACHINE_EXEC_INSIDE_H

#include <stdbool.h>
#include <stdint.h>
#include <unicorn/unicorn.h>

void exec_on_code(uc_engine *uc, uint64_t address, uint32_t size, void *user);
void exec_on_interrupt(uc_engine *uc, uint32_t vector, void *user);
bool exec_on_undefined(uc_engine *uc, void *user);
bool exec_on_unmapped(uc_engine *uc, uc_mem_type type, uint64_t address, int size, int64_t value,
                      void *user);

#endif
