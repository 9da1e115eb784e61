/* Names and register values of NetBurst events, as a configuration gives them: whatever the bytes
 * are, they are refused with a place inside the text and a reason, or give what the core has. */
#include <string.h>

#include "pmu/netburst/raw.h"
#include "pmu/netburst/registers.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/descriptions.h"

#define ROOM 256

static const char *const seeds[] = {
    "0x00039000/0x04000204@0x8000000C",
    "0x3d000/0x0600c205@0",
    "instr_retired:NBOGUSNTAG:u",
    "replay_event:split_load_retired:BOGUS:e:thr=3",
    "front_end_event:memory_loads:k",
    "IOQ_allocation:ALL_READ:ALL_WRITE:cmpl",
    "packed_SP_uop:TAG0",
};

static const char pieces[][8] = {
    ":", "/", "@", "0x", ":u", ":e", "thr=", "TAG1", "0", "f", "99999", "\xff", ":ALL", "NBOGUS"};

/* The first byte chooses the core; then a seed, changed in few places. */
static size_t make(uint64_t *state, char *input)
{
    const char *seed = seeds[random_below(state, sizeof(seeds) / sizeof(*seeds))];
    size_t size = strlen(seed);

    input[0] = (char)random_next(state);
    memcpy(input + 1, seed, size);
    for (unsigned changes = random_below(state, 4); changes > 0; changes--) {
        const char *piece = pieces[random_below(state, sizeof(pieces) / sizeof(*pieces))];
        size_t at = random_below(state, (unsigned)size + 1), length = strlen(piece);

        if (size + length >= ROOM)
            break;
        if (random_below(state, 2)) {
            memmove(input + 1 + at + length, input + 1 + at, size - at);
            size += length;
        } else if (at + length > size) {
            continue;
        }
        memcpy(input + 1 + at, piece, length);
    }
    return 1 + size;
}

const struct fuzz fuzz = {"NetBurst events", 100000, 20261123, ROOM, make};
unsigned fuzz_accepted;

static void check_complaint(const struct complaint *complaint, struct slice text)
{
    require(complaint->column >= 1 && complaint->column <= text.length + 1,
            "a complaint has its place in the text");
    require(complaint->message[0] && complaint->expected[0],
            "a complaint says what is wrong and what would do");
}

static void check_raw(const struct description *description, struct slice text,
                      const struct netburst_core *core, bool hyperthreading)
{
    struct complaint complaint;
    struct netburst_raw raw;

    if (!netburst_raw_read(&raw, description, text, core, hyperthreading, &complaint)) {
        check_complaint(&complaint, text);
        return;
    }
    fuzz_accepted++;
    require(raw.counter < NETBURST_COUNTERS && raw.escr_index < NETBURST_ESCRS,
            "there is such a counter and such an ESCR");
    require(netburst_escrs[raw.escr_index].counters >> raw.counter & 1, "the ESCR feeds it");
    require(netburst_has_escr(raw.escr_index, core->model), "the core has the ESCR");
    require((raw.cccr & netburst_cccr_reserved(raw.counter, core->model)) == 0 &&
                (raw.escr & ESCR_RESERVED) == 0,
            "no reserved bit is set");
}

static void check_name(const struct description *description, struct slice text,
                       const struct netburst_core *core, unsigned threads)
{
    struct netburst_selection selection;
    struct complaint complaint;

    if (!netburst_select(&selection, description, text, core, threads, &complaint)) {
        check_complaint(&complaint, text);
        return;
    }
    fuzz_accepted++;
    require(netburst_counters_of(&selection.escr) != 0, "some counter can count it");
    require((selection.escr.value & ESCR_RESERVED) == 0, "no reserved bit is set");
    require(field_get(selection.escr.value, ESCR_EVENT_MASK) != 0, "some bit of the mask is set");
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    static const uint8_t models[] = {0, 1, 2, 3, 4, 6};
    static struct description description;
    struct netburst_core core;
    struct slice text;
    bool hyperthreading;
    char *copy;

    if (description.event_count == 0)
        tests_builtin(&description, "prescott");
    if (size == 0)
        return 0;
    core.model = models[(input[0] & 7) % sizeof(models)];
    core.stepping = input[0] >> 3 & 15;
    core.user_only = false;
    hyperthreading = input[0] & 128;
    copy = malloc(size); /* so that a byte too far is seen */
    require(copy != NULL, "there is memory");
    memcpy(copy, input + 1, size - 1);
    text = (struct slice){copy, size - 1};
    check_raw(&description, text, &core, hyperthreading);
    check_name(&description, text, &core, hyperthreading ? NETBURST_BOTH : NETBURST_T0);
    free(copy);
    return 0;
}
