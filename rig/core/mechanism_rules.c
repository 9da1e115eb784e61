#include "mechanism_rules.h"

#include <stdbool.h>
#include <string.h>

#include "parameters.h"
#include "snapshot.h"

static bool is_present(const void *figures, size_t bytes)
{
    const uint8_t *byte = figures;
    unsigned any = 0;

    for (size_t i = 0; i < bytes; i++)
        any |= byte[i];
    return any != 0;
}

#define HAS(parameters, name) is_present(&(parameters)->name, sizeof((parameters)->name))

void mechanisms_ideal(struct model_parameters *parameters, unsigned ideals)
{
#define MECHANISM(name)                                                                            \
    if (name##_rules.ideals & ideals && HAS(parameters, name))                                     \
        parameters->name = name##_rules.ideal;
#include "mechanisms.inc"
#undef MECHANISM
}

void mechanisms_interrupted(struct mechanisms *mechanisms)
{
#define MECHANISM(name)                                                                            \
    if (name##_rules.interrupted != NULL)                                                          \
        name##_rules.interrupted(&mechanisms->name);
#include "mechanisms.inc"
#undef MECHANISM
}

void mechanisms_unobserved(struct mechanisms *mechanisms)
{
#define MECHANISM(name)                                                                            \
    if (name##_rules.unobserved != NULL)                                                           \
        name##_rules.unobserved(&mechanisms->name);
#include "mechanisms.inc"
#undef MECHANISM
}

void mechanisms_snapshot(const struct model_parameters *parameters,
                         const struct mechanisms *mechanisms, uint64_t now,
                         struct snapshot *snapshot)
{
#define MECHANISM(name)                                                                            \
    if (HAS(parameters, name)) {                                                                   \
        struct name##_state copy;                                                                  \
                                                                                                   \
        memcpy(&copy, &mechanisms->name, sizeof(copy));                                            \
        if (name##_rules.relative != NULL)                                                         \
            name##_rules.relative(&copy, now);                                                     \
        snapshot_bytes(snapshot, &copy, sizeof(copy));                                             \
    }
#include "mechanisms.inc"
#undef MECHANISM
}
