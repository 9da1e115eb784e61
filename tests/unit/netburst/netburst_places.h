/* What must hold of places that netburst_match gives. */
#ifndef TESTS_UNIT_NETBURST_NETBURST_PLACES_H
#define TESTS_UNIT_NETBURST_NETBURST_PLACES_H

#include "pmu/netburst/match.h"

static inline void places_check_one(const struct netburst_choice *choice, unsigned escr,
                                    unsigned counter, uint32_t values[NETBURST_ESCRS])
{
    bool allowed = false;

    assert_true(escr < NETBURST_ESCRS && counter < NETBURST_COUNTERS);
    for (unsigned i = 0; i < choice->count; i++)
        allowed |= choice->escrs[i] == escr;
    assert_true(allowed);
    assert_true(netburst_escrs[escr].counters >> counter & 1);
    assert_true(values[escr] == 0 || values[escr] == choice->value);
    values[escr] = choice->value;
}

/* Each place is allowed, no counter has two events and no ESCR two values. */
static inline void places_check(const struct netburst_place *places,
                                const struct netburst_demand *demands, unsigned count)
{
    uint32_t values[NETBURST_ESCRS] = {0}, counters = 0;

    for (unsigned i = 0; i < count; i++) {
        const struct netburst_selection *selection = demands[i].selection;

        places_check_one(&selection->escr, places[i].escr, places[i].counter, values);
        assert_false(counters >> places[i].counter & 1);
        counters |= 1u << places[i].counter;
        if (selection->upstream.count == 0) {
            assert_int_equal(places[i].upstream_escr, NETBURST_NONE);
            continue;
        }
        places_check_one(&selection->upstream, places[i].upstream_escr, places[i].upstream_counter,
                         values);
    }
    for (unsigned i = 0; i < count; i++) /* a tagging ESCR's counter is no event's */
        for (unsigned j = 0; j < count; j++)
            assert_int_not_equal(places[i].upstream_counter, places[j].counter);
}

#endif
