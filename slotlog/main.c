/* slotlog: logs of slotscope on the user's PC (slotlog/README.md). */
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "boot/identity.h"
#include "commands.h"
#include "whole_log.h"

#define BAUD      115200
#define WAIT_S    60
#define NOTICE_S  60
#define TOLERANCE 0.01 /* as between cores of the brief form: doc/log.md, "Two forms" */

struct command {
    const char *name, *arguments, *what;
    const char *options;  /* keys of the options it takes */
    unsigned least, most; /* files; most 0: any number */
    int (*run)(const struct settings *settings);
};

static const struct command commands[] = {
    {"capture", "DEV|tcp:HOST:PORT|FILE|-",
     "Take a log from a serial device, a network port, a file or standard input, until its run is "
     "over.\vThe exit status is 0 when the run came to its end, nothing failed or is doubted and "
     "nothing of the log is lost, 2 when no log came, else 1.",
     "obwsn", 1, 1, command_capture},
    {"verify", "LOG...", "Name everything that is damaged in the logs, by its line.", "", 1, 0,
     command_verify},
    {"show", "LOG", "Print machine, Topdown table and verdicts.", "o", 1, 1, command_show},
    {"compare", "A B",
     "Print the nodes and counts that moved beyond their spread from log A to log B.\vThe exit "
     "status is 1 when something moved, was not compared or failed in one log alone, or a log is "
     "damaged.",
     "ot", 2, 2, command_compare},
    {"export", "LOG", "Print a log in a form that other tools read.", "of", 1, 1, command_export},
    {"merge", "LOG...", "Put logs into an SQLite file, which is made unless it is there.", "o", 1,
     0, command_merge},
    {"report", "LOG...",
     "Write a page with charts of the logs, a file that needs nothing else.\vThe charts are made "
     "with Apache ECharts, which `make report-library` puts beside slotlog. The exit status is 1 "
     "when a log or its run has a fault.",
     "o", 1, 0, command_report},
};

#define COMMANDS (sizeof(commands) / sizeof(*commands))

static const struct argp_option all_options[] = {
    {"output", 'o', "FILE", 0, "write FILE (default: standard output)", 0},
    {"baud", 'b', "RATE", 0, "bits a second of a serial device (default: 115200)", 0},
    {"wait", 'w', "SECONDS", 0, "wait at most so long for a device that is gone (default: 60)", 0},
    {"silence", 's', "SECONDS", 0,
     "end when nothing has come for so long (default: wait without end)", 0},
    {"notice", 'n', "SECONDS", 0,
     "say so when nothing has come for so long, and again each time that doubles (default: 60)", 0},
    {"tolerance", 't', "SHARE", 0,
     "shares of the slots that differ by no more are alike (default: 0.01)", 0},
    {"format", 'f', "NAME", 0, "the form: csv, perf-json, toplev-csv, junit or openmetrics", 0},
};

#define OPTIONS (sizeof(all_options) / sizeof(*all_options))

struct parsing {
    const struct command *command;
    struct settings *settings;
};

/* A command whose output could not be written is not carried out. */
static int end(int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    fprintf(stderr, "slotlog: standard output: %s\n", strerror(errno));
    return STATUS_USAGE;
}

static unsigned number_of(struct argp_state *state, const char *option, const char *text,
                          unsigned most)
{
    char *end;
    const unsigned long number = strtoul(text, &end, 10);

    if (*end != 0 || text[0] < '0' || text[0] > '9' || number == 0 || number > most)
        argp_error(state, "--%s %s: expected a number of 1..%u", option, text, most);
    return (unsigned)number;
}

static double share_of(struct argp_state *state, const char *text)
{
    char *end;
    const double share = strtod(text, &end);

    if (*end != 0 || end == text || !(share >= 0 && share <= 1))
        argp_error(state, "--tolerance %s: expected a share of 0..1", text);
    return share;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct parsing *parsing = state->input;
    struct settings *settings = parsing->settings;

    if (key == 'o')
        settings->output = strcmp(argument, "-") == 0 ? NULL : argument;
    else if (key == 'f')
        settings->format = argument;
    else if (key == 'b')
        settings->baud = number_of(state, "baud", argument, 4000000);
    else if (key == 'w')
        settings->wait_s = number_of(state, "wait", argument, 86400);
    else if (key == 's')
        settings->silence_s = number_of(state, "silence", argument, 604800);
    else if (key == 'n')
        settings->notice_s = number_of(state, "notice", argument, 604800);
    else if (key == 't')
        settings->tolerance = share_of(state, argument);
    else if (key == ARGP_KEY_ARGS) {
        settings->files = state->argv + state->next;
        settings->file_count = (unsigned)(state->argc - state->next);
    } else if (key == ARGP_KEY_END &&
               (settings->file_count < parsing->command->least ||
                (parsing->command->most > 0 && settings->file_count > parsing->command->most)))
        argp_error(state, "expected %s", parsing->command->arguments);
    else if (key != ARGP_KEY_END)
        return ARGP_ERR_UNKNOWN;
    return 0;
}

/* A log may be the only copy of a measurement: it is never what is written. */
static bool may_write(const struct settings *settings)
{
    struct stat output, input;

    if (settings->output == NULL)
        return true;
    if (settings->output[0] == 0) {
        fprintf(stderr, "slotlog: -o: no name, expected that of a file\n");
        return false;
    }
    for (unsigned i = 0; stat(settings->output, &output) == 0 && i < settings->file_count; i++)
        if (stat(settings->files[i], &input) == 0 && S_ISREG(input.st_mode) &&
            input.st_dev == output.st_dev && input.st_ino == output.st_ino) {
            fprintf(stderr, "slotlog: %s: is an input, and is not written over\n",
                    settings->output);
            return false;
        }
    return true;
}

static const char *doc_of(const struct command *command, const struct argp_option *option)
{
    if (option->key == 'o' && command->run == command_merge)
        return "the SQLite file; it must be given";
    if (option->key == 'o' && command->run == command_capture)
        return "write FILE, which must not be there yet (default: standard output)";
    return option->doc;
}

static int run(const struct command *command, int argc, char **argv)
{
    struct argp_option options[OPTIONS + 1] = {0};
    struct settings settings = {
        .baud = BAUD, .wait_s = WAIT_S, .notice_s = NOTICE_S, .tolerance = TOLERANCE};
    struct parsing parsing = {command, &settings};
    const struct argp argp = {options, parse, command->arguments, command->what, NULL, NULL, NULL};
    unsigned count = 0;
    char name[32];

    for (size_t i = 0; i < OPTIONS; i++)
        if (strchr(command->options, all_options[i].key) != NULL) {
            options[count] = all_options[i];
            options[count++].doc = doc_of(command, &all_options[i]);
        }
    snprintf(name, sizeof(name), "slotlog %s", command->name);
    argv[0] = name;
    argp_parse(&argp, argc, argv, 0, NULL, &parsing);
    if (!may_write(&settings))
        return STATUS_USAGE;
    return end(command->run(&settings));
}

static int usage(FILE *file, int status)
{
    fprintf(file, "usage: slotlog COMMAND [OPTION]... FILE...\n\n");
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(file, "  %-8s %-25s %.*s\n", commands[i].name, commands[i].arguments,
                (int)strcspn(commands[i].what, "\v"), commands[i].what);
    fprintf(file,
            "\nslotlog COMMAND --help says which options it takes, slotlog --version which build "
            "this is.\n");
    return status;
}

/* The manual page slotlog(1), of the same tables as the help. */
static void print_man(void)
{
    printf(
        ".TH SLOTLOG 1 \"\" slotscope \"User commands\"\n.SH NAME\n"
        "slotlog \\- logs of slotscope: capture, verify, show, compare, export, merge, report\n"
        ".SH SYNOPSIS\n.B slotlog\n.I COMMAND\n[\\fIOPTION\\fR]... \\fIFILE\\fR...\n"
        ".SH DESCRIPTION\nThe exit status is 0 when all is well, 1 when the log or its run has a "
        "fault, 2 when the command cannot be carried out. \\fB\\-\\-version\\fR prints number, "
        "commit "
        "and day of this build.\n.SH COMMANDS\n");
    for (size_t i = 0; i < COMMANDS; i++) {
        const char *more = strchr(commands[i].what, '\v');

        printf(".SS %s \\fI%s\\fR\n%.*s\n%s%s", commands[i].name, commands[i].arguments,
               (int)strcspn(commands[i].what, "\v"), commands[i].what, more != NULL ? more + 1 : "",
               more != NULL ? "\n" : "");
        for (size_t k = 0; k < OPTIONS; k++)
            if (strchr(commands[i].options, all_options[k].key) != NULL)
                printf(".TP\n\\fB\\-%c\\fR, \\fB\\-\\-%s\\fR=\\fI%s\\fR\n%s\n", all_options[k].key,
                       all_options[k].name, all_options[k].arg,
                       doc_of(&commands[i], &all_options[k]));
    }
}

/* A descriptor that the caller has closed must not become a log's or a rig's. */
static void open_standard(void)
{
    int descriptor;

    do
        descriptor = open("/dev/null", O_RDONLY);
    while (descriptor >= 0 && descriptor <= STDERR_FILENO);
    close(descriptor);
}

int main(int argc, char **argv)
{
    argp_err_exit_status = STATUS_USAGE;
    open_standard();
    if (argc >= 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
        return usage(stdout, STATUS_GOOD);
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        printf("slotlog %s", identity_version);
        if (identity_commit[0] != 0)
            printf(", commit %s", identity_commit);
        printf("%s%s\n", identity_date[0] != 0 ? ", " : "", identity_date);
        return end(STATUS_GOOD);
    }
    if (argc == 2 && strcmp(argv[1], "--man") == 0) {
        print_man();
        return STATUS_GOOD;
    }
    if (argc < 2)
        return usage(stderr, STATUS_USAGE);
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return run(&commands[i], argc - 1, argv + 1);
    fprintf(stderr, "slotlog: %s: no such command; slotlog --help lists the commands\n", argv[1]);
    return STATUS_USAGE;
}
