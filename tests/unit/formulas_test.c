/* Every node of every description against the vendor's formula, on vectors of counts that a core
 * could have counted: of one thread alone, of a whole core, of one of two threads. */
#include "tests/unit/cmocka_all.h"

#include "pmu/topdown.h"
#include "tests/unit/descriptions.h"
#include "tests/unit/vendor_formula.h"

#define VECTORS   1000 /* for each description and mode */
#define TOLERANCE 1e-9
#define EXTRAS    8

static const struct mode {
    const char *name;
    double smt_on, ebs_mode;
} modes[] = {{"off", 0, 0}, {"core", 1, 0}, {"thread", 1, 1}};

/* The first event of a pair cannot count more than the second. A pair that limits an event comes
 * before the pairs in which that event is the limit. Names that a core does not have are ignored.
 */
static const char *const subsets[][2] = {
    {"CYCLE_ACTIVITY.STALLS_TOTAL", "CPU_CLK_UNHALTED.THREAD"},
    {"CYCLE_ACTIVITY.CYCLES_NO_EXECUTE", "CPU_CLK_UNHALTED.THREAD"},
    {"CYCLE_ACTIVITY.CYCLES_MEM_ANY", "CPU_CLK_UNHALTED.THREAD"},
    {"CYCLE_ACTIVITY.CYCLES_L1D_MISS", "CYCLE_ACTIVITY.CYCLES_MEM_ANY"},
    {"CYCLE_ACTIVITY.STALLS_MEM_ANY", "CYCLE_ACTIVITY.STALLS_TOTAL"},
    {"EXE_ACTIVITY.BOUND_ON_LOADS", "CYCLE_ACTIVITY.STALLS_TOTAL"},
    {"CYCLE_ACTIVITY.STALLS_LDM_PENDING", "CYCLE_ACTIVITY.CYCLES_NO_EXECUTE"},
    {"CYCLE_ACTIVITY.STALLS_L1D_PENDING", "CYCLE_ACTIVITY.STALLS_LDM_PENDING"},
    {"CYCLE_ACTIVITY.STALLS_L2_PENDING", "CYCLE_ACTIVITY.STALLS_L1D_PENDING"},
    {"CYCLE_ACTIVITY.STALLS_L1D_MISS", "CYCLE_ACTIVITY.STALLS_MEM_ANY"},
    {"MEMORY_ACTIVITY.STALLS_L1D_MISS", "EXE_ACTIVITY.BOUND_ON_LOADS"},
    {"CYCLE_ACTIVITY.STALLS_L2_MISS", "CYCLE_ACTIVITY.STALLS_L1D_MISS"},
    {"MEMORY_ACTIVITY.STALLS_L2_MISS", "MEMORY_ACTIVITY.STALLS_L1D_MISS"},
    {"CYCLE_ACTIVITY.STALLS_L3_MISS", "CYCLE_ACTIVITY.STALLS_L2_MISS"},
    {"MEMORY_ACTIVITY.STALLS_L3_MISS", "MEMORY_ACTIVITY.STALLS_L2_MISS"},
    {"ARITH.DIVIDER_ACTIVE", "CPU_CLK_UNHALTED.THREAD"},
    {"ARITH.DIV_ACTIVE", "CPU_CLK_UNHALTED.THREAD"},
    {"ARITH.FP_DIVIDER_ACTIVE", "ARITH.DIVIDER_ACTIVE"},
    {"ARITH.FPDIV_ACTIVE", "ARITH.DIV_ACTIVE"},
    {"EXE_ACTIVITY.2_PORTS_UTIL", "EXE_ACTIVITY.1_PORTS_UTIL"},
    {"EXE_ACTIVITY.BOUND_ON_STORES", "CYCLE_ACTIVITY.STALLS_TOTAL"},
    {"UOPS_RETIRED.RETIRE_SLOTS", "UOPS_ISSUED.ANY"},
    {"UOPS_RETIRED.SLOTS", "TOPDOWN.SLOTS"},
    {"TOPDOWN.BACKEND_BOUND_SLOTS", "TOPDOWN.SLOTS"},
    {"TOPDOWN.MEMORY_BOUND_SLOTS", "TOPDOWN.BACKEND_BOUND_SLOTS"},
    {"BR_INST_RETIRED.ALL_BRANCHES", "INST_RETIRED.ANY"},
    {"BR_MISP_RETIRED.ALL_BRANCHES", "BR_INST_RETIRED.ALL_BRANCHES"},
    {"INT_MISC.CLEARS_COUNT", "INT_MISC.CLEAR_RESTEER_CYCLES"},
    {"MACHINE_CLEARS.MEMORY_ORDERING", "MACHINE_CLEARS.COUNT"},
    {"MEM_INST_RETIRED.LOCK_LOADS", "MEM_INST_RETIRED.ALL_LOADS"},
    {"MEM_LOAD_RETIRED.L1_HIT", "MEM_INST_RETIRED.ALL_LOADS"},
    {"MEM_LOAD_RETIRED.L1_MISS", "MEM_INST_RETIRED.ALL_LOADS"},
    {"MEM_LOAD_RETIRED.L2_HIT", "MEM_LOAD_RETIRED.L1_MISS"},
    {"MEM_LOAD_RETIRED.L3_HIT", "MEM_LOAD_RETIRED.L1_MISS"},
    {"MEM_LOAD_RETIRED.L3_MISS", "MEM_LOAD_RETIRED.L1_MISS"},
    {"MEM_LOAD_L3_MISS_RETIRED.LOCAL_DRAM", "MEM_LOAD_RETIRED.L3_MISS"},
    {"MEM_LOAD_L3_MISS_RETIRED.REMOTE_DRAM", "MEM_LOAD_RETIRED.L3_MISS"},
    {"IDQ.DSB_CYCLES_OK", "IDQ.DSB_CYCLES_ANY"},
    {"IDQ.MITE_CYCLES_OK", "IDQ.MITE_CYCLES_ANY"},
    {"IDQ.ALL_MITE_CYCLES_4_UOPS", "IDQ.ALL_MITE_CYCLES_ANY_UOPS"},
    {"UOPS_EXECUTED.CORE_CYCLES_GE_2", "UOPS_EXECUTED.CORE_CYCLES_GE_1"},
    {"UOPS_EXECUTED.CORE_CYCLES_GE_3", "UOPS_EXECUTED.CORE_CYCLES_GE_2"},
    {"UOPS_EXECUTED.CYCLES_GE_2_UOPS_EXEC", "UOPS_EXECUTED.CYCLES_GE_1_UOP_EXEC"},
    {"UOPS_EXECUTED.CYCLES_GE_3_UOPS_EXEC", "UOPS_EXECUTED.CYCLES_GE_2_UOPS_EXEC"},
    {"UOPS_EXECUTED.CORE:c2", "UOPS_EXECUTED.CORE:c1"},
    {"UOPS_EXECUTED.CORE:c3", "UOPS_EXECUTED.CORE:c2"},
    {"UOPS_DISPATCHED.THREAD:c2", "UOPS_DISPATCHED.THREAD:c1"},
    {"UOPS_DISPATCHED.THREAD:c3", "UOPS_DISPATCHED.THREAD:c2"},
    {"INST_DECODED.DECODERS:c2", "INST_DECODED.DECODERS:c1"},
    {"CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE", "CPU_CLK_UNHALTED.REF_XCLK"},
    {"PERF_METRICS.HEAVY_OPERATIONS", "PERF_METRICS.RETIRING"},
    {"PERF_METRICS.BRANCH_MISPREDICTS", "PERF_METRICS.BAD_SPECULATION"},
    {"PERF_METRICS.FETCH_LATENCY", "PERF_METRICS.FRONTEND_BOUND"},
    {"PERF_METRICS.MEMORY_BOUND", "PERF_METRICS.BACKEND_BOUND"},
};

#define SUBSETS (sizeof(subsets) / sizeof(subsets[0]))

/* What a description has of a name: looked up once, and not for each vector. */
struct described {
    const struct event *event;
    const struct node *node;
    const struct parameter *parameter;
    bool is_parameter;
    const char *threshold; /* the vendor's; null: there is none to compare */
};

static struct tables tables;
static struct described known_as[NAMES];
static struct name *known[SUBSETS][2]; /* the names of `subsets` that the table has, else null */
static uint64_t seed;

/* xorshift64*, so that every run draws the same. */
static double draw(void)
{
    seed ^= seed >> 12;
    seed ^= seed << 25;
    seed ^= seed >> 27;
    return (double)((seed * 2685821657736338717ull) >> 11) / 9007199254740992.0;
}

static struct name *known_name(const char *text)
{
    for (unsigned i = 0; i < tables.name_count; i++)
        if (strcmp(tables.names[i].text, text) == 0)
            return &tables.names[i];
    return NULL;
}

static bool is_metric(const char *text)
{
    return strncmp(text, "PERF_METRICS.", 13) == 0;
}

static struct described described_by(const struct description *description, const struct name *name)
{
    const char *perf_name = vendor_at(&tables.metrics, name->row, "perf_name");
    const char *text = name->row && *perf_name ? perf_name : name->text;
    const struct node *leveled = description_node(description, perf_name);

    return (struct described){
        .event = description_event(description, name->text),
        .node = description_node(description, text),
        .parameter = description_parameter(description, text),
        .is_parameter =
            name->row && strcmp(vendor_at(&tables.metrics, name->row, "kind"), "param") == 0,
        .threshold = name->row && leveled != NULL && leveled->level > 0
                         ? vendor_at(&tables.metrics, name->row, "threshold_full")
                         : NULL};
}

static const struct described *described_as(const struct name *name)
{
    return &known_as[name - tables.names];
}

/* A parameter is a row whose default the user may replace. */
static bool is_parameter(const struct name *name)
{
    return described_as(name)->is_parameter;
}

static double draw_parameter(const char *name, const struct mode *mode)
{
    if (strcmp(name, "#SMT_on") == 0)
        return mode->smt_on;
    if (strcmp(name, "#EBS_Mode") == 0)
        return mode->ebs_mode;
    if (strcmp(name, "#Memory") == 0)
        return floor(4 * draw());
    return draw() < 0.7 ? 1 : 0;
}

static double draw_leaf(const char *name, double cycles, double width)
{
    double weight[] = {1, 1, 0.3, 0.03, 0.001};

    if (strcmp(name, "CPU_CLK_UNHALTED.THREAD") == 0 || strcmp(name, "CPU_CLK_UNHALTED.CORE") == 0)
        return cycles;
    if (strncmp(name, "TOPDOWN.SLOTS", 13) == 0)
        return width * cycles;
    if (strcmp(name, "INST_RETIRED.ANY") == 0)
        return floor(width * cycles * draw());
    if (strcmp(name, "CPU_CLK_UNHALTED.THREAD_ANY") == 0)
        return floor(cycles * (1 + draw()));
    if (strcmp(name, "TSC") == 0 || strncmp(name, "CPU_CLK_UNHALTED.REF", 20) == 0)
        return floor(cycles * (0.5 + draw())) + 1;
    if (strcmp(name, "DurationTimeInMilliSeconds") == 0)
        return cycles / 2.5e6;
    if (is_metric(name))
        return floor(256 * draw());
    if (strstr(name, ":retire_latency") != NULL)
        return 400 * draw() * draw();
    if (draw() < 0.06)
        return 0;
    return floor(cycles * weight[(unsigned)(5 * draw())] * draw());
}

static void draw_vector(const struct mode *mode, double width)
{
    double cycles = floor(pow(10, 3 + 5 * draw()));

    for (unsigned i = 0; i < tables.name_count; i++) {
        struct name *name = &tables.names[i];

        name->value.worth = name->leaf.worth = UNKNOWN;
        if (is_parameter(name))
            name->leaf = (struct outcome){NUMBER, draw_parameter(name->text, mode)};
        else if (name->row == 0)
            name->leaf = (struct outcome){NUMBER, draw_leaf(name->text, cycles, width)};
    }
    for (size_t i = 0; i < SUBSETS; i++) {
        struct name *part = known[i][0], *whole = known[i][1];

        if (part != NULL && whole != NULL && part->leaf.number > whole->leaf.number)
            part->leaf.number =
                is_metric(part->text) ? whole->leaf.number : floor(whole->leaf.number * draw());
    }
}

/* Every fourth vector lacks up to three of its leaves. */
static void lose_some(unsigned vector)
{
    for (unsigned i = 0; vector % 4 == 3 && i < 3; i++) {
        struct name *name = &tables.names[(unsigned)(draw() * tables.name_count)];

        if (name->row == 0)
            name->leaf.worth = NONE;
    }
}

/* The vector as the image sees it. */
struct vector {
    struct count counts[512];
    struct extra extras[EXTRAS];
    struct node_memo memos[512];
    struct counts all;
};

static void give(struct vector *vector, const struct description *description)
{
    struct counts *all = &vector->all;

    *all = (struct counts){description, vector->counts, description->event_count, vector->extras, 0,
                           NULL};
    for (unsigned i = 0; i < description->event_count; i++)
        vector->counts[i] = (struct count){.event = &description->events[i]};
    memset(vector->memos, 0, sizeof(vector->memos));
    for (unsigned i = 0; i < tables.name_count; i++) {
        const struct name *name = &tables.names[i];
        const struct event *event;

        if (name->leaf.worth != NUMBER)
            continue;
        if (is_parameter(name)) {
            assert_true(all->extra_count < EXTRAS);
            vector->extras[all->extra_count++] = (struct extra){name->text, name->leaf.number};
            continue;
        }
        event = described_as(name)->event;
        if (event == NULL) /* only rows outside the tree need it */
            continue;
        vector->counts[event - description->events].measured = true;
        vector->counts[event - description->events].value = name->leaf.number;
    }
}

/* The description's value of a row: of its node or `let`, or its parameter. */
static struct formula_result described_value(struct vector *vector, const struct name *name)
{
    const struct node *node = described_as(name)->node;
    const struct parameter *parameter = described_as(name)->parameter;
    struct formula_result result = {.finite = false, .reason = "there is no such row"};

    if (node != NULL) {
        topdown_node_once(&vector->all, vector->memos, node, &result);
    } else if (parameter != NULL) {
        result.finite = true;
        result.value = parameter->value;
    }
    assert_true(node || parameter);
    return result;
}

static bool same(const struct formula_result *described, const struct outcome *published)
{
    if (!described->finite || published->worth != NUMBER)
        return !described->finite && published->worth != NUMBER;
    return fabs(described->value - published->number) <=
           TOLERANCE * fmax(1, fabs(published->number));
}

/* Returns how many values were not numbers. */
static unsigned compare(struct vector *vector, const char *key, const struct mode *mode)
{
    unsigned without = 0;

    for (unsigned i = 0; i < tables.name_count; i++) {
        const struct name *name = &tables.names[i];
        struct formula_result ours;
        struct outcome published;

        if (!name->row || is_parameter(name))
            continue;
        ours = described_value(vector, name);
        published = value_of_name(&tables, (int)i);
        without += !ours.finite;
        if (!same(&ours, &published))
            print_error("%s, %s, SMT %s: %.17g (%s), the vendor's formula %.17g (%d)\n", key,
                        name->text, mode->name, ours.value, ours.finite ? "" : ours.reason,
                        published.number, (int)published.worth);
        assert_true(same(&ours, &published));
    }
    return without;
}

static const struct formula_result *result_of(void *context, const struct node *node)
{
    struct vector *vector = context;
    struct node_memo *memo = &vector->memos[node - vector->all.description->nodes];
    struct formula_result ignored;

    topdown_node_once(&vector->all, vector->memos, node, &ignored);
    return &memo->result;
}

/* Whether NAME > NUMBER, at the beginning of the text, is true. */
static bool past(const char *text)
{
    const char *end = strchr(text, ' ');
    struct outcome value = value_of_name(&tables, name_of(&tables, text, (size_t)(end - text)));

    assert_memory_equal(end, " > ", 3);
    return value.worth == NUMBER && value.number > strtod(end + 3, NULL);
}

/* Whether `A > x & B > y & ...` is true; a root may also have `A > x | B > y`. */
static bool past_all(const char *text)
{
    const char *other = strstr(text, " | ");

    if (other != NULL)
        return past(text) || past(other + 3);
    for (; text != NULL; text = strstr(text, " & ") != NULL ? strstr(text, " & ") + 3 : NULL)
        if (!past(text))
            return false;
    return true;
}

static void compare_thresholds(struct vector *vector, const char *key)
{
    const struct description *description = vector->all.description;
    const struct topdown_results results = {vector, result_of};

    for (unsigned i = 0; i < tables.name_count; i++) {
        const struct node *node = known_as[i].node;
        const char *full = known_as[i].threshold;

        if (full == NULL)
            continue;
        if (topdown_flagged(description, node, &results) != past_all(full))
            print_error("%s, %s: flagged or not, by %s\n", key, node->name, full);
        assert_int_equal(topdown_flagged(description, node, &results), past_all(full));
    }
}

static void compare_defaults(void)
{
    for (unsigned i = 0; i < tables.name_count; i++) {
        const struct name *name = &tables.names[i];

        if (!is_parameter(name))
            continue;
        assert_non_null(described_as(name)->parameter);
        assert_true(described_as(name)->parameter->value ==
                    strtod(vendor_at(&tables.metrics, name->row, "formula"), NULL));
    }
}

static unsigned conditions_of_one_arm(const char *key)
{
    unsigned count = 0;

    for (int i = 0; i < tables.term_count; i++) {
        const struct term *t = &tables.terms[i];

        if (t->operation != '?' || t->taken == 3)
            continue;
        print_error("%s, %s: the condition was %s\n", key,
                    vendor_at(&tables.metrics, t->row, "name"),
                    t->taken == 2   ? "always true"
                    : t->taken == 1 ? "always false"
                                    : "never evaluated");
        count++;
    }
    return count;
}

static unsigned tree_size(void)
{
    unsigned size = 0;

    for (unsigned row = 1; row < tables.metrics.row_count; row++)
        size += strcmp(vendor_at(&tables.metrics, row, "kind"), "tree") == 0;
    return size;
}

static void judge(const struct description *description, const char *key)
{
    static struct vector vector;
    unsigned without = 0, nodes = 0, one_arm;

    assert_true(tables_open(&tables, key));
    for (size_t i = 0; i < SUBSETS; i++)
        for (unsigned k = 0; k < 2; k++)
            known[i][k] = known_name(subsets[i][k]);
    assert_true(description->event_count <= 512 && description->node_count <= 512);
    for (unsigned i = 0; i < description->node_count; i++)
        nodes += description->nodes[i].level > 0;
    assert_int_equal(nodes, tree_size());
    for (unsigned i = 0; i < tables.name_count; i++)
        known_as[i] = described_by(description, &tables.names[i]);
    compare_defaults();
    for (size_t m = 0; m < sizeof(modes) / sizeof(modes[0]); m++)
        for (unsigned v = 0; v < VECTORS; v++) {
            draw_vector(&modes[m], description->width);
            lose_some(v);
            give(&vector, description);
            without += compare(&vector, key, &modes[m]);
            if (v % 10 == 0)
                compare_thresholds(&vector, key);
        }
    one_arm = conditions_of_one_arm(key);
    print_message("# %s = %s: %u nodes, 3 x %u vectors, %u values without a number\n",
                  description->name, key, nodes, VECTORS, without);
    tables_close(&tables);
    assert_int_equal(one_arm, 0);
}

static void every_node_equals_the_vendors_formula(void **state)
{
    struct sheet sheet;
    unsigned judged = 0;

    (void)state;
    if (!vendor_open(&sheet, ".", "uarch.csv")) {
        print_message("# skipped: the vendor's tables are not at " VENDOR_PLACE "\n");
        skip();
    }
    seed = 20260813;
    for (unsigned i = 0; builtin_name(i) != NULL; i++) {
        struct description description;

        tests_builtin(&description, builtin_name(i));
        for (unsigned k = 0; k < description.table_count; k++) {
            if (description.method == TOPDOWN_NONE)
                continue; /* its table has events only */
            judge(&description, description.tables[k].name);
            judged++;
        }
        tests_free();
    }
    /* every table has formulas, except DKT */
    assert_int_equal(judged, sheet.row_count - 1 - 1);
    vendor_close(&sheet);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_node_equals_the_vendors_formula),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
