/* Verdicts on level 1 beside a loaded sibling. */
#include "verdict_beside.h"

#include "boot/format.h"
#include "boot/text.h"
#include "harness/window/sibling_counters.h"

/* What a node to which nothing is lost may come to, and by how much the node that has the rest may
 * miss it. Half of the least threshold that published trees have at level 2 (0.1): a smaller share
 * is nobody's bottleneck. */
#define BESIDE_BOUND 0.05

#define RETIRING 0

static const struct {
    const char *name;
    uint64_t spared; /* the kernel's bit for "nothing is lost to it" */
} nodes[BESIDE_NODES] = {
    [RETIRING] = {"tma_retiring", 0},
    {"tma_frontend_bound", SPARED_FRONTEND_BOUND},
    {"tma_bad_speculation", SPARED_BAD_SPECULATION},
    {"tma_backend_bound", SPARED_BACKEND_BOUND},
};
#define SPARED_ALL (SPARED_FRONTEND_BOUND | SPARED_BAD_SPECULATION | SPARED_BACKEND_BOUND)

/* A share lies between these. */
struct between {
    double low, high;
};

static bool states_beside(const struct kernel *kernel)
{
    return kernel->beside_low != NULL && kernel->beside_high != NULL;
}

static bool asks_of(const struct trial *trial, const char *name)
{
    const struct node *node =
        trial->description != NULL ? description_node(trial->description, name) : NULL;

    return node != NULL && node->level == 1 && trial_asks(trial, node);
}

bool verdict_has_beside(const struct trial *trial, unsigned index)
{
    return trial->beside != NULL && trial->results != NULL && trial->blocked == NULL &&
           states_beside(trial->experiment->kernel) && asks_of(trial, nodes[index].name);
}

bool verdict_beside_replaces(const struct trial *trial, unsigned index)
{
    for (unsigned i = 0; i < BESIDE_NODES; i++)
        if (strcmp(trial->experiment->kernel->expectations[index].subject, nodes[i].name) == 0)
            return verdict_has_beside(trial, i);
    return false;
}

/* ---- what is claimed ---- */

/* The slots by which the published formulas divide, or a skip with the reason. */
static bool slots_of(struct verdict *verdict, const struct trial *trial, double *slots)
{
    const struct node *node = description_node(trial->description, "tma_info_thread_slots");
    const struct formula_result *result = node != NULL ? trial_node(trial, node) : NULL;

    if (result == NULL || !result->finite || result->value <= 0) {
        verdict_skip(verdict, result == NULL    ? "the CPU description has no slots"
                              : !result->finite ? result->reason
                                                : "its slots are not above 0");
        return false;
    }
    *slots = result->value;
    return true;
}

/* Slots that the kernel retires in the iterations of the trial, or a skip. */
static bool retired_of(struct verdict *verdict, const struct trial *trial,
                       const struct experiment *experiment, struct between *retired)
{
    struct formula_result low, high;

    topdown_evaluate(&trial->counts, &experiment->beside_low, &low);
    topdown_evaluate(&trial->counts, &experiment->beside_high, &high);
    if (!low.finite || !high.finite) {
        verdict_skip(verdict, low.finite ? high.reason : low.reason);
        return false;
    }
    *retired = (struct between){low.value, high.value};
    return true;
}

/* The only node to which slots may be lost: what is not retired is its; 0: there are several. */
static uint64_t only_loss(uint64_t spared)
{
    const uint64_t lost = SPARED_ALL & ~spared;

    return (lost & (lost - 1)) == 0 ? lost : 0;
}

/* What is true of node `index` where such a share of the slots retires and none are lost to
 * `spared`, and by how much the node may miss it. Of a node that others share the losses with only
 * that it is no more than is lost. */
static struct between share_of(unsigned index, double retired, uint64_t spared)
{
    const double lost = retired < 1 ? 1 - retired : 0;

    if (nodes[index].spared & spared)
        return (struct between){-BESIDE_BOUND, BESIDE_BOUND};
    if (nodes[index].spared == only_loss(spared))
        return (struct between){lost - BESIDE_BOUND, lost + BESIDE_BOUND};
    return (struct between){-BESIDE_BOUND, lost + BESIDE_BOUND};
}

/* Whether what is known settles the node. */
static bool is_known(unsigned index, uint64_t spared)
{
    return nodes[index].spared & spared || nodes[index].spared == only_loss(spared);
}

/* ---- what the formula does wrong about one thread ---- */

static bool rests_on(const struct trial *trial, const struct node *node, const char *name)
{
    const struct event *events[PLAN_EVENTS];
    const unsigned count =
        topdown_events_given(&trial->counts, &node->formula, events, 0, PLAN_EVENTS, NULL);

    for (unsigned i = 0; i < count; i++)
        if (strcmp(events[i]->name, name) == 0)
            return true;
    return false;
}

/* The share that the formula charges to each thread for the recoveries of either: TMA 5.2 has
 * `#Pipeline_Width * INT_MISC.RECOVERY_CYCLES_ANY / 2` of the slots where #SMT_on. */
static double any_recovery(const struct trial *trial, double slots)
{
    const char *reason;
    double cycles;

    return results_value(trial->results, "INT_MISC.RECOVERY_CYCLES_ANY", &cycles, &reason)
               ? trial->description->width * cycles / 2 / slots
               : 0;
}

/* What is known of the thread when its node lies outside of `claimed`. */
struct known {
    uint64_t spared;
    double slots, retired; /* retired: a share of the slots */
    struct between claimed;
};

/* Whether the value is too high where `up`, else too low. */
static bool is_off(const struct known *known, double value, bool up)
{
    return up ? value > known->claimed.high : value < known->claimed.low;
}

/* Adds the recoveries of the sibling, where they explain something. Returns the value without them.
 */
static double name_recoveries(struct verdict *verdict, const struct trial *trial, unsigned index,
                              const struct known *known, double value)
{
    const bool up = nodes[index].spared == SPARED_BAD_SPECULATION;
    const double recovery = any_recovery(trial, known->slots);
    const struct node *node = description_node(trial->description, nodes[index].name);

    if (!is_off(known, value, up) || recovery <= 0 ||
        trial->beside->kernel->beside_spared & SPARED_BAD_SPECULATION ||
        !rests_on(trial, node, "INT_MISC.RECOVERY_CYCLES_ANY"))
        return value;
    if (!(known->spared & SPARED_BAD_SPECULATION)) {
        verdict_append(verdict, ": INT_MISC.RECOVERY_CYCLES_ANY / 2 charges this thread with half "
                                "of both threads' recoveries");
        return known->claimed.low;
    }
    verdict_append(
        verdict,
        ": %.3f are half of the recoveries of %s, which INT_MISC.RECOVERY_CYCLES_ANY / 2 "
        "charges to this thread",
        recovery, trial->beside->kernel->name);
    return up ? value - recovery : value + recovery;
}

/* Adds why the node lies outside of what is true of the thread, as far as the formula explains it.
 */
static void name_fault(struct verdict *verdict, const struct trial *trial, unsigned index,
                       const struct known *known, double value)
{
    const bool is_back = nodes[index].spared == SPARED_BACKEND_BOUND;
    const bool front_alone = only_loss(known->spared) == SPARED_FRONTEND_BOUND;
    const double rest =
        index == RETIRING ? value : name_recoveries(verdict, trial, index, known, value);

    if (!is_off(known, rest, true) && !is_off(known, rest, false))
        return;
    /* What a thread retires, what it issues in vain and what its front end did not deliver to it
     * are slots that it had; the back end's share is the rest. */
    if (known->retired > 1 ||
        ((front_alone || only_loss(known->spared) == 0) && is_off(known, rest, !is_back)))
        verdict_append(verdict, ": the formula takes half of the core's slots for this thread's, "
                                "and it had more");
    /* The event's description: "Counting does not cover cases when: a. IDQ-Resource Allocation
     * Table (RAT) pipe serves the other thread". */
    else if (front_alone && rests_on(trial, description_node(trial->description, nodes[index].name),
                                     "IDQ_UOPS_NOT_DELIVERED.CORE"))
        verdict_append(verdict, ": IDQ_UOPS_NOT_DELIVERED.CORE does not count what this thread "
                                "waits for while the other one is served");
}

/* ---- verdicts ---- */

/* Of the windows' edges the claims know. */
static double error_of_counts(const struct trial *trial, const struct node *node)
{
    return trial_error(trial, node) - trial_tolerance(trial, node);
}

/* A claim has room beyond 0 to 1, where a value is no share; and counts that are off by chance say
 * nothing of a formula. */
static void ask_value(struct verdict *verdict, const struct trial *trial, const char *subject,
                      unsigned index, const struct between *claimed)
{
    const struct node *node = description_node(trial->description, nodes[index].name);
    const struct node *retiring = description_node(trial->description, nodes[RETIRING].name);
    const double value = trial_given(trial, node)->value;
    const double beyond = value < claimed->low ? claimed->low - value : value - claimed->high;
    const double error =
        error_of_counts(trial, node) + (index != RETIRING ? error_of_counts(trial, retiring) : 0);
    char why[120];

    if (verdict->outcome == VERDICT_PASS && trial_is_no_share(trial, node))
        format(why, sizeof(why), "its formula gives %.3f, outside of 0 to 1", value);
    else if (verdict->outcome == VERDICT_FAIL && beyond <= error)
        format(why, sizeof(why), "its formula gives %.3f, and may be off by %.3f", value, error);
    else
        return;
    verdict_begin(verdict, trial, subject);
    verdict_skip(verdict, why);
}

/* Judges the node of a thread or of the core, of which so much retires. A node that is not settled
 * is a skip, unless it cannot be true. */
static void judge(struct verdict *verdict, const struct trial *trial, const char *subject,
                  unsigned index, struct known *known, struct between retired, const char *unknown)
{
    const struct node *node = description_node(trial->description, nodes[index].name);
    const struct node *retiring = description_node(trial->description, nodes[RETIRING].name);
    const struct formula_result *value = trial_given(trial, node);
    const struct formula_result *measured = trial_given(trial, retiring);

    if (!value->finite || !measured->finite) {
        verdict_skip(verdict, value->finite ? measured->reason : value->reason);
        return;
    }
    /* The kernel's uops say in which range it retires, what was counted says where there. */
    known->retired = measured->value < retired.low    ? retired.low
                     : measured->value > retired.high ? retired.high
                                                      : measured->value;
    known->claimed = retired;
    if (index != RETIRING)
        known->claimed = share_of(index, known->retired, known->spared);
    else if (retired.high > 1 + BESIDE_BOUND) /* it is a share, however much retires */
        known->claimed = (struct between){retired.low < 1 ? retired.low : 1, 1 + BESIDE_BOUND};
    verdict_in_range(verdict, trial, subject, value->value, known->claimed.low, known->claimed.high,
                     true);
    ask_value(verdict, trial, subject, index, &known->claimed);
    if (verdict->outcome == VERDICT_PASS && index != RETIRING && !is_known(index, known->spared)) {
        verdict_begin(verdict, trial, subject);
        verdict_skip(verdict, unknown);
    }
}

void verdict_beside(struct verdict *verdict, const struct trial *trial, unsigned index)
{
    const struct node *node = description_node(trial->description, nodes[index].name);
    const double tolerance = trial_tolerance(trial, node);
    struct known known = {.spared = trial->experiment->kernel->beside_spared};
    struct between retired;
    char subject[120];

    format(subject, sizeof(subject), "beside %s: %s", trial->beside->kernel->name, node->name);
    verdict_begin(verdict, trial, subject);
    if (!retired_of(verdict, trial, trial->experiment, &retired) ||
        !slots_of(verdict, trial, &known.slots))
        return;
    retired = (struct between){retired.low / known.slots - tolerance,
                               retired.high / known.slots + tolerance};
    judge(verdict, trial, subject, index, &known, retired,
          "how many slots this thread loses to it beside another is not known");
    if (verdict->outcome == VERDICT_FAIL)
        name_fault(verdict, trial, index, &known, trial_given(trial, node)->value);
    verdict_doubt(verdict, trial, &node->formula);
}

/* The instructions that a kernel retires in the iterations of the trial: those that it expects. */
static bool instructions_of(const struct trial *trial, const struct experiment *experiment,
                            double *count)
{
    for (unsigned i = 0; i < experiment->kernel->expectation_count; i++) {
        struct formula_result low, high;

        if (strcmp(experiment->kernel->expectations[i].subject, "INST_RETIRED.ANY") != 0)
            continue;
        topdown_evaluate(&trial->counts, &experiment->expectations[i].low, &low);
        topdown_evaluate(&trial->counts, &experiment->expectations[i].high, &high);
        *count = low.value;
        return low.finite && high.finite && low.value == high.value && low.value > 0;
    }
    return false;
}

/* The slots that both threads retired: of each, as many to an instruction as its kernel says. Both
 * numbers of a kernel are in proportion to n, so it does not matter whose n it is. */
static bool retired_by_both(struct verdict *verdict, const struct trial *trial,
                            const struct beside_work *work, struct between *retired)
{
    const struct experiment *const of[2] = {trial->experiment, trial->beside};

    *retired = (struct between){0, 0};
    for (unsigned i = 0; i < 2; i++) {
        struct between own;
        double instructions;

        if (!states_beside(of[i]->kernel) || !instructions_of(trial, of[i], &instructions)) {
            verdict_skip(verdict, "how many uops an instruction of each kernel has is not known");
            return false;
        }
        if (!retired_of(verdict, trial, of[i], &own))
            return false;
        retired->low += own.low / instructions * work->instructions[i];
        retired->high += own.high / instructions * work->instructions[i];
    }
    return true;
}

void verdict_beside_core(struct verdict *verdict, const struct trial *trial,
                         const struct beside_work *work, unsigned index)
{
    const struct node *node = description_node(trial->description, nodes[index].name);
    /* The windows of the two threads may differ by so much. */
    const double tolerance = trial_tolerance(trial, node) + SIBLING_SKEW_MAX;
    struct known known = {.spared = trial->experiment->kernel->beside_spared &
                                    trial->beside->kernel->beside_spared};
    struct between retired;
    char subject[80], unknown[160];

    format(subject, sizeof(subject), "both threads: %s", node->name);
    format(unknown, sizeof(unknown), "what %s and %s lose to it together is not known",
           trial->experiment->kernel->name, trial->beside->kernel->name);
    verdict_begin(verdict, trial, subject);
    if (!retired_by_both(verdict, trial, work, &retired) || !slots_of(verdict, trial, &known.slots))
        return;
    retired = (struct between){retired.low / known.slots - tolerance,
                               retired.high / known.slots + tolerance};
    judge(verdict, trial, subject, index, &known, retired, unknown);
    if (verdict->outcome == VERDICT_FAIL && index != RETIRING &&
        rests_on(trial, node, "INT_MISC.RECOVERY_CYCLES_ANY") && any_recovery(trial, 1) > 0)
        verdict_append(verdict,
                       ": INT_MISC.RECOVERY_CYCLES_ANY takes all slots of a cycle in which "
                       "one thread recovers");
    verdict_doubt(verdict, trial, &node->formula);
}
