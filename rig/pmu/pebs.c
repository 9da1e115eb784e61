/* Event-based sampling into memory: from the overflow of a counter to its record, and the registers
 * that control it. What a record looks like is in pebs_record.c.
 *
 * An overflow arms the counter at the next instruction boundary. What the counter counts before it
 * is armed is not recorded: this is the shadow, which silicon has too. The record of a precise
 * event is taken after the next instruction that causes the event, and names that instruction. A
 * counter with precise distribution needs no next event: shortly before its overflow the machine
 * looks at every instruction, and the record is of the very instruction that overflows it. Of an
 * event that the model tells ahead of its retirement (foresee.h) the machine knows that instruction
 * before it retires, and only then lets what is in flight retire; of any other it does so after
 * every instruction.
 * An event that is not precise is recorded at the boundary after the arming, whatever its
 * instruction is. Taking the record lets everything in flight retire, as the microcode of silicon
 * does.
 *
 * Sources: SDM 3B, "Processor Event Based Sampling" of each microarchitecture, "DS Area", "Precise
 * Distribution of Instructions Retired (PDIR)". */
#include "pebs.h"

#include <string.h>

#include "ds.h"
#include "events.h"

enum {
    IA32_PEBS_ENABLE = 0x3f1,
    MSR_PEBS_DATA_CFG = 0x3f2,
    IA32_DS_AREA = 0x600,
};

/* The management area in 64-bit format */
#define DS_PEBS_BASE      0x20
#define DS_PEBS_INDEX     0x28
#define DS_RESET          0x40 /* + 8 * slot */
#define RESET_FIXED       8    /* the slot of fixed counter 0 */
#define RESET_FIXED_WIDE  32   /* from format 5 on */
#define FORMAT_WIDE_RESET 5
#define APPROACH          2048 /* events before the overflow: more than can be in flight */

unsigned pebs_format(const struct pmu *pmu)
{
    return pmu->parameters->capabilities >> 8 & 0xf;
}

bool pebs_is_adaptive(const struct pmu *pmu)
{
    return pmu->parameters->capabilities & CAPABILITIES_PEBS_BASELINE;
}

static bool is_precise(const struct pmu *pmu, uint64_t select)
{
    const struct pebs_parameters *parameters = &pmu->parameters->pebs;
    uint8_t code = (uint8_t)(select & 0xff);
    uint16_t umask = events_umask(select);
    size_t i;

    for (i = 0; i < parameters->precise_count; i++)
        if (parameters->precise[i].code == code &&
            (parameters->precise[i].umask == umask || parameters->precise[i].umask == ANY_UMASK))
            return true;
    return false;
}

/* The counter of a status bit, general-purpose or fixed. */
static struct counter *counter_of(struct pmu *pmu, unsigned bit)
{
    return bit < GLOBAL_FIXED_SHIFT ? &pmu->gp[bit] : &pmu->fixed[bit - GLOBAL_FIXED_SHIFT];
}

/* Fixed counter 0 counts instructions, which are precise; the others count cycles and slots. */
static bool counter_is_precise(const struct pmu *pmu, unsigned bit)
{
    return bit < GLOBAL_FIXED_SHIFT ? is_precise(pmu, pmu->select[bit]) : bit == GLOBAL_FIXED_SHIFT;
}

/* Which counters make records. Before version 5 the upper half of IA32_PEBS_ENABLE enables load
 * latency, not fixed counters. */
static uint64_t takers(const struct pmu *pmu)
{
    uint64_t counters = pmu->pebs.enable, taken = 0;
    unsigned i;

    for (i = 0; i < pmu->gp_count; i++)
        if (counters >> i & 1 &&
            (pmu->parameters->pebs.any_event || is_precise(pmu, pmu->select[i])))
            taken |= UINT64_C(1) << i;
    for (i = 0; pmu->parameters->version >= 5 && i < pmu->parameters->fixed; i++)
        taken |= counters & pmu->fixed[i].status;
    return taken;
}

/* Which of `counters` have precise distribution with the events that they count. */
static uint64_t without_shadow(const struct pmu *pmu, uint64_t counters)
{
    const struct pebs_parameters *parameters = &pmu->parameters->pebs;
    const struct precise_event *event = &parameters->distributed_event;
    uint64_t distributed = counters & parameters->distributed;
    unsigned i;

    for (i = 0; i < pmu->gp_count; i++) {
        bool fits = event->code ? (pmu->select[i] & 0xff) == event->code &&
                                      events_umask(pmu->select[i]) == event->umask
                                : is_precise(pmu, pmu->select[i]);

        if (!fits)
            distributed &= ~(UINT64_C(1) << i);
    }
    return distributed;
}

static bool is_near(struct pmu *pmu)
{
    unsigned bit;

    for (bit = 0; bit < GLOBAL_FIXED_SHIFT + PMU_FIXED_MAX; bit++)
        if (pmu->pebs.exact >> bit & 1) {
            const struct counter *counter = counter_of(pmu, bit);

            if (counter->mask - counter->value < APPROACH)
                return true;
        }
    return false;
}

void pebs_reset(struct pmu *pmu)
{
    bool watching = pmu->pebs.watching;

    memset(&pmu->pebs, 0, sizeof(pmu->pebs));
    pmu->pebs.watching = watching; /* pebs_refresh calls the host */
}

void pebs_refresh(struct pmu *pmu)
{
    uint64_t running = 0;
    bool watch;
    unsigned i;

    for (i = 0; i < pmu->active_count; i++)
        running |= pmu->active[i]->status;
    for (i = 0; i < pmu->access_event_count; i++)
        running |= pmu->access_events[i]->status;
    pmu->pebs.exact = without_shadow(pmu, takers(pmu) & running);
    watch = (pmu->pebs.waiting | pmu->pebs.armed) & running || is_near(pmu);
    if (!(watch | pmu->pebs.watching) || pmu->host.watch == NULL)
        return;
    pmu->pebs.watching = watch;
    pmu->host.watch(pmu->host.context, watch);
}

void pebs_approach(struct pmu *pmu)
{
    if (!pmu->pebs.watching && is_near(pmu))
        pebs_refresh(pmu);
}

void pebs_overflow(struct pmu *pmu, uint64_t counters)
{
    if (!pmu->pebs.enable || !(counters & takers(pmu)))
        return;
    pmu->pebs.waiting |= counters & takers(pmu) & ~pmu->pebs.armed;
    pebs_refresh(pmu);
}

static void arm(struct pmu *pmu)
{
    unsigned bit;

    for (bit = 0; bit < GLOBAL_FIXED_SHIFT + PMU_FIXED_MAX; bit++)
        if (pmu->pebs.waiting >> bit & 1)
            pmu->pebs.armed_value[bit] = counter_of(pmu, bit)->value;
    pmu->pebs.armed |= pmu->pebs.waiting;
    pmu->pebs.waiting = 0;
}

static uint64_t fired(struct pmu *pmu)
{
    uint64_t counters = 0;
    unsigned bit;

    for (bit = 0; bit < GLOBAL_FIXED_SHIFT + PMU_FIXED_MAX; bit++) {
        if (!(pmu->pebs.armed >> bit & 1))
            continue;
        if (!counter_is_precise(pmu, bit) ||
            counter_of(pmu, bit)->value != pmu->pebs.armed_value[bit])
            counters |= UINT64_C(1) << bit;
    }
    return counters;
}

bool pebs_reset_value(struct pmu *pmu, unsigned slot, uint64_t *value)
{
    return pmu->host.read(pmu->host.context, pmu->pebs.area + DS_RESET + 8 * slot, value,
                          sizeof(*value));
}

/* Reloads the counters from the DS area, even if the buffer had no room: otherwise they would stay
 * armed for ever. */
static void reload(struct pmu *pmu, uint64_t counters)
{
    unsigned fixed = pebs_format(pmu) >= FORMAT_WIDE_RESET ? RESET_FIXED_WIDE : RESET_FIXED;
    unsigned bit;

    for (bit = 0; bit < GLOBAL_FIXED_SHIFT + PMU_FIXED_MAX; bit++) {
        unsigned slot = bit < GLOBAL_FIXED_SHIFT ? bit : fixed + bit - GLOBAL_FIXED_SHIFT;
        struct counter *counter;
        uint64_t value;

        if (!(counters >> bit & 1))
            continue;
        counter = counter_of(pmu, bit);
        if (pebs_reset_value(pmu, slot, &value))
            counter->value = value & counter->mask;
    }
}

bool pebs_append(struct pmu *pmu, const struct pebs_record *record, bool *full)
{
    void *context = pmu->host.context;
    struct ds_buffer buffer;

    if (!pmu->host.read(context, pmu->pebs.area + DS_PEBS_BASE, &buffer, sizeof(buffer)) ||
        !ds_has_room(&buffer, record->size) ||
        !pmu->host.write(context, buffer.index, record->bytes, record->size))
        return false;
    buffer.index += record->size;
    *full = buffer.index >= buffer.threshold;
    return pmu->host.write(context, pmu->pebs.area + DS_PEBS_INDEX, &buffer.index,
                           sizeof(buffer.index));
}

/* True: the buffer has reached its threshold. */
static bool take_record(struct pmu *pmu, uint64_t counters, const struct pmu_boundary *boundary)
{
    struct pebs_record record;
    bool full = false;

    pebs_compose(pmu, counters, boundary, &record);
    pebs_append(pmu, &record, &full);
    reload(pmu, counters);
    pmu->pebs.armed &= ~counters;
    pmu->global_status &= ~counters;
    if (full)
        pmu->global_status |= STATUS_OVF_DS_BUFFER;
    pebs_refresh(pmu);
    return full;
}

bool pebs_boundary(struct pmu *pmu, const struct pmu_boundary *boundary)
{
    const uint64_t exact = without_shadow(pmu, pmu->pebs.waiting);
    const uint64_t counters = fired(pmu) | exact;

    pmu->pebs.waiting &= ~exact;
    if (pmu->pebs.waiting)
        arm(pmu);
    return counters && take_record(pmu, counters, boundary);
}

enum access_result pebs_read(const struct pmu *pmu, uint32_t msr, uint64_t *value)
{
    const struct pebs_parameters *parameters = &pmu->parameters->pebs;

    if (msr == IA32_DS_AREA)
        *value = pmu->pebs.area;
    else if (msr == IA32_PEBS_ENABLE && parameters->enable_writable)
        *value = pmu->pebs.enable;
    else if (msr == MSR_PEBS_DATA_CFG && parameters->data_cfg_writable)
        *value = pmu->pebs.data_cfg;
    else
        return ACCESS_NOT_MINE;
    return ACCESS_OK;
}

static enum access_result write_enable(struct pmu *pmu, uint64_t value)
{
    if (value & ~pmu->parameters->pebs.enable_writable)
        return ACCESS_FAULT;
    pmu->pebs.enable = value;
    pmu->pebs.waiting &= takers(pmu);
    pmu->pebs.armed &= takers(pmu);
    return ACCESS_OK;
}

enum access_result pebs_write(struct pmu *pmu, uint32_t msr, uint64_t value)
{
    const struct pebs_parameters *parameters = &pmu->parameters->pebs;

    if (msr == IA32_DS_AREA) {
        if (!is_canonical(value))
            return ACCESS_FAULT;
        pmu->pebs.area = value;
    } else if (msr == IA32_PEBS_ENABLE && parameters->enable_writable) {
        return write_enable(pmu, value);
    } else if (msr == MSR_PEBS_DATA_CFG && parameters->data_cfg_writable) {
        if (value & ~parameters->data_cfg_writable)
            return ACCESS_FAULT;
        pmu->pebs.data_cfg = value;
    } else {
        return ACCESS_NOT_MINE;
    }
    return ACCESS_OK;
}
