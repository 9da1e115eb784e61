#include "page.h"

#include "boot/format.h"
#include "boot/text.h"

/* Colours: foreground, and background << 4. */
#define TITLE   0x1f /* white on blue */
#define BAR_1   0x20 /* green: level 1 */
#define BAR_2   0x30 /* cyan: level 2 */
#define ALARM   0x0c /* light red */
#define HEADING 0x0f /* white */

enum {
    ROW_TITLE = 0,
    ROW_CORE = 2,
    ROW_KERNEL,
    ROW_TIME,
    ROW_VERDICTS,
    ROW_TOPDOWN = 7,
    ROW_KEEPS = SCREEN_ROWS - 1,
};
#define LAST_BAR  (ROW_KEEPS - 5) /* room for a blank row and three failures below */
#define NAME      26u
#define SHARE     6u
#define BAR_START (NAME + SHARE + 2)
/* A failure has a second row for what the first does not hold. */
#define TROUBLE_ROWS   2
#define TROUBLE_INDENT 3u

/* What does not fit is cut. */
static void write(struct screen_page *page, unsigned row, unsigned column, const char *text)
{
    for (; *text && column < SCREEN_COLUMNS; column++)
        page->text[row][column] = *text++;
}

static void colour(struct screen_page *page, unsigned row, unsigned from, unsigned count,
                   uint8_t attribute)
{
    for (unsigned i = from; i < from + count && i < SCREEN_COLUMNS; i++)
        page->attributes[row][i] = attribute;
}

static const char *or_blank(const char *text)
{
    return text != NULL ? text : "";
}

/* "0.35 s", "45 s", "12 min". */
static void write_time(char *out, size_t size, uint64_t us)
{
    const unsigned long long seconds = us / 1000000;

    if (seconds < 10)
        format(out, size, "%.2f s", (double)us / 1e6);
    else if (seconds < 120)
        format(out, size, "%llu s", seconds);
    else
        format(out, size, "%llu min", (seconds + 30) / 60);
}

static void fill_title(struct screen_page *page, const struct page_facts *facts)
{
    write(page, ROW_TITLE, 1, "slotscope");
    write(page, ROW_TITLE, 12, or_blank(facts->brand));
    colour(page, ROW_TITLE, 0, SCREEN_COLUMNS, TITLE);
}

static void fill_kernel(struct screen_page *page, const struct page_facts *facts)
{
    char text[SCREEN_COLUMNS + 1];

    if (facts->ended != NULL) {
        format(text, sizeof(text), "the run is over: %s", facts->ended);
        write(page, ROW_CORE, 1, text);
        colour(page, ROW_CORE, 0, SCREEN_COLUMNS, HEADING);
        return;
    }
    write(page, ROW_CORE, 1, or_blank(facts->core));
    if (facts->number == 0)
        return;
    if (facts->passes > 0)
        format(text, sizeof(text), "kernel %u of %u: %s, %u passes of %u repeats", facts->number,
               facts->kernels, or_blank(facts->kernel), facts->passes, facts->repeats);
    else
        format(text, sizeof(text), "kernel %u of %u: %s", facts->number, facts->kernels,
               or_blank(facts->kernel));
    write(page, ROW_KERNEL, 1, text);
}

static void fill_time(struct screen_page *page, const struct page_facts *facts)
{
    char text[SCREEN_COLUMNS + 1], elapsed[24], left[24];

    write_time(elapsed, sizeof(elapsed), facts->elapsed_us);
    write_time(left, sizeof(left), facts->left_us);
    if (facts->ended == NULL && facts->left_known)
        format(text, sizeof(text), "%s so far, about %s left", elapsed, left);
    else
        format(text, sizeof(text), "%s%s", elapsed, facts->ended == NULL ? " so far" : "");
    write(page, ROW_TIME, 1, text);
}

static void fill_verdicts(struct screen_page *page, const struct page_facts *facts)
{
    char text[SCREEN_COLUMNS + 1];

    format(text, sizeof(text),
           "verdicts: %llu ok, %llu not ok, %llu skipped; windows thrown away: %llu",
           (unsigned long long)facts->totals.passed, (unsigned long long)facts->totals.failed,
           (unsigned long long)facts->totals.skipped, (unsigned long long)facts->discarded);
    write(page, ROW_VERDICTS, 1, text);
    if (facts->totals.failed > 0)
        colour(page, ROW_VERDICTS, 0, SCREEN_COLUMNS, ALARM);
}

/* One node: its name, its share and a bar; a share that was not measured is "-" and has no bar. */
static void fill_bar(struct screen_page *page, unsigned row, const struct node *node, bool known,
                     double share)
{
    const double shown = share < 0 ? 0 : share > 1 ? 1 : share;
    char text[SHARE + 2];

    write(page, row, node->level, node->name);
    for (unsigned i = NAME; i < SCREEN_COLUMNS; i++)
        page->text[row][i] = 0; /* a longer name is cut */
    format(text, sizeof(text), known ? "%.3f" : "    -", share);
    write(page, row, NAME, text);
    if (known)
        colour(page, row, BAR_START, (unsigned)(shown * PAGE_BAR + 0.5),
               node->level == 1 ? BAR_1 : BAR_2);
}

/* Node `top` of level 1, then its children as far as they leave room for the other nodes of
 * level 1. Returns the row below. */
static unsigned fill_bars(struct screen_page *page, unsigned row, const struct table_row *results,
                          const struct node *const *columns, unsigned count, unsigned top)
{
    const struct node *nodes = results->description->nodes;
    unsigned last = LAST_BAR;

    for (unsigned i = top + 1; i < count; i++)
        last -= columns[i]->level == 1;
    for (unsigned i = top; i < count && row <= last; i++) {
        const struct node *node = columns[i];

        if (i == top || (node->parent >= 0 && &nodes[node->parent] == columns[top]))
            fill_bar(page, row++, node, results->known[i], results->nodes[i]);
    }
    return row;
}

/* Returns the row below. */
static unsigned fill_topdown(struct screen_page *page, const struct page_facts *facts)
{
    const struct table_row *last = facts->last;
    const struct node *columns[TABLE_NODES];
    char text[SCREEN_COLUMNS + 1], cpi[24] = "-";
    unsigned count, row = ROW_TOPDOWN;

    if (facts->last_kernel == NULL)
        return row;
    if (last == NULL || !last->filled) {
        format(text, sizeof(text), "%s: nothing was counted", facts->last_kernel);
        write(page, row, 1, text);
        return row + 2;
    }
    if (last->cpi_known)
        format(cpi, sizeof(cpi), "%.2f", last->cpi);
    format(text, sizeof(text), "%s on core %u: CPI %s, shares of the slots", facts->last_kernel,
           last->core, cpi);
    write(page, row, 1, text);
    colour(page, row++, 0, SCREEN_COLUMNS, HEADING);
    count = table_columns(last->description, last->levels, columns);
    for (unsigned i = 0; i < count && columns[i]->level == 1; i++)
        row = fill_bars(page, row, last, columns, count, i);
    return row + 1;
}

/* Returns the row below. */
static unsigned fill_trouble(struct screen_page *page, unsigned row, const char *text)
{
    const size_t width = SCREEN_COLUMNS - TROUBLE_INDENT, length = strlen(text);
    size_t at = 0;

    for (unsigned i = 0; i < TROUBLE_ROWS && row < ROW_KEEPS && (at < length || i == 0); i++) {
        write(page, row, i == 0 ? 1 : TROUBLE_INDENT, text + at);
        colour(page, row++, 0, SCREEN_COLUMNS, ALARM);
        at += i == 0 ? SCREEN_COLUMNS - 1 : width;
    }
    return row;
}

static void fill_troubles(struct screen_page *page, const struct page_facts *facts, unsigned row)
{
    for (unsigned i = 0; i < LOG_TROUBLES && facts->troubles[i] != NULL && row < ROW_KEEPS; i++)
        row = fill_trouble(page, row, facts->troubles[i]);
}

static void fill_keeps(struct screen_page *page, const struct page_facts *facts)
{
    char text[SCREEN_COLUMNS + 1];

    format(text, sizeof(text), "%sThe log: %s", facts->ended == NULL ? "ESC ends the run. " : "",
           or_blank(facts->keeps));
    write(page, ROW_KEEPS, 1, text);
}

void page_fill(struct screen_page *page, const struct page_facts *facts)
{
    memset(page, 0, sizeof(*page));
    fill_title(page, facts);
    fill_kernel(page, facts);
    fill_time(page, facts);
    fill_verdicts(page, facts);
    fill_troubles(page, facts, fill_topdown(page, facts));
    fill_keeps(page, facts);
}
