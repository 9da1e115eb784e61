/* The configuration: what keys mean, which source overrides which, and where complaints point. */
#include "tests/unit/cmocka_all.h"

#include <stdio.h>
#include <string.h>

#include "harness/configure/config_reader.h"
#include "harness/configure/config_text.h"
#include "harness/configure/config_value.h"

struct collected {
    unsigned count;
    struct complaint complaints[16];
};

static void collect(void *context, const struct complaint *complaint)
{
    struct collected *collected = context;

    assert_true(collected->count < 16);
    collected->complaints[collected->count++] = *complaint;
}

static struct collected read_text(struct config *config, const char *text)
{
    struct collected collected = {0};
    struct complaint_sink sink = {&collected, collect};
    unsigned count;

    config_defaults(config);
    count = config_read_file(config, "slotscope.cfg", text, strlen(text), &sink);
    assert_int_equal(count, collected.count);
    return collected;
}

static struct collected read_words(struct config *config, const char *words)
{
    struct collected collected = {0};
    struct complaint_sink sink = {&collected, collect};
    unsigned count = config_read_options(config, words, &sink);

    assert_int_equal(count, collected.count);
    return collected;
}

static void assert_complaint(const char *text, uint32_t line, uint32_t column, const char *message)
{
    struct config config;
    struct collected collected = read_text(&config, text);

    assert_int_equal(collected.count, 1);
    assert_string_equal(collected.complaints[0].file, "slotscope.cfg");
    assert_int_equal(collected.complaints[0].line, line);
    assert_int_equal(collected.complaints[0].column, column);
    assert_string_equal(collected.complaints[0].message, message);
    assert_true(collected.complaints[0].expected[0] != '\0');
}

static void nobody_configured_means_the_documented_defaults(void **state)
{
    struct config config;

    (void)state;
    assert_int_equal(read_text(&config, "").count, 0);
    assert_true(config_wants_kernel(&config, "be.mem.l1"));
    assert_true(config_wants_core(&config, 0) && config_wants_core(&config, CORES_MAX - 1));
    assert_int_equal(config.levels, 2);
    assert_int_equal(config.repeats, 0); /* auto */
    assert_string_equal(config.timeline, "");
    assert_int_equal(config.timeline_cycles, 2000);
    assert_int_equal(config.warmup, 2);
    assert_int_equal(config.scale + config.window_us, 0); /* auto */
    assert_string_equal(config.cpu, "");
    assert_true(config.serial && !config.serial_port_set && config.baud == 0);
    assert_string_equal(config.log, "slotscope.log");
    assert_int_equal(config.end, END_POWEROFF);
    assert_true(config.screen && !config.exclusive && !config.parallel && !config.both);
    assert_int_equal(config_machine(&config).cores, 0);
}

/* The file on the stick has every key once, with its default. */
static void the_file_in_the_image_states_the_defaults(void **state)
{
    struct config stated, defaults;
    char text[8192], keys[8192] = "";
    FILE *file = fopen("harness/slotscope.cfg", "r");
    size_t length;

    (void)state;
    assert_non_null(file);
    length = fread(text, 1, sizeof(text) - 1, file);
    fclose(file);
    text[length] = '\0';
    for (char *line = strstr(text, "\n# "); line != NULL; line = strstr(line + 1, "\n# ")) {
        size_t word = strcspn(line + 3, " ");

        if (strncmp(line + 3 + word, " = ", 3) != 0)
            continue;
        line[1] = ' '; /* no comment any more */
        strncat(keys, line + 3, word);
        strcat(keys, " ");
    }
    for (const char *key = config_key_names(); *key; key += strcspn(key, " ")) {
        char word[32] = "";

        key += strspn(key, " ");
        strncat(word, key, strcspn(key, " ") + 1);
        if (word[strlen(word) - 1] != ' ')
            strcat(word, " ");
        if (strstr(keys, word) == NULL)
            fail_msg("%sis not in the file", word);
    }
    for (size_t i = 0; config_key_at(i) != NULL; i++) {
        char word[34], listed[512];

        snprintf(word, sizeof(word), " %s ", config_key_at(i)->name);
        snprintf(listed, sizeof(listed), " %s ", config_key_names());
        if (strstr(listed, word) == NULL)
            fail_msg("the complaint does not list%s", word);
    }
    /* a mistyped key: the complaint lists all keys */
    assert_string_equal(read_text(&stated, "repeat = 1").complaints[0].expected,
                        config_key_names());
    config_defaults(&defaults);
    assert_int_equal(read_text(&stated, text).count, 0);
    assert_string_equal(stated.cpu, "");
    assert_string_equal(stated.log, defaults.log);
    assert_int_equal(stated.detail, LOG_BRIEF);
    assert_int_equal(stated.log_detail, LOG_FULL);
    assert_int_equal(stated.node_count + stated.explain_count + stated.event_count, 0);
    assert_int_equal(stated.baud, 0);
    assert_int_equal(stated.levels, defaults.levels);
    assert_int_equal(stated.repeats, defaults.repeats);
    assert_int_equal(stated.warmup, defaults.warmup);
    assert_int_equal(stated.scale, defaults.scale);
    assert_int_equal(stated.window_us, defaults.window_us);
    assert_int_equal(stated.timeout, defaults.timeout);
    assert_string_equal(stated.timeline, "");
    assert_int_equal(stated.timeline_cycles, defaults.timeline_cycles);
    assert_int_equal(stated.duty.first + stated.duty.last, 0);
    assert_int_equal(stated.samples, defaults.samples);
    assert_int_equal(stated.period, defaults.period);
    assert_int_equal(stated.jitter, defaults.jitter);
    assert_int_equal(stated.seed, defaults.seed);
    assert_int_equal(stated.delivery, defaults.delivery);
    assert_int_equal(stated.overhead_count, defaults.overhead_count);
    assert_int_equal(stated.intervals, defaults.intervals);
    assert_int_equal(stated.interval_us, defaults.interval_us);
    assert_int_equal(stated.end, defaults.end);
    assert_true(stated.serial == defaults.serial && stated.screen == defaults.screen &&
                stated.both == defaults.both && stated.precision == defaults.precision &&
                stated.multiplex == defaults.multiplex && stated.parallel == defaults.parallel &&
                stated.exclusive == defaults.exclusive && stated.remote == defaults.remote &&
                config_machine(&stated).page_shift == config_machine(&defaults).page_shift);
}

static void an_overhead_table_of_yes_has_the_decades_from_1000_to_10_million(void **state)
{
    struct config config;

    (void)state;
    assert_int_equal(read_text(&config, "overhead = yes").count, 0);
    assert_int_equal(config.overhead_count, 5);
    assert_int_equal(config.overhead[0], 1000);
    assert_int_equal(config.overhead[4], 10000000);
    assert_int_equal(read_text(&config, "overhead = no").count, 0);
    assert_int_equal(config.overhead_count, 0);
}

static void samples_of_auto_are_no_number(void **state)
{
    struct config config;

    (void)state;
    assert_int_equal(read_text(&config, "samples = auto").count, 0);
    assert_int_equal(config.samples, CONFIG_SAMPLES_AUTO);
    assert_int_equal(read_text(&config, "samples = 1000000000").count, 0);
    assert_int_equal(config.samples, 1000000000);
}

static bool wants(const char *kernels, const char *kernel)
{
    struct config config;
    char text[128];

    snprintf(text, sizeof(text), "kernels = %s", kernels);
    assert_int_equal(read_text(&config, text).count, 0);
    return config_wants_kernel(&config, kernel);
}

static void a_pattern_may_leave_kernels_out(void **state)
{
    struct config config;

    (void)state;
    assert_true(wants("be.mem.* !be.mem.dram", "be.mem.l2"));
    assert_false(wants("be.mem.* !be.mem.dram", "be.mem.dram"));
    assert_false(wants("!be.mem.dram,be.mem.*", "be.mem.dram")); /* in whatever order */
    assert_false(wants("be.mem.*  !be.mem.dram*", "be.mem.dram_latency"));
    assert_false(wants("be.mem.* !be.mem.dram", "ret.nop"));
    assert_true(wants("!be.*", "ret.nop")); /* nothing but what is left out: all others */
    assert_false(wants("!be.*", "be.core.chain"));
    assert_false(wants("all, !ret.nop", "ret.nop"));
    assert_true(wants("all, !ret.nop", "be.core.chain"));
    assert_int_equal(read_text(&config, "kernels = !").count, 1);
    assert_int_equal(read_text(&config, "kernels = !!ret.nop").count, 1);
    assert_int_equal(read_text(&config, "kernels = ret.nop,,ret.alu").count, 1);
    /* a kernel that a pattern leaves out is not named */
    assert_int_equal(read_text(&config, "kernels = cpi.* !cpi.loops").count, 0);
    assert_true(config_names_kernel(&config, "cpi.calls"));
    assert_false(config_names_kernel(&config, "cpi.loops"));
    assert_int_equal(read_text(&config, "kernels = !cpi.loops").count, 0);
    assert_false(config_names_kernel(&config, "cpi.calls"));
}

static void every_key_is_taken_over(void **state)
{
    struct config config;
    struct machine_options options;

    (void)state;
    assert_int_equal(
        read_text(&config,
                  "\xef\xbb\xbf# comment\r\n"
                  "kernels = be.mem.*, ret.nop\t# more\r\n"
                  "cores=0-2, 5\n levels = 1\r\nrepeats = 101 \r\nwarmup = 0\nscale = 1000000\n"
                  "cpu = skylakex\nserial = port 0x2f8\nbaud = 9600\nscreen = no\nlog = a.log\n"
                  "end = reboot\nexclusive = yes\nparallel = yes\nboth = yes\nprecision = "
                  "metrics\npages = 1g\ntimeout "
                  "= 3600\n"
                  "timeline = ret.nop\ntimeline_cycles = 17\nsibling_duty = 20-80\n"
                  "samples = 100000\nperiod = 2003\njitter = 127\nseed = 4294967295\n"
                  "node = remote\ndelivery = vector\noverhead = 100000000, 1\ndetail = "
                  "full\nlog_detail = brief")
            .count,
        0);
    assert_int_equal(config.kernel_count, 2);
    assert_true(config_wants_kernel(&config, "be.mem.dram") &&
                config_wants_kernel(&config, "ret.nop"));
    assert_false(config_wants_kernel(&config, "ret.nop2") ||
                 config_wants_kernel(&config, "be.core.div"));
    assert_true(config_wants_core(&config, 2) && config_wants_core(&config, 5));
    assert_false(config_wants_core(&config, 3) || config_wants_core(&config, 6));
    assert_int_equal(config.levels, 1);
    assert_int_equal(config.repeats, 101);
    assert_int_equal(config.warmup, 0);
    assert_int_equal(config.scale, 1000000);
    assert_string_equal(config.cpu, "skylakex");
    assert_int_equal(config.timeout, 3600);
    assert_string_equal(config.timeline, "ret.nop");
    assert_int_equal(config.timeline_cycles, 17);
    assert_int_equal(config.duty.first, 20);
    assert_int_equal(config.duty.last, 80);
    assert_int_equal(config.samples, 100000);
    assert_int_equal(config.period, 2003);
    assert_int_equal(config.jitter, 127);
    assert_int_equal(config.seed, 4294967295u);
    assert_int_equal(config.delivery, PMI_VECTOR);
    assert_int_equal(config.overhead_count, 2);
    assert_int_equal(config.overhead[0], 100000000);
    assert_int_equal(config.overhead[1], 1);
    assert_true(config.parallel && config.both && config.precision && config.remote);
    options = config_machine(&config);
    assert_true(options.console.serial && options.console.serial_port_set &&
                options.console.serial_port == 0x2f8 && options.console.baud == 9600);
    assert_true(!options.console.screen && options.exclusive && options.end == END_REBOOT &&
                options.page_shift == 30);
    assert_int_equal(options.cores, 0); /* all are started, whichever are measured */
    assert_string_equal(options.console.log_name, "a.log");
    assert_int_equal(options.console.serial_form, LOG_FULL);
    assert_int_equal(options.console.stick_form, LOG_BRIEF);
}

/* The README's table. */
static void auto_means_100_us_and_9_repeats_on_silicon_and_the_least_on_an_emulator(void **state)
{
    struct config config;

    (void)state;
    assert_int_equal(read_text(&config, "repeats = 5\nscale = 2ms").count, 0);
    assert_int_equal(read_words(&config, "repeats=auto scale=auto").count, 0);
    config_settle(&config, false);
    assert_int_equal(config.repeats, 9);
    assert_int_equal(config.scale, 1);
    assert_int_equal(config.window_us, 100);
    config_defaults(&config);
    config_settle(&config, true);
    assert_int_equal(config.repeats, 3);
    assert_int_equal(config.scale, 1);
    assert_int_equal(config.window_us, 0);
}

static void what_is_configured_stands_on_silicon_and_on_an_emulator(void **state)
{
    struct config config;

    (void)state;
    for (unsigned emulated = 0; emulated < 2; emulated++) {
        assert_int_equal(read_text(&config, "repeats = 5\nscale = 20").count, 0);
        config_settle(&config, emulated);
        assert_int_equal(config.repeats, 5);
        assert_int_equal(config.scale, 20);
        assert_int_equal(config.window_us, 0);
        assert_int_equal(read_text(&config, "scale = 10 ms").count, 0);
        config_settle(&config, emulated);
        assert_int_equal(config.scale, 1);
        assert_int_equal(config.window_us, 10000);
    }
}

static void events_have_colons_slashes_and_places_of_their_own(void **state)
{
    struct config config;

    (void)state;
    assert_int_equal(read_text(&config, "\n events = MEM_LOAD_RETIRED.L1_MISS, 0xC000:cmask=2 ,"
                                        "instr_retired:NBOGUSNTAG:thr=2,\t"
                                        "0x00039000/0x04000204@0x8000000C # four\n")
                         .count,
                     0);
    assert_int_equal(config.event_count, 4);
    assert_string_equal(config.events[0].text, "MEM_LOAD_RETIRED.L1_MISS");
    assert_string_equal(config.events[1].text, "0xC000:cmask=2");
    assert_string_equal(config.events[2].text, "instr_retired:NBOGUSNTAG:thr=2");
    assert_string_equal(config.events[3].text, "0x00039000/0x04000204@0x8000000C");
    assert_string_equal(config.events[3].place.file, "slotscope.cfg");
    assert_int_equal(config.events[3].place.line, 2);
    assert_int_equal(config.events[0].place.column, 11);
    assert_int_equal(config.events[1].place.column, 37);
    assert_int_equal(config.events[2].place.column, 53);
    assert_int_equal(config.events[3].place.column, 85);
    assert_int_equal(read_words(&config, "slotscope.efi events=A:u,B").count, 0);
    assert_int_equal(config.event_count, 2);
    assert_string_equal(config.events[1].place.file, "load options");
    assert_int_equal(config.events[1].place.column, 26);
    assert_int_equal(read_words(&config, "events=none").count, 0);
    assert_int_equal(config.event_count, 0);
}

static void the_seventeenth_event_is_one_too_many(void **state)
{
    char text[128] = "events = ";
    struct config config;

    (void)state;
    for (unsigned i = 0; i < 16; i++)
        snprintf(text + strlen(text), 8, "%sA%02u", i > 0 ? "," : "", i);
    assert_int_equal(read_text(&config, text).count, 0);
    assert_int_equal(config.event_count, 16);
    assert_string_equal(config.events[15].text, "A15");
    strcat(text, ",A16");
    assert_complaint(text, 1, 74, /* 10 + 16 times 4 */
                     "too many events: "
                     "A00,A01,A02,A03,A04,A05,A06,A07,A08,A09,A10,A11,A12,A13,A14,");
}

static void what_cannot_be_an_event_is_refused(void **state)
{
    char text[128] = "events = ";

    (void)state;
    assert_complaint("events = A, ,B", 1, 13, "not an event: A, ,B");
    assert_complaint("events = A B", 1, 10, "not an event: A B");
    assert_complaint("events = A,\"B\"", 1, 12, "not an event: A,\"B\"");
    assert_complaint("events = A,B,A", 1, 14, "event named twice: A,B,A");
    assert_complaint("events =", 1, 9, "no value: events");
    memset(text + 9, 'A', 71);
    assert_int_equal(read_text(&(struct config){0}, text).count, 0);
    text[9 + 71] = 'A';
    assert_complaint(text, 1, 10,
                     "name too long: "
                     "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
}

static void none_means_no_serial_line_and_no_file(void **state)
{
    struct config config;

    (void)state;
    assert_int_equal(read_text(&config, "serial = none\nlog = none\n").count, 0);
    assert_false(config_machine(&config).console.serial);
    assert_null(config_machine(&config).console.log_name);
}

/* \slotscope\slotscope.cfg itself: FAT does not tell capitals from small letters. */
static void the_log_never_replaces_the_configuration(void **state)
{
    (void)state;
    assert_complaint("log = slotscope.cfg\n", 1, 7,
                     "the log would replace the configuration: slotscope.cfg");
    assert_complaint("\n log=SlotScope.CFG\n", 2, 6,
                     "the log would replace the configuration: SlotScope.CFG");
    assert_int_equal(read_text(&(struct config){0}, "log = slotscope.cf\n").count, 0);
    assert_int_equal(read_text(&(struct config){0}, "log = slotscope.cfg2\n").count, 0);
}

static void load_options_win_over_the_file(void **state)
{
    struct config config;

    (void)state;
    assert_int_equal(read_text(&config, "repeats = 5\nend = halt\nkernels = fe.*").count, 0);
    assert_int_equal(
        read_words(&config, "BOOTX64.EFI repeats=7  kernels=cal.loads,bs.* serial=0x3f8").count, 0);
    assert_int_equal(config.repeats, 7);
    assert_int_equal(config.end, END_HALT);
    assert_true(config_wants_kernel(&config, "bs.smc"));
    assert_false(config_wants_kernel(&config, "fe.btb"));
    assert_true(config.serial_port_set && config.serial_port == 0x3f8);
    assert_string_equal(config.kernels_place.file, "load options");
    assert_int_equal(config.kernels_place.column, 32);
}

static void a_word_that_is_no_assignment_is_complained_about(void **state)
{
    struct config config;
    struct collected collected;

    (void)state;
    config_defaults(&config);
    collected = read_words(&config, "a.efi=1 slotscope.efi");
    assert_int_equal(collected.count,
                     2); /* neither a key named a.efi nor a command in second place */
    assert_string_equal(collected.complaints[0].message, "unknown key: a.efi");
    assert_int_equal(collected.complaints[1].column, 9);
    assert_string_equal(collected.complaints[1].message, "= missing in: slotscope.efi");
}

static void complaints_name_line_and_column(void **state)
{
    (void)state;
    assert_complaint("repeats = 3\n\n  kernel = all\n", 3, 3, "unknown key: kernel");
    assert_complaint("levels = 7", 1, 10, "out of range: 7");
    assert_complaint("nodes = tma_x, , tma_y", 1, 16, "not the name of a node: tma_x, , tma_y");
    assert_complaint("levels = two", 1, 10, "not a number: two");
    assert_complaint("repeats = 102", 1, 11, "out of range: 102");
    assert_complaint("repeats = 4", 1, 11, "even, so the median would be no measured value: 4");
    assert_complaint("scale = 0", 1, 9, "out of range: 0");
    assert_complaint("scale = 99999999999999999999999", 1, 9,
                     "out of range: 99999999999999999999999");
    assert_complaint("scale = none", 1, 9, "not a time from 1us to 10ms: none");
    assert_complaint("scale = 11ms", 1, 11, "not a time from 1us to 10ms: 11ms");
    assert_complaint("scale = 100 cycles", 1, 12, "not a unit of time: 100 cycles");
    assert_complaint("cores = 0-2,5-4", 1, 13, "not a core or a range of cores: 0-2,5-4");
    assert_complaint("cores = 1024", 1, 9, "not a core or a range of cores: 1024");
    assert_complaint("kernels = be.*,,ret.nop", 1, 16, "not the name of a kernel: be.*,,ret.nop");
    assert_complaint("kernels = b*e", 1, 11, "not the name of a kernel: b*e");
    assert_complaint("baud = 110000", 1, 8, "a rate that a 16550 cannot make: 110000");
    assert_complaint("serial = port 0x10000", 1, 15, "not a serial line: port 0x10000");
    assert_complaint("screen = on", 1, 10, "neither yes nor no: on");
    assert_complaint("detail = some", 1, 10, "neither brief nor full: some");
    assert_complaint("log_detail = Full", 1, 14, "neither brief nor full: Full");
    assert_complaint("log = ../evil", 1, 7, "not a file name: ../evil");
    assert_complaint("log = a\\b", 1, 7, "not a file name: a\\b");
    assert_complaint("end = now", 1, 7, "not a way to end: now");
    assert_complaint("pages = 8k", 1, 9, "not a page size: 8k");
    assert_complaint("timeout = 0", 1, 11, "out of range: 0");
    assert_complaint("period = 0", 1, 10, "out of range: 0");
    assert_complaint("overhead = 1000, 0", 1, 18, "out of range: 1000, 0");
    assert_complaint("overhead = 1000, 200000000", 1, 18, "out of range: 1000, 200000000");
    assert_complaint("precision = yes", 1, 13, "neither metrics nor no: yes");
    assert_complaint("overhead = often", 1, 12, "not a number: often");
    assert_complaint("overhead = 1,2,3,4,5,6,7,8,9", 1, 28, "too many periods: 1,2,3,4,5,6,7,8,9");
    assert_complaint("sibling_duty = 0", 1, 16, "the sibling would never run: 0");
    assert_complaint("sibling_duty = 100", 1, 16, "the sibling would never halt: 100");
    assert_complaint("sibling_duty = 10-100", 1, 19, "the sibling would never halt: 10-100");
    assert_complaint("sibling_duty = 15", 1, 16, "no such duty: 15");
    assert_complaint("sibling_duty = 110", 1, 16, "no such duty: 110");
    assert_complaint("sibling_duty = 10-95", 1, 19, "no such duty: 10-95");
    assert_complaint("sibling_duty = 50-40", 1, 19, "the last duty is less than the first: 50-40");
    assert_complaint("sibling_duty = half", 1, 16, "neither a duty nor two: half");
    assert_complaint("sibling_duty = 10-", 1, 19, "neither a duty nor two: 10-");
    assert_complaint("jitter = 65536", 1, 10, "out of range: 65536");
    assert_complaint("jitter = 99999999999", 1, 10, "out of range: 99999999999");
    assert_complaint("jitter = 0x1ffffffff", 1, 10, "out of range: 0x1ffffffff");
    assert_complaint("jitter = 0xg", 1, 10, "not a number: 0xg");
    assert_complaint("samples = all", 1, 11, "not a number: all");
    assert_complaint("samples = 1000000001", 1, 11, "out of range: 1000000001");
    assert_complaint("samples = 4294967295", 1, 11, "out of range: 4294967295");
    assert_complaint("delivery = pmi", 1, 12, "neither nmi nor vector: pmi");
    assert_complaint("end =\n", 1, 6, "no value: end");
    assert_complaint("just words\n", 1, 1, "= missing in: just words");
    assert_complaint("= 4\n", 1, 1, "unknown key: ");
    assert_complaint("end = halt\nend = halt\n", 2, 1, "key given twice: end");
}

static void a_bad_value_leaves_the_old_one(void **state)
{
    struct config config;
    struct collected collected =
        read_text(&config, "repeats = 0\ncores = 1,x\nkernels = be.*,#\nwarmup = 2\n");

    (void)state;
    assert_int_equal(collected.count, 3);
    assert_int_equal(config.repeats, 0); /* auto */
    assert_true(config.all_cores);
    assert_true(config_wants_kernel(&config, "ret.nop"));
    assert_int_equal(config.warmup, 2);
}

/* Lines of 47 characters out of the grammar's; the sanitizers check every access. */
static void any_bytes_are_survived(void **state)
{
    static const char letters[] = "kernelscop=,-# \r\t0x*.19af\xff";
    char noise[480];
    uint32_t seed = 1;

    (void)state;
    for (unsigned round = 0; round < 2000; round++) {
        struct collected collected = {0};
        struct complaint_sink sink = {&collected, collect};
        struct config config;
        unsigned count;

        for (size_t i = 0; i < sizeof(noise); i++) {
            seed = seed * 1664525u + 1013904223u;
            noise[i] = i % 48 == 47 ? '\n' : letters[(seed >> 16) % sizeof(letters)];
        }
        config_defaults(&config);
        count = config_read_file(&config, "noise", noise, sizeof(noise), &sink);
        assert_int_equal(count, collected.count);
    }
}

/* UTF-16: the Unicode standard, "Unicode Encoding Schemes": FF FE and FE FF are the byte order
 * marks of either order. */
static void a_text_in_utf_16_is_read_in_either_order(void **state)
{
    char little[] = "\xff\xfe"
                    "a\0=\0"
                    "1\0\r\0\n",
         big[] = "\xfe\xff\0a\0=\0"
                 "1\0\r\0\n";
    char other[] = "\xff\xfe\xe9\0\xac\x20", plain[] = "a=1",
         odd[] = "\xff\xfe"
                 "a\0=";

    (void)state;
    assert_int_equal(config_text(little, sizeof(little)), 5);
    assert_memory_equal(little, "a=1\r\n", 6);
    assert_int_equal(config_text(big, sizeof(big) - 1), 5);
    assert_memory_equal(big, "a=1\r\n", 6);
    assert_int_equal(config_text(other, sizeof(other) - 1), 2);
    assert_memory_equal(other, "?\x3f", 3);
    assert_int_equal(config_text(plain, 3), 3);
    assert_string_equal(plain, "a=1");
    assert_int_equal(config_text(odd, 5), 1);
    assert_memory_equal(odd, "a", 2);
    assert_int_equal(config_text(odd, 1), 1);
    assert_int_equal(config_text(odd, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_in_utf_16_is_read_in_either_order),
        cmocka_unit_test(nobody_configured_means_the_documented_defaults),
        cmocka_unit_test(the_file_in_the_image_states_the_defaults),
        cmocka_unit_test(an_overhead_table_of_yes_has_the_decades_from_1000_to_10_million),
        cmocka_unit_test(a_pattern_may_leave_kernels_out),
        cmocka_unit_test(every_key_is_taken_over),
        cmocka_unit_test(samples_of_auto_are_no_number),
        cmocka_unit_test(auto_means_100_us_and_9_repeats_on_silicon_and_the_least_on_an_emulator),
        cmocka_unit_test(what_is_configured_stands_on_silicon_and_on_an_emulator),
        cmocka_unit_test(events_have_colons_slashes_and_places_of_their_own),
        cmocka_unit_test(the_seventeenth_event_is_one_too_many),
        cmocka_unit_test(what_cannot_be_an_event_is_refused),
        cmocka_unit_test(none_means_no_serial_line_and_no_file),
        cmocka_unit_test(the_log_never_replaces_the_configuration),
        cmocka_unit_test(load_options_win_over_the_file),
        cmocka_unit_test(a_word_that_is_no_assignment_is_complained_about),
        cmocka_unit_test(complaints_name_line_and_column),
        cmocka_unit_test(a_bad_value_leaves_the_old_one),
        cmocka_unit_test(any_bytes_are_survived),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
