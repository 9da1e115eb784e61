#include "trials.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whether the rig says that the fault did not come about. */
static bool happened(const char *folder)
{
    char path[600], line[1024];
    bool did = true;
    FILE *file;

    snprintf(path, sizeof(path), "%s/" OUTCOME_POINTS, folder);
    file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
        json_t *point = json_loads(line, 0, NULL);

        if (json_is_false(json_object_get(point, "happened")))
            did = false;
        json_decref(point);
    }
    if (file != NULL)
        fclose(file);
    return did;
}

static void quiet_standard_error(const char *folder)
{
    char path[600];

    snprintf(path, sizeof(path), "%s/reader", folder);
    if (freopen(path, "w", stderr) == NULL)
        _exit(STATUS_BAD);
}

static void sort_trial(const struct trials *trials, const struct trial *trial, const char *folder,
                       int status, FILE *every, struct finding *finding)
{
    const struct allowed allowed = {.stick = (trial->class->cuts & CUTS_STICK) != 0,
                                    .serial = (trial->class->cuts & CUTS_SERIAL) != 0,
                                    .all = (trial->class->cuts & CUTS_RUN) != 0,
                                    .moves = trial->class->moves,
                                    .machine = trial->class->machine};
    struct outcome outcome;

    outcome_read(&outcome, folder, status);
    sort_run(finding, &outcome, &trials->sound->baselines[trial->base - bases], &allowed, every);
}

static void run_trial(void *context, size_t job, char *result, size_t size)
{
    const struct trials *trials = context;
    const struct trial *trial = &trials->plan.of[job];
    struct finding finding;
    char folder[512];
    int status;

    run_folder(trials->setup, folder, sizeof(folder), "fault", 0, job);
    status = run_rig(trials->setup, trial->base, folder, "", "", trial->fault);
    if (!happened(folder)) {
        snprintf(result, size, "not");
    } else if (status == 2) {
        snprintf(result, size, "refused");
    } else {
        quiet_standard_error(folder);
        sort_trial(trials, trial, folder, status, NULL, &finding);
        snprintf(result, size, "%d %s", (int)finding.sort, finding.first);
    }
    run_remove(folder);
}

static void take_trial(void *context, size_t job, const char *result)
{
    struct trials *trials = context;
    const struct trial *trial = &trials->plan.of[job];
    struct row *row = tally_row(&trials->tally, trial->class);
    unsigned sort;

    if (strcmp(result, "not") == 0) {
        trials->tally.unhappened++;
        fprintf(trials->results, "%s %s: did not happen\n", trial->base->name, trial->fault);
        return;
    }
    if (strcmp(result, "refused") == 0) {
        trials->tally.refused++;
        printf("refused by the rig: '%s %s'\n", trial->base->name, trial->fault);
        return;
    }
    sort = result[0] >= '0' && result[0] < '0' + SORTS ? (unsigned)(result[0] - '0')
                                                       : (unsigned)SORT_ENDLESS;
    row->tried++;
    row->of[sort]++;
    fprintf(trials->results, "%s %s: %s; %s\n", trial->base->name, trial->fault,
            sort_name((enum sort)sort), result[0] != 0 ? result + 2 : "the comparison crashed");
    if (sort == SORT_WRONG || sort == SORT_ENDLESS) {
        printf("%s: '%s %s': %s\n", sort_name((enum sort)sort), trial->base->name, trial->fault,
               result[0] != 0 ? result + 2 : "the comparison crashed");
        fflush(stdout);
    }
}

/* Faults of all seeds by turns, so that a sweep that --minutes ends has some of each. */
static void take_turns(struct plan *plan, const size_t *ends, size_t seeds)
{
    struct trial *turned = allocate_or_end(NULL, plan->count + 1, sizeof(*turned));
    size_t count = 0;

    for (size_t i = 0; count < plan->count; i++)
        for (size_t j = 0; j < seeds; j++) {
            const size_t begin = j > 0 ? ends[j - 1] : 0;

            if (begin + i < ends[j])
                turned[count++] = plan->of[begin + i];
        }
    free(plan->of);
    plan->of = turned;
}

static void plan_trials(struct trials *trials)
{
    const struct options *options = trials->options;
    const struct sound *sound = trials->sound;
    const size_t seeds = options->seed_count;
    size_t ends[OPTIONS_SEEDS];

    for (size_t i = 0; i < seeds; i++) {
        if (options->all)
            plan_all(&trials->plan, sound->extents, options->used, options->classes,
                     options->seeds[i]);
        else if (options->kinds)
            plan_kinds(&trials->plan, sound->extents, options->used, options->seeds[i]);
        else
            plan_draw(&trials->plan, sound->extents, options->used, options->classes,
                      (options->faults + seeds - 1 - i) / seeds, options->seeds[i]);
        ends[i] = trials->plan.count;
    }
    take_turns(&trials->plan, ends, seeds);
}

int trials_sweep(struct trials *trials)
{
    const struct options *options = trials->options;
    struct jobs jobs = {0, (unsigned)options->at_once, 0, trials, run_trial, take_trial};
    struct row sum;
    char path[400];

    plan_trials(trials);
    if (trials->plan.count == 0) {
        fprintf(stderr, "sweep: there is no such fault in these runs\n");
        return STATUS_BAD;
    }
    snprintf(path, sizeof(path), "%s/results", options->work);
    trials->results = fopen(path, "w");
    if (trials->results == NULL) {
        perror(path);
        return STATUS_BAD;
    }
    tally_begin(&trials->tally);
    jobs.count = trials->plan.count;
    jobs.until = options->minutes > 0 ? time(NULL) + (time_t)options->minutes * 60 : 0;
    if (!run_jobs(&jobs))
        return STATUS_BAD;
    fclose(trials->results);
    sum = tally_print(&trials->tally);
    if (trials->tally.refused > 0)
        return STATUS_BAD;
    return sum.of[SORT_WRONG] + sum.of[SORT_ENDLESS] > 0 ? STATUS_WRONG : 0;
}

static struct trial one_of(const struct options *options)
{
    const size_t length = strcspn(options->one, " ");
    struct trial trial = {.base = find_base(options->one, length)};

    snprintf(trial.fault, sizeof(trial.fault), "%s",
             options->one + length + strspn(options->one + length, " "));
    return trial;
}

bool trials_one_has_class(const struct options *options)
{
    const struct trial trial = one_of(options);

    return plan_class(trial.fault, trial.base, NULL) != NULL;
}

int trials_one(struct trials *trials)
{
    struct trial trial = one_of(trials->options);
    struct finding finding;
    char folder[512];
    int status;

    trial.class = plan_class(trial.fault, trial.base, &trials->sound->extents[trial.base - bases]);
    if (trial.class == NULL)
        return STATUS_BAD;
    snprintf(folder, sizeof(folder), "%s/one", trials->options->work);
    status = run_rig(trials->setup, trial.base, folder, "", "", trial.fault);
    if (status == 2 && happened(folder)) {
        fprintf(stderr, "sweep: the rig refuses it: see %s/" OUTCOME_ERRORS "\n", folder);
        return STATUS_BAD;
    }
    if (!happened(folder)) {
        fprintf(stderr, "sweep: %s: it did not happen, see %s/" OUTCOME_ERRORS "\n", trial.fault,
                folder);
        return STATUS_BAD;
    }
    sort_trial(trials, &trial, folder, status, stdout, &finding);
    printf("%s; the rig's status is %d; all of it is in %s\n", sort_name(finding.sort), status,
           folder);
    return finding.sort == SORT_WRONG || finding.sort == SORT_ENDLESS ? STATUS_WRONG : 0;
}

void trials_list(const struct trials *trials)
{
    for (size_t i = 0; i < class_count; i++)
        for (size_t j = 0; j < base_count; j++)
            if (trials->options->used[j] && class_has_base(&classes[i], &bases[j]))
                printf("%-12s %-28s %-44s %lu\n", bases[j].name, classes[i].name,
                       classes[i].pattern,
                       class_extent(&classes[i], &bases[j], &trials->sound->extents[j]));
}
