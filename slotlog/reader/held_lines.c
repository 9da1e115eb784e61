#include "held_lines.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_LINES 16
#define FIRST_BYTES 4096

/* Twice the room until it suffices for `wanted`; false where `most` does not. */
static bool grow(void **memory, size_t *room, size_t first, size_t wanted, size_t most, size_t each)
{
    size_t more = *room > 0 ? *room : first;
    void *grown;

    if (wanted <= *room)
        return true;
    if (wanted > most)
        return false;
    while (more < wanted)
        more *= 2;
    grown = realloc(*memory, more * each);
    if (grown == NULL)
        return false;
    *memory = grown;
    *room = more;
    return true;
}

static bool make_room(struct held_lines *lines, size_t bytes)
{
    void *of = lines->of, *text = lines->bytes;
    const bool made =
        grow(&of, &lines->lines_room, FIRST_LINES, lines->count + 1, HELD_LINES,
             sizeof(*lines->of)) &&
        grow(&text, &lines->bytes_room, FIRST_BYTES, lines->used + bytes, HELD_BYTES, 1);

    lines->of = of;
    lines->bytes = text;
    return made;
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

    if (lines->first > 0)
        move_up(lines);
    if (!make_room(lines, entry->length + 1))
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
