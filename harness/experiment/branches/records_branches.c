#include "records_branches.h"

#include "boot/json_line.h"
#include "boot/log.h"
#include "edges.h"
#include "harness/records/record_members.h"
#include "pmu/sampling/lbr_decode.h"
#include "recording.h"

/* An edge takes up to 165 bytes of the 4096 of a record. */
#define EDGES_IN_RECORD 22u

static struct json_line *begin_branches(const char *type, const struct measured_core *core,
                                        const struct measurement *m,
                                        const struct recording *recording)
{
    struct json_line *record = record_begin(type, core, m->kernel->name, "branch");

    json_line_text(record, "recording", recording->way->name);
    json_line_unsigned(record, "iterations", m->n);
    json_line_hex(record, "code", (uint64_t)(uintptr_t)m->kernel->code);
    return record;
}

static void type_member(struct json_line *record, unsigned type)
{
    json_line_text(record, "type", type != LBR_TYPE_UNKNOWN ? lbr_type_name(type) : NULL);
}

void record_lbr(const struct measured_core *core, const struct measurement *m)
{
    const struct recording *recording = &m->recordings[0];
    struct json_line *record = begin_branches("lbr", core, m, recording);

    json_line_array(record, "entries");
    for (unsigned i = 0; i < recording->stack.count; i++) {
        const struct lbr_entry *entry = &recording->stack.entries[i];

        json_line_object(record, NULL);
        json_line_hex(record, "from", entry->from);
        json_line_hex(record, "to", entry->to);
        if (entry->mispredict_valid)
            json_line_bool(record, "mispredicted", entry->mispredicted);
        else
            json_line_null(record, "mispredicted");
        if (entry->cycles_valid)
            json_line_unsigned(record, "cycles", entry->cycles);
        else
            json_line_null(record, "cycles");
        type_member(record, entry->type);
        json_line_end(record);
    }
    json_line_end(record);
    log_send(record);
}

static void edge_object(struct json_line *record, const struct edge *edge)
{
    json_line_object(record, NULL);
    json_line_hex(record, "from", edge->from);
    json_line_hex(record, "to", edge->to);
    type_member(record, edge->type);
    json_line_unsigned(record, "count", edge->count);
    if (edge->flags == edge->count) {
        json_line_unsigned(record, "mispredicted", edge->mispredicted);
        json_line_real(record, "mispredict_ratio", (double)edge->mispredicted / (double)edge->count,
                       4);
    } else {
        json_line_null(record, "mispredicted");
        json_line_null(record, "mispredict_ratio");
    }
    if (edge->timed > 0)
        json_line_real(record, "cycles", (double)edge->cycles / (double)edge->timed, 2);
    else
        json_line_null(record, "cycles");
    if (edge->timed > 0 && edge->timed < edge->count)
        json_line_unsigned(record, "timed", edge->timed);
    json_line_end(record);
}

void record_edges(const struct measured_core *core, const struct measurement *m)
{
    const struct recording *recording = &m->recordings[0];
    struct edge rows[LBR_DEPTH];
    struct edges edges = {.rows = rows, .limit = LBR_DEPTH};

    edges_add(&edges, &recording->stack);
    for (unsigned first = 0, part = 1; first < edges.count; first += EDGES_IN_RECORD, part++) {
        struct json_line *record = begin_branches("edges", core, m, recording);

        json_line_unsigned(record, "records", edges.records);
        json_line_unsigned(record, "part", part);
        json_line_array(record, "edges");
        for (unsigned i = first; i < edges.count && i < first + EDGES_IN_RECORD; i++)
            edge_object(record, &edges.rows[i]);
        json_line_end(record);
        log_send(record);
    }
}
