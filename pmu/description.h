/* A CPU description: what a `.def` file says, parsed. Pure: files of the image and of the stick are
 * parsed alike. pmu/parse/parse.h reads the text. */
/* clang-format off */
/* One statement a line. `#` starts a comment unless a letter follows directly: then `#` is part of a
 * name such as #SMT_on.
 *
 *   cpu NAME                  first statement: the file's name without .def
 *   like OTHER                second statement: inherit all of OTHER except signatures, tables and
 *                             errata
 *   without NAME ...          drop these inherited events, parameters, nodes and lets
 *   alias NAME OTHER          what kernels and experiments call NAME is the event or node OTHER, and is
 *                             printed under that name
 *   signature [VENDOR] 06_55[-5f] [stepping 0-4] [core 0x40 [native 0x3]] ...
 *                             VENDOR: the word of a kind of counters (struct pmu_kind), none for Intel's;
 *                             display family and model in hexadecimal, or first and last model of a
 *                             range; core type and native model of
 *                             CPUID leaf 1AH (`core 0x40` is also a core that states none, unless it
 *                             is a guest's); several signatures a line, or several lines
 *   table KEY ...             the vendor's tables that this file restates, by their directories' names
 *   width N                   issue slots per cycle; also defines the parameter `width`
 *   event NAME CODE umask UMASK [umask2 N] [cmask N] [edge] [inv] [any] [eq] [counters 0-3 | 0,2]
 *         [msr ADDRESS VALUE] [alone] [fixed N] [architectural BIT]
 *                             fixed: counted by that fixed counter, and by a general counter too
 *                             unless CODE is `-`;
 *                             msr: the value of that register selects what is counted; where either of
 *                             two registers will do (0x1a6,0x1a7), CODE (0xb7,0xbb) or UMASK
 *                             (0x01,0x02) selects the register;
 *                             alone: no other general counter can count at the same time
 *                             kinds of counters with events of their own have statements of their own
 *                             (statements.h of their rooms)
 *   metric NAME FIELD         a name for byte FIELD (0 to 7) of PERF_METRICS
 *   slots NAME                a name for fixed counter 3 when it is read together with PERF_METRICS
 *   outside NAME WHY          a value of the vendor's formulas that no counter of a core counts, and why
 *   let NAME = FORMULA        a part of other formulas, under a name
 *   parameter NAME VALUE      a number for kernels and formulas: l1_latency, #SMT_on, ...
 *   node NAME level N [parent NODE] = FORMULA [above X | below X] [or NODE] [& parent]
 *                             the node is flagged when its own value passes the threshold, or when the
 *                             value of the node after `or` passes that node's threshold; with
 *                             `& parent` only if the parent is flagged too
 *   topdown METHOD levels N   METHOD is formula, perf_metrics or the name of a kind of
 *                             counters, whose formulas are not Intel's; or `topdown none`. CODE of the
 *                             events that follow may be as high as that kind's event selects
 *   lbr KIND                  the last-branch stack: a row of a kind of counters (intel/lbr_rows.c), or none
 *   pebs KIND                 a row of a kind of counters (intel/pebs_rows.c), or none
 *   erratum NAME EVENT[,EVENT...] TEXT
 *   prime VALUE VALUE VALUE VALUE
 *                             before counters are selected, these go into IA32_PERFEVTSEL0 to 3 and are
 *                             enabled once (32 bits each); or `prime none`
 *   leaks CODE...             events of these codes (at most 4) also count in the sibling thread's
 *                             counter of the same number, if that one counts; or `leaks none`
 *   refuse EVENT WHY          the event, which is stated above, is not counted, since its counts would
 *                             be wrong: why
 *   speculative NAME ...      what these events count includes uops that never retire. NAME is an
 *                             event that is stated above, or the part before the `.` of several.
 *                             The parameter `rob` says how many such uops one branch can lead to
 *   unpinned NAME[,NAME...] WHY
 *                             no kernel knows what these events must count: why, in at most 100 bytes.
 *                             NAME as of `speculative`; of several statements the last one holds. An
 *                             event with a counter mask and without `edge` counts cycles and needs none
 *
 * A formula may modify an event: NAME:c2:e1 is the event NAME with other fields. Modifiers are :cN
 * counter mask, :eN edge, :iN invert, :eqN equal, :uN unit mask, :SUP ring 0 only, :USER other rings
 * only, :ocr_msr_val=N value of the event's register, :retire_latency mean latency at retirement,
 * :percore sum over the core's threads. No counter counts the last two. An event of a kind
 * of its own has that kind's.
 *
 * Numbers are decimal, or hexadecimal with 0x. A name belongs to one event, one parameter, one node or
 * one `let`, and is defined once in a file; a file that inherits the name may define it again. */
/* clang-format on */
#ifndef PMU_DESCRIPTION_H
#define PMU_DESCRIPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "facts.h"
#include "lbr_kind.h"
#include "pebs_kind.h"
#include "pmu/formula/formula_evaluate.h"
#include "symbols.h"

#define DESCRIPTION_NAME        (FORMULA_NAME + 1) /* with the 0 that ends it */
#define DESCRIPTION_FILE_LIMIT  (1024u * 1024u)
#define DESCRIPTION_CHAIN       8 /* files in a chain of `like` */
#define DESCRIPTION_TABLES      4
#define DESCRIPTION_STATEMENTS  4096 /* of one kind, inherited statements included */
#define DESCRIPTION_DEPTH       32 /* nodes in a chain in which each formula names the next node */
#define DESCRIPTION_SPECULATIVE 24 /* names, inherited ones included */
#define DESCRIPTION_COST        100000 /* steps to evaluate a node and all nodes that it names */

enum event_kind {
    EVENT_GENERAL,
    EVENT_FIXED,
    EVENT_METRIC,
    EVENT_SLOTS,
    EVENT_OUTSIDE,
    EVENT_MASKED, /* of a kind of counters of its own, with masks that are to be named */
    EVENT_NAMED   /* the same with named masks */
};
enum event_rings { RINGS_ALL, RINGS_KERNEL, RINGS_USER };

struct pmu_kind;

struct event {
    char name[DESCRIPTION_NAME];
    enum event_kind kind; /* EVENT_FIXED: on its fixed counter where there is one */
    bool encodable;       /* code and umask are given: a general counter can count it */
    uint16_t code;
    uint8_t umask, umask2, cmask;
    bool edge, inv, any, eq;
    uint8_t rings;      /* enum event_rings */
    uint32_t msr;       /* the register that selects what is counted; 0: none */
    uint64_t msr_value; /* the value to write there */
    struct {
        uint16_t code;
        uint8_t umask;
        uint32_t msr;     /* 0: there is no second register */
    } second;             /* the same event, selected by a second register */
    bool alone;           /* no other general counter can count at the same time */
    const char *why;      /* EVENT_OUTSIDE: why no counter counts it */
    uint32_t counters;    /* bit n: general counter n can count it; all ones when unrestricted */
    uint8_t fixed;        /* EVENT_FIXED: number of the fixed counter */
    uint8_t field;        /* EVENT_METRIC: byte of PERF_METRICS */
    int8_t architectural; /* the bit of CPUID 0AH:EBX that must be clear; -1: none */
    /* EVENT_MASKED and EVENT_NAMED: whose event it is, and what that kind keeps of it. */
    const struct pmu_kind *by;
    const void *own;
    /* EVENT_NAMED: event and masks, as its kind reads them, on each of the two logical processors
     * of a core; null: the name says them. Or register values instead of masks; null: none. */
    const char *selects[2];
    const void *values;
    const char *note; /* what is to be known of its counts; null: nothing */
};

struct parameter {
    char name[DESCRIPTION_NAME];
    double value;
};

/* A node, or a `let` (level 0). The file may define a parent after its children. */
struct node {
    char name[DESCRIPTION_NAME];
    unsigned level;
    int parent; /* index into nodes; -1: none */
    struct formula formula;
    enum { NODE_NO_THRESHOLD, NODE_ABOVE, NODE_BELOW } threshold_kind;
    double threshold;
    int threshold_or;      /* index of the node after `or`, which has a threshold; -1: none */
    bool threshold_parent; /* `& parent`: flagged only if the parent is flagged */
};

/* A named error of the hardware: the counts of these events cannot be trusted. */
struct erratum {
    char name[DESCRIPTION_NAME];
    const struct event **events;
    unsigned event_count;
    const char *text;
};

/* Why no kernel pins these events. */
struct unpinned {
    const char *names; /* separated by commas: an event, or the part of its name before the `.` */
    const char *why;
};
#define DESCRIPTION_UNPINNED 100 /* bytes of `why` */

struct signature {
    const char *vendor; /* of struct pmu_kind; null: Intel */
    uint32_t family, model, model_last, stepping_low, stepping_high;
    uint32_t core_type, native_model; /* 0: any */
};

/* Another name of an event or node. */
struct alias {
    char name[DESCRIPTION_NAME], of[DESCRIPTION_NAME];
};

enum topdown_method {
    TOPDOWN_NONE,
    TOPDOWN_FORMULA, /* the vendor's */
    TOPDOWN_PERF_METRICS,
    TOPDOWN_OWN /* formulas over the counters of the description's `kind` */
};

struct description {
    char name[DESCRIPTION_NAME];
    char file[DESCRIPTION_NAME]; /* the file's name, for messages */
    bool from_stick;             /* it, or one that it inherits from */
    unsigned width;
    enum topdown_method method;
    const struct pmu_kind *kind; /* TOPDOWN_OWN: whose counters they are of; else null */
    unsigned levels;
    const struct lbr_kind *lbr;   /* null: none */
    const struct pebs_kind *pebs; /* null: none */
    struct signature *signatures;
    unsigned signature_count;
    struct {
        char name[16];
    } tables[DESCRIPTION_TABLES]; /* keys of the vendor's tables that the file restates */
    unsigned table_count;
    struct event *events;
    unsigned event_count;
    struct alias *aliases;
    unsigned alias_count;
    struct parameter *parameters;
    unsigned parameter_count;
    struct node *nodes; /* in file order, inherited nodes first; a redefined node keeps its place */
    unsigned node_count;
    struct erratum *errata;
    unsigned erratum_count;
    struct {
        char name[DESCRIPTION_NAME];
    } speculative[DESCRIPTION_SPECULATIVE]; /* an event, or the part of its name before the `.` */
    unsigned speculative_count;
    struct unpinned *unpinned; /* in file order, inherited ones first */
    unsigned unpinned_count;
    struct quirks quirks;
    struct symbols symbols; /* the names of events, parameters and nodes */
};

/* An error in a description or configuration: where, what is wrong, what was expected instead. */
struct complaint {
    char file[DESCRIPTION_NAME];
    uint32_t line, column; /* from 1 */
    char message[160];
    char expected[400];
};

/* Texts of descriptions by name. `text` returns null when there is no description of that name. */
struct description_library {
    void *context;
    const char *(*text)(void *context, const char *name, size_t *size, bool *from_stick);
};

/* Returns the symbol of that name; kind SYMBOL_NONE when the description does not define the name.
 * No search is needed when `name` points to the name inside an event, node or parameter of it. */
struct symbol description_symbol(const struct description *description, const char *name);
/* Returns the event that holds this very name, as names in formulas of nodes do; else null. */
static inline const struct event *description_event_at(const struct description *description,
                                                       const char *name)
{
    const size_t offset = (size_t)((uintptr_t)name - (uintptr_t)description->events);

    return offset < description->event_count * sizeof(struct event) &&
                   offset % sizeof(struct event) == 0
               ? &description->events[offset / sizeof(struct event)]
               : NULL;
}
/* Return what has that name, null when nothing of that kind has it. */
const struct event *description_event(const struct description *description, const char *name);
const struct node *description_node(const struct description *description, const char *name);
/* The name under which what has that name is printed: of an alias that of its event or node. */
const char *description_name(const struct description *description, const char *name);
/* Whether `name` is the event's, modifiers left out, or what stands before the `.` in it. */
bool event_is_of(const struct event *event, const char *name);
/* Whether the event counts uops, or what uops do, that never retire; and whether the formula names
 * such an event. */
bool description_speculates(const struct description *description, const struct event *event);
bool description_is_speculative(const struct description *description,
                                const struct formula *formula);
/* Why no kernel pins the event's count; null: one does, or nothing is known. */
const char *description_unpinned(const struct description *description, const struct event *event);
/* The event that counts the branches that lead to such uops. */
#define MISPREDICTED_BRANCHES "BR_MISP_RETIRED.ALL_BRANCHES"
#define TAKEN_BRANCHES        "BR_INST_RETIRED.NEAR_TAKEN"
/* Where no event counts retired taken branches alone: executed ones, which may never retire, and
 * those of them that are mispredicted. */
#define TAKEN_EXECUTED             "BR_INST_EXEC.TAKEN"
#define TAKEN_MISPREDICTS_EXECUTED "BR_MISP_EXEC.TAKEN"
/* From a mispredicted branch, or a clear, to the first uop behind it: both together. */
#define RECOVERY_CYCLES      "INT_MISC.RECOVERY_CYCLES"
#define CLEAR_RESTEER_CYCLES "INT_MISC.CLEAR_RESTEER_CYCLES"
#define MACHINE_CLEARS       "MACHINE_CLEARS.COUNT"
const struct parameter *description_parameter(const struct description *description,
                                              const char *name);
/* Writes the names of the errata that list the event, or the event that it modifies (NAME of
 * NAME:c1), separated by blanks; what has no room is left out. Returns how many there are. */
#define DESCRIPTION_ERRATA 64
unsigned description_errata(const struct description *description, const struct event *event,
                            char out[DESCRIPTION_ERRATA]);
/* Why no event of the description is one of this core's: its counters are of another vendor. Null:
 * they may be. Events without a signature are Intel's. */
const char *description_foreign(const struct description *description, const struct facts *facts);
/* Returns whether one of the signatures matches the core; false for cores of which no kind of
 * counters is known. */
bool description_matches(const struct description *description, const struct facts *facts);

#endif
