#include "signature.h"

#include "pmu/formula/number.h"

static bool parse_signature_word(struct parser *parser, struct slice word,
                                 struct signature *signature)
{
    size_t bar = 0;
    uint64_t family = 0, model = 0;

    while (bar < word.length && word.text[bar] != '_')
        bar++;
    if (bar == word.length || !number_hex(word.text, bar, &family) ||
        !number_hex(word.text + bar + 1, word.length - bar - 1, &model) || family > 0x10e ||
        model > 0xff)
        return complain(parser, word.text,
                        "FAMILY_MODEL in hexadecimal such as 06_55, stepping, core or native",
                        "malformed signature");
    *signature = (struct signature){
        .family = (uint32_t)family, .model = (uint32_t)model, .stepping_high = 15};
    return true;
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
    unsigned count = 0;
    uint64_t value;

    for (;;) {
        struct slice word = parse_word(parser);

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
            description->signature_count += parser->source == 0;
            count++;
        }
    }
}
