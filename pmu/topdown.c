#include "topdown.h"

#include "boot/format.h"
#include "boot/text.h"

/* What formulas are evaluated over. */
struct evaluation {
    const struct counts *counts;
    struct node_memo *memos; /* null, or one for each node */
    uint64_t initials;       /* a bit for each first character of the extras' names; 0: not known */
};

struct scope {
    struct evaluation *over;
    bool clamped;                /* a node that it named is */
    char reason[FORMULA_REASON]; /* a copy: the nested result that had the reason is gone by then */
};

/* The event that holds this very name; null: an extra may have the name. Extras stand in for events
 * that no counter counts, and for no others. */
static const struct event *counted_event(const struct description *description, const char *name)
{
    const struct event *event = description_event_at(description, name);

    return event != NULL && event->kind != EVENT_OUTSIDE ? event : NULL;
}

static uint64_t initial(const char *name)
{
    return 1ull << (name[0] & 63);
}

static uint64_t initials_of(const struct counts *counts)
{
    uint64_t initials = 0;

    for (unsigned i = 0; i < counts->extra_count; i++)
        initials |= initial(counts->extras[i].name);
    return initials;
}

static const struct extra *find_extra(struct evaluation *over, const char *name)
{
    const struct counts *counts = over->counts;

    if (over->initials == 0)
        over->initials = initials_of(counts);
    for (unsigned i = 0; over->initials & initial(name) && i < counts->extra_count; i++)
        if (counts->extras[i].name[0] == name[0] && strcmp(counts->extras[i].name, name) == 0)
            return &counts->extras[i];
    return NULL;
}

static struct formula_number number_of(const struct count *count)
{
    return (struct formula_number){count->value, count->error};
}

static bool value_of_event(struct scope *scope, const struct event *event,
                           struct formula_number *number)
{
    const char *why = NULL;
    const struct counts *counts = scope->over->counts;
    const uint16_t *hints = counts->hints;
    size_t place = hints != NULL ? hints[count_hint(event)] - (size_t)1
                                 : (size_t)(event - counts->description->events);

    /* no search where the hint is right, or where every event has a count, in order */
    if (place < counts->count_count && counts->counts[place].event == event &&
        counts->counts[place].measured) {
        *number = number_of(&counts->counts[place]);
        return true;
    }
    for (unsigned i = 0; i < counts->count_count; i++) {
        const struct count *count = &counts->counts[i];

        if (count->event != event)
            continue;
        if (count->measured) {
            *number = number_of(count);
            return true;
        }
        why = count->reason;
    }
    if (why == NULL)
        why = event->why;
    format(scope->reason, sizeof(scope->reason), "%s not measured%s%s", event->name,
           why != NULL ? ": " : "", why != NULL ? why : "");
    return false;
}

static const struct formula_result *evaluate_node(struct evaluation *over, const struct node *node,
                                                  struct formula_result *room);

static bool value_of_node(struct scope *scope, const struct node *node,
                          struct formula_number *number)
{
    struct formula_result room;
    const struct formula_result *result = evaluate_node(scope->over, node, &room);

    scope->clamped = scope->clamped || (result->finite && result->clamped);
    if (result->finite)
        *number = (struct formula_number){result->value, result->error};
    else if (result->not_available)
        *number = (struct formula_number){FORMULA_NA, 0};
    else if (result->reason == result->detail)
        format(scope->reason, sizeof(scope->reason), "%s", result->reason);
    else /* the arithmetic of this node failed */
        format(scope->reason, sizeof(scope->reason), "%s in %s", result->reason, node->name);
    return result->finite || result->not_available;
}

/* Recurses through nodes that name nodes, at most DESCRIPTION_DEPTH deep. */
static bool value_of_name(void *context, const char *name, struct formula_number *number,
                          const char **reason)
{
    struct scope *scope = context;
    const struct description *description = scope->over->counts->description;
    const struct event *event = counted_event(description, name);
    const struct extra *extra;
    struct symbol symbol;

    *reason = scope->reason;
    if (event != NULL)
        return value_of_event(scope, event, number);
    extra = find_extra(scope->over, name);
    if (extra != NULL) {
        number->value = extra->value;
        if (extra->value == extra->value)
            return true;
        format(scope->reason, sizeof(scope->reason), "%s has no value here", name);
        return false;
    }
    symbol = description_symbol(description, name);
    if (symbol.kind == SYMBOL_NONE) {
        format(scope->reason, sizeof(scope->reason), "%s is unknown", name);
        return false;
    }
    if (symbol.kind == SYMBOL_PARAMETER) {
        number->value = description->parameters[symbol.index].value;
        return true;
    }
    if (symbol.kind == SYMBOL_EVENT)
        return value_of_event(scope, &description->events[symbol.index], number);
    return value_of_node(scope, &description->nodes[symbol.index], number);
}

static void evaluate(struct evaluation *over, const struct formula *formula,
                     struct formula_result *result)
{
    struct scope scope; /* no initializer: `reason` is written before it is read */
    const struct formula_scope values = {&scope, value_of_name};

    scope.over = over;
    scope.clamped = false;
    formula_evaluate(formula, &values, result);
    result->clamped = result->clamped || scope.clamped;
}

/* Returns the memo's result; without memos the result in `room`. */
static const struct formula_result *evaluate_node(struct evaluation *over, const struct node *node,
                                                  struct formula_result *room)
{
    struct node_memo *memo =
        over->memos != NULL ? &over->memos[node - over->counts->description->nodes] : NULL;

    if (memo == NULL) {
        evaluate(over, &node->formula, room);
        return room;
    }
    if (!memo->known) {
        evaluate(over, &node->formula, &memo->result);
        memo->known = true;
    }
    return &memo->result;
}

void topdown_evaluate(const struct counts *counts, const struct formula *formula,
                      struct formula_result *result)
{
    struct evaluation over = {counts, NULL, 0};

    evaluate(&over, formula, result);
}

void topdown_node(const struct counts *counts, const struct node *node,
                  struct formula_result *result)
{
    topdown_evaluate(counts, &node->formula, result);
}

void topdown_node_once(const struct counts *counts, struct node_memo *memos,
                       const struct node *node, struct formula_result *result)
{
    struct evaluation over = {counts, memos, 0};
    const struct formula_result *once = evaluate_node(&over, node, result);

    result->finite = once->finite;
    result->not_available = once->not_available;
    result->clamped = once->clamped;
    result->value = once->value;
    result->error = once->error;
    result->reason = once->reason;
    if (once->reason == once->detail) {
        memcpy(result->detail, once->detail, sizeof(result->detail));
        result->reason = result->detail;
    }
}

bool topdown_arms(const struct counts *counts, struct node_memo *memos, const struct node *node,
                  char out[FORMULA_ARMS])
{
    struct evaluation over = {counts, memos, 0};
    struct scope scope;
    const struct formula_scope values = {&scope, value_of_name};

    scope.over = &over;
    scope.clamped = false;
    return formula_arms(&node->formula, &values, out);
}

void topdown_forget(struct node_memo *memos, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        memos[i].known = false;
}

#define SHARE_TOLERANCE 0.01

bool topdown_is_share(double value, double tolerance, char why[TOPDOWN_WHY])
{
    const double most = tolerance > SHARE_TOLERANCE ? tolerance : SHARE_TOLERANCE;

    if (value >= -most && value <= 1 + most)
        return true;
    format(why, TOPDOWN_WHY, "its formula gives %.3f, outside of 0 to 1", value);
    return false;
}

/* Whether the node's value passes its threshold. */
static bool passes_threshold(const struct node *node, const struct formula_result *result)
{
    if (!result->finite)
        return false;
    if (node->threshold_kind == NODE_ABOVE)
        return result->value > node->threshold;
    return node->threshold_kind == NODE_BELOW && result->value < node->threshold;
}

bool topdown_flagged(const struct description *description, const struct node *node,
                     const struct topdown_results *results)
{
    const struct node *nodes = description->nodes;

    for (;;) {
        bool past = passes_threshold(node, results->of(results->context, node));

        if (!past && node->threshold_or >= 0) {
            const struct node *other = &nodes[node->threshold_or];

            past = passes_threshold(other, results->of(results->context, other));
        }
        if (!past || !node->threshold_parent)
            return past;
        node = &nodes[node->parent];
    }
}

/* The events gathered so far, and the way there. */
struct gathering {
    struct evaluation over;
    const struct formula_scope *known; /* null: both arms of every condition */
    const struct event **events;
    unsigned count, limit;
    const char *unknown;
    uint64_t seen[DESCRIPTION_STATEMENTS / 64 + 1]; /* nodes visited, a bit each */
};

static void add_event(struct gathering *gathering, const struct event *event)
{
    for (unsigned i = 0; i < gathering->count; i++)
        if (gathering->events[i] == event)
            return;
    if (gathering->count < gathering->limit)
        gathering->events[gathering->count++] = event;
}

static void gather(void *context, const char *name)
{
    struct gathering *gathering = context;
    const struct description *description = gathering->over.counts->description;
    const struct event *event = counted_event(description, name);
    struct symbol symbol;

    if (event != NULL) {
        add_event(gathering, event);
        return;
    }
    if (find_extra(&gathering->over, name) != NULL)
        return;
    symbol = description_symbol(description, name);
    if (symbol.kind == SYMBOL_NONE && gathering->unknown == NULL)
        gathering->unknown = name;
    if (symbol.kind == SYMBOL_EVENT)
        add_event(gathering, &description->events[symbol.index]);
    if (symbol.kind == SYMBOL_NODE &&
        !(gathering->seen[symbol.index / 64] >> symbol.index % 64 & 1)) {
        gathering->seen[symbol.index / 64] |= 1ull << symbol.index % 64;
        formula_visit(&description->nodes[symbol.index].formula, gathering->known, gather,
                      gathering);
    }
}

static unsigned gather_all(struct gathering *gathering, const struct formula *formula,
                           const char **unknown)
{
    formula_visit(formula, gathering->known, gather, gathering);
    if (unknown != NULL)
        *unknown = gathering->unknown;
    return gathering->count;
}

unsigned topdown_events(const struct description *description, const struct formula *formula,
                        const struct event **events, unsigned count, unsigned limit,
                        const char **unknown)
{
    const struct counts given = {.description = description};
    struct gathering gathering = {
        .over = {&given, NULL, 0}, .events = events, .count = count, .limit = limit};

    return gather_all(&gathering, formula, unknown);
}

unsigned topdown_events_given(const struct counts *given, const struct formula *formula,
                              const struct event **events, unsigned count, unsigned limit,
                              const char **unknown)
{
    const struct counts parameters = {given->description, NULL, 0, given->extras,
                                      given->extra_count, NULL};
    struct gathering gathering = {
        .over = {&parameters, NULL, 0}, .events = events, .count = count, .limit = limit};
    struct scope scope = {.over = &gathering.over};
    const struct formula_scope known = {&scope, value_of_name};

    gathering.known = &known;

    return gather_all(&gathering, formula, unknown);
}
