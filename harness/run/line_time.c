#include "line_time.h"

#include "boot/firmware/console.h"
#include "boot/log.h"
#include "boot/serial/serial.h"

/* A guess: bytes that a kernel takes on a core, by the levels of the tree that are measured: what
 * logs of the rig's Skylake-SP took, divided by their kernels (a kernel with doses is many in the
 * full form). Other CPUs have more or fewer nodes and events. */
static const unsigned brief_bytes[CONFIG_LEVELS] = {540, 720, 740, 770, 780, 810};
static const unsigned full_bytes[CONFIG_LEVELS] = {5300, 8000, 15500, 28400, 35000, 38000};
#define CORE_BYTES 1300u /* its own records */
#define RUN_BYTES  1500u /* those of the machine and the end */

#define BITS_A_BYTE 10u

static uint64_t bytes_of(enum log_form form, const struct config *config,
                         const struct run_experiments *experiments, unsigned cores)
{
    const bool full = form == LOG_FULL;
    const unsigned level = config->levels - 1;
    uint64_t kernels = 0, bytes = RUN_BYTES + (uint64_t)CORE_BYTES * cores;

    for (unsigned i = 0; i < experiments->count; i++) {
        const uint64_t doses = experiments->of[i].kernel->doses;

        kernels += full && doses > 0 ? doses : 1;
    }
    /* In the brief form cores that agree are said once. */
    if (full)
        bytes += kernels * cores * full_bytes[level];
    else if (cores > 0)
        bytes += kernels * brief_bytes[level];
    return bytes;
}

static const char *name_of(enum log_form form)
{
    return form == LOG_FULL ? "full" : "brief";
}

/* Of a run of several rounds, the first. */
static void log_room(const struct config *config, const struct run_experiments *experiments,
                     unsigned cores)
{
    const uint64_t bytes = bytes_of(config->log_detail, config, experiments, cores);
    uint64_t room;

    if (!console_stick_room(&room))
        return;
    log_comment("stick: the %s log takes about %llu KB of it, and %llu KB are free%s",
                name_of(config->log_detail), (unsigned long long)(bytes / 1000),
                (unsigned long long)(room / 1000),
                room < bytes ? ": the log there may be cut" : "");
}

void line_time_log(const struct config *config, const struct run_experiments *experiments,
                   unsigned cores)
{
    const uint64_t bytes = bytes_of(config->detail, config, experiments, cores);

    log_room(config, experiments, cores);
    if (!console_has_serial() || serial_baud() == 0)
        return;
    log_comment("serial line: the %s log takes about %llu s of it, %llu KB at %u baud; it is sent "
                "while no core measures",
                name_of(config->detail),
                (unsigned long long)(bytes * BITS_A_BYTE / serial_baud() + 1),
                (unsigned long long)(bytes / 1000), (unsigned)serial_baud());
}
