#include "gap.h"

#include <string.h>

/* So many windows must tell where the one that is missing was. */
#define KNOWN 4

/* Whether the record says of all its windows how many instructions they have; then how many. */
static bool has_instructions(const json_t *record, json_int_t *instructions)
{
    const char *event;
    json_t *count;

    json_object_foreach (json_object_get(record, "events"), event, count) {
        const char *name = truth_name(event);

        *instructions = integer_of(count, "min");
        if (name != NULL && strcmp(name, "instructions") == 0)
            return *instructions > 0 && *instructions == integer_of(count, "max");
    }
    return false;
}

/* Whether all is right with window `gap` of the log missing in the truth; 0: none is missing. */
static bool is_right(const struct run *run, json_int_t core, json_int_t gap)
{
    unsigned known = 0;

    for (size_t i = 0; i < run->counts.count; i++) {
        const json_t *record = run->counts.items[i];
        const json_t *number;
        json_int_t instructions;
        size_t j;

        if (integer_of(record, "core") != core || !has_instructions(record, &instructions))
            continue;
        json_array_foreach (json_object_get(record, "windows"), j, number) {
            const json_int_t window = json_integer_value(number);
            const json_t *truth = truth_of(run, core, window - (gap > 0 && window > gap));

            if (window == gap || truth == NULL || integer_of(truth, "instructions") != instructions)
                return false;
            known++;
        }
    }
    return known >= KNOWN;
}

unsigned gap_fill(struct run *run)
{
    unsigned filled = 0;

    for (json_int_t core = 0; core < CORES; core++) {
        const json_int_t windows = (json_int_t)run->truth[core].count;
        json_int_t first = 0, last;

        if (windows == 0 || is_right(run, core, 0))
            continue;
        for (json_int_t gap = 1; gap <= windows + 1 && first == 0; gap++)
            first = is_right(run, core, gap) ? gap : 0;
        if (first == 0)
            continue;
        for (last = first; last <= windows && is_right(run, core, last + 1);)
            last++;
        leave_gap(run, core, first, last);
        filled++;
    }
    return filled;
}
