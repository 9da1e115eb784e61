#include "profile_share.h"

#include "boot/text.h"
#include "fused.h"
#include "profile_raw.h"
#include "resteer.h"
#include "share.h"

uint64_t profile_share_words(const struct kernel_map *map)
{
    return 8 * (uint64_t)map->instruction_count + (map->instruction_count + 7) / 8 +
           map->edge_count;
}

static bool may_fuse(const struct kernel_map *map, const uint8_t *code, uint32_t i)
{
    const uint32_t at = map_instruction_at(map, i).offset,
                   next = map_instruction_at(map, i + 1).offset;
    const uint32_t end =
        i + 2 < map->instruction_count ? map_instruction_at(map, i + 2).offset : map->bytes;

    return map_instruction_at(map, i).block == map_instruction_at(map, i + 1).block &&
           fused_may(code + at, next - at, code + next, end - next);
}

/* Of a pair the latency of retirement is that of the first, and the second has none; what the pair
 * has is to be the second's, as with any other samples. That a second without a latency is fused
 * and does not only retire together is a guess. */
static void join_pairs(struct raw *raw, const uint8_t *code)
{
    const struct kernel_map *map = raw->map;
    const double *all = raw_row(raw, raw->cycles, RAW_ALL);

    for (uint32_t i = 0; code && i + 1 < map->instruction_count; i++) {
        if (all[i + 1] > 0 || !may_fuse(map, code, i))
            continue;
        for (unsigned row = 0; row < RAW_ROWS; row++) {
            double *cycles = &raw->cycles[(uint64_t)row * map->instruction_count + i];
            double *waited = &raw->waited[(uint64_t)row * map->instruction_count + i];

            cycles[1] = cycles[0];
            waited[1] = waited[0];
            cycles[0] = waited[0] = 0;
        }
    }
}

/* An instruction that no sample names retires with the next one where the CPU may fuse both. */
static void find_pairs(const struct raw *raw, const uint8_t *code, bool *fused)
{
    const struct kernel_map *map = raw->map;
    const double *cycles = raw_row(raw, raw->cycles, RAW_ALL);

    for (uint32_t i = 0; code && i + 1 < map->instruction_count; i++)
        fused[i] = cycles[i] <= 0 && may_fuse(map, code, i);
}

/* Why cycles of an empty buffer stay where they were sampled; null: they do not. */
static const char *not_resteered(const struct cycle_sharing *sharing)
{
    const struct profile_totals *totals = sharing->totals;

    if (totals->mispredicts < 0)
        return "mispredicted branches were not counted";
    if (totals->mispredicts > 0 && totals->resteer < 0)
        return totals->resteer_missing;
    if (totals->mispredicts > 0 && sharing->method->branches->told == 0)
        return "the branch records of this CPU do not say which branch was mispredicted";
    return 0;
}

struct sharer {
    const struct cycle_sharing *sharing;
    struct share share;
    struct resteer resteer;
    double cycles; /* core cycles of an instruction */
};

/* Samples that the cycles behind a misprediction are, at such a scale. */
static double each_of(const struct sharer *sharer, double scale)
{
    const double cycles = sharer->sharing->totals->resteer;

    return cycles > 0 ? cycles / scale : 0;
}

/* Core cycles of a sample of the row, for an execution of the row. Of latencies, too, which are
 * cycles themselves: their sum is scaled to the counted cycles, and counted is what is moved. */
static double scale_of(const struct sharer *sharer, unsigned row)
{
    const struct cycle_sharing *sharing = sharer->sharing;

    return sharer->cycles * sharing->executed[row] / sharing->ran[row];
}

/* Works on a row: what of it belongs to branches is taken before the groups are shared out, since
 * nothing retires meanwhile. Returns how much that was, and in *missing what should have been. */
static double share_row(const struct sharer *sharer, struct share *share, unsigned row,
                        double *missing)
{
    const struct cycle_sharing *sharing = sharer->sharing;
    const struct raw *raw = sharing->raw;
    double *cycles = raw->cycles + (uint64_t)row * raw->map->instruction_count;
    const double part = sharing->executed[row] / sharing->executed[RAW_ALL];
    const double scale = scale_of(sharer, row);
    const double taken =
        resteer_take(&sharer->resteer, each_of(sharer, scale), part, cycles, missing);

    share->waited = raw->waited ? raw_row(raw, raw->waited, row) : NULL;
    share_groups(share, raw_row(raw, raw->executions, row), cycles, raw->waited ? 1 : scale);
    resteer_give(&sharer->resteer, cycles);
    return taken;
}

/* Of what is to be moved, so much must be there, if it is so much of all samples. */
#define MISSING_SHARE 0.2
#define MISSING_LEAST 0.02
/* Where the branches have so much of it themselves, it may be there already: where an interrupt is
 * taken at once while nothing is in the re-order buffer, samples name what comes next, and so count
 * for the branch. A branch that waits as long itself looks the same. On the virtual rig
 * below 0.8 where interrupts wait for what comes next, but for branches that wait for loads, and
 * above 0.9 where they do not. */
#define HAD_SHARE 0.85

/* Fills in the rates of mispredictions; in *moves why nothing is moved to branches, or how sure
 * that is. */
static void find_resteers(const struct sharer *sharer, struct moves *moves)
{
    const struct cycle_sharing *sharing = sharer->sharing;
    const struct raw *raw = sharing->raw;
    const struct profile_totals *totals = sharing->totals;
    const uint32_t count = raw->map->instruction_count;
    const struct behind behind = {raw_row(raw, raw->cycles, RAW_ALL),
                                  each_of(sharer, scale_of(sharer, RAW_ALL))};
    double *tried = sharer->share.shared; /* nothing is shared out yet */
    double missing, taken;

    moves->slack = RESTEER_SLACK;
    moves->missing = not_resteered(sharing);
    if (!moves->missing && totals->mispredicts >= 0 && sharing->method->branches->told > 0)
        moves->missing = resteer_rates(
            &sharer->resteer,
            totals->mispredicts / totals->instructions * sharing->executed[RAW_ALL], &behind);
    if (moves->missing)
        return;
    memcpy(tried, behind.cycles, count * sizeof(double));
    taken = resteer_take(&sharer->resteer, behind.each, 1, tried, &missing);
    if (missing > MISSING_SHARE * (taken + missing) &&
        taken + missing > MISSING_LEAST * sharing->ran[RAW_ALL]) {
        memset(sharer->resteer.rates, 0, raw->map->edge_count * sizeof(double));
        moves->missing =
            "behind mispredicted branches are fewer samples than cycles were counted there";
    } else if (!raw->waited && resteer_had(&sharer->resteer, behind.cycles) > HAD_SHARE * taken) {
        moves->slack += totals->resteer;
        moves->twofold = "mispredicted branches have as many samples of their own as were moved to "
                         "them: the intervals reach as far as without that";
    }
}

struct moves profile_share(const struct cycle_sharing *sharing, struct words *words)
{
    const struct branches *branches = sharing->method->branches;
    const struct profile_totals *totals = sharing->totals;
    const uint32_t count = sharing->raw->map->instruction_count;
    bool *fused = (bool *)words_take(words, (count + 7) / 8);
    const struct sharer sharer = {
        .sharing = sharing,
        .share = {.index = branches->index,
                  .flow = sharing->flow,
                  .fused = fused,
                  .heads = (double *)words_take(words, count),
                  .shared = (double *)words_take(words, count)},
        .resteer = {branches, sharing->flow,
                    (double *)words_take(words, sharing->raw->map->edge_count),
                    (double *)words_take(words, count), (double *)words_take(words, count)},
        .cycles = totals->cycles / totals->instructions,
    };
    double *net = (double *)words_take(words, count);
    struct share plain = sharer.share, noting = plain;
    struct moves moves = {.net = net};
    double taken = 0, missing;

    if (sharing->raw->waited)
        join_pairs(sharing->raw, sharing->method->code);
    find_pairs(sharing->raw, sharing->method->code, fused);
    find_resteers(&sharer, &moves);
    moves.samples = 1 / scale_of(&sharer, RAW_ALL);
    resteer_net(&sharer.resteer, net);
    moves.moved = noting.moved = (double *)words_take(words, count);
    moves.crossed = noting.crossed = (double *)words_take(words, count);
    moves.left = noting.left = (double *)words_take(words, count);
    for (unsigned row = 0; row < RAW_ROWS; row++) /* all samples are the last row */
        if (sharing->ran[row] > 0 && sharing->executed[row] > 0)
            taken = share_row(&sharer, row == RAW_ALL ? &noting : &plain, row, &missing);
    for (uint32_t i = 0; i < count; i++) /* what one gave, another got */
        moves.grouped += moves.moved[i] / 2 / sharing->ran[RAW_ALL];
    moves.resteered = moves.missing ? -1 : taken / sharing->ran[RAW_ALL];
    return moves;
}

double moves_slack(const struct moves *moves, const double *shared, uint32_t first, uint32_t count)
{
    double net = 0, sum = 0;

    for (uint32_t i = first; moves->net && i < first + count; i++) {
        net += moves->net[i];
        sum += SHARE_SLACK * shared[i];
    }
    return sum + (net < 0 ? -net : net) * moves->slack * moves->samples;
}
