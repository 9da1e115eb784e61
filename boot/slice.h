/* A piece of a text, which must outlive the slice; no 0 byte ends it. Pure. */
#ifndef BOOT_SLICE_H
#define BOOT_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct slice {
    const char *text;
    size_t length;
};

bool is_blank(char c); /* space, tab, or the return before a line's end */
bool slice_equals(struct slice slice, const char *word);
/* Whether it is exactly `word`. Most slices differ from most words in the first letter. */
static inline bool slice_is(struct slice slice, const char *word)
{
    return (slice.length == 0 || slice.text[0] == word[0]) && slice_equals(slice, word);
}
/* Compares as FAT compares names: without regard to case. `name` has no capitals. */
bool slice_is_file(struct slice slice, const char *name);
/* Whether it has only letters, digits, dots, underscores and hyphens, and at least one of them. */
bool slice_is_name(struct slice slice);
/* The slice without the blanks at its ends. */
struct slice slice_trim(struct slice slice);
/* Whether it is a decimal number, or a hexadecimal one after 0x, however large. */
bool slice_is_number(struct slice slice);
/* Reads the whole slice as a decimal number, or as a hexadecimal one after 0x. False: it is no
 * number, or larger than `maximum`, which is at least 15. */
bool slice_number(struct slice slice, uint64_t maximum, uint64_t *number);
/* Copies the slice and appends a 0 byte: `out` has room for one more than its length. */
void slice_copy(char *out, struct slice slice);
/* Takes the next item of a comma list off *rest, trimmed; false when there is none left. */
bool slice_item(struct slice *rest, struct slice *item);

#endif
