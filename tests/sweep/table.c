#include "table.h"

#include <string.h>

#define PINNED "BR_INST_RETIRED.ALL_BRANCHES MEM_INST_RETIRED.ALL_LOADS"
#define SKYLAKE_EVENTS                                                                             \
    PINNED " IDQ_UOPS_NOT_DELIVERED.CORE UOPS_ISSUED.ANY UOPS_RETIRED.RETIRE_SLOTS "               \
           "INT_MISC.RECOVERY_CYCLES BR_MISP_RETIRED.ALL_BRANCHES"
#define ICELAKE_EVENTS PINNED " BR_MISP_RETIRED.ALL_BRANCHES CYCLE_ACTIVITY.STALLS_TOTAL"

/* clang-format off */
const struct base bases[] = {
    {"skylakex-l1", "--cpu skylakex --cores 1", "kernels=prog.search levels=1 repeats=3 screen=no", 8, SKYLAKE_EVENTS, PINNED},
    {"skylakex-l2", "--cpu skylakex --cores 1", "kernels=prog.search levels=2 repeats=9", 1, SKYLAKE_EVENTS, PINNED},
    {"icelakex-l2", "--cpu icelakex --cores 1", "kernels=prog.search levels=2 repeats=3 screen=no", 6, ICELAKE_EVENTS, PINNED},
    {"prescott", "--cpu prescott --cores 1", "kernels=ret.nop levels=1 repeats=3 screen=no", 1, "", ""},
    {"two-cores", "--cpu icelakex --cores 2", "kernels=ret.nop levels=1 repeats=3 screen=no", 3, ICELAKE_EVENTS, PINNED},
    {"two-threads", "--cpu icelakex --cores 1 --smt", "kernels=ret.nop levels=1 repeats=3 screen=no", 1, ICELAKE_EVENTS, PINNED},
    {"stick-only", "--cpu icelakex --cores 1", "kernels=ret.nop levels=1 repeats=3 serial=none", 4, ICELAKE_EVENTS, PINNED},
    {"sampling", "--cpu skylakex --cores 1", "kernels=cpi.latency samples=60 levels=1 repeats=3 screen=no", 2, SKYLAKE_EVENTS, PINNED},
    {"pebs", "--cpu icelakex --cores 1", "kernels=pebs.loads pebs=yes levels=1 repeats=3 screen=no", 2, ICELAKE_EVENTS, PINNED},
    {"intervals", "--cpu skylakex --cores 1", "kernels=be.mem.l2 levels=1 interval=50us intervals=4 repeats=3 screen=no", 1, SKYLAKE_EVENTS, PINNED},
    {"multiplex", "--cpu skylakex --cores 1", "kernels=ret.nop levels=2 multiplex=yes repeats=3 screen=no", 1, SKYLAKE_EVENTS, PINNED},
    {"timeline", "--cpu skylakex --cores 1", "kernels=ret.nop levels=1 timeline=ret.nop timeline_cycles=60 repeats=3 screen=no", 2, SKYLAKE_EVENTS, PINNED},
    {"rounds", "--cpu skylakex --cores 1", "kernels=ret.nop levels=1 loop=3 repeats=3 screen=no", 2, SKYLAKE_EVENTS, PINNED},
    {"sibling", "--cpu icelakex --cores 1 --smt", "kernels=ret.nop levels=1 sibling=ret.nop repeats=3 screen=no", 1, ICELAKE_EVENTS, PINNED},
    {"both", "--cpu icelakex --cores 1", "kernels=be.mem.l2 levels=2 both=yes repeats=3 screen=no", 2, ICELAKE_EVENTS, PINNED},
    {"branches", "--cpu haswell --cores 1", "kernels=lbr.calls levels=1 repeats=3 screen=no", 2, "", ""},
};
const size_t base_count = sizeof(bases) / sizeof(bases[0]);

#define GENERAL "skylakex-l1 skylakex-l2 icelakex-l2 two-cores two-threads stick-only sampling pebs intervals multiplex timeline rounds sibling both branches"
#define SERIAL "skylakex-l1 skylakex-l2 icelakex-l2 prescott two-cores two-threads sampling pebs intervals multiplex timeline rounds sibling both branches"
#define SAMPLED "sampling pebs"
#define SKYLAKE "skylakex-l1 skylakex-l2 sampling intervals multiplex timeline rounds"
#define ICELAKE "icelakex-l2 two-cores two-threads stick-only pebs sibling both"
#define PAIRS   "two-cores two-threads sibling"
/* A sibling that is loaded works while it waits, and the rig does not get through 60 s of that. */
#define ALIVE   "two-cores two-threads"

const struct fault_class classes[] = {
    {"msr:K",                          "msr:{msr}",                                   1, NULL, CUTS_NONE, "full_width_write perf_metrics", MACHINE_SAME},
    {"rdmsr:K:gp",                     "rdmsr:{rdmsr}:gp",                            2, NULL, CUTS_NONE, "full_width_write perf_metrics", MACHINE_SAME},
    {"rdmsr:K:flip:BIT",               "rdmsr:{rdmsr}:flip:{bit}",                    3, NULL, CUTS_NONE, NULL, MACHINE_SAME},
    {"wrmsr:K:gp",                     "wrmsr:{wrmsr}:gp",                            2, NULL, CUTS_NONE, NULL, MACHINE_SAME},
    {"wrmsr:K:lost",                   "wrmsr:{wrmsr}:lost",                          4, NULL, CUTS_NONE, NULL, MACHINE_SAME},
    {"wrmsr:K:flip:BIT",               "wrmsr:{wrmsr}:flip:{bit}",                    3, NULL, CUTS_NONE, NULL, MACHINE_SAME},
    {"rdpmc:K:flip:BIT",               "rdpmc:{rdpmc}:flip:{bit}",                    4, NULL, CUTS_NONE, NULL, MACHINE_SAME},
    {"gone:MSR",                       "gone:{register}",                             2, NULL, CUTS_NONE, "full_width_write method perf_metrics", MACHINE_LESS},
    {"msr:unguarded",                  "msr:unguarded",                               1, NULL, CUTS_NONE, NULL, MACHINE_SAME},
    {"counter:N:stuck:K-M",            "counter:{counter}:stuck:{windows}",           2, GENERAL, CUTS_NONE, NULL, MACHINE_SAME},
    {"counter:N:plus1:K-M",            "counter:{counter}:plus1:{windows}",           1, GENERAL, CUTS_NONE, NULL, MACHINE_SAME},
    {"counter:N:double:K-M",           "counter:{counter}:double:{windows}",          2, GENERAL, CUTS_NONE, NULL, MACHINE_SAME},
    {"counter:N:low16/low32:K-M",      "counter:{counter}:low16:{windows}",           1, GENERAL, CUTS_NONE, NULL, MACHINE_SAME},
    {"counter:N:low16/low32:K-M",      "counter:{counter}:low32:{windows}",           1, GENERAL, CUTS_NONE, NULL, MACHINE_SAME},
    {"counter:N:P, one window",        "counter:{counter}:{percent} lies:{single}",   1, GENERAL, CUTS_NONE, NULL, MACHINE_SAME},
    {"counter:N:P, windows K-M",       "counter:{counter}:{percent} lies:{windows}",  2, GENERAL, CUTS_NONE, NULL, MACHINE_SAME},
    {"counter:N:P",                    "counter:{counter}:{percent}",                 1, GENERAL, CUTS_NONE, NULL, MACHINE_SAME},
    {"fixed:N:stuck:K-M",              "fixed:{fixed}:stuck:{windows}",               1, GENERAL, CUTS_NONE, NULL, MACHINE_SAME},
    {"fixed:N:plus1/double:K-M",       "fixed:{fixed}:plus1:{windows}",               1, GENERAL, CUTS_NONE, NULL, MACHINE_SAME},
    {"fixed:N:plus1/double:K-M",       "fixed:{fixed}:double:{windows}",              1, GENERAL, CUTS_NONE, NULL, MACHINE_SAME},
    {"fixed:N:low16/low32:K-M",        "fixed:{fixed}:low16:{windows}",               1, GENERAL, CUTS_NONE, NULL, MACHINE_SAME},
    {"fixed:N:low16/low32:K-M",        "fixed:{fixed}:low32:{windows}",               1, GENERAL, CUTS_NONE, NULL, MACHINE_SAME},
    {"fixed:N:P, windows K-M",         "fixed:{fixed}:{percent} lies:{windows}",      1, GENERAL, CUTS_NONE, NULL, MACHINE_SAME},
    {"fixed:N:P",                      "fixed:{fixed}:{percent}",                     1, GENERAL, CUTS_NONE, NULL, MACHINE_SAME},
    {"count:EVENT:P, one window",      "count:{event}:{percent} lies:{single}",       2, GENERAL, CUTS_NONE, NULL, MACHINE_SAME},
    {"count:EVENT:P, windows K-M",     "count:{pinned}:{percent} lies:{windows}",     2, GENERAL, CUTS_NONE, NULL, MACHINE_SAME},
    {"count:EVENT:P",                  "count:{pinned}:{percent}",                    1, GENERAL, CUTS_NONE, NULL, MACHINE_SAME},
    {"noise:EVENT:P, windows K-M",     "noise:{pinned}:{more} lies:{windows}",        1, GENERAL, CUTS_NONE, NULL, MACHINE_SAME},
    {"tsx",                            "tsx",                                         1, SKYLAKE, CUTS_NONE, "counters_kept", MACHINE_SAME},
    {"metrics:down/up",                "metrics:down",                                1, ICELAKE, CUTS_NONE, NULL, MACHINE_ROUNDS},
    {"metrics:down/up",                "metrics:up",                                  1, ICELAKE, CUTS_NONE, NULL, MACHINE_ROUNDS},
    {"nmi:window/turn:K",              "nmi:window:{window}",                         2, NULL, CUTS_NONE, NULL, MACHINE_SAME},
    {"nmi:window/turn:K",              "nmi:turn:{turn}",                             1, NULL, CUTS_NONE, NULL, MACHINE_SAME},
    {"mce:window/turn:K",              "mce:window:{window}",                         1, NULL, CUTS_NONE, NULL, MACHINE_SAME},
    {"mce:window/turn:K",              "mce:turn:{turn}",                             1, NULL, CUTS_NONE, NULL, MACHINE_SAME},
    {"ud:window/turn:K",               "ud:window:{window}",                          1, NULL, CUTS_NONE, NULL, MACHINE_SAME},
    {"ud:window/turn:K",               "ud:turn:{turn}",                              1, NULL, CUTS_NONE, NULL, MACHINE_SAME},
    {"bp:window/turn:K",               "bp:window:{window}",                          1, NULL, CUTS_NONE, NULL, MACHINE_SAME},
    {"bp:window/turn:K",               "bp:turn:{turn}",                              1, NULL, CUTS_NONE, NULL, MACHINE_SAME},
    {"smi-at:K",                       "smi-at:{window}",                             1, NULL, CUTS_NONE, NULL, MACHINE_SAME},
    {"smi-at:K:hidden",                "smi-at:{window}:hidden",                      2, NULL, CUTS_NONE, NULL, MACHINE_SAME},
    {"smi:RATE/RATE:SEED",             "smi:{rate}:{seed}",                           1, GENERAL, CUTS_NONE, NULL, MACHINE_SAME},
    {"smi:RATE/RATE:SEED",             "smi:{rate}",                                  1, GENERAL, CUTS_NONE, NULL, MACHINE_SAME},
    {"bank:B:K",                       "bank:{bank}:{window}",                        1, NULL, CUTS_NONE, NULL, MACHINE_SAME},
    {"tsc:skew:CORE:TICKS",            "tsc:skew:{processor}:{ticks}",                1, NULL, CUTS_NONE, NULL, MACHINE_SAME},
    {"tsc:step:CORE:TICKS:K",          "tsc:step:{processor}:{ticks}:{core-window}",  2, NULL, CUTS_NONE, NULL, MACHINE_SAME},
    {"clock:SEED",                     "clock:{seed}",                                1, NULL, CUTS_NONE, NULL, MACHINE_SAME},
    {"throttle",                       "throttle",                                    1, NULL, CUTS_NONE, NULL, MACHINE_SAME},
    {"slow:MHZ",                       "slow:{mhz}",                                  1, NULL, CUTS_NONE, NULL, MACHINE_SAME},
    {"exits:SEED",                     "exits:{seed}",                                1, NULL, CUTS_NONE, NULL, MACHINE_OTHER},
    {"wrongpath:SEED",                 "wrongpath:{seed}",                            1, NULL, CUTS_NONE, NULL, MACHINE_OTHER},
    {"pmi:lost/spurious/half-lost",    "pmi:lost",                                    1, SAMPLED, CUTS_NONE, NULL, MACHINE_SAME},
    {"pmi:lost/spurious/half-lost",    "pmi:spurious",                                1, SAMPLED, CUTS_NONE, NULL, MACHINE_SAME},
    {"pmi:lost/spurious/half-lost",    "pmi:half-lost",                               1, SAMPLED, CUTS_NONE, NULL, MACHINE_SAME},
    {"pmi:all-lost",                   "pmi:all-lost",                                1, SAMPLED, CUTS_NONE, NULL, MACHINE_SAME},
    {"pmi:stuck/storm",                "pmi:stuck",                                   1, SAMPLED, CUTS_NONE, NULL, MACHINE_SAME},
    {"pmi:stuck/storm",                "pmi:storm",                                   1, SAMPLED, CUTS_NONE, NULL, MACHINE_SAME},
    {"uefi:K",                         "uefi:{uefi}",                                 2, NULL, CUTS_NONE, NULL, MACHINE_SAME},
    {"uefi:K-",                        "uefi:{uefi}-",                                1, NULL, CUTS_STICK, NULL, MACHINE_SAME},
    {"uefi:CALL:K",                    "uefi:{service}",                              3, NULL, CUTS_NONE, NULL, MACHINE_SAME},
    {"uefi:CALL:K-",                   "uefi:{service}-",                             2, NULL, CUTS_STICK, NULL, MACHINE_SAME},
    {"firmware-memory:K",              "firmware-memory:{uefi}",                      1, NULL, CUTS_NONE, NULL, MACHINE_SAME},
    {"stick:short:K",                  "stick:short:{stick}",                         2, NULL, CUTS_NONE, NULL, MACHINE_SAME},
    {"stick:lost:K",                   "stick:lost:{stick}",                          2, NULL, CUTS_NONE, NULL, MACHINE_SAME},
    {"stick:pulled:K",                 "stick:pulled:{stick}",                        2, NULL, CUTS_STICK, NULL, MACHINE_SAME},
    {"stick:full/room:K",              "stick:room:{room}",                           1, NULL, CUTS_STICK, NULL, MACHINE_SAME},
    {"stick:full/room:K",              "stick:full",                                  1, NULL, CUTS_STICK, NULL, MACHINE_SAME},
    {"stick:largest:K",                "stick:largest:{room}",                        1, NULL, CUTS_STICK, NULL, MACHINE_SAME},
    {"stick:error",                    "stick:error",                                 1, NULL, CUTS_STICK, NULL, MACHINE_SAME},
    {"stick:rename",                   "stick:rename",                                1, NULL, CUTS_NONE, NULL, MACHINE_SAME},
    {"uart:never:K",                   "uart:never:{uart}",                           1, SERIAL, CUTS_SERIAL, NULL, MACHINE_SAME},
    {"uart:never:K",                   "uart:never",                                  1, SERIAL, CUTS_SERIAL, NULL, MACHINE_SAME},
    {"uart:ff:K",                      "uart:ff:{uart}",                              1, SERIAL, CUTS_SERIAL, NULL, MACHINE_SAME},
    {"uart:ff:K",                      "uart:ff",                                     1, SERIAL, CUTS_SERIAL, NULL, MACHINE_SAME},
    {"uart:stall:MS:EVERY",            "uart:stall:{stall}",                          1, SERIAL, CUTS_NONE, NULL, MACHINE_SAME},
    {"serial:garble/drop",             "serial:garble",                               1, SERIAL, CUTS_SERIAL, NULL, MACHINE_SAME},
    {"serial:garble/drop",             "serial:drop",                                 1, SERIAL, CUTS_SERIAL, NULL, MACHINE_SAME},
    {"ap:N",                           "ap:1",                                        1, PAIRS, CUTS_NONE, NULL, MACHINE_SAME},
    {"ap-late:N",                      "ap-late:1",                                   1, PAIRS, CUTS_NONE, NULL, MACHINE_SAME},
    {"stuck:N:K:END",                  "stuck:1:{core-window}:{end}",                 1, ALIVE, CUTS_NONE, NULL, MACHINE_SAME},
    {"lesser:N",                       "lesser:1",                                    1, PAIRS, CUTS_NONE, "capabilities fixed_counters full_width_write general_counters method perf_metrics", MACHINE_OTHER},
    {"triple:K",                       "triple:{cr3}",                                1, NULL, CUTS_RUN, NULL, MACHINE_SAME},
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
