/* Events and places (a counter of a pass) are the two sides of a bipartite graph: a number of
 * passes is enough when a matching covers every event. The matching grows by augmenting paths.
 * Along such paths events then move to the passes where they are wanted, and are held there. */
#include "plan_pack.h"

#include "boot/text.h"
#include "registers.h"

#define NO_EVENT 0xffff
#define NO_PLACE 0xffff
#define ANY_PASS 0xffff
#define SETS     8 /* distinct sets of counters that are told apart */

struct board {
    const struct pack_event *events;
    unsigned event_count, pass_count;
    /* The event at each place, or NO_EVENT. A place is pass * GENERAL_COUNTERS + counter. */
    uint16_t owner[PLAN_EVENTS * GENERAL_COUNTERS];
    uint16_t open[PLAN_EVENTS];  /* of each pass: counters without an owner, a bit each */
    uint16_t place[PLAN_EVENTS]; /* of each event; or NO_PLACE */
    uint16_t held[PLAN_EVENTS];  /* of each event: the only pass that it may be in, or ANY_PASS */
    uint8_t choice[PLAN_EVENTS]; /* of each event: index into its registers */
    /* The distinct sets of counters that events can use; beyond SETS, the last is a union. */
    uint32_t counter_sets[SETS];
    unsigned set_count;
    uint8_t set_of[PLAN_EVENTS];           /* of each event */
    uint8_t held_count[PLAN_EVENTS][SETS]; /* of each pass and set: events that are held there */
    /* Of each event: the first event of its family, and the family's next event (or NO_EVENT). */
    uint16_t first_of_family[PLAN_EVENTS], next_of_family[PLAN_EVENTS];
};

/* A breadth-first search for an augmenting path. */
struct search {
    uint16_t queue[PLAN_EVENTS];
    uint16_t before[PLAN_EVENTS]; /* of each event in the queue: the event that wants its place */
    uint16_t seen[PLAN_EVENTS];   /* of each pass: counters whose owners are in the queue */
    uint32_t seen_everywhere;     /* counters whose owners in all passes are in the queue */
    unsigned head, tail;
};

static void take(struct board *board, unsigned event, unsigned place)
{
    board->place[event] = (uint16_t)place;
    board->owner[place] = (uint16_t)event;
    board->open[place / GENERAL_COUNTERS] &= (uint16_t) ~(1u << place % GENERAL_COUNTERS);
}

static void leave(struct board *board, unsigned place)
{
    board->owner[place] = NO_EVENT;
    board->open[place / GENERAL_COUNTERS] |= (uint16_t)(1u << place % GENERAL_COUNTERS);
}

/* The event takes the open place; each event before it on the path takes the place of the event
 * that it displaces. */
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

/* The owners of all places that the event can take join the queue. */
static void queue_owners(const struct board *board, struct search *search, unsigned event,
                         unsigned first, unsigned last)
{
    if (search->tail == 1) /* only the event that wants a place is in the queue */
        memset(search->seen, 0, board->pass_count * sizeof(search->seen[0]));
    for (unsigned pass = first; pass <= last; pass++) {
        uint32_t left = board->events[event].counters & ~(uint32_t)search->seen[pass];

        search->seen[pass] |= (uint16_t)left;
        for (; left; left &= left - 1) {
            unsigned owner = board->owner[pass * GENERAL_COUNTERS + (unsigned)__builtin_ctz(left)];

            search->before[owner] = (uint16_t)event;
            search->queue[search->tail++] = (uint16_t)owner;
        }
    }
}

/* Moves every event of the path that ends here if the event can take an open place. */
static bool try_places(struct board *board, struct search *search, unsigned event)
{
    const uint32_t counters = board->events[event].counters;
    const unsigned held = board->held[event];
    const unsigned first = held == ANY_PASS ? 0 : held;
    const unsigned last = held == ANY_PASS ? board->pass_count - 1 : held;

    if (!(counters & ~search->seen_everywhere))
        return false;
    for (unsigned pass = first; pass <= last; pass++) {
        const uint32_t open = counters & board->open[pass];

        if (!open)
            continue;
        shift(board, search, event, pass * GENERAL_COUNTERS + (unsigned)__builtin_ctz(open));
        return true;
    }
    queue_owners(board, search, event, first, last);
    if (held == ANY_PASS)
        search->seen_everywhere |= counters;
    return false;
}

/* Finds a place for an event that has none; other events move as far as they may. False, and
 * nothing changed, when there is no place. */
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

/* Moves the event into the pass and holds it there. False, and nothing changed, when the pass
 * cannot take it. */
static bool hold(struct board *board, unsigned event, unsigned pass)
{
    const unsigned old = board->place[event];

    board->held[event] = (uint16_t)pass;
    if (old == NO_PLACE || old / GENERAL_COUNTERS != pass) {
        if (old != NO_PLACE)
            leave(board, old);
        if (!settle(board, event)) {
            if (old != NO_PLACE)
                take(board, event, old);
            board->held[event] = ANY_PASS;
            return false;
        }
    }
    board->held_count[pass][board->set_of[event]]++;
    return true;
}

static void release(struct board *board, unsigned event)
{
    board->held_count[board->held[event]][board->set_of[event]]--;
    board->held[event] = ANY_PASS;
}

/* Whether one of the event's registers can hold its value in that pass; *choice says which one: a
 * register that holds the value already, else one that holds nothing. */
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

/* Holds an event with registers in the last pass that can take it. */
static bool hold_with_register(struct board *board, unsigned event)
{
    for (unsigned pass = board->pass_count; pass-- > 0;)
        if (register_left(board, event, pass, &board->choice[event]) && hold(board, event, pass))
            return true;
    return false;
}

/* Whether that many passes can take all events; if so, every event has a place. */
static bool fill(struct board *board, unsigned pass_count)
{
    const struct pack_event *events = board->events;

    board->pass_count = pass_count;
    memset(board->owner, 0xff, pass_count * GENERAL_COUNTERS * sizeof(board->owner[0]));
    memset(board->open, 0xff, pass_count * sizeof(board->open[0]));
    memset(board->place, 0xff, sizeof(board->place));
    memset(board->held, 0xff, sizeof(board->held));
    memset(board->held_count, 0, pass_count * sizeof(board->held_count[0]));
    memset(board->choice, 0, sizeof(board->choice));
    for (unsigned event = board->event_count; event-- > 0;)
        if (!events[event].alone && events[event].registers[0] != 0 &&
            !hold_with_register(board, event))
            return false;
    for (unsigned event = 0; event < board->event_count; event++)
        if (!events[event].alone && events[event].registers[0] == 0 && !settle(board, event))
            return false;
    return true;
}

/* Events of one family that are not held yet. */
struct members {
    uint16_t event[PLAN_EVENTS];
    unsigned count;
    unsigned near; /* the pass that holds a member of the family; pass_count: no pass does */
};

/* Sorts the events by the set of counters that can count them. */
static void find_sets(struct board *board)
{
    for (unsigned event = 0; event < board->event_count; event++) {
        const uint32_t counters = board->events[event].counters;
        unsigned set = 0;

        while (set < board->set_count && board->counter_sets[set] != counters)
            set++;
        if (set == board->set_count && set < SETS)
            board->counter_sets[board->set_count++] = counters;
        else if (set == SETS)
            board->counter_sets[--set] |= counters;
        board->set_of[event] = (uint8_t)set;
    }
}

/* Links the members of each family. They are near each other, so the search backwards is short. */
static void find_families(struct board *board)
{
    const struct pack_event *events = board->events;

    for (unsigned event = 0; event < board->event_count; event++) {
        unsigned before = event;

        board->first_of_family[event] = (uint16_t)event;
        board->next_of_family[event] = NO_EVENT;
        while (events[event].family != 0 && before-- > 0) {
            if (events[before].family != events[event].family)
                continue;
            board->first_of_family[event] = board->first_of_family[before];
            board->next_of_family[before] = (uint16_t)event;
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

/* Whether the pass has enough counters for these events and the events held there, judged by Hall's
 * condition for each set of counters alone. False: hold would fail. True: hold must try. */
static bool may_hold(const struct board *board, const uint16_t *events, unsigned count,
                     unsigned pass)
{
    uint8_t wanted[SETS];

    memcpy(wanted, board->held_count[pass], sizeof(wanted));
    for (unsigned i = 0; i < count; i++)
        wanted[board->set_of[events[i]]]++;
    for (unsigned set = 0; set < board->set_count; set++) {
        const uint32_t counters = board->counter_sets[set];
        unsigned inside = 0;

        for (unsigned other = 0; other < board->set_count; other++)
            inside += board->counter_sets[other] & ~counters ? 0 : wanted[other];
        if (inside > bits(counters))
            return false;
    }
    return true;
}

/* Holds all these events in the pass, or none of them. */
static bool hold_all(struct board *board, const uint16_t *events, unsigned count, unsigned pass)
{
    if (pass >= board->pass_count || !may_hold(board, events, count, pass))
        return false;
    for (unsigned i = 0; i < count; i++) {
        if (hold(board, events[i], pass))
            continue;
        while (i-- > 0)
            release(board, events[i]);
        return false;
    }
    return true;
}

/* Whether an earlier pass holds as many events of every set: what that pass could not take, this
 * pass cannot take either. */
static bool is_alike(const struct board *board, unsigned pass)
{
    for (unsigned before = 0; before < pass; before++)
        if (__builtin_memcmp(board->held_count[before], board->held_count[pass],
                             sizeof(board->held_count[pass])) == 0)
            return true;
    return false;
}

/* Holds all these events in one pass, if possible in `near`. */
static bool hold_together(struct board *board, const uint16_t *events, unsigned count,
                          unsigned near)
{
    bool held = hold_all(board, events, count, near);

    for (unsigned pass = 0; pass < board->pass_count && !held; pass++)
        held = !is_alike(board, pass) && hold_all(board, events, count, pass);
    return held;
}

/* Holds as many members as possible in one pass, then as many of the remaining members as possible
 * in the next. */
static void hold_parts(struct board *board, const struct members *members, unsigned counters)
{
    for (unsigned done = 0; done < members->count;) {
        unsigned part = members->count - done;

        if (part > counters)
            part = counters;
        while (part > 1 && !hold_together(board, members->event + done, part, members->near))
            part--;
        if (part == 1 && !hold_together(board, members->event + done, 1, members->near))
            hold(board, members->event[done],
                 board->place[members->event[done]] / GENERAL_COUNTERS);
        done += part;
    }
}

/* Collects the members of the event's family that are not held, the event first. */
static void find_members(const struct board *board, unsigned event, struct members *members)
{
    const struct pack_event *events = board->events;

    members->event[0] = (uint16_t)event;
    members->count = 1;
    members->near = board->pass_count;
    for (unsigned i = board->first_of_family[event]; i != NO_EVENT; i = board->next_of_family[i]) {
        if (i == event || events[i].alone)
            continue;
        if (board->held[i] == ANY_PASS)
            members->event[members->count++] = (uint16_t)i;
        else if (members->near == board->pass_count)
            members->near = board->held[i];
    }
}

/* Holds the family of event 0; then the families that one pass can take whole, the largest first,
 * since small families find room beside them; then the remaining families in parts. */
static void hold_families(struct board *board, unsigned counters)
{
    uint8_t sizes[PLAN_EVENTS];
    struct members members;

    for (unsigned event = 0; event < board->event_count; event++) {
        if (board->events[event].alone || board->held[event] != ANY_PASS)
            continue;
        find_members(board, event, &members);
        sizes[event] = (uint8_t)(members.count > counters ? 0 : members.count);
        if (event == 0)
            hold_parts(board, &members, counters);
    }
    for (unsigned size = counters; size + 1 > 0; size--)
        for (unsigned event = 0; event < board->event_count; event++) {
            if (board->events[event].alone || board->held[event] != ANY_PASS ||
                (size > 0 && sizes[event] != size))
                continue;
            find_members(board, event, &members);
            if (size > 0 && members.count == size)
                hold_together(board, members.event, size, members.near);
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
    find_sets(&board);
    find_families(&board);
    counters = bits(any);
    packing->pass_count = 0;
    if (together > 0) {
        passes = (together + counters - 1) / counters;
        while (!fill(&board, passes))
            passes++; /* a pass for every event is always enough */
        hold_families(&board, counters);
        packing->pass_count = passes;
    }
    for (unsigned event = 0; event < count; event++) {
        if (all_alone || events[event].alone) {
            pack_alone(packing, events, event);
            continue;
        }
        packing->pass[event] = (uint16_t)(board.place[event] / GENERAL_COUNTERS);
        packing->counter[event] = (uint8_t)(board.place[event] % GENERAL_COUNTERS);
        packing->choice[event] = board.choice[event];
    }
}
