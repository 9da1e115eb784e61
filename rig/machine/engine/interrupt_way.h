/* How a core takes a PMI (--interrupt; pmi_way.h). */
#ifndef RIG_MACHINE_ENGINE_INTERRUPT_WAY_H
#define RIG_MACHINE_ENGINE_INTERRUPT_WAY_H

#include <stdbool.h>
#include <stdint.h>

/* What becomes of the oldest instruction that has not retired when the PMI is there. */
enum interrupt_way {
    INTERRUPT_OLDEST, /* it is waited for; where the re-order buffer is empty, the next one is */
    INTERRUPT_EMPTY,  /* it is waited for; where the buffer is empty, nothing is. [guess] */
    INTERRUPT_FLUSH, /* it is thrown away, and so is the next one where the buffer is empty. [guess]
                      */
};

/* An instruction that is thrown away; of a macro-fused pair both. */
struct thrown {
    uint64_t last;      /* the address of the instruction accounted for last */
    uint64_t due;       /* a PMI throws the instruction of that number away (core->accounted) */
    uint64_t rip, next; /* its address, and the one behind it */
    uint64_t rsp;       /* the interrupted stack pointer */
    bool live;          /* the handler has not returned */
};

#endif
