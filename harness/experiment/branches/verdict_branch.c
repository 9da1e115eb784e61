/* Verdicts on last-branch records. */
#include "verdict_branch.h"

#include "boot/format.h"
#include "boot/text.h"

void verdict_branch(struct verdict *verdict, const struct trial *trial, unsigned index,
                    const struct lbr_stack *stack, const char *absent, const void *return_address)
{
    const struct kernel *kernel = trial->experiment->kernel;
    uint64_t from = (uint64_t)(uintptr_t)kernel->branches[index].from;
    uint64_t to = (uint64_t)(uintptr_t)kernel->branches[index].to;
    char from_of[VERDICT_PLACE], to_of[VERDICT_PLACE], subject[120];
    const struct lbr_entry *entry;
    size_t length;
    bool aligned;

    verdict_place(from_of, kernel, from);
    verdict_place(to_of, kernel, to);
    format(subject, sizeof(subject), "branch record %u is %s to %s", index + 1, from_of, to_of);
    verdict_begin(verdict, trial, subject);
    if (trial->blocked != NULL || stack == NULL) {
        verdict_skip(verdict, trial->blocked != NULL ? trial->blocked : absent);
        return;
    }
    length = strlen(verdict->text);
    if (index + 1 >= stack->count) {
        verdict->outcome = VERDICT_FAIL;
        format(verdict->text + length, sizeof(verdict->text) - length, ", only %u were recorded",
               stack->count);
        return;
    }
    entry = &stack->entries[index + 1];
    aligned = stack->entries[0].to == (uint64_t)(uintptr_t)return_address;
    if (aligned && entry->from == from && entry->to == to)
        return;
    verdict->outcome = VERDICT_FAIL;
    verdict_place(from_of, kernel, entry->from);
    verdict_place(to_of, kernel, entry->to);
    format(verdict->text + length, sizeof(verdict->text) - length, ", found %s to %s%s", from_of,
           to_of, aligned ? "" : " and the newest record is not the last RET");
}
