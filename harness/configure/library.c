#include "library.h"

#include "boot/text.h"
#include "pmu/builtin.h"

static struct library_entry *find(struct library *library, const char *name)
{
    for (unsigned i = 0; i < library->count; i++) {
        if (strcmp(library->entries[i].name, name) == 0)
            return &library->entries[i];
    }
    return NULL;
}

bool library_add(struct library *library, const char *name, const char *text, size_t size,
                 bool from_stick)
{
    struct library_entry *entry = find(library, name);

    if (strlen(name) >= DESCRIPTION_NAME || (entry == NULL && library->count == LIBRARY_ENTRIES))
        return false;
    if (entry != NULL && entry->from_stick && !from_stick)
        return true;
    if (entry == NULL)
        entry = &library->entries[library->count++];
    memset(entry, 0, sizeof(*entry));
    memcpy(entry->name, name, strlen(name) + 1);
    entry->text = text;
    entry->size = size;
    entry->from_stick = from_stick;
    return true;
}

bool library_add_builtin(struct library *library)
{
    for (unsigned i = 0; builtin_name(i) != NULL; i++) {
        size_t size;
        const char *text = builtin_text(builtin_name(i), &size);

        if (!library_add(library, builtin_name(i), text, size, false))
            return false;
    }
    return true;
}

/* For `like` in a description. */
static const char *text_of(void *context, const char *name, size_t *size, bool *from_stick)
{
    struct library_entry *entry = find(context, name);

    if (entry == NULL)
        return NULL;
    *size = entry->size;
    *from_stick = entry->from_stick;
    return entry->text;
}

static bool parse(struct library *library, struct library_entry *entry,
                  const struct complaint_sink *sink)
{
    struct description_library source = {library, text_of};
    struct complaint complaint = {0};
    enum rc rc;

    if (entry->state != ENTRY_UNREAD)
        return entry->state == ENTRY_GOOD;
    rc =
        description_parse(&entry->description, entry->name, &source, library->allocate, &complaint);
    entry->state = rc == RC_OK ? ENTRY_GOOD : ENTRY_BAD;
    if (rc == RC_OK)
        return true;
    if (rc != RC_BAD_INPUT) {
        memset(&complaint, 0, sizeof(complaint));
        memcpy(complaint.file, entry->name, strlen(entry->name) + 1);
        memcpy(complaint.message, "no memory for this CPU description",
               sizeof("no memory for this CPU description"));
    }
    sink->complain(sink->context, &complaint);
    return false;
}

bool library_check_stick(struct library *library, const struct complaint_sink *sink)
{
    bool good = true;

    for (unsigned i = 0; i < library->count; i++) {
        if (library->entries[i].from_stick && !parse(library, &library->entries[i], sink))
            good = false;
    }
    return good;
}

const struct description *library_named(struct library *library, const char *name,
                                        const struct complaint_sink *sink)
{
    struct library_entry *entry = find(library, name);

    return entry != NULL && parse(library, entry, sink) ? &entry->description : NULL;
}

const struct description *library_matching(struct library *library, const struct facts *facts,
                                           const struct complaint_sink *sink)
{
    for (unsigned stick = 2; stick-- > 0;) {
        for (unsigned i = 0; i < library->count; i++) {
            struct library_entry *entry = &library->entries[i];

            /* The image has some forty descriptions: only those that may match are parsed. */
            if (entry->from_stick != (stick != 0) ||
                !description_claims(entry->text, entry->size, facts))
                continue;
            if (parse(library, entry, sink) && description_matches(&entry->description, facts))
                return &entry->description;
        }
    }
    return library_named(library, LIBRARY_FALLBACK, sink);
}
