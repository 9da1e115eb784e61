#include "loop.h"

#include "boot/firmware/console.h"
#include "boot/firmware/memory.h"
#include "boot/log.h"
#include "harness/outcome/summary.h"
#include "harness/rounds/rounds_record.h"
#include "harness/survey/restore.h"
#include "series.h"

#define LOG_END_BYTES 65536u /* more than failures and the end of a log take, */
#define LOG_TABLES    4u     /* beside as many tables at most */

/* What the round before left behind is forgotten; the memory of what is made anew is used again. */
static void renew(struct run_experiments *experiments, struct run_cores *cores,
                  struct plan_cache *plans, uint64_t round)
{
    pool_rewind(plans->pool);
    plan_cache_forget(plans);
    for (unsigned i = 0; i < experiments->count; i++)
        experiments->of[i].plan = NULL;
    if (experiments->sibling_load != NULL)
        experiments->sibling_load->plan = NULL;
    for (unsigned i = 0; i < cores->count; i++)
        measured_core_renew(&cores->of[i], round);
}

static void begin_round(struct run *run)
{
    rounds_begin(&run->rounds, measured_cores_discarded(run->cores.of, run->cores.count));
    rounds_log_begin(&run->rounds);
    if (run->rounds.number > 1)
        renew(&run->experiments, &run->cores, &run->plan_cache, run->rounds.number);
}

/* What the end of the log takes at most: in a table each core may have a line of each kernel. */
static uint64_t bytes_of_end(const struct run_rows *rows, unsigned kernels)
{
    return LOG_END_BYTES + (uint64_t)kernels * rows->cores * (LOG_TABLES * (uint64_t)TABLE_LINE);
}

/* Before another round: the log file must have room for as much as the largest round took, and for
 * the end of the log. Where it has not, the log there ends; and the run does, where nothing else
 * keeps the log. */
static void look_for_room(struct run *run, uint64_t bytes)
{
    struct rounds *rounds = &run->rounds;

    if (bytes > rounds->log_bytes)
        rounds->log_bytes = bytes;
    if (!console_stick_lacks(rounds->log_bytes + bytes_of_end(&run->rows, run->experiments.count)))
        return;
    rounds->full = !console_serial_is_sure();
    log_error("the log file has no room for another round", "\\slotscope",
              rounds->full ? "more room on the stick; the run ends"
                           : "more room on the stick; the serial line goes on alone");
    if (rounds->full)
        return;
    console_stick_alone();
    summary_end_full(run);
    console_close_stick();
}

static bool log_is_kept(void)
{
    return console_has_stick() || console_has_serial() || console_has_server();
}

static bool any_counts(const struct run_cores *cores)
{
    for (unsigned i = 0; i < cores->count; i++)
        if (cores->of[i].counted && !cores->of[i].lost)
            return true;
    return false;
}

static bool goes_on(const struct rounds *rounds, const struct run_cores *cores,
                    const struct progress *progress)
{
    return !progress->stopped && !rounds->full && rounds->number != rounds->wanted &&
           any_counts(cores);
}

/* Returns whether another round follows. */
static bool end_round(struct run *run, uint64_t bytes_before, bool kept)
{
    struct rounds *rounds = &run->rounds;
    const bool more = goes_on(rounds, &run->cores, &run->progress);

    rounds->whole += !run->progress.stopped;
    if (!rounds_wanted(rounds))
        return false;
    rounds_record(rounds, measured_cores_discarded(run->cores.of, run->cores.count),
                  memory_taken());
    log_flush();
    if (more)
        look_for_room(run, console_stick_bytes() - bytes_before);
    rounds->full = rounds->full || (kept && !log_is_kept());
    return more && !rounds->full;
}

void loop_run(struct run *run)
{
    const bool kept = log_is_kept();
    uint64_t bytes;

    do {
        bytes = console_stick_bytes();
        begin_round(run);
        series_run(run);
    } while (end_round(run, bytes, kept));
    if (rounds_wanted(&run->rounds))
        restore_cores(&run->cores);
}
