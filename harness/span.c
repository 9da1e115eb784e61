#include "span.h"

#include "boot/text.h"

bool span_is(struct span span, const char *word)
{
    return strlen(word) == span.length && memcmp(span.text, word, span.length) == 0;
}

bool span_is_file(struct span span, const char *name)
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

struct span span_trim(struct span span)
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

bool span_number(struct span span, uint64_t maximum, uint64_t *number)
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

bool span_is_name(struct span span)
{
    for (size_t i = 0; i < span.length; i++) {
        if (!is_name_character(span.text[i]))
            return false;
    }
    return span.length > 0;
}

void span_copy(char *out, struct span span)
{
    memcpy(out, span.text, span.length);
    out[span.length] = '\0';
}

bool span_item(struct span *rest, struct span *item)
{
    size_t length = 0;

    if (rest->text == NULL)
        return false;
    while (length < rest->length && rest->text[length] != ',')
        length++;
    *item = span_trim((struct span){rest->text, length});
    if (length == rest->length)
        *rest = (struct span){NULL, 0};
    else
        *rest = (struct span){rest->text + length + 1, rest->length - length - 1};
    return true;
}
