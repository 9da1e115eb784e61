#include "truth.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "device/platform.h"
#include "machine/engine/clock.h"
#include "machine/engine/state.h"
#include "pmu/pmu.h"

struct truth {
    FILE *out;
};

struct truth *truth_new(FILE *out)
{
    struct truth *truth = malloc(sizeof(*truth));

    if (truth != NULL)
        truth->out = out;
    return truth;
}

void truth_free(struct truth *truth)
{
    free(truth);
}

static void write_nodes(FILE *out, const struct model *model, const struct model_truth *seen)
{
    const char *comma = "";

    for (unsigned i = 0; i < NODE_COUNT; i++) {
        if (!model_has_node(model, (enum truth_node)i) || (i == NODE_SIBLING && !seen->nodes[i]))
            continue;
        fprintf(out, "%s\"%s\":%" PRIu64, comma, model_node_name((enum truth_node)i),
                seen->nodes[i]);
        comma = ",";
    }
}

/* The causes of slots that the other thread had while this one waited; nothing without such slots.
 */
static void write_waited(FILE *out, const struct model_truth *seen)
{
    const char *before = ",\"waited\":{";

    for (unsigned i = 0; i < CAUSE_COUNT; i++) {
        if (!seen->waited[i])
            continue;
        fprintf(out, "%s\"%s\":%" PRIu64, before, model_cause_name((enum slot_cause)i),
                seen->waited[i]);
        before = ",";
    }
    if (before[1] == '\0')
        fputc('}', out);
}

static void write_recorders(FILE *out, unsigned recorders)
{
    static const char *const names[] = {"LBR", "BTS", "PT"}; /* by bit */
    const char *comma = ",\"recorders\":[";

    for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++) {
        if (!(recorders >> i & 1))
            continue;
        fprintf(out, "%s\"%s\"", comma, names[i]);
        comma = ",";
    }
    if (recorders != 0)
        fputc(']', out);
}

void truth_begin(struct truth_seen *seen)
{
    memset(seen, 0, sizeof(*seen));
}

void truth_go_on(struct truth_seen *seen, struct core *core)
{
    seen->since = core_clock(core);
    model_truth_reset(core->model);
}

#define WORDS (sizeof(struct model_truth) / sizeof(uint64_t))

void truth_pause(struct truth_seen *seen, const struct core *core)
{
    uint64_t sum[WORDS], more[WORDS];
    struct model_truth part;

    model_truth(core->model, &part);
    memcpy(sum, &seen->sum, sizeof(sum));
    memcpy(more, &part, sizeof(more));
    for (unsigned i = 0; i < WORDS; i++)
        sum[i] += more[i];
    memcpy(&seen->sum, sum, sizeof(sum));
    seen->ticks +=
        machine_ticks(core->machine, core_clock(core)) - machine_ticks(core->machine, seen->since);
}

void truth_write(struct truth *truth, const struct core *core)
{
    const struct model_truth seen = core->seen.sum;

    if (truth == NULL)
        return;
    fprintf(truth->out,
            "{\"core\":%u,\"window\":%" PRIu64 ",\"cycles\":%" PRIu64 ",\"reference\":%" PRIu64
            ",\"instructions\":%" PRIu64 ",\"uops_issued\":%" PRIu64 ",\"uops_retired\":%" PRIu64
            ",\"branches\":%" PRIu64 ",\"taken\":%" PRIu64 ",\"mispredicts\":%" PRIu64
            ",\"loads\":%" PRIu64 ",\"stores\":%" PRIu64 ",\"decoded\":%" PRIu64
            ",\"decoded_beyond\":%" PRIu64 ",\"scheduler_empty\":%" PRIu64 ",\"nodes\":{",
            core->index, core->window, seen.cycles, core->seen.ticks, seen.instructions,
            seen.uops_issued, seen.uops_retired, seen.branches, seen.taken, seen.mispredicts,
            seen.loads, seen.stores, seen.decoded, seen.decoded_beyond, seen.scheduler_empty);
    write_nodes(truth->out, core->model, &seen);
    fputs("},\"cycles_by\":{", truth->out);
    for (unsigned i = 0; i < CYCLE_KIND_COUNT; i++)
        fprintf(truth->out, "%s\"%s\":%" PRIu64, i ? "," : "", model_cycle_name((enum cycle_kind)i),
                seen.kinds[i]);
    fputs("},\"slots\":{", truth->out);
    for (unsigned i = 0; i < CAUSE_COUNT; i++) {
        if (i == CAUSE_SIBLING && !seen.slots[i])
            continue;
        fprintf(truth->out, "%s\"%s\":%" PRIu64, i ? "," : "", model_cause_name((enum slot_cause)i),
                seen.slots[i]);
    }
    fputc('}', truth->out);
    write_waited(truth->out, &seen);
    write_recorders(truth->out, pmu_recorders(core->pmu));
    fputs("}\n", truth->out);
}
