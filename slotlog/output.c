#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool complain(const char *name)
{
    fprintf(stderr, "slotlog: %s: %s\n", name, strerror(errno));
    return false;
}

static bool is_standard_output(const struct stat *status)
{
    struct stat standard;

    return fstat(STDOUT_FILENO, &standard) == 0 && standard.st_dev == status->st_dev &&
           standard.st_ino == status->st_ino;
}

/* A new file beside the one that is to be replaced, which a symbolic link may name. */
static FILE *open_part(struct output *output, const char *name)
{
    mode_t mask = umask(0);
    int descriptor = -1;

    umask(mask);
    output->target = realpath(name, NULL);
    if (output->target == NULL)
        output->target = strdup(name);
    if (output->target != NULL && asprintf(&output->part, "%s.XXXXXX", output->target) >= 0)
        descriptor = mkstemp(output->part);
    if (descriptor >= 0)
        fchmod(descriptor, 0666 & ~mask);
    return descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
}

bool output_open(struct output *output, const char *name)
{
    struct stat status;
    bool there;

    *output = (struct output){.name = name, .file = stdout};
    if (name == NULL)
        return true;
    there = stat(name, &status) == 0;
    if (there && is_standard_output(&status))
        output->name = NULL;
    else if (there && !S_ISREG(status.st_mode)) /* a device or a pipe is written as it is */
        output->file = fopen(name, "wb");
    else
        output->file = open_part(output, name);
    return output->file != NULL || complain(name);
}

bool output_close(struct output *output, bool whole)
{
    const char *name = output->name != NULL ? output->name : "standard output";
    bool written = fflush(output->file) == 0 && !ferror(output->file);

    if (output->name == NULL)
        return written || complain(name);
    if (!written)
        complain(name);
    if (fclose(output->file) != 0 && written)
        written = complain(name);
    if (output->part != NULL && whole && written && rename(output->part, output->target) != 0)
        written = complain(name);
    if (output->part != NULL && (!whole || !written))
        unlink(output->part);
    free(output->part);
    free(output->target);
    return written;
}
