/* One fault at a time, for every place of a run: what a reader of its logs would believe.
 *
 *   sweep BUILD [--all] [--seeds N,N...] [--faults N] [--classes 'ROW;ROW'] [--bases NAME,NAME]
 *               [--image FILE] [--jobs N] [--minutes N]
 *   sweep BUILD --one 'BASE FAULT'
 *   sweep BUILD --list
 *
 * Boots BUILD's image on BUILD's rig, without a fault and then with one fault each, and sorts each
 * run (sort.h). Prints a table by class, and every fault that a log does not own up to. Exit status
 * 0: no number is silently wrong and every run ends; 1: not so; 2: it could not be tried. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plan.h"
#include "run.h"
#include "sort.h"

#define BASES        32
#define FAULTS       400
#define SEEDS        16
#define SECONDS      120
#define STATUS_WRONG 1
#define STATUS_BAD   2

/* Runs without a fault that differ in what must change no number. */
static const struct {
    const char *args, *more;
} sound_runs[] = {
    {"", ""}, {"warmup=1", ""}, {"warmup=3", ""}, {"warmup=5", ""}, {"", "--memory 256"},
};
#define SOUND (sizeof(sound_runs) / sizeof(sound_runs[0]))

struct row {
    const char *name;
    unsigned long tried, of[SORTS];
};

struct sweep {
    struct setup setup;
    struct baseline baselines[BASES];
    struct extent extents[BASES];
    bool used[BASES];
    struct outcome sound[BASES][SOUND];
    struct plan plan;
    struct row rows[128];
    size_t row_count;
    unsigned long refused, unhappened;
    FILE *results;
    const char *image, *only_classes, *only_bases, *one;
    char work[300];
    uint64_t seeds[SEEDS];
    size_t seed_count;
    unsigned long faults, at_once, minutes;
    bool all, list;
};

static struct sweep sweep;

static void folder_of(char *folder, size_t size, const char *name, size_t base, size_t number)
{
    snprintf(folder, size, "%s/%s-%zu-%zu", sweep.work, name, base, number);
}

/* --- runs without a fault --- */

static void run_sound(void *context, size_t job, char *result, size_t size)
{
    const size_t base = job / SOUND, number = job % SOUND;
    char folder[512];

    (void)context;
    if (!sweep.used[base]) {
        snprintf(result, size, "0");
        return;
    }
    folder_of(folder, sizeof(folder), "sound", base, number);
    snprintf(result, size, "%d",
             run_rig(&sweep.setup, &bases[base], folder, sound_runs[number].args,
                     sound_runs[number].more, ""));
}

static void take_sound(void *context, size_t job, const char *result)
{
    bool *good = context;
    const size_t base = job / SOUND, number = job % SOUND;
    char folder[512];

    if (!sweep.used[base])
        return;
    folder_of(folder, sizeof(folder), "sound", base, number);
    if (strcmp(result, "0") != 0) {
        fprintf(stderr, "sweep: %s without a fault: the rig ends with status %s, see %s\n",
                bases[base].name, result, folder);
        *good = false;
        return;
    }
    outcome_read(&sweep.sound[base][number], folder, 0);
}

static bool run_bases(void)
{
    bool good = true;
    const struct jobs jobs = {base_count * SOUND, (unsigned)sweep.at_once, 0, &good, run_sound,
                              take_sound};

    if (!run_jobs(&jobs) || !good)
        return false;
    for (size_t i = 0; i < base_count; i++) {
        if (!sweep.used[i])
            continue;
        for (unsigned j = 0; j < SOUND; j++)
            if (!baseline_add(&sweep.baselines[i], &sweep.sound[i][j], j))
                return false;
        baseline_end(&sweep.baselines[i]);
        extent_read(&sweep.extents[i], &sweep.baselines[i].clean);
    }
    return true;
}

/* --- runs with one --- */

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

static void sort_trial(const struct trial *trial, const char *folder, int status, FILE *every,
                       struct finding *finding)
{
    const struct allowed allowed = {.stick = (trial->class->cuts & CUTS_STICK) != 0,
                                    .serial = (trial->class->cuts & CUTS_SERIAL) != 0,
                                    .all = (trial->class->cuts & CUTS_RUN) != 0,
                                    .moves = trial->class->moves};
    struct outcome outcome;

    outcome_read(&outcome, folder, status);
    sort_run(finding, &outcome, &sweep.baselines[trial->base - bases], &allowed, every);
}

static void run_trial(void *context, size_t job, char *result, size_t size)
{
    const struct trial *trial = &sweep.plan.of[job];
    struct finding finding;
    char folder[512];
    int status;

    (void)context;
    folder_of(folder, sizeof(folder), "fault", 0, job);
    status = run_rig(&sweep.setup, trial->base, folder, "", "", trial->fault);
    if (!happened(folder)) {
        snprintf(result, size, "not");
    } else if (status == 2) {
        snprintf(result, size, "refused");
    } else {
        quiet_standard_error(folder);
        sort_trial(trial, folder, status, NULL, &finding);
        snprintf(result, size, "%d %s", (int)finding.sort, finding.first);
    }
    run_remove(folder);
}

static struct row *row_of(const struct fault_class *class)
{
    for (size_t i = 0; i < sweep.row_count; i++)
        if (strcmp(sweep.rows[i].name, class->name) == 0)
            return &sweep.rows[i];
    return NULL;
}

static void take_trial(void *context, size_t job, const char *result)
{
    const struct trial *trial = &sweep.plan.of[job];
    struct row *row = row_of(trial->class);
    unsigned sort;

    (void)context;
    if (strcmp(result, "not") == 0) {
        sweep.unhappened++;
        fprintf(sweep.results, "%s %s: did not happen\n", trial->base->name, trial->fault);
        return;
    }
    if (strcmp(result, "refused") == 0) {
        sweep.refused++;
        printf("refused by the rig: '%s %s'\n", trial->base->name, trial->fault);
        return;
    }
    sort = result[0] >= '0' && result[0] < '0' + SORTS ? (unsigned)(result[0] - '0')
                                                       : (unsigned)SORT_ENDLESS;
    row->tried++;
    row->of[sort]++;
    fprintf(sweep.results, "%s %s: %s; %s\n", trial->base->name, trial->fault,
            sort_name((enum sort)sort), result[0] != 0 ? result + 2 : "the comparison crashed");
    if (sort == SORT_WRONG || sort == SORT_ENDLESS) {
        printf("%s: '%s %s': %s\n", sort_name((enum sort)sort), trial->base->name, trial->fault,
               result[0] != 0 ? result + 2 : "the comparison crashed");
        fflush(stdout);
    }
}

/* --- what it prints --- */

static void print_row(const struct row *row)
{
    printf("| %s | %lu | %lu | %lu | %lu | %lu | %lu | %lu |\n", row->name, row->tried,
           row->of[SORT_RIGHT], row->of[SORT_QUIET], row->of[SORT_LOUD], row->of[SORT_WRONG],
           row->of[SORT_ENDLESS], row->of[SORT_EARLY]);
}

static int print_table(void)
{
    struct row sum = {.name = "all"};

    printf("\n| class | faults | right | quiet and right | loud | silent and wrong | no end "
           "| own handlers not there yet |\n|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < sweep.row_count; i++) {
        if (sweep.rows[i].tried == 0)
            continue;
        print_row(&sweep.rows[i]);
        sum.tried += sweep.rows[i].tried;
        for (unsigned j = 0; j < SORTS; j++)
            sum.of[j] += sweep.rows[i].of[j];
    }
    print_row(&sum);
    printf("\n%lu faults: %lu silent and wrong, %lu without an end", sum.tried, sum.of[SORT_WRONG],
           sum.of[SORT_ENDLESS]);
    if (sweep.unhappened > 0)
        printf("; %lu more did not happen", sweep.unhappened);
    printf("%s\n", sweep.refused > 0 ? "; some were refused by the rig" : "");
    if (sweep.refused > 0)
        return STATUS_BAD;
    return sum.of[SORT_WRONG] + sum.of[SORT_ENDLESS] > 0 ? STATUS_WRONG : 0;
}

static void make_rows(void)
{
    for (size_t i = 0; i < class_count; i++)
        if (row_of(&classes[i]) == NULL)
            sweep.rows[sweep.row_count++] = (struct row){.name = classes[i].name};
}

static void print_list(void)
{
    for (size_t i = 0; i < class_count; i++)
        for (size_t j = 0; j < base_count; j++)
            if (sweep.used[j] && class_has_base(&classes[i], &bases[j]))
                printf("%-12s %-28s %-44s %lu\n", bases[j].name, classes[i].name,
                       classes[i].pattern, class_extent(&classes[i], &bases[j], &sweep.extents[j]));
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

static int run_sweep(void)
{
    size_t ends[SEEDS];

    struct jobs jobs = {0, (unsigned)sweep.at_once, 0, NULL, run_trial, take_trial};
    char path[400];

    for (size_t i = 0; i < sweep.seed_count; i++) {
        if (sweep.all)
            plan_all(&sweep.plan, sweep.extents, sweep.used, sweep.only_classes, sweep.seeds[i]);
        else
            plan_draw(&sweep.plan, sweep.extents, sweep.used, sweep.only_classes,
                      (sweep.faults + sweep.seed_count - 1 - i) / sweep.seed_count, sweep.seeds[i]);
        ends[i] = sweep.plan.count;
    }
    take_turns(&sweep.plan, ends, sweep.seed_count);
    if (sweep.plan.count == 0) {
        fprintf(stderr, "sweep: there is no such fault in these runs\n");
        return STATUS_BAD;
    }
    snprintf(path, sizeof(path), "%s/results", sweep.work);
    sweep.results = fopen(path, "w");
    if (sweep.results == NULL) {
        perror(path);
        return STATUS_BAD;
    }
    make_rows();
    jobs.count = sweep.plan.count;
    jobs.until = sweep.minutes > 0 ? time(NULL) + (time_t)sweep.minutes * 60 : 0;
    if (!run_jobs(&jobs))
        return STATUS_BAD;
    fclose(sweep.results);
    return print_table();
}

static int run_one(void)
{
    const size_t length = strcspn(sweep.one, " ");
    struct trial trial = {.base = find_base(sweep.one, length)};
    struct finding finding;
    char folder[512];
    int status;

    snprintf(trial.fault, sizeof(trial.fault), "%s",
             sweep.one + length + strspn(sweep.one + length, " "));
    trial.class = plan_class(trial.fault, trial.base, &sweep.extents[trial.base - bases]);
    if (trial.class == NULL)
        return STATUS_BAD;
    snprintf(folder, sizeof(folder), "%s/one", sweep.work);
    status = run_rig(&sweep.setup, trial.base, folder, "", "", trial.fault);
    if (status == 2 && happened(folder)) {
        fprintf(stderr, "sweep: the rig refuses it: see %s/" OUTCOME_ERRORS "\n", folder);
        return STATUS_BAD;
    }
    if (!happened(folder)) {
        fprintf(stderr, "sweep: %s: it did not happen, see %s/" OUTCOME_ERRORS "\n", trial.fault,
                folder);
        return STATUS_BAD;
    }
    sort_trial(&trial, folder, status, stdout, &finding);
    printf("%s; the rig's status is %d; all of it is in %s\n", sort_name(finding.sort), status,
           folder);
    return finding.sort == SORT_WRONG || finding.sort == SORT_ENDLESS ? STATUS_WRONG : 0;
}

/* --- options --- */

static bool read_number(const char *text, unsigned long most, unsigned long *number)
{
    char *end;

    errno = 0;
    *number = strtoul(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == 0 && errno == 0 && *number <= most;
}

static bool read_seeds(const char *text)
{
    char copy[256];
    char *rest = NULL;

    snprintf(copy, sizeof(copy), "%s", text);
    sweep.seed_count = 0;
    for (char *word = strtok_r(copy, ", ", &rest); word != NULL;
         word = strtok_r(NULL, ", ", &rest)) {
        unsigned long seed;

        if (sweep.seed_count == SEEDS || !read_number(word, 0xffffffff, &seed))
            return false;
        sweep.seeds[sweep.seed_count++] = seed;
    }
    return sweep.seed_count > 0;
}

static int usage(const char *what, const char *value, const char *expected)
{
    fprintf(stderr, "sweep: %s %s: expected %s\n", what, value, expected);
    return STATUS_BAD;
}

static int unknown_base(const char *name, size_t length)
{
    fprintf(stderr, "sweep: %.*s: no base run; there are:", (int)length, name);
    for (size_t i = 0; i < base_count; i++)
        fprintf(stderr, "%s %s", i > 0 ? "," : "", bases[i].name);
    fputc('\n', stderr);
    return STATUS_BAD;
}

static int choose_bases(void)
{
    const char *names = sweep.one != NULL ? sweep.one : sweep.only_bases;

    for (size_t i = 0; i < base_count; i++)
        sweep.used[i] = names == NULL;
    while (names != NULL && *names != 0) {
        const size_t length = strcspn(names, ", ");
        const struct base *base = find_base(names, length);

        if (base == NULL)
            return unknown_base(names, length);
        sweep.used[base - bases] = true;
        names += length;
        names = sweep.one != NULL ? NULL : names + strspn(names, ", ");
    }
    return 0;
}

static int check_classes(void)
{
    const char *name = sweep.only_classes;

    while (name != NULL && *name != 0) {
        const size_t length = strcspn(name, ";");
        size_t i = 0;

        while (i < class_count &&
               (strlen(classes[i].name) != length || memcmp(classes[i].name, name, length) != 0))
            i++;
        if (i == class_count) {
            fprintf(stderr, "sweep: '%.*s': no class of faults; there are:", (int)length, name);
            for (i = 0; i < class_count; i++)
                if (i == 0 || strcmp(classes[i].name, classes[i - 1].name) != 0)
                    fprintf(stderr, "%s '%s'", i > 0 ? "," : "", classes[i].name);
            fputc('\n', stderr);
            return STATUS_BAD;
        }
        name += length + (name[length] == ';');
    }
    return 0;
}

static int read_options(int argc, char **argv)
{
    static const struct option known[] = {
        {"all", no_argument, NULL, 'a'},          {"seeds", required_argument, NULL, 's'},
        {"faults", required_argument, NULL, 'f'}, {"classes", required_argument, NULL, 'c'},
        {"bases", required_argument, NULL, 'b'},  {"image", required_argument, NULL, 'i'},
        {"jobs", required_argument, NULL, 'j'},   {"one", required_argument, NULL, 'o'},
        {"list", no_argument, NULL, 'l'},         {"minutes", required_argument, NULL, 'm'},
        {"work", required_argument, NULL, 'w'},   {NULL, 0, NULL, 0},
    };
    int letter;

    while ((letter = getopt_long(argc, argv, "", known, NULL)) != -1) {
        switch (letter) {
        case 'a':
            sweep.all = true;
            break;
        case 'l':
            sweep.list = true;
            break;
        case 'c':
            sweep.only_classes = optarg;
            break;
        case 'b':
            sweep.only_bases = optarg;
            break;
        case 'i':
            sweep.image = optarg;
            break;
        case 'o':
            sweep.one = optarg;
            break;
        case 'w':
            snprintf(sweep.work, sizeof(sweep.work), "%s", optarg);
            break;
        case 's':
            if (!read_seeds(optarg))
                return usage("seeds", optarg, "1 to 16 numbers up to 4294967295, by commas");
            break;
        case 'f':
            if (!read_number(optarg, 10000000, &sweep.faults) || sweep.faults == 0)
                return usage("faults", optarg, "1 to 10000000");
            break;
        case 'm':
            if (!read_number(optarg, 100000, &sweep.minutes) || sweep.minutes == 0)
                return usage("minutes", optarg, "1 to 100000");
            break;
        case 'j':
            if (!read_number(optarg, 1024, &sweep.at_once) || sweep.at_once == 0)
                return usage("jobs", optarg, "1 to 1024");
            break;
        default:
            return STATUS_BAD;
        }
    }
    if (optind + 1 != argc)
        return usage("arguments", "", "sweep BUILD [options], see tests/sweep/main.c");
    return 0;
}

/* The rig says what it can do. */
static bool rig_has_points(const char *rig)
{
    char command[400], line[256];
    bool has = false;
    FILE *help;

    snprintf(command, sizeof(command), "'%s' --help 2>&1", rig);
    help = popen(command, "r");
    while (help != NULL && fgets(line, sizeof(line), help) != NULL)
        has = has || strstr(line, "--fault-points") != NULL;
    if (help != NULL)
        pclose(help);
    return has;
}

int main(int argc, char **argv)
{
    static char rig[320], image[320];
    int status;

    sweep.faults = FAULTS;
    sweep.seeds[0] = 1;
    sweep.seed_count = 1;
    sweep.at_once = (unsigned long)sysconf(_SC_NPROCESSORS_ONLN);
    status = read_options(argc, argv);
    if (status == 0)
        status = choose_bases();
    if (status == 0)
        status = check_classes();
    if (status != 0)
        return status;
    snprintf(rig, sizeof(rig), "%s/rig", argv[optind]);
    snprintf(image, sizeof(image), "%s/BOOTX64.EFI", argv[optind]);
    if (sweep.work[0] == 0)
        snprintf(sweep.work, sizeof(sweep.work), "%s/sweep-runs", argv[optind]);
    sweep.setup = (struct setup){.rig = rig,
                                 .image = sweep.image != NULL ? sweep.image : image,
                                 .work = sweep.work,
                                 .points = rig_has_points(rig),
                                 .seconds = SECONDS};
    run_remove(sweep.work);
    if (mkdir(sweep.work, 0777) != 0) {
        perror(sweep.work);
        return STATUS_BAD;
    }
    if (!run_bases())
        return STATUS_BAD;
    if (sweep.list) {
        print_list();
        return 0;
    }
    return sweep.one != NULL ? run_one() : run_sweep();
}
