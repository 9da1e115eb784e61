#include "freeze.h"

#include "kind.h"

enum freeze freeze_kind(const struct facts *facts, const char **why)
{
    *why = facts->absent;
    if (*why == NULL)
        *why = kind_of(facts)->no_freeze;
    return *why == NULL ? kind_of(facts)->freezing->kind(facts, why) : FREEZE_NONE;
}

const char *freeze_name(enum freeze freeze)
{
    return freeze == FREEZE_STREAMLINED ? "streamlined"
           : freeze == FREEZE_LEGACY    ? "legacy"
                                        : "none";
}

bool freeze_arm(struct pass *pass, const struct facts *facts)
{
    return kind_of(facts)->freezing->arm(pass);
}

void freeze_preset(struct pass *pass, const struct facts *facts, uint64_t cycles)
{
    kind_of(facts)->freezing->preset(pass, facts, cycles);
}

uint64_t freeze_counted(const struct facts *facts, uint64_t cycles, uint64_t value)
{
    return kind_of(facts)->freezing->counted(facts, cycles, value);
}

void freeze_end(struct pass *pass, const struct facts *facts)
{
    kind_of(facts)->freezing->end(pass, facts);
}
