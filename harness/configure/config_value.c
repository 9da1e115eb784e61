#include "config_value.h"

#include "boot/text.h"
#include "config_keys.h"
#include "value.h"

/* The keys that are nothing but a number, from low to high, or nothing but yes or no: each has the
 * name of its member. */
#define NUMBER(key, low, high)                                                                     \
    static const char *set_##key(struct config *config, struct slice value, size_t *offset)        \
    {                                                                                              \
        (void)offset;                                                                              \
        return value_unsigned(value, low, high, &config->key);                                     \
    }
#define YES_NO(key)                                                                                \
    static const char *set_##key(struct config *config, struct slice value, size_t *offset)        \
    {                                                                                              \
        (void)offset;                                                                              \
        return value_yes_no(value, &config->key);                                                  \
    }

NUMBER(intervals, 1, 1000)
NUMBER(period, 1, CONFIG_PERIOD_MAX)
NUMBER(jitter, 0, CONFIG_JITTER_MAX)
NUMBER(seed, 0, UINT32_MAX)
NUMBER(timeline_cycles, 1, CONFIG_TIMELINE_MAX)
NUMBER(warmup, 0, 1000)
NUMBER(timeout, 1, 3600)
YES_NO(multiplex)
YES_NO(both)
YES_NO(screen)
YES_NO(exclusive)
YES_NO(parallel)
YES_NO(pebs)
YES_NO(skid)
YES_NO(help)

static const char *set_samples(struct config *config, struct slice value, size_t *offset)
{
    (void)offset;
    if (!slice_is(value, "auto"))
        return value_unsigned(value, 0, CONFIG_SAMPLES_MAX, &config->samples);
    config->samples = CONFIG_SAMPLES_AUTO;
    return NULL;
}

static const char *set_off(struct slice value, bool *off)
{
    if (!slice_is(value, "off") && !slice_is(value, "found"))
        return "neither off nor found";
    *off = slice_is(value, "off");
    return NULL;
}

static const char *set_loop(struct config *config, struct slice value, size_t *offset)
{
    (void)offset;
    if (!slice_is(value, "forever"))
        return value_unsigned(value, 1, CONFIG_ROUNDS_MAX, &config->rounds);
    config->rounds = 0;
    return NULL;
}

static const char *set_node(struct config *config, struct slice value, size_t *offset)
{
    (void)offset;
    if (!slice_is(value, "local") && !slice_is(value, "remote"))
        return "neither local nor remote";
    config->remote = slice_is(value, "remote");
    return NULL;
}

static const char *set_ring(struct config *config, struct slice value, size_t *offset)
{
    (void)offset;
    if (!slice_is(value, "0") && !slice_is(value, "3"))
        return "neither 0 nor 3";
    config->ring_3 = slice_is(value, "3");
    return NULL;
}

static const char *set_turbo(struct config *config, struct slice value, size_t *offset)
{
    (void)offset;
    return set_off(value, &config->turbo_off);
}

static const char *set_prefetch(struct config *config, struct slice value, size_t *offset)
{
    (void)offset;
    return set_off(value, &config->prefetch_off);
}

static const char *set_events(struct config *config, struct slice value, size_t *offset)
{
    return value_events(value, config->events, &config->event_count, offset);
}

/* slice_item, with blanks as good as commas: the name of a kernel has none. */
static bool kernel_item(struct slice *rest, struct slice *item)
{
    const struct slice before = *rest;

    if (!slice_item(rest, item))
        return false;
    for (size_t i = 0; i < item->length; i++) {
        const size_t taken = (size_t)(item->text - before.text) + i + 1;

        if (!is_blank(item->text[i]))
            continue;
        *rest = (struct slice){before.text + taken, before.length - taken};
        item->length = i;
    }
    return true;
}

static const char *set_kernels(struct config *config, struct slice value, size_t *offset)
{
    static const char all[] = "*";
    char patterns[CONFIG_PATTERNS][CONFIG_PATTERN];
    unsigned count = 0;
    struct slice rest = value, item;

    while (kernel_item(&rest, &item)) {
        struct slice name = item;

        *offset = (size_t)(item.text - value.text);
        if (slice_is(item, "all"))
            item = name = (struct slice){all, 1};
        if (name.length > 1 && name.text[0] == '!')
            name = (struct slice){name.text + 1, name.length - 1};
        if (name.length > 0 && name.text[name.length - 1] == '*')
            name.length--;
        if (item.length == 0 || (name.length > 0 && !slice_is_name(name)))
            return "not the name of a kernel";
        if (item.length >= CONFIG_PATTERN)
            return "name too long";
        if (count == CONFIG_PATTERNS)
            return "too many names";
        slice_copy(patterns[count++], item);
    }
    memcpy(config->kernels, patterns, sizeof(patterns[0]) * count);
    config->kernel_count = count;
    return NULL;
}

static const char *set_cores(struct config *config, struct slice value, size_t *offset)
{
    uint64_t cores[CORES_MAX / 64] = {0};
    struct slice rest = value, item;

    if (slice_is(value, "all")) {
        config->all_cores = true;
        return NULL;
    }
    while (slice_item(&rest, &item)) {
        uint64_t low, high;

        *offset = (size_t)(item.text - value.text);
        if (!value_cores(item, &low, &high))
            return "not a core or a range of cores";
        for (uint64_t core = low; core <= high; core++)
            cores[core / 64] |= 1ull << (core % 64);
    }
    memcpy(config->cores, cores, sizeof(cores));
    config->all_cores = false;
    return NULL;
}

static const char *set_levels(struct config *config, struct slice value, size_t *offset)
{
    (void)offset;
    config->drill = slice_is(value, "auto");
    if (!config->drill)
        return value_unsigned(value, 1, CONFIG_LEVELS, &config->levels);
    config->levels = CONFIG_LEVELS;
    return NULL;
}

static const char *set_nodes(struct config *config, struct slice value, size_t *offset)
{
    return value_nodes(value, config->nodes, &config->node_count, offset);
}

static const char *set_explain(struct config *config, struct slice value, size_t *offset)
{
    return value_nodes(value, config->explain, &config->explain_count, offset);
}

static const char *set_interval(struct config *config, struct slice value, size_t *offset)
{
    return value_interval(value, &config->interval_us, offset);
}

static const char *set_delivery(struct config *config, struct slice value, size_t *offset)
{
    (void)offset;
    if (!slice_is(value, "nmi") && !slice_is(value, "vector"))
        return "neither nmi nor vector";
    config->delivery = slice_is(value, "nmi") ? PMI_NMI : PMI_VECTOR;
    return NULL;
}

static const char *set_sibling(struct config *config, struct slice value, size_t *offset)
{
    (void)offset;
    return value_kernel(value, config->sibling);
}

static const char *duty_in(struct slice value, unsigned *duty)
{
    uint64_t number = 0;

    if (!slice_is_number(value))
        return "neither a duty nor two";
    if (value_number(value, 0, UINT32_MAX, &number) == NULL && number == 0)
        return "the sibling would never run";
    if (number == 100)
        return "the sibling would never halt";
    if (number < CONFIG_DUTY_STEP || number > 100 - CONFIG_DUTY_STEP ||
        number % CONFIG_DUTY_STEP != 0)
        return "no such duty";
    *duty = (unsigned)number;
    return NULL;
}

static const char *set_sibling_duty(struct config *config, struct slice value, size_t *offset)
{
    struct config_duty duty = {0, 0};
    struct slice last = value;
    const char *wrong;
    size_t dash = 0;

    if (slice_is(value, "none")) {
        config->duty = duty;
        return NULL;
    }
    while (dash < value.length && value.text[dash] != '-')
        dash++;
    wrong = duty_in((struct slice){value.text, dash}, &duty.first);
    if (wrong != NULL)
        return wrong;
    if (dash < value.length) {
        *offset = dash + 1;
        last = (struct slice){value.text + dash + 1, value.length - dash - 1};
    }
    wrong = duty_in(last, &duty.last);
    if (wrong == NULL && duty.last < duty.first)
        wrong = "the last duty is less than the first";
    if (wrong == NULL)
        config->duty = duty;
    return wrong;
}

static const char *set_timeline(struct config *config, struct slice value, size_t *offset)
{
    (void)offset;
    return value_kernel(value, config->timeline);
}

static const char *set_precision(struct config *config, struct slice value, size_t *offset)
{
    (void)offset;
    if (!slice_is(value, "metrics") && !slice_is(value, "no"))
        return "neither metrics nor no";
    config->precision = slice_is(value, "metrics");
    return NULL;
}

/* "yes" is the decades that profilers use, from the shortest. */
static const char *set_overhead(struct config *config, struct slice value, size_t *offset)
{
    static const uint32_t decades[] = {1000, 10000, 100000, 1000000, 10000000};
    uint32_t periods[CONFIG_OVERHEADS];
    unsigned count = 0;
    struct slice rest = value, item;

    if (slice_is(value, "yes") || slice_is(value, "no")) {
        memcpy(config->overhead, decades, sizeof(decades));
        config->overhead_count = slice_is(value, "yes") ? COUNT_OF(decades) : 0;
        return NULL;
    }
    while (slice_item(&rest, &item)) {
        uint64_t number;
        const char *wrong = value_number(item, 1, CONFIG_OVERHEAD_MAX, &number);

        *offset = (size_t)(item.text - value.text);
        if (wrong != NULL)
            return wrong;
        if (count == CONFIG_OVERHEADS)
            return "too many periods";
        periods[count++] = (uint32_t)number;
    }
    memcpy(config->overhead, periods, sizeof(periods[0]) * count);
    config->overhead_count = count;
    return NULL;
}

static const char *set_scale(struct config *config, struct slice value, size_t *offset)
{
    uint64_t number = 0, microseconds = 0;
    const char *wrong = NULL;

    if (slice_is_number(value)) {
        wrong = value_number(value, 1, CONFIG_SCALE_MAX, &number);
    } else if (!slice_is(value, "auto")) {
        number = 1;
        wrong = value_interval(value, &microseconds, offset);
        if (wrong == NULL && (microseconds == 0 || microseconds > CONFIG_WINDOW_MAX))
            wrong = "not a time from 1us to 10ms";
    }
    if (wrong != NULL)
        return wrong;
    config->scale = (uint32_t)number;
    config->window_us = (uint32_t)microseconds;
    return NULL;
}

static const char *set_repeats(struct config *config, struct slice value, size_t *offset)
{
    uint64_t number;
    const char *wrong;

    (void)offset;
    if (slice_is(value, "auto")) {
        config->repeats = 0;
        return NULL;
    }
    wrong = value_number(value, 1, CONFIG_REPEATS_MAX, &number);
    if (wrong == NULL && number % 2 == 0)
        wrong = "even, so the median would be no measured value";
    if (wrong == NULL)
        config->repeats = (unsigned)number;
    return wrong;
}

static const char *set_cpu(struct config *config, struct slice value, size_t *offset)
{
    (void)offset;
    if (!slice_is_name(value) || value.length >= sizeof(config->cpu))
        return "not the name of a description";
    config->cpu[0] = '\0';
    if (!slice_is(value, "auto"))
        slice_copy(config->cpu, value);
    return NULL;
}

static const char *set_serial(struct config *config, struct slice value, size_t *offset)
{
    static const char port[] = "port";
    uint64_t number;

    if (slice_is(value, "auto") || slice_is(value, "none")) {
        config->serial = slice_is(value, "auto");
        config->serial_port_set = false;
        return NULL;
    }
    if (value.length > 4 && memcmp(value.text, port, 4) == 0 && is_blank(value.text[4])) {
        struct slice rest = slice_trim((struct slice){value.text + 4, value.length - 4});

        *offset = (size_t)(rest.text - value.text);
        value = rest;
    }
    if (!slice_number(value, UINT16_MAX - 7, &number) || number == 0)
        return "not a serial line";
    config->serial = true;
    config->serial_port_set = true;
    config->serial_port = (uint16_t)number;
    return NULL;
}

/* A 16550 divides 115200 (its clock of 1.8432 MHz over 16). */
static const char *set_baud(struct config *config, struct slice value, size_t *offset)
{
    uint64_t number;
    const char *wrong;

    (void)offset;
    if (slice_is(value, "auto")) {
        config->baud = 0;
        return NULL;
    }
    wrong = value_number(value, 50, 115200, &number);
    if (wrong == NULL && 115200 % number != 0)
        wrong = "a rate that a 16550 cannot make";
    if (wrong == NULL)
        config->baud = (uint32_t)number;
    return wrong;
}

static const char *set_log(struct config *config, struct slice value, size_t *offset)
{
    (void)offset;
    if (slice_is(value, "none")) {
        config->log[0] = '\0';
        return NULL;
    }
    if (!slice_is_name(value) || value.text[0] == '.' || value.length >= sizeof(config->log))
        return "not a file name";
    if (slice_is_file(value, CONFIG_FILE))
        return "the log would replace the configuration";
    slice_copy(config->log, value);
    return NULL;
}

static const char *set_form(struct slice value, enum log_form *form)
{
    if (!slice_is(value, "brief") && !slice_is(value, "full"))
        return "neither brief nor full";
    *form = slice_is(value, "brief") ? LOG_BRIEF : LOG_FULL;
    return NULL;
}

static const char *set_detail(struct config *config, struct slice value, size_t *offset)
{
    (void)offset;
    return set_form(value, &config->detail);
}

static const char *set_log_detail(struct config *config, struct slice value, size_t *offset)
{
    (void)offset;
    return set_form(value, &config->log_detail);
}

static const char *set_end(struct config *config, struct slice value, size_t *offset)
{
    static const struct {
        const char *word;
        enum machine_end end;
    } ends[] = {{"poweroff", END_POWEROFF},
                {"reboot", END_REBOOT},
                {"halt", END_HALT},
                {"return", END_RETURN}};

    (void)offset;
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        if (slice_is(value, ends[i].word)) {
            config->end = ends[i].end;
            return NULL;
        }
    }
    return "not a way to end";
}

static const char *set_pages(struct config *config, struct slice value, size_t *offset)
{
    static const struct {
        const char *word;
        unsigned shift;
    } sizes[] = {{"4k", 12}, {"2m", 21}, {"1g", 30}};

    (void)offset;
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        if (slice_is(value, sizes[i].word)) {
            config->page_shift = sizes[i].shift;
            return NULL;
        }
    }
    return "not a page size";
}

#define ENTRY(key, expects, standard, means) {#key, set_##key, expects, standard, means},
static const struct config_key keys[] = {CONFIG_KEYS(ENTRY)};

const struct config_key *config_key_find(struct slice name)
{
    for (size_t i = 0; i < COUNT_OF(keys); i++) {
        if (slice_is(name, keys[i].name))
            return &keys[i];
    }
    return NULL;
}

const struct config_key *config_key_at(size_t index)
{
    return index < COUNT_OF(keys) ? &keys[index] : NULL;
}

#define NAME(key, expects, standard, means) " " #key

const char *config_key_names(void)
{
    return &CONFIG_KEYS(NAME)[1];
}
