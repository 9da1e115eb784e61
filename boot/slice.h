/* A piece of a text that somebody else keeps, without an end of its own. Pure. */
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
bool slice_is(struct slice span, const char *word);
/* As FAT compares names: capitals are the same. `name` has none. */
bool slice_is_file(struct slice span, const char *name);
/* Letters, digits, dot, underscore, hyphen, at least one of them. */
bool slice_is_name(struct slice span);
/* Without blanks at its ends. */
struct slice slice_trim(struct slice span);
/* Decimal, or hexadecimal with 0x; the whole span, at most `maximum` (not less than 15). */
bool slice_number(struct slice span, uint64_t maximum, uint64_t *number);
/* With a NUL behind it: `out` has room for one more than its length. */
void slice_copy(char *out, struct slice span);
/* Takes the next item of a comma list off *rest, trimmed; false when there is none left. */
bool slice_item(struct slice *rest, struct slice *item);

#endif
