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

/* A device or a pipe is written as it is. */
static bool is_special(const char *name)
{
    struct stat status;

    return stat(name, &status) == 0 && !S_ISREG(status.st_mode);
}

bool output_open(struct output *output, const char *name)
{
    *output = (struct output){.name = name, .file = stdout};
    if (name == NULL)
        return true;
    if (is_special(name))
        output->part = strdup(name);
    else if (asprintf(&output->part, "%s.part", name) < 0)
        output->part = NULL;
    output->file = output->part != NULL ? fopen(output->part, "wb") : NULL;
    if (output->file != NULL)
        return true;
    complain(output->part != NULL ? output->part : name);
    free(output->part);
    return false;
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
    if (strcmp(output->part, name) != 0) {
        if (whole && written && rename(output->part, name) != 0)
            written = complain(name);
        if (!whole || !written)
            unlink(output->part);
    }
    free(output->part);
    return written;
}
