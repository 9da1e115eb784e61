/* slotlog report LOG... -o report.html: a page of its own that needs nothing else (slotlog/page).
 */
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "output.h"
#include "page_data.h"

extern const char slotlog_page_frame[], slotlog_page_style[], slotlog_page_script[];

/* Apache ECharts, as slotlog/page/library.sh fetches it. */
static const char *const library_files[] = {"echarts.min.js", "LICENSE", "NOTICE", "LICENSE-d3"};
#define READ_BYTES    65536
#define LIBRARY_FILES (sizeof(library_files) / sizeof(*library_files))

struct page {
    FILE *file;
    char *library[LIBRARY_FILES], *data;
};

/* What takes the place of a line of the frame. */
struct part {
    const char *mark;
    void (*write)(const struct page *page);
};

static int refuse_library(const char *path)
{
    fprintf(stderr,
            "slotlog: %s: %s; the charts are made with Apache ECharts, which `make report-library` "
            "puts there\n",
            path, strerror(errno));
    return STATUS_USAGE;
}

static char *path_of(const char *folder, const char *name)
{
    char *path = allocate_or_end(NULL, strlen(folder) + strlen(name) + 2, 1);

    sprintf(path, "%s/%s", folder, name);
    return path;
}

/* NULL: errno says why. */
static char *whole_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    size_t size = 0, got;
    char *text = NULL;

    if (file == NULL)
        return NULL;
    do {
        text = allocate_or_end(text, size + READ_BYTES + 1, 1);
        got = fread(text + size, 1, READ_BYTES, file);
        size += got;
    } while (got > 0);
    text[size] = 0;
    fclose(file);
    return text;
}

/* Where the library is, from the folder that the program is in: as built, and as installed. */
static const char *const library_places[] = {"echarts", "../share/slotscope/echarts"};
#define LIBRARY_PLACES (sizeof(library_places) / sizeof(*library_places))

/* Where neither place has it, the first one. */
static char *library_folder(void)
{
    char program[PATH_MAX] = "";
    const char *beside;

    if (readlink("/proc/self/exe", program, sizeof(program) - 1) < 0)
        strcpy(program, "./slotlog");
    beside = dirname(program);
    for (size_t i = 0; i < LIBRARY_PLACES; i++) {
        char *folder = path_of(beside, library_places[i]);
        char *file = path_of(folder, library_files[0]);
        const bool is_there = access(file, R_OK) == 0;

        free(file);
        if (is_there)
            return folder;
        free(folder);
    }
    return path_of(beside, library_places[0]);
}

static int read_library(struct page *page)
{
    char *folder = library_folder();
    int status = STATUS_GOOD;

    for (size_t i = 0; i < LIBRARY_FILES && status == STATUS_GOOD; i++) {
        char *path = path_of(folder, library_files[i]);

        page->library[i] = whole_file(path);
        if (page->library[i] == NULL)
            status = refuse_library(path);
        free(path);
    }
    free(folder);
    return status;
}

/* Writes a text with every `what` replaced. */
static void write_replaced(FILE *file, const char *text, const char *what, const char *by)
{
    for (const char *found; (found = strstr(text, what)) != NULL; text = found + strlen(what))
        fprintf(file, "%.*s%s", (int)(found - text), text, by);
    fputs(text, file);
}

/* HTML ends a script at "</script", also inside a string; there "<\/script" means the same. */
static void write_script(FILE *file, const char *text)
{
    write_replaced(file, text, "</script", "<\\/script");
}

static void write_style(const struct page *page)
{
    fputs(slotlog_page_style, page->file);
}

static void write_library(const struct page *page)
{
    write_script(page->file, page->library[0]);
}

static void write_licences(const struct page *page)
{
    for (size_t i = 1; i < LIBRARY_FILES; i++)
        write_replaced(page->file, page->library[i], "<", "&lt;");
}

/* JSON has a < only inside texts, where it may be written \u003c. */
static void write_data(const struct page *page)
{
    write_replaced(page->file, page->data, "<", "\\u003c");
}

static void write_own_script(const struct page *page)
{
    write_script(page->file, slotlog_page_script);
}

static const struct part parts[] = {
    {"<!-- style -->", write_style},       {"<!-- library -->", write_library},
    {"<!-- licences -->", write_licences}, {"<!-- data -->", write_data},
    {"<!-- script -->", write_own_script},
};

static const struct part *next_part(const char *text, const char **at)
{
    const struct part *next = NULL;

    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
        const char *found = strstr(text, parts[i].mark);

        if (found != NULL && (next == NULL || found < *at)) {
            next = &parts[i];
            *at = found;
        }
    }
    return next;
}

static void write_page(const struct page *page)
{
    const char *text = slotlog_page_frame, *at = NULL;

    for (const struct part *part; (part = next_part(text, &at)) != NULL;
         text = at + strlen(part->mark)) {
        fwrite(text, 1, (size_t)(at - text), page->file);
        part->write(page);
    }
    fputs(text, page->file);
}

static int read_logs(struct whole_log *logs, const struct settings *settings)
{
    for (unsigned i = 0; i < settings->file_count; i++)
        if (whole_log_read(&logs[i], settings->files[i]) != STATUS_GOOD)
            return STATUS_USAGE;
    return STATUS_GOOD;
}

static int write_report(struct page *page, const char *name)
{
    struct output output;

    if (!output_open(&output, name))
        return STATUS_USAGE;
    page->file = output.file;
    write_page(page);
    return output_close(&output, true) ? STATUS_GOOD : STATUS_USAGE;
}

int command_report(const struct settings *settings)
{
    struct whole_log *logs = allocate_or_end(NULL, settings->file_count, sizeof(*logs));
    struct page page = {0};
    int status = read_library(&page);

    memset(logs, 0, settings->file_count * sizeof(*logs));
    if (status == STATUS_GOOD)
        status = read_logs(logs, settings);
    if (status == STATUS_GOOD) {
        page.data = page_data(logs, settings->file_count);
        status = write_report(&page, settings->output);
    }
    for (unsigned i = 0; i < settings->file_count; i++) {
        if (status == STATUS_GOOD && !whole_log_is_good(&logs[i]))
            status = STATUS_FOUND;
    }
    for (unsigned i = 0; i < settings->file_count; i++)
        whole_log_free(&logs[i]);
    for (size_t i = 0; i < LIBRARY_FILES; i++)
        free(page.library[i]);
    free(page.data);
    free(logs);
    return status;
}
