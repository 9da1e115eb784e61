/* Cycles that the core model takes for each loop body of a disassembly: `objdump -dw FILE | compare
 * PERSONALITY`.
 *
 * A body runs as llvm-mca sees it: from the uop cache, without a branch unless it ends in one,
 * every access in L1. Addresses advance so that no load meets a store that is still on its way, as
 * llvm-mca assumes (-noalias). */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blocks/bare_core.h"
#include "core/decode/decode.h"
#include "pmu/personality.h"

#define BODY_MAX   32u
#define WARM       2000u
#define COUNT      1000u
#define CODE_START 0x400000u
#define DATA_START 0x10000000u
#define DATA_STEP  16u /* of one access to the next */
#define DATA_BYTES                                                                                 \
    16384u /* half of the smallest L1: all of it stays there, and a store is long done when its    \
              turn comes again */

struct line {
    uint8_t bytes[15];
    uint8_t length;
    bool loads, stores;
};

struct body {
    char name[64];
    struct line lines[BODY_MAX];
    unsigned count;
};

static void touch(struct executed *executed, uint64_t *data, bool write, bool again)
{
    if (!again)
        *data = (*data + DATA_STEP) % DATA_BYTES;
    executed->access[executed->accesses++] = (struct access){DATA_START + *data, 8, write};
}

static void run(struct model *model, const struct body *body, unsigned count, uint64_t *data)
{
    for (unsigned turn = 0; turn < count; turn++) {
        uint64_t rip = CODE_START;

        for (unsigned i = 0; i < body->count; i++) {
            const struct line *line = &body->lines[i];
            struct executed executed = {.rip = rip, .bytes = line->bytes, .length = line->length};

            rip += line->length;
            executed.next = i + 1 < body->count ? rip : CODE_START;
            if (line->loads)
                touch(&executed, data, false, false);
            if (line->stores)
                touch(&executed, data, true, line->loads);
            model_execute(model, &executed);
        }
    }
    model_drain(model);
}

/* Cycles an iteration: what COUNT more iterations add. */
static double measure(const struct model_parameters *core, const struct body *body)
{
    struct bare_core bare;
    uint64_t data = 0, once, begun;

    if (!bare_core_new(&bare, core)) {
        fprintf(stderr, "compare: out of memory\n");
        exit(1);
    }
    run(bare.model, body, WARM, &data);
    begun = model_now(bare.model);
    run(bare.model, body, COUNT, &data);
    once = model_now(bare.model) - begun;
    begun = model_now(bare.model);
    run(bare.model, body, 2 * COUNT, &data);
    begun = model_now(bare.model) - begun - once;
    bare_core_free(&bare);
    return (double)begun / COUNT;
}

static void finish(const struct model_parameters *core, struct body *body)
{
    if (body->count > 0)
        printf("%s %.3f\n", body->name, measure(core, body));
    body->count = 0;
}

/* "   0:\t48 01 c8             \tadd ..." */
static bool read_line(struct decoder *decoder, const char *text, struct line *line)
{
    const char *bytes = strchr(text, '\t');
    const struct decoded *decoded;
    unsigned value;

    if (bytes == NULL)
        return false;
    bytes++;
    memset(line, 0, sizeof(*line));
    while (line->length < sizeof(line->bytes) && isxdigit((unsigned char)*bytes) &&
           sscanf(bytes, "%2x", &value) == 1) {
        line->bytes[line->length++] = (uint8_t)value;
        bytes += 3;
    }
    if (line->length == 0)
        return false;
    decoded = decoder_get(decoder, CODE_START, line->bytes, line->length);
    line->loads = decoded->loads;
    line->stores = decoded->stores;
    return true;
}

int main(int argc, char **argv)
{
    const struct personality *personality = argc == 2 ? personality_find(argv[1]) : NULL;
    struct decoder *decoder;
    struct body body = {0};
    char text[256];

    if (personality == NULL || (decoder = decoder_new(personality->core)) == NULL) {
        fprintf(stderr, "usage: objdump -dw FILE | compare PERSONALITY\n");
        return 2;
    }
    while (fgets(text, sizeof(text), stdin) != NULL) {
        char name[sizeof(body.name)];
        struct line line;

        if (sscanf(text, "%*x <%63[^>]>:", name) == 1) {
            finish(personality->core, &body);
            memcpy(body.name, name, sizeof(name));
        } else if (body.count < BODY_MAX && read_line(decoder, text, &line)) {
            body.lines[body.count++] = line;
        }
    }
    finish(personality->core, &body);
    decoder_free(decoder);
    return 0;
}
