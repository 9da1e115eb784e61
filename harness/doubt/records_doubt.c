#include "records_doubt.h"

#include "harness/records/record_members.h"

static void outlier_object(struct json_line *record, const struct outlier *outlier, uint64_t n)
{
    json_line_object(record, NULL);
    json_line_text(record, "event", outlier->event->name);
    json_line_unsigned(record, "window", outlier->window);
    json_line_unsigned(record, "iterations", outlier->twice ? 2 * n : n);
    json_line_unsigned(record, "counted", outlier->value);
    json_line_unsigned(record, "middle", outlier->middle);
    json_line_end(record);
}

static void disagree_member(struct json_line *record, const struct first_count *first,
                            const struct results *second)
{
    for (unsigned i = 0; i < second->count; i++) {
        const struct count *count = &second->counts[i];

        if (count->event != first->event || !count->measured || record->length > RECORD_FULL ||
            second_look_agree(first, count, second_look_cycles(second)))
            continue;
        json_line_array(record, count->event->name);
        json_line_real(record, NULL, first->value, 0);
        json_line_real(record, NULL, count->value, 0);
        json_line_end(record);
    }
}

void record_outliers(const struct measured_core *core, const struct measurement *m,
                     const struct second_look *look, const struct results *second)
{
    struct json_line *record = record_begin("outliers", core, m->kernel->name, "count");
    struct outliers again;

    record_circumstances(record, m);
    json_line_unsigned(record, "iterations", m->n);
    json_line_unsigned(record, "apart", look->outliers.count);
    if (second != NULL) {
        outliers_find(&again, m);
        json_line_unsigned(record, "apart_again", again.count);
    } else {
        json_line_null(record, "apart_again");
    }
    json_line_array(record, "windows");
    for (unsigned i = 0; i < look->outliers.count && i < OUTLIERS_KEPT; i++)
        outlier_object(record, &look->outliers.first[i], m->n);
    json_line_end(record);
    json_line_object(record, "disagree");
    for (unsigned i = 0; second != NULL && i < look->count; i++)
        disagree_member(record, &look->first[i], second);
    json_line_end(record);
    log_send(record);
}

/* The numbers after `before`, up to `last`; null: there are none. */
static void range_member(struct json_line *record, const char *key, uint64_t before, uint64_t last)
{
    if (last == before) {
        json_line_null(record, key);
        return;
    }
    json_line_array(record, key);
    json_line_unsigned(record, NULL, before + 1);
    json_line_unsigned(record, NULL, last);
    json_line_end(record);
}

static void record_of_form(const struct measured_core *core, enum log_form form,
                           const struct agreement *now, const char *why)
{
    const enum log_form before = log_into(form);
    const struct log_numbers *from =
        form == LOG_BRIEF ? &core->compared.brief : &core->compared.full;
    const struct log_numbers *to = form == LOG_BRIEF ? &now->brief : &now->full;
    struct json_line *record = record_begin("doubt", core, NULL, "number");

    json_line_text(record, "why", why);
    range_member(record, "windows", core->compared.window, now->window);
    range_member(record, "verdicts", from->verdicts, to->verdicts);
    range_member(record, "records", from->records - 1, to->records - 1);
    log_send(record);
    log_into(before);
}

void record_doubt(const struct measured_core *core, const struct agreement *now, const char *why)
{
    record_of_form(core, LOG_BRIEF, now, why);
    record_of_form(core, LOG_FULL, now, why);
}
