#include "records_sampling.h"

#include "boot/log.h"
#include "harness/records/record_members.h"

static void add_spread(struct json_line *record, const char *key, bool valid,
                       const struct signed_spread *spread)
{
    if (valid)
        json_line_spread(record, key, spread->minimum, spread->median, spread->maximum);
    else
        json_line_null(record, key);
}

static void add_late(struct json_line *record, const struct seen *late)
{
    if (late->count == 0) {
        json_line_null(record, "late");
        return;
    }
    json_line_object(record, "late");
    json_line_unsigned(record, "min", late->lowest);
    json_line_real(record, "mean", late->sum / (double)late->count, 2);
    json_line_unsigned(record, "max", late->highest);
    if (late->apart > 0)
        json_line_unsigned(record, "apart", late->apart);
    json_line_end(record);
}

/* PEBS takes no interrupts, and does not say how many records a full buffer has lost. */
static void add_interrupts(struct json_line *record, const char *key, const struct sampler *s,
                           uint64_t count)
{
    if (s->memory.area != NULL)
        json_line_null(record, key);
    else
        json_line_unsigned(record, key, count);
}

/* Of what was kept: that no profile uses, since no instruction, block or edge of the code's map is
 * what it names, or for want of room. */
static void add_left_out(struct json_line *record, const struct sampler *s)
{
    const struct branches *branches = s->branches;
    const struct addresses *addresses = branches == NULL ? s->addresses : NULL;
    uint64_t samples = 0, records = 0, intervals = 0;

    if (branches != NULL) {
        samples = branches->short_stacks + branches->full;
        records = branches->broken;
        intervals = branches->broken_intervals;
    } else if (addresses != NULL) {
        samples = addresses->broken + addresses->ambiguous + addresses->full;
    }
    if (samples + records + intervals == 0)
        return;
    json_line_object(record, "left_out");
    json_line_unsigned(record, "samples", samples);
    json_line_unsigned(record, "records", records);
    json_line_unsigned(record, "intervals", intervals);
    json_line_end(record);
}

/* Why these are null, though a counter of all cycles is there. */
static void add_reasons(struct json_line *record, const struct sampler *s)
{
    static const char clocks[] = "the counter of all cycles and the clocks differ";
    const bool handler_off = s->cost.handler_off, total_off = s->total_off || s->undue;

    if (!s->cost.handler_known || (!handler_off && !total_off))
        return;
    json_line_object(record, "reasons");
    if (handler_off)
        json_line_text(record, "handler", clocks);
    if (total_off)
        json_line_text(record, "cycles_per_sample",
                       s->total_off ? clocks : "fewer samples came than are due, or more");
    json_line_end(record);
}

void record_sampling(const struct measured_core *core, const struct sampler *s, const char *series,
                     const char *event, uint32_t seed, double kernel_cycles)
{
    struct json_line *record =
        record_begin("sampling", core, s->measurement->kernel->name, "samples");
    const double samples = (double)(s->kept + s->outside);
    const bool total_known =
        s->cost.handler_known && !s->total_unknown && !s->total_off && !s->undue;

    json_line_text(record, "series", series);
    json_line_text(record, "event", event);
    json_line_unsigned(record, "period", s->periods.period);
    json_line_unsigned(record, "jitter", s->periods.jitter);
    json_line_unsigned(record, "seed", seed);
    json_line_text(record, "delivery",
                   s->memory.area != NULL   ? "pebs"
                   : s->delivery == PMI_NMI ? "nmi"
                                            : "vector");
    json_line_unsigned(record, "iterations", s->n);
    json_line_unsigned(record, "windows", s->windows);
    record_real(record, "first_window", s->windows > 0, (double)s->first_window, 0);
    record_real(record, "last_window", s->windows > 0, (double)s->last_window, 0);
    json_line_unsigned(record, "kept", s->kept);
    json_line_unsigned(record, "outside", s->outside);
    add_interrupts(record, "lost", s, s->lost);
    add_interrupts(record, "spurious", s, s->spurious);
    add_interrupts(record, "no_room", s, s->no_room);
    json_line_unsigned(record, "ended_early", s->ended_early);
    json_line_unsigned(record, "thrown_away", s->thrown_away);
    record_discarded(record, &core->registers.guards, s->discarded);
    add_left_out(record, s);
    if (s->behind > 0)
        json_line_unsigned(record, "behind", s->behind);
    add_late(record, &s->late);
    add_spread(record, "skid", s->cost.skid_missing == NULL, &s->cost.skid);
    add_spread(record, "gain", s->cost.gain_known, &s->cost.gain);
    add_spread(record, "refill", s->cost.skid_missing == NULL && s->cost.gain_known,
               &s->cost.refill);
    if (s->cost.skid_missing == NULL && s->cost.skid_windows < SKID_WINDOWS)
        json_line_unsigned(record, "skid_windows", s->cost.skid_windows);
    if (s->cost.gain_known && s->cost.gain_windows < GAIN_WINDOWS)
        json_line_unsigned(record, "gain_windows", s->cost.gain_windows);
    if (s->cost.skid_missing != NULL)
        json_line_text(record, "why", s->cost.skid_missing);
    add_spread(record, "handler", s->cost.handler_known && !s->cost.handler_off, &s->cost.handler);
    record_real(
        record, "cycles_per_sample", total_known && samples > 0,
        samples > 0 ? ((double)s->total_cycles - kernel_cycles * (double)s->windows) / samples : 0,
        1);
    add_reasons(record, s);
    log_send(record);
}

static void add_estimated(struct json_line *record, const char *key,
                          const struct estimated *estimated, unsigned decimals)
{
    if (estimated->reason != NULL) {
        json_line_null(record, key);
        return;
    }
    json_line_array(record, key);
    json_line_real(record, NULL, estimated->value, decimals);
    json_line_real(record, NULL, estimated->low, decimals);
    json_line_real(record, NULL, estimated->high, decimals);
    json_line_end(record);
}

/* Hundredths: a sample may be shared out among the ways that lead to a block. */
static void add_sampled(struct json_line *record, const struct profile_sampled *sampled)
{
    json_line_object(record, "sampled");
    json_line_real(record, "instructions", sampled->instructions, 2);
    json_line_real(record, "cycles", sampled->cycles, 2);
    json_line_end(record);
}

/* What makes the entries' sums the entries' numbers. */
static void add_totals(struct json_line *record, const struct profile *profile)
{
    add_sampled(record, &profile->sampled);
    json_line_object(record, "counted");
    record_real(record, "instructions", profile->instructions > 0, profile->instructions, 2);
    record_real(record, "cycles", profile->cycles > 0, profile->cycles, 2);
    json_line_end(record);
}

static void add_entry(struct json_line *record, const struct profile *profile,
                      enum profile_level level, uint32_t number)
{
    const struct profile_entry *entry = &profile->entries[level][number];
    const struct kernel_map *map = profile->map;

    json_line_object(record, NULL);
    json_line_unsigned(record, "offset", map_instruction_at(map, entry->first).offset);
    if (level == PROFILE_BLOCK)
        json_line_text(record, "label", map->blocks[number].label);
    if (level == PROFILE_FUNCTION)
        json_line_text(record, "label", map->functions[number].name);
    if (level != PROFILE_INSTRUCTION)
        json_line_unsigned(record, "length", entry->count);
    if (level != PROFILE_FUNCTION)
        add_estimated(record, "executions", &entry->executions, 2);
    add_estimated(record, "instructions", &entry->instructions, 2);
    add_estimated(record, "cycles", &entry->cycles, 2);
    add_estimated(record, "cpi", &entry->cpi, 4);
    record_real(record, "share", entry->share.reason == NULL, entry->share.value, 6);
    record_real(record, "executed_share", entry->executed_share >= 0, entry->executed_share, 6);
    json_line_unsigned(record, "samples", entry->samples);
    if (profile->plain)
        add_sampled(record, &entry->sampled);
    if (entry->cpi.reason != NULL)
        json_line_text(record, "why", entry->cpi.reason);
    json_line_end(record);
}

/* What of the cycles was shared out among groups, and what went to mispredicted branches, or why
 * none did. */
static void add_moves(struct json_line *record, const struct profile *profile)
{
    json_line_real(record, "grouped", profile->moves.grouped, 4);
    record_real(record, "resteered", profile->moves.missing == NULL, profile->moves.resteered, 4);
    if (profile->moves.missing != NULL)
        json_line_text(record, "why", profile->moves.missing);
    else if (profile->moves.twofold != NULL)
        json_line_text(record, "why", profile->moves.twofold);
}

void record_profile(const struct measured_core *core, const char *kernel,
                    const struct profile *profile, enum profile_level level, uint64_t n)
{
    uint32_t next = 0;

    for (unsigned part = 1; next < profile->count[level]; part++) {
        struct json_line *record = record_begin("cpi", core, kernel, "cycles per instruction");

        json_line_unsigned(record, "iterations", n);
        json_line_text(record, "method", profile->method);
        json_line_text(record, "level", profile_level_name(level));
        json_line_unsigned(record, "part", part);
        if (profile->moves.net != NULL)
            add_moves(record, profile);
        if (profile->plain)
            add_totals(record, profile);
        json_line_array(record, "entries");
        while (next < profile->count[level] && record->length < RECORD_FULL)
            add_entry(record, profile, level, next++);
        json_line_end(record);
        log_send(record);
    }
}
