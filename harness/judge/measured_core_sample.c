#include "measured_core_sample.h"

#include "boot/log.h"
#include "measured_core_run.h"

bool measured_core_sample(struct measured_core *core, struct sampler *s, uint64_t timeout_us,
                          const char *what)
{
    bool back;

    pmi_install();
    back = measured_core_run(core, sampler_work, s, timeout_us, s->measurement->kernel->name, what);
    pmi_uninstall();
    measured_core_discarded(core, s->discarded);
    if (back && s->apic_changed)
        log_error("a register of the local APIC does not hold its old value",
                  "LVT Performance Counter Register", "the value that was found");
    return back;
}
