#include "rounds.h"

#include "boot/clock.h"
#include "boot/text.h"

void rounds_begin(struct rounds *rounds, uint64_t discarded)
{
    rounds->number++;
    rounds->began = clock_now();
    rounds->discarded_before = discarded;
    rounds->before = log_totals();
    rounds->results = rounds->unsaid = rounds->claims = 0;
    memset(&rounds->unsaid_verdicts, 0, sizeof(rounds->unsaid_verdicts));
    memset(&rounds->node, 0, sizeof(rounds->node));
    memset(&rounds->cpi, 0, sizeof(rounds->cpi));
}

static double absolute(double value)
{
    return value < 0 ? -value : value;
}

static struct round_value value_of(const struct round_result *result, const struct node *node,
                                   double from, double to)
{
    return (struct round_value){.kernel = result->kernel,
                                .node = node,
                                .core = result->core,
                                .dose = result->dose,
                                .from = from,
                                .to = to};
}

/* Keeps the value that is further from its other one. */
static void keep_further(struct round_value *kept, const struct round_value *value)
{
    if (kept->kernel == NULL || absolute(value->to - value->from) > absolute(kept->to - kept->from))
        *kept = *value;
}

/* Of CPI the part counts, not the difference. */
static void keep_further_part(struct round_value *kept, const struct round_value *value)
{
    if (kept->kernel == NULL ||
        absolute(value->to / value->from - 1) > absolute(kept->to / kept->from - 1))
        *kept = *value;
}

static void widen(struct round_row *row, unsigned column, double value)
{
    if (!row->known[column] || value < row->lowest[column])
        row->lowest[column] = value;
    if (!row->known[column] || value > row->highest[column])
        row->highest[column] = value;
    row->known[column] = true;
}

static void add_node(struct rounds *rounds, struct round_row *row, unsigned column,
                     const struct node *node, const struct round_result *result)
{
    const double now = result->row->nodes[column];
    struct round_value value;

    if (!result->row->known[column])
        return;
    widen(row, column, now);
    value = value_of(result, node, row->lowest[column], row->highest[column]);
    keep_further(&rounds->widest, &value);
    if (rounds->number == 1 || !row->first.filled || !row->first.known[column])
        return;
    value = value_of(result, node, row->first.nodes[column], now);
    keep_further(&rounds->node, &value);
}

static void add_cpi(struct rounds *rounds, struct round_row *row, const struct round_result *result)
{
    struct round_value value;

    if (!result->row->cpi_known)
        return;
    widen(row, TABLE_NODES, result->row->cpi);
    if (rounds->number == 1 || !row->first.filled || !row->first.cpi_known || row->first.cpi <= 0)
        return;
    value = value_of(result, NULL, row->first.cpi, result->row->cpi);
    keep_further_part(&rounds->cpi, &value);
}

static bool as_first(const struct table_row *first, const struct table_row *row)
{
    return row->failed == 0 && first->failed == 0 && row->passed == first->passed &&
           row->skipped == first->skipped && row->filled == first->filled &&
           (!row->filled || (row->description == first->description && table_agree(first, row)));
}

bool rounds_add(struct rounds *rounds, size_t index, const struct round_result *result)
{
    const struct table_row *given = result->row;
    const struct node *columns[TABLE_NODES];
    struct round_row *row;
    unsigned count = 0;

    if (rounds->rows == NULL)
        return true;
    row = &rounds->rows[index];
    rounds->results++;
    if (given->filled)
        count = table_columns(given->description, given->levels, columns);
    for (unsigned i = 0; i < count; i++)
        add_node(rounds, row, i, columns[i], result);
    if (given->filled)
        add_cpi(rounds, row, result);
    if (rounds->number == 1)
        row->first = *given;
    if (rounds->number == 1 || result->say || !as_first(&row->first, given))
        return true;
    rounds->unsaid++;
    rounds->unsaid_verdicts.passed += given->passed;
    rounds->unsaid_verdicts.skipped += given->skipped;
    return false;
}

struct log_totals rounds_verdicts(const struct rounds *rounds, const struct log_totals *now)
{
    return (struct log_totals){
        .passed =
            now->passed - rounds->before.passed + rounds->unsaid_verdicts.passed - rounds->claims,
        .failed = now->failed - rounds->before.failed,
        .skipped = now->skipped - rounds->before.skipped + rounds->unsaid_verdicts.skipped,
    };
}
