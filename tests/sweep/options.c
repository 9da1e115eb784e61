#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "table.h"

#define FAULTS 400

static bool read_number(const char *text, unsigned long most, unsigned long *number)
{
    char *end;

    errno = 0;
    *number = strtoul(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == 0 && errno == 0 && *number <= most;
}

static bool read_seeds(struct options *options, const char *text)
{
    char copy[256];
    char *rest = NULL;

    snprintf(copy, sizeof(copy), "%s", text);
    options->seed_count = 0;
    for (char *word = strtok_r(copy, ", ", &rest); word != NULL;
         word = strtok_r(NULL, ", ", &rest)) {
        unsigned long seed;

        if (options->seed_count == OPTIONS_SEEDS || !read_number(word, 0xffffffff, &seed))
            return false;
        options->seeds[options->seed_count++] = seed;
    }
    return options->seed_count > 0;
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

static int choose_bases(struct options *options)
{
    const char *names = options->one != NULL ? options->one : options->bases;

    for (size_t i = 0; i < base_count; i++)
        options->used[i] = names == NULL;
    while (names != NULL && *names != 0) {
        const size_t length = strcspn(names, ", ");
        const struct base *base = find_base(names, length);

        if (base == NULL)
            return unknown_base(names, length);
        options->used[base - bases] = true;
        names += length;
        names = options->one != NULL ? NULL : names + strspn(names, ", ");
    }
    return 0;
}

static int check_classes(const struct options *options)
{
    const char *name = options->classes;

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

static int read_words(struct options *options, int argc, char **argv)
{
    static const struct option known[] = {
        {"all", no_argument, NULL, 'a'},
        {"seeds", required_argument, NULL, 's'},
        {"faults", required_argument, NULL, 'f'},
        {"classes", required_argument, NULL, 'c'},
        {"bases", required_argument, NULL, 'b'},
        {"image", required_argument, NULL, 'i'},
        {"jobs", required_argument, NULL, 'j'},
        {"one", required_argument, NULL, 'o'},
        {"list", no_argument, NULL, 'l'},
        {"minutes", required_argument, NULL, 'm'},
        {"work", required_argument, NULL, 'w'},
        {"kinds", no_argument, NULL, 'k'},
        {NULL, 0, NULL, 0},
    };
    int letter;

    while ((letter = getopt_long(argc, argv, "", known, NULL)) != -1) {
        switch (letter) {
        case 'a':
            options->all = true;
            break;
        case 'l':
            options->list = true;
            break;
        case 'k':
            options->kinds = true;
            break;
        case 'c':
            options->classes = optarg;
            break;
        case 'b':
            options->bases = optarg;
            break;
        case 'i':
            options->image = optarg;
            break;
        case 'o':
            options->one = optarg;
            break;
        case 'w':
            snprintf(options->work, sizeof(options->work), "%s", optarg);
            break;
        case 's':
            if (!read_seeds(options, optarg))
                return usage("seeds", optarg, "1 to 16 numbers up to 4294967295, by commas");
            break;
        case 'f':
            if (!read_number(optarg, 10000000, &options->faults) || options->faults == 0)
                return usage("faults", optarg, "1 to 10000000");
            break;
        case 'm':
            if (!read_number(optarg, 100000, &options->minutes) || options->minutes == 0)
                return usage("minutes", optarg, "1 to 100000");
            break;
        case 'j':
            if (!read_number(optarg, 1024, &options->at_once) || options->at_once == 0)
                return usage("jobs", optarg, "1 to 1024");
            break;
        default:
            return STATUS_BAD;
        }
    }
    if (optind + 1 != argc)
        return usage("arguments", "", "sweep BUILD [options], see tests/sweep/main.c");
    options->build = argv[optind];
    return 0;
}

int options_read(struct options *options, int argc, char **argv)
{
    int status;

    *options = (struct options){.faults = FAULTS,
                                .seeds = {1},
                                .seed_count = 1,
                                .at_once = (unsigned long)sysconf(_SC_NPROCESSORS_ONLN)};
    status = read_words(options, argc, argv);
    if (status == 0)
        status = choose_bases(options);
    if (status == 0)
        status = check_classes(options);
    if (status == 0 && options->work[0] == 0)
        snprintf(options->work, sizeof(options->work), "%s/sweep-runs", options->build);
    return status;
}
