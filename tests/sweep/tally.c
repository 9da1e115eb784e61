#include "tally.h"

#include <stdio.h>
#include <string.h>

struct row *tally_row(struct tally *tally, const struct fault_class *class)
{
    for (size_t i = 0; i < tally->row_count; i++)
        if (strcmp(tally->rows[i].name, class->name) == 0)
            return &tally->rows[i];
    return NULL;
}

void tally_begin(struct tally *tally)
{
    *tally = (struct tally){0};
    for (size_t i = 0; i < class_count; i++)
        if (tally_row(tally, &classes[i]) == NULL)
            tally->rows[tally->row_count++] = (struct row){.name = classes[i].name};
}

static void print_row(const struct row *row)
{
    printf("| %s | %lu | %lu | %lu | %lu | %lu | %lu | %lu |\n", row->name, row->tried,
           row->of[SORT_RIGHT], row->of[SORT_QUIET], row->of[SORT_LOUD], row->of[SORT_WRONG],
           row->of[SORT_ENDLESS], row->of[SORT_EARLY]);
}

struct row tally_print(const struct tally *tally)
{
    struct row sum = {.name = "all"};

    printf("\n| class | faults | right | quiet and right | loud | silent and wrong | no end "
           "| own handlers not there yet |\n|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < tally->row_count; i++) {
        if (tally->rows[i].tried == 0)
            continue;
        print_row(&tally->rows[i]);
        sum.tried += tally->rows[i].tried;
        for (unsigned j = 0; j < SORTS; j++)
            sum.of[j] += tally->rows[i].of[j];
    }
    print_row(&sum);
    printf("\n%lu faults: %lu silent and wrong, %lu without an end", sum.tried, sum.of[SORT_WRONG],
           sum.of[SORT_ENDLESS]);
    if (tally->unhappened > 0)
        printf("; %lu more did not happen", tally->unhappened);
    printf("%s\n", tally->refused > 0 ? "; some were refused by the rig" : "");
    return sum;
}
