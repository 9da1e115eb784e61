/* What manuals and vendors' lists state of a part: tests/rig/cpu/NAME.facts, one file for each
 * personality. A line is a keyword and what it states; # begins a comment line. */
#ifndef TESTS_RIG_PMU_FACTS_H
#define TESTS_RIG_PMU_FACTS_H

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmu/personality.h"

#define FACTS_FOLDER "tests/rig/cpu"
#define FACTS_EVENTS 8u
#define FACTS_MOST   64u

struct facts {
    char name[32];
    /* 0: the counters are not architectural, and the file has no other number */
    unsigned version;
    unsigned signature;      /* family, model, stepping as CPUID 1:EAX */
    unsigned alone, smt;     /* general-purpose counters without and with a sibling */
    unsigned width, fixed;   /* bits of a counter; fixed counters */
    unsigned slots, metrics; /* slots a cycle; levels of the tree that PERF_METRICS has */
    unsigned lbr, lbr_at;    /* last-branch records, and the MSR of the first one's source */
    /* Counters of leaf 0AH where it states less than the core has; 0: it does not. */
    unsigned stated, stated_fixed;
    /* The vendor's list of events (tests/unit/vendor.h), of a hybrid part's small cores too; "":
     * why there is none. */
    char list[16], small_list[16], unpublished[80];
    struct fact_event { /* from the list: counters as a bit each */
        char name[80];
        unsigned code, umask, counters;
        bool small;
    } event[FACTS_EVENTS];
    unsigned events;
};

static const struct fact_number {
    const char *keyword;
    size_t offset;
    bool optional;
} fact_numbers[] = {
    {"version", offsetof(struct facts, version), false},
    {"signature", offsetof(struct facts, signature), false},
    {"alone", offsetof(struct facts, alone), false},
    {"smt", offsetof(struct facts, smt), false},
    {"width", offsetof(struct facts, width), false},
    {"fixed", offsetof(struct facts, fixed), false},
    {"slots", offsetof(struct facts, slots), false},
    {"metrics", offsetof(struct facts, metrics), false},
    {"lbr", offsetof(struct facts, lbr), false},
    {"lbr_at", offsetof(struct facts, lbr_at), false},
    {"stated", offsetof(struct facts, stated), true},
    {"stated_fixed", offsetof(struct facts, stated_fixed), true},
};

#define FACT_NUMBERS (sizeof(fact_numbers) / sizeof(fact_numbers[0]))

/* Where a file is read, and what was expected there; "": nothing is wrong. */
struct facts_reader {
    struct facts *facts;
    unsigned line, seen; /* seen: of fact_numbers, a bit each */
    char problem[160];
};

static inline bool facts_expect(struct facts_reader *reader, const char *expected, const char *what)
{
    char place[16] = "";

    if (reader->line > 0)
        snprintf(place, sizeof(place), ":%u", reader->line);
    snprintf(reader->problem, sizeof(reader->problem), FACTS_FOLDER "/%s.facts%s: expected %s%s",
             reader->facts->name, place, expected, what);
    return false;
}

static inline bool facts_number(const char *word, unsigned *number)
{
    char *end;
    unsigned long value;

    if (word == NULL || word[0] < '0' || word[0] > '9')
        return false;
    value = strtoul(word, &end, 0);
    *number = (unsigned)value;
    return *end == '\0' && value <= UINT32_MAX;
}

static inline bool facts_text(struct facts_reader *reader, char *text, size_t size,
                              const char *word)
{
    if (text[0] != '\0' || word == NULL || strlen(word) >= size)
        return facts_expect(reader, "one text, and once in the file", "");
    strcpy(text, word);
    return true;
}

static inline bool facts_event(struct facts_reader *reader, bool small, char **rest)
{
    struct fact_event *event = &reader->facts->event[reader->facts->events];
    const char *name = strtok_r(NULL, " ", rest);

    if (reader->facts->events == FACTS_EVENTS)
        return facts_expect(reader, "fewer events", "");
    if (name == NULL || strlen(name) >= sizeof(event->name) ||
        !facts_number(strtok_r(NULL, " ", rest), &event->code) ||
        !facts_number(strtok_r(NULL, " ", rest), &event->umask) ||
        !facts_number(strtok_r(NULL, " ", rest), &event->counters))
        return facts_expect(reader, "an event's name, code, unit mask and counters", "");
    strcpy(event->name, name);
    event->small = small;
    reader->facts->events++;
    return true;
}

static inline bool facts_line(struct facts_reader *reader, const char *keyword, char **rest)
{
    struct facts *facts = reader->facts;

    for (unsigned i = 0; i < FACT_NUMBERS; i++) {
        if (strcmp(keyword, fact_numbers[i].keyword) != 0)
            continue;
        if (reader->seen >> i & 1 ||
            !facts_number(strtok_r(NULL, " ", rest),
                          (unsigned *)(void *)((char *)facts + fact_numbers[i].offset)))
            return facts_expect(reader, "a number, and once in the file", "");
        reader->seen |= 1u << i;
        return true;
    }
    if (strcmp(keyword, "list") == 0)
        return facts_text(reader, facts->list, sizeof(facts->list), strtok_r(NULL, " ", rest));
    if (strcmp(keyword, "small_list") == 0)
        return facts_text(reader, facts->small_list, sizeof(facts->small_list),
                          strtok_r(NULL, " ", rest));
    if (strcmp(keyword, "unpublished") == 0)
        return facts_text(reader, facts->unpublished, sizeof(facts->unpublished),
                          strtok_r(NULL, "", rest));
    if (strcmp(keyword, "event") == 0 || strcmp(keyword, "small_event") == 0)
        return facts_event(reader, keyword[0] == 's', rest);
    return facts_expect(reader, "a keyword that is in facts.h", "");
}

static inline bool facts_complete(struct facts_reader *reader)
{
    const struct facts *facts = reader->facts;

    reader->line = 0;
    for (unsigned i = 0; i < FACT_NUMBERS; i++)
        if (!(reader->seen >> i & 1) && !fact_numbers[i].optional &&
            (i == 0 || facts->version != 0))
            return facts_expect(reader, "a line ", fact_numbers[i].keyword);
    if (facts->version == 0 && (reader->seen != 1 || facts->events > 0))
        return facts_expect(reader, "no numbers and events beside version 0", "");
    if ((facts->list[0] == '\0') == (facts->unpublished[0] == '\0'))
        return facts_expect(reader, "either list or unpublished", "");
    return true;
}

/* Reads the text of a file, which it changes. False: `reader->problem` says what is wrong. */
static inline bool facts_read(struct facts_reader *reader, char *text)
{
    char *next = text, *line, *rest, *keyword;

    while ((line = strsep(&next, "\n")) != NULL) {
        reader->line++;
        keyword = strtok_r(line, " ", &rest);
        if (keyword == NULL || keyword[0] == '#')
            continue;
        if (!facts_line(reader, keyword, &rest))
            return false;
        if (strtok_r(NULL, " ", &rest) != NULL)
            return facts_expect(reader, "the end of the line", "");
    }
    return facts_complete(reader);
}

/* The facts of all parts. Whatever is wrong with a file is said once, by its name, and counted. */
struct all_facts {
    struct facts facts[FACTS_MOST];
    unsigned count, problems;
};

static inline struct all_facts *facts_of_all(void)
{
    static struct all_facts all;

    return &all;
}

static inline void facts_problem(const char *where, const char *text)
{
    fprintf(stderr, "# %s%s\n", where, text);
    facts_of_all()->problems++;
}

static inline void facts_open(const char *name)
{
    struct all_facts *all = facts_of_all();
    struct facts_reader reader = {.facts = &all->facts[all->count]};
    char path[320], text[4096];
    FILE *stream;

    snprintf(path, sizeof(path), FACTS_FOLDER "/%s.facts", name);
    stream = fopen(path, "r");
    text[stream != NULL ? fread(text, 1, sizeof(text) - 1, stream) : 0] = '\0';
    if (stream != NULL)
        fclose(stream);
    snprintf(reader.facts->name, sizeof(reader.facts->name), "%.31s", name);
    if (strlen(text) == sizeof(text) - 1)
        facts_problem(path, ": expected at most 4094 bytes");
    else if (!facts_read(&reader, text))
        facts_problem(reader.problem, "");
    else
        all->count++;
}

static inline void facts_seek(const struct personality *personality)
{
    const struct all_facts *all = facts_of_all();

    for (unsigned i = 0; i < all->count; i++)
        if (strcmp(all->facts[i].name, personality->name) == 0)
            return;
    facts_problem(personality->name, ": expected a sound " FACTS_FOLDER "/NAME.facts");
}

/* Reads all files, and returns how many things are wrong: with a file, a file without a
 * personality, a personality without a file. */
static inline unsigned facts_load(void)
{
    DIR *folder = opendir(FACTS_FOLDER);
    const struct dirent *entry;
    char name[256];

    *facts_of_all() = (struct all_facts){0};
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        int end = 0;

        if (entry->d_name[0] == '.')
            continue;
        if (sscanf(entry->d_name, "%255[^.].facts%n", name, &end) != 1 || end == 0 ||
            entry->d_name[end] != '\0') {
            facts_problem(entry->d_name, ": expected NAME.facts");
            continue;
        }
        if (personality_find(name) == NULL) {
            facts_problem(entry->d_name, ": expected a personality of this name");
        } else if (facts_of_all()->count < FACTS_MOST) {
            facts_open(name);
        }
    }
    if (folder != NULL)
        closedir(folder);
    personality_list(facts_seek);
    return facts_of_all()->problems;
}

#endif
