/* The run, in its order. */
#include "boot/clock.h"
#include "boot/firmware/files.h"
#include "boot/firmware/memory.h"
#include "boot/format.h"
#include "boot/log.h"
#include "boot/text.h"
#include "harness/report/records.h"
#include "harness/run/run.h"

#define POOL_CHUNK (64u * 1024u)
/* More complaints than this are counted, not logged. */
#define COMPLAINTS_LOGGED 100

/* The entry point as gnu-efi's start code calls it: with the System V convention, firmware's two
 * arguments. */
uint64_t efi_main(void *image, void *system_table);

void run_complain(struct run *run, const struct complaint *complaint)
{
    struct json_line *record;
    char where[120];

    run->complaints++;
    if (run->complaints > COMPLAINTS_LOGGED)
        return;
    format(where, sizeof(where), "%s:%u:%u", complaint->file, complaint->line, complaint->column);
    record = log_record("error");
    json_line_text(record, "what", complaint->message);
    json_line_text(record, "where", where);
    json_line_text(record, "expected", complaint->expected[0] != '\0' ? complaint->expected : NULL);
    json_line_text(record, "file", complaint->file);
    json_line_unsigned(record, "line", complaint->line);
    json_line_unsigned(record, "column", complaint->column);
    log_send(record);
}

static void refuse(void *context, const struct complaint *complaint)
{
    struct run *run = context;

    run->refused = true;
    run_complain(run, complaint);
}

/* A complaint about something that stands nowhere in particular. */
static void refuse_file(struct run *run, const char *file, const char *message,
                        const char *expected)
{
    struct complaint complaint = {.line = 0, .column = 0};

    format(complaint.file, sizeof(complaint.file), "%s", file);
    format(complaint.message, sizeof(complaint.message), "%s", message);
    format(complaint.expected, sizeof(complaint.expected), "%s", expected);
    refuse(run, &complaint);
}

static void trapped(void *context, bool timed_out)
{
    struct run *run = context;

    if (run->at_work != NULL && timed_out)
        log_verdict(false, "core 0 %s runs: core 0 did not come back in %u s, and the run ends",
                    run->at_work, run->config.timeout);
    else if (run->at_work != NULL)
        log_verdict(false, "core 0 %s runs: core 0 trapped in it, and the run ends", run->at_work);
    else
        log_verdict(false, "the run comes to its end: core 0 trapped");
    restore_cores(run);
    summary_end(run, "trap");
}

static struct run *start(uint64_t started)
{
    struct run *run = memory_alloc(sizeof(*run));
    struct library_entry *entries = memory_alloc(sizeof(*entries) * LIBRARY_ENTRIES);

    if (run == NULL || entries == NULL) {
        log_error("no memory for the run", NULL, NULL);
        return NULL;
    }
    run->started = started;
    run->pool = (struct pool){.allocate = memory_alloc, .chunk = POOL_CHUNK};
    run->library = (struct library){.entries = entries, .allocate = memory_alloc};
    config_defaults(&run->config);
    machine_set_last_words(trapped, run);
    return run;
}

/* A file in \slotscope\ on the stick; false when there is none or it was refused. */
static bool read_file(struct run *run, const char *name, size_t limit, const char **data,
                      size_t *size)
{
    enum rc rc = files_read(name, limit, data, size);

    if (rc == RC_NO_SPACE)
        refuse_file(run, name, "file too large", "at most 1 MiB");
    else if (rc != RC_OK && rc != RC_ABSENT)
        refuse_file(run, name, "file cannot be read", "a readable file");
    return rc == RC_OK;
}

/* Kernels run in this order: the self-check, which always runs, then what pins events, then the
 * rest. */
static unsigned turn_of(const struct kernel *kernel)
{
    return strncmp(kernel->name, "cal.", 4) == 0     ? 0
           : strncmp(kernel->name, "exact.", 6) == 0 ? 1
                                                     : 2;
}

static bool is_wanted(const struct run *run, const struct kernel *kernel)
{
    if (turn_of(kernel) == 0)
        return true;
    if (!config_wants_kernel(&run->config, kernel->name))
        return false;
    /* One that was not chosen by its name is run when what it puts on trial is measured. */
    return run->config.node_count > 0 || kernel->level <= run->config.levels ||
           config_names_kernel(&run->config, kernel->name);
}

/* The wanted kernels, ready to be judged. */
static void make_experiments(struct run *run)
{
    run->experiments = memory_alloc(sizeof(*run->experiments) * (kernels_count() + 1));
    for (unsigned turn = 0; run->experiments != NULL && turn < 3; turn++) {
        for (const struct kernel *kernel = kernels_after(NULL); kernel != NULL;
             kernel = kernels_after(kernel)) {
            struct experiment *experiment = &run->experiments[run->experiment_count];
            struct complaint complaint = {.line = 0};

            if (turn_of(kernel) != turn || !is_wanted(run, kernel))
                continue;
            if (experiment_make(experiment, kernel, &run->pool, &complaint) == RC_BAD_INPUT)
                run_complain(run, &complaint);
            experiment->plan_cache = &run->plan_cache;
            run->experiment_count++;
        }
    }
    if (run->experiments == NULL)
        refuse_file(run, "kernels", "no memory for them", "");
}

/* What only the list of kernels can tell: a name that none has. */
static void check_kernel_names(struct run *run)
{
    const struct config_place *place = &run->config.kernels_place;

    for (unsigned i = 0; place->file != NULL && i < run->config.kernel_count; i++) {
        struct complaint complaint = {.line = place->line, .column = place->column};
        bool covers = false;

        for (const struct kernel *kernel = kernels_after(NULL); kernel != NULL && !covers;
             kernel = kernels_after(kernel))
            covers = config_pattern_covers(run->config.kernels[i], kernel->name);
        if (covers)
            continue;
        format(complaint.file, sizeof(complaint.file), "%s", place->file);
        format(complaint.message, sizeof(complaint.message), "no kernel is named so: %s",
               run->config.kernels[i]);
        format(complaint.expected, sizeof(complaint.expected), "a kernel such as %s",
               kernels_at(0)->name);
        refuse(run, &complaint);
    }
}

/* What sibling threads are loaded with: any kernel that is at home on one core. */
static void make_sibling(struct run *run)
{
    const struct config_place *place = &run->config.sibling_place;
    struct complaint complaint = {.line = place->line, .column = place->column};
    const struct kernel *kernel;

    if (run->config.sibling[0] == '\0')
        return;
    for (kernel = kernels_after(NULL);
         kernel != NULL && strcmp(kernel->name, run->config.sibling) != 0;)
        kernel = kernels_after(kernel);
    format(complaint.file, sizeof(complaint.file), "%s", place->file);
    format(complaint.expected, sizeof(complaint.expected), "a kernel for one core, such as %s",
           kernels_at(0)->name);
    if (kernel == NULL || kernel->partner != NULL)
        format(complaint.message, sizeof(complaint.message),
               kernel == NULL ? "no kernel is named so: %s" : "it needs two cores: %s",
               run->config.sibling);
    else if (run->config.parallel)
        format(complaint.message, sizeof(complaint.message),
               "sibling and parallel = yes exclude each other");
    if (complaint.message[0] != '\0') {
        refuse(run, &complaint);
        return;
    }
    run->sibling_load = memory_alloc(sizeof(*run->sibling_load));
    if (run->sibling_load == NULL ||
        experiment_make(run->sibling_load, kernel, &run->pool, &complaint) != RC_OK)
        refuse_file(run, "sibling", "no memory for it", "");
}

/* Keys that exclude each other; the place is that of the one that gives way. */
static void check_combinations(struct run *run)
{
    const struct config *config = &run->config;
    struct complaint complaint = {.line = config->levels_place.line,
                                  .column = config->levels_place.column};

    if (!config->drill || (!config->multiplex && config->interval_us == 0))
        return;
    format(complaint.file, sizeof(complaint.file), "%s", config->levels_place.file);
    format(complaint.message, sizeof(complaint.message),
           "levels = auto excludes multiplex and interval");
    format(complaint.expected, sizeof(complaint.expected), "a number of 1..6");
    refuse(run, &complaint);
}

static void configure(struct run *run)
{
    struct config_sink sink = {run, refuse};
    const char *text;
    size_t size;

    if (read_file(run, CONFIG_FILE, CONFIG_FILE_LIMIT, &text, &size))
        config_file(&run->config, CONFIG_FILE, text, size, &sink);
    config_options(&run->config, machine_arguments(), &sink);
    check_kernel_names(run);
    check_combinations(run);
}

static bool ends_in_def(const char *file, size_t length)
{
    return length > 4 && file[length - 4] == '.' && (file[length - 3] | 0x20) == 'd' &&
           (file[length - 2] | 0x20) == 'e' && (file[length - 1] | 0x20) == 'f';
}

/* A description on the stick: "cpu\NAME.def". FAT may have kept the name in capitals. */
static void found_file(void *context, const char *file)
{
    struct run *run = context;
    char name[DESCRIPTION_NAME], path[DESCRIPTION_NAME + 8];
    size_t length = strlen(file), size;
    const char *text;

    if (!ends_in_def(file, length))
        return;
    if (length - 4 >= sizeof(name)) {
        refuse_file(run, file, "file name too long", "at most 71 characters before .def");
        return;
    }
    for (size_t i = 0; i < length - 4; i++)
        name[i] = file[i] >= 'A' && file[i] <= 'Z' ? (char)(file[i] + 'a' - 'A') : file[i];
    name[length - 4] = '\0';
    format(path, sizeof(path), "cpu\\%s", file);
    if (read_file(run, path, DESCRIPTION_FILE_LIMIT, &text, &size) &&
        !library_add(&run->library, name, text, size, true))
        refuse_file(run, path, "too many CPU descriptions", "at most 128");
}

static void read_descriptions(struct run *run)
{
    struct library_sink sink = {run, refuse};
    const struct config_place *place = &run->config.cpu_place;
    enum rc rc;

    if (!library_add_builtin(&run->library))
        refuse_file(run, "cpu", "too many CPU descriptions", "at most 128");
    rc = files_list("cpu", found_file, run);
    if (rc != RC_OK && rc != RC_ABSENT)
        refuse_file(run, "cpu", "folder cannot be read", "a readable folder");
    library_check_stick(&run->library, &sink);
    if (run->config.cpu[0] != '\0' &&
        library_named(&run->library, run->config.cpu, &sink) == NULL) {
        struct complaint complaint = {.line = place->line, .column = place->column};

        format(complaint.file, sizeof(complaint.file), "%s", place->file);
        format(complaint.message, sizeof(complaint.message), "no such CPU description: %s",
               run->config.cpu);
        format(complaint.expected, sizeof(complaint.expected),
               "a description in the image or in cpu\\ on the stick");
        refuse(run, &complaint);
    }
}

/* A refused run starts no other core: nothing will run there. */
static void take_machine(struct run *run)
{
    struct machine_options options = config_machine(&run->config);
    struct facts facts;

    if (run->refused)
        options.cores = 1;
    machine_take(&options);
    facts_read(&facts);
    record_machine(machine_facts(), &facts, &run->config);
}

static void measure(struct run *run)
{
    make_experiments(run);
    make_sibling(run);
    if (!run->refused)
        survey_cores(run); /* which may refuse what these cores do not have */
    if (run->refused) {
        log_verdict(false, "configuration and CPU descriptions are well formed, complaints: %u",
                    run->complaints);
        return;
    }
    measure_cores(run);
    summary_print(run);
}

/* Nothing can be measured, but the log still comes out and ends. */
static void end_without_run(void)
{
    struct machine_options options;
    struct config config;

    config_defaults(&config);
    options = config_machine(&config);
    options.cores = 1;
    machine_take(&options);
    summary_end(NULL, "no memory");
}

uint64_t efi_main(void *image, void *system_table)
{
    uint64_t started = clock_now();
    struct run *run;

    machine_start(image, system_table);
    log_start();
    run = start(started);
    if (run != NULL) {
        configure(run);
        read_descriptions(run);
        take_machine(run);
        measure(run);
        summary_end(run, run->refused ? "configuration" : "complete");
    } else {
        end_without_run();
    }
    log_finish();
    machine_end();
    return 0;
}
