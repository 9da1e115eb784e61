/* Verdicts on last-branch records. */
#include "verdict_branch.h"

#include "boot/format.h"
#include "boot/text.h"

#define PLACE_TEXT 32

/* "code+18" or "code-4": a distance in bytes from the kernel's first instruction. */
static void place_text(char *out, const struct kernel *kernel, uint64_t address)
{
    uint64_t code = (uint64_t)(uintptr_t)kernel->code;
    bool before = address < code;

    format(out, PLACE_TEXT, "code%c%llu", before ? '-' : '+',
           (unsigned long long)(before ? code - address : address - code));
}

void verdict_branch(struct verdict *verdict, const struct trial *trial, unsigned index,
                    const struct lbr_stack *stack, const char *absent, const void *return_address)
{
    const struct kernel *kernel = trial->experiment->kernel;
    uint64_t from = (uint64_t)(uintptr_t)kernel->branches[index].from;
    uint64_t to = (uint64_t)(uintptr_t)kernel->branches[index].to;
    char from_of[PLACE_TEXT], to_of[PLACE_TEXT], subject[120];
    const struct lbr_entry *entry;
    size_t length;
    bool aligned;

    place_text(from_of, kernel, from);
    place_text(to_of, kernel, to);
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
    place_text(from_of, kernel, entry->from);
    place_text(to_of, kernel, entry->to);
    format(verdict->text + length, sizeof(verdict->text) - length, ", found %s to %s%s", from_of,
           to_of, aligned ? "" : " and the newest record is not the last RET");
}
