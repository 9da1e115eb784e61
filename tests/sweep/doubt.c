#include "doubt.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of identities: they fail for a kernel, whichever of its events is wrong. */
static const char *const identities[] = {"of width x cycles", "of those issued",
                                         "bytes of PERF_METRICS", "both threads:"};

static void add(struct statements *statements, enum saying saying, json_int_t core,
                const char *text, const char *name)
{
    if (statements->count == statements->room) {
        statements->room = statements->room * 2 + 64;
        statements->of = allocate_or_end(statements->of, statements->room, sizeof(*statements->of));
    }
    statements->of[statements->count++] =
        (struct statement){.saying = saying, .core = core, .text = strdup(text), .name = name};
    if (statements->of[statements->count - 1].text == NULL)
        abort();
}

/* Where the text has the word; a word is not part of a longer name. */
static const char *find_word(const char *text, const char *word)
{
    const size_t length = strlen(word);

    if (length == 0)
        return NULL;
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word)) {
        const char before = at == text ? ' ' : at[-1], after = at[length];

        if (!isalnum((unsigned char)before) && before != '.' && before != '_' &&
            !isalnum((unsigned char)after) && after != '_' &&
            (after != '.' || !isalnum((unsigned char)at[length + 1])))
            return at;
    }
    return NULL;
}

static json_int_t core_in(const char *text)
{
    const char *at = find_word(text, "core");

    return at != NULL && at[4] == ' ' && isdigit((unsigned char)at[5]) ? atoll(at + 5) : -1;
}

static void add_verdict(struct statements *statements, const struct log_verdict *verdict)
{
    char *text = NULL;
    const enum saying saying = verdict->skipped ? SAYS_SKIPPED
                               : !verdict->ok   ? SAYS_FAILED
                               : strstr(verdict->claim, ", but ") != NULL &&
                                       strstr(verdict->claim, " of what it should") != NULL
                                   ? SAYS_RESTS
                                   : SAYS_PASSED;

    if (asprintf(&text, "%s%s%s", verdict->claim, verdict->skipped ? " # SKIP " : "",
                 verdict->reason) < 0)
        abort();
    add(statements, saying, core_in(verdict->claim), text, NULL);
    free(text);
}

static void add_error(struct statements *statements, const json_t *record)
{
    const json_t *core = json_object_get(record, "core");
    char *text = NULL;

    if (asprintf(&text, "%s; %s; %s; %s", record_text(record, "what", ""),
                 record_text(record, "where", ""), record_text(record, "expected", ""),
                 record_text(record, "kernel", "")) < 0)
        abort();
    add(statements, SAYS_ERROR, json_is_integer(core) ? json_integer_value(core) : core_in(text),
        text, NULL);
    free(text);
}

static void add_exactness(struct statements *statements, const json_t *record)
{
    const char *event;
    json_t *how;

    json_object_foreach (json_object_get(record, "events"), event, how) {
        const char *is = record_text(how, "is", "");

        if (strcmp(is, "exact") != 0 && strcmp(is, "exact at 0") != 0 &&
            strcmp(is, "not provable") != 0)
            add(statements, SAYS_OFF, json_integer_value(json_object_get(record, "core")), event,
                event);
    }
}

static void add_apart(struct statements *statements, const json_t *record)
{
    const json_int_t core = json_integer_value(json_object_get(record, "core"));
    const json_t *interval = json_object_get(record, "interval");
    const char *event;
    json_t *how;

    json_object_foreach (json_object_get(record, json_is_integer(interval) ? "apart" : "events"),
                         event, how) {
        if (!json_is_integer(interval) && json_object_get(how, "slice_range") == NULL)
            continue;
        add(statements, SAYS_APART, core, record_text(record, "kernel", ""), event);
        statements->of[statements->count - 1].first =
            json_is_integer(interval) ? json_integer_value(interval) : -1;
    }
}

static void add_doubt(struct statements *statements, const json_t *record)
{
    const json_t *range = json_object_get(record, "records");

    add(statements, SAYS_DOUBT, json_integer_value(json_object_get(record, "core")),
        record_text(record, "why", ""), NULL);
    statements->of[statements->count - 1].first = json_integer_value(json_array_get(range, 0));
    statements->of[statements->count - 1].last =
        range != NULL && json_is_array(range) ? json_integer_value(json_array_get(range, 1)) : -1;
}

void statements_add(struct statements *statements, const struct whole_log *log)
{
    json_t *record;
    size_t i;

    for (i = 0; i < log->verdict_count; i++)
        add_verdict(statements, &log->verdicts[i]);
    json_array_foreach (log->records, i, record) {
        if (strcmp(record_text(record, "type", ""), "error") == 0)
            add_error(statements, record);
        if (strcmp(record_text(record, "type", ""), "doubt") == 0)
            add_doubt(statements, record);
        if (strcmp(record_text(record, "type", ""), "outliers") == 0)
            add(statements, SAYS_NOTED, json_integer_value(json_object_get(record, "core")),
                record_text(record, "kernel", ""), NULL);
        if (strcmp(record_text(record, "type", ""), "multiplex") == 0 ||
            json_object_get(record, "interval") != NULL)
            add_apart(statements, record);
        if (strcmp(record_text(record, "type", ""), "exactness") == 0)
            add_exactness(statements, record);
    }
}

/* Whether the texts are the same but for their figures. */
static bool alike(const char *one, const char *other)
{
    for (;;) {
        while (isdigit((unsigned char)*one) || *one == '.' || *one == '-')
            one++;
        while (isdigit((unsigned char)*other) || *other == '.' || *other == '-')
            other++;
        if (*one != *other)
            return false;
        if (*one == 0)
            return true;
        one++;
        other++;
    }
}

static bool said_by(const struct statements *sound, const struct statement *statement)
{
    for (size_t i = 0; i < sound->count; i++)
        if (sound->of[i].saying == statement->saying && sound->of[i].core == statement->core &&
            alike(sound->of[i].text, statement->text))
            return true;
    return false;
}

void statements_remove(struct statements *statements, const struct statements *sound)
{
    size_t kept = 0;

    for (size_t i = 0; i < statements->count; i++) {
        if (statements->of[i].saying != SAYS_PASSED && said_by(sound, &statements->of[i]))
            free(statements->of[i].text);
        else
            statements->of[kept++] = statements->of[i];
    }
    statements->count = kept;
}

void statements_free(struct statements *statements)
{
    for (size_t i = 0; i < statements->count; i++)
        free(statements->of[i].text);
    free(statements->of);
    *statements = (struct statements){0};
}

static bool names_a_kernel(const char *text, const struct facts *kernels)
{
    const char *last = "";

    for (size_t i = 0; i < kernels->count; i++) {
        const char *kernel = kernels->of[i].kernel;

        if (strcmp(kernel, last) != 0 && find_word(text, kernel) != NULL)
            return true;
        last = kernel;
    }
    return false;
}

static bool is_identity(const char *text)
{
    for (size_t i = 0; i < sizeof(identities) / sizeof(identities[0]); i++)
        if (strstr(text, identities[i]) != NULL)
            return true;
    return false;
}

/* A claim on one event says nothing of another event's count; nodes and CPI are made of events. */
static bool is_about(const struct statement *statement, const struct fact *fact)
{
    if (find_word(statement->text, fact->name) != NULL)
        return true;
    return !fact->counts || is_identity(statement->text);
}

/* Cycles scale all estimates of a multiplexed run, but no count. */
static bool doubts_rotation(const struct statement *statement, const struct fact *fact)
{
    const json_t *interval = json_object_get(fact->record, "interval");

    if (strcmp(statement->text, fact->kernel) != 0)
        return false;
    if (statement->first < 0)
        return strcmp(fact->type, "multiplex") == 0 &&
               (strcmp(statement->name, fact->name) == 0 ||
                (strcmp(statement->name, "CPU_CLK_UNHALTED.THREAD") == 0 &&
                 strstr(fact->key, ".estimate") != NULL));
    return strcmp(fact->type, "drift") == 0 ||
           (json_is_integer(interval) && json_integer_value(interval) == statement->first);
}

static bool doubts(const struct statement *statement, const struct fact *fact,
                   const struct facts *kernels)
{
    const char *text = statement->text;

    if (statement->saying == SAYS_PASSED || (statement->core >= 0 && statement->core != fact->core))
        return false;
    if (statement->saying == SAYS_NOTED)
        return false;
    if (statement->saying == SAYS_DOUBT) {
        const json_int_t seq = json_integer_value(json_object_get(fact->record, "seq"));

        return seq >= statement->first && seq <= statement->last;
    }
    if (statement->saying == SAYS_APART)
        return doubts_rotation(statement, fact);
    if (statement->saying == SAYS_OFF)
        return strcmp(statement->name, fact->name) == 0;
    if (fact->kernel[0] == 0) /* of the core, or of the machine */
        return find_word(text, fact->name) != NULL;
    if (find_word(text, fact->kernel) != NULL)
        return statement->saying == SAYS_ERROR || is_about(statement, fact);
    /* That a counter is not used from now on says nothing of what it counted: a `doubt` record
     * does. */
    return statement->core == fact->core && !names_a_kernel(text, kernels) &&
           (strstr(text, "untrusted") != NULL ||
            (statement->saying == SAYS_ERROR && find_word(text, fact->name) != NULL));
}

const struct statement *statements_doubt(const struct statements *statements,
                                         const struct fact *fact, const struct facts *kernels)
{
    for (size_t i = 0; i < statements->count; i++)
        if (doubts(&statements->of[i], fact, kernels))
            return &statements->of[i];
    return NULL;
}

const struct statement *statements_explain(const struct statements *statements,
                                           const struct fact *fact, bool passed)
{
    for (size_t i = 0; i < statements->count; i++) {
        const struct statement *statement = &statements->of[i];

        if (statement->core >= 0 && statement->core != fact->core)
            continue;
        if (statement->saying != SAYS_PASSED && (statement->saying == SAYS_ERROR || fact->core < 0))
            return statement;
        if (statement->saying == SAYS_PASSED && !passed)
            continue;
        if (find_word(statement->text, fact->kernel) != NULL ||
            strstr(statement->text, "kernels as on") != NULL ||
            strstr(statement->text, "all verdicts") != NULL ||
            strstr(statement->text, "is measured") != NULL)
            return statement;
    }
    return NULL;
}

bool statements_lost_options(const struct statements *statements)
{
    for (size_t i = 0; i < statements->count; i++)
        if (statements->of[i].saying == SAYS_ERROR &&
            strstr(statements->of[i].text, "no load options") != NULL)
            return true;
    return false;
}

const struct statement *statements_news(const struct statements *statements)
{
    for (size_t i = 0; i < statements->count; i++)
        if (statements->of[i].saying != SAYS_PASSED)
            return &statements->of[i];
    return NULL;
}
