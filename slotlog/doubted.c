#include "doubted.h"

#include <stdio.h>
#include <string.h>

/* Records without a number that rests on counters. */
static const char *const others[] = {"settings", "core", "cpuid", "guard", "outliers", "doubt",
                                     "error"};

struct doubt {
    json_int_t core;
    json_int_t records[2], verdicts[2]; /* from the first to the last; none where first > last */
};

static void read_range(const json_t *record, const char *member, json_int_t range[2])
{
    const json_t *list = json_object_get(record, member);

    range[0] = 1;
    range[1] = 0;
    for (size_t i = 0; json_array_size(list) == 2 && i < 2; i++)
        range[i] = json_integer_value(json_array_get(list, i));
}

static bool within(json_int_t number, const json_int_t range[2])
{
    return number >= range[0] && number <= range[1];
}

static bool is_number(const json_t *record, const struct doubt *doubt)
{
    const json_t *core = json_object_get(record, "core");
    const char *type = record_text(record, "type", "");

    if (!json_is_integer(core) || json_integer_value(core) != doubt->core)
        return false;
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
        if (strcmp(type, others[i]) == 0)
            return false;
    return within(json_integer_value(json_object_get(record, "seq")), doubt->records);
}

/* Of those before place `end`, where the record stands that doubts them. */
static size_t leave_records_out(struct whole_log *log, const struct doubt *doubt, size_t end)
{
    size_t count = 0;

    for (size_t i = end; i-- > 0;) {
        if (!is_number(json_array_get(log->records, i), doubt))
            continue;
        json_array_remove(log->records, i);
        count++;
    }
    return count;
}

static size_t leave_verdicts_out(struct whole_log *log, const struct doubt *doubt)
{
    size_t kept = 0, count;
    char core[32];
    const int length = snprintf(core, sizeof(core), "core %lld ", (long long)doubt->core);

    for (size_t i = 0; i < log->verdict_count; i++) {
        const struct log_verdict *verdict = &log->verdicts[i];

        if (verdict->ok && !verdict->skipped && within(verdict->number, doubt->verdicts) &&
            strncmp(verdict->claim, core, (size_t)length) == 0)
            continue;
        log->verdicts[kept++] = *verdict;
    }
    count = log->verdict_count - kept;
    log->verdict_count = kept;
    log->doubted += count;
    return count;
}

void doubted_leave_out(struct whole_log *log)
{
    json_t *record;
    size_t i;

    json_array_foreach (log->records, i, record) {
        struct doubt doubt = {.core = json_integer_value(json_object_get(record, "core"))};
        size_t records, verdicts;

        if (strcmp(record_text(record, "type", ""), "doubt") != 0)
            continue;
        read_range(record, "records", doubt.records);
        read_range(record, "verdicts", doubt.verdicts);
        records = leave_records_out(log, &doubt, i);
        verdicts = leave_verdicts_out(log, &doubt);
        i -= records;
        fprintf(stderr,
                "slotlog: %s: core %lld: %s: %zu records and %zu verdicts are doubted, and left "
                "out\n",
                log->name, (long long)doubt.core, record_text(record, "why", ""), records,
                verdicts);
    }
}
