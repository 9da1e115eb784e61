/* Holds every record of logs against doc/log.schema.json.
 *
 *   check_schema SCHEMA LOG...          TAP on standard output: a test for each kind of record in
 *                                       each log; a record that is not as the schema says is named
 *                                       by its `seq` and the member
 *   check_schema --all SCHEMA LOG...    also: every kind and every member of the schema occurs in
 *                                       one of the logs
 *   check_schema --members SCHEMA       a line for each member: kind, member, types. `events.*.min`
 *                                       is the member `min` of every member of `events`,
 * `windows[]` a value of the list `windows` check_schema --each SCHEMA FILE     `valid` or
 * `invalid` for each line of FILE, a JSON value
 *
 * Exit status 0 when all of it holds, 1 when not, 2 when something cannot be read. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pc/log_schema.h"

#define MEMBERS  1024
#define KINDS    32
#define PATH     128
#define SHOWN    5 /* problems of one kind of record in one log that are printed */
#define SPACES   " or "
#define ANY_ITEM "[]"

struct member {
    char kind[24], path[PATH], types[64];
    bool seen;
};

struct kind {
    const char *name; /* in the schema */
    unsigned long records, wrong;
    bool seen;
};

struct session {
    struct schema *schema;
    struct kind kinds[KINDS];
    unsigned kind_count;
    struct member members[MEMBERS];
    unsigned member_count;
    unsigned test, failures;
    unsigned shown; /* problems of the log that is read */
};

static char *read_file(const char *name, size_t *size)
{
    FILE *file = fopen(name, "rb");
    char *text = NULL;
    size_t room = 0;

    *size = 0;
    while (file != NULL && !feof(file) && !ferror(file)) {
        if (*size == room) {
            char *larger = realloc(text, room = room * 2 + 65536);

            if (larger == NULL)
                break;
            text = larger;
        }
        *size += fread(text + *size, 1, room - *size, file);
    }
    if (file != NULL)
        fclose(file);
    if (text == NULL)
        perror(name);
    return text;
}

/* --- the members of the schema ------------------------------------------------------------------
 */

static struct member *member_of(struct session *session, const char *kind, const char *path)
{
    struct member *member;

    for (unsigned i = 0; i < session->member_count; i++) {
        member = &session->members[i];
        if (strcmp(member->kind, kind) == 0 && strcmp(member->path, path) == 0)
            return member;
    }
    if (session->member_count == MEMBERS) {
        fprintf(stderr, "check_schema: more than %d members\n", MEMBERS);
        exit(2);
    }
    member = &session->members[session->member_count++];
    snprintf(member->kind, sizeof(member->kind), "%s", kind);
    snprintf(member->path, sizeof(member->path), "%s", path);
    return member;
}

static void add_type(struct member *member, const char *type)
{
    const size_t length = strlen(member->types);

    if (strstr(member->types, type) == NULL)
        snprintf(member->types + length, sizeof(member->types) - length, "%s%s",
                 length > 0 ? SPACES : "", type);
}

static struct kind *kind_named(struct session *session, const char *name)
{
    for (unsigned i = 0; name != NULL && i < session->kind_count; i++) {
        if (strcmp(session->kinds[i].name, name) == 0)
            return &session->kinds[i];
    }
    return NULL;
}

static void add_member(void *context, const char *kind, const char *path, const char *type)
{
    struct session *session = context;

    if (kind_named(session, kind) == NULL && session->kind_count < KINDS)
        session->kinds[session->kind_count++].name = kind;
    add_type(member_of(session, kind, path), type);
}

/* --- records ------------------------------------------------------------------------------------
 */

static bool has(const json_t *value, const char *path)
{
    const size_t length = strcspn(path, ".[");
    const char *name;
    char first[PATH];
    json_t *member;

    if (path[0] == '\0')
        return true;
    if (path[0] == '.')
        return has(value, path + 1);
    if (strncmp(path, ANY_ITEM, strlen(ANY_ITEM)) == 0) {
        for (size_t i = 0; i < json_array_size(value); i++) {
            if (has(json_array_get(value, i), path + strlen(ANY_ITEM)))
                return true;
        }
        return false;
    }
    if (path[0] == '*') {
        json_object_foreach ((json_t *)(uintptr_t)value, name, member) {
            if (has(member, path + length))
                return true;
        }
        return false;
    }
    snprintf(first, sizeof(first), "%.*s", (int)length, path);
    member = json_object_get(value, first);
    return member != NULL && has(member, path + length);
}

static void note_members(struct session *session, const char *kind, const json_t *record)
{
    for (unsigned i = 0; i < session->member_count; i++) {
        struct member *member = &session->members[i];

        if (!member->seen && strcmp(member->kind, kind) == 0)
            member->seen = has(record, member->path);
    }
}

static void show(void *context, const char *text)
{
    struct session *session = context;

    if (session->shown++ < SHOWN)
        printf("# %s\n", text);
}

static bool check_record(struct session *session, const char *log, unsigned long line,
                         const char *text, size_t length)
{
    const struct log_schema_sink sink = {session, show};
    json_error_t error;
    json_t *record = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    struct kind *kind;
    unsigned problems;

    if (record == NULL) {
        printf("# %s:%lu: not JSON: %s\n", log, line, error.text);
        return false;
    }
    kind = kind_named(session, json_string_value(json_object_get(record, "type")));
    problems = log_schema_check(session->schema, record, &sink);
    if (kind != NULL) {
        kind->records++;
        kind->seen = true;
        kind->wrong += problems > 0;
        note_members(session, kind->name, record);
    }
    json_decref(record);
    return problems == 0 || kind != NULL;
}

static void test(struct session *session, bool holds, const char *pattern, ...)
{
    va_list arguments;

    printf("%sok %u - ", holds ? "" : "not ", ++session->test);
    va_start(arguments, pattern);
    vprintf(pattern, arguments);
    va_end(arguments);
    printf("\n");
    session->failures += !holds;
}

static void check_log(struct session *session, const char *name)
{
    unsigned long line = 0, records = 0, nameless = 0;
    size_t size;
    char *text = read_file(name, &size), *at = text;

    if (text == NULL)
        exit(2);
    session->shown = 0;
    for (unsigned i = 0; i < session->kind_count; i++)
        session->kinds[i].records = session->kinds[i].wrong = 0;
    while (at < text + size) {
        char *end = memchr(at, '\n', (size_t)(text + size - at));
        size_t length = (size_t)((end != NULL ? end : text + size) - at);

        line++;
        if (*at == '{') {
            records++;
            nameless += !check_record(session, name, line, at, length);
        }
        at += length + 1;
    }
    free(text);
    for (unsigned i = 0; i < session->kind_count; i++) {
        const struct kind *kind = &session->kinds[i];

        if (kind->records > 0)
            test(session, kind->wrong == 0, "%s: %lu of %lu records %s are as the schema says",
                 name, kind->records - kind->wrong, kind->records, kind->name);
    }
    if (records == 0 || nameless > 0)
        test(session, false, "%s: %lu of %lu records are of a kind that the schema names", name,
             records - nameless, records);
}

static void check_all_seen(struct session *session)
{
    unsigned missing = 0;

    for (unsigned i = 0; i < session->kind_count; i++)
        test(session, session->kinds[i].seen, "there are records %s", session->kinds[i].name);
    for (unsigned i = 0; i < session->member_count; i++) {
        if (session->members[i].seen)
            continue;
        printf("# no record %s has %s\n", session->members[i].kind, session->members[i].path);
        missing++;
    }
    test(session, missing == 0, "each of the schema's %u members is in a record",
         session->member_count);
}

static int check_each(const struct session *session, const char *name)
{
    size_t size;
    char *text = read_file(name, &size), *at = text;

    if (text == NULL)
        return 2;
    while (at < text + size) {
        char *end = memchr(at, '\n', (size_t)(text + size - at));
        size_t length = (size_t)((end != NULL ? end : text + size) - at);
        json_t *value = json_loadb(at, length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL);

        puts(value != NULL && schema_check(session->schema, value, NULL) == 0 ? "valid"
                                                                              : "invalid");
        json_decref(value);
        at += length + 1;
    }
    free(text);
    return 0;
}

static void print_members(const struct session *session)
{
    for (unsigned i = 0; i < session->member_count; i++)
        printf("%s %s %s\n", session->members[i].kind, session->members[i].path,
               session->members[i].types);
}

static bool open_schema(struct session *session, const char *name)
{
    char why[SCHEMA_TEXT];
    size_t size;
    char *text = read_file(name, &size);

    if (text == NULL)
        return false;
    session->schema = schema_read(text, size, why);
    free(text);
    if (session->schema == NULL)
        fprintf(stderr, "check_schema: %s: %s\n", name, why);
    else
        log_schema_members(session->schema, add_member, session);
    return session->schema != NULL;
}

int main(int argc, char **argv)
{
    static struct session session;
    const char *option = argc > 1 && argv[1][0] == '-' ? argv[1] : "";
    const int first = option[0] != '\0' ? 2 : 1;
    const bool all = strcmp(option, "--all") == 0, each = strcmp(option, "--each") == 0;
    const bool members = strcmp(option, "--members") == 0;
    int status = 0;

    if ((option[0] != '\0' && !all && !each && !members) || argc < first + (members ? 1 : 2)) {
        fprintf(stderr, "usage: check_schema [--all] SCHEMA LOG... | --members SCHEMA | --each "
                        "SCHEMA FILE\n");
        return 2;
    }
    if (!open_schema(&session, argv[first]))
        return 2;
    if (members) {
        print_members(&session);
    } else if (each) {
        status = check_each(&session, argv[first + 1]);
    } else {
        for (int i = first + 1; i < argc; i++)
            check_log(&session, argv[i]);
        if (all)
            check_all_seen(&session);
        printf("1..%u\n", session.test);
        status = session.failures != 0;
    }
    schema_free(session.schema);
    return status;
}
