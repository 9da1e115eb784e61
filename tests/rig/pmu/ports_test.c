/* What events of two or three ports count: cycles or uops, as the vendor's lists say. */
#include "counters_test.h"

struct row {
    const char *cpu;
    uint64_t select; /* event code and unit mask */
    enum signal one, two;
    unsigned both, first; /* added by a cycle with a uop on either port, and on the first alone */
};

/* Ice Lake's list: "cycles during which at least one uop is dispatched". Golden Cove's: "number of
 * uops", which a matrix transposition on an i9-12900H confirms: 240 uops on ports 4 and 9 in 216
 * cycles (its README on GitHub, "Performance Telemetry"). */
static const struct row rows[] = {
    {"icelakex", 0x04a1, SIG_PORT_2, SIG_PORT_3, 1, 1},
    {"icelakex", 0x10a1, SIG_PORT_4, SIG_PORT_9, 1, 1},
    {"icelakex", 0x80a1, SIG_PORT_7, SIG_PORT_8, 1, 1},
    {"sapphirerapids", 0x10b2, SIG_PORT_4, SIG_PORT_9, 2, 1},
    {"sapphirerapids", 0x80b2, SIG_PORT_7, SIG_PORT_8, 2, 1},
};

static void run_ports(struct rig *rig, const struct row *row, uint64_t cycles, uint16_t second)
{
    struct span span = {.cycles = cycles};

    span.value[SIG_UNHALTED] = span.value[SIG_ALONE] = span.value[SIG_ALLOCATOR] = 1;
    span.value[row->one] = 1;
    span.value[row->two] = second;
    pmu_span(rig->pmu, &span);
}

static void ports_that_share_an_event_count_as_the_vendor_says(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct rig rig;

        rig_begin(&rig, rows[i].cpu);
        wrmsr(&rig, EVTSEL0, EN_OS | rows[i].select);
        wrmsr(&rig, CTRL, 1);
        run_ports(&rig, &rows[i], 7, 1);
        run_ports(&rig, &rows[i], 3, 0);
        run_cycles(&rig, 5, SIG_INSTRUCTIONS, 1);
        assert_int_equal(rdmsr(&rig, PMC0), 7 * rows[i].both + 3 * rows[i].first);
        rig_end(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ports_that_share_an_event_count_as_the_vendor_says),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
