#include "setup_descriptions.h"

#include "boot/firmware/files.h"
#include "boot/format.h"
#include "boot/text.h"
#include "setup_file.h"

#define SUFFIX_LENGTH 4 /* of ".def" */

/* Where a description goes, or what is wrong with it. */
struct found {
    struct library *library;
    struct complaints *complaints;
};

static bool ends_in_def(const char *file, size_t length)
{
    return length > SUFFIX_LENGTH && file[length - 4] == '.' && (file[length - 3] | 0x20) == 'd' &&
           (file[length - 2] | 0x20) == 'e' && (file[length - 1] | 0x20) == 'f';
}

/* A description on the stick, "cpu\NAME.def"; FAT may have kept its name in capitals. */
static void found_file(void *context, const char *file)
{
    const struct found *found = context;
    char name[DESCRIPTION_NAME], path[DESCRIPTION_NAME + 8];
    size_t length = strlen(file), size;
    const char *text;

    if (!ends_in_def(file, length))
        return;
    length -= SUFFIX_LENGTH;
    if (length >= sizeof(name)) {
        complaints_refuse_file(found->complaints, file, "file name too long",
                               "at most 71 characters before .def");
        return;
    }
    for (size_t i = 0; i < length; i++)
        name[i] = file[i] >= 'A' && file[i] <= 'Z' ? (char)(file[i] + 'a' - 'A') : file[i];
    name[length] = '\0';
    format(path, sizeof(path), "cpu\\%s", file);
    if (setup_file(path, DESCRIPTION_FILE_LIMIT, &text, &size, found->complaints) &&
        !library_add(found->library, name, text, size, true))
        complaints_refuse_file(found->complaints, path, "too many CPU descriptions", "at most 128");
}

void setup_descriptions(struct library *library, const struct config *config,
                        struct complaints *complaints)
{
    const struct complaint_sink sink = {complaints, complaints_refuse};
    struct found found = {library, complaints};
    const char *forced = config->cpu;
    char message[160];
    enum rc rc;

    if (!library_add_builtin(library))
        complaints_refuse_file(complaints, "cpu", "too many CPU descriptions", "at most 128");
    rc = files_list("cpu", found_file, &found);
    if (rc != RC_OK && rc != RC_ABSENT)
        complaints_refuse_file(complaints, "cpu", "folder cannot be read", "a readable folder");
    library_check_stick(library, &sink);
    if (forced[0] != '\0' && library_named(library, forced, &sink) == NULL) {
        format(message, sizeof(message), "no such CPU description: %s", forced);
        complaints_refuse_value(complaints, &config->cpu_place, message,
                                "a description in the image or in cpu\\ on the stick");
    }
}
