#include "measured_core_run.h"

#include "boot/machine/cores.h"

bool measured_core_run(struct measured_core *core, void (*work)(void *), void *argument,
                       uint64_t timeout_us, const char *subject, const char *what)
{
    const enum rc rc = cores_run(core->core, work, argument, timeout_us);

    if (rc != RC_OK)
        measured_core_lose_while(core, rc, subject, what);
    return rc == RC_OK;
}
