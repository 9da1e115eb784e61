/* One fault at a time, for every place of a run: what a reader of its logs would believe.
 *
 *   sweep BUILD [--all] [--seeds N,N...] [--faults N] [--classes 'ROW;ROW'] [--bases NAME,NAME]
 *               [--image FILE] [--jobs N] [--minutes N] [--kinds]
 *   sweep BUILD --one 'BASE FAULT'
 *   sweep BUILD --list
 *
 * Boots BUILD's image on BUILD's rig, without a fault and then with one fault each, and sorts each
 * run (sort.h). Prints a table by class, and every fault that a log does not own up to. Exit status
 * 0: no number is silently wrong and every run ends; 1: not so; 2: it could not be tried. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "trials.h"

#define SECONDS 120 /* of a processor, until a run is stopped */

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
    static struct options options;
    static struct sound sound;
    static struct trials trials;
    static char rig[320], image[320];
    struct setup setup;
    const int status = options_read(&options, argc, argv);

    if (status != 0)
        return status;
    if (options.one != NULL && !trials_one_has_class(&options))
        return STATUS_BAD;
    snprintf(rig, sizeof(rig), "%s/rig", options.build);
    snprintf(image, sizeof(image), "%s/BOOTX64.EFI", options.build);
    setup = (struct setup){.rig = rig,
                           .image = options.image != NULL ? options.image : image,
                           .work = options.work,
                           .points = rig_has_points(rig),
                           .seconds = SECONDS};
    run_remove(options.work);
    if (mkdir(options.work, 0777) != 0) {
        perror(options.work);
        return STATUS_BAD;
    }
    if (!sound_run(&sound, &setup, &options))
        return STATUS_BAD;
    trials = (struct trials){.options = &options, .setup = &setup, .sound = &sound};
    if (options.list) {
        trials_list(&trials);
        return 0;
    }
    return options.one != NULL ? trials_one(&trials) : trials_sweep(&trials);
}
