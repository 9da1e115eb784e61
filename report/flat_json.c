#include "flat_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const char *begin, *at, *end;
    struct flat_error *error;
};

static bool refuse(const struct reader *reader, const char *at, const char *expected)
{
    *reader->error = (struct flat_error){(size_t)(at - reader->begin) + 1, expected};
    return false;
}

static void skip_blanks(struct reader *reader)
{
    while (reader->at < reader->end &&
           (*reader->at == ' ' || *reader->at == '\t' || *reader->at == '\r'))
        reader->at++;
}

static bool expect(struct reader *reader, char c, const char *expected)
{
    skip_blanks(reader);
    if (reader->at == reader->end || *reader->at != c)
        return refuse(reader, reader->at, expected);
    reader->at++;
    return true;
}

/* After the backslash. Names are ASCII, so \u is understood up to 007f. */
static bool read_escape(struct reader *reader, char *c)
{
    static const char written[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char *found;
    char digits[5] = "";
    char *stop;
    long code;

    if (reader->at == reader->end)
        return refuse(reader, reader->at, "an escaped character");
    found = *reader->at ? strchr(written, *reader->at) : NULL;
    if (found != NULL) {
        *c = meant[found - written];
        reader->at++;
        return true;
    }
    if (*reader->at != 'u' || reader->end - reader->at < 5)
        return refuse(reader, reader->at, "one of \" \\ / b f n r t u after a backslash");
    memcpy(digits, reader->at + 1, 4);
    code = strtol(digits, &stop, 16);
    if (*stop || digits[0] < '0' || code <= 0 || code > 0x7f)
        return refuse(reader, reader->at, "an ASCII character as \\u0001 to \\u007f");
    *c = (char)code;
    reader->at += 5;
    return true;
}

static bool read_name(struct reader *reader, char *name)
{
    size_t length = 0;

    if (!expect(reader, '"', "a name in quotation marks"))
        return false;
    while (reader->at < reader->end && *reader->at != '"') {
        char c = *reader->at;

        if ((unsigned char)c < ' ')
            return refuse(reader, reader->at, "no control character in a name");
        reader->at++;
        if (c == '\\' && !read_escape(reader, &c))
            return false;
        if (length + 1 < FLAT_NAME)
            name[length++] = c;
    }
    name[length] = 0;
    return expect(reader, '"', "\" at the end of a name");
}

static bool read_digits(struct reader *reader)
{
    const char *first = reader->at;

    while (reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9')
        reader->at++;
    return reader->at > first || refuse(reader, reader->at, "a digit");
}

/* As RFC 8259 writes numbers: no leading zero or +, no inf or nan. */
static bool read_number(struct reader *reader, double *value)
{
    const char *first = reader->at;
    char text[64];
    size_t length;

    if (*reader->at == '-')
        reader->at++;
    if (reader->at < reader->end && *reader->at == '0')
        reader->at++;
    else if (!read_digits(reader))
        return false;
    if (reader->at < reader->end && *reader->at == '.') {
        reader->at++;
        if (!read_digits(reader))
            return false;
    }
    if (reader->at < reader->end && (*reader->at == 'e' || *reader->at == 'E')) {
        reader->at++;
        if (reader->at < reader->end && (*reader->at == '+' || *reader->at == '-'))
            reader->at++;
        if (!read_digits(reader))
            return false;
    }
    length = (size_t)(reader->at - first);
    if (length >= sizeof(text))
        return refuse(reader, first, "a number of at most 63 characters");
    memcpy(text, first, length);
    text[length] = 0;
    *value = strtod(text, NULL);
    return isfinite(*value) || refuse(reader, first, "a number that is not too large");
}

static bool read_value(struct reader *reader, bool *present, double *value)
{
    skip_blanks(reader);
    *present = false;
    *value = 0;
    if (reader->end - reader->at >= 4 && memcmp(reader->at, "null", 4) == 0) {
        reader->at += 4;
        return true;
    }
    if (reader->at == reader->end ||
        (*reader->at != '-' && (*reader->at < '0' || *reader->at > '9')))
        return refuse(reader, reader->at, "a number or null");
    *present = true;
    return read_number(reader, value);
}

bool flat_json(const char *line, size_t length,
               void (*member)(void *context, const char *name, bool present, double value),
               void *context, struct flat_error *error)
{
    struct reader reader = {line, line, line + length, error};
    char name[FLAT_NAME];

    if (!expect(&reader, '{', "{"))
        return false;
    skip_blanks(&reader);
    if (reader.at == reader.end || *reader.at != '}') {
        for (;;) {
            bool present;
            double value;

            if (!read_name(&reader, name) || !expect(&reader, ':', ":") ||
                !read_value(&reader, &present, &value))
                return false;
            member(context, name, present, value);
            skip_blanks(&reader);
            if (reader.at == reader.end || *reader.at != ',')
                break;
            reader.at++;
        }
    }
    if (!expect(&reader, '}', ", or }"))
        return false;
    skip_blanks(&reader);
    return reader.at == reader.end || refuse(&reader, reader.at, "the end of the line");
}
