#include "measured_core_run.h"

#include "boot/format.h"
#include "boot/log.h"
#include "boot/machine/cores.h"

bool measured_core_run(struct measured_core *core, void (*work)(void *), void *argument,
                       uint64_t timeout_us, const char *subject, const char *what)
{
    const enum rc rc = cores_run(core->core, work, argument, timeout_us);

    if (rc != RC_OK)
        measured_core_lose_while(core, rc, subject, what);
    return rc == RC_OK;
}

void measured_core_trouble(const struct measured_core *core, const char *kernel, const char *what,
                           const char *at)
{
    char where[160];

    format(where, sizeof(where), "core %u, kernel %s%s%s", core->core, kernel,
           at[0] != '\0' ? ", " : "", at);
    log_error(what, where, NULL);
}
