/* A piece of a text that somebody else keeps, without an end of its own. Pure. */
#ifndef HARNESS_SPAN_H
#define HARNESS_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct span {
    const char *text;
    size_t length;
};

bool is_blank(char c); /* space, tab, or the return before a line's end */
bool span_is(struct span span, const char *word);
/* As FAT compares names: capitals are the same. `name` has none. */
bool span_is_file(struct span span, const char *name);
/* Letters, digits, dot, underscore, hyphen, at least one of them. */
bool span_is_name(struct span span);
/* Without blanks at its ends. */
struct span span_trim(struct span span);
/* Decimal, or hexadecimal with 0x; the whole span, at most `maximum` (not less than 15). */
bool span_number(struct span span, uint64_t maximum, uint64_t *number);
/* With a NUL behind it: `out` has room for one more than its length. */
void span_copy(char *out, struct span span);
/* Takes the next item of a comma list off *rest, trimmed; false when there is none left. */
bool span_item(struct span *rest, struct span *item);

#endif
