#include "plan.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DRAWS 30 /* until a class is taken to be used up */

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
static const char *const stalls[] = {"1:1000", "5:3000", "20:4000"};
static const char *const ends[] = {"nmi", "init", "never"};

/* What a word in braces may be: numbers from `from` on, or texts. */
struct domain {
    unsigned long from, count;
    const char *const *texts;
    const char *words;  /* or texts separated by blanks */
    const char *prefix; /* or calls by name, the points with this prefix */
    bool pair;          /* K-M */
    bool single;        /* K-K */
};

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
    while (file != NULL && fgets(line, sizeof(line), file) != NULL &&
           extent->point_count < PLAN_POINTS) {
        json_t *point = json_loads(line, 0, NULL);
        const char *name = text_of(point, "class");

        if (name[0] != 0 && integer_of(point, "count") > 0) {
            snprintf(extent->points[extent->point_count].name,
                     sizeof(extent->points[extent->point_count].name), "%s", name);
            extent->points[extent->point_count++].count = (unsigned long)integer_of(point, "count");
        }
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

static struct domain domain_of(const char *name, size_t length, const struct base *base,
                               const struct extent *extent)
{
    const struct {
        const char *name;
        struct domain domain;
    } known[] = {
        {"windows", {1, extent->windows, NULL, NULL, NULL, true, false}},
        {"single", {1, extent->windows, NULL, NULL, NULL, true, true}},
        {"processor", {0, extent->processors, NULL, NULL, NULL, false, false}},
        {"bank", {0, point_of(extent, "bank"), NULL, NULL, NULL, false, false}},
        {"counter", {0, extent->counters, NULL, NULL, NULL, false, false}},
        {"fixed", {0, extent->fixed, NULL, NULL, NULL, false, false}},
        {"bit", {0, 64, NULL, NULL, NULL, false, false}},
        {"rate", {1, 100, NULL, NULL, NULL, false, false}},
        {"seed", {1, 100000, NULL, NULL, NULL, false, false}},
        {"room", {1, 64, NULL, NULL, NULL, false, false}},
        {"percent",
         {0, sizeof(percents) / sizeof(percents[0]), percents, NULL, NULL, false, false}},
        {"stall", {0, sizeof(stalls) / sizeof(stalls[0]), stalls, NULL, NULL, false, false}},
        {"ticks", {0, sizeof(ticks) / sizeof(ticks[0]), ticks, NULL, NULL, false, false}},
        {"more", {1, 100, NULL, NULL, NULL, false, false}},
        {"end", {0, sizeof(ends) / sizeof(ends[0]), ends, NULL, NULL, false, false}},
        {"register",
         {0, sizeof(registers) / sizeof(registers[0]), registers, NULL, NULL, false, false}},
        {"event", {0, words_in(base->events), NULL, base->events, NULL, false, false}},
        {"pinned", {0, words_in(base->pinned), NULL, base->pinned, NULL, false, false}},
        {"service", {0, called(extent, "uefi:"), NULL, NULL, "uefi:", false, false}},
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

/* The domain's `index`-th value as text. */
static void value_of(const struct domain *domain, const struct extent *extent, unsigned long index,
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
    } else if (domain->pair) {
        snprintf(text, size, "%lu-%lu", domain->from + index,
                 domain->single ? domain->from + index
                                : last_window(domain->from + index, domain->count, chance));
    } else
        snprintf(text, size, "%lu", domain->from + index);
}

/* The word in braces that SWEEP=all goes through: where in the run; else the first. */
static const char *swept_word(const char *pattern)
{
    static const char *const places[] = {"{windows}", "{single}", "{core-window}", "{window}"};

    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
        if (strstr(pattern, places[i]) != NULL)
            return strstr(pattern, places[i]);
    return strchr(pattern, '{');
}

/* Fills the pattern in. `swept`: the index of the word that is gone through, or -1: drawn, too.
 * False: a domain is empty. */
static bool fill(const struct fault_class *class, const struct base *base,
                 const struct extent *extent, long swept, struct chance *chance,
                 char fault[PLAN_FAULT])
{
    const char *word = swept_word(class->pattern);
    size_t used = 0;

    for (const char *at = class->pattern; *at != 0; at++) {
        const char *end = *at == '{' ? strchr(at, '}') : NULL;
        struct domain domain;

        if (end == NULL) {
            fault[used++] = *at;
            continue;
        }
        domain = domain_of(at + 1, (size_t)(end - at - 1), base, extent);
        if (domain.count == 0)
            return false;
        value_of(&domain, extent,
                 swept >= 0 && at == word ? (unsigned long)swept
                                          : (unsigned long)(chance_next(chance) % domain.count),
                 chance, fault + used, PLAN_FAULT - used);
        used += strlen(fault + used);
        at = end;
    }
    fault[used] = 0;
    return true;
}

unsigned long class_extent(const struct fault_class *class, const struct base *base,
                           const struct extent *extent)
{
    const char *brace = swept_word(class->pattern);

    if (!class_has_base(class, base))
        return 0;
    if (brace == NULL)
        return 1;
    return domain_of(brace + 1, strcspn(brace + 1, "}"), base, extent).count;
}

static bool has_trial(const struct plan *plan, const struct trial *trial)
{
    for (size_t i = 0; i < plan->count; i++)
        if (plan->of[i].base == trial->base && strcmp(plan->of[i].fault, trial->fault) == 0)
            return true;
    return false;
}

static bool add(struct plan *plan, const struct trial *trial)
{
    if (has_trial(plan, trial))
        return false;
    if (plan->count == plan->room) {
        plan->room = plan->room * 2 + 512;
        plan->of = allocate_or_end(plan->of, plan->room, sizeof(*plan->of));
    }
    plan->of[plan->count++] = *trial;
    return true;
}

bool class_is_wanted(const struct fault_class *class, const char *wanted)
{
    const size_t length = strlen(class->name);

    if (wanted == NULL)
        return true;
    for (const char *at = wanted; (at = strstr(at, class->name)) != NULL; at++)
        if ((at == wanted || at[-1] == ';') && (at[length] == 0 || at[length] == ';'))
            return true;
    return false;
}

static unsigned share_of(const struct fault_class *class)
{
    return class->share > 0 ? class->share : 1;
}

/* A base run by chance, of those in which the class has a fault; NULL: none has. */
static const struct base *draw_base(const struct fault_class *class, const struct extent *extents,
                                    const bool *used, struct chance *chance)
{
    unsigned long sum = 0, at;

    for (size_t i = 0; i < base_count; i++)
        if (used[i] && class_extent(class, &bases[i], &extents[i]) > 0)
            sum += bases[i].share;
    if (sum == 0)
        return NULL;
    at = (unsigned long)(chance_next(chance) % sum);
    for (size_t i = 0; i < base_count; i++) {
        if (!used[i] || class_extent(class, &bases[i], &extents[i]) == 0)
            continue;
        if (at < bases[i].share)
            return &bases[i];
        at -= bases[i].share;
    }
    return NULL;
}

static bool draw(struct plan *plan, const struct fault_class *class, const struct extent *extents,
                 const bool *used, struct chance *chance)
{
    for (unsigned i = 0; i < DRAWS; i++) {
        struct trial trial = {.class = class, .base = draw_base(class, extents, used, chance)};

        if (trial.base == NULL)
            return false;
        if (fill(class, trial.base, &extents[trial.base - bases], -1, chance, trial.fault) &&
            add(plan, &trial))
            return true;
    }
    return false;
}

void plan_draw(struct plan *plan, const struct extent *extents, const bool *used,
               const char *classes_wanted, size_t count, uint64_t seed)
{
    struct chance chance = {seed};
    bool any = true;

    while (count > 0 && any) {
        any = false;
        for (size_t i = 0; i < class_count && count > 0; i++)
            for (unsigned j = 0; j < share_of(&classes[i]) && count > 0; j++)
                if (class_is_wanted(&classes[i], classes_wanted) &&
                    draw(plan, &classes[i], extents, used, &chance)) {
                    any = true;
                    count--;
                }
    }
}

void plan_all(struct plan *plan, const struct extent *extents, const bool *used,
              const char *classes_wanted, uint64_t seed)
{
    struct chance chance = {seed};

    for (size_t i = 0; i < class_count; i++)
        for (size_t j = 0; j < base_count; j++) {
            const unsigned long count = used[j] && class_is_wanted(&classes[i], classes_wanted)
                                            ? class_extent(&classes[i], &bases[j], &extents[j])
                                            : 0;

            for (unsigned long k = 0; k < count; k++) {
                struct trial trial = {.class = &classes[i], .base = &bases[j]};

                if (fill(&classes[i], &bases[j], &extents[j], (long)k, &chance, trial.fault))
                    add(plan, &trial);
            }
        }
}

/* Whether the value is in its domain; with `why`, says how much there is. */
static bool holds(const char *value, size_t length, const char *name, size_t name_length,
                  const struct base *base, const struct extent *extent, char *why, size_t size)
{
    const struct domain domain = domain_of(name, name_length, base, extent);
    const unsigned long k = strtoul(value, NULL, 10);

    if (domain.prefix != NULL || domain.texts != NULL || domain.words != NULL || length == 0)
        return length > 0;
    for (size_t i = 0; i < length; i++)
        if (!isdigit((unsigned char)value[i]) && !(domain.pair && value[i] == '-'))
            return false;
    if (domain.count > 0 && k >= domain.from && k < domain.from + domain.count)
        return true;
    snprintf(why, size, "%.*s %lu is beyond the run: %s has %lu to %lu", (int)name_length, name, k,
             base->name, domain.from, domain.from + domain.count - 1);
    if (domain.count == 0)
        snprintf(why, size, "%s has no %.*s", base->name, (int)name_length, name);
    return false;
}

/* Of a call by name the k is the second word: "file_write:12". */
static bool call_holds(const char *value, const struct base *base, const struct extent *extent,
                       char *why, size_t size)
{
    const char *colon = strchr(value, ':');
    const unsigned long k = colon != NULL ? strtoul(colon + 1, NULL, 10) : 0;

    for (size_t i = 0; i < extent->point_count && colon != NULL; i++) {
        const char *name = extent->points[i].name;

        if (strncmp(name, "uefi:", 5) != 0 || strlen(name + 5) != (size_t)(colon - value) ||
            strncmp(name + 5, value, (size_t)(colon - value)) != 0)
            continue;
        if (k >= 1 && k <= extent->points[i].count)
            return true;
        snprintf(why, size, "%s %lu is beyond the run: %s has %lu", name, k, base->name,
                 extent->points[i].count);
        return false;
    }
    return false;
}

static bool matches(const char *pattern, const char *fault, const struct base *base,
                    const struct extent *extent, char *why, size_t size)
{
    while (*pattern != 0) {
        const char *end = *pattern == '{' ? strchr(pattern, '}') : NULL;
        const bool service = end != NULL && strncmp(pattern, "{service}", 9) == 0;
        const char after = end != NULL ? end[1] : 0;
        const size_t length = strcspn(fault, strncmp(pattern, "{stall}", 7) == 0 ? " "
                                             : service && after == '-'           ? "- "
                                             : service                           ? " "
                                             : after == '-'                      ? "-: "
                                                                                 : ": ");

        if (end == NULL) {
            if (*pattern++ != *fault++)
                return false;
            continue;
        }
        if (extent != NULL && service
                ? !call_holds(fault, base, extent, why, size)
                : extent != NULL && !holds(fault, length, pattern + 1, (size_t)(end - pattern - 1),
                                           base, extent, why, size))
            return false;
        pattern = end + 1;
        fault += length;
    }
    return *fault == 0;
}

const struct fault_class *plan_class(const char *fault, const struct base *base,
                                     const struct extent *extent)
{
    char why[200] = "";

    for (size_t i = 0; i < class_count; i++)
        if (class_has_base(&classes[i], base) &&
            matches(classes[i].pattern, fault, base, extent, why, sizeof(why)))
            return &classes[i];
    if (why[0] != 0) {
        fprintf(stderr, "sweep: %s: %s\n", fault, why);
        return NULL;
    }
    fprintf(stderr, "sweep: %s: no class of faults in %s; there are:", fault, base->name);
    for (size_t i = 0; i < class_count; i++)
        if (class_has_base(&classes[i], base))
            fprintf(stderr, "%s '%s'", i > 0 ? "," : "", classes[i].pattern);
    fputc('\n', stderr);
    return NULL;
}
