#include "lbr.h"

#include "boot/text.h"

/* The bit that suppresses a type in MSR_LBR_SELECT, and the bit that includes it in IA32_LBR_CTL.
 */
/* clang-format off */
static const struct { unsigned suppress, include; } filters[LBR_TYPES] = {
    [LBR_CONDITIONAL]   = { LBR_SELECT_JCC, LBR_CTL_JCC },
    [LBR_JUMP]          = { LBR_SELECT_NEAR_REL_JMP, LBR_CTL_NEAR_REL_JMP },
    [LBR_JUMP_INDIRECT] = { LBR_SELECT_NEAR_IND_JMP, LBR_CTL_NEAR_IND_JMP },
    [LBR_CALL]          = { LBR_SELECT_NEAR_REL_CALL, LBR_CTL_NEAR_REL_CALL },
    [LBR_CALL_INDIRECT] = { LBR_SELECT_NEAR_IND_CALL, LBR_CTL_NEAR_IND_CALL },
    [LBR_RETURN]        = { LBR_SELECT_NEAR_RET, LBR_CTL_NEAR_RET },
    [LBR_OTHER]         = { LBR_SELECT_FAR_BRANCH, LBR_CTL_OTHER_BRANCH },
};
/* clang-format on */
#define CALLS   (1u << LBR_CALL | 1u << LBR_CALL_INDIRECT)
#define JUMPS   (1u << LBR_JUMP | 1u << LBR_JUMP_INDIRECT)
#define RETURNS (1u << LBR_RETURN)

#define VERSION_WITH_FREEZE             2 /* "Freezing LBR and Performance Counters on PMI" */
#define VERSION_WITH_STREAMLINED_FREEZE 4

const char *lbr_absent(const struct facts *facts, const struct description *description)
{
    const struct lbr_kind *kind = description->lbr;

    if (kind == NULL)
        return "this CPU's description names no last-branch record";
    if (kind->architectural)
        return facts->lbr.depth != 0 ? NULL : "CPUID announces no architectural LBR";
    if (kind->formats == 0)
        return NULL;
    if (!facts->pdcm)
        return "there is no IA32_PERF_CAPABILITIES, which names the LBR format";
    if (facts->lbr_format >= LBR_FORMATS || !(kind->formats >> facts->lbr_format & 1))
        return "IA32_PERF_CAPABILITIES names another LBR format";
    return NULL;
}

static unsigned depth_of(const struct facts *facts, const struct lbr_kind *kind)
{
    return kind->architectural ? facts->lbr.depth : kind->depth;
}

unsigned lbr_depth(const struct facts *facts, const struct description *description)
{
    return lbr_absent(facts, description) == NULL ? depth_of(facts, description->lbr) : 0;
}

/* Why the stack cannot do what is asked; null when it can. */
static const char *why_not(const struct facts *facts, const struct lbr_kind *kind,
                           const struct lbr_options *options)
{
    const bool levels = kind->architectural ? facts->lbr.level_filter : kind->select != 0;
    const bool branches = kind->architectural ? facts->lbr.branch_filter : kind->select != 0;
    const bool calls = kind->architectural ? facts->lbr.call_stack : kind->call_stack;
    const unsigned freeze_version = kind->freeze == LBR_FREEZE_STREAMLINED
                                        ? VERSION_WITH_STREAMLINED_FREEZE
                                        : VERSION_WITH_FREEZE;

    if (options->user_only && options->kernel_only)
        return "user_only and kernel_only together leave no branch";
    if ((options->user_only || options->kernel_only) && !levels)
        return "this CPU's LBR has no filter by privilege level";
    if (options->types != 0 && options->call_stack)
        return "call-stack mode chooses the kinds of branches itself";
    if (options->types != 0 && !branches)
        return "this CPU's LBR has no filter by kind of branch";
    if (options->call_stack && !calls)
        return "this CPU's LBR has no call-stack mode";
    if (options->call_stack && options->freeze_on_pmi)
        return "freezing on a PMI breaks the call stack";
    if ((options->freeze_on_pmi || options->freeze_counters) &&
        (kind->freeze == LBR_FREEZE_NONE || facts->version < freeze_version))
        return "this CPU's LBR does not freeze on a PMI";
    return NULL;
}

static uint32_t types_recorded(const struct lbr_kind *kind, const struct lbr_options *options)
{
    uint32_t types = options->types != 0 ? options->types & LBR_EVERY_TYPE : LBR_EVERY_TYPE;

    if (options->call_stack)
        return CALLS | RETURNS;
    return kind->calls_need_jumps && (types & CALLS) != 0 ? types | JUMPS : types;
}

static uint64_t select_value(const struct lbr_plan *plan, const struct lbr_options *options)
{
    uint64_t value = field_of(LBR_SELECT_CPL_EQ_0, options->user_only) |
                     field_of(LBR_SELECT_CPL_NEQ_0, options->kernel_only) |
                     field_of(LBR_SELECT_EN_CALLSTACK, options->call_stack);

    for (unsigned type = 1; type < LBR_TYPES; type++)
        if (!(plan->types_recorded >> type & 1))
            value |= field_of(filters[type].suppress, 1);
    return value;
}

/* A filter's bits exist where CPUID 1CH:EBX announces the filter; elsewhere they are reserved. */
static uint64_t control_value(const struct lbr_plan *plan, const struct lbr_facts *facts,
                              const struct lbr_options *options)
{
    uint64_t value = field_of(LBR_CTL_LBREN, 1) | field_of(LBR_CTL_CALL_STACK, options->call_stack);

    if (facts->level_filter)
        value |= field_of(LBR_CTL_OS, !options->user_only) |
                 field_of(LBR_CTL_USR, !options->kernel_only);
    for (unsigned type = 1; type < LBR_TYPES && facts->branch_filter; type++)
        if (plan->types_recorded >> type & 1)
            value |= field_of(filters[type].include, 1);
    return value;
}

static void write(struct lbr_plan *plan, uint32_t msr, uint64_t value)
{
    plan->setup[plan->setup_count++] = (struct msr_value){msr, value};
}

static void keep_rows(struct lbr_plan *plan, unsigned depth)
{
    const uint32_t rows[] = {plan->kind->from, plan->kind->to, plan->kind->info};

    for (unsigned row = 0; row < COUNT_OF(rows); row++)
        for (unsigned i = 0; i < depth && rows[row] != 0; i++)
            plan->keep[plan->keep_count++] = rows[row] + i;
}

static void list_reads(struct lbr_plan *plan)
{
    const uint32_t rows[] = {plan->kind->from, plan->kind->to, plan->kind->info};

    if (plan->kind->tos != 0)
        plan->reads[plan->read_count++] = plan->kind->tos;
    for (unsigned row = 0; row < COUNT_OF(rows); row++)
        for (unsigned i = 0; i < plan->depth && rows[row] != 0; i++)
            plan->reads[plan->read_count++] = rows[row] + i;
}

/* The write that starts recording is to IA32_DEBUGCTL. */
static void plan_legacy(struct lbr_plan *plan, const struct lbr_options *options)
{
    const struct lbr_kind *kind = plan->kind;

    plan->keep[plan->keep_count++] = IA32_DEBUGCTL;
    if (kind->select != 0)
        plan->keep[plan->keep_count++] = kind->select;
    plan->keep[plan->keep_count++] = kind->tos;
    keep_rows(plan, plan->depth);
    write(plan, IA32_DEBUGCTL, 0);
    if (kind->select != 0)
        write(plan, kind->select, select_value(plan, options));
    for (unsigned i = kind->select != 0 ? 3 : 2; i < plan->keep_count; i++)
        write(plan, plan->keep[i], 0);
    plan->enable.msr = IA32_DEBUGCTL;
    plan->enable.value = field_of(DEBUGCTL_LBR, 1) |
                         field_of(DEBUGCTL_FREEZE_LBRS_ON_PMI, options->freeze_on_pmi) |
                         field_of(DEBUGCTL_FREEZE_PERFMON_ON_PMI, options->freeze_counters);
}

/* The write that starts recording is to IA32_LBR_CTL. IA32_LBR_DEPTH is kept last, so that it is
 * put back first: it clears the records. Records beyond the depth found do not exist. */
static void plan_architectural(struct lbr_plan *plan, const struct lbr_facts *facts,
                               const struct lbr_options *options)
{
    plan->keep[plan->keep_count++] = IA32_DEBUGCTL;
    plan->keep[plan->keep_count++] = IA32_LBR_CTL;
    keep_rows(plan, facts->depth_found);
    plan->keep[plan->keep_count++] = IA32_LBR_DEPTH;
    write(plan, IA32_LBR_CTL, 0);
    write(plan, IA32_DEBUGCTL,
          field_of(DEBUGCTL_FREEZE_LBRS_ON_PMI, options->freeze_on_pmi) |
              field_of(DEBUGCTL_FREEZE_PERFMON_ON_PMI, options->freeze_counters));
    write(plan, IA32_LBR_DEPTH, plan->depth);
    plan->enable.msr = IA32_LBR_CTL;
    plan->enable.value = control_value(plan, facts, options);
}

const char *lbr_plan_make(struct lbr_plan *plan, const struct facts *facts,
                          const struct description *description, const struct lbr_options *options)
{
    const struct lbr_kind *kind = description->lbr;
    const char *reason = lbr_absent(facts, description);

    memset(plan, 0, sizeof(*plan));
    if (reason == NULL)
        reason = why_not(facts, kind, options);
    if (reason != NULL)
        return reason;
    plan->kind = kind;
    plan->layout = lbr_layout_of(kind->fixed != LBR_FORMATS ? kind->fixed
                                                            : (enum lbr_format)facts->lbr_format);
    plan->depth = depth_of(facts, kind);
    plan->types_recorded = types_recorded(kind, options);
    plan->call_stack = options->call_stack;
    plan->freezes_counters = options->freeze_counters;
    plan->transactions = facts->transactions;
    plan->mispredicts = !kind->architectural || facts->lbr.mispredicts;
    plan->cycles = !kind->architectural || facts->lbr.cycles;
    plan->types = kind->architectural && facts->lbr.types;
    if (kind->architectural)
        plan_architectural(plan, &facts->lbr, options);
    else
        plan_legacy(plan, options);
    list_reads(plan);
    return NULL;
}

void lbr_pass(struct pass *pass, const struct lbr_plan *plan)
{
    memset(pass, 0, sizeof(*pass));
    memcpy(pass->setup, plan->setup, plan->setup_count * sizeof(*plan->setup));
    pass->setup_count = plan->setup_count;
    pass->enable = plan->enable;
    pass->disable = plan->disable;
}
