#include "counters.h"

#include "boot/format.h"
#include "boot/msr.h"
#include "boot/text.h"
#include "kind.h"
#include "metrics.h"

/* How often counters are read again at most, until two readings agree. */
#define TAKES_MORE 3u

/* SDM volume 4: what is "shared" by the threads of a core. MSR_LBR_SELECT of Nehalem and Westmere
 * is, too: it is written while one thread of the core is at work only. */
static bool is_shared(const struct saved_registers *saved, uint32_t msr)
{
    return msr == IA32_PEBS_ENABLE || saved->is_shared(msr);
}

/* Null: it did not save the register, or has one of its own. */
static const struct msr_value *saved_beside(const struct saved_registers *saved, uint32_t msr)
{
    if (saved->beside == NULL || !is_shared(saved, msr))
        return NULL;
    for (unsigned i = 0; i < saved->beside->count; i++)
        if (saved->beside->registers[i].msr == msr)
            return &saved->beside->registers[i];
    return NULL;
}

enum rc saved_keep(struct saved_registers *saved, uint32_t msr)
{
    const struct msr_value *beside;
    uint64_t value;

    for (unsigned i = 0, at = saved->next; i < saved->count; i++, at++) {
        if (at >= saved->count)
            at = 0;
        if (saved->registers[at].msr != msr)
            continue;
        saved->next = at + 1;
        return RC_OK;
    }
    if (saved->count == SAVED_REGISTERS)
        return RC_NO_SPACE;
    if (!msr_read(msr, &value))
        return RC_FAULT;
    beside = saved_beside(saved, msr);
    if (beside != NULL)
        value = beside->value;
    saved->registers[saved->count++] = (struct msr_value){msr, value};
    return RC_OK;
}

/* Registers that firmware may have left at work, with the bits that record, to memory or into a
 * stack, or stop counters or records at an interrupt. They are cleared while the core is measured;
 * all other bits stay: FREEZE_WHILE_SMM alone disturbs nothing. */
#define RECORDERS (4 + KIND_RECORDERS)

/* Processor trace comes first: while it is on, LBR cannot be written on some parts. A register that
 * this core does not announce is left out: its number may be another register's. */
static unsigned recorders_of(const struct facts *facts, struct recorder recorders[RECORDERS])
{
    const uint64_t debugctl = field_mask(DEBUGCTL_LBR) | field_mask(DEBUGCTL_TRACES) |
                              field_mask(DEBUGCTL_FREEZE_LBRS_ON_PMI) |
                              field_mask(DEBUGCTL_FREEZE_PERFMON_ON_PMI);
    const struct pmu_kind *kind = kind_of(facts);
    unsigned count = 0;

    if (facts->processor_trace)
        recorders[count++] = (struct recorder){IA32_RTIT_CTL, field_mask(RTIT_CTL_TRACE_EN)};
    if (facts->lbr.depth > 0)
        recorders[count++] = (struct recorder){IA32_LBR_CTL, field_mask(LBR_CTL_LBREN)};
    recorders[count++] = (struct recorder){
        IA32_DEBUGCTL, kind->debugctl_records != 0 ? kind->debugctl_records : debugctl};
    recorders[count++] = (struct recorder){IA32_PEBS_ENABLE, UINT64_MAX};
    for (unsigned i = 0; i < kind->recorder_count; i++)
        recorders[count++] = kind->recorders[i];
    return count;
}

enum rc counters_silence(struct saved_registers *saved, const struct facts *facts,
                         uint32_t *failed_msr)
{
    struct recorder recorders[RECORDERS];
    const unsigned count = recorders_of(facts, recorders);

    for (unsigned i = 0; i < count; i++) {
        uint64_t value;
        enum rc rc;

        *failed_msr = recorders[i].msr;
        if (!msr_read(recorders[i].msr, &value) || (value & recorders[i].bits) == 0)
            continue;
        rc = saved_keep(saved, recorders[i].msr);
        if (rc == RC_OK && !msr_write(recorders[i].msr, value & ~recorders[i].bits))
            rc = RC_FAULT;
        if (rc != RC_OK)
            return rc;
    }
    return RC_OK;
}

bool counters_at_work(const struct facts *facts, const struct msr_value *found)
{
    struct recorder recorders[RECORDERS];
    const unsigned count = recorders_of(facts, recorders);

    if (kind_of(facts)->is_counting != NULL && kind_of(facts)->is_counting(found))
        return true;
    for (unsigned i = 0; i < count; i++)
        if (found->msr == recorders[i].msr)
            return (found->value & recorders[i].bits) != 0;
    if (found->msr == IA32_FIXED_CTR_CTRL) {
        for (unsigned i = 0; i < 16; i++)
            if (field_get(found->value >> i * FIXED_CTR_CTRL_STEP, FIXED_CTR_CTRL_EN0) != 0)
                return true;
        return false;
    }
    return found->msr >= IA32_PERFEVTSEL0 && found->msr < IA32_PERFEVTSEL0 + GENERAL_COUNTERS &&
           field_get(found->value, PERFEVTSEL_EN) != 0;
}

/* Whether the register starts counting or recording: such registers are stopped first and restored
 * last. */
static bool starts_something(uint32_t msr)
{
    return register_starts_all(msr) || msr == IA32_DEBUGCTL || msr == IA32_LBR_CTL ||
           msr == IA32_RTIT_CTL;
}

/* "Performance Metrics": PERF_METRICS is written after the slots counter that it is a share of. */
static unsigned restore_step(uint32_t msr)
{
    return starts_something(msr) ? 2 : msr == MSR_PERF_METRICS;
}

unsigned saved_restore(const struct saved_registers *saved,
                       void (*difference)(void *context, uint32_t msr, uint64_t was, uint64_t is,
                                          bool readable),
                       void *context)
{
    unsigned differences = 0;

    for (unsigned i = 0; i < saved->count; i++)
        if (starts_something(saved->registers[i].msr))
            msr_write(saved->registers[i].msr, 0); /* the write below reports a fault */
    for (unsigned step = 0; step < 3; step++)
        for (unsigned i = saved->count; i > 0; i--) {
            const struct msr_value *old = &saved->registers[i - 1];
            uint64_t now = 0;
            bool written, readable;

            if (restore_step(old->msr) != step)
                continue;
            written = msr_write(old->msr, old->value);
            readable = msr_read(old->msr, &now);
            if (written && readable && now == old->value)
                continue;
            differences++;
            difference(context, old->msr, old->value, now, readable);
        }
    return differences;
}

INTERRUPT_SAFE enum rc counters_setup(const struct pass *pass, uint32_t *failed_msr)
{
    for (unsigned i = 0; i < pass->setup_count; i++)
        if (!msr_write(pass->setup[i].msr, pass->setup[i].value)) {
            *failed_msr = pass->setup[i].msr;
            return RC_FAULT;
        }
    return RC_OK;
}

INTERRUPT_SAFE static bool read_index(uint32_t index, unsigned width, uint64_t *value,
                                      uint32_t *failed_index)
{
    if (!rdpmc_read(index, value)) {
        *failed_index = index;
        return false;
    }
    if (width > 0 && width < 64)
        *value &= (1ull << width) - 1;
    return true;
}

INTERRUPT_SAFE static bool has_metrics(const struct pass *pass)
{
    for (unsigned i = 0; i < pass->reading_count; i++)
        if (pass->readings[i].kind >= READING_SLOTS)
            return true;
    return false;
}

static bool overflow_bit(const struct reading *reading, uint64_t status)
{
    switch (reading->kind) {
    case READING_GENERAL:
        return field_get(status, PERF_GLOBAL_STATUS_OVF_PMC) >> reading->counter & 1;
    case READING_METRIC:
        return field_get(status, PERF_GLOBAL_STATUS_OVF_PERF_METRICS);
    default:
        return field_get(status, PERF_GLOBAL_STATUS_OVF_FIXED_CTR) >> reading->counter & 1;
    }
}

/* `fast`: by RDPMC's fast form. */
INTERRUPT_SAFE static bool read_general(const struct reading *reading, const struct facts *facts,
                                        bool fast, uint64_t *value, uint32_t *failed_index)
{
    if (fast)
        return read_index(reading->counter | RDPMC_FAST, 32, value, failed_index);
    return read_index(reading->counter, facts->general_width, value, failed_index);
}

INTERRUPT_SAFE static enum rc take_once(const struct pass *pass, const struct facts *facts,
                                        bool fast, struct raw_counts *raw, uint32_t *failed_index)
{
    raw->slots = raw->metrics = raw->status = 0;
    if (has_metrics(pass)) {
        if (!read_index(RDPMC_FIXED + 3, facts->fixed_width, &raw->slots, failed_index) ||
            !read_index(RDPMC_PERF_METRICS, 64, &raw->metrics, failed_index))
            return RC_FAULT;
    }
    for (unsigned i = 0; i < pass->reading_count; i++) {
        const struct reading *reading = &pass->readings[i];

        if (reading->kind == READING_GENERAL
                ? !read_general(reading, facts, fast && pass->fast, &raw->value[i], failed_index)
                : reading->kind == READING_FIXED &&
                      !read_index(RDPMC_FIXED + reading->counter, facts->fixed_width,
                                  &raw->value[i], failed_index))
            return RC_FAULT;
    }
    if (facts->version >= 2 && !msr_read(kind_of(facts)->global_status, &raw->status)) {
        *failed_index = kind_of(facts)->global_status;
        return RC_FAULT;
    }
    return RC_OK;
}

/* The index of a counter that the two readings do not agree on in *differs; false: they agree.
 * `other` is by the fast form, where there is one. */
INTERRUPT_SAFE static bool readings_differ(const struct pass *pass, const struct raw_counts *one,
                                           const struct raw_counts *other, uint32_t *differs)
{
    *differs = one->slots != other->slots ? RDPMC_FIXED + 3 : RDPMC_PERF_METRICS;
    if (one->slots != other->slots || one->metrics != other->metrics)
        return true;
    for (unsigned i = 0; i < pass->reading_count; i++) {
        const struct reading *reading = &pass->readings[i];
        const bool general = reading->kind == READING_GENERAL, fast = general && pass->fast;

        if (reading->kind >= READING_SLOTS ||
            (one->value[i] & (fast ? UINT32_MAX : UINT64_MAX)) == other->value[i])
            continue;
        *differs = reading->counter + (fast ? RDPMC_FAST : general ? 0u : RDPMC_FIXED);
        return true;
    }
    return false;
}

INTERRUPT_SAFE enum rc counters_take(const struct pass *pass, const struct facts *facts,
                                     struct raw_counts *raw, uint32_t *failed_index)
{
    struct raw_counts other;

    if (take_once(pass, facts, false, raw, failed_index) != RC_OK)
        return RC_FAULT;
    for (unsigned again = 0; again < TAKES_MORE; again++) {
        const bool fast = again % 2 == 0;

        if (take_once(pass, facts, fast, fast ? &other : raw, failed_index) != RC_OK)
            return RC_FAULT;
        if (readings_differ(pass, raw, &other, failed_index))
            continue;
        raw->status |= other.status;
        return RC_OK;
    }
    return RC_FAULT;
}

void counters_make(const struct pass *pass, struct raw_counts *raw)
{
    for (unsigned i = 0; i < pass->reading_count; i++) {
        const struct reading *reading = &pass->readings[i];

        if (reading->kind == READING_SLOTS)
            raw->value[i] = raw->slots;
        if (reading->kind == READING_METRIC)
            raw->value[i] =
                (uint64_t)(metrics_slots(raw->metrics, raw->slots, reading->field) + 0.5);
        raw->overflowed[i] = raw->status != 0 && overflow_bit(reading, raw->status);
    }
}

enum rc counters_read(const struct pass *pass, const struct facts *facts, struct raw_counts *raw,
                      uint32_t *failed_index)
{
    if (counters_take(pass, facts, raw, failed_index) != RC_OK)
        return RC_FAULT;
    counters_make(pass, raw);
    return RC_OK;
}

const char *msr_name(const struct facts *facts, uint32_t msr, char *out, unsigned size)
{
    static const struct {
        uint32_t first, count;
        const char *name, *after;
    } rows[] = {
        {IA32_PMC0, GENERAL_COUNTERS, "IA32_PMC", ""},
        {IA32_PERFEVTSEL0, GENERAL_COUNTERS, "IA32_PERFEVTSEL", ""},
        {IA32_FIXED_CTR0, 16, "IA32_FIXED_CTR", ""},
        {IA32_A_PMC0, GENERAL_COUNTERS, "IA32_A_PMC", ""},
        {MSR_LASTBRANCH_0_FROM_IP_CORE, 8, "MSR_LASTBRANCH_", "_FROM_IP"},
        {MSR_LASTBRANCH_0_TO_IP_CORE, 8, "MSR_LASTBRANCH_", "_TO_IP"},
        {MSR_LASTBRANCH_0_FROM_IP, 32, "MSR_LASTBRANCH_", "_FROM_IP"},
        {MSR_LASTBRANCH_0_TO_IP, 32, "MSR_LASTBRANCH_", "_TO_IP"},
        {MSR_LBR_INFO_0, 32, "MSR_LBR_INFO_", ""},
        {IA32_LBR_0_INFO, 32, "IA32_LBR_", "_INFO"},
        {IA32_LBR_0_FROM_IP, 32, "IA32_LBR_", "_FROM_IP"},
        {IA32_LBR_0_TO_IP, 32, "IA32_LBR_", "_TO_IP"},
        {IA32_LBR_CTL, 1, "IA32_LBR_CTL", ""},
        {IA32_RTIT_CTL, 1, "IA32_RTIT_CTL", ""},
        {IA32_LBR_DEPTH, 1, "IA32_LBR_DEPTH", ""},
        {IA32_BIOS_SIGN_ID, 1, "IA32_BIOS_SIGN_ID", ""},
        {MSR_TSX_FORCE_ABORT, 1, "MSR_TSX_FORCE_ABORT", ""},
        {MSR_LBR_SELECT, 1, "MSR_LBR_SELECT", ""},
        {MSR_LASTBRANCH_TOS, 1, "MSR_LASTBRANCH_TOS", ""},
        {IA32_DEBUGCTL, 1, "IA32_DEBUGCTL", ""},
        {IA32_PEBS_ENABLE, 1, "IA32_PEBS_ENABLE", ""},
        {MSR_PEBS_DATA_CFG, 1, "MSR_PEBS_DATA_CFG", ""},
        {MSR_PEBS_LD_LAT, 1, "MSR_PEBS_LD_LAT", ""},
        {MSR_PEBS_FRONTEND, 1, "MSR_PEBS_FRONTEND", ""},
        {MSR_OFFCORE_RSP_0, 2, "MSR_OFFCORE_RSP_", ""},
        {IA32_DS_AREA, 1, "IA32_DS_AREA", ""},
        {IA32_MISC_ENABLE, 1, "IA32_MISC_ENABLE", ""},
        {MSR_PERF_METRICS, 1, "MSR_PERF_METRICS", ""},
        {MSR_MISC_FEATURE_CONTROL, 1, "MSR_MISC_FEATURE_CONTROL", ""},
        {IA32_PERF_CAPABILITIES, 1, "IA32_PERF_CAPABILITIES", ""},
        {IA32_FIXED_CTR_CTRL, 1, "IA32_FIXED_CTR_CTRL", ""},
        {IA32_PERF_GLOBAL_STATUS, 1, "IA32_PERF_GLOBAL_STATUS", ""},
        {IA32_PERF_GLOBAL_CTRL, 1, "IA32_PERF_GLOBAL_CTRL", ""},
        {IA32_PERF_GLOBAL_OVF_CTRL, 1, "IA32_PERF_GLOBAL_OVF_CTRL", ""},
    };

    if (kind_of(facts)->register_name != NULL && kind_of(facts)->register_name(msr, out, size))
        return out;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (msr >= rows[i].first && msr - rows[i].first < rows[i].count) {
            if (rows[i].count == 1)
                format(out, size, "%s", rows[i].name);
            else
                format(out, size, "%s%u%s", rows[i].name, msr - rows[i].first, rows[i].after);
            return out;
        }
    format(out, size, "MSR 0x%x", msr);
    return out;
}

/* "RDPMC": the type in bits 31:16, and the number of a counter, of which no kind has so many. */
static bool is_index(uint32_t index_or_msr)
{
    return index_or_msr >= RDPMC_PERF_METRICS || index_or_msr < 32;
}

const char *failed_name(const struct facts *facts, uint32_t index_or_msr, char *out, unsigned size)
{
    if (!is_index(index_or_msr))
        return msr_name(facts, index_or_msr, out, size);
    format(out, size, "RDPMC 0x%x", index_or_msr);
    return out;
}
