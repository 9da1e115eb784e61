/* Events, timers, waiting. UEFI specification, "Event, Timer, and Task Priority Services".
 *
 * A notification function runs as soon as the task priority level allows: when a service returns or
 * waits. The function of a timer also runs between any two instructions of a program that leaves
 * interrupts on and the firmware's interrupt table in place. Real firmware runs it at its next
 * timer tick, which may be 10 ms later. */
#include "event.h"

#include <efi.h>
#include <string.h>

#include "device/platform.h"
#include "guest.h"
#include "processor.h"
#include "service.h"
#include "state.h"

#define HUNDREDS_OF_NANOSECONDS 10000000u /* in a second */
#define MICROSECONDS            1000000u  /* in a second */
#define TICK_HZ                 100u      /* of the firmware's own timer, as EDK II sets it */
#define RED_ZONE                128u
#define RFLAGS_DF               0x400u

static struct uefi_event *event_of(struct firmware *firmware, uint64_t token)
{
    for (unsigned i = 0; token && i < EVENTS; i++)
        if (firmware->event[i].token == token)
            return &firmware->event[i];
    return NULL;
}

uint64_t event_new(struct firmware *firmware, uint32_t type, uint64_t level, uint64_t notify,
                   uint64_t context)
{
    for (unsigned i = 0; i < EVENTS; i++) {
        struct uefi_event *event = &firmware->event[i];

        if (event->token)
            continue;
        *event = (struct uefi_event){.token = firmware_room(firmware, EfiBootServicesData, 16),
                                     .type = type,
                                     .level = level,
                                     .notify = notify,
                                     .context = context,
                                     .due = NEVER};
        return event->token;
    }
    return 0;
}

/* Whether the event is a timer whose notification function may interrupt the program. */
static bool interrupts_program(const struct uefi_event *event)
{
    return event->type & EVT_TIMER && event->type & EVT_NOTIFY_SIGNAL;
}

static uint64_t create(struct call *call, unsigned result)
{
    uint64_t type = argument(call, 0) & UINT32_MAX, level = argument(call, 1),
             notify = argument(call, 2), token;
    bool notifies = type & (EVT_NOTIFY_WAIT | EVT_NOTIFY_SIGNAL);

    if (view(call, argument(call, result), 8) == NULL ||
        (type & EVT_NOTIFY_WAIT && type & EVT_NOTIFY_SIGNAL) ||
        (notifies && (!notify || level <= TPL_APPLICATION || level >= TPL_HIGH_LEVEL)))
        return EFI_INVALID_PARAMETER;
    token =
        event_new(call->firmware, (uint32_t)type, level, notifies ? notify : 0, argument(call, 3));
    if (!token)
        return EFI_OUT_OF_RESOURCES;
    call->firmware->ticks |= interrupts_program(event_of(call->firmware, token));
    put64(call, argument(call, result), token);
    return EFI_SUCCESS;
}

uint64_t firmware_create_event(struct call *call)
{
    return create(call, 4);
}

uint64_t firmware_create_event_ex(struct call *call)
{
    return create(call, 5);
}

static void signal_one(struct uefi_event *event)
{
    if (event->type & EVT_NOTIFY_SIGNAL)
        event->queued = true;
    event->signalled = true;
}

void events_leave(struct firmware *firmware)
{
    for (unsigned i = 0; i < EVENTS; i++)
        if (firmware->event[i].token && firmware->event[i].type == EVT_SIGNAL_EXIT_BOOT_SERVICES)
            signal_one(&firmware->event[i]);
}

void events_advance(struct firmware *firmware, uint64_t ticks)
{
    struct uefi_event *key = event_of(firmware, firmware->key_event);

    if (key != NULL)
        key->signalled = *firmware->keys_before || (firmware->keys != NULL && *firmware->keys);
    for (unsigned i = 0; i < EVENTS; i++) {
        struct uefi_event *event = &firmware->event[i];

        if (!event->token || event->due > ticks)
            continue;
        signal_one(event);
        event->due = event->period ? ticks + event->period : NEVER;
    }
}

/* The notification function runs on the program's stack and returns to a stub. */
static void enter(const struct call *call, const struct uefi_event *event)
{
    struct core *core = call->core;
    uint64_t stack = processor_register(core, UC_X86_REG_RSP);

    stack = ((stack - RED_ZONE) & ~UINT64_C(15)) - SHADOW_SPACE - 8;
    put64(call, stack, stub_of(call->firmware, SERVICE_notify_returned));
    processor_set_register(core, UC_X86_REG_RSP, stack);
    processor_set_register(core, UC_X86_REG_EFLAGS,
                           processor_register(core, UC_X86_REG_EFLAGS) & ~(uint64_t)RFLAGS_DF);
    processor_set_register(core, UC_X86_REG_RCX, event->token);
    processor_set_register(core, UC_X86_REG_RDX, event->context);
    processor_go_to(core, event->notify);
}

bool events_dispatch(struct firmware *firmware, struct core *core)
{
    struct uefi_event *best = NULL;
    struct call call = {.firmware = firmware, .machine = firmware->machine, .core = core};
    unsigned depth = firmware->nested;

    events_advance(firmware, core_ticks(core));
    for (unsigned i = 0; i < EVENTS; i++) {
        struct uefi_event *event = &firmware->event[i];

        if (event->token && event->queued && event->level > firmware->level &&
            (best == NULL || event->level > best->level))
            best = event;
    }
    if (best == NULL || depth == NESTED)
        return false;
    best->queued = best->signalled = false;
    firmware->interrupted[depth] = processor_save(core);
    if (firmware->interrupted[depth] == NULL) {
        machine_end(firmware->machine, 1, "not enough memory on the host");
        return false;
    }
    firmware->interrupted_rip[depth] = processor_rip(core);
    firmware->interrupted_level[depth] = firmware->level;
    firmware->nested++;
    firmware->level = best->level;
    enter(&call, best);
    return true;
}

/* Whether the firmware's own timer interrupt would be taken here: on the boot processor, under the
 * firmware's tables, outside the firmware. */
static bool takes_ticks(const struct firmware *firmware, const struct core *core)
{
    return !firmware->left && core_is_bsp(core) && processor_takes_interrupts(core) &&
           processor_page_table(core) == firmware->cr3 && processor_idt(core) == firmware->idt;
}

uint64_t events_next_tick(const struct firmware *firmware, const struct core *core)
{
    const uint64_t period = machine_ticks_of(firmware->machine, 1, TICK_HZ);

    if (!takes_ticks(firmware, core))
        return NEVER;
    return machine_cycles(firmware->machine, (core_ticks(core) / period + 1) * period);
}

uint64_t events_tick_due(const struct firmware *firmware, const struct core *core)
{
    uint64_t due = NEVER;

    if (!firmware->ticks || firmware->nested == NESTED || stub_is(firmware, processor_rip(core)) ||
        !takes_ticks(firmware, core))
        return NEVER;
    for (unsigned i = 0; i < EVENTS; i++) {
        const struct uefi_event *event = &firmware->event[i];
        uint64_t at = event->queued ? 0 : event->due;

        if (event->token && interrupts_program(event) && event->level > firmware->level && at < due)
            due = at;
    }
    return due == NEVER ? NEVER : machine_cycles(firmware->machine, due);
}

uint64_t firmware_notify_returned(struct call *call)
{
    struct firmware *firmware = call->firmware;
    unsigned depth;

    call->leaves = true;
    if (firmware->nested == 0) {
        machine_end(call->machine, 1, "a notification function returns, but none was entered");
        return 0;
    }
    depth = --firmware->nested;
    processor_restore(call->core, firmware->interrupted[depth]);
    processor_go_to(call->core, firmware->interrupted_rip[depth]);
    firmware->level = firmware->interrupted_level[depth];
    events_dispatch(firmware, call->core);
    return 0;
}

uint64_t firmware_set_timer(struct call *call)
{
    struct uefi_event *event = event_of(call->firmware, argument(call, 0));
    uint64_t kind = argument(call, 1) & UINT32_MAX, ticks;

    if (event == NULL || !(event->type & EVT_TIMER) || kind > TimerRelative)
        return EFI_INVALID_PARAMETER;
    ticks = machine_ticks_of(call->machine, argument(call, 2), HUNDREDS_OF_NANOSECONDS);
    event->due = kind == TimerCancel ? NEVER : core_ticks(call->core) + ticks;
    if (interrupts_program(event)) /* a slice is never longer than to the next event */
        processor_yield(call->core);
    event->period = kind != TimerPeriodic ? 0
                    : ticks               ? ticks
                                          : machine_ticks_of(call->machine, 1, TICK_HZ);
    return EFI_SUCCESS;
}

uint64_t firmware_signal_event(struct call *call)
{
    struct uefi_event *event = event_of(call->firmware, argument(call, 0));

    if (event == NULL)
        return EFI_INVALID_PARAMETER;
    signal_one(event);
    return EFI_SUCCESS;
}

uint64_t firmware_close_event(struct call *call)
{
    struct uefi_event *event = event_of(call->firmware, argument(call, 0));

    if (event == NULL)
        return EFI_INVALID_PARAMETER;
    memory_map_pool_release(&call->firmware->map, event->token);
    memset(event, 0, sizeof(*event));
    return EFI_SUCCESS;
}

uint64_t firmware_check_event(struct call *call)
{
    struct uefi_event *event = event_of(call->firmware, argument(call, 0));

    if (event == NULL || event->type & EVT_NOTIFY_SIGNAL)
        return EFI_INVALID_PARAMETER;
    if (!event->signalled)
        return EFI_NOT_READY;
    event->signalled = false;
    return EFI_SUCCESS;
}

static uint64_t next_due(const struct firmware *firmware)
{
    uint64_t due = NEVER;

    for (unsigned i = 0; i < EVENTS; i++)
        if (firmware->event[i].token && firmware->event[i].due < due)
            due = firmware->event[i].due;
    return due;
}

uint64_t firmware_wait_for_event(struct call *call)
{
    uint64_t count = argument(call, 0), token;
    bool for_key = false;

    if (count == 0 || count > EVENTS || view(call, argument(call, 2), 8) == NULL ||
        view(call, argument(call, 1), count * 8) == NULL)
        return EFI_INVALID_PARAMETER;
    if (call->firmware->level != TPL_APPLICATION)
        return EFI_UNSUPPORTED;
    for (uint64_t i = 0; i < count; i++) {
        struct uefi_event *event;

        get(call, argument(call, 1) + 8 * i, &token, sizeof(token));
        event = event_of(call->firmware, token);
        for_key |= token == call->firmware->key_event;
        if (event == NULL || event->type & EVT_NOTIFY_SIGNAL) {
            put64(call, argument(call, 2), i);
            return EFI_INVALID_PARAMETER;
        }
        if (!event->signalled)
            continue;
        event->signalled = false;
        put64(call, argument(call, 2), i);
        return EFI_SUCCESS;
    }
    call->then = next_due(call->firmware);
    if (call->then == NEVER)
        machine_end(call->machine, 1, "deadlock: WaitForEvent for %s",
                    for_key ? "a key, and --keys has no further one"
                            : "events that nothing will signal");
    return EFI_SUCCESS;
}

void service_takes(struct call *call, uint64_t microseconds)
{
    struct firmware *firmware = call->firmware;
    uint64_t now = core_ticks(call->core);

    if (!firmware->stalled)
        firmware->stalled = now + machine_ticks_of(call->machine, microseconds, MICROSECONDS);
    if (now < firmware->stalled)
        call->then = firmware->stalled;
    else
        firmware->stalled = 0;
}

uint64_t firmware_stall(struct call *call)
{
    service_takes(call, argument(call, 0));
    return EFI_SUCCESS;
}

uint64_t firmware_set_watchdog_timer(struct call *call)
{
    uint64_t seconds = argument(call, 0);

    if (seconds > UINT32_MAX)
        return EFI_INVALID_PARAMETER;
    call->firmware->watchdog =
        seconds ? core_ticks(call->core) + machine_ticks_of(call->machine, seconds, 1) : NEVER;
    return EFI_SUCCESS;
}
