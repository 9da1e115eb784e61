#include "setup_own.h"

#include "boot/firmware/files.h"
#include "boot/format.h"
#include "boot/slice.h"
#include "boot/text.h"
#include "harness/own/own_reader.h"
#include "harness/run/complaints.h"
#include "setup_file.h"

#define FOLDER     "kernels"
#define NAME_LIMIT 64u
#define SUFFIX     4 /* ".exp", ".bin" */

/* Whether the file's name ends so; FAT may have kept it in capitals. */
static bool ends_in(const char *file, const char *suffix)
{
    const size_t length = strlen(file);

    return length > SUFFIX && slice_is_file((struct slice){file + length - SUFFIX, SUFFIX}, suffix);
}

/* "kernels\NAME.bin" of "NAME.exp", and the other way. False: the name is too long. */
static bool path_of(char *path, size_t size, const char *file, const char *suffix)
{
    const size_t length = strlen(file) - SUFFIX;

    return length <= NAME_LIMIT &&
           format(path, size, FOLDER "\\%.*s%s", (int)length, file, suffix) < size;
}

static bool is_taken(const struct run *run, const char *name)
{
    for (const struct own_kernel *own = run->own; own != NULL; own = own->next)
        if (strcmp(own->kernel.name, name) == 0)
            return true;
    return kernels_named(name) != NULL;
}

/* False: the run is refused. */
static bool take_code(struct run *run, struct own_kernel *own, const char *path, const char *bytes,
                      size_t size)
{
    if (size == 0) {
        complaints_refuse_file(run, path, "no code in the file", "machine code");
        return false;
    }
    own->kernel.code = (void (*)(void))(uintptr_t)bytes;
    own->files[OWN_CODE] = (struct own_file){path, bytes, size};
    return true;
}

/* A copy that stays; null: no memory. */
static const char *keep_path(struct pool *pool, const char *path)
{
    char *copy = pool_take(pool, strlen(path) + 1);

    if (copy != NULL)
        memcpy(copy, path, strlen(path) + 1);
    return copy;
}

static void add(struct run *run, struct own_kernel *own, const char *path)
{
    struct own_kernel **last = &run->own;

    if (is_taken(run, own->kernel.name)) {
        complaints_refuse_file(run, path, "another kernel has this name", "a name of its own");
        return;
    }
    while (*last != NULL && strcmp((*last)->kernel.name, own->kernel.name) < 0)
        last = &(*last)->next;
    own->next = *last;
    *last = own;
}

static void read_kernel(struct run *run, const char *path, const char *text, size_t size,
                        const char *code_path)
{
    const char *kept = keep_path(&run->pool, path), *kept_code = keep_path(&run->pool, code_path);
    struct own_kernel *own = pool_take(&run->pool, sizeof(*own));
    struct complaint complaint = {.line = 0};
    const char *code;
    size_t code_size;
    enum rc rc = RC_NO_SPACE;

    if (own != NULL && kept != NULL && kept_code != NULL)
        rc = own_read(own, path, text, size, &run->pool, &complaint);
    if (rc == RC_BAD_INPUT)
        complaints_refuse(run, &complaint);
    else if (rc != RC_OK)
        complaints_refuse_file(run, path, "no memory for the kernel", "");
    else if (files_read(code_path, OWN_CODE_LIMIT, &code, &code_size) == RC_ABSENT)
        complaints_refuse_file(run, code_path, "no such file", "the code of the .exp file");
    else if (setup_file(run, code_path, OWN_CODE_LIMIT, &code, &code_size) &&
             take_code(run, own, kept_code, code, code_size)) {
        own->files[OWN_EXPECTED] = (struct own_file){kept, text, size};
        add(run, own, path);
    }
}

static void found_file(void *context, const char *file)
{
    struct run *run = context;
    char path[96], other[96];
    const char *text;
    size_t size;
    const bool stated = ends_in(file, ".exp");

    if (!stated && !ends_in(file, ".bin"))
        return;
    if (!path_of(path, sizeof(path), file, stated ? ".exp" : ".bin") ||
        !path_of(other, sizeof(other), file, stated ? ".bin" : ".exp")) {
        complaints_refuse_file(run, file, "file name too long", "at most 64 characters before .");
        return;
    }
    if (!stated && files_read(other, OWN_FILE_LIMIT, &text, &size) == RC_ABSENT)
        complaints_refuse_file(run, path, "no .exp file beside it", "a file of its expectations");
    if (stated && setup_file(run, path, OWN_FILE_LIMIT, &text, &size))
        read_kernel(run, path, text, size, other);
}

void setup_own(struct run *run)
{
    enum rc rc = files_list(FOLDER, found_file, run);

    if (rc != RC_OK && rc != RC_ABSENT)
        complaints_refuse_file(run, FOLDER, "folder cannot be read", "a readable folder");
}
