/* Configurations from mutated lines: each complaint has a place inside the text and an expectation,
 * and whatever was accepted is within its limits. Deterministic. Usage: config_fuzz [runs [seed]]
 */
#include <string.h>

#include "harness/configure/config_reader.h"
#include "tests/fuzz/random.h"

static const char seed_text[] =
    "kernels = be.*,ret.nop # some\ncores=0-3,6\nlevels = 2\nrepeats = 3\nwarmup = 2\n"
    "scale = 10\ncpu = skylakex\nserial = 0x2f8\nbaud = 115200\nscreen = no\nlog = a.log\n"
    "end = halt\nexclusive = yes\nparallel = no\npages = 4k\ntimeout = 60\n";

struct heard {
    size_t size;
    unsigned complaints;
};

static void hear(void *context, const struct complaint *complaint)
{
    struct heard *heard = context;

    heard->complaints++;
    require(complaint->message[0] != '\0', "a complaint says what");
    require(complaint->expected[0] != '\0', "a complaint says what was expected");
    require(complaint->line <= heard->size + 1 && complaint->column <= heard->size + 1,
            "a complaint's place is in the text");
    require(memchr(complaint->message, 0, sizeof(complaint->message)) != NULL, "a complaint ends");
}

static void check(const struct config *config)
{
    require(config->levels >= 1 && config->levels <= CONFIG_LEVELS, "levels");
    require(config->repeats >= 1 && config->repeats <= 101 && config->repeats % 2 == 1, "repeats");
    require(config->warmup <= 1000, "warmup");
    require(config->scale >= 1 && config->scale <= 1000000, "scale");
    require(config->timeout >= 1 && config->timeout <= 3600, "timeout");
    require(config->page_shift == 12 || config->page_shift == 21 || config->page_shift == 30,
            "pages");
    require(memchr(config->log, 0, sizeof(config->log)) != NULL, "log");
    require(config->baud == 0 || 115200 % config->baud == 0, "baud");
}

/* Bytes changed, taken out, doubled; half of the time only a few lines of the seed. */
static size_t mutate(uint64_t *state, char *text, size_t room)
{
    size_t first =
        random_below(state, 2) ? 0 : random_below(state, (unsigned)sizeof(seed_text) - 1);
    size_t size = 1 + random_below(state, (unsigned)(sizeof(seed_text) - 1 - first));

    memcpy(text, seed_text + first, size);
    for (unsigned i = random_below(state, 8); i > 0; i--) {
        size_t at = random_below(state, (unsigned)size);

        switch (random_below(state, 4)) {
        case 0:
            text[at] = (char)random_next(state);
            break;
        case 1:
            text[at] = "=#,-*\n\r\t 0x9ykn.\\"[random_below(state, 17)];
            break;
        case 2:
            memmove(text + at, text + at + 1, size - at - 1);
            size -= size > 1;
            break;
        default:
            if (2 * size < room) {
                memcpy(text + size, text, size);
                size *= 2;
            }
        }
    }
    return size;
}

int main(int argc, char **argv)
{
    unsigned runs = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 50000, clean = 0;
    uint64_t state = argc > 2 ? strtoull(argv[2], NULL, 0) : 20261121;

    for (unsigned run = 0; run < runs; run++) {
        static char text[65536];
        size_t size = mutate(&state, text, sizeof(text) - 1);
        struct heard heard = {size, 0};
        struct complaint_sink sink = {&heard, hear};
        struct config config;
        char *exact = malloc(size + 1); /* so that a byte read too far is seen */

        require(exact != NULL, "memory");
        memcpy(exact, text, size);
        config_defaults(&config);
        require(config_read_file(&config, "fuzz.cfg", exact, size, &sink) == heard.complaints,
                "all are heard");
        check(&config);
        for (size_t i = 0; i < size; i++)
            exact[i] = exact[i] == '\0' ? ' ' : exact[i];
        exact[size] = '\0';
        clean += heard.complaints == 0;
        config_read_options(&config, exact, &sink);
        check(&config);
        free(exact);
    }
    printf("%s 1 - %u mutated configurations, %u of them clean\n1..1\n",
           clean > 0 && clean < runs ? "ok" : "not ok", runs, clean);
    return clean > 0 && clean < runs ? 0 : 1;
}
