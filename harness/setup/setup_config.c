#include "setup_config.h"

#include "boot/alike.h"
#include "boot/format.h"
#include "boot/log.h"
#include "harness/configure/config_reader.h"
#include "harness/configure/config_text.h"
#include "harness/configure/config_value.h"
#include "setup_file.h"

/* Refuses a pattern that covers no kernel, and names the one that begins most like it. */
static void check_pattern(const struct config *config, const struct own_kernel *own,
                          const char *pattern, struct complaints *complaints)
{
    const char *nearest = kernels_linked(0)->name;
    char message[160], expected[120];

    for (unsigned i = 0; i < kernels_count(); i++) {
        const char *name = kernels_linked(i)->name;

        if (config_pattern_covers(pattern, name))
            return;
        if (alike(pattern, name) > alike(pattern, nearest))
            nearest = name;
    }
    for (; own != NULL; own = own->next) {
        if (config_pattern_covers(pattern, own->kernel.name))
            return;
        if (alike(pattern, own->kernel.name) > alike(pattern, nearest))
            nearest = own->kernel.name;
    }
    format(message, sizeof(message), "no kernel has this name: %s", pattern);
    format(expected, sizeof(expected), "a kernel such as %s", nearest);
    complaints_refuse_value(complaints, &config->kernels_place, message, expected);
}

/* Refuses keys that exclude each other. */
static void check_combinations(const struct config *config, struct complaints *complaints)
{
    if (config->drill && (config->multiplex || config->interval_us != 0))
        complaints_refuse_value(complaints, &config->levels_place,
                                "levels = auto excludes multiplex and interval",
                                "a number of 1..6");
    if (config->multiplex && config->interval_us != 0)
        complaints_refuse_value(complaints, &config->interval_place,
                                "interval and multiplex = yes exclude each other",
                                "interval or multiplex = yes");
    if (config->parallel && config->sibling[0] != '\0')
        complaints_refuse_value(complaints, &config->sibling_place,
                                "sibling and parallel = yes exclude each other",
                                "sibling or parallel = yes");
    if (config->duty.first != 0 && config->sibling[0] == '\0')
        complaints_refuse_value(complaints, &config->duty_place,
                                "sibling_duty has no sibling to halt",
                                "sibling = KERNEL beside it");
}

/* Refuses what would count nothing of a kernel in ring 3: these keys run code of their own, or a
 * kernel on another thread, in ring 0. */
static void check_ring(const struct config *config, struct complaints *complaints)
{
    const bool others = config->sibling[0] != '\0' || config->precision || config->skid ||
                        config->overhead_count != 0 || config->timeline[0] != '\0';

    if (config->ring_3 && others)
        complaints_refuse_value(complaints, &config->ring_place,
                                "ring = 3 excludes sibling, precision, skid, overhead and timeline",
                                "ring = 0 beside it");
}

/* `help = yes`: a comment for each key, from the table that the reader of values has. */
static void print_help(void)
{
    const struct config_key *key;

    log_comment("%s", "key = value in " CONFIG_FILE ", or key=value as a load option:");
    for (size_t i = 0; (key = config_key_at(i)) != NULL; i++) {
        log_comment("%s (default %s)", key->name, key->standard);
        log_comment("    %s", key->meaning);
    }
}

void setup_config(struct config *config, const struct own_kernel *own,
                  struct complaints *complaints)
{
    const struct complaint_sink sink = {complaints, complaints_refuse};
    const char *text;
    size_t size;

    if (setup_file(CONFIG_FILE, CONFIG_FILE_LIMIT, &text, &size, complaints)) {
        size = config_text((char *)(uintptr_t)text, size); /* the file is in memory of ours */
        config_read_file(config, CONFIG_FILE, text, size, &sink);
    }
    config_read_options(config, machine_arguments(), &sink);
    for (unsigned i = 0; i < config->kernel_count; i++)
        check_pattern(config, own, config->kernels[i], complaints);
    check_combinations(config, complaints);
    check_ring(config, complaints);
    if (config->help && !complaints->refused)
        print_help();
}
