/* What a run is asked to do, and questions about it. Pure. doc/configuration.md says what each key
 * means. */
#ifndef HARNESS_CONFIGURE_CONFIG_H
#define HARNESS_CONFIGURE_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "boot/log.h"
#include "boot/machine/cores.h"
#include "boot/machine/machine.h"
#include "boot/machine/pmi.h"
#include "pmu/description.h"

#define CONFIG_DUTY_STEP    10u
#define CONFIG_PATTERNS     32
#define CONFIG_PATTERN      48
#define CONFIG_NODES        32
#define CONFIG_LEVELS       6
#define CONFIG_EVENTS       16
#define CONFIG_FILE         "slotscope.cfg"
#define CONFIG_FILE_LIMIT   (1024u * 1024u)
#define CONFIG_REPEATS_MAX  101u
#define CONFIG_SCALE_MAX    1000000u
#define CONFIG_ROUNDS_MAX   1000000000u
#define CONFIG_WINDOW_MAX   10000u /* microseconds */
#define CONFIG_PERIOD_MAX   1000000000u
#define CONFIG_JITTER_MAX   65535u
#define CONFIG_TIMELINE_MAX 2000u
#define CONFIG_SAMPLES_MAX  1000000000u
#define CONFIG_SAMPLES_AUTO UINT32_MAX
#define CONFIG_OVERHEADS    8
#define CONFIG_OVERHEAD_MAX 100000000u

/* Where a value was read, for complaints that need more than the reader knows (a kernel that does
 * not exist). */
struct config_place {
    const char *file; /* null: the value is the default */
    uint32_t line, column;
};

/* An event that is counted beside what the nodes need, as it was written: a name, or register
 * values (harness/plan/asked_events.h). */
struct config_event {
    char text[DESCRIPTION_NAME];
    struct config_place place;
};

struct config {
    char kernels[CONFIG_PATTERNS][CONFIG_PATTERN]; /* names; a last `*` means any rest,
                                                      a first `!` none of them */
    unsigned kernel_count;
    struct config_place kernels_place;
    bool all_cores;
    uint64_t cores[CORES_MAX / 64]; /* bit n: core n, when not all_cores */
    struct config_place cores_place;
    unsigned levels; /* of Topdown, 1..CONFIG_LEVELS; with `drill` the deepest there is */
    struct config_place levels_place;
    bool drill; /* levels = auto: from each node over its threshold to its children */
    char nodes[CONFIG_NODES][DESCRIPTION_NAME]; /* with the nodes above them */
    unsigned node_count;
    struct config_place nodes_place;
    char explain[CONFIG_NODES][DESCRIPTION_NAME]; /* nodes to be explained, measured too */
    unsigned explain_count;
    struct config_place explain_place;
    struct config_event events[CONFIG_EVENTS];
    unsigned event_count;
    uint32_t rounds;            /* of the whole run, 1..CONFIG_ROUNDS_MAX; 0: until ESC */
    unsigned repeats;           /* odd, 1..CONFIG_REPEATS_MAX; 0: auto, until config_settle */
    unsigned warmup;            /* pairs of windows (n, 2n) thrown away first, 0..1000 */
    uint32_t scale;             /* multiplies iterations, 1..CONFIG_SCALE_MAX; 0: likewise */
    uint32_t window_us;         /* a window lasts at least that long; 0: as `scale` says */
    char cpu[DESCRIPTION_NAME]; /* description to use, "" by signature */
    struct config_place cpu_place;
    bool serial, serial_port_set;
    uint16_t serial_port;
    uint32_t baud; /* 0: as found */
    bool screen;
    char log[32];                     /* file name in \slotscope\, "" none */
    enum log_form detail, log_detail; /* what the serial line and the file get */
    enum machine_end end;
    bool exclusive, parallel;
    bool ring_3; /* kernels run there while they are measured, else in ring 0 */
    struct config_place ring_place;
    bool remote;                  /* arenas in another node's memory than the core's */
    bool turbo_off, prefetch_off; /* else as the firmware left them */
    bool multiplex;
    bool both;            /* PERF_METRICS and counters, for the nodes that have formulas for both */
    bool precision;       /* curves of PERF_METRICS by the time since the reset */
    bool pebs;            /* kernels with known causes are sampled by PEBS too */
    bool help;            /* the log lists the keys, and nothing is measured */
    bool skid;            /* kernels whose cause is known show each method's skid */
    uint64_t interval_us; /* 0: no intervals */
    struct config_place interval_place;
    unsigned intervals;           /* 1..1000 */
    char sibling[CONFIG_PATTERN]; /* the kernel that sibling threads are loaded with, "" none */
    struct config_place sibling_place;
    /* The sibling halts for the rest of the time, in turn for each duty from the first to the last;
     * both 0: it never halts. */
    struct config_duty {
        unsigned first, last; /* per cent, in steps of CONFIG_DUTY_STEP */
    } duty;
    struct config_place duty_place;
    /* Of each kernel that has a map, and series: 0..CONFIG_SAMPLES_MAX; CONFIG_SAMPLES_AUTO: as
     * many as its map needs. */
    uint32_t samples;
    uint32_t period; /* cycles from sample to sample, 1..CONFIG_PERIOD_MAX */
    uint32_t jitter; /* 0..CONFIG_JITTER_MAX: up to so many cycles are added to each period */
    uint32_t seed;   /* of these */
    enum pmi_delivery delivery;
    char timeline[CONFIG_PATTERN]; /* the kernel that is observed cycle by cycle, "" none */
    struct config_place timeline_place;
    unsigned timeline_cycles;            /* 1..CONFIG_TIMELINE_MAX, at most so many cycles of it */
    uint32_t overhead[CONFIG_OVERHEADS]; /* periods of the overhead table, in cycles */
    unsigned overhead_count;             /* 0: no overhead table */
    unsigned page_shift;                 /* 12, 21, 30 */
    unsigned timeout;                    /* seconds a kernel may take on a core, 1..3600 */
};

/* Gives every key its default value. */
void config_defaults(struct config *config);
/* Decides what is `auto` once it is known where the image runs. On silicon: windows of 100 us, in
 * which what one interrupted or mistrained branch costs is little, and nine of them, of which the
 * median outvotes four. emulated: one window is as good as another, and time is dear. */
void config_settle(struct config *config, bool emulated);
bool config_wants_core(const struct config *config, unsigned core);
/* Whether `pattern` (a name, or the start of names and `*`) covers `name`. */
bool config_pattern_covers(const char *pattern, const char *name);
/* Whether any pattern covers the kernel. */
bool config_wants_kernel(const struct config *config, const char *name);
/* Whether a pattern other than `*` covers the kernel. */
bool config_names_kernel(const struct config *config, const char *name);
/* The options for machine_take; they point into *config. */
struct machine_options config_machine(const struct config *config);

#endif
