/* Everything that a log states, a fact for each: numbers, nulls and texts, by what they are of.
 * Nothing is left out but what says where and when a run was (FORGOTTEN in facts.c). */
#ifndef TESTS_SWEEP_FACTS_H
#define TESTS_SWEEP_FACTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define FACT_KEY 320 /* bytes of the longest key */

enum fact_kind { FACT_NUMBER, FACT_NULL, FACT_TEXT };

struct fact {
    char *key;          /* what it is of: the same in both forms of the log, and in every run */
    const char *type;   /* of its record */
    const char *member; /* of the record: `nodes`, `events` ... */
    const char *name;   /* the innermost member's: a node, an event ... */
    const char *kernel; /* "": of none */
    json_int_t core;    /* -1: of none */
    enum fact_kind kind;
    double value, low, high; /* low and high over the repeats, or the value itself */
    bool counts;             /* in whole events */
    char *text;              /* of a text */
    bool trusted;
    const json_t *record; /* which must live as long */
    unsigned run;         /* of which run, where facts of several are together */
};

struct facts {
    struct fact *of; /* once sorted: by key, then by run */
    size_t count, room;
};

/* Adds the facts of an array of records, as those of this run. */
void facts_add(struct facts *facts, const json_t *records, unsigned run);
void facts_sort(struct facts *facts);
/* Of sorted facts: how many have that key, from `*first` on. */
size_t facts_find(const struct facts *facts, const char *key, const struct fact **first);
void facts_free(struct facts *facts);

#endif
