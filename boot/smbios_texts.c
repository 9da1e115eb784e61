#include "smbios_texts.h"

#include <stdbool.h>
#include <stdint.h>

#include "text.h"

enum {
    HEADER_BYTES = 4, /* type, length, handle */
    TYPE_BIOS = 0,
    TYPE_SYSTEM = 1,
    TYPE_BOARD = 2,
    TYPE_END = 127,
};

/* A structure: its formatted part, and the strings behind it. */
struct structure {
    const uint8_t *formatted;
    uint8_t length;
    const char *strings;
    size_t strings_size; /* the two zeros at their end included */
};

/* The structure at the begin of `bytes`. False: it is cut. */
static bool structure_at(const uint8_t *bytes, size_t size, struct structure *structure)
{
    size_t end;

    if (size < HEADER_BYTES || bytes[1] < HEADER_BYTES || bytes[1] + 2u > size)
        return false;
    for (end = bytes[1]; end + 1 < size && (bytes[end] != 0 || bytes[end + 1] != 0);)
        end++;
    if (end + 1 >= size)
        return false;
    *structure =
        (struct structure){bytes, bytes[1], (const char *)bytes + bytes[1], end + 2 - bytes[1]};
    return true;
}

/* The string whose number is at this offset of the formatted part; "" when it has none. */
static const char *string_of(const struct structure *structure, unsigned offset)
{
    const unsigned number = offset < structure->length ? structure->formatted[offset] : 0;
    size_t at = 0;

    for (unsigned i = 1; i < number && at < structure->strings_size; i++)
        at += strlen(structure->strings + at) + 1;
    return number > 0 && at < structure->strings_size ? structure->strings + at : "";
}

static void append(char *text, size_t room, const char *part)
{
    size_t length = strlen(text), end = strlen(part);

    while (end > 0 && part[end - 1] == ' ')
        end--;
    if (end > 0 && length > 0 && length + 1 < room)
        text[length++] = ' ';
    for (size_t i = 0; i < end && length + 1 < room; i++)
        text[length++] = part[i] >= ' ' && part[i] <= '~' ? part[i] : '?';
    text[length] = '\0';
}

static void append_strings(const struct structure *structure, const unsigned offsets[3], char *text,
                           size_t room)
{
    text[0] = '\0';
    for (unsigned i = 0; i < 3; i++)
        append(text, room, string_of(structure, offsets[i]));
}

void smbios_texts_read(const void *table, size_t size, struct smbios_texts *texts)
{
    static const unsigned bios[3] = {4, 5, 8}, board[3] = {4, 5, 6};
    const uint8_t *bytes = table;
    struct structure structure;
    bool has_board = false;

    memset(texts, 0, sizeof(*texts));
    for (size_t at = 0; structure_at(bytes + at, size - at, &structure);) {
        const uint8_t type = structure.formatted[0];

        if (type == TYPE_END)
            return;
        if (type == TYPE_BIOS && texts->bios[0] == '\0')
            append_strings(&structure, bios, texts->bios, sizeof(texts->bios));
        if ((type == TYPE_BOARD && !has_board) || (type == TYPE_SYSTEM && texts->board[0] == '\0'))
            append_strings(&structure, board, texts->board, sizeof(texts->board));
        has_board = has_board || (type == TYPE_BOARD && texts->board[0] != '\0');
        at += structure.length + structure.strings_size;
    }
}
