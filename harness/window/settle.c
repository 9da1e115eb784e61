#include "settle.h"

#include "boot/clock.h"
#include "kernel_run.h"

/* The upper lanes of wide vectors are powered up on demand, and 512 bits, on Skylake-SP also busy
 * ones of 256, take a licence for more power, mostly at a lower frequency. Until the core has
 * both it dispatches several times slower at the old frequency, which no guard sees. That takes
 * 14 us for the lanes (A. Fog, "The microarchitecture of Intel, AMD and VIA CPUs", "Warm-up period
 * for YMM and ZMM vector instructions") and 20 us for the licence (T. Downs, "Gathering Intel on
 * Intel AVX-512 Transitions"). A licence is kept for more than 600 us after the last such
 * instruction; from one window to the next it is far less. Intel's optimization manual allows
 * 500 us for the licence ("Skylake Server Power Management"): where it takes more than LICENCE_US,
 * the first of several repeats is slow, and the median is not. */
#define LICENCE_US 100u

void settle_run(const struct measurement *m)
{
    kernel_run_reset(m, m->n);
    kernel_run_once(m, m->n);
}

/* What a kernel may require beyond SSE2 is always wider vectors. */
static bool has_wide_vectors(const struct kernel *kernel)
{
    return kernel->requires[0] != '\0';
}

void settle(const struct measurement *m)
{
    struct deadline deadline;

    guards_begin(&m->registers->guards);
    if (!has_wide_vectors(m->kernel))
        return;
    deadline = clock_deadline(LICENCE_US);
    deadline.most = deadline.left; /* one run may take longer */
    do
        settle_run(m);
    while (!clock_passed(&deadline));
}
