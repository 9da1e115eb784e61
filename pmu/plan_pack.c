/* Events and places (a counter in a pass) are the two sides of a bipartite graph: a number of
 * passes is enough when a matching covers every event. It grows by augmenting paths, and events
 * then move to the passes where they are wanted along such paths, and are held there. */
#include "plan_pack.h"

#include "boot/text.h"

#define NOBODY   0xffff
#define NO_PLACE 0xffff
#define ANYWHERE 0xffff

struct board {
    const struct pack_event *events;
    unsigned event_count, pass_count;
    uint16_t owner[PLAN_EVENTS * PLAN_GENERAL]; /* of each place: pass * PLAN_GENERAL + counter */
    uint16_t place[PLAN_EVENTS];                /* of each event */
    uint16_t held[PLAN_EVENTS]; /* of each event: the only pass it may move in, or ANYWHERE */
    uint8_t choice[PLAN_EVENTS];
    uint8_t held_count[PLAN_EVENTS]; /* of each pass: events that are held there */
};

struct search {
    uint16_t queue[PLAN_EVENTS];
    uint16_t before[PLAN_EVENTS]; /* of each event in the queue: the one that wants its place */
    uint16_t seen[PLAN_EVENTS];   /* of each pass: counters whose owners are in the queue */
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
    const unsigned held = board->held[event];
    const unsigned first = held == ANYWHERE ? 0 : held;
    const unsigned last = held == ANYWHERE ? board->pass_count - 1 : held;

    for (unsigned pass = first; pass <= last; pass++) {
        uint32_t left = board->events[event].counters & ~(uint32_t)search->seen[pass];

        search->seen[pass] |= (uint16_t)left;
        for (; left; left &= left - 1) {
            unsigned place = pass * PLAN_GENERAL + (unsigned)__builtin_ctz(left);
            unsigned owner = board->owner[place];

            if (owner == NOBODY) {
                shift(board, search, event, place);
                return true;
            }
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

    memset(search.seen, 0, board->pass_count * sizeof(search.seen[0]));
    search.before[event] = (uint16_t)event;
    search.queue[0] = (uint16_t)event;
    search.head = 0;
    search.tail = 1;
    while (search.head < search.tail)
        if (try_places(board, &search, search.queue[search.head++]))
            return true;
    return false;
}

/* Moves the event into the pass and holds it there; false, and nothing changed, when that cannot
 * be. */
static bool hold(struct board *board, unsigned event, unsigned pass)
{
    const unsigned old = board->place[event];

    board->held[event] = (uint16_t)pass;
    if (old == NO_PLACE || old / PLAN_GENERAL != pass) {
        if (old != NO_PLACE)
            board->owner[old] = NOBODY;
        if (!settle(board, event)) {
            if (old != NO_PLACE)
                board->owner[old] = (uint16_t)event;
            board->held[event] = ANYWHERE;
            return false;
        }
    }
    board->held_count[pass]++;
    return true;
}

static void let_go(struct board *board, unsigned event)
{
    board->held_count[board->held[event]]--;
    board->held[event] = ANYWHERE;
}

/* Whether one of the event's registers can hold its value in that pass, and which: one that holds
 * it already, else one that holds nothing. */
static bool register_left(const struct board *board, unsigned event, unsigned pass, uint8_t *choice)
{
    const struct pack_event *events = board->events;
    bool found = false;

    for (unsigned c = 2; c-- > 0;) {
        const uint32_t wanted = events[event].registers[c];
        bool free = wanted != 0;

        for (unsigned i = 0; i < board->event_count && wanted != 0; i++) {
            if (board->place[i] == NO_PLACE || board->held[i] != pass ||
                events[i].registers[board->choice[i]] != wanted)
                continue;
            free = false;
            if (events[i].value == events[event].value) {
                *choice = (uint8_t)c;
                return true;
            }
        }
        if (free) {
            *choice = (uint8_t)c;
            found = true;
        }
    }
    return found;
}

/* Into the last pass that has room for it. */
static bool hold_selected(struct board *board, unsigned event)
{
    for (unsigned pass = board->pass_count; pass-- > 0;)
        if (register_left(board, event, pass, &board->choice[event]) && hold(board, event, pass))
            return true;
    return false;
}

/* Whether that many passes take all events; they stand then where they were first put. */
static bool fill(struct board *board, unsigned pass_count)
{
    const struct pack_event *events = board->events;

    board->pass_count = pass_count;
    memset(board->owner, 0xff, pass_count * PLAN_GENERAL * sizeof(board->owner[0]));
    memset(board->place, 0xff, sizeof(board->place));
    memset(board->held, 0xff, sizeof(board->held));
    memset(board->held_count, 0, sizeof(board->held_count));
    memset(board->choice, 0, sizeof(board->choice));
    for (unsigned event = board->event_count; event-- > 0;)
        if (!events[event].alone && events[event].registers[0] != 0 && !hold_selected(board, event))
            return false;
    for (unsigned event = 0; event < board->event_count; event++)
        if (!events[event].alone && events[event].registers[0] == 0 && !settle(board, event))
            return false;
    return true;
}

/* The members from the first on that the pass takes together; all of `count` or none. */
static bool hold_all(struct board *board, const uint16_t *members, unsigned count, unsigned pass)
{
    for (unsigned i = 0; i < count; i++) {
        if (hold(board, members[i], pass))
            continue;
        while (i-- > 0)
            let_go(board, members[i]);
        return false;
    }
    return true;
}

/* All members into one pass, else as many as one takes, and the others likewise. */
static void hold_family(struct board *board, const uint16_t *members, unsigned count,
                        unsigned counters)
{
    for (unsigned part = count < counters ? count : counters; count > 0;) {
        unsigned pass = 0;

        while (pass < board->pass_count &&
               (board->held_count[pass] + part > counters || !hold_all(board, members, part, pass)))
            pass++;
        if (pass == board->pass_count) {
            part--; /* one alone stands somewhere already: it is held there at the latest */
            continue;
        }
        members += part;
        count -= part;
        part = count < counters ? count : counters;
    }
}

static void hold_families(struct board *board, unsigned counters)
{
    const struct pack_event *events = board->events;

    for (unsigned event = 0; event < board->event_count; event++) {
        uint16_t members[PLAN_EVENTS];
        unsigned count = 0;

        if (events[event].alone || board->held[event] != ANYWHERE)
            continue;
        members[count++] = (uint16_t)event;
        for (unsigned i = event + 1; events[event].family != 0 && i < board->event_count; i++)
            if (!events[i].alone && board->held[i] == ANYWHERE &&
                events[i].family == events[event].family)
                members[count++] = (uint16_t)i;
        hold_family(board, members, count, counters);
    }
}

static void pack_alone(struct packing *packing, const struct pack_event *events, unsigned event)
{
    packing->pass[event] = (uint16_t)packing->pass_count++;
    packing->counter[event] = (uint8_t)__builtin_ctz(events[event].counters);
    packing->choice[event] = 0;
}

void pack(struct packing *packing, const struct pack_event *events, unsigned count, bool all_alone)
{
    struct board board = {.events = events, .event_count = all_alone ? 0 : count};
    unsigned together = 0, counters, passes;
    uint32_t any = 0;

    for (unsigned event = 0; event < board.event_count; event++)
        if (!events[event].alone) {
            together++;
            any |= events[event].counters;
        }
    for (counters = 0; any; any &= any - 1)
        counters++;
    packing->pass_count = 0;
    if (together > 0) {
        passes = (together + counters - 1) / counters;
        while (!fill(&board, passes))
            passes++; /* as many as there are events is always enough */
        hold_families(&board, counters);
        packing->pass_count = passes;
    }
    for (unsigned event = 0; event < count; event++) {
        if (all_alone || events[event].alone) {
            pack_alone(packing, events, event);
            continue;
        }
        packing->pass[event] = (uint16_t)(board.place[event] / PLAN_GENERAL);
        packing->counter[event] = (uint8_t)(board.place[event] % PLAN_GENERAL);
        packing->choice[event] = board.choice[event];
    }
}
