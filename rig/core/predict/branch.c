/* Branch prediction: directions (direction.c), the BTB, indirect targets by path, returns. */
#include "branch.h"

#include <stdlib.h>
#include <string.h>

#include "core/cache.h"
#include "direction.h"

#define TARGET_TABLES   3
#define TARGET_WAYS     8u
#define TARGET_SETS     (128u + 8u + 8u)
#define BTB_BLOCK_SHIFT 4 /* branches of 16 bytes of code share a set */

struct target_entry {
    uint64_t target;
    uint32_t tag; /* 0: empty */
    uint8_t confidence;
};

/* Loops whose ends chance predicts (predictor_ends_by_chance): how often in a row their branch was
 * taken. Branches that share an entry begin anew. */
#define ENDING_LOOPS 64u

struct ending_loop {
    uint64_t branch;
    unsigned turns;
};

struct predictor {
    struct direction direction;
    bool is_right;   /* always: tables learn, and nobody asks them */
    uint32_t chance; /* 0: the tables predict the ends of all loops */
    struct ending_loop ending[ENDING_LOOPS];
    struct cache btb;
    uint8_t btb_index_bits;
    uint64_t path; /* of taken branches, four bits each, the latest lowest */
    struct target_entry target[TARGET_SETS][TARGET_WAYS]; /* the latest used of a set first */
    uint64_t *returns;                                    /* a ring */
    unsigned return_entries, return_top, return_depth;
};

/* How many bits of path a table of targets looks at; the table without a path has the last target
 * of each branch. The tables with a path are small and forget the least recently used entry, so
 * that they cannot learn a long random sequence by heart. */
static const struct target_table {
    unsigned path_bits, first_set, sets;
} target_table[TARGET_TABLES] = {{0, 0, 128}, {16, 128, 8}, {64, 136, 8}};

struct predictor *predictor_new(const struct model_parameters *parameters)
{
    struct predictor *predictor = calloc(1, sizeof(*predictor));

    if (predictor == NULL)
        return NULL;
    predictor->is_right = parameters->ideal & IDEAL_BRANCHES;
    direction_init(&predictor->direction, parameters->history_bits);
    predictor->return_entries = parameters->return_stack;
    if (predictor->return_entries)
        predictor->returns = calloc(predictor->return_entries, sizeof(*predictor->returns));
    if (!cache_init(&predictor->btb, parameters->btb_sets, parameters->btb_ways) ||
        (predictor->return_entries && predictor->returns == NULL)) {
        predictor_free(predictor);
        return NULL;
    }
    while (1u << predictor->btb_index_bits < predictor->btb.sets)
        predictor->btb_index_bits++;
    return predictor;
}

void predictor_free(struct predictor *predictor)
{
    if (predictor == NULL)
        return;
    cache_free(&predictor->btb);
    free(predictor->returns);
    free(predictor);
}

/* Neighbouring blocks go to neighbouring sets. The address bits above the index are folded in, so
 * that branches at a distance of a power of two use all sets too. */
static uint64_t btb_index(const struct predictor *predictor, uint64_t from)
{
    uint64_t block = from >> BTB_BLOCK_SHIFT;

    return block ^ block >> predictor->btb_index_bits;
}

/* Whether the BTB had the taken branch; afterwards it has. */
static bool btb_taken(struct predictor *predictor, uint64_t from)
{
    uint64_t index = btb_index(predictor, from);

    if (cache_touch(&predictor->btb, index, from, 0))
        return true;
    cache_insert(&predictor->btb, index, from, 0);
    return false;
}

static struct target_entry *target_set(struct predictor *predictor, unsigned table, uint64_t from,
                                       uint32_t *tag)
{
    const struct target_table *t = &target_table[table];
    uint64_t path = t->path_bits == 64 ? predictor->path
                                       : predictor->path & ((UINT64_C(1) << t->path_bits) - 1);
    uint64_t key = (from * UINT64_C(0x9e3779b97f4a7c15)) ^ path;

    key ^= key >> 31;
    key *= UINT64_C(0xd6e8feb86659fd93);
    key ^= key >> 32;
    *tag = (uint32_t)(key >> 20) | 1;
    return predictor->target[t->first_set + key % t->sets];
}

static bool target_touch(struct target_entry *set, uint32_t tag)
{
    if (set[0].tag == tag)
        return true;
    for (unsigned way = 1; way < TARGET_WAYS; way++) {
        if (set[way].tag == tag) {
            struct target_entry found = set[way];

            memmove(set + 1, set, way * sizeof(*set));
            set[0] = found;
            return true;
        }
    }
    return false;
}

/* Predicts by the longest path that is known, and learns. Gives whether the prediction was right.
 */
static bool indirect_resolve(struct predictor *predictor, uint64_t from, uint64_t to)
{
    struct target_entry *set[TARGET_TABLES], *provider = NULL;
    uint32_t tag[TARGET_TABLES];
    unsigned longer = 0; /* first table beyond the provider's */
    bool right;

    for (unsigned i = 0; i < TARGET_TABLES; i++) {
        set[i] = target_set(predictor, i, from, &tag[i]);
        if (target_touch(set[i], tag[i])) {
            provider = set[i];
            longer = i + 1;
        }
    }
    right = provider != NULL && provider->target == to;
    if (right && provider->confidence < 3)
        provider->confidence++;
    else if (provider != NULL && !right && provider->confidence)
        provider->confidence--;
    else if (provider != NULL && !right)
        provider->target = to;
    if (!right && longer < TARGET_TABLES) {
        memmove(set[longer] + 1, set[longer], (TARGET_WAYS - 1) * sizeof(*set[longer]));
        set[longer][0] = (struct target_entry){to, tag[longer], 0};
    }
    return right;
}

static void return_push(struct predictor *predictor, uint64_t address)
{
    if (!predictor->return_entries)
        return;
    predictor->return_top = (predictor->return_top + 1) % predictor->return_entries;
    predictor->returns[predictor->return_top] = address;
    if (predictor->return_depth < predictor->return_entries)
        predictor->return_depth++;
}

static bool return_resolve(struct predictor *predictor, uint64_t from, uint64_t to)
{
    unsigned top = predictor->return_top;

    if (!predictor->return_depth)
        return indirect_resolve(predictor, from, to);
    predictor->return_top = top ? top - 1 : predictor->return_entries - 1;
    predictor->return_depth--;
    return predictor->returns[top] == to;
}

void predictor_ends_by_chance(struct predictor *predictor, uint32_t seed)
{
    predictor->chance = seed;
}

/* Xorshift (G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8, 2003). */
static bool toss(struct predictor *predictor)
{
    predictor->chance ^= predictor->chance << 13;
    predictor->chance ^= predictor->chance >> 17;
    predictor->chance ^= predictor->chance << 5;
    return predictor->chance >> 16 & 1;
}

/* Whether the conditional branch ends a loop that had more turns than the predictor counts. A loop
 * is a branch back; it is learnt from each outcome. */
static bool ends_loop(struct predictor *predictor, uint64_t from, uint64_t to, bool taken)
{
    struct ending_loop *loop = &predictor->ending[(from ^ from >> 6) % ENDING_LOOPS];
    bool ends;

    if (taken && to >= from)
        return false;
    if (loop->branch != from)
        *loop = (struct ending_loop){.branch = from};
    ends = !taken && loop->turns > LOOP_TRIPS_MAX;
    loop->turns = taken ? loop->turns + 1 : 0;
    return ends;
}

struct branch_outcome predictor_resolve(struct predictor *predictor, uint64_t from, uint64_t to,
                                        uint64_t fallthrough, enum branch_kind kind, bool taken)
{
    struct branch_outcome outcome = {0};

    switch (kind) {
    case BRANCH_CONDITIONAL:
        outcome.mispredicted = !direction_resolve(&predictor->direction, from, taken);
        if (predictor->chance && ends_loop(predictor, from, to, taken))
            outcome.mispredicted = toss(predictor);
        outcome.mispredicted &= !predictor->is_right;
        /* Decode sees a branch that the BTB lacks, and its target when it is predicted taken. */
        if (taken)
            outcome.unknown = !btb_taken(predictor, from) && !outcome.mispredicted;
        break;
    case BRANCH_CALL:
        return_push(predictor, fallthrough);
        outcome.unknown = !btb_taken(predictor, from);
        break;
    case BRANCH_JUMP:
        outcome.unknown = !btb_taken(predictor, from);
        break;
    case BRANCH_CALL_INDIRECT:
        return_push(predictor, fallthrough);
        outcome.mispredicted = !indirect_resolve(predictor, from, to);
        break;
    case BRANCH_JUMP_INDIRECT:
        outcome.mispredicted = !indirect_resolve(predictor, from, to);
        break;
    case BRANCH_RETURN:
        outcome.mispredicted = !return_resolve(predictor, from, to);
        break;
    case BRANCH_FAR:
        break;
    }
    outcome.mispredicted &= !predictor->is_right;
    if (taken) {
        uint64_t step = to ^ from >> 2;

        step ^= step >> 4;
        step ^= step >> 8;
        predictor->path = predictor->path << 4 | (step & 15);
    }
    return outcome;
}

void predictor_snapshot_branch(const struct predictor *predictor, uint64_t from,
                               struct snapshot *snapshot)
{
    const struct cache *btb = &predictor->btb;

    snapshot_add(snapshot, direction_bimodal(&predictor->direction, from));
    if (btb->sets)
        snapshot_bytes(snapshot, cache_set(btb, btb_index(predictor, from)),
                       btb->ways * sizeof(*btb->entry));
}

void predictor_snapshot(const struct predictor *predictor, bool targets, struct snapshot *snapshot)
{
    direction_snapshot(&predictor->direction, snapshot);
    snapshot_add(snapshot, predictor->chance);
    if (predictor->chance)
        snapshot_bytes(snapshot, predictor->ending, sizeof(predictor->ending));
    snapshot_add(snapshot, predictor->path);
    if (targets)
        snapshot_bytes(snapshot, predictor->target, sizeof(predictor->target));
    snapshot_add(snapshot, predictor->return_top);
    snapshot_add(snapshot, predictor->return_depth);
    snapshot_bytes(snapshot, predictor->returns,
                   predictor->return_entries * sizeof(*predictor->returns));
}
