#include "setup_own.h"

#include "boot/firmware/files.h"
#include "boot/format.h"
#include "boot/slice.h"
#include "boot/text.h"
#include "harness/own/own_reader.h"
#include "setup_file.h"

#define FOLDER     "kernels"
#define NAME_LIMIT 64u
#define SUFFIX     4 /* ".exp", ".bin" */

/* Where a kernel goes, or what is wrong with it. */
struct found {
    struct own_kernel **list;
    struct pool *pool;
    struct complaints *complaints;
};

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

static bool is_taken(const struct own_kernel *own, const char *name)
{
    return own_kernel_named(own, name) != NULL || kernels_named(name) != NULL;
}

/* False: the run is refused. */
static bool take_code(struct own_kernel *own, const char *path, const char *bytes, size_t size,
                      struct complaints *complaints)
{
    if (size == 0) {
        complaints_refuse_file(complaints, path, "no code in the file", "machine code");
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

static void add(struct own_kernel **last, struct own_kernel *own, const char *path,
                struct complaints *complaints)
{
    if (is_taken(*last, own->kernel.name)) {
        complaints_refuse_file(complaints, path, "another kernel has this name", "another name");
        return;
    }
    while (*last != NULL && strcmp((*last)->kernel.name, own->kernel.name) < 0)
        last = &(*last)->next;
    own->next = *last;
    *last = own;
}

static void read_kernel(const struct found *found, const char *path, const char *text, size_t size,
                        const char *code_path)
{
    const char *kept = keep_path(found->pool, path), *kept_code = keep_path(found->pool, code_path);
    struct own_kernel *own = pool_take(found->pool, sizeof(*own));
    struct complaints *complaints = found->complaints;
    struct complaint complaint = {.line = 0};
    const char *code;
    size_t code_size;
    enum rc rc = RC_NO_SPACE;

    if (own != NULL && kept != NULL && kept_code != NULL)
        rc = own_read(own, path, text, size, found->pool, &complaint);
    if (rc == RC_BAD_INPUT)
        complaints_refuse(complaints, &complaint);
    else if (rc != RC_OK)
        complaints_refuse_file(complaints, path, "no memory for the kernel", "");
    else if (files_read(code_path, OWN_CODE_LIMIT, &code, &code_size) == RC_ABSENT)
        complaints_refuse_file(complaints, code_path, "no such file", "the kernel's machine code");
    else if (setup_file(code_path, OWN_CODE_LIMIT, &code, &code_size, complaints) &&
             take_code(own, kept_code, code, code_size, complaints)) {
        own->files[OWN_EXPECTED] = (struct own_file){kept, text, size};
        add(found->list, own, path, complaints);
    }
}

static void found_file(void *context, const char *file)
{
    const struct found *found = context;
    char path[96], other[96];
    const char *text;
    size_t size;
    const bool stated = ends_in(file, ".exp");

    if (!stated && !ends_in(file, ".bin"))
        return;
    if (!path_of(path, sizeof(path), file, stated ? ".exp" : ".bin") ||
        !path_of(other, sizeof(other), file, stated ? ".bin" : ".exp")) {
        complaints_refuse_file(found->complaints, file, "file name too long",
                               "at most 64 characters before .exp or .bin");
        return;
    }
    if (!stated && files_read(other, OWN_FILE_LIMIT, &text, &size) == RC_ABSENT)
        complaints_refuse_file(found->complaints, path, "no .exp file beside it",
                               "the kernel's expectations");
    if (stated && setup_file(path, OWN_FILE_LIMIT, &text, &size, found->complaints))
        read_kernel(found, path, text, size, other);
}

void setup_own(struct own_kernel **own, struct pool *pool, struct complaints *complaints)
{
    struct found found = {own, pool, complaints};
    enum rc rc = files_list(FOLDER, found_file, &found);

    if (rc != RC_OK && rc != RC_ABSENT)
        complaints_refuse_file(complaints, FOLDER, "folder cannot be read", "a readable folder");
}
