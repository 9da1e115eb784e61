/* Interprocessor interrupts: who is meant, and what it does there. SDM 3A, "Issuing Interprocessor
 * Interrupts". */
#include "apic.h"
#include "apic_inside.h"
#include "machine/machine.h"

enum shorthand { TO_DESTINATION, TO_SELF, TO_ALL, TO_OTHERS };

static bool is_destination(const struct core *target, bool x2, bool logical, uint32_t destination)
{
    const struct apic *apic = &target->apic;

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

static void receive(struct core *target, uint32_t command, bool level, uint64_t now)
{
    switch ((enum delivery)(command >> 8 & 7)) {
    case DELIVER_FIXED:
    case DELIVER_LOWEST:
        apic_request(target, command & 0xff, level);
        core_wake(target, now);
        break;
    case DELIVER_NMI:
        target->nmi_pending = true;
        core_attend(target, ATTENTION_INTERRUPT);
        core_wake(target, now);
        break;
    case DELIVER_INIT:
        if (!(command & 0x8000) ||
            command & 0x4000) /* a level de-assert does nothing on these processors */
            core_init(target, now);
        break;
    case DELIVER_SIPI:
        core_start(target, command & 0xff, now);
        break;
    default:
        machine_end(target->machine, 1,
                    "interprocessor interrupt 0x%x has a delivery mode the rig does not play",
                    command);
    }
}

void apic_send(struct core *core, uint64_t value)
{
    struct machine *machine = core->machine;
    bool x2 = apic_is_x2(&core->apic), sent = false;
    uint32_t command = (uint32_t)value;
    uint32_t destination = (uint32_t)(value >> 32) >> (x2 ? 0 : 24);
    enum shorthand shorthand = (enum shorthand)(command >> 18 & 3);
    uint64_t now = core_now(core);

    for (unsigned i = 0; i < machine->cores && !sent; i++) {
        struct core *target = &machine->core[i];
        bool self = target == core;

        if (shorthand == TO_SELF ? !self : shorthand == TO_OTHERS ? self : false)
            continue;
        if (shorthand == TO_DESTINATION &&
            !is_destination(target, x2, command >> 11 & 1, destination))
            continue;
        receive(target, command, false, now);
        sent = (command >> 8 & 7) == DELIVER_LOWEST;
    }
    /* Let the others see it at once, as they would on a real machine. */
    core_attend(core, ATTENTION_YIELD);
}

/* The destination with the lowest priority, among equals the first. */
static struct core *least_busy(struct machine *machine, struct apic_message message)
{
    struct core *best = NULL;

    for (unsigned i = 0; i < machine->cores; i++) {
        struct core *core = &machine->core[i];

        if (is_destination(core, false, message.logical, message.destination) &&
            (best == NULL || apic_priority(&core->apic) < apic_priority(&best->apic)))
            best = core;
    }
    return best;
}

bool apic_message(struct machine *machine, struct apic_message message, uint64_t now)
{
    uint32_t command = (uint32_t)message.delivery << 8 | message.vector;
    struct core *only = message.delivery == DELIVER_LOWEST ? least_busy(machine, message) : NULL;
    bool meant = false;

    for (unsigned i = 0; i < machine->cores; i++) {
        struct core *target = &machine->core[i];

        if (only != NULL ? target != only
                         : !is_destination(target, false, message.logical, message.destination))
            continue;
        meant = true;
        if (message.delivery == DELIVER_EXTERNAL) {
            target->external = true;
            core_attend(target, ATTENTION_INTERRUPT);
            core_wake(target, now);
        } else {
            receive(target, command, message.level, now);
        }
    }
    return meant;
}
