#include "kinds.h"

#include "boot/format.h"
#include "boot/text.h"
#include "pmu/amd/kind.h"
#include "pmu/intel/kind.h"
#include "pmu/netburst/kind.h"

static const struct pmu_kind *const kinds[] = {
    &netburst_kind,
    &intel_kind,
    &amd_kind,
};

const struct pmu_kind *pmu_kind_at(unsigned index)
{
    return index < COUNT_OF(kinds) ? kinds[index] : NULL;
}

const struct pmu_kind *pmu_kind_find(const struct facts *facts)
{
    for (unsigned i = 0; i < COUNT_OF(kinds); i++)
        if (kinds[i]->is_of(facts))
            return kinds[i];
    return NULL;
}

/* Rows of one kind of counters; the first member of each is its name. */
struct rows {
    const char *first;
    unsigned count;
    size_t size;
};
typedef struct rows rows_of(unsigned index);

static struct rows lbr_rows(unsigned index)
{
    const struct pmu_kind *kind = kinds[index];

    return (struct rows){(const char *)kind->lbr_kinds, kind->lbr_count, sizeof(*kind->lbr_kinds)};
}

static struct rows pebs_rows(unsigned index)
{
    const struct pmu_kind *kind = kinds[index];

    return (struct rows){(const char *)kind->pebs_kinds, kind->pebs_count,
                         sizeof(*kind->pebs_kinds)};
}

_Static_assert(offsetof(struct lbr_kind, name) == 0 && offsetof(struct pebs_kind, name) == 0,
               "name_of reads it");

static const char *name_of(const char *row)
{
    return *(const char *const *)(const void *)row;
}

static const void *find_row(rows_of *of, struct slice name)
{
    for (unsigned i = 0; i < COUNT_OF(kinds); i++) {
        const struct rows rows = of(i);

        for (unsigned k = 0; k < rows.count; k++)
            if (slice_is(name, name_of(rows.first + k * rows.size)))
                return rows.first + k * rows.size;
    }
    return NULL;
}

static const char *list_rows(rows_of *of, char names[KINDS_NAMES])
{
    size_t used = 0;

    for (unsigned i = 0; i < COUNT_OF(kinds); i++) {
        const struct rows rows = of(i);

        for (unsigned k = 0; k < rows.count; k++) {
            format(names + used, KINDS_NAMES - used, "%s, ", name_of(rows.first + k * rows.size));
            used += strlen(names + used);
        }
    }
    format(names + used, KINDS_NAMES - used, "none");
    return names;
}

const struct lbr_kind *kinds_lbr(struct slice name)
{
    return find_row(lbr_rows, name);
}

const struct pebs_kind *kinds_pebs(struct slice name)
{
    return find_row(pebs_rows, name);
}

const char *kinds_lbr_names(char names[KINDS_NAMES])
{
    return list_rows(lbr_rows, names);
}

const char *kinds_pebs_names(char names[KINDS_NAMES])
{
    return list_rows(pebs_rows, names);
}
