#include "signature.h"

#include "pmu/formula/number.h"
#include "pmu/kinds/kinds.h"

/* Where the character is in the word first; its length: nowhere. */
static size_t place_of(char c, struct slice word)
{
    size_t at = 0;

    while (at < word.length && word.text[at] != c)
        at++;
    return at;
}

static bool parse_signature_word(struct parser *parser, struct slice word,
                                 struct signature *signature)
{
    const size_t bar = place_of('_', word), dash = place_of('-', word);
    uint64_t family = 0, model = 0, last = 0;
    bool right = bar < dash && number_hex(word.text, bar, &family) &&
                 number_hex(word.text + bar + 1, dash - bar - 1, &model);

    if (right && dash < word.length)
        right = number_hex(word.text + dash + 1, word.length - dash - 1, &last) && last > model;
    else
        last = model;
    if (!right || family > 0x10e || last > 0xff)
        return complain(parser, word.text,
                        "FAMILY_MODEL in hexadecimal such as 06_55, stepping, core or native",
                        "malformed signature");
    *signature = (struct signature){.family = (uint32_t)family,
                                    .model = (uint32_t)model,
                                    .model_last = (uint32_t)last,
                                    .stepping_high = 15};
    return true;
}

/* The vendor that the word names; null: none, so that Intel's signatures follow. */
static const char *vendor_of(struct slice word)
{
    const struct pmu_kind *kind;

    for (unsigned i = 0; (kind = pmu_kind_at(i)) != NULL; i++)
        if (kind->vendor != NULL && slice_is(word, kind->vendor))
            return kind->vendor;
    return NULL;
}

static bool parse_steppings(struct parser *parser, struct signature *signature)
{
    static const char expected[] = "steppings from 0 to 15 such as 0-4 or 7";
    struct slice word = parse_word(parser);
    size_t dash = 0;
    uint64_t low = 0, high = 0;

    while (dash < word.length && word.text[dash] != '-')
        dash++;
    if (!number_unsigned(word.text, dash, &low))
        return complain(parser, word.text, expected, "malformed steppings");
    high = low;
    if (dash < word.length && !number_unsigned(word.text + dash + 1, word.length - dash - 1, &high))
        return complain(parser, word.text, expected, "malformed steppings");
    if (low > high || high > 15)
        return complain(parser, word.text, expected, "steppings out of range");
    signature->stepping_low = (uint32_t)low;
    signature->stepping_high = (uint32_t)high;
    return true;
}

bool parse_signature(struct parser *parser)
{
    struct description *description = parser->description;
    struct signature *signature = NULL, ignored;
    const char *vendor = NULL;
    unsigned count = 0;
    uint64_t value;

    for (;;) {
        struct slice word = parse_word(parser);

        if (count == 0 && vendor == NULL && (vendor = vendor_of(word)) != NULL)
            continue;
        if (word.length == 0 && count == 0)
            return complain(parser, word.text, "FAMILY_MODEL in hexadecimal such as 06_55",
                            "signature missing");
        if (word.length == 0)
            return true;
        if (signature != NULL && slice_is(word, "stepping")) {
            if (!parse_steppings(parser, signature))
                return false;
        } else if (signature != NULL && slice_is(word, "core")) {
            if (!parse_number(parser, 0xff, "a core type of CPUID 1AH such as 0x40", &value))
                return false;
            signature->core_type = (uint32_t)value;
        } else if (signature != NULL && slice_is(word, "native")) {
            if (!parse_number(parser, 0xffffff, "a native model of CPUID 1AH such as 0x3", &value))
                return false;
            signature->native_model = (uint32_t)value;
        } else {
            if (count == SIGNATURES_A_LINE)
                return complain(parser, word.text, "at most 64 signatures a line",
                                "too many signatures");
            signature = parser->source == 0 ? &description->signatures[description->signature_count]
                                            : &ignored;
            if (!parse_signature_word(parser, word, signature))
                return false;
            signature->vendor = vendor;
            description->signature_count += parser->source == 0;
            count++;
        }
    }
}
