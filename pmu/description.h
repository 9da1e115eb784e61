/* A CPU description: what a `.def` file says, parsed. Pure; the same parser serves files in the
 * image and on the stick. */
/* clang-format off */
/* One statement a line. `#` to the end of the line is a comment, unless it directly precedes a
 * letter: then it belongs to a name such as #SMT_on.
 *
 *   cpu NAME                  first statement: the name of the file without .def
 *   like OTHER                second statement: inherits everything but signatures, tables and errata
 *   without NAME ...          inherited events, parameters, nodes and lets that this CPU has not
 *   signature 06_55 [stepping 0-4] [core 0x40 [native 0x3]] ...
 *                             display family and model in hexadecimal; several a line, or lines
 *   table KEY ...             the vendor's tables that it restates, by their directories' names
 *   width N                   issue slots per cycle; also the parameter `width`
 *   event NAME CODE umask UMASK [umask2 N] [cmask N] [edge] [inv] [any] [eq] [counters 0-3 | 0,2]
 *         [msr ADDRESS VALUE] [alone] [fixed N] [architectural BIT]
 *                             fixed: by that fixed counter, and by a general one when CODE is not `-`;
 *                             msr: counts what the value of that register selects; where either of two
 *                             does (0x1a6,0x1a7), CODE (0xb7,0xbb) or UMASK (0x01,0x02) says which;
 *                             alone: no other general counter can count meanwhile
 *   metric NAME FIELD         a byte of PERF_METRICS as a name for formulas, 0 to 7
 *   slots NAME                fixed counter 3 where it is read together with PERF_METRICS
 *   outside NAME WHY          a value for formulas that no counter of a core counts, and why not
 *   let NAME = FORMULA        a named part of other formulas
 *   parameter NAME VALUE      what kernels and formulas may use: l1_latency, #SMT_on, ...
 *   node NAME level N [parent NODE] = FORMULA [above X | below X] [or NODE] [& parent]
 *                             noteworthy when its value is, or that node is; and its parent as well
 *   topdown METHOD levels N   METHOD formula or perf_metrics; or `topdown none`
 *   lbr KIND                  skylake32 or none
 *   erratum NAME EVENT[,EVENT...] TEXT
 *
 * A formula may modify an event that is stated: NAME:c2:e1 is NAME with other fields. Modifiers are
 * :cN counter mask, :eN edge, :iN invert, :eqN equal, :uN unit mask, :SUP and :USER ring 0 and the
 * others only, :ocr_msr_val=N the register's value, :retire_latency the mean latency at retirement
 * and :percore the sum over the core's threads; the last two make what no counter counts.
 *
 * Numbers are decimal or hexadecimal with 0x. A name is an event, a parameter or a node (or `let`),
 * never two of them, and stands once in a file; a description that inherits it may state it again. */
/* clang-format on */
#ifndef PMU_DESCRIPTION_H
#define PMU_DESCRIPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "facts.h"
#include "formula.h"

#define DESCRIPTION_NAME       72
#define DESCRIPTION_FILE_LIMIT (1024u * 1024u)
#define DESCRIPTION_CHAIN      8 /* longest chain of `like` */
#define DESCRIPTION_TABLES     4
#define DESCRIPTION_STATEMENTS 4096   /* of a kind, with what is inherited */
#define DESCRIPTION_DEPTH      32     /* nodes resting on nodes */
#define DESCRIPTION_COST       100000 /* steps to evaluate one node with all it rests on */

enum event_kind { EVENT_GENERAL, EVENT_FIXED, EVENT_METRIC, EVENT_SLOTS, EVENT_OUTSIDE };
enum event_rings { RINGS_ALL, RINGS_KERNEL, RINGS_USER };

struct event {
    char name[DESCRIPTION_NAME];
    enum event_kind kind; /* EVENT_FIXED: prefers its fixed counter; `code` may be valid too */
    bool encodable;       /* code and umask are given: a general counter can count it */
    uint8_t code, umask, umask2, cmask;
    bool edge, inv, any, eq;
    uint8_t rings;      /* enum event_rings */
    uint32_t msr;       /* register that says what is counted, 0: none */
    uint64_t msr_value; /* its value */
    struct {
        uint8_t code, umask;
        uint32_t msr;  /* 0: there is none */
    } second;          /* the same by another register */
    bool alone;        /* takes all general counters of its pass */
    const char *why;   /* EVENT_OUTSIDE: why no counter counts it */
    uint32_t counters; /* general counters that can count it, bit n; all ones when unrestricted */
    uint8_t fixed;     /* EVENT_FIXED: number */
    uint8_t field;     /* EVENT_METRIC: byte of PERF_METRICS */
    int8_t architectural; /* bit of CPUID 0AH:EBX that must be clear, -1 none */
    uint32_t line;
};

struct parameter {
    char name[DESCRIPTION_NAME];
    double value;
    uint32_t line;
};

/* A node, or a `let` (level 0). A parent may stand after its children. */
struct node {
    char name[DESCRIPTION_NAME];
    unsigned level;
    int parent; /* index into nodes, -1 none */
    struct formula formula;
    enum { NODE_NO_THRESHOLD, NODE_ABOVE, NODE_BELOW } threshold_kind;
    double threshold;
    int threshold_or;      /* index of a node whose own threshold does as well, -1 none */
    bool threshold_parent; /* only where the parent is noteworthy too */
    uint32_t line;
};

/* A named error of the hardware: these events cannot be trusted. */
struct erratum {
    char name[DESCRIPTION_NAME];
    const struct event **events;
    unsigned event_count;
    const char *text;
    uint32_t line;
};

struct signature {
    uint32_t family, model, stepping_low, stepping_high;
    uint32_t core_type, native_model; /* 0: any */
    uint32_t line;
};

enum topdown_method { TOPDOWN_NONE, TOPDOWN_FORMULA, TOPDOWN_PERF_METRICS };
enum lbr_kind { LBR_NONE, LBR_SKYLAKE32 };

struct description {
    char name[DESCRIPTION_NAME];
    char file[DESCRIPTION_NAME]; /* where it came from, for messages */
    bool from_stick;
    unsigned width;
    enum topdown_method method;
    unsigned levels;
    enum lbr_kind lbr;
    struct signature *signatures;
    unsigned signature_count;
    struct {
        char name[16];
    } tables[DESCRIPTION_TABLES]; /* of the vendor, that this restates */
    unsigned table_count;
    struct event *events;
    unsigned event_count;
    struct parameter *parameters;
    unsigned parameter_count;
    struct node *nodes; /* in file order, inherited first, overridden in place */
    unsigned node_count;
    struct erratum *errata;
    unsigned erratum_count;
    struct symbol *symbols; /* the names of events, parameters and nodes: see symbols.h */
    uint32_t symbol_mask;
};

/* An error in a description or configuration: what, where, what was expected. */
struct complaint {
    char file[DESCRIPTION_NAME];
    uint32_t line, column;
    char message[160];
    char expected[200];
};

/* Sources of text by name, for `like`; returns null when unknown. */
struct description_library {
    void *context;
    const char *(*text)(void *context, const char *name, size_t *size, bool *from_stick);
};
/* Memory is taken from `allocate` (zeroed, never freed; null when exhausted). */
typedef void *(*description_allocate)(size_t size);

/* Parses and checks (unknown names, cycles, missing parents, parentheses). RC_OK, RC_BAD_INPUT with
 * *complaint filled, RC_NO_SPACE. The description is unusable unless RC_OK. */
enum rc description_parse(struct description *description, const char *name,
                          const struct description_library *library, description_allocate allocate,
                          struct complaint *complaint);

const struct event *description_event(const struct description *description, const char *name);
const struct node *description_node(const struct description *description, const char *name);
const struct parameter *description_parameter(const struct description *description,
                                              const char *name);
/* Whether a signature matches this core; Intel's only. */
bool description_matches(const struct description *description, const struct facts *facts);
/* The same from the text alone: only the lines that begin with `signature` are looked at. False
 * also when one of them is malformed; parsing the text says so. */
bool description_claims(const char *text, size_t size, const struct facts *facts);

/* The descriptions in the image, by number from 0, and the text of the one of that name; *size
 * excludes the terminating 0. Null past the end, or for an unknown name. */
const char *builtin_name(unsigned index);
const char *builtin_text(const char *name, size_t *size);

#endif
