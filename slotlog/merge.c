/* slotlog merge LOG... -o FILE: into an SQLite file (slotlog/tables.sql). All logs or none. */
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "commands.h"
#include "log_numbers.h"
#include "reader/log_text.h"

#define KEY 40 /* bytes of what tells logs apart */

extern const char slotlog_tables[];

struct merging {
    sqlite3 *database;
    const char *name;
    bool made; /* the file */
    bool failed;
};

static bool fail(struct merging *merging)
{
    if (!merging->failed)
        fprintf(stderr, "slotlog: %s: %s\n", merging->name, sqlite3_errmsg(merging->database));
    merging->failed = true;
    return false;
}

static bool execute(struct merging *merging, const char *text)
{
    return sqlite3_exec(merging->database, text, NULL, NULL, NULL) == SQLITE_OK || fail(merging);
}

static sqlite3_stmt *prepare(struct merging *merging, const char *text)
{
    sqlite3_stmt *statement = NULL;

    if (sqlite3_prepare_v2(merging->database, text, -1, &statement, NULL) != SQLITE_OK)
        fail(merging);
    return statement;
}

static bool step(struct merging *merging, sqlite3_stmt *statement)
{
    const int result = sqlite3_step(statement);

    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return result == SQLITE_DONE || fail(merging);
}

/* Binds a text; NULL stays NULL. */
static void bind_text(sqlite3_stmt *statement, int place, const char *text)
{
    if (text != NULL)
        sqlite3_bind_text(statement, place, text, -1, SQLITE_TRANSIENT);
}

static void bind_integer(sqlite3_stmt *statement, int place, const json_t *value)
{
    if (json_is_integer(value))
        sqlite3_bind_int64(statement, place, json_integer_value(value));
}

static uLong add_text(uLong crc, const char *text)
{
    return crc32(crc, (const unsigned char *)text, (unsigned)strlen(text) + 1);
}

/* The CRC that tells logs apart: the same for each whole copy, another for a damaged copy. */
static void crc_of(const struct whole_log *log, char text[KEY])
{
    uLong records = 0, verdicts = 0;
    json_t *record;
    size_t i;

    json_array_foreach (log->records, i, record)
        records = add_text(records, record_text(record, "crc", ""));
    for (i = 0; i < log->verdict_count; i++) {
        verdicts = add_text(verdicts, log->verdicts[i].claim);
        verdicts = add_text(verdicts, log->verdicts[i].ok ? log->verdicts[i].reason : "not ok");
    }
    snprintf(text, KEY, "%08lx-%08lx-%lu", records, verdicts, log->totals.problems);
}

/* Two rigs of a kind may send the same log, and one log may be given by two names: the user knows
 * which. */
static void tell_twin(struct merging *merging, const struct whole_log *log, const char *crc,
                      const char *path)
{
    sqlite3_stmt *statement =
        prepare(merging, "SELECT file FROM run WHERE crc = ? AND file <> ? ORDER BY id LIMIT 1");

    if (statement == NULL)
        return;
    bind_text(statement, 1, crc);
    bind_text(statement, 2, path);
    if (sqlite3_step(statement) == SQLITE_ROW)
        fprintf(stderr,
                "slotlog: %s: its records and verdicts are those of %s, byte for byte; kept as "
                "another rig's\n",
                log->name, (const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
}

/* Returns the id of the run; 0: it is there already, or merging failed. `path` is the log's. */
static sqlite3_int64 add_run_at(struct merging *merging, const struct whole_log *log,
                                const char *path)
{
    const json_t *machine = whole_log_record(log, "machine"), *end = whole_log_record(log, "end");
    sqlite3_stmt *statement =
        prepare(merging, "INSERT INTO run (file, crc, board, bios, rig, detail, end_reason, "
                         "duration_us, failed, skipped, problems, doubted) "
                         "VALUES (?,?,?,?,?,?,?,?,?,?,?,?) "
                         "ON CONFLICT (crc, file) DO NOTHING");
    char crc[KEY];

    if (statement == NULL)
        return 0;
    crc_of(log, crc);
    bind_text(statement, 1, path);
    bind_text(statement, 2, crc);
    bind_text(statement, 3, record_text(machine, "board", NULL));
    bind_text(statement, 4, record_text(machine, "bios", NULL));
    bind_text(statement, 5, record_text(machine, "rig", NULL));
    bind_text(statement, 6, record_text(machine, "detail", NULL));
    bind_text(statement, 7, record_text(end, "reason", NULL));
    bind_integer(statement, 8, json_object_get(end, "duration_us"));
    sqlite3_bind_int64(statement, 9, (sqlite3_int64)log->failed);
    sqlite3_bind_int64(statement, 10, (sqlite3_int64)log->skipped);
    sqlite3_bind_int64(statement, 11, (sqlite3_int64)log->totals.problems);
    sqlite3_bind_int64(statement, 12, (sqlite3_int64)log->doubted);
    step(merging, statement);
    sqlite3_finalize(statement);
    if (merging->failed)
        return 0;
    if (sqlite3_changes(merging->database) == 0) {
        fprintf(stderr, "slotlog: %s: is in %s already\n", log->name, merging->name);
        return 0;
    }
    tell_twin(merging, log, crc, path);
    return sqlite3_last_insert_rowid(merging->database);
}

/* A file is the same one however its name is spelled. */
static sqlite3_int64 add_run(struct merging *merging, const struct whole_log *log)
{
    char *path = realpath(log->name, NULL);
    json_t *text = json_made(log_text_of_name(path != NULL ? path : log->name));
    const sqlite3_int64 run = add_run_at(merging, log, json_string_value(text));

    json_decref(text);
    free(path);
    return run;
}

static void add_core(struct merging *merging, sqlite3_int64 run, const json_t *record)
{
    static const char *const texts[] = {"brand", "signature", "microcode", "description"};
    sqlite3_stmt *statement =
        prepare(merging, "INSERT OR IGNORE INTO core VALUES (?,?,?,?,?,?,?,?)");

    if (statement == NULL)
        return;
    sqlite3_bind_int64(statement, 1, run);
    bind_integer(statement, 2, json_object_get(record, "core"));
    for (int i = 0; i < 4; i++)
        bind_text(statement, 3 + i, record_text(record, texts[i], NULL));
    bind_integer(statement, 7, json_object_get(record, "package"));
    bind_integer(statement, 8, json_object_get(record, "node"));
    step(merging, statement);
    sqlite3_finalize(statement);
}

static void add_records(struct merging *merging, sqlite3_int64 run, const struct whole_log *log)
{
    sqlite3_stmt *statement = prepare(merging, "INSERT INTO record VALUES (?,?,?,?)");
    json_t *record;
    size_t i;

    if (statement == NULL)
        return;
    json_array_foreach (log->records, i, record) {
        char *text =
            json_dumps(record, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(15));

        sqlite3_bind_int64(statement, 1, run);
        bind_integer(statement, 2, json_object_get(record, "seq"));
        bind_text(statement, 3, record_text(record, "type", ""));
        bind_text(statement, 4, text);
        step(merging, statement);
        free(text);
        if (strcmp(record_text(record, "type", ""), "core") == 0)
            add_core(merging, run, record);
    }
    sqlite3_finalize(statement);
}

static void bind_value(sqlite3_stmt *statement, const struct number *number)
{
    if (number->has)
        sqlite3_bind_double(statement, 10, number->value);
    if (number->ranged) {
        sqlite3_bind_double(statement, 11, number->low);
        sqlite3_bind_double(statement, 12, number->high);
    }
    bind_text(statement, 13, number->reason);
    sqlite3_bind_int(statement, 14, number->trusted);
}

static void add_numbers(struct merging *merging, sqlite3_int64 run, const struct numbers *numbers)
{
    sqlite3_stmt *statement =
        prepare(merging, "INSERT INTO number VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)");

    for (size_t i = 0; statement != NULL && i < numbers->count; i++) {
        const struct number *number = &numbers->of[i];

        sqlite3_bind_int64(statement, 1, run);
        sqlite3_bind_int64(statement, 2, number->core);
        bind_text(statement, 3, number->kernel);
        if (number->dose >= 0)
            sqlite3_bind_int64(statement, 4, number->dose);
        bind_text(statement, 5, number->beside);
        bind_text(statement, 6, number->scope);
        bind_text(statement, 7, number_kind_name(number->kind));
        bind_text(statement, 8, number->name);
        sqlite3_bind_int64(statement, 9, number->iterations);
        bind_value(statement, number);
        step(merging, statement);
    }
    sqlite3_finalize(statement);
}

static void add_verdicts(struct merging *merging, sqlite3_int64 run, const struct whole_log *log)
{
    sqlite3_stmt *statement = prepare(merging, "INSERT INTO verdict VALUES (?,?,?,?,?,?,?)");

    for (size_t i = 0; statement != NULL && i < log->verdict_count; i++) {
        const struct log_verdict *verdict = &log->verdicts[i];

        sqlite3_bind_int64(statement, 1, run);
        sqlite3_bind_int64(statement, 2, (sqlite3_int64)verdict->number);
        sqlite3_bind_int(statement, 3, verdict->ok);
        sqlite3_bind_int(statement, 4, verdict->skipped);
        bind_text(statement, 5, verdict->claim);
        bind_text(statement, 6, verdict->reason);
        sqlite3_bind_int64(statement, 7, (sqlite3_int64)verdict->verdicts);
        step(merging, statement);
    }
    sqlite3_finalize(statement);
}

static void merge_log(struct merging *merging, const struct whole_log *log)
{
    const sqlite3_int64 run = add_run(merging, log);
    struct numbers numbers;

    if (run == 0)
        return;
    numbers_read(&numbers, log);
    add_records(merging, run, log);
    add_numbers(merging, run, &numbers);
    add_verdicts(merging, run, log);
    numbers_free(&numbers);
}

/* ---- whose file it is ---- */

/* The text with which the database made the table; to be freed. NULL: it has no such table. */
static char *made_by(sqlite3 *database, const char *table)
{
    sqlite3_stmt *statement = NULL;
    char *text = NULL;

    if (sqlite3_prepare_v2(database, "SELECT sql FROM sqlite_master WHERE type='table' AND name=?",
                           -1, &statement, NULL) != SQLITE_OK)
        return NULL;
    sqlite3_bind_text(statement, 1, table, -1, SQLITE_STATIC);
    if (sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_text(statement, 0) != NULL)
        text = strdup((const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    return text;
}

/* A file without any table is new. */
static bool has_tables(struct merging *merging)
{
    sqlite3_stmt *statement = prepare(merging, "SELECT count(*) FROM sqlite_master");
    const bool read = statement != NULL && sqlite3_step(statement) == SQLITE_ROW;
    const bool any = read && sqlite3_column_int(statement, 0) > 0;

    if (!read)
        fail(merging); /* such as a file that is no database */
    sqlite3_finalize(statement);
    return any;
}

static const char *const tables[] = {"run", "core", "number", "verdict", "record"};

/* Whether all tables of slotlog are there, made as this program makes them. */
static bool has_ours(const struct merging *merging)
{
    sqlite3 *ours = NULL;
    bool same = sqlite3_open(":memory:", &ours) == SQLITE_OK &&
                sqlite3_exec(ours, slotlog_tables, NULL, NULL, NULL) == SQLITE_OK;

    for (size_t i = 0; same && i < sizeof(tables) / sizeof(*tables); i++) {
        char *wanted = made_by(ours, tables[i]), *found = made_by(merging->database, tables[i]);

        same = wanted != NULL && found != NULL && strcmp(wanted, found) == 0;
        free(wanted);
        free(found);
    }
    sqlite3_close(ours);
    return same;
}

/* Whether it has a table of each of their names, made somehow. */
static bool has_our_names(const struct merging *merging)
{
    bool all = true;

    for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
        char *found = made_by(merging->database, tables[i]);

        all = all && found != NULL;
        free(found);
    }
    return all;
}

/* A file of something else is not touched. */
static bool is_ours(struct merging *merging)
{
    if (!has_tables(merging) || merging->failed || has_ours(merging))
        return !merging->failed;
    if (has_our_names(merging))
        fprintf(stderr,
                "slotlog: %s: made by another version of slotlog: merge its logs again, into a new "
                "file; its table run has their paths\n",
                merging->name);
    else
        fprintf(stderr,
                "slotlog: %s: an SQLite file of something else, not of slotlog merge: expected "
                "another name behind -o\n",
                merging->name);
    return false;
}

static bool merge_all(struct merging *merging, const struct whole_log *logs, unsigned count)
{
    if (execute(merging, "BEGIN IMMEDIATE"))
        execute(merging, slotlog_tables);
    for (unsigned i = 0; !merging->failed && i < count; i++)
        merge_log(merging, &logs[i]);
    if (!merging->failed)
        return execute(merging, "COMMIT");
    if (!sqlite3_get_autocommit(merging->database))
        sqlite3_exec(merging->database, "ROLLBACK", NULL, NULL, NULL);
    return false;
}

/* False: it is there already, or cannot be made, which SQLite says. */
static bool make_file(const char *path)
{
    const int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);

    if (descriptor >= 0)
        close(descriptor);
    return descriptor >= 0;
}

/* A file that this program has made, and that nothing could be written to. */
static void remove_empty(const struct merging *merging)
{
    struct stat status;

    if (merging->made && stat(merging->name, &status) == 0 && status.st_size == 0)
        unlink(merging->name);
}

/* SQLite has names that are no files, such as ":memory:". */
static bool open_database(struct merging *merging)
{
    char *path;
    bool opened;

    if (asprintf(&path, "%s%s", merging->name[0] == '/' ? "" : "./", merging->name) < 0)
        return false;
    merging->made = make_file(path);
    opened = sqlite3_open(path, &merging->database) == SQLITE_OK || fail(merging);
    free(path);
    sqlite3_busy_timeout(merging->database, 60000);
    return opened;
}

static bool any_damaged(const struct whole_log *logs, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (logs[i].totals.problems > 0)
            return true;
    return false;
}

/* All logs are read before the file is touched: one that is refused leaves it as it was. */
int command_merge(const struct settings *settings)
{
    struct whole_log *logs = allocate_or_end(NULL, settings->file_count, sizeof(*logs));
    struct merging merging = {.name = settings->output};
    bool merged = false, damaged;
    unsigned read = 0;

    if (settings->output == NULL)
        fprintf(stderr, "slotlog: merge: expected -o FILE, the SQLite file\n");
    while (settings->output != NULL && read < settings->file_count &&
           whole_log_read(&logs[read], settings->files[read]) == STATUS_GOOD)
        read++;
    if (settings->output != NULL && read == settings->file_count) {
        merged = open_database(&merging) && is_ours(&merging) && merge_all(&merging, logs, read);
        sqlite3_close(merging.database);
        if (!merged)
            remove_empty(&merging);
    }
    damaged = any_damaged(logs, read);
    for (unsigned i = 0; i < read; i++)
        whole_log_free(&logs[i]);
    free(logs);
    if (!merged)
        return STATUS_USAGE;
    return damaged ? STATUS_FOUND : STATUS_GOOD;
}
