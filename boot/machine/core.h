/* One core: its state, which both sides write, and what an application processor runs. */
#ifndef BOOT_CORE_H
#define BOOT_CORE_H

#include "core_place.h"
#include "trap.h"

/* Far more than silicon needs: an emulator may starve its processors. */
#define ANSWER_US 1000000

enum core_state {
    CORE_ABSENT, /* not started */
    CORE_STARTING,
    CORE_PARKED, /* halted, waits for work */
    CORE_WORKING,
    CORE_DONE,     /* the work is; the boot processor is being told, then the core is parked */
    CORE_TRAPPING, /* its work met an unexpected trap; the boot processor is being told */
    CORE_TRAPPED,  /* and now it is halted for good */
    CORE_GIVEN_UP, /* it did not answer in time: must halt if it ever does */
};

struct core {
    struct core_place place;
    struct trap_state trap;
    enum core_state state; /* written by both sides: only by the atomic helpers below */
    unsigned generation;   /* of the page tables it has seen */
    bool landed;           /* an unexpected trap ended its work */
    bool late;             /* its work had to be ended */
    uint64_t nmis_told, strays_told;
    void (*work)(void *argument);
    void *argument;
};

struct cores {
    struct core boot; /* before there is memory for more */
    struct core *all;
    unsigned count;
    void (*aftermath)(void *context, unsigned core); /* null: none; see cores_set_aftermath */
    void *aftermath_context;
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

/* False: it was in another state and stays there. */
static inline bool core_change_state(struct core *core, enum core_state from, enum core_state to)
{
    return __atomic_compare_exchange_n(&core->state, &from, to, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_ACQUIRE);
}

/* Takes a core offline, with an `error` record that says why. */
void core_give_up(unsigned index, const char *why);
/* Where a started processor begins, on its own stack; and where its unexpected traps go on. */
__attribute__((noreturn)) void core_main(uint64_t index);
__attribute__((noreturn)) void core_trapped(void);

#endif
