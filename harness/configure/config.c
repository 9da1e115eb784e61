#include "config.h"

#include "boot/text.h"

void config_defaults(struct config *config)
{
    memset(config, 0, sizeof(*config));
    memcpy(config->kernels[0], "*", 2);
    config->kernel_count = 1;
    config->all_cores = true;
    config->levels = 2;
    config->rounds = 1;
    config->intervals = 10;
    config->period = 1009; /* prime: no loop of a few instructions divides it */
    config->jitter = 2018; /* long against a turn of most loops, see doc/sampling.md */
    config->seed = 1;
    config->warmup = 2;
    config->timeline_cycles = CONFIG_TIMELINE_MAX;
    config->serial = true;
    config->screen = true;
    memcpy(config->log, "slotscope.log", sizeof("slotscope.log"));
    config->detail = LOG_BRIEF;
    config->log_detail = LOG_FULL;
    config->end = END_POWEROFF;
    config->page_shift = 21;
    config->timeout = 60;
}

void config_settle(struct config *config, bool emulated)
{
    if (config->repeats == 0)
        config->repeats = emulated ? 3 : 9;
    if (config->scale != 0)
        return;
    config->scale = 1;
    if (!emulated)
        config->window_us = 100;
}

bool config_wants_core(const struct config *config, unsigned core)
{
    return core < CORES_MAX &&
           (config->all_cores || (config->cores[core / 64] >> (core % 64) & 1) != 0);
}

bool config_pattern_covers(const char *pattern, const char *name)
{
    size_t length;

    pattern += pattern[0] == '!';
    length = strlen(pattern);
    if (length > 0 && pattern[length - 1] == '*')
        return strncmp(pattern, name, length - 1) == 0;
    return strcmp(pattern, name) == 0;
}

static bool is_left_out(const struct config *config, const char *name)
{
    for (unsigned i = 0; i < config->kernel_count; i++) {
        if (config->kernels[i][0] == '!' && config_pattern_covers(config->kernels[i], name))
            return true;
    }
    return false;
}

/* Whether a pattern that leaves nothing out covers the name. */
static bool is_covered(const struct config *config, const char *name, bool by_any_name)
{
    bool only_left_out = by_any_name;

    for (unsigned i = 0; i < config->kernel_count; i++) {
        const char *pattern = config->kernels[i];

        if (pattern[0] == '!')
            continue;
        only_left_out = false;
        if ((by_any_name || strcmp(pattern, "*") != 0) && config_pattern_covers(pattern, name))
            return true;
    }
    return only_left_out;
}

bool config_wants_kernel(const struct config *config, const char *name)
{
    return !is_left_out(config, name) && is_covered(config, name, true);
}

bool config_names_kernel(const struct config *config, const char *name)
{
    return !is_left_out(config, name) && is_covered(config, name, false);
}

struct machine_options config_machine(const struct config *config)
{
    return (struct machine_options){
        .console = {.serial = config->serial,
                    .serial_port_set = config->serial_port_set,
                    .serial_port = config->serial_port,
                    .baud = config->baud,
                    .screen = config->screen,
                    .log_name = config->log[0] != '\0' ? config->log : NULL,
                    .serial_form = config->detail,
                    .stick_form = config->log_detail},
        .exclusive = config->exclusive,
        .page_shift = config->page_shift,
        .ring_3 = config->ring_3,
        .end = config->end,
    };
}
