/* Holds a core model against basic blocks measured on silicon:
 *
 *   blocks PERSONALITY FILE    the summary, what could not be played, the worst
 *   blocks --list ...          a line for each block: line, measured, predicted, confirmed
 *   blocks --before LIST ...   also names each block that is worse than in LIST, which --list of an
 *                              older build has written
 *   blocks --loop ...          each block is the body of a loop
 *
 * What is predicted of rows of copies has HARNESS_SHORT taken off (harness.h).
 * The status is 0, or 2 when nothing could be played or read. */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "host.h"
#include "loop.h"
#include "pmu/personality.h"
#include "statistics.h"

#define STATUS_USAGE 2
/* BHive took 100 copies from 200 (the README of its timing-harness); of long blocks so many that L1
 * holds the code, which all runs had to. */
#define COPIES    200u
#define CODE_SIZE (24u * 1024u)
#define STEPS_MAX 60000u
#define WORST     20u
#define WORSE_BY  0.05 /* a block is worse when its error has grown by so much */
#define WHY_SIZE  160u

struct how {
    const struct model_parameters *core;
    const char *before; /* NULL: there is no older list */
    bool list, loop;
};

struct outcome {
    const struct block *block;
    double played;      /* cycles of a copy in the model */
    struct pair pair;   /* what the harness makes of them is predicted */
    char why[WHY_SIZE]; /* "": played */
};

/* Copies in the longer row; an even number, the shorter one has half of them. */
static unsigned copies_of(const struct block *block)
{
    const unsigned fit = CODE_SIZE / block->length / 2 * 2; /* a block has at most 1024 bytes */

    return fit < COPIES ? fit : COPIES;
}

/* Cycles of a copy by which the harness measures short. */
static double short_by(const struct block *block)
{
    const unsigned copies = copies_of(block);

    return (double)HARNESS_SHORT / (copies - copies / 2);
}

static void play(struct host *host, const struct how *how, struct outcome *outcome)
{
    const struct block *block = outcome->block;
    struct steps steps;

    outcome->pair.measured = block->cycles;
    if (how->loop && !loop_possible(block)) {
        snprintf(outcome->why, sizeof(outcome->why), "(any) it has R15, which counts the turns");
        return;
    }
    if (host_run(host, block, copies_of(block), STEPS_MAX, how->loop ? LOOP_CODE : HARNESS_CODE,
                 &steps, outcome->why, sizeof(outcome->why)))
        outcome->played = how->loop ? play_loop(how->core, block, &steps)
                                    : harness_cycles(how->core, block, &steps, HARNESS_CODE);
    outcome->pair.predicted = outcome->played - (how->loop ? 0 : short_by(block));
    if (outcome->played < 0)
        snprintf(outcome->why, sizeof(outcome->why), "(none) finds no memory on the host");
    steps_free(&steps);
}

/* --- the report --- */

static int by_error(const void *a, const void *b)
{
    const double first = fabs(pair_error(&((const struct outcome *)a)->pair));
    const double second = fabs(pair_error(&((const struct outcome *)b)->pair));

    return (first < second) - (first > second);
}

static int by_reason(const void *a, const void *b)
{
    return strcmp(((const struct outcome *)a)->why, ((const struct outcome *)b)->why);
}

static void print_hex(const struct block *block)
{
    for (unsigned i = 0; i < block->length; i++)
        printf("%02x", block->code[i]);
    putchar('\n');
}

/* Of what is predicted, or of what was played. `room` is for a pair of each block. */
static struct statistics statistics(const struct outcome *outcomes, size_t count, bool confirmed,
                                    bool played, struct pair *room)
{
    size_t used = 0;

    for (size_t i = 0; i < count; i++) {
        if (outcomes[i].why[0] != '\0' || (confirmed && !outcomes[i].block->confirmed))
            continue;
        room[used] = outcomes[i].pair;
        if (played)
            room[used].predicted = outcomes[i].played;
        used++;
    }
    return statistics_of(room, used);
}

static void print_statistics(const char *which, const struct outcome *outcomes, size_t count,
                             bool confirmed, struct pair *room)
{
    const struct statistics s = statistics(outcomes, count, confirmed, false, room);

    if (s.count == 0)
        return;
    printf("%-10s %6zu %7.2f %% %7.2f %% %+7.2f %% %6.3f %7.1f %% %7.1f %%\n", which, s.count,
           100 * s.mean, 100 * s.median, 100 * s.bias, s.tau, 100 * s.within_10, 100 * s.within_25);
}

/* What the guess of HARNESS_SHORT does, for each reader to judge. */
static void print_played(const struct outcome *outcomes, size_t count, struct pair *room)
{
    const struct statistics all = statistics(outcomes, count, false, true, room);
    const struct statistics confirmed = statistics(outcomes, count, true, true, room);

    printf("measured differences are taken to be %u cycles short (a guess); without that: mean "
           "%.2f %%",
           HARNESS_SHORT, 100 * all.mean);
    if (confirmed.count > 0)
        printf(", confirmed %.2f %%", 100 * confirmed.mean);
    putchar('\n');
}

static void print_unplayed(struct outcome *outcomes, size_t count)
{
    qsort(outcomes, count, sizeof(*outcomes), by_reason);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && strcmp(outcomes[next].why, outcomes[i].why) == 0;)
            next++;
        if (outcomes[i].why[0] != '\0')
            printf("not played: %zu, %s\n", next - i, outcomes[i].why);
    }
}

static void print_worst(struct outcome *outcomes, size_t count)
{
    unsigned printed = 0;

    qsort(outcomes, count, sizeof(*outcomes), by_error);
    printf("\nthe worst:   line  measured  predicted  confirmed  code\n");
    for (size_t i = 0; i < count && printed < WORST; i++) {
        if (outcomes[i].why[0] != '\0')
            continue;
        printf("          %7u %9.2f %10.2f  %-9s  ", outcomes[i].block->line,
               outcomes[i].pair.measured, outcomes[i].pair.predicted,
               outcomes[i].block->confirmed ? "yes" : "no");
        print_hex(outcomes[i].block);
        printed++;
    }
}

static void print_report(const struct how *how, struct outcome *outcomes, size_t count,
                         struct pair *room)
{
    printf("blocks     played      mean    median      bias    tau  within 10 %%    25 %%\n");
    print_statistics("all", outcomes, count, false, room);
    print_statistics("confirmed", outcomes, count, true, room);
    putchar('\n');
    if (!how->loop)
        print_played(outcomes, count, room);
    print_unplayed(outcomes, count);
    print_worst(outcomes, count);
}

static void print_list(const struct outcome *outcomes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (outcomes[i].why[0] != '\0')
            printf("%u %.2f - %s\n", outcomes[i].block->line, outcomes[i].pair.measured,
                   outcomes[i].why);
        else
            printf("%u %.2f %.4f %s\n", outcomes[i].block->line, outcomes[i].pair.measured,
                   outcomes[i].pair.predicted, outcomes[i].block->confirmed ? "yes" : "no");
    }
}

/* Names the blocks that are worse than in the list; outcomes are in the order of the file. */
static bool print_worse(const struct outcome *outcomes, size_t count, const char *name)
{
    FILE *list = fopen(name, "r");
    char text[256];
    size_t at = 0, lines = 0;

    if (list == NULL) {
        fprintf(stderr, "blocks: %s: %s\n", name, strerror(errno));
        return false;
    }
    while (fgets(text, sizeof(text), list) != NULL) {
        unsigned line;
        struct pair before;
        double now;

        if (sscanf(text, "%u %lf %lf", &line, &before.measured, &before.predicted) != 3)
            continue;
        lines++;
        while (at < count && outcomes[at].block->line < line)
            at++;
        if (at == count || outcomes[at].block->line != line || outcomes[at].why[0] != '\0')
            continue;
        now = fabs(pair_error(&outcomes[at].pair));
        if (now > fabs(pair_error(&before)) + WORSE_BY) {
            printf("worse: line %u, measured %.2f, was %.2f, is %.2f: ", line, before.measured,
                   before.predicted, outcomes[at].pair.predicted);
            print_hex(outcomes[at].block);
        }
    }
    fclose(list);
    if (lines == 0)
        fprintf(stderr, "blocks: %s: expected lines that --list has written\n", name);
    return lines > 0;
}

/* --- the run --- */

static bool any_played(const struct outcome *outcomes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (outcomes[i].why[0] == '\0')
            return true;
    return false;
}

static int play_all(const struct how *how, const struct blocks *blocks)
{
    char why[WHY_SIZE];
    struct host *host = host_new(why, sizeof(why));
    struct outcome *outcomes = calloc(blocks->count, sizeof(*outcomes));
    struct pair *room = calloc(blocks->count, sizeof(*room));
    int status = STATUS_USAGE;

    if (host == NULL)
        fprintf(stderr, "blocks: nothing can be played: %s\n", why);
    if (host != NULL && outcomes != NULL && room != NULL) {
        for (size_t i = 0; i < blocks->count; i++) {
            outcomes[i].block = &blocks->block[i];
            play(host, how, &outcomes[i]);
        }
        status = 0;
        if (how->before != NULL && !print_worse(outcomes, blocks->count, how->before))
            status = STATUS_USAGE;
        if (how->list)
            print_list(outcomes, blocks->count);
        else if (any_played(outcomes, blocks->count))
            print_report(how, outcomes, blocks->count, room);
        else
            print_unplayed(outcomes, blocks->count);
        if (!any_played(outcomes, blocks->count)) {
            fprintf(stderr, "blocks: nothing could be played\n");
            status = STATUS_USAGE;
        }
    }
    free(room);
    free(outcomes);
    host_free(host);
    return status;
}

static int play_file(const struct how *how, const char *name)
{
    FILE *file = fopen(name, "r");
    struct blocks blocks = {NULL, 0};
    char why[WHY_SIZE];
    int status = STATUS_USAGE;

    if (file == NULL) {
        fprintf(stderr, "blocks: %s: %s\n", name, strerror(errno));
        return status;
    }
    if (blocks_read(&blocks, file, why, sizeof(why)))
        status = play_all(how, &blocks);
    else
        fprintf(stderr, "blocks: %s, %s\n", name, why);
    fclose(file);
    blocks_free(&blocks);
    return status;
}

int main(int argc, char **argv)
{
    static const struct option known[] = {{"list", no_argument, NULL, 'l'},
                                          {"loop", no_argument, NULL, 'o'},
                                          {"before", required_argument, NULL, 'b'},
                                          {0}};
    const struct personality *personality;
    struct how how = {0};
    int found;

    while ((found = getopt_long(argc, argv, "", known, NULL)) != -1) {
        if (found == 'l')
            how.list = true;
        else if (found == 'o')
            how.loop = true;
        else if (found == 'b')
            how.before = optarg;
        else
            return STATUS_USAGE;
    }
    if (argc - optind != 2) {
        fprintf(stderr, "usage: blocks [--loop] [--list] [--before LIST] PERSONALITY FILE\n");
        return STATUS_USAGE;
    }
    personality = personality_find(argv[optind]);
    if (personality == NULL) {
        fprintf(stderr, "blocks: unknown personality \"%s\"; rig --list prints all of them\n",
                argv[optind]);
        return STATUS_USAGE;
    }
    how.core = personality->core;
    return play_file(&how, argv[optind + 1]);
}
