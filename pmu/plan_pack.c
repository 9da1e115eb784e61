/* Events and places (a counter in a pass) are the two sides of a bipartite graph: the fewest passes
 * are the first number with which a matching covers every event. It grows by augmenting paths, and
 * events then move to earlier passes along such paths. */
#include "plan_pack.h"

#include "boot/text.h"

#define NOBODY   0xffff
#define NO_PLACE 0xffff

struct board {
    const uint32_t *counters; /* of each event */
    unsigned event_count, pass_count;
    uint16_t owner[PLAN_EVENTS * PLAN_GENERAL]; /* of each place: pass * PLAN_GENERAL + counter */
    uint16_t place[PLAN_EVENTS];                /* of each event */
    uint16_t first[PLAN_EVENTS], last[PLAN_EVENTS]; /* passes that each event may move in */
};

struct search {
    uint16_t queue[PLAN_EVENTS];
    uint16_t before[PLAN_EVENTS]; /* the event that wants this one's place, NOBODY: not reached */
    unsigned head, tail;
};

/* Everybody on the path from the last event reached takes the place of the one it displaces. */
static void shift(struct board *board, const struct search *search, unsigned event, unsigned place)
{
    for (;;) {
        unsigned old = board->place[event];

        board->place[event] = (uint16_t)place;
        board->owner[place] = (uint16_t)event;
        if (search->before[event] == event)
            return;
        place = old;
        event = search->before[event];
    }
}

static bool try_places(struct board *board, struct search *search, unsigned event)
{
    for (unsigned pass = board->first[event];
         pass <= board->last[event] && pass < board->pass_count; pass++)
        for (unsigned counter = 0; counter < PLAN_GENERAL; counter++) {
            unsigned place = pass * PLAN_GENERAL + counter;
            unsigned owner = board->owner[place];

            if (!(board->counters[event] >> counter & 1))
                continue;
            if (owner == NOBODY) {
                shift(board, search, event, place);
                return true;
            }
            if (search->before[owner] == NOBODY) {
                search->before[owner] = (uint16_t)event;
                search->queue[search->tail++] = (uint16_t)owner;
            }
        }
    return false;
}

/* A place for an event that has none, others moving as far as they may. Nothing changes when there
 * is none. */
static bool settle(struct board *board, unsigned event)
{
    struct search search;

    memset(search.before, 0xff, sizeof(search.before));
    search.before[event] = (uint16_t)event;
    search.queue[0] = (uint16_t)event;
    search.head = 0;
    search.tail = 1;
    while (search.head < search.tail)
        if (try_places(board, &search, search.queue[search.head++]))
            return true;
    return false;
}

static void fill(struct board *board)
{
    memset(board->owner, 0xff, sizeof(board->owner));
    for (unsigned event = 0; event < board->event_count; event++) {
        board->place[event] = NO_PLACE;
        board->first[event] = 0;
        board->last[event] = PLAN_EVENTS;
        while (!settle(board, event))
            board->pass_count++;
    }
}

/* Events from 0 on go into `pass` where that is possible, and then stay in it. */
static void advance(struct board *board, unsigned pass)
{
    unsigned taken = 0;

    for (unsigned event = 0; event < board->event_count && taken < PLAN_GENERAL; event++) {
        unsigned old = board->place[event], first = board->first[event];

        if (board->last[event] < pass)
            continue;
        board->first[event] = board->last[event] = (uint16_t)pass;
        if (old / PLAN_GENERAL != pass) {
            board->owner[old] = NOBODY;
            if (!settle(board, event)) {
                board->owner[old] = (uint16_t)event;
                board->first[event] = (uint16_t)(first > pass ? first : pass + 1);
                board->last[event] = PLAN_EVENTS;
                continue;
            }
        }
        taken++;
    }
}

/* Whether the event can join a pass of those that are placed. */
static bool joins(const struct packing *packing, const uint32_t *counters, unsigned count,
                  unsigned event, unsigned pass, const bool *placed, uint8_t *counter)
{
    uint32_t left = counters[event] & PACK_COUNTERS;

    for (unsigned i = 0; i < count; i++) {
        if (!placed[i] || packing->pass[i] != pass)
            continue;
        left &= ~(1u << packing->counter[i]);
        if (pack_group(counters[i]) == pack_group(counters[event]) &&
            pack_value(counters[i]) != pack_value(counters[event]))
            return false;
    }
    for (*counter = 0; left && !(left & 1); left >>= 1)
        ++*counter;
    return left != 0;
}

static void add_selected(struct packing *packing, const uint32_t *counters, unsigned count)
{
    bool placed[PLAN_EVENTS];

    for (unsigned event = 0; event < count; event++)
        placed[event] = pack_group(counters[event]) == 0;
    for (unsigned event = 0; event < count; event++) {
        unsigned pass = 0;

        if (placed[event])
            continue;
        while (!joins(packing, counters, count, event, pass, placed, &packing->counter[event]))
            pass++; /* an empty one takes it */
        packing->pass[event] = (uint16_t)pass;
        placed[event] = true;
        if (packing->pass_count <= pass)
            packing->pass_count = pass + 1;
    }
}

static void pack_plain(struct packing *packing, const uint32_t *counters, unsigned count)
{
    struct board board = {.counters = counters, .event_count = count, .pass_count = count > 0};

    fill(&board);
    for (unsigned pass = 0; pass < board.pass_count; pass++)
        advance(&board, pass);
    packing->pass_count = board.pass_count;
    for (unsigned event = 0; event < count; event++) {
        packing->pass[event] = (uint16_t)(board.place[event] / PLAN_GENERAL);
        packing->counter[event] = (uint8_t)(board.place[event] % PLAN_GENERAL);
    }
}

static void pack_alone(struct packing *packing, const uint32_t *counters, unsigned count)
{
    packing->pass_count = count;
    for (unsigned event = 0; event < count; event++) {
        unsigned lowest = 0;

        while (!(counters[event] >> lowest & 1))
            lowest++;
        packing->pass[event] = (uint16_t)event;
        packing->counter[event] = (uint8_t)lowest;
    }
}

void pack(struct packing *packing, const uint32_t *counters, unsigned count, bool alone)
{
    uint32_t plain[PLAN_EVENTS];
    unsigned plain_count = 0;
    struct packing of_plain;

    if (alone) {
        pack_alone(packing, counters, count);
        return;
    }
    for (unsigned event = 0; event < count; event++)
        if (pack_group(counters[event]) == 0)
            plain[plain_count++] = counters[event];
    pack_plain(&of_plain, plain, plain_count);
    packing->pass_count = of_plain.pass_count;
    for (unsigned event = 0, next = 0; event < count; event++)
        if (pack_group(counters[event]) == 0) {
            packing->pass[event] = of_plain.pass[next];
            packing->counter[event] = of_plain.counter[next++];
        }
    add_selected(packing, counters, count);
}
