/* The host's MXCSR, by which it rounds and in which it notes exceptions. The functions of <fenv.h>
 * would also change the registers of the x87 unit, which takes longer than the arithmetic. */
#ifndef RIG_VECTOR_HOST_FLOAT_H
#define RIG_VECTOR_HOST_FLOAT_H

#include "mxcsr.h"

/* The host rounds as these bits of MXCSR say (MXCSR_ROUNDING) until the next call. Gives what to
 * give back to host_float_end. */
static inline unsigned host_float_begin(unsigned rounding)
{
    const unsigned before = __builtin_ia32_stmxcsr();

    __builtin_ia32_ldmxcsr((before & ~MXCSR_ROUNDING) | rounding);
    return before;
}

/* The same with all of MXCSR, whose masks must mask everything. */
static inline unsigned host_float_begin_as(unsigned mxcsr)
{
    const unsigned before = __builtin_ia32_stmxcsr();

    __builtin_ia32_ldmxcsr(mxcsr);
    return before;
}

static inline void host_float_end(unsigned before)
{
    __builtin_ia32_ldmxcsr(before);
}

/* No exception is noted from now on. */
static inline void host_float_forget(void)
{
    const unsigned now = __builtin_ia32_stmxcsr();

    if (now & MXCSR_FLAGS)
        __builtin_ia32_ldmxcsr(now & ~MXCSR_FLAGS);
}

/* The exceptions noted since then, as flags of MXCSR. */
static inline unsigned host_float_raised(void)
{
    return __builtin_ia32_stmxcsr() & MXCSR_FLAGS;
}

#endif
