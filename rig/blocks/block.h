/* A basic block whose cycles were measured on silicon, and a file of them: lines of
 * "code,cycles,confirmed" behind a heading of these words. */
#ifndef RIG_BLOCKS_BLOCK_H
#define RIG_BLOCKS_BLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define BLOCK_BYTES 1024u

struct block {
    unsigned line;   /* in its file, from 1 */
    double cycles;   /* that one copy takes on silicon; above 0 */
    bool confirmed;  /* another simulator comes close to `cycles` */
    unsigned length; /* bytes of code, 1 to BLOCK_BYTES */
    uint8_t code[BLOCK_BYTES];
};

struct blocks {
    struct block *block;
    size_t count;
};

/* Reads one line, without its end. Returns NULL, or what is wrong with it. `block->line` stays. */
const char *block_parse(struct block *block, const char *text);
/* Reads the file. On failure returns false, and `why` names the line, what was expected, or that
 * the host's memory ran out. Free with blocks_free in both cases. */
bool blocks_read(struct blocks *blocks, FILE *file, char *why, size_t why_size);
void blocks_free(struct blocks *blocks);

#endif
