#include "core.h"

#include "apic.h"
#include "boot/cpu.h"
#include "boot/context/context.h"
#include "boot/format.h"
#include "boot/log.h"
#include "descriptors.h"
#include "memory/paging.h"
#include "vector.h"

struct cores cores = {.all = &cores.boot, .count = 1};

void core_give_up(unsigned index, const char *why)
{
    struct core_place *place = &cores.all[index].place;
    char where[48];

    place->online = false;
    place->why = why;
    format(where, sizeof(where), "core %u, APIC id %u", index, (unsigned)place->apic_id);
    log_error(why, where, "a core that answers");
}

/* State `first` ends the boot processor's wait, `second` says that the interrupt has been sent. The
 * boot processor waits for both: an interrupt that arrived later would reach the firmware. */
static void wake_boot_processor(struct core *core, enum core_state first, enum core_state second)
{
    if (!core_change_state(core, CORE_WORKING, first))
        halt_forever(); /* given up */
    apic_send_fixed(cores.all[0].place.apic_id, VECTOR_WAKE);
    core_set_state(core, second);
}

void core_trapped(void)
{
    struct core *core = &cores.all[context_core()];

    if (core_change_state(core, CORE_STARTING, CORE_TRAPPED))
        halt_forever(); /* the boot processor looks for it (cores_start.c) */
    if (cores.aftermath != NULL && !core->landed) {
        core->landed = true;
        cores.aftermath(cores.aftermath_context, context_core());
    }
    if (core_change_state(core, CORE_PARKED, CORE_TRAPPED))
        halt_forever(); /* the boot processor finds it when it has work for it */
    wake_boot_processor(core, CORE_TRAPPING, CORE_TRAPPED);
    halt_forever();
}

void core_main(uint64_t index)
{
    struct core *core = &cores.all[index];
    struct context context = descriptors_context((unsigned)index);
    const uint32_t mxcsr = 0x1f80;

    context_load(&context);
    __asm__ volatile("fninit; ldmxcsr %0" : : "m"(mxcsr));
    apic_enable_here();
    core->generation = paging_generation();
    if (!core_change_state(core, CORE_STARTING, CORE_PARKED)) {
        (void)core_change_state(core, CORE_GIVEN_UP, CORE_HALTED);
        halt_forever();
    }

    for (;;) {
        if (core_state(core) != CORE_WORKING) {
            wait_for_interrupt();
            continue;
        }
        if (core->generation != paging_generation()) {
            core->generation = paging_generation();
            write_cr3(paging_root());
        }
        core->work(core->argument);
        wake_boot_processor(core, CORE_DONE, CORE_PARKED);
    }
}
