/* Events and places (a counter in a pass) are the two sides of a bipartite graph: a number of
 * passes is enough when a matching covers every event. It grows by augmenting paths, and events
 * then move to the passes where they are wanted along such paths, and are held there. */
#include "plan_pack.h"

#include "boot/text.h"

#define NOBODY   0xffff
#define NO_PLACE 0xffff
#define NO_EVENT 0xffff
#define ANYWHERE 0xffff
#define CLASSES  8

struct board {
    const struct pack_event *events;
    unsigned event_count, pass_count;
    uint16_t owner[PLAN_EVENTS * PLAN_GENERAL]; /* of each place: pass * PLAN_GENERAL + counter */
    uint16_t open[PLAN_EVENTS];                 /* of each pass: counters that nobody has */
    uint16_t place[PLAN_EVENTS];                /* of each event */
    uint16_t held[PLAN_EVENTS]; /* of each event: the only pass it may move in, or ANYWHERE */
    uint8_t choice[PLAN_EVENTS];
    /* Events with the same counters are a class; beyond CLASSES - 1 of them, all others are the
     * last. */
    uint32_t class_counters[CLASSES];
    unsigned class_count;
    uint8_t class_of[PLAN_EVENTS];            /* of each event */
    uint8_t held_count[PLAN_EVENTS][CLASSES]; /* of each pass: events that are held there */
    /* Of each event: the first one of its family, and the one after it. */
    uint16_t eldest[PLAN_EVENTS], younger[PLAN_EVENTS];
};

struct search {
    uint16_t queue[PLAN_EVENTS];
    uint16_t before[PLAN_EVENTS]; /* of each event in the queue: the one that wants its place */
    uint16_t seen[PLAN_EVENTS];   /* of each pass: counters whose owners are in the queue */
    uint32_t seen_everywhere;     /* those in all passes */
    unsigned head, tail;
};

static void take(struct board *board, unsigned event, unsigned place)
{
    board->place[event] = (uint16_t)place;
    board->owner[place] = (uint16_t)event;
    board->open[place / PLAN_GENERAL] &= (uint16_t) ~(1u << place % PLAN_GENERAL);
}

static void leave(struct board *board, unsigned place)
{
    board->owner[place] = NOBODY;
    board->open[place / PLAN_GENERAL] |= (uint16_t)(1u << place % PLAN_GENERAL);
}

/* Everybody on the path from the last event reached takes the place of the one it displaces. */
static void shift(struct board *board, const struct search *search, unsigned event, unsigned place)
{
    for (;;) {
        unsigned old = board->place[event];

        take(board, event, place);
        if (search->before[event] == event)
            return;
        place = old;
        event = search->before[event];
    }
}

/* The owners of all places that the event could have join the queue. */
static void queue_owners(const struct board *board, struct search *search, unsigned event,
                         unsigned first, unsigned last)
{
    if (search->tail == 1) /* nobody is in it yet but who wants a place */
        memset(search->seen, 0, board->pass_count * sizeof(search->seen[0]));
    for (unsigned pass = first; pass <= last; pass++) {
        uint32_t left = board->events[event].counters & ~(uint32_t)search->seen[pass];

        search->seen[pass] |= (uint16_t)left;
        for (; left; left &= left - 1) {
            unsigned owner = board->owner[pass * PLAN_GENERAL + (unsigned)__builtin_ctz(left)];

            search->before[owner] = (uint16_t)event;
            search->queue[search->tail++] = (uint16_t)owner;
        }
    }
}

static bool try_places(struct board *board, struct search *search, unsigned event)
{
    const uint32_t counters = board->events[event].counters;
    const unsigned held = board->held[event];
    const unsigned first = held == ANYWHERE ? 0 : held;
    const unsigned last = held == ANYWHERE ? board->pass_count - 1 : held;

    if (!(counters & ~search->seen_everywhere))
        return false;
    for (unsigned pass = first; pass <= last; pass++) {
        const uint32_t open = counters & board->open[pass];

        if (!open)
            continue;
        shift(board, search, event, pass * PLAN_GENERAL + (unsigned)__builtin_ctz(open));
        return true;
    }
    queue_owners(board, search, event, first, last);
    if (held == ANYWHERE)
        search->seen_everywhere |= counters;
    return false;
}

/* A place for an event that has none, others moving as far as they may. Nothing changes when there
 * is none. */
static bool settle(struct board *board, unsigned event)
{
    struct search search;

    search.seen_everywhere = 0;
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
            leave(board, old);
        if (!settle(board, event)) {
            if (old != NO_PLACE)
                take(board, event, old);
            board->held[event] = ANYWHERE;
            return false;
        }
    }
    board->held_count[pass][board->class_of[event]]++;
    return true;
}

static void let_go(struct board *board, unsigned event)
{
    board->held_count[board->held[event]][board->class_of[event]]--;
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
    memset(board->open, 0xff, pass_count * sizeof(board->open[0]));
    memset(board->place, 0xff, sizeof(board->place));
    memset(board->held, 0xff, sizeof(board->held));
    memset(board->held_count, 0, pass_count * sizeof(board->held_count[0]));
    memset(board->choice, 0, sizeof(board->choice));
    for (unsigned event = board->event_count; event-- > 0;)
        if (!events[event].alone && events[event].registers[0] != 0 && !hold_selected(board, event))
            return false;
    for (unsigned event = 0; event < board->event_count; event++)
        if (!events[event].alone && events[event].registers[0] == 0 && !settle(board, event))
            return false;
    return true;
}

/* Events that are wanted in one pass and are not held yet. */
struct members {
    uint16_t event[PLAN_EVENTS];
    unsigned count;
    unsigned near; /* the pass that holds one of the family already; the number of passes: none */
};

static void find_classes(struct board *board)
{
    for (unsigned event = 0; event < board->event_count; event++) {
        const uint32_t counters = board->events[event].counters;
        unsigned number = 0;

        while (number < board->class_count && board->class_counters[number] != counters)
            number++;
        if (number == board->class_count && number < CLASSES)
            board->class_counters[board->class_count++] = counters;
        else if (number == CLASSES)
            board->class_counters[--number] |= counters;
        board->class_of[event] = (uint8_t)number;
    }
}

/* Those of a family stand near each other, so that this finds the one before soon. */
static void find_families(struct board *board)
{
    const struct pack_event *events = board->events;

    for (unsigned event = 0; event < board->event_count; event++) {
        unsigned before = event;

        board->eldest[event] = (uint16_t)event;
        board->younger[event] = NO_EVENT;
        while (events[event].family != 0 && before-- > 0) {
            if (events[before].family != events[event].family)
                continue;
            board->eldest[event] = board->eldest[before];
            board->younger[before] = (uint16_t)event;
            break;
        }
    }
}

static unsigned bits(uint32_t set)
{
    unsigned count = 0;

    for (; set; set &= set - 1)
        count++;
    return count;
}

/* Whether those counters of one pass are enough for the events that are bound to them: held there
 * already, or of these. It need not be so when the answer is yes; when it is no, no search is
 * needed. */
static bool may_hold(const struct board *board, const uint16_t *events, unsigned count,
                     unsigned pass)
{
    uint8_t wanted[CLASSES];

    memcpy(wanted, board->held_count[pass], sizeof(wanted));
    for (unsigned i = 0; i < count; i++)
        wanted[board->class_of[events[i]]]++;
    for (unsigned number = 0; number < board->class_count; number++) {
        const uint32_t counters = board->class_counters[number];
        unsigned inside = 0;

        for (unsigned other = 0; other < board->class_count; other++)
            inside += board->class_counters[other] & ~counters ? 0 : wanted[other];
        if (inside > bits(counters))
            return false;
    }
    return true;
}

/* The first `count` of them into the pass, all or none. */
static bool hold_all(struct board *board, const uint16_t *events, unsigned count, unsigned pass)
{
    if (pass >= board->pass_count || !may_hold(board, events, count, pass))
        return false;
    for (unsigned i = 0; i < count; i++) {
        if (hold(board, events[i], pass))
            continue;
        while (i-- > 0)
            let_go(board, events[i]);
        return false;
    }
    return true;
}

/* Whether a pass before this one holds the same: what that could not take, this one cannot. */
static bool is_alike(const struct board *board, unsigned pass)
{
    for (unsigned before = 0; before < pass; before++)
        if (__builtin_memcmp(board->held_count[before], board->held_count[pass],
                             sizeof(board->held_count[pass])) == 0)
            return true;
    return false;
}

static bool hold_somewhere(struct board *board, const uint16_t *events, unsigned count,
                           unsigned near)
{
    bool held = hold_all(board, events, count, near);

    for (unsigned pass = 0; pass < board->pass_count && !held; pass++)
        held = !is_alike(board, pass) && hold_all(board, events, count, pass);
    return held;
}

/* As many as one pass takes, and the others likewise. */
static void hold_parts(struct board *board, const struct members *members, unsigned counters)
{
    for (unsigned done = 0; done < members->count;) {
        unsigned part = members->count - done;

        if (part > counters)
            part = counters;
        while (part > 1 && !hold_somewhere(board, members->event + done, part, members->near))
            part--;
        if (part == 1 && !hold_somewhere(board, members->event + done, 1, members->near))
            hold(board, members->event[done], board->place[members->event[done]] / PLAN_GENERAL);
        done += part;
    }
}

/* The family of an event that is not held. */
static void find_members(const struct board *board, unsigned event, struct members *members)
{
    const struct pack_event *events = board->events;

    members->event[0] = (uint16_t)event;
    members->count = 1;
    members->near = board->pass_count;
    for (unsigned i = board->eldest[event]; i != NO_EVENT; i = board->younger[i]) {
        if (i == event || events[i].alone)
            continue;
        if (board->held[i] == ANYWHERE)
            members->event[members->count++] = (uint16_t)i;
        else if (members->near == board->pass_count)
            members->near = board->held[i];
    }
}

/* The family of the first event, then what one pass can take whole, the largest first, since the
 * small ones find room beside them; then the rest as it goes. */
static void hold_families(struct board *board, unsigned counters)
{
    uint8_t sizes[PLAN_EVENTS];
    struct members members;

    for (unsigned event = 0; event < board->event_count; event++) {
        if (board->events[event].alone || board->held[event] != ANYWHERE)
            continue;
        find_members(board, event, &members);
        sizes[event] = (uint8_t)(members.count > counters ? 0 : members.count);
        if (event == 0)
            hold_parts(board, &members, counters);
    }
    for (unsigned size = counters; size + 1 > 0; size--)
        for (unsigned event = 0; event < board->event_count; event++) {
            if (board->events[event].alone || board->held[event] != ANYWHERE ||
                (size > 0 && sizes[event] != size))
                continue;
            find_members(board, event, &members);
            if (size > 0 && members.count == size)
                hold_somewhere(board, members.event, size, members.near);
            else if (size == 0)
                hold_parts(board, &members, counters);
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
    find_classes(&board);
    find_families(&board);
    counters = bits(any);
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
