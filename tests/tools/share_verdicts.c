#include "share_verdicts.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define EDGE_CYCLES 120   /* by which the edges of the windows of n and 2n may differ */
#define BYTES       0.024 /* 2 x 3/255, rounded up: below level 1, by PERF_METRICS */
#define ALWAYS      0.01  /* further than this outside of 0 to 1 is no share, however long it ran */
#define PRINTED     0.001 /* by which a printed value may be rounded, and a tolerance is */
#define FEWEST      100   /* cycles: fewer have no shares */

/* "ok 7 - core 3 KERNEL NODE 0.750 CLAIM" */
struct named {
    unsigned core;
    char kernel[64], node[64], claim[64];
    double value;
};

static bool read_verdict(const char *line, struct named *named)
{
    return sscanf(line, "ok %*u - core %u %63s %63s %lf %63[^\n]", &named->core, named->kernel,
                  named->node, &named->value, named->claim) == 5 &&
           strncmp(named->node, "tma_", 4) == 0 &&
           (strncmp(named->claim, "is ", 3) == 0 || strncmp(named->claim, "in [", 4) == 0);
}

static bool is_of(const json_t *record, const struct named *named)
{
    const char *kernel = json_string_value(json_object_get(record, "kernel"));

    return kernel != NULL && strcmp(kernel, named->kernel) == 0 &&
           json_integer_value(json_object_get(record, "core")) == (json_int_t)named->core;
}

void share_verdicts_record(struct share_verdicts *shares, json_t *record)
{
    const char *type = json_string_value(json_object_get(record, "type"));

    if (type == NULL || json_object_get(record, "scope") != NULL)
        return;
    if (strcmp(type, "kernel") == 0) {
        json_decref(shares->kernel);
        shares->kernel = json_incref(record);
    } else if (strcmp(type, "topdown") == 0 && json_object_get(record, "interval") == NULL) {
        if (shares->topdown == NULL || json_integer_value(json_object_get(record, "part")) <= 1) {
            json_decref(shares->topdown);
            shares->topdown = json_incref(record);
        } else { /* the lists of the first part go on */
            json_object_update_missing(json_object_get(shares->topdown, "nodes"),
                                       json_object_get(record, "nodes"));
        }
    }
}

/* How far outside of 0 to 1 a value may be, and be a share. */
static double tolerance_of(const struct share_verdicts *shares, const struct named *named)
{
    const bool known = is_of(shares->kernel, named);
    const char *method = json_string_value(json_object_get(shares->topdown, "method"));
    const double cycles = json_number_value(
        json_object_get(json_object_get(json_object_get(shares->kernel, "per_iterations"),
                                        "CPU_CLK_UNHALTED.THREAD"),
                        "median"));
    const double edge = EDGE_CYCLES / (known && cycles > FEWEST ? cycles : FEWEST);
    const double bytes = method != NULL && strcmp(method, "formula") == 0 ? 0 : BYTES;

    return fmax(edge + bytes, ALWAYS) + PRINTED;
}

const char *share_verdicts_wrong(const struct share_verdicts *shares, const char *line)
{
    struct named named;
    unsigned without, of;
    const char *note;
    double most;

    if (!read_verdict(line, &named))
        return NULL;
    most = tolerance_of(shares, &named);
    if (named.value < -most || named.value > 1 + most)
        return "a verdict that holds names what is no share";
    if (is_of(shares->topdown, &named) &&
        json_is_null(json_object_get(json_object_get(shares->topdown, "nodes"), named.node)))
        return "a verdict that holds names a node that its record has no value of";
    note = strchr(line, ';');
    if (note != NULL && sscanf(note, "; %u of %u have no value", &without, &of) == 2 &&
        without + 1 >= of)
        return "a verdict that holds compares a node with nothing";
    return NULL;
}

void share_verdicts_free(struct share_verdicts *shares)
{
    json_decref(shares->kernel);
    json_decref(shares->topdown);
}
