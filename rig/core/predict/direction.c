/* Three predictors: a counter for each branch (bimodal); tables of counters for a branch together
 * with the last 4, 8 ... outcomes, tagged so that other branches do not match (the scheme known as
 * TAGE); and a counter of loop trips. The last of the three that knows the branch decides. */
#include "direction.h"

#include <string.h>

#define COUNTER_MAX    3
#define COUNTER_MIN    (-4)
#define NEWCOMER_LIMIT 7
#define LOOP_SURE      3
#define LOOP_AGE       3

/* The entries of one branch, kept from prediction to learning. */
struct lookup {
    struct tagged_entry *set[TAGGED_TABLES];
    uint32_t tag[TAGGED_TABLES];
    uint8_t *bimodal;
    struct tagged_entry *provider;
    int table; /* that provides the prediction; -1: bimodal */
    bool provided, alternative, chosen;
};

static uint64_t mix(uint64_t value)
{
    value ^= value >> 32;
    value *= UINT64_C(0x9fb21c651e98df25);
    value ^= value >> 29;
    value *= UINT64_C(0x9fb21c651e98df25);
    return value ^ value >> 32;
}

static void hash_branch(struct branch_hash *hash, uint64_t branch)
{
    hash->branch = branch;
    for (unsigned i = 0; i < TAGGED_TABLES; i++)
        hash->table[i] = mix(branch * TAGGED_TABLES + i);
}

void direction_init(struct direction *direction, unsigned history_bits)
{
    unsigned bits = history_bits < 4 ? 4 : history_bits > 128 ? 128 : history_bits;

    memset(direction, 0, sizeof(*direction));
    memset(direction->bimodal, 1, sizeof(direction->bimodal));
    direction->random = 0x2545f491;
    for (unsigned i = 0; i < HASHES; i++)
        hash_branch(&direction->hash[i], 0);
    /* A geometric series that ends with all of the history. */
    for (unsigned i = 0; i < TAGGED_TABLES; i++) {
        unsigned length = (bits << i) >> (TAGGED_TABLES - 1);

        direction->length[i] = (uint8_t)(length ? length : 1);
    }
}

static uint64_t low_bits(uint64_t value, unsigned bits)
{
    return bits >= 64 ? value : value & ((UINT64_C(1) << bits) - 1);
}

static const uint64_t *hashes_of(struct direction *direction, uint64_t branch)
{
    struct branch_hash *hash = &direction->hash[(branch ^ branch >> 6) % HASHES];

    if (hash->branch != branch)
        hash_branch(hash, branch);
    return hash->table;
}

static void locate(struct direction *direction, uint64_t branch, struct lookup *lookup)
{
    const uint64_t *hash = hashes_of(direction, branch);

    for (unsigned i = 0; i < TAGGED_TABLES; i++) {
        unsigned bits = direction->length[i];
        uint64_t key = hash[i] ^ low_bits(direction->history[0], bits);

        if (bits > 64)
            key = mix(key) ^ low_bits(direction->history[1], bits - 64);
        key = mix(key);
        lookup->set[i] = direction->tagged[i][key % TAGGED_SETS];
        lookup->tag[i] = (uint32_t)(key >> 32) | 1;
    }
}

/* The entry of the tag, moved to the front of its set, or NULL. */
static struct tagged_entry *tagged_touch(struct tagged_entry *set, uint32_t tag)
{
    if (set[0].tag == tag)
        return set;
    for (unsigned way = 1; way < TAGGED_WAYS; way++) {
        if (set[way].tag == tag) {
            struct tagged_entry found = set[way];

            memmove(set + 1, set, way * sizeof(*set));
            set[0] = found;
            return set;
        }
    }
    return NULL;
}

static bool is_weak(const struct tagged_entry *entry)
{
    return entry->counter == 0 || entry->counter == -1;
}

/* The place of the branch's own counter. */
static uint64_t bimodal_of(uint64_t branch)
{
    return (branch ^ branch >> BIMODAL_BITS) & ((1u << BIMODAL_BITS) - 1);
}

static void look_up(struct direction *direction, uint64_t branch, struct lookup *lookup)
{
    locate(direction, branch, lookup);
    lookup->bimodal = &direction->bimodal[bimodal_of(branch)];
    lookup->provider = NULL;
    lookup->table = -1;
    lookup->provided = lookup->alternative = *lookup->bimodal >= 2;
    for (int i = 0; i < TAGGED_TABLES; i++) {
        struct tagged_entry *entry = tagged_touch(lookup->set[i], lookup->tag[i]);

        if (entry == NULL)
            continue;
        lookup->alternative = lookup->provided;
        lookup->provided = entry->counter >= 0;
        lookup->provider = entry;
        lookup->table = i;
    }
    lookup->chosen = lookup->provided;
    if (lookup->provider != NULL && direction->newcomer > 0 && is_weak(lookup->provider))
        lookup->chosen = lookup->alternative;
}

static void count(int8_t *counter, bool up, int8_t low, int8_t high)
{
    if (up && *counter < high)
        ++*counter;
    else if (!up && *counter > low)
        --*counter;
}

static uint32_t next_random(struct direction *direction)
{
    direction->random ^= direction->random << 13;
    direction->random ^= direction->random >> 17;
    direction->random ^= direction->random << 5;
    return direction->random;
}

/* After a wrong prediction: an entry in the table with the next longer history, one time in four in
 * the table after that. */
static void allocate(struct direction *direction, const struct lookup *lookup, bool taken)
{
    int table = lookup->table + 1;
    struct tagged_entry *set;

    if (table + 1 < TAGGED_TABLES && (next_random(direction) & 3) == 0)
        table++;
    if (table >= TAGGED_TABLES)
        return;
    set = lookup->set[table];
    memmove(set + 1, set, (TAGGED_WAYS - 1) * sizeof(*set));
    set[0] = (struct tagged_entry){lookup->tag[table], taken ? 0 : -1};
}

static void learn(struct direction *direction, struct lookup *lookup, bool taken)
{
    if (lookup->provider != NULL) {
        if (is_weak(lookup->provider) && lookup->provided != lookup->alternative)
            count(&direction->newcomer, lookup->provided != taken, -NEWCOMER_LIMIT, NEWCOMER_LIMIT);
        count(&lookup->provider->counter, taken, COUNTER_MIN, COUNTER_MAX);
    } else if (taken && *lookup->bimodal < 3) {
        ++*lookup->bimodal;
    } else if (!taken && *lookup->bimodal) {
        --*lookup->bimodal;
    }
    if (lookup->provided != taken)
        allocate(direction, lookup, taken);
}

static struct loop_entry *loop_of(struct direction *direction, uint64_t branch)
{
    return &direction->loop[mix(branch) % LOOP_ENTRIES];
}

static void loop_learn(struct loop_entry *loop, bool taken)
{
    if (taken == loop->body) {
        if (loop->now <= LOOP_TRIPS_MAX)
            loop->now++;
        if (loop->trips && loop->now > loop->trips) /* the loop went on: the count was wrong */
            loop->trips = loop->confidence = 0;
        return;
    }
    if (loop->trips && loop->now == loop->trips) {
        if (loop->confidence < LOOP_SURE)
            loop->confidence++;
    } else {
        loop->confidence = 0;
        loop->trips = loop->now <= LOOP_TRIPS_MAX ? loop->now : 0;
        if (!loop->now) /* twice in a row: the other outcome is the repeated one */
            loop->body = taken;
    }
    loop->now = taken == loop->body;
}

/* A branch that the tables mispredict may be a loop. It takes over an entry whose branch has aged
 * without being predicted as a loop. */
static void loop_claim(struct loop_entry *loop, uint64_t branch, bool taken)
{
    if (loop->branch && loop->branch != branch && loop->age) {
        loop->age--;
        return;
    }
    *loop = (struct loop_entry){.branch = branch, .age = LOOP_AGE, .body = !taken};
}

bool direction_resolve(struct direction *direction, uint64_t branch, bool taken)
{
    struct loop_entry *loop = loop_of(direction, branch);
    struct lookup lookup;
    bool predicted;

    look_up(direction, branch, &lookup);
    predicted = lookup.chosen;
    if (loop->branch == branch) {
        if (loop->confidence == LOOP_SURE) {
            predicted = loop->now < loop->trips ? loop->body : !loop->body;
            loop->age = LOOP_AGE;
        }
        loop_learn(loop, taken);
    } else if (lookup.chosen != taken) {
        loop_claim(loop, branch, taken);
    }
    learn(direction, &lookup, taken);
    direction->history[1] = direction->history[1] << 1 | direction->history[0] >> 63;
    direction->history[0] = direction->history[0] << 1 | taken;
    return predicted == taken;
}

unsigned direction_bimodal(const struct direction *direction, uint64_t branch)
{
    return direction->bimodal[bimodal_of(branch)];
}

void direction_snapshot(const struct direction *direction, struct snapshot *snapshot)
{
    snapshot_bytes(snapshot, direction->history, sizeof(direction->history));
    snapshot_add(snapshot, (uint64_t)direction->newcomer);
    snapshot_add(snapshot, direction->random);
    snapshot_bytes(snapshot, direction->tagged, sizeof(direction->tagged));
    snapshot_bytes(snapshot, direction->loop, sizeof(direction->loop));
}
