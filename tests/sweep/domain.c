#include "domain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What {register} stands for: what the image reads or writes on some processor. */
static const char *const registers[] = {
    "0x34",  "0x38d", "0x38e", "0x38f", "0x390", "0x345", "0xe7",  "0xe8",  "0x186", "0x187",
    "0xc1",  "0xc2",  "0x4c1", "0x309", "0x30a", "0x30b", "0x30c", "0x329", "0x1a0", "0x1a4",
    "0x19c", "0x1b1", "0x179", "0x401", "0x405", "0x1c8", "0x1c9", "0x1d9", "0x600", "0x3f1",
    "0x199", "0x198", "0xce",  "0x8b",  "0x17",  "0x1fc", "0xe2",  "0x770", "0x360", "0x3a0",
};
static const char *const percents[] = {"-100", "-60", "-25", "-10", "-3",  "3",
                                       "10",   "25",  "60",  "200", "1000"};
static const char *const ticks[] = {"-1000000000", "-100000", "-2000",  "-100",
                                    "100",         "2000",    "100000", "1000000000"};
static const char *const stalls[] = {"1:1000", "5:3000", "20:4000", "20-9000:8000:1"};
static const char *const clocks[] = {"400", "1500", "3500"};
static const char *const ends[] = {"nmi", "init", "never"};

#define TEXTS(texts) (sizeof(texts) / sizeof((texts)[0]))

/* Of windows there is a number for each processor: every one of them has the least. */
static void add_point(struct extent *extent, const char *name, unsigned long count)
{
    for (size_t i = 0; i < extent->point_count; i++)
        if (strcmp(extent->points[i].name, name) == 0) {
            if (count < extent->points[i].count)
                extent->points[i].count = count;
            return;
        }
    if (extent->point_count == EXTENT_POINTS)
        return;
    snprintf(extent->points[extent->point_count].name, sizeof(extent->points[0].name), "%s", name);
    extent->points[extent->point_count++].count = count;
}

void extent_read(struct extent *extent, struct outcome *sound)
{
    const struct stream *stream = &sound->streams[STREAM_STICK];
    const struct run *run = outcome_truth(sound);
    char path[700], line[1024];
    json_t *record;
    FILE *file;
    size_t i;

    *extent = (struct extent){.windows = run != NULL ? run->truth[0].count : 0};
    json_array_foreach (stream->log.records, i, record) {
        if (strcmp(record_text(record, "type", ""), "core") != 0)
            continue;
        extent->processors++;
        extent->counters = (unsigned long)integer_of(record, "general_counters");
        extent->fixed = (unsigned long)integer_of(record, "fixed_counters");
    }
    snprintf(path, sizeof(path), "%s/" OUTCOME_POINTS, sound->folder);
    file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
        json_t *point = json_loads(line, 0, NULL);
        const char *name = text_of(point, "class");

        if (name[0] != 0 && integer_of(point, "count") > 0)
            add_point(extent, name, (unsigned long)integer_of(point, "count"));
        json_decref(point);
    }
    if (file != NULL)
        fclose(file);
}

uint64_t chance_next(struct chance *chance)
{
    uint64_t z = (chance->state += 0x9e3779b97f4a7c15u);

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static unsigned long words_in(const char *words)
{
    unsigned long count = 0;

    for (const char *at = words; *at != 0; at++)
        count += *at != ' ' && (at[1] == ' ' || at[1] == 0);
    return count;
}

static unsigned long point_of(const struct extent *extent, const char *name)
{
    for (size_t i = 0; i < extent->point_count; i++)
        if (strcmp(extent->points[i].name, name) == 0)
            return extent->points[i].count;
    return 0;
}

static unsigned long called(const struct extent *extent, const char *prefix)
{
    unsigned long count = 0;

    for (size_t i = 0; i < extent->point_count; i++)
        if (strncmp(extent->points[i].name, prefix, strlen(prefix)) == 0)
            count += extent->points[i].count;
    return count;
}

struct domain domain_of(const char *name, size_t length, const struct base *base,
                        const struct extent *extent)
{
    const struct {
        const char *name;
        struct domain domain;
    } known[] = {
        {"windows", {.from = 1, .count = extent->windows, .last = LAST_LATER}},
        {"single", {.from = 1, .count = extent->windows, .last = LAST_SAME}},
        {"processor", {.count = extent->processors}},
        {"bank", {.count = point_of(extent, "bank")}},
        {"counter", {.count = extent->counters}},
        {"fixed", {.count = extent->fixed}},
        {"bit", {.count = 64}},
        {"rate", {.from = 1, .count = 100}},
        {"seed", {.from = 1, .count = 100000}},
        {"room", {.from = 1, .count = 64}},
        {"more", {.from = 1, .count = 100}},
        {"percent", {.count = TEXTS(percents), .texts = percents}},
        {"stall", {.count = TEXTS(stalls), .texts = stalls}},
        {"ticks", {.count = TEXTS(ticks), .texts = ticks}},
        {"mhz", {.count = TEXTS(clocks), .texts = clocks}},
        {"end", {.count = TEXTS(ends), .texts = ends}},
        {"register", {.count = TEXTS(registers), .texts = registers}},
        {"event", {.count = words_in(base->events), .words = base->events}},
        {"pinned", {.count = words_in(base->pinned), .words = base->pinned}},
        {"service", {.count = called(extent, "uefi:"), .prefix = "uefi:"}},
    };

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (strlen(known[i].name) == length && memcmp(known[i].name, name, length) == 0)
            return known[i].domain;
    for (size_t i = 0; i < extent->point_count; i++)
        if (strlen(extent->points[i].name) == length &&
            memcmp(extent->points[i].name, name, length) == 0)
            return (struct domain){.from = 1, .count = extent->points[i].count};
    return (struct domain){0};
}

/* The last window of a K-M that begins with `first`: itself, a later one, or a number beyond the
 * run. */
static unsigned long last_window(unsigned long first, unsigned long windows, struct chance *chance)
{
    switch (chance_next(chance) % 3) {
    case 0:
        return first;
    case 1:
        return first + chance_next(chance) % (windows - first + 1);
    default:
        return 999999;
    }
}

void domain_value(const struct domain *domain, const struct extent *extent, unsigned long index,
                  struct chance *chance, char *text, size_t size)
{
    if (domain->texts != NULL) {
        snprintf(text, size, "%s", domain->texts[index]);
    } else if (domain->words != NULL) {
        const char *at = domain->words;

        for (; index > 0; index--)
            at = strchr(at, ' ') + 1;
        snprintf(text, size, "%.*s", (int)strcspn(at, " "), at);
    } else if (domain->prefix != NULL) {
        size_t i = 0;

        for (;; i++) {
            if (strncmp(extent->points[i].name, domain->prefix, strlen(domain->prefix)) != 0)
                continue;
            if (index < extent->points[i].count)
                break;
            index -= extent->points[i].count;
        }
        snprintf(text, size, "%s:%lu", extent->points[i].name + strlen(domain->prefix), index + 1);
    } else if (domain->last != LAST_NONE) {
        snprintf(text, size, "%lu-%lu", domain->from + index,
                 domain->last == LAST_SAME
                     ? domain->from + index
                     : last_window(domain->from + index, domain->count, chance));
    } else
        snprintf(text, size, "%lu", domain->from + index);
}
