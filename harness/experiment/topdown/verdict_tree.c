/* Verdicts on the tree: the family's node, the node on trial among its
 * siblings and over doses. */
#include "verdict_tree.h"

#include "boot/format.h"
#include "boot/text.h"
#include "harness/judge/verdict_share.h"
#include "harness/plan/parameters.h"

struct level_one {
    double largest;
    const struct node *largest_node;
};

/* What a verdict that fails adds to the node that is larger: a larger value is no smaller for not
 * being a share. */
static const char *no_share_note(const struct trial *trial, const struct node *node)
{
    return trial_is_no_share(trial, node) ? ", which is no share" : "";
}

/* False, and the verdict is a skip: there are no nodes of level 1, or one has no value. */
static bool level_one(struct verdict *verdict, const struct trial *trial, struct level_one *level)
{
    *level = (struct level_one){0};
    if (trial->blocked != NULL || trial->results == NULL) {
        verdict_skip(verdict, trial->blocked != NULL ? trial->blocked : "nothing was counted");
        return false;
    }
    for (unsigned i = 0; i < trial->description->node_count; i++) {
        const struct node *node = &trial->description->nodes[i];
        const struct formula_result *result;

        if (node->level != 1)
            continue;
        result = trial_given(trial, node);
        if (!result->finite) {
            verdict_skip(verdict, result->reason);
            return false;
        }
        if (level->largest_node == NULL || result->value > level->largest) {
            level->largest = result->value;
            level->largest_node = node;
        }
    }
    if (level->largest_node == NULL)
        verdict_skip(verdict, "the CPU description has no Topdown nodes");
    return level->largest_node != NULL;
}

/* The word at `text`, up to a space or a bar. Returns where the next word begins. */
static const char *next_word(const char *text, char *word, size_t size)
{
    size_t length = 0;

    while (text[length] != '\0' && text[length] != ' ' && text[length] != '|')
        length++;
    format(word, size, "%.*s", (int)length, text);
    for (text += length; *text == ' ';)
        text++;
    return text;
}

static bool needs(const struct description *description, const struct node *node, const char *event)
{
    const struct event *events[PLAN_EVENTS];
    const unsigned count =
        topdown_events(description, &node->formula, events, 0, PLAN_EVENTS, NULL);

    for (unsigned i = 0; i < count; i++)
        if (strcmp(events[i]->name, event) == 0)
            return true;
    return false;
}

/* The first of the names in `leaf`, separated by " | ", that is a node of this CPU. A name with
 * " of EVENT ..." after it counts only when the node's formula needs one of these events: nodes of
 * the same name leave out on one CPU what they count on another. */
static const struct node *leaf_of(const struct trial *trial, const char *leaf)
{
    char name[DESCRIPTION_NAME], word[DESCRIPTION_NAME];

    while (*leaf != '\0') {
        const struct node *node;
        bool chosen;

        leaf = next_word(leaf, name, sizeof(name));
        node = description_node(trial->description, name);
        chosen = *leaf == '\0' || *leaf == '|';
        while (*leaf != '\0' && *leaf != '|') {
            leaf = next_word(leaf, word, sizeof(word));
            chosen = chosen || (node != NULL && needs(trial->description, node, word));
        }
        if (node != NULL && node->level > 0 && chosen)
            return node;
        while (*leaf == ' ' || *leaf == '|')
            leaf++;
    }
    return NULL;
}

const struct node *verdict_leaf_node(const struct trial *trial)
{
    return trial->description != NULL ? leaf_of(trial, trial->experiment->kernel->leaf) : NULL;
}

static bool expects_share(const struct kernel *kernel, const char *node)
{
    for (unsigned i = 0; i < kernel->expectation_count; i++)
        if (strcmp(kernel->expectations[i].subject, node) == 0)
            return true;
    return false;
}

/* The node of level 1 that the kernel should make the largest: its family's. When the kernel
 * expects no share of that node, it is the node of level 1 above the kernel's leaf, which depends
 * on the CPU's published tree: on E cores microcode belongs to the front end. */
static const char *family_node(const struct trial *trial)
{
    const struct node *node = verdict_leaf_node(trial);
    const char *family = trial->experiment->family_node;

    if (expects_share(trial->experiment->kernel, family))
        return family;
    while (node != NULL && node->parent >= 0)
        node = &trial->description->nodes[node->parent];
    return node != NULL && node->level == 1 ? node->name : family;
}

void verdict_family(struct verdict *verdict, const struct trial *trial)
{
    const char *wanted = trial->description != NULL
                             ? description_name(trial->description, family_node(trial))
                             : family_node(trial);
    struct level_one level;
    const struct node *node;
    char subject[200];
    double value;

    format(subject, sizeof(subject), "%s is the largest of level 1", wanted);
    verdict_begin(verdict, trial, subject);
    if (!level_one(verdict, trial, &level))
        return;
    node = description_node(trial->description, wanted);
    if (node == NULL || node->level != 1) {
        verdict_skip(verdict, "the CPU description has no such node at level 1");
        return;
    }
    if (trial_needs_deeper_tree(trial)) {
        verdict_skip(verdict, VERDICT_TREE_TOO_SHORT);
        return;
    }
    if (strcmp(family_node(trial), "tma_bad_speculation") == 0 &&
        parameters_value(&trial->counts, RECOVERY_IS_BAD) == 0) {
        verdict_skip(verdict, "this CPU's tree has the slots of the recovery in the front end");
        return;
    }
    value = trial_given(trial, node)->value;
    verdict->outcome = value >= level.largest ? VERDICT_PASS : VERDICT_FAIL;
    if (verdict->outcome == VERDICT_PASS)
        format(subject, sizeof(subject), "%s %.3f is the largest of level 1", wanted, value);
    else
        format(subject, sizeof(subject), "%s %.3f is the largest of level 1, not %s %.3f%s", wanted,
               value, level.largest_node->name, level.largest,
               no_share_note(trial, level.largest_node));
    format(verdict->text, sizeof(verdict->text), "core %u %s %s", trial->core,
           trial->experiment->kernel->name, subject);
    verdict_ask_share(verdict, trial, node);
    verdict_doubt(verdict, trial, &node->formula);
}

void verdict_dose(struct verdict *verdict, const struct trial *trial, const struct dose_line *line,
                  double tolerance)
{
    const struct node *node = verdict_leaf_node(trial);
    char subject[120];

    format(subject, sizeof(subject), "%s answers to the dose",
           node != NULL ? node->name : trial->experiment->kernel->leaf);
    verdict_begin(verdict, trial, subject);
    if (trial->blocked != NULL || node == NULL) {
        verdict_skip(verdict, trial->blocked != NULL ? trial->blocked
                                                     : "the CPU description has no such node");
        return;
    }
    if (line->valid && line->slope > 0 && line->largest_drop <= tolerance &&
        line->r_squared >= DOSE_R_SQUARED)
        verdict->outcome = VERDICT_PASS;
    else
        verdict->outcome = VERDICT_FAIL;
    if (line->valid)
        format(verdict->text, sizeof(verdict->text),
               "core %u %s %s: slope %.3f, intercept %.3f, R squared %.4f, largest drop %.4f",
               trial->core, trial->experiment->kernel->name, subject, line->slope, line->intercept,
               line->r_squared, line->largest_drop);
    else
        format(verdict->text, sizeof(verdict->text), "core %u %s %s: its share does not change",
               trial->core, trial->experiment->kernel->name, subject);
}

bool verdict_has_leaf(const struct trial *trial)
{
    const char *leaf = trial->experiment->kernel->leaf;
    const struct node *node;

    if (leaf[0] == '\0')
        return false;
    node = trial->description != NULL ? leaf_of(trial, leaf) : NULL;
    return node != NULL ? trial->drilled || trial_asks(trial, node)
                        : trial->experiment->kernel->level > 1;
}

/* Why the leaf was not measured, in a drill-down that ended above it. */
static const char *why_not_reached(const struct trial *trial, const struct node *leaf)
{
    for (const struct node *node = leaf; node->parent >= 0;) {
        node = &trial->description->nodes[node->parent];
        if (trial_asks(trial, node) && !trial_given(trial, node)->finite)
            return "a node above it has no value, and may have been over its threshold";
    }
    return "no node above it was over its threshold";
}

/* The nodes with the leaf's parent, the leaf among them. */
struct siblings {
    unsigned stated;    /* by the description */
    unsigned asked;     /* that were to be measured */
    unsigned valueless; /* of these */
    const struct node *largest;
    double most;
};

static struct siblings siblings_of(const struct trial *trial, const struct node *leaf)
{
    struct siblings siblings = {0};

    for (unsigned i = 0; i < trial->description->node_count; i++) {
        const struct node *other = &trial->description->nodes[i];
        const struct formula_result *result;

        if (other->level != leaf->level || other->parent != leaf->parent)
            continue;
        siblings.stated++;
        if (!trial_asks(trial, other))
            continue;
        siblings.asked++;
        result = trial_given(trial, other);
        siblings.valueless += !result->finite;
        if (result->finite && (siblings.largest == NULL || result->value > siblings.most)) {
            siblings.most = result->value;
            siblings.largest = other;
        }
    }
    return siblings;
}

/* The node of which the verdict is; null, and the verdict is a skip: nothing can be said of it. */
static const struct node *measured_leaf(struct verdict *verdict, const struct trial *trial)
{
    const struct node *node;

    if (trial->blocked != NULL || trial->results == NULL) {
        verdict_skip(verdict, trial->blocked != NULL ? trial->blocked : "nothing was counted");
        return NULL;
    }
    node = verdict_leaf_node(trial);
    if (node == NULL)
        verdict_skip(verdict, "the CPU description has no such node");
    else if (!trial_asks(trial, node))
        verdict_skip(verdict, why_not_reached(trial, node));
    else if (!trial_given(trial, node)->finite)
        verdict_skip(verdict, trial_given(trial, node)->reason);
    return verdict->outcome == VERDICT_SKIP ? NULL : node;
}

/* When all are 0, the node is the largest and nothing is shown. */
static void compare_siblings(struct verdict *verdict, const struct trial *trial,
                             const struct node *leaf, const struct siblings *siblings)
{
    const double value = trial_given(trial, leaf)->value;
    char subject[200];

    verdict->outcome = value >= siblings->most && value > 0 ? VERDICT_PASS : VERDICT_FAIL;
    if (value < siblings->most)
        format(subject, sizeof(subject), "%s %.3f is the largest of its siblings, not %s %.3f%s",
               leaf->name, value, siblings->largest->name, siblings->most,
               no_share_note(trial, siblings->largest));
    else
        format(subject, sizeof(subject), "%s %.3f is %s%s", leaf->name, value,
               siblings->stated == 1 ? "above 0, without siblings" : "the largest of its siblings",
               value > 0 || siblings->stated == 1 ? "" : ", and none of them is above 0");
    format(verdict->text, sizeof(verdict->text), "core %u %s %s", trial->core,
           trial->experiment->kernel->name, subject);
}

void verdict_leaf(struct verdict *verdict, const struct trial *trial)
{
    const struct node *leaf;
    struct siblings siblings;
    char subject[200];

    format(subject, sizeof(subject), "%s is the largest of its siblings",
           trial->experiment->kernel->leaf);
    verdict_begin(verdict, trial, subject);
    leaf = measured_leaf(verdict, trial);
    if (leaf == NULL)
        return;
    siblings = siblings_of(trial, leaf);
    compare_siblings(verdict, trial, leaf, &siblings);
    verdict_ask_share(verdict, trial, leaf);
    if (siblings.valueless > 0)
        verdict_append(verdict, "; %u of %u have no value", siblings.valueless, siblings.asked);
    if (verdict->outcome == VERDICT_PASS && siblings.stated > 1 &&
        siblings.asked - siblings.valueless == 1)
        verdict_skip(verdict, siblings.asked > 1 ? "none of its siblings has a value"
                                                 : "none of its siblings was to be measured");
    verdict_doubt(verdict, trial, &leaf->formula);
}
