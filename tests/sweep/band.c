#include "band.h"

#include <math.h>
#include <string.h>

#include "real.h"
#include "tests/tools/truth_log.h"

/* Five sound runs do not show all that sound runs differ by. Where they differ at all, a share may
 * be off by this, and a count by this part. */
#define LEAST_SHARE 0.005
#define LEAST_COUNT 0.01
/* What the edges of two windows may differ by: of an event that nothing counts exactly. */
#define EDGE_NOISE 2
#define LBR_CYCLES 24
/* Cycles, of which an interrupt's handler may have one more (Intel's optimization manual, "Branch
 * Prediction", has 15 to 20). */
#define MISPREDICTION 16
#define PRINTED       0.00005 /* by how much four decimals may be off */
/* A slice's part of what edges make in a sum of at least 8. */
#define SLICE_EDGE_COUNTS (BAND_EDGE_COUNTS / 8.0)

struct band band_of(const struct facts *sound, const char *key)
{
    struct band band = {.low = INFINITY, .high = -INFINITY};

    band.count = facts_find(sound, key, &band.first);
    for (size_t i = 0; i < band.count; i++) {
        const struct fact *fact = &band.first[i];

        band.null = band.null || fact->kind == FACT_NULL;
        if (fact->kind != FACT_NUMBER)
            continue;
        band.number = true;
        band.low = fmin(band.low, fact->low);
        band.high = fmax(band.high, fact->high);
    }
    return band;
}

/* The slots of the same windows, of which PERF_METRICS has bytes. */
static double slots_of(const struct fact *fact)
{
    const char *event;
    json_t *count;

    json_object_foreach (json_object_get(fact->record, fact->member), event, count)
        if (strncmp(event, "TOPDOWN.SLOTS", 13) == 0)
            return json_number_value(json_object_get(count, "max"));
    return 0;
}

static bool ends_in(const char *name, const char *end)
{
    const size_t length = strlen(name), of = strlen(end);

    return length >= of && strcmp(name + length - of, end) == 0;
}

/* An interval has as many windows as its time holds, with their edges. */
static bool is_of_interval(const struct fact *fact)
{
    return strcmp(fact->type, "drift") == 0 || json_object_get(fact->record, "interval") != NULL;
}

/* Both threads work: which of them goes first at the begin of a window is chance. */
static bool has_partner(const struct fact *fact)
{
    return json_object_get(fact->record, "beside") != NULL;
}

static bool is_profile(const struct fact *fact)
{
    return strcmp(fact->type, "cpi") == 0 && json_object_get(fact->record, "method") != NULL;
}

bool band_is_of_chance(const struct fact *fact)
{
    const char *method = text_of(fact->record, "method");

    if (strcmp(fact->name, "why") == 0)
        return true;
    return is_profile(fact) && (ends_in(method, " fixed") || strcmp(method, "classic") == 0 ||
                                strcmp(fact->name, "samples") == 0 ||
                                (strcmp(fact->name, "cycles") == 0 && fact->low == fact->high));
}

/* Of uops and slots there are up to four in a cycle. */
static double edge_noise(const struct fact *fact)
{
    return strstr(fact->name, "UOPS") != NULL ? 4 * EDGE_NOISE : EDGE_NOISE;
}

/* Cycles of an iteration have no range of their own: sound runs of which some repeat counts 3999
 * and the median 4000 say so of the count alone. The CPI of a sampled profile must lie where the
 * sound profile says that it lies by chance, or within LEAST_COUNT of that. Where all sound runs
 * agree a number must be that, but for the edges of windows; else it may lie as far out again as
 * they lie apart. A byte of PERF_METRICS may be rounded up or down, in windows of n and of 2n. The
 * time that a branch record has is that of a single run. What a sample costs, and how late it is,
 * is a mean over the windows that were kept: a fault that costs one leaves another mean. The rig
 * has no truth of it, the records no range, and all sound runs sample the same windows (by one
 * seed; with another one every profile would differ, too), so that LEAST_COUNT stands for what
 * nothing shows. Where such a record has a range, it must meet that of the sound runs. Whether a
 * sample meets a window's begin or end, outside of the kernel, is chance: one of each a window. */
static double slack_of(const struct band *band, const struct fact *fact)
{
    const double spread = band->high - band->low;

    if (strncmp(fact->name, "PERF_METRICS.", 13) == 0)
        return spread + EDGE_NOISE + 3 * slots_of(fact) / 255;
    if (strcmp(fact->name, "cycles") == 0 && fact->type[0] == 'l')
        return LBR_CYCLES + spread;
    if (strcmp(fact->type, "counts") == 0)
        return BAND_EDGE_COUNTS + spread;
    if (strcmp(fact->type, "multiplex") == 0)
        return fmax(spread, LEAST_COUNT * fabs(band->high)) + SLICE_EDGE_COUNTS;
    if (strcmp(fact->type, "timeline") == 0)
        return spread + EDGE_NOISE;
    if (is_profile(fact) && strcmp(fact->name, "share") == 0)
        return fmax(spread, LEAST_SHARE);
    if (is_profile(fact))
        return LEAST_COUNT * fabs(band->high);
    if (has_partner(fact) &&
        (ends_in(fact->name, "per_iteration") || strncmp(fact->key, "cpi ", 4) == 0))
        return fmax(spread, LEAST_COUNT * fabs(band->high));
    if (ends_in(fact->name, "cycles_per_iteration"))
        return spread + PRINTED +
               EDGE_NOISE / json_number_value(json_object_get(fact->record, "iterations"));
    if (strcmp(fact->name, "handler") == 0 || strcmp(fact->name, "late") == 0)
        return spread + MISPREDICTION;
    if (strcmp(fact->name, "outside") == 0)
        return spread + 2 * json_number_value(json_object_get(fact->record, "windows"));
    if (strcmp(fact->type, "sampling") == 0 || strcmp(fact->type, "pebs") == 0)
        return fmax(spread, LEAST_COUNT * fabs(band->high));
    if (is_of_interval(fact) || strcmp(fact->type, "methods") == 0)
        return fmax(spread, LEAST_SHARE);
    if (band->low == band->high)
        return fact->counts && truth_name(fact->name) == NULL ? edge_noise(fact) : 0;
    return fact->counts ? fmax(spread + edge_noise(fact), LEAST_COUNT * fabs(band->high))
                        : fmax(spread, LEAST_SHARE);
}

bool band_has(const struct band *band, const struct fact *fact)
{
    if (fact->kind == FACT_NULL)
        return band->null;
    if (fact->kind == FACT_NUMBER && (strcmp(fact->type, "sampling") == 0 || is_profile(fact)))
        return band->number && fact->high >= band->low - slack_of(band, fact) &&
               fact->low <= band->high + slack_of(band, fact);
    if (fact->kind == FACT_NUMBER)
        return band->number && fact->value >= band->low - slack_of(band, fact) &&
               fact->value <= band->high + slack_of(band, fact);
    for (size_t i = 0; i < band->count; i++)
        if (band->first[i].kind == FACT_TEXT && strcmp(band->first[i].text, fact->text) == 0)
            return true;
    return false;
}
