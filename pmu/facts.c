#include "facts.h"

#include "boot/text.h"

static bool has_word(const struct facts *facts, const char *word, size_t length)
{
    const struct {
        const char *name;
        bool present;
    } words[] = {
        {"avx", facts->avx},
        {"avx2", facts->avx2},
        {"fma", facts->fma},
        {"avx512f", facts->avx512f},
    };

    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (strlen(words[i].name) == length && memcmp(words[i].name, word, length) == 0)
            return words[i].present;
    }
    return false;
}

const char *facts_missing(const struct facts *facts, const char *wanted, size_t *length)
{
    for (; *wanted != '\0'; wanted += *length) {
        while (*wanted == ' ')
            wanted++;
        for (*length = 0; wanted[*length] != '\0' && wanted[*length] != ' ';)
            ++*length;
        if (*length > 0 && !has_word(facts, wanted, *length))
            return wanted;
    }
    return NULL;
}

const char *facts_counters_differ(const struct facts *a, const struct facts *b)
{
    const struct {
        const char *name;
        bool differ;
    } rows[] = {
        {"whether they can count", (a->absent == NULL) != (b->absent == NULL)},
        {"the version of performance monitoring", a->version != b->version},
        {"how many general counters there are", a->general_count != b->general_count},
        {"which general counters can be used", a->general_reserved != b->general_reserved},
        {"which fixed counters there are", a->fixed_mask != b->fixed_mask},
        {"PERF_METRICS", a->perf_metrics != b->perf_metrics},
        {"how wide counters are",
         a->general_width != b->general_width || a->fixed_width != b->fixed_width},
        {"which architectural events there are",
         a->architectural_events != b->architectural_events},
        {"whether events of any thread can be counted", a->any_thread != b->any_thread},
        {"IA32_PERF_CAPABILITIES", a->pdcm != b->pdcm || a->capabilities != b->capabilities ||
                                       a->full_width_write != b->full_width_write},
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (rows[i].differ)
            return rows[i].name;
    return NULL;
}
