/* Places of NetBurst's events: there is one exactly when a search of everything finds one, and it
 * is one that the hardware has. What a conflict says: netburst_conflict_test.c. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "tests/unit/netburst/netburst_names.h"
#include "tests/unit/netburst/netburst_places.h"

#define NAMES 160
#define MOST  6 /* events of a set */

/* Every event that can be asked for, in rings 1 to 3 and in ring 0. */
static char names[NAMES][96];
static struct netburst_selection selections[NAMES];
static unsigned name_count;

static void add_name(const char *event, const char *mask)
{
    for (unsigned ring = 0; ring < 2; ring++) {
        assert_true(name_count < NAMES);
        snprintf(names[name_count], sizeof(names[0]), "%s:%s:%c", event, mask, "uk"[ring]);
        selections[name_count] = names_select(&nocona, names[name_count], NETBURST_T0);
        name_count++;
    }
}

static int list_names(void **state)
{
    names_open(state);
    for (unsigned i = 0; i < prescott.event_count; i++) {
        const struct netburst_event *event = prescott.events[i].own;

        if (prescott.events[i].kind != EVENT_MASKED)
            continue;
        if (!event->tags_only && event->tagged == NULL)
            add_name(event->name, event->masks[0].name);
        for (const struct netburst_tagged *t = event->tagged; t != NULL; t = t->next)
            add_name(event->name, t->name);
    }
    return 0;
}

/* --- a search of everything, after the rules and not after the code ----------------------------
 */

struct brute_need {
    uint32_t value;
    const uint8_t *escrs;
    unsigned escr_count;
};

struct brute {
    struct brute_need needs[2 * MOST];
    unsigned count;
    uint32_t values[NETBURST_ESCRS];
    bool counters[NETBURST_COUNTERS];
};

static bool brute_search(struct brute *brute, unsigned at)
{
    const struct brute_need *need = &brute->needs[at];

    if (at == brute->count)
        return true;
    for (unsigned c = 0; c < NETBURST_COUNTERS; c++)
        for (unsigned e = 0; e < need->escr_count && !brute->counters[c]; e++) {
            const unsigned escr = need->escrs[e];
            const uint32_t before = brute->values[escr];

            if (!(netburst_escrs[escr].counters >> c & 1) || (before != 0 && before != need->value))
                continue;
            brute->values[escr] = need->value;
            brute->counters[c] = true;
            if (brute_search(brute, at + 1))
                return true;
            brute->values[escr] = before;
            brute->counters[c] = false;
        }
    return false;
}

static void brute_add(struct brute *brute, const struct netburst_choice *choice)
{
    brute->needs[brute->count++] = (struct brute_need){choice->value, choice->escrs, choice->count};
}

/* Tags: one replay metric at a time; execution metrics all have tag 0, and their upstream events do
 * not tell logical processors and rings apart; a front-end tag is told apart by its ring. */
static bool brute_tags_clash(unsigned a, unsigned b)
{
    const struct netburst_selection *x = &selections[a], *y = &selections[b];
    const char ring_a = names[a][strlen(names[a]) - 1], ring_b = names[b][strlen(names[b]) - 1];

    if (x->tagged == NULL || y->tagged == NULL || x->tagged == y->tagged || x->event != y->event)
        return false;
    return strcmp(x->event->name, "front_end_event") != 0 || ring_a == ring_b;
}

static bool brute_exists(const unsigned *chosen, unsigned count)
{
    struct brute brute = {.count = 0};

    for (unsigned i = 0; i < count; i++) {
        const struct netburst_choice *upstream = &selections[chosen[i]].upstream;
        bool stated = false;

        brute_add(&brute, &selections[chosen[i]].escr);
        for (unsigned j = 0; j < i; j++) {
            const struct netburst_choice *other = &selections[chosen[j]].upstream;

            if (brute_tags_clash(chosen[j], chosen[i]))
                return false;
            stated |= other->count > 0 && other->value == upstream->value &&
                      other->count == upstream->count && other->escrs[0] == upstream->escrs[0];
        }
        if (upstream->count > 0 && !stated)
            brute_add(&brute, upstream);
    }
    return brute_search(&brute, 0);
}

/* --- what is claimed ---------------------------------------------------------------------------
 */

static bool match(const unsigned *chosen, unsigned count, char conflict[NETBURST_CONFLICT])
{
    struct netburst_demand demands[MOST] = {{NULL}};
    struct netburst_place places[MOST];

    for (unsigned i = 0; i < count; i++)
        demands[i] =
            (struct netburst_demand){names[chosen[i]], &selections[chosen[i]], NETBURST_ANY};
    if (!netburst_match(places, demands, count, NETBURST_ANY, conflict))
        return false;
    places_check(places, demands, count);
    return true;
}

static void check_against_brute_force(const unsigned *chosen, unsigned count, unsigned tally[2])
{
    char conflict[NETBURST_CONFLICT];
    bool found = match(chosen, count, conflict);
    unsigned named = 0;

    if (found != brute_exists(chosen, count))
        fail_msg("%s, %s ...: %s", names[chosen[0]], names[chosen[1]], found ? "found" : conflict);
    tally[found]++;
    if (found)
        return;
    for (unsigned i = 0; i < count; i++)
        named += strstr(conflict, names[chosen[i]]) != NULL;
    assert_true(named >= 2);
    assert_true(strstr(conflict, "MSR_") != NULL || strstr(conflict, "counters") != NULL);
}

static void every_single_event_has_a_place(void **state)
{
    char conflict[NETBURST_CONFLICT];

    (void)state;
    assert_int_equal(name_count, 2 * (47 - 4 + 19));
    for (unsigned i = 0; i < name_count; i++)
        assert_true(match(&i, 1, conflict));
}

static void every_pair_has_places_exactly_when_there_are_any(void **state)
{
    unsigned tally[2] = {0, 0};

    (void)state;
    for (unsigned a = 0; a < name_count; a++)
        for (unsigned b = 0; b < name_count; b++) {
            const unsigned chosen[] = {a, b};

            check_against_brute_force(chosen, 2, tally);
        }
    print_message("# %u pairs have places, %u have none\n", tally[1], tally[0]);
    assert_true(tally[0] > 0 && tally[1] > tally[0]);
}

static void every_triple_has_places_exactly_when_there_are_any(void **state)
{
    unsigned tally[2] = {0, 0};

    (void)state;
    for (unsigned a = 0; a < name_count; a++)
        for (unsigned b = a; b < name_count; b++)
            for (unsigned c = b; c < name_count; c++) {
                const unsigned chosen[] = {a, b, c};

                check_against_brute_force(chosen, 3, tally);
            }
    print_message("# %u triples have places, %u have none\n", tally[1], tally[0]);
    assert_true(tally[0] > 0 && tally[1] > tally[0]);
}

/* xorshift64 */
static unsigned random_below(uint64_t *random, unsigned limit)
{
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    return (unsigned)(*random >> 33) % limit;
}

static void sets_of_four_to_six_have_places_exactly_when_there_are_any(void **state)
{
    uint64_t random = 20261123;
    unsigned tally[2] = {0, 0};

    (void)state;
    for (unsigned run = 0; run < 50000; run++) {
        const unsigned count = 4 + random_below(&random, 3);
        unsigned chosen[MOST];
        const unsigned first = random_below(&random, name_count);

        for (unsigned i = 0; i < count; i++) /* neighbours are often of one unit */
            chosen[i] = run % 2 ? random_below(&random, name_count)
                                : (first + random_below(&random, 16)) % name_count;
        check_against_brute_force(chosen, count, tally);
    }
    print_message("# %u sets have places, %u have none\n", tally[1], tally[0]);
    assert_true(tally[0] > 10000 && tally[1] > 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_single_event_has_a_place),
        cmocka_unit_test(every_pair_has_places_exactly_when_there_are_any),
        cmocka_unit_test(every_triple_has_places_exactly_when_there_are_any),
        cmocka_unit_test(sets_of_four_to_six_have_places_exactly_when_there_are_any),
    };
    int failed = cmocka_run_group_tests(tests, list_names, NULL);

    tests_free();
    return failed;
}
