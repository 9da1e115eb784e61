/* One core: its state, which the core itself and the boot processor write, and what an application
 * processor runs. */
#ifndef BOOT_MACHINE_CORE_H
#define BOOT_MACHINE_CORE_H

#include "core_place.h"
#include "trap.h"

/* How long a core may take to answer. Far more than hardware needs: an emulator may keep one of its
 * processors waiting. */
#define ANSWER_US 1000000

enum core_state {
    CORE_ABSENT, /* not started */
    CORE_STARTING,
    CORE_PARKED, /* halted, waiting for work */
    CORE_WORKING,
    CORE_DONE,     /* its work is done; it wakes the boot processor, then it is parked */
    CORE_TRAPPING, /* an unexpected trap ended its work; it wakes the boot processor */
    CORE_TRAPPED,  /* after CORE_TRAPPING, or trapped before it was parked: halted for good */
    CORE_GIVEN_UP, /* it did not answer in time; if it still comes, */
    CORE_HALTED,   /* it is halted for good */
};

struct core {
    struct core_place place;
    struct trap_state trap;
    enum core_state state; /* both processors write it, only by the functions below */
    unsigned generation;   /* of the page tables that it uses, see paging_generation */
    bool landed;           /* an unexpected trap ended its work, and the aftermath has begun */
    bool unreachable;      /* no message reaches its local APIC */
    bool late;             /* its work did not end in time, */
    bool reset;            /* nor at an NMI, and it was sent an INIT */
    void (*work)(void *argument);
    void *argument;
};

struct cores {
    struct core boot; /* the boot processor, until `all` is allocated */
    struct core *all;
    unsigned count;
    void (*aftermath)(void *context, unsigned core); /* null: none */
    void *aftermath_context;
    const char *work_name; /* null: none */
    uint64_t started;      /* by the boot processor's TSC */
};
extern struct cores cores;

static inline enum core_state core_state(const struct core *core)
{
    return __atomic_load_n(&core->state, __ATOMIC_ACQUIRE);
}

static inline void core_set_state(struct core *core, enum core_state state)
{
    __atomic_store_n(&core->state, state, __ATOMIC_RELEASE);
}

/* False: the core is not in the state `from` and keeps its state. */
static inline bool core_change_state(struct core *core, enum core_state from, enum core_state to)
{
    return __atomic_compare_exchange_n(&core->state, &from, to, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_ACQUIRE);
}

/* Takes a core offline and logs an `error` record with `why`. */
void core_give_up(unsigned index, const char *why);
/* The first function of a started application processor, on its own stack, with its index; and the
 * function in which its unexpected traps continue. */
__attribute__((noreturn)) void core_main(uint64_t index);
__attribute__((noreturn)) void core_trapped(void);

#endif
