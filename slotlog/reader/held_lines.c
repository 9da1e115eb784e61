#include "held_lines.h"

#include <stdlib.h>
#include <string.h>

static bool make(struct held_lines *lines)
{
    if (lines->of == NULL)
        lines->of = calloc(HELD_LINES, sizeof(*lines->of));
    if (lines->bytes == NULL)
        lines->bytes = malloc(HELD_BYTES);
    return lines->of != NULL && lines->bytes != NULL;
}

/* The room of what was dropped is used again. */
static void move_up(struct held_lines *lines)
{
    const size_t from = lines->count > 0 ? lines->of[lines->first].at : lines->used;

    memmove(lines->bytes, lines->bytes + from, lines->used - from);
    lines->used -= from;
    memmove(lines->of, lines->of + lines->first, lines->count * sizeof(*lines->of));
    lines->first = 0;
    for (size_t i = 0; i < lines->count; i++)
        lines->of[i].at -= from;
}

bool held_add(struct held_lines *lines, const struct reader_entry *entry)
{
    struct held_line *held;

    if (!make(lines))
        return false;
    if (lines->first > 0)
        move_up(lines);
    if (lines->count == HELD_LINES || entry->length >= HELD_BYTES - lines->used)
        return false;
    held = &lines->of[lines->count++];
    *held = (struct held_line){entry->line, entry->kind, lines->used, entry->length};
    memcpy(lines->bytes + held->at, entry->text, held->length);
    lines->bytes[held->at + held->length] = 0;
    lines->used += held->length + 1;
    return true;
}

struct reader_entry held_entry(const struct held_lines *lines, size_t at)
{
    const struct held_line *held = &lines->of[lines->first + at];

    return (struct reader_entry){.line = held->line,
                                 .kind = held->kind,
                                 .text = lines->bytes + held->at,
                                 .length = held->length};
}

void held_drop(struct held_lines *lines, size_t count)
{
    lines->first += count;
    lines->count -= count;
}

void held_free(struct held_lines *lines)
{
    free(lines->of);
    free(lines->bytes);
    *lines = (struct held_lines){0};
}
