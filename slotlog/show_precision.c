/* slotlog show LOG: precision curves, a row a point. */
#include "show_precision.h"

#include <math.h>
#include <string.h>

#include "whole_log.h"

static double entry(const json_t *record, const char *member, size_t at)
{
    return json_number_value(json_array_get(json_object_get(record, member), at));
}

/* The byte whose error is furthest from 0; NULL: there is none. */
static const char *worst_byte(json_t *record, double *error)
{
    const char *name, *worst = NULL;
    json_t *byte;

    json_object_foreach (json_object_get(record, "bytes"), name, byte) {
        const double one = json_number_value(json_object_get(byte, "error"));

        if (worst != NULL && fabs(one) <= fabs(*error))
            continue;
        worst = name;
        *error = one;
    }
    return worst;
}

static bool same_curve(const json_t *record, const json_t *before)
{
    return before != NULL &&
           json_equal(json_object_get(record, "core"), json_object_get(before, "core")) &&
           json_integer_value(json_object_get(record, "dose")) ==
               json_integer_value(json_object_get(before, "dose")) &&
           strcmp(record_text(record, "kernel", ""), record_text(before, "kernel", "")) == 0;
}

static void show_heading(FILE *file, const json_t *record)
{
    const json_t *dose = json_object_get(record, "dose");

    fprintf(file, "\nPERF_METRICS at two points of a run, core %lld %s",
            (long long)json_integer_value(json_object_get(record, "core")),
            record_text(record, "kernel", "-"));
    if (dose != NULL)
        fprintf(file, " at %lld %%", (long long)json_integer_value(dose));
    fprintf(file, "\n  %-14s %21s  %9s  %9s  %s\n", "before", "times the region", "a step is",
            "error", "of");
}

void show_precision(FILE *file, const struct whole_log *log)
{
    const json_t *before = NULL;
    json_t *record;
    size_t i;

    json_array_foreach (log->records, i, record) {
        const char *worst;
        double error = 0;

        if (strcmp(record_text(record, "type", ""), "precision") != 0)
            continue;
        if (!same_curve(record, before))
            show_heading(file, record);
        before = record;
        worst = worst_byte(record, &error);
        fprintf(file, "  %-7s %-6s %9.1f to %8.1f  %9.4f  %9.4f  %s\n",
                record_text(record, "before", "-"),
                json_is_true(json_object_get(record, "reset")) ? "reset" : "",
                entry(record, "ratio", 0), entry(record, "ratio", 1),
                json_number_value(json_object_get(record, "bound")), error,
                worst != NULL ? worst : "-");
    }
}
