#include "match.h"

#include "boot/format.h"
#include "boot/text.h"
#include "tags.h"

/* More demands cannot be met, as each takes a counter. */
#define DEMANDS (NETBURST_COUNTERS + 1)
#define NEEDS   (2 * DEMANDS)

/* An ESCR with a value, and a counter that counts from it. */
struct need {
    const struct netburst_choice *choice;
    uint32_t counters;
    uint8_t group;
    bool placed;
    uint8_t escr, counter; /* once it is placed */
};

struct search {
    struct need needs[NEEDS];
    unsigned count;
    uint8_t own[DEMANDS], upstream[DEMANDS]; /* the needs of each demand; NETBURST_NONE: no such */
    uint32_t values[NETBURST_ESCRS];
    uint8_t users[NETBURST_ESCRS]; /* needs placed on the ESCR */
    uint32_t taken;                /* counters */
    bool escrs_only;               /* as if there were counters for all */
};

/* The demands in question: bit n is demand n. */
struct question {
    const struct netburst_demand *demands;
    uint32_t chosen, free;
};

/* The image has no library function for it. */
static unsigned count_bits(uint64_t bits)
{
    unsigned count = 0;

    for (; bits != 0; bits &= bits - 1)
        count++;
    return count;
}

static bool same_choice(const struct netburst_choice *a, const struct netburst_choice *b)
{
    return a->value == b->value && a->count == b->count &&
           memcmp(a->escrs, b->escrs, a->count) == 0;
}

static uint8_t add_need(struct search *search, const struct netburst_choice *choice,
                        uint32_t counters)
{
    search->needs[search->count] = (struct need){
        .choice = choice,
        .counters = counters,
        .group = (uint8_t)netburst_group_of(choice->escrs[0]),
    };
    return (uint8_t)search->count++;
}

/* The need of an upstream ESCR, which an earlier demand may have stated. */
static uint8_t add_upstream(struct search *search, const struct netburst_choice *choice,
                            uint32_t counters, unsigned demands)
{
    for (unsigned i = 0; i < demands; i++)
        if (search->upstream[i] != NETBURST_NONE &&
            same_choice(search->needs[search->upstream[i]].choice, choice))
            return search->upstream[i];
    return add_need(search, choice, counters);
}

static void add_needs(struct search *search, const struct question *question)
{
    for (unsigned i = 0; i < DEMANDS; i++) {
        const struct netburst_demand *demand;

        search->own[i] = search->upstream[i] = NETBURST_NONE;
        if (!(question->chosen >> i & 1))
            continue;
        demand = &question->demands[i];
        search->own[i] =
            add_need(search, &demand->selection->escr, demand->counters & question->free);
        if (demand->selection->upstream.count > 0)
            search->upstream[i] =
                add_upstream(search, &demand->selection->upstream, question->free, i);
    }
}

static bool escr_open(const struct search *search, unsigned escr, uint32_t value)
{
    return search->users[escr] == 0 || search->values[escr] == value;
}

static uint32_t counters_open(const struct search *search, const struct need *need, unsigned escr)
{
    if (search->escrs_only) /* any one stands for the counter that is not looked for */
        return netburst_escrs[escr].counters & ~(netburst_escrs[escr].counters - 1);
    return netburst_escrs[escr].counters & need->counters & ~search->taken;
}

/* In how many ways the need can be placed now. */
static unsigned ways(const struct search *search, const struct need *need)
{
    unsigned count = 0;

    for (unsigned i = 0; i < need->choice->count; i++) {
        unsigned escr = need->choice->escrs[i];

        if (escr_open(search, escr, need->choice->value))
            count += count_bits(counters_open(search, need, escr));
    }
    return count;
}

/* The need of the group that can be placed in the fewest ways; null when all are placed. */
static struct need *scarcest(struct search *search, unsigned group)
{
    struct need *found = NULL;
    unsigned fewest = 0;

    for (unsigned i = 0; i < search->count; i++) {
        struct need *need = &search->needs[i];
        unsigned count;

        if (need->placed || need->group != group)
            continue;
        count = ways(search, need);
        if (found == NULL || count < fewest) {
            found = need;
            fewest = count;
        }
    }
    return found;
}

static bool place_group(struct search *search, unsigned group);

/* Places the need, then the rest of its group; puts nothing down where that fails. */
static bool place(struct search *search, struct need *need, unsigned escr, unsigned counter)
{
    need->placed = true;
    need->escr = (uint8_t)escr;
    need->counter = (uint8_t)counter;
    search->values[escr] = need->choice->value;
    search->users[escr]++;
    if (!search->escrs_only)
        search->taken |= 1u << counter;
    if (place_group(search, need->group))
        return true;
    if (!search->escrs_only)
        search->taken &= ~(1u << counter);
    search->users[escr]--;
    need->placed = false;
    return false;
}

/* Tries all ways. They are few: a group has at most 6 counters. */
static bool place_group(struct search *search, unsigned group)
{
    struct need *need = scarcest(search, group);

    if (need == NULL)
        return true;
    for (unsigned i = 0; i < need->choice->count; i++) {
        unsigned escr = need->choice->escrs[i];
        uint32_t open = counters_open(search, need, escr);

        if (!escr_open(search, escr, need->choice->value))
            continue;
        for (unsigned counter = 0; open >> counter; counter++)
            if (open >> counter & 1 && place(search, need, escr, counter))
                return true;
    }
    return false;
}

/* Without this a group with many more needs than counters would be searched in vain. */
static bool too_many(const struct search *search, unsigned group)
{
    unsigned needs = 0, counters = 0;

    for (unsigned i = 0; i < search->count; i++)
        needs += search->needs[i].group == group;
    for (unsigned i = 0; i < NETBURST_COUNTERS; i++)
        counters += netburst_counters[i].group == group;
    return needs > counters;
}

/* Groups share neither ESCRs nor counters, so each is searched by itself. */
static bool solve(struct search *search, const struct question *question, bool escrs_only)
{
    *search = (struct search){.escrs_only = escrs_only};
    add_needs(search, question);
    for (unsigned group = NETBURST_BPU; group <= NETBURST_IQ; group++)
        if ((!escrs_only && too_many(search, group)) || !place_group(search, group))
            return false;
    return true;
}

/* Writes ", " or " and " between `count` names. */
static size_t append_name(char *out, size_t length, const char *name, unsigned index,
                          unsigned count)
{
    if (length >= NETBURST_CONFLICT)
        return length;
    return length + format(out + length, NETBURST_CONFLICT - length, "%s%s",
                           index == 0           ? ""
                           : index + 1 == count ? " and "
                                                : ", ",
                           name);
}

static size_t append_demands(char *out, const struct question *question)
{
    const unsigned count = count_bits(question->chosen);
    size_t length = 0;

    for (unsigned i = 0, written = 0; i < DEMANDS; i++)
        if (question->chosen >> i & 1)
            length = append_name(out, length, question->demands[i].name, written++, count);
    return length;
}

static unsigned select_of(const struct need *need)
{
    return netburst_escrs[need->choice->escrs[0]].select;
}

/* The ESCRs, bit n for n, of the first unit with too few of them, which is one of that group. */
static uint64_t disputed_escrs(struct search *search, const struct question *question,
                               unsigned group)
{
    uint64_t escrs = 0;

    for (unsigned select = 0; select < NETBURST_SELECTS; select++) {
        *search = (struct search){.escrs_only = true};
        add_needs(search, question);
        escrs = 0;
        for (unsigned i = 0; i < search->count; i++) {
            struct need *need = &search->needs[i];

            need->placed = need->group != group || select_of(need) != select;
            for (unsigned e = 0; !need->placed && e < need->choice->count; e++)
                escrs |= 1ull << need->choice->escrs[e];
        }
        if (!place_group(search, group))
            break;
    }
    return escrs;
}

static void tell_escrs(char *out, size_t length, uint64_t escrs)
{
    const unsigned count = count_bits(escrs);

    if (length < NETBURST_CONFLICT)
        length += format(out + length, NETBURST_CONFLICT - length, " need different values of ");
    for (unsigned i = 0, written = 0; i < NETBURST_ESCRS; i++)
        if (escrs >> i & 1)
            length = append_name(out, length, netburst_escrs[i].name, written++, count);
}

static void tell_counters(char *out, size_t length, const struct search *search, unsigned group)
{
    uint32_t counters = 0;
    unsigned needs = 0;
    char text[NETBURST_COUNTERS_TEXT];

    for (unsigned i = 0; i < search->count; i++) {
        if (search->needs[i].group != group)
            continue;
        needs++;
        counters |= netburst_counters_of(search->needs[i].choice) & search->needs[i].counters;
    }
    netburst_counters_text(counters, text);
    if (length < NETBURST_CONFLICT)
        format(out + length, NETBURST_CONFLICT - length,
               " need %u different ones of these counters, as far as their ESCRs go: %s", needs,
               text);
}

/* The first group that cannot be placed. */
static unsigned failed_group(struct search *search, const struct question *question,
                             bool escrs_only)
{
    unsigned group = NETBURST_BPU;

    *search = (struct search){.escrs_only = escrs_only};
    add_needs(search, question);
    while (group < NETBURST_IQ && (escrs_only || !too_many(search, group)) &&
           place_group(search, group))
        group++;
    return group;
}

/* Leaves demands out in their order, never the last one, while the rest cannot be placed. */
static void tell_conflict(struct question *question, char *out)
{
    struct search search;
    uint32_t last = 31u - (unsigned)__builtin_clz(question->chosen);
    bool escrs;
    unsigned group;
    size_t length;

    for (unsigned i = 0; i < last; i++) {
        question->chosen &= ~(1u << i);
        if (solve(&search, question, false))
            question->chosen |= 1u << i;
    }
    length = append_demands(out, question);
    escrs = !solve(&search, question, true);
    group = failed_group(&search, question, escrs);
    if (escrs)
        tell_escrs(out, length, disputed_escrs(&search, question, group));
    else
        tell_counters(out, length, &search, group);
}

/* Returns whether no two of them disturb each other's tags. */
static bool tags_agree(const struct netburst_demand *demands, unsigned count, char *conflict)
{
    for (unsigned j = 1; j < count; j++)
        for (unsigned i = 0; i < j; i++) {
            const char *over = netburst_tags_clash(demands[i].selection, demands[j].selection);

            if (over == NULL)
                continue;
            format(conflict, NETBURST_CONFLICT,
                   "%s and %s need %s for tags that exclude each other", demands[i].name,
                   demands[j].name, over);
            return false;
        }
    return true;
}

static void give_places(struct netburst_place *places, const struct search *search, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const struct need *own = &search->needs[search->own[i]];

        places[i] = (struct netburst_place){own->escr, own->counter, NETBURST_NONE, NETBURST_NONE};
        if (search->upstream[i] == NETBURST_NONE)
            continue;
        places[i].upstream_escr = search->needs[search->upstream[i]].escr;
        places[i].upstream_counter = search->needs[search->upstream[i]].counter;
    }
}

bool netburst_match(struct netburst_place *places, const struct netburst_demand *demands,
                    unsigned count, uint32_t free, char conflict[NETBURST_CONFLICT])
{
    struct question question = {demands, 0, free & ((1u << NETBURST_COUNTERS) - 1)};
    struct search search;

    conflict[0] = '\0';
    if (!tags_agree(demands, count < DEMANDS ? count : DEMANDS, conflict))
        return false;
    for (unsigned i = 0; i < count && i < DEMANDS; i++)
        question.chosen |= 1u << i;
    if (!solve(&search, &question, false)) {
        uint32_t all = question.chosen;

        /* the first demands that cannot all be placed */
        for (unsigned n = 1; n <= DEMANDS; n++) {
            question.chosen = all & ((1u << n) - 1);
            if (!solve(&search, &question, false))
                break;
        }
        tell_conflict(&question, conflict);
        return false;
    }
    give_places(places, &search, count);
    return true;
}

struct netburst_demand netburst_raw_demand(const struct netburst_raw *raw, const char *name,
                                           struct netburst_selection *selection)
{
    *selection = (struct netburst_selection){
        .escr = {.value = raw->escr, .escrs = {raw->escr_index}, .count = 1},
        .cccr = raw->cccr,
        .pebs_enable = raw->pebs_enable,
        .matrix = raw->matrix};
    return (struct netburst_demand){name, selection, 1u << raw->counter};
}
