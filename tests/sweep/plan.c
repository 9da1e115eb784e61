#include "plan.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DRAWS 30 /* until a class is taken to be used up */

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
        domain_value(&domain, extent,
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

static bool are_of_a_kind(const struct fault_class *class, const struct fault_class *other)
{
    const size_t length = strcspn(class->pattern, ":");

    return strcspn(other->pattern, ":") == length &&
           memcmp(class->pattern, other->pattern, length) == 0;
}

static bool is_first_of_its_kind(size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (are_of_a_kind(&classes[i], &classes[at]))
            return false;
    return true;
}

/* The base run with the fewest windows, of those in which the class has a fault; NULL: none has. */
static const struct base *shortest_base(const struct fault_class *class,
                                        const struct extent *extents, const bool *used)
{
    const struct base *base = NULL;
    unsigned long least = 0;

    for (size_t i = 0; i < base_count; i++) {
        const unsigned long windows = extents[i].windows * extents[i].processors;

        if (used[i] && class_extent(class, &bases[i], &extents[i]) > 0 &&
            (base == NULL || windows < least)) {
            base = &bases[i];
            least = windows;
        }
    }
    return base;
}

/* Where the chosen class has no fault, the next one of the kind. */
static void draw_kind(struct plan *plan, const struct fault_class *kind,
                      const struct extent *extents, const bool *used, struct chance *chance)
{
    size_t members = 0, before;

    for (size_t i = 0; i < class_count; i++)
        members += are_of_a_kind(&classes[i], kind);
    before = (size_t)(chance_next(chance) % members);
    for (size_t i = 0; i < 2 * class_count; i++) {
        const struct fault_class *class = &classes[i % class_count];
        struct trial trial = {.class = class};

        if (!are_of_a_kind(class, kind))
            continue;
        if (before > 0) {
            before--;
            continue;
        }
        trial.base = shortest_base(class, extents, used);
        if (trial.base != NULL &&
            fill(class, trial.base, &extents[trial.base - bases], -1, chance, trial.fault) &&
            add(plan, &trial))
            return;
    }
}

void plan_kinds(struct plan *plan, const struct extent *extents, const bool *used, uint64_t seed)
{
    struct chance chance = {seed};

    for (size_t i = 0; i < class_count; i++)
        if (is_first_of_its_kind(i))
            draw_kind(plan, &classes[i], extents, used, &chance);
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
        if (!isdigit((unsigned char)value[i]) && !(domain.last != LAST_NONE && value[i] == '-'))
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
