#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "outcome.h"

#define WORDS       64
#define RESULT_SIZE 1024
/* A run that does not compute ends after so many times the seconds that one may compute. On a busy
 * machine a sound run takes many times its own. */
#define WAITING 10

static void make_folder(const char *folder, const char *name)
{
    char path[700];

    snprintf(path, sizeof(path), "%s%s", folder, name);
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        perror(path);
        exit(2);
    }
}

static bool copy_file(const char *from, const char *to)
{
    char bytes[65536];
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    bool copied = in != NULL && out != NULL;
    size_t got;

    while (copied && (got = fread(bytes, 1, sizeof(bytes), in)) > 0)
        copied = fwrite(bytes, 1, got, out) == got;
    if (in != NULL)
        copied = !ferror(in) && fclose(in) == 0 && copied;
    if (out != NULL)
        copied = fclose(out) == 0 && copied;
    return copied;
}

/* `seconds`: of a processor, after which the process is killed; 0: no limit. */
static int spawn(char *const *arguments, const char *output, const char *errors, unsigned seconds)
{
    const struct rlimit limit = {seconds, seconds};
    const pid_t child = fork();
    int status;

    if (child == 0) {
        const int out = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        const int err = open(errors, O_WRONLY | O_CREAT | O_TRUNC, 0666);

        if (out < 0 || err < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0 ||
            (seconds > 0 && setrlimit(RLIMIT_CPU, &limit) < 0))
            _exit(127);
        execv(arguments[0], arguments);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0) {
        perror("sweep: fork");
        exit(2);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void run_remove(const char *folder)
{
    char *const arguments[] = {"/bin/rm", "-rf", (char *)folder, NULL};

    if (strlen(folder) > 1)
        spawn(arguments, "/dev/null", "/dev/null", 0);
}

/* Takes the words of a text apart, in place; `option` before each when it is not NULL. */
static size_t split(char *text, const char *option, char **words, size_t used)
{
    char *rest = NULL;

    for (char *word = strtok_r(text, " ", &rest); word != NULL && used + 2 < WORDS;
         word = strtok_r(NULL, " ", &rest)) {
        if (option != NULL)
            words[used++] = (char *)option;
        words[used++] = word;
    }
    return used;
}

/* The load options again as the stick's configuration: a fault may lose them. */
static void write_configuration(const char *folder, const char *args)
{
    char path[700], copy[512];
    char *rest = NULL;
    FILE *file;

    snprintf(path, sizeof(path), "%s/esp/slotscope/slotscope.cfg", folder);
    snprintf(copy, sizeof(copy), "%s", args);
    file = fopen(path, "w");
    for (char *word = strtok_r(copy, " ", &rest); word != NULL && file != NULL;
         word = strtok_r(NULL, " ", &rest))
        fprintf(file, "%s\n", word);
    if (file == NULL || fclose(file) != 0) {
        perror(path);
        exit(2);
    }
}

int run_rig(const struct setup *setup, const struct base *base, const char *folder,
            const char *args, const char *more, const char *faults)
{
    char options[512], wanted[512], all[512], esp[600], truth[600], points[600], seconds[16];
    char output[600], errors[600], image[700];
    char *words[WORDS];
    size_t used = 0;

    run_remove(folder);
    make_folder(folder, "");
    make_folder(folder, "/esp");
    make_folder(folder, "/esp/EFI");
    make_folder(folder, "/esp/EFI/BOOT");
    make_folder(folder, "/esp/slotscope");
    snprintf(image, sizeof(image), "%s/esp/EFI/BOOT/BOOTX64.EFI", folder);
    if (!copy_file(setup->image, image)) {
        perror(setup->image);
        exit(2);
    }
    snprintf(options, sizeof(options), "%s %s", base->rig, more);
    snprintf(wanted, sizeof(wanted), "%s", faults);
    snprintf(all, sizeof(all), "%s %s", base->args, args);
    write_configuration(folder, all);
    snprintf(esp, sizeof(esp), "%s/esp", folder);
    snprintf(truth, sizeof(truth), "%s/" OUTCOME_TRUTH, folder);
    snprintf(points, sizeof(points), "%s/" OUTCOME_POINTS, folder);
    snprintf(output, sizeof(output), "%s/" OUTCOME_SERIAL, folder);
    snprintf(errors, sizeof(errors), "%s/" OUTCOME_ERRORS, folder);
    snprintf(seconds, sizeof(seconds), "%u", WAITING * setup->seconds);
    words[used++] = (char *)setup->rig;
    used = split(options, NULL, words, used);
    used = split(wanted, "--fault", words, used);
    words[used++] = "--args";
    words[used++] = all;
    words[used++] = "--esp";
    words[used++] = esp;
    words[used++] = "--truth";
    words[used++] = truth;
    words[used++] = "--seconds";
    words[used++] = seconds;
    if (setup->points) {
        words[used++] = "--fault-points";
        words[used++] = points;
    }
    words[used] = NULL;
    return spawn(words, output, errors, setup->seconds);
}

void run_folder(const struct setup *setup, char *folder, size_t size, const char *name, size_t base,
                size_t number)
{
    snprintf(folder, size, "%s/%s-%zu-%zu", setup->work, name, base, number);
}

struct worker {
    pid_t process; /* 0: none */
    size_t job;
};

static void begin(const struct jobs *jobs, struct worker *worker, size_t job, char *result)
{
    fflush(NULL);
    result[0] = 0;
    worker->job = job;
    worker->process = fork();
    if (worker->process < 0) {
        perror("sweep: fork");
        exit(2);
    }
    if (worker->process == 0) {
        jobs->work(jobs->context, job, result, RESULT_SIZE);
        _exit(0);
    }
}

bool run_jobs(const struct jobs *jobs)
{
    struct worker *workers = calloc(jobs->at_once, sizeof(*workers));
    char *results = mmap(NULL, (size_t)jobs->at_once * RESULT_SIZE, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    size_t next = 0, done = 0;

    if (workers == NULL || results == MAP_FAILED) {
        perror("sweep");
        return false;
    }
    while (done < jobs->count) {
        pid_t ended;
        unsigned i;

        for (i = 0; i < jobs->at_once && next < jobs->count; i++)
            if (workers[i].process == 0 && (jobs->until == 0 || time(NULL) < jobs->until))
                begin(jobs, &workers[i], next++, results + i * RESULT_SIZE);
        if (done == next)
            break;
        ended = wait(NULL);
        if (ended < 0)
            return false;
        for (i = 0; i < jobs->at_once; i++)
            if (workers[i].process == ended) {
                workers[i].process = 0;
                jobs->take(jobs->context, workers[i].job, results + i * RESULT_SIZE);
                done++;
            }
    }
    free(workers);
    munmap(results, (size_t)jobs->at_once * RESULT_SIZE);
    return true;
}
