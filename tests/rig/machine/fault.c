/* Faults on demand: the command line's words, and what each does. What the affected registers are:
 * SDM 3B, "Thermal Monitoring and Protection" (IA32_THERM_STATUS, Thermal Monitor 1), and SDM 4 for
 * MSR_SMI_COUNT. */
#include "fault.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "pmu/personality.h"
#include "pmu/parameters.h"
#include "trace.h"

#define MSR_SMI_COUNT             0x034u
#define IA32_MPERF                0x0e7u
#define IA32_THERM_STATUS         0x19cu
#define IA32_PACKAGE_THERM_STATUS 0x1b1u
#define THERMAL_NOW               1u
#define THERMAL_LOG               2u

/* Where the virtual SMM handler is: no RAM of the guest. */
#define SMM_HANDLER 0xffff8000u
#define SMM_ROUNDS  2000u

/* The hot quarter of every such span of a core's cycles, and how long the clock runs and stands in
 * it. */
#define THROTTLE_SPAN  8000000u
#define THROTTLE_BEGIN 2000000u
#define THROTTLE_END   4000000u
#define THROTTLE_RUN   2000u

#define MILLION       1000000u
#define MOST_SMI_RATE 100u
#define MOST_PERCENT  1000

/* ---- the command line ---- */

static bool number(const char *text, uint64_t least, uint64_t most, uint64_t *value)
{
    char *end;

    if (*text < '0' || *text > '9')
        return false;
    *value = strtoull(text, &end, 10);
    return !*end && *value >= least && *value <= most;
}

static bool parse_lie(struct faults *faults, const char *text)
{
    const char *colon = strrchr(text, ':');
    size_t length = colon != NULL ? (size_t)(colon - text) : 0;
    uint64_t percent;
    bool less;

    if (!length || length >= sizeof(faults->lie[0].event) || faults->lies == FAULT_EVENTS)
        return false;
    less = colon[1] == '-';
    if (!number(colon + 1 + less, 1, less ? 100 : MOST_PERCENT, &percent))
        return false;
    memcpy(faults->lie[faults->lies].event, text, length);
    faults->lie[faults->lies].event[length] = '\0';
    faults->lie[faults->lies++].percent = less ? -(int)percent : (int)percent;
    return true;
}

static bool parse_word(struct faults *faults, const char *text)
{
    if (strcmp(text, "throttle") == 0)
        faults->throttle = true;
    else if (strcmp(text, "serial:garble") == 0)
        faults->serial = SERIAL_GARBLE;
    else if (strcmp(text, "serial:drop") == 0)
        faults->serial = SERIAL_DROP;
    else if (strcmp(text, "stick:full") == 0)
        faults->stick = STICK_FULL;
    else if (strcmp(text, "stick:error") == 0)
        faults->stick = STICK_ERROR;
    else
        return false;
    return true;
}

bool fault_parse(struct faults *faults, const char *text)
{
    uint64_t value;

    if (strncmp(text, "msr:", 4) == 0)
        return number(text + 4, 1, UINT64_MAX, &faults->msr);
    if (strncmp(text, "uefi:", 5) == 0)
        return number(text + 5, 1, UINT64_MAX, &faults->uefi);
    if (strncmp(text, "count:", 6) == 0)
        return parse_lie(faults, text + 6);
    if (strncmp(text, "ap:", 3) == 0) {
        if (!number(text + 3, 1, 8 * sizeof(faults->silent) - 1, &value))
            return false;
        faults->silent[value / 8] |= (uint8_t)(1u << value % 8);
        return true;
    }
    if (strncmp(text, "smi:", 4) == 0) {
        if (!number(text + 4, 1, MOST_SMI_RATE, &value))
            return false;
        faults->smi_period = MILLION / value;
        return true;
    }
    return parse_word(faults, text);
}

static bool has_event(const struct pmu_parameters *pmu, const char *name)
{
    for (size_t i = 0; i < pmu->event_count; i++)
        if (strcmp(pmu->events[i].name, name) == 0)
            return true;
    for (size_t i = 0; i < pmu->more_count; i++)
        if (strcmp(pmu->more[i].name, name) == 0)
            return true;
    return false;
}

const char *fault_check(const struct faults *faults, const struct personality *personality,
                        unsigned processors)
{
    for (unsigned i = processors; i < 8 * sizeof(faults->silent); i++)
        if (faults->silent[i / 8] >> i % 8 & 1)
            return "no such processor to silence";
    for (unsigned i = 0; i < faults->lies; i++)
        if (!has_event(personality->pmu, faults->lie[i].event))
            return "this processor has no such event to lie about";
    return NULL;
}

/* ---- counters that lie ---- */

struct liar { /* one allocation: the copy of the personality and of what differs in it */
    struct personality personality;
    struct pmu_parameters pmu;
    struct pmu_event events[];
};

const struct personality *fault_personality(const struct faults *faults,
                                            const struct personality *personality)
{
    const struct pmu_parameters *pmu = personality->pmu;
    const size_t count = pmu->event_count + pmu->more_count;
    struct liar *liar;

    if (!faults->lies)
        return personality;
    liar = malloc(sizeof(*liar) + count * sizeof(*liar->events));
    if (liar == NULL)
        return NULL;
    liar->personality = *personality;
    liar->pmu = *pmu;
    memcpy(liar->events, pmu->events, pmu->event_count * sizeof(*liar->events));
    if (pmu->more_count > 0)
        memcpy(liar->events + pmu->event_count, pmu->more, pmu->more_count * sizeof(*liar->events));
    liar->personality.pmu = &liar->pmu;
    liar->pmu.events = liar->events;
    liar->pmu.event_count = count;
    liar->pmu.more_count = 0;
    for (size_t i = 0; i < count; i++)
        for (unsigned j = 0; j < faults->lies; j++)
            if (strcmp(liar->events[i].name, faults->lie[j].event) == 0)
                liar->events[i].source.lie = (int16_t)faults->lie[j].percent;
    return &liar->personality;
}

void fault_personality_free(const struct personality *made, const struct personality *original)
{
    if (made != original)
        free((struct liar *)(uintptr_t)made);
}

/* ---- registers ---- */

bool fault_msr(struct core *core)
{
    struct faults *faults = &core->machine->faults;

    return core->long_mode && ++faults->msr_seen == faults->msr;
}

static bool is_hot(const struct core *core)
{
    uint64_t at = core_now(core) % THROTTLE_SPAN;

    return core->machine->faults.throttle && at >= THROTTLE_BEGIN && at < THROTTLE_END;
}

void fault_after_read(struct core *core, uint32_t msr, uint64_t *value)
{
    const struct core_faults *mine = &core->faults;

    switch (msr) {
    case MSR_SMI_COUNT:
        *value += mine->smi_count;
        break;
    case IA32_MPERF: /* stands still with the core in a sleep only; IA32_APERF also with its clock
                      */
        *value += machine_ticks(core->machine, mine->stolen);
        break;
    case IA32_THERM_STATUS:
    case IA32_PACKAGE_THERM_STATUS:
        *value |= (is_hot(core) ? THERMAL_NOW : 0u) | (mine->throttled_before ? THERMAL_LOG : 0u);
        break;
    default:
        break;
    }
}

void fault_after_write(struct core *core, uint32_t msr, uint64_t value)
{
    if (msr == IA32_MPERF)
        core->faults.stolen = 0;
    if (msr == IA32_THERM_STATUS && !(value & THERMAL_LOG))
        core->faults.throttled_before = is_hot(core);
}

/* ---- time that is taken away ---- */

/* The handler: a counted loop and RSM. Its instructions go through the core and are counted, as on
 * parts that do not freeze counters in SMM. */
static void take_smi(struct core *core)
{
    static const uint8_t dec_ecx[] = {0xff, 0xc9}, jnz_back[] = {0x75, 0xfc}, rsm[] = {0x0f, 0xaa};
    struct executed record = {.length = 2, .end = END_NEXT};

    model_drain(core->model);
    for (unsigned round = 1; round <= SMM_ROUNDS; round++) {
        record.rip = SMM_HANDLER;
        record.next = SMM_HANDLER + 2;
        record.bytes = dec_ecx;
        trace_execute(core->machine->trace, core, &record);
        record.rip = SMM_HANDLER + 2;
        record.next = round < SMM_ROUNDS ? SMM_HANDLER : SMM_HANDLER + 4;
        record.bytes = jnz_back;
        trace_execute(core->machine->trace, core, &record);
    }
    record.rip = SMM_HANDLER + 4;
    record.next = core->rip;
    record.bytes = rsm;
    trace_execute(core->machine->trace, core, &record);
    model_drain(core->model);
}

void fault_turn(struct core *core)
{
    const struct faults *faults = &core->machine->faults;
    struct core_faults *mine = &core->faults;
    uint64_t now = core_now(core);

    if (!core->long_mode)
        return;
    if (faults->smi_period && now >= mine->smi_due) {
        if (mine->smi_due)
            mine->smi_count += (now - mine->smi_due) / faults->smi_period + 1;
        if (mine->smi_due)
            take_smi(core);
        mine->smi_due = core_now(core) + faults->smi_period;
    }
    if (is_hot(core) && core_now(core) >= mine->stop_due) {
        core_idle_until(core, core_now(core) + THROTTLE_RUN);
        mine->stolen += THROTTLE_RUN;
        mine->throttled_before = true;
        mine->stop_due = core_now(core) + THROTTLE_RUN;
    }
}

uint64_t fault_due(const struct core *core)
{
    const struct faults *faults = &core->machine->faults;
    uint64_t due = faults->smi_period ? core->faults.smi_due : NEVER;

    if (faults->throttle && is_hot(core) && core->faults.stop_due < due)
        due = core->faults.stop_due;
    return due;
}

bool fault_is_silent(const struct machine *machine, unsigned processor)
{
    return machine->faults.silent[processor / 8 % 32] >> processor % 8 & 1;
}

bool fault_stick_write(struct machine *machine, uint64_t bytes, bool *full)
{
    struct faults *faults = &machine->faults;

    *full = faults->stick == STICK_FULL;
    faults->stick_written += bytes;
    faults->stick_writes++;
    return (faults->stick == STICK_FULL && faults->stick_written > STICK_ROOM) ||
           (faults->stick == STICK_ERROR && faults->stick_writes > 1);
}
