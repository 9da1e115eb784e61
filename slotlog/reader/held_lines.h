/* Lines of a log of which it is not known yet whether they are believed. Pure. */
#ifndef SLOTLOG_READER_HELD_LINES_H
#define SLOTLOG_READER_HELD_LINES_H

#include "log_entry.h"

#define HELD_LINES 1024 /* the image has far fewer between two CRCs */
#define HELD_BYTES (1u << 20)

struct held_line {
    unsigned long line;
    enum line_kind kind;
    size_t at, length;
};

struct held_lines {
    struct held_line *of;
    size_t first, count; /* of->[first] is the oldest */
    char *bytes;
    size_t used;
    size_t lines_room, bytes_room;
};

/* False: there is no room for it. */
bool held_add(struct held_lines *lines, const struct reader_entry *entry);
/* The line number `at` from 0; its text ends in a 0 byte and lives until the lines change. */
struct reader_entry held_entry(const struct held_lines *lines, size_t at);
/* Forgets the oldest ones. */
void held_drop(struct held_lines *lines, size_t count);
void held_free(struct held_lines *lines);

#endif
