#include "ipi.h"

#include <stddef.h>

#include "platform.h"

enum shorthand { TO_DESTINATION, TO_SELF, TO_ALL, TO_OTHERS };

static bool is_destination(const struct apic *apic, bool x2, bool logical, uint32_t destination)
{
    if (destination == (x2 ? UINT32_MAX : 0xff))
        return true;
    if (!logical)
        return apic->id == destination;
    if (apic_is_x2(apic))
        return destination >> 16 == apic->id >> 4 && (destination & 1u << (apic->id & 15));
    if (apic->format >> 28 == 0xf)
        return (apic->logical >> 24 & destination & 0xff) != 0;
    return apic->logical >> 28 == (destination >> 4 & 15) &&
           (apic->logical >> 24 & destination & 15);
}

static void receive(struct apic *target, uint32_t command, bool level, uint64_t now)
{
    switch ((enum delivery)(command >> 8 & 7)) {
    case DELIVER_FIXED:
    case DELIVER_LOWEST:
        apic_request(target, command & 0xff, level);
        core_wake(target->core, now);
        break;
    case DELIVER_NMI:
        core_nmi(target->core);
        core_wake(target->core, now);
        break;
    case DELIVER_INIT:
        /* A level de-assert does nothing on these processors. */
        if ((!(command & 0x8000) || command & 0x4000) && core_init(target->core, now))
            apic_reset(target);
        break;
    case DELIVER_SIPI:
        core_start(target->core, command & 0xff, now);
        break;
    default:
        machine_end(target->machine, 1,
                    "interprocessor interrupt 0x%x has a delivery mode the rig does not support",
                    command);
    }
}

void ipi_send(struct apic *sender, uint64_t value)
{
    bool x2 = apic_is_x2(sender), sent = false;
    uint32_t command = (uint32_t)value;
    uint32_t destination = (uint32_t)(value >> 32) >> (x2 ? 0 : 24);
    enum shorthand shorthand = (enum shorthand)(command >> 18 & 3);
    uint64_t now = core_now(sender->core);
    struct apic *target;

    for (unsigned i = 0; !sent && (target = machine_apic(sender->machine, i)) != NULL; i++) {
        bool self = target == sender;

        if (shorthand == TO_SELF ? !self : shorthand == TO_OTHERS ? self : false)
            continue;
        if (shorthand == TO_DESTINATION &&
            !is_destination(target, x2, command >> 11 & 1, destination))
            continue;
        receive(target, command, false, now);
        sent = (command >> 8 & 7) == DELIVER_LOWEST;
    }
    core_end_slice(sender->core);
}

/* The destination with the lowest priority, among equals the first. */
static struct apic *least_busy(struct machine *machine, struct interrupt_message message)
{
    struct apic *best = NULL, *apic;

    for (unsigned i = 0; (apic = machine_apic(machine, i)) != NULL; i++)
        if (is_destination(apic, false, message.logical, message.destination) &&
            (best == NULL || apic_priority(apic) < apic_priority(best)))
            best = apic;
    return best;
}

bool ipi_deliver(struct machine *machine, struct interrupt_message message, uint64_t now)
{
    uint32_t command = (uint32_t)message.delivery << 8 | message.vector;
    struct apic *only = message.delivery == DELIVER_LOWEST ? least_busy(machine, message) : NULL;
    struct apic *target;
    bool found = false;

    for (unsigned i = 0; (target = machine_apic(machine, i)) != NULL; i++) {
        if (only != NULL ? target != only
                         : !is_destination(target, false, message.logical, message.destination))
            continue;
        found = true;
        if (message.delivery == DELIVER_EXTERNAL) {
            target->external = true;
            core_look_for_interrupts(target->core);
            core_wake(target->core, now);
        } else {
            receive(target, command, message.level, now);
        }
    }
    return found;
}
