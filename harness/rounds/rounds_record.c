#include "rounds_record.h"

#include "boot/clock.h"
#include "boot/format.h"

static void name_round(const struct rounds *rounds, char *out, size_t size)
{
    if (rounds->wanted == 0)
        format(out, size, "round %llu", (unsigned long long)rounds->number);
    else
        format(out, size, "round %llu of %llu", (unsigned long long)rounds->number,
               (unsigned long long)rounds->wanted);
}

void rounds_log_begin(const struct rounds *rounds)
{
    char name[64];

    name_round(rounds, name, sizeof(name));
    if (rounds_wanted(rounds))
        log_comment("%s begins", name);
}

static void value_member(struct json_line *record, const char *key, const struct round_value *value,
                         const char *from, const char *to)
{
    if (value->kernel == NULL) {
        json_line_null(record, key);
        return;
    }
    json_line_object(record, key);
    json_line_unsigned(record, "core", value->core);
    json_line_text(record, "kernel", value->kernel);
    if (value->dose > 0)
        json_line_unsigned(record, "dose", value->dose);
    if (value->node != NULL)
        json_line_text(record, "node", value->node->name);
    json_line_real(record, from, value->from, 4);
    json_line_real(record, to, value->to, 4);
    json_line_end(record);
}

static void send(const struct rounds *rounds, const struct log_totals *verdicts, uint64_t discarded,
                 uint64_t memory)
{
    struct json_line *record = log_record("round");

    json_line_unsigned(record, "round", rounds->number);
    if (rounds->wanted > 0)
        json_line_unsigned(record, "rounds", rounds->wanted);
    else
        json_line_null(record, "rounds");
    json_line_unsigned(record, "pass", verdicts->passed);
    json_line_unsigned(record, "fail", verdicts->failed);
    json_line_unsigned(record, "skip", verdicts->skipped);
    json_line_unsigned(record, "discarded", discarded - rounds->discarded_before);
    json_line_unsigned(record, "results", rounds->results);
    json_line_unsigned(record, "unsaid", rounds->unsaid);
    value_member(record, "node", &rounds->node, "first", "now");
    value_member(record, "cpi", &rounds->cpi, "first", "now");
    value_member(record, "widest", &rounds->widest, "min", "max");
    json_line_unsigned(record, "memory_bytes", memory);
    if (clock_trouble() == NULL)
        json_line_unsigned(record, "duration_us",
                           (clock_now() - rounds->began) / clock_ticks_per_us());
    else
        json_line_null(record, "duration_us");
    log_send(record);
}

void rounds_record(const struct rounds *rounds, uint64_t discarded, uint64_t memory)
{
    const struct log_totals now = log_totals(), verdicts = rounds_verdicts(rounds, &now);
    const struct round_value *node = &rounds->node;
    char name[64], moved[200] = "";

    name_round(rounds, name, sizeof(name));
    send(rounds, &verdicts, discarded, memory);
    if (node->kernel != NULL)
        format(moved, sizeof(moved), "; %s of %s on core %u moved most since round 1, by %.4f",
               node->node->name, node->kernel, node->core, node->to - node->from);
    log_comment("%s: %llu ok, %llu not ok, %llu skipped%s", name,
                (unsigned long long)verdicts.passed, (unsigned long long)verdicts.failed,
                (unsigned long long)verdicts.skipped, moved);
}
