#include "slice.h"

#include "text.h"

bool slice_equals(struct slice slice, const char *word)
{
    size_t same = 0;

    while (same < slice.length && word[same] == slice.text[same] && word[same] != '\0')
        same++;
    return same == slice.length && word[same] == '\0';
}

bool slice_is_file(struct slice slice, const char *name)
{
    size_t same = 0;

    while (same < slice.length && name[same] != '\0' &&
           (slice.text[same] >= 'A' && slice.text[same] <= 'Z' ? slice.text[same] + ('a' - 'A')
                                                               : slice.text[same]) == name[same])
        same++;
    return same == slice.length && name[same] == '\0';
}

bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

struct slice slice_trim(struct slice slice)
{
    while (slice.length > 0 && is_blank(slice.text[0])) {
        slice.text++;
        slice.length--;
    }
    while (slice.length > 0 && is_blank(slice.text[slice.length - 1]))
        slice.length--;
    return slice;
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

/* Takes the 0x off a hexadecimal number, and returns the base. */
static int take_base(struct slice *slice)
{
    if (slice->length <= 2 || slice->text[0] != '0' ||
        (slice->text[1] != 'x' && slice->text[1] != 'X'))
        return 10;
    slice->text += 2;
    slice->length -= 2;
    return 16;
}

bool slice_is_number(struct slice slice)
{
    int base = take_base(&slice);

    for (size_t i = 0; i < slice.length; i++) {
        if (digit_of(slice.text[i]) >= base)
            return false;
    }
    return slice.length > 0;
}

bool slice_number(struct slice slice, uint64_t maximum, uint64_t *number)
{
    uint64_t value = 0;
    int base = take_base(&slice);

    if (slice.length == 0)
        return false;
    for (size_t i = 0; i < slice.length; i++) {
        int digit = digit_of(slice.text[i]);

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

bool slice_is_name(struct slice slice)
{
    for (size_t i = 0; i < slice.length; i++) {
        if (!is_name_character(slice.text[i]))
            return false;
    }
    return slice.length > 0;
}

void slice_copy(char *out, struct slice slice)
{
    memcpy(out, slice.text, slice.length);
    out[slice.length] = '\0';
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
