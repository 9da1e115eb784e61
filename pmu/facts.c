#include "facts.h"

#include "boot/text.h"

static bool has_word(const struct facts *facts, const char *word, size_t length)
{
    const struct {
        const char *name;
        bool present;
    } words[] = {
        {"avx", facts->avx},
        {"avx2", facts->avx2},
        {"fma", facts->fma},
        {"avx512f", facts->avx512f},
    };

    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (strlen(words[i].name) == length && memcmp(words[i].name, word, length) == 0)
            return words[i].present;
    }
    return false;
}

const char *facts_missing(const struct facts *facts, const char *wanted, size_t *length)
{
    for (; *wanted != '\0'; wanted += *length) {
        while (*wanted == ' ')
            wanted++;
        for (*length = 0; wanted[*length] != '\0' && wanted[*length] != ' ';)
            ++*length;
        if (*length > 0 && !has_word(facts, wanted, *length))
            return wanted;
    }
    return NULL;
}
