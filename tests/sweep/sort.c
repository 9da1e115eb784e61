#include "sort.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "band.h"
#include "real.h"

/* By how much a count that the truth does not have may differ where the windows went otherwise. */
#define OTHER_SHARE  0.25
#define OTHER_COUNTS 100
/* How far the errors of a node's formula may lie apart in two runs; where the machine is another
 * one, and its passes need not all go the same way; and by how bytes of PERF_METRICS are rounded:
 * three by a step each in the shorter window, a fourth in the longer one. One byte cut off to a
 * step in both windows, 2n less n iterations, is off by -2 steps to +1; and there are edges. */
#define SHARE_APART   0.01
#define SHARE_BYTE    (3 / 255.0 + 0.002)
#define SHARE_OTHER   0.02
#define SHARE_ROUNDED (4 / 255.0)

struct sorting {
    struct finding *finding;
    struct outcome *outcome;
    struct baseline *baseline;
    const struct stream *stream;
    const char *label;
    const struct allowed *allowed;
    FILE *every;
    bool news; /* some stream says something that the sound run does not */
};

const char *sort_name(enum sort sort)
{
    static const char *const names[SORTS] = {
        "right", "loud", "quiet and right", "silent and wrong", "no end", "early"};

    return names[sort];
}

bool baseline_add(struct baseline *baseline, struct outcome *sound, unsigned number)
{
    for (unsigned i = 0; i < STREAMS; i++) {
        const struct stream *stream = &sound->streams[i];

        if (stream->there &&
            (!stream->ended || stream->damaged || strcmp(stream->reason, "complete") != 0)) {
            fprintf(stderr, "sweep: %s: a run without a fault is not whole\n", sound->folder);
            return false;
        }
        if (stream->there)
            facts_add(&baseline->facts, stream->log.records, number * STREAMS + i);
        if (stream->there)
            statements_add(&baseline->statements[i], &stream->log);
    }
    if (number == 0)
        baseline->clean = *sound;
    if (!sound->streams[STREAM_STICK].there && !sound->streams[STREAM_SERIAL].there)
        fprintf(stderr, "sweep: %s: a run without a fault has no log\n", sound->folder);
    return sound->streams[STREAM_STICK].there || sound->streams[STREAM_SERIAL].there;
}

void baseline_end(struct baseline *baseline)
{
    facts_sort(&baseline->facts);
}

void baseline_free(struct baseline *baseline)
{
    facts_free(&baseline->facts);
    for (unsigned i = 0; i < STREAMS; i++)
        statements_free(&baseline->statements[i]);
}

static void tell(struct sorting *sorting, const char *pattern, ...)
{
    char text[sizeof(sorting->finding->first)];
    va_list arguments;

    va_start(arguments, pattern);
    vsnprintf(text, sizeof(text), pattern, arguments);
    va_end(arguments);
    if (sorting->every != NULL)
        fprintf(sorting->every, "    %s: %s\n", sorting->label, text);
}

static void accuse(struct sorting *sorting, const char *pattern, ...)
{
    struct finding *finding = sorting->finding;
    char text[sizeof(finding->first) - 16];
    va_list arguments;

    va_start(arguments, pattern);
    vsnprintf(text, sizeof(text), pattern, arguments);
    va_end(arguments);
    if (finding->wrong++ == 0)
        snprintf(finding->first, sizeof(finding->first), "%s: %s", sorting->label, text);
    if (sorting->every != NULL)
        fprintf(sorting->every, "    %s: WRONG %s\n", sorting->label, text);
}

static void describe(const struct fact *fact, char *text, size_t size)
{
    if (fact->kind == FACT_NULL)
        snprintf(text, size, "null");
    else if (fact->kind == FACT_TEXT)
        snprintf(text, size, "\"%.60s\"", fact->text);
    else
        snprintf(text, size, "%.10g", fact->value);
}

/* Whether the core says of itself that it has PERF_METRICS. */
static bool has_bytes(const struct stream *stream, json_int_t core)
{
    json_t *record;
    size_t i;

    json_array_foreach (stream->log.records, i, record)
        if (strcmp(record_text(record, "type", ""), "core") == 0 &&
            json_integer_value(json_object_get(record, "core")) == core)
            return json_is_true(json_object_get(record, "perf_metrics"));
    return false;
}

static double apart(const struct sorting *sorting, const struct fact *fact)
{
    if (sorting->allowed->machine <= MACHINE_LESS)
        return has_bytes(sorting->stream, fact->core) ? SHARE_BYTE : SHARE_APART;
    return SHARE_OTHER + (has_bytes(sorting->stream, fact->core) ? SHARE_ROUNDED : 0);
}

/* Whether so it happened. What the truth does not have may differ where the kernel's windows went
 * otherwise, by about as much as windows do; where only some did, by what their edges have. */
static bool is_real(struct sorting *sorting, const struct fact *fact, const struct band *band)
{
    struct run *run = outcome_truth(sorting->outcome);
    struct run *sound_run = outcome_truth(&sorting->baseline->clean);
    const struct fact *sound = band->count > 0 && band->first->run < STREAMS ? band->first : NULL;
    double share, more;
    enum real_way way;
    enum real said;

    said = real_says(fact, run, sound, sound_run, apart(sorting, fact));
    if (fact->kind == FACT_NUMBER &&
        (sorting->allowed->machine == MACHINE_OTHER ||
         (sorting->allowed->machine == MACHINE_LESS && band->count == 0)))
        return said != REAL_WRONG;
    if (said != REAL_UNKNOWN || !band->number || !fact->counts)
        return said == REAL_RIGHT;
    way = real_went(fact, run, sound, sound_run);
    share = way == REAL_OTHERWISE ? OTHER_SHARE : 0;
    more = way == REAL_OTHERWISE ? OTHER_COUNTS : way == REAL_IN_SOME ? BAND_EDGE_COUNTS : 0;
    return fact->value >= band->low - share * fabs(band->low) - more &&
           fact->value <= band->high + share * fabs(band->high) + more;
}

static const struct statement *doubted(const struct sorting *sorting, const struct fact *fact)
{
    return statements_doubt(&sorting->stream->statements, fact, &sorting->baseline->facts);
}

static bool may_move(const struct allowed *allowed, const struct fact *fact)
{
    const size_t length = strlen(fact->name);

    for (const char *at = allowed->moves; at != NULL && (at = strstr(at, fact->name)) != NULL; at++)
        if ((at == allowed->moves || at[-1] == ' ') && (at[length] == 0 || at[length] == ' '))
            return true;
    return false;
}

/* A kernel that no sound run has, or another number of a kernel that both have, or what was asked
 * for: the fault lost the configuration. Nothing is to be compared with, but the log must say what
 * was lost. */
static bool is_of_another_run(const struct sorting *sorting, const struct fact *fact)
{
    const struct facts *sound = &sorting->baseline->facts;

    if (statements_lost_options(&sorting->stream->statements))
        return true;
    for (size_t i = 0; i < sound->count; i++)
        if (strcmp(sound->of[i].kernel, fact->kernel) == 0)
            return false;
    return statements_news(&sorting->stream->statements) != NULL;
}

/* A load that a fault makes slower is in a record whose other loads are all quick. What it took is
 * right where a sound run has it of the same kernel's slow loads. */
static bool is_of_slower_loads(const struct sorting *sorting, const struct fact *fact)
{
    const struct facts *sound = &sorting->baseline->facts;

    for (size_t i = 0; i < sound->count && strcmp(fact->type, "pebs") == 0; i++) {
        const struct fact *other = &sound->of[i];

        if (other->kind == FACT_NUMBER && strcmp(other->type, "pebs") == 0 &&
            strcmp(other->name, fact->name) == 0 && strcmp(other->kernel, fact->kernel) == 0 &&
            strstr(fact->name, "_cycles") != NULL && fact->low >= other->low &&
            fact->high <= other->high)
            return true;
    }
    return false;
}

static void judge(struct sorting *sorting, const struct fact *fact)
{
    const struct band band = band_of(&sorting->baseline->facts, fact->key);
    const struct statement *doubt;
    char value[80], usual[80] = "not there";

    if (band_has(&band, fact) || may_move(sorting->allowed, fact)) {
        const bool same =
            band.count > 0 && (fact->kind != FACT_NUMBER || fact->value == band.first->value ||
                               strcmp(fact->type, "result") == 0);

        sorting->finding->moved += !same;
        return;
    }
    sorting->finding->moved++;
    if (fact->kind == FACT_NULL || band_is_of_chance(fact))
        return;
    describe(fact, value, sizeof(value));
    if (band.number)
        snprintf(usual, sizeof(usual), "%.10g to %.10g", band.low, band.high);
    else if (band.count > 0)
        describe(band.first, usual, sizeof(usual));
    doubt = doubted(sorting, fact);
    if (doubt != NULL || !fact->trusted) {
        sorting->finding->doubted++;
        tell(sorting, "doubted %s %s, sound runs %s: %s", fact->key, value, usual,
             doubt != NULL ? doubt->text : "\"trusted\":false");
        return;
    }
    if ((band.count == 0 || strcmp(fact->type, "machine") == 0) && is_of_another_run(sorting, fact))
        return;
    if (is_real(sorting, fact, &band) || (!band.number && is_of_slower_loads(sorting, fact))) {
        tell(sorting, "right %s %s, sound runs %s: so it happened", fact->key, value, usual);
        return;
    }
    accuse(sorting, "%s %s, sound runs %s", fact->key, value, usual);
}

/* Whether the record that would have it says why it has not. */
static bool has_reason(const struct stream *stream, const struct fact *fact)
{
    static const char *const members[] = {"missing", "reasons"};
    json_t *record;
    size_t i;

    json_array_foreach (stream->log.records, i, record) {
        const json_t *core = json_object_get(record, "core");

        if (strcmp(record_text(record, "kernel", ""), fact->kernel) != 0 ||
            (json_is_integer(core) && json_integer_value(core) != fact->core))
            continue;
        for (size_t j = 0; j < sizeof(members) / sizeof(members[0]); j++)
            if (json_object_get(json_object_get(record, members[j]), fact->name) != NULL)
                return true;
    }
    return false;
}

static bool is_of_bytes(const struct fact *fact)
{
    return strstr(fact->name, "PERF_METRICS.") == fact->name ||
           strstr(fact->name, ":perf_metrics") != NULL;
}

/* A log that was cut, or whose reader names damage, says so of all that is missing in it. */
static void judge_missing(struct sorting *sorting, const struct fact *fact)
{
    const struct stream *stream = sorting->stream;
    const bool brief = stream->log.totals.brief;
    const struct statement *why;
    const struct fact *first;

    if (facts_find(&stream->facts, fact->key, &first) > 0)
        return;
    if (facts_find(&stream->doubted, fact->key, &first) > 0) {
        sorting->finding->doubted++;
        tell(sorting, "doubted %s: by a doubt record", fact->key);
        return;
    }
    /* The brief form names only nodes over their threshold. */
    if (brief && strcmp(fact->member, "nodes") == 0 && fact->low < fact->high)
        return;
    sorting->finding->missing++;
    why = statements_explain(&stream->statements, fact, brief);
    if (is_of_bytes(fact) && !has_bytes(stream, fact->core)) {
        tell(sorting, "missing %s: the core has no PERF_METRICS", fact->key);
        return;
    }
    if (stream->damaged || !stream->ended || strcmp(stream->reason, "complete") != 0 ||
        why != NULL || has_reason(stream, fact)) {
        tell(sorting, "missing %s: %s", fact->key, why != NULL ? why->text : "the log says why");
        return;
    }
    accuse(sorting, "%s is missing without a word", fact->key);
}

static void judge_stream(struct sorting *sorting, enum stream_name name)
{
    const struct stream *clean = &sorting->baseline->clean.streams[name];
    struct stream *stream = &sorting->outcome->streams[name];

    sorting->stream = stream;
    sorting->label = stream_label(name);
    if (!stream->there)
        return;
    statements_remove(&stream->statements, &sorting->baseline->statements[name]);
    for (size_t i = 0; i < stream->facts.count; i++)
        judge(sorting, &stream->facts.of[i]);
    for (size_t i = 0; i < clean->facts.count; i++)
        if (clean->facts.of[i].kind == FACT_NUMBER)
            judge_missing(sorting, &clean->facts.of[i]);
    if (statements_news(&stream->statements) != NULL)
        tell(sorting, "says %s", statements_news(&stream->statements)->text);
    sorting->news = sorting->news || statements_news(&stream->statements) != NULL ||
                    stream->discarded != clean->discarded || stream->damaged ||
                    strcmp(stream->reason, clean->reason) != 0;
}

static bool is_cut(const struct outcome *outcome, const struct baseline *baseline,
                   enum stream_name name)
{
    return baseline->clean.streams[name].there && outcome->streams[name].there &&
           !outcome->streams[name].ended;
}

/* A stream that is not there at all must be named in the other one. */
static void judge_lost(struct sorting *sorting, enum stream_name name)
{
    const enum stream_name other = name == STREAM_STICK ? STREAM_SERIAL : STREAM_STICK;
    const struct stream *named = &sorting->outcome->streams[other];

    sorting->label = stream_label(name);
    if (!sorting->baseline->clean.streams[name].there || sorting->outcome->streams[name].there)
        return;
    sorting->news = true;
    if (name == STREAM_STICK && sorting->outcome->no_file)
        return;
    if (sorting->outcome->status == 0 && named->there &&
        statements_news(&named->statements) == NULL)
        accuse(sorting, "the log is not there, and the other one does not say so");
}

static bool has_no_end(struct sorting *sorting, const struct allowed *allowed)
{
    const struct outcome *outcome = sorting->outcome;
    const bool stick = is_cut(outcome, sorting->baseline, STREAM_STICK);
    const bool serial = is_cut(outcome, sorting->baseline, STREAM_SERIAL);
    const struct outcome *clean = &sorting->baseline->clean;
    const bool any = outcome->streams[STREAM_STICK].ended || outcome->streams[STREAM_SERIAL].ended;
    const bool none_safe = (allowed->stick || !clean->streams[STREAM_STICK].there) &&
                           (allowed->serial || !clean->streams[STREAM_SERIAL].there);
    const char *why = NULL;

    if (allowed->all)
        return false;
    if (outcome->status == 1 || outcome->status < 0)
        why = "the rig had to stop the run";
    else if (!any && !none_safe)
        why = "no stream has an end record";
    else if (stick && !allowed->stick)
        why = "the log on the stick is cut";
    else if (serial && !allowed->serial)
        why = "the log on the serial line is cut";
    if (why != NULL && sorting->finding->wrong == 0)
        snprintf(sorting->finding->first, sizeof(sorting->finding->first), "%s", why);
    if (why != NULL && sorting->every != NULL)
        fprintf(sorting->every, "    NO END: %s\n", why);
    return why != NULL;
}

void sort_run(struct finding *finding, struct outcome *outcome, struct baseline *baseline,
              const struct allowed *allowed, FILE *every)
{
    struct sorting sorting = {.finding = finding,
                              .outcome = outcome,
                              .baseline = baseline,
                              .allowed = allowed,
                              .every = every};
    bool endless;

    *finding = (struct finding){.sort = SORT_EARLY};
    for (unsigned i = 0; i < STREAMS; i++)
        judge_stream(&sorting, (enum stream_name)i);
    if (outcome->no_handlers)
        return;
    for (unsigned i = 0; i < STREAMS; i++)
        judge_lost(&sorting, (enum stream_name)i);
    endless = has_no_end(&sorting, allowed);
    finding->sort = finding->wrong > 0 ? SORT_WRONG
                    : endless          ? SORT_ENDLESS
                    : sorting.news || finding->doubted > 0 || finding->missing > 0 ||
                            outcome->status != baseline->clean.status
                        ? SORT_LOUD
                    : finding->moved > 0 ? SORT_RIGHT
                                         : SORT_QUIET;
}
