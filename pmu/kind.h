/* What a kind of performance-monitoring unit can do, and how. A core has one kind, chosen once
 * (pmu/kinds): what all kinds share asks its facts for an ability and knows no kind by name. The
 * functions make facts, plans and texts, outside of every window. */
#ifndef PMU_KIND_H
#define PMU_KIND_H

#include "boot/pool.h"
#include "boot/rc.h"
#include "cascade.h"

struct freezing;
struct parser;
struct pebs_choice;
struct pebs_plan;
struct sampling_plan;

#define KIND_RECORDERS 4

/* The text of an event that a user names, and the core that it is read for. */
struct asked_text {
    struct slice text; /* a 0 ends it */
    const struct description *description;
    const struct facts *facts;
    struct pool *pool;
    struct complaint *complaint;
    const struct pmu_kind *by; /* whose event it is to be */
};

struct pmu_kind {
    const char *name; /* in a description, `topdown NAME`, and in records; null: it has no Topdown
                       * method of its own */

    /* --- facts --- */
    bool (*is_of)(const struct facts *facts);   /* vendor, family and model are known */
    void (*read_counters)(struct facts *facts); /* those that CPUID does not state */
    /* Why this core cannot count, by IA32_MISC_ENABLE (null: it cannot be read); null: it can. */
    const char *(*absent)(const uint64_t *misc_enable);
    void (*describe)(const struct facts *facts, char *out, unsigned size); /* for people */
    bool unversioned;   /* CPUID has no version of it */
    const char *vendor; /* the word of its signatures in descriptions; null: Intel's have none */
    uint16_t codes;     /* the highest event select; 0: 0xff */
    bool threads_share; /* the threads of a core share counters: is_shared says which registers */

    /* --- registers --- */
    uint64_t debugctl_records; /* of IA32_DEBUGCTL, the bits that record; 0: as usual */
    /* Further registers with bits that record; reading one that is absent faults. */
    const struct recorder {
        uint32_t msr;
        uint64_t bits;
    } * recorders;
    unsigned recorder_count; /* KIND_RECORDERS at most */
    uint32_t global_status;  /* with version 2 on: a bit for each counter that overflowed */
    bool (*is_shared)(uint32_t msr);
    bool (*is_counting)(const struct msr_value *found); /* a register that firmware left */
    /* Writes the register's name, at most `size` bytes with the 0. False: it is none of the kind's
     * own. */
    bool (*register_name)(uint32_t msr, char *out, unsigned size);
    /* Writes the registers by which the pass counts the reading, at most `size` bytes with the 0;
     * null: IA32_PERFEVTSELx selects and IA32_PMCx counts. */
    void (*reading_text)(const struct pass *pass, const struct reading *reading, char *out,
                         unsigned size);

    /* --- plans --- */
    /* Writes setup, enable and disable of the pass that counts these events together; null: no
     * single write starts several counters, and `pass` makes a pass for each event. */
    void (*write_pass)(struct pass *pass, const struct facts *facts,
                       const struct assignment *assignment);
    bool fills_passes; /* no fixed counter counts cycles and instructions: each pass counts them
                        * with counters that are free */
    /* Makes the pass that counts this event alone. Returns null, or why this core cannot count it.
     */
    const char *(*pass)(struct pass *pass, const struct facts *facts,
                        const struct description *description, const struct event *event);
    /* Makes the cascade of an event; the first counter overflows after `after` events, 1 or more.
     * Returns null, or why this core has no such cascade. */
    const char *(*cascade)(struct cascade *cascade, const struct facts *facts,
                           const struct description *description, const struct event *event,
                           enum cascading how, uint64_t after);
    /* every_counter_pass and every_counter_reference_pass (every_counter.h), of a core that counts.
     */
    const char *(*every_counter)(struct pass *pass, const struct facts *facts,
                                 enum every_counter what);
    const char *(*reference_pass)(struct pass *pass, const struct facts *facts);
    const char *no_common_event; /* both are null: why no event can be counted by every counter */
    /* The register that sets the reading's counter. */
    uint32_t (*counter_register)(const struct facts *facts, const struct reading *reading);

    /* --- sampling --- */
    /* Fills in the plan without branch records; `cycles`, which may be null, is the event of the
     * core's own cycles. Returns null, or why this core cannot. */
    const char *(*sampling)(struct sampling_plan *plan, const struct facts *facts,
                            const struct description *description, const struct event *event,
                            const struct event *cycles);
    /* Why this core, which has a DS area, makes no known PEBS records; null: it makes them. */
    const char *(*pebs_absent)(const struct facts *facts);
    /* Fills in the plan, whose use and event are given; `area` is the address of the core's DS
     * area. Returns null, or why this core cannot. */
    const char *(*pebs)(struct pebs_plan *plan, const struct facts *facts,
                        const struct description *description, uint64_t area,
                        const struct pebs_choice *choice);
    const struct freezing *freezing;
    const char *no_freeze; /* why its counters do not freeze on an interrupt; null: they may */

    /* --- events of its own: EVENT_MASKED and EVENT_NAMED, with `by` the kind --- */
    /* Why no counter of another kind counts them. */
    const char *foreign;
    /* Set *event to what the text means: a name with masks, register values, or a raw selector,
     * which begins with 0x. RC_OK;
     * RC_BAD_INPUT with a complaint whose column is the place in the text, from 1; RC_NO_SPACE. */
    enum rc (*read_masked)(const struct event **event, const struct asked_text *asked);
    enum rc (*read_registers)(const struct event **event, const struct asked_text *asked);
    enum rc (*read_selector)(const struct event **event, const struct asked_text *asked);
    const char *no_selector, *instead; /* why no counter of it has a selector; what it has */

    /* --- descriptions --- */
    /* Reads the line after the word `event` when it states an event of the kind; *mine says whether
     * it does. Otherwise nothing is read. */
    bool (*parse_event)(struct parser *parser, bool *mine);
    /* Statements of its own. */
    const struct kind_statement {
        const char *name;
        bool (*parse)(struct parser *parser);
    } * statements;
    unsigned statement_count;
    /* Whether NAME:MASK... is right. False with a complaint, whose column is the place in it. */
    bool (*check_masks)(const struct description *description, struct slice text,
                        struct complaint *complaint);
    const struct lbr_kind *lbr_kinds; /* rows of its own, and how many */
    const struct pebs_kind *pebs_kinds;
    unsigned lbr_count, pebs_count;
};

/* 0 and null of everything: of a core that cannot count (facts->absent says why). */
extern const struct pmu_kind kind_none;

/* The kind of the core's counters. */
static inline const struct pmu_kind *kind_of(const struct facts *facts)
{
    return facts->kind != NULL ? facts->kind : &kind_none;
}

#endif
