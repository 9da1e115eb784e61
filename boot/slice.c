#include "slice.h"

#include "text.h"

bool slice_is(struct slice span, const char *word)
{
    return strlen(word) == span.length && memcmp(span.text, word, span.length) == 0;
}

bool slice_is_file(struct slice span, const char *name)
{
    size_t same = 0;

    while (same < span.length && name[same] != '\0' &&
           (span.text[same] >= 'A' && span.text[same] <= 'Z' ? span.text[same] + ('a' - 'A')
                                                             : span.text[same]) == name[same])
        same++;
    return same == span.length && name[same] == '\0';
}

bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

struct slice slice_trim(struct slice span)
{
    while (span.length > 0 && is_blank(span.text[0])) {
        span.text++;
        span.length--;
    }
    while (span.length > 0 && is_blank(span.text[span.length - 1]))
        span.length--;
    return span;
}

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 16;
}

bool slice_number(struct slice span, uint64_t maximum, uint64_t *number)
{
    uint64_t value = 0;
    int base = 10;

    if (span.length > 2 && span.text[0] == '0' && (span.text[1] == 'x' || span.text[1] == 'X')) {
        base = 16;
        span.text += 2;
        span.length -= 2;
    }
    if (span.length == 0)
        return false;
    for (size_t i = 0; i < span.length; i++) {
        int digit = digit_of(span.text[i]);

        if (digit >= base || value > (maximum - (uint64_t)digit) / (uint64_t)base)
            return false;
        value = value * (uint64_t)base + (uint64_t)digit;
    }
    *number = value;
    return true;
}

static bool is_name_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
}

bool slice_is_name(struct slice span)
{
    for (size_t i = 0; i < span.length; i++) {
        if (!is_name_character(span.text[i]))
            return false;
    }
    return span.length > 0;
}

void slice_copy(char *out, struct slice span)
{
    memcpy(out, span.text, span.length);
    out[span.length] = '\0';
}

bool slice_item(struct slice *rest, struct slice *item)
{
    size_t length = 0;

    if (rest->text == NULL)
        return false;
    while (length < rest->length && rest->text[length] != ',')
        length++;
    *item = slice_trim((struct slice){rest->text, length});
    if (length == rest->length)
        *rest = (struct slice){NULL, 0};
    else
        *rest = (struct slice){rest->text + length + 1, rest->length - length - 1};
    return true;
}
