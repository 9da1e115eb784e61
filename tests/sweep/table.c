#include "table.h"

#include <string.h>

#define PINNED "BR_INST_RETIRED.ALL_BRANCHES MEM_INST_RETIRED.ALL_LOADS"
#define SKYLAKE_EVENTS                                                                         \
    PINNED " IDQ_UOPS_NOT_DELIVERED.CORE UOPS_ISSUED.ANY UOPS_RETIRED.RETIRE_SLOTS "           \
           "INT_MISC.RECOVERY_CYCLES BR_MISP_RETIRED.ALL_BRANCHES"
#define ICELAKE_EVENTS PINNED " BR_MISP_RETIRED.ALL_BRANCHES CYCLE_ACTIVITY.STALLS_TOTAL"

/* clang-format off */
const struct base bases[] = {
    {"skylakex-l1", "--cpu skylakex --cores 1", "kernels=prog.search levels=1 repeats=3 screen=no", 4, SKYLAKE_EVENTS, PINNED},
    {"skylakex-l2", "--cpu skylakex --cores 1", "kernels=prog.search levels=2 repeats=9", 1, SKYLAKE_EVENTS, PINNED},
    {"icelakex-l2", "--cpu icelakex --cores 1", "kernels=prog.search levels=2 repeats=3 screen=no", 4, ICELAKE_EVENTS, PINNED},
    {"prescott", "--cpu prescott --cores 1", "kernels=ret.nop levels=1 repeats=3 screen=no", 1, "", ""},
    {"two-cores", "--cpu icelakex --cores 2", "kernels=ret.nop levels=1 repeats=3 screen=no", 2, ICELAKE_EVENTS, PINNED},
    {"two-threads", "--cpu icelakex --cores 1 --smt", "kernels=ret.nop levels=1 repeats=3 screen=no", 1, ICELAKE_EVENTS, PINNED},
    {"stick-only", "--cpu icelakex --cores 1", "kernels=ret.nop levels=1 repeats=3 serial=none", 2, ICELAKE_EVENTS, PINNED},
};
const size_t base_count = sizeof(bases) / sizeof(bases[0]);

#define GENERAL "skylakex-l1 skylakex-l2 icelakex-l2 two-cores two-threads stick-only"
#define SERIAL  "skylakex-l1 skylakex-l2 icelakex-l2 prescott two-cores two-threads"
#define PAIRS   "two-cores two-threads"

const struct fault_class classes[] = {
    {"msr:K",                "msr:{msr}", 3, NULL, CUTS_NONE, "full_width_write perf_metrics"},
    {"gone:MSR",             "gone:{register}", 1, NULL, CUTS_NONE, "full_width_write perf_metrics"},
    {"uefi:K",               "uefi:{uefi}", 2, NULL, CUTS_NONE, NULL},
    {"uefi:CALL:K",          "uefi:{service}", 3, NULL, CUTS_NONE, NULL},
    {"ap:N",                 "ap:1", 1, PAIRS, CUTS_NONE, "cores_started"},
    {"ap-late:N",            "ap-late:1", 1, PAIRS, CUTS_NONE, NULL},
    {"stuck:N:K:END",        "stuck:1:{window}:{end}", 1, PAIRS, CUTS_NONE, NULL},
    {"smi:RATE:SEED",        "smi:{rate}:{seed}", 1, GENERAL, CUTS_NONE, NULL},
    {"clock:SEED",           "clock:{seed}", 1, NULL, CUTS_NONE, NULL},
    {"throttle",             "throttle", 1, NULL, CUTS_NONE, NULL},
    {"count:EVENT:P, K-K",   "count:{event}:{percent} lies:{single}", 2, GENERAL, CUTS_NONE, NULL},
    {"count:EVENT:P, K-M",   "count:{pinned}:{percent} lies:{windows}", 2, GENERAL, CUTS_NONE, NULL},
    {"count:EVENT:P",        "count:{pinned}:{percent}", 1, GENERAL, CUTS_NONE, NULL},
    {"noise:EVENT:P, K-M",   "noise:{pinned}:{more} lies:{windows}", 1, GENERAL, CUTS_NONE, NULL},
    {"counter:N:P, K-K",     "counter:{counter}:{percent} lies:{single}", 1, GENERAL, CUTS_NONE, NULL},
    {"counter:N:P, K-M",     "counter:{counter}:{percent} lies:{windows}", 2, GENERAL, CUTS_NONE, NULL},
    {"counter:N:P",          "counter:{counter}:{percent}", 1, GENERAL, CUTS_NONE, NULL},
    {"fixed:N:P",            "fixed:{fixed}:{percent}", 1, GENERAL, CUTS_NONE, NULL},
    {"pmi:lost, spurious",   "pmi:lost", 1, GENERAL, CUTS_NONE, NULL},
    {"pmi:lost, spurious",   "pmi:spurious", 1, GENERAL, CUTS_NONE, NULL},
    {"pmi:stuck",            "pmi:stuck", 1, GENERAL, CUTS_NONE, NULL},
    {"serial:garble, drop",  "serial:garble", 1, SERIAL, CUTS_SERIAL, NULL},
    {"serial:garble, drop",  "serial:drop", 1, SERIAL, CUTS_SERIAL, NULL},
    {"stick:full, room:K",   "stick:room:{room}", 1, NULL, CUTS_STICK, NULL},
    {"stick:error",          "stick:error", 1, NULL, CUTS_STICK, NULL},
    {"stick:rename",         "stick:rename", 1, NULL, CUTS_NONE, NULL},
};
const size_t class_count = sizeof(classes) / sizeof(classes[0]);
/* clang-format on */

static bool has_word(const char *words, const char *word, size_t length)
{
    for (const char *at = words; (at = strstr(at, word)) != NULL; at++)
        if ((at == words || at[-1] == ' ') && (at[length] == 0 || at[length] == ' '))
            return true;
    return false;
}

const struct base *find_base(const char *name, size_t length)
{
    for (size_t i = 0; i < base_count; i++)
        if (strlen(bases[i].name) == length && memcmp(bases[i].name, name, length) == 0)
            return &bases[i];
    return NULL;
}

bool class_has_base(const struct fault_class *class, const struct base *base)
{
    return class->bases == NULL || has_word(class->bases, base->name, strlen(base->name));
}
