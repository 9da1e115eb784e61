#include "block.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEADING "code,cycles,confirmed"

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Gives what is behind the code, or NULL. */
static const char *parse_code(struct block *block, const char *text)
{
    block->length = 0;
    while (digit(text[0]) >= 0 && digit(text[1]) >= 0 && block->length < BLOCK_BYTES) {
        block->code[block->length++] = (uint8_t)(digit(text[0]) << 4 | digit(text[1]));
        text += 2;
    }
    return block->length > 0 && *text == ',' ? text + 1 : NULL;
}

const char *block_parse(struct block *block, const char *text)
{
    char *end;

    text = parse_code(block, text);
    if (text == NULL)
        return "expected code as 2 to 2048 hexadecimal digits, two a byte, and a comma";
    if (!isdigit((unsigned char)*text))
        return "expected cycles as a decimal number";
    block->cycles = strtod(text, &end);
    if (*end != ',' || !isfinite(block->cycles) || block->cycles <= 0)
        return "expected cycles as a decimal number above 0, and a comma";
    block->confirmed = strcmp(end + 1, "yes") == 0;
    return block->confirmed || strcmp(end + 1, "no") == 0 ? NULL : "expected yes or no at the end";
}

static bool append(struct blocks *blocks, const struct block *block)
{
    struct block *grown = blocks->block;

    if ((blocks->count & (blocks->count - 1)) == 0) { /* room for the next power of two */
        grown = realloc(grown, (blocks->count ? 2 * blocks->count : 1) * sizeof(*grown));
        if (grown == NULL)
            return false;
        blocks->block = grown;
    }
    grown[blocks->count++] = *block;
    return true;
}

bool blocks_read(struct blocks *blocks, FILE *file, char *why, size_t why_size)
{
    char text[2 * BLOCK_BYTES + 64];
    struct block block = {.line = 1};

    *blocks = (struct blocks){NULL, 0};
    for (; fgets(text, sizeof(text), file) != NULL; block.line++) {
        const char *wrong = NULL;

        text[strcspn(text, "\r\n")] = '\0';
        if (block.line > 1)
            wrong = block_parse(&block, text);
        else if (strcmp(text, HEADING) != 0)
            wrong = "expected the heading " HEADING;
        if (wrong == NULL && block.line > 1 && !append(blocks, &block))
            wrong = "not enough memory on the host";
        if (wrong == NULL)
            continue;
        snprintf(why, why_size, "line %u: %s", block.line, wrong);
        return false;
    }
    snprintf(why, why_size, "line 1: expected the heading " HEADING " and a block");
    return blocks->count > 0;
}

void blocks_free(struct blocks *blocks)
{
    free(blocks->block);
    *blocks = (struct blocks){NULL, 0};
}
