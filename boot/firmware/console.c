#include "console.h"

#include "boot/clock.h"
#include "boot/format.h"
#include "boot/log.h"
#include "boot/rate_limit.h"
#include "boot/serial/serial.h"
#include "boot/serial/serial_queue.h"
#include "boot/text.h"
#include "files.h"
#include "log_file.h"
#include "memory.h"
#include "netboot.h"
#include "screen.h"
#include "server_log.h"
#include "serial_line.h"

#define PENDING_SIZE (64u << 10)
#define SPARE_SIZE   (8u << 10) /* where there is no memory for that: more than the longest line */

#define STICK_FLUSHES 5 /* that fail in a row: then the stick is given up */

struct lines {
    char *text;
    size_t length, room;
    uint64_t lost; /* lines that had no room */
};

struct stick_trouble {
    bool lost;         /* it is given up */
    unsigned failures; /* flushes in a row */
    unsigned mends;    /* a write failed, and a later one did not */
    uint64_t gone;     /* bytes that the file has lost */
    bool dropped;      /* the log of the run before is deleted */
    unsigned part;     /* of the log: which file is written */
};

static struct {
    /* All lines of either form until the sinks are up; then, of the stick's, those not on it yet.
     */
    struct lines brief, full;
    size_t on_stick; /* the part of them that the stick already has, before the sinks are up */
    bool up, serial, serial_sure, stick;
    bool stick_alone; /* the log's lines are for the stick only: its log ends */
    enum log_form serial_form, stick_form; /* what each of them gets */
    struct serial_pauses told_pauses;      /* what of them was logged */
    struct stick_trouble trouble, told;    /* what is, and what of it was logged */
    struct rate_limit flushes;
    uint64_t written; /* bytes, to the stick */
    bool server;      /* the log is kept for the server */
    bool cut;         /* the stick has no room for all, and its log waits for its end */
} self;

static struct lines *lines_of(enum log_form form)
{
    return form == LOG_BRIEF ? &self.brief : &self.full;
}

/* Lines that are not known to be on the stick stay: they are written again. */
static bool append_to_stick(const struct lines *lines)
{
    const size_t length = lines->length - self.on_stick;
    enum rc rc = RC_FIRMWARE;
    const char *name;
    unsigned tries = 0;

    while (rc == RC_FIRMWARE && tries++ < LOG_FILE_TRIES) {
        rc = log_file_append(lines->text + self.on_stick, length);
        if (rc == RC_NO_SPACE && log_file_drop_older()) {
            self.trouble.dropped = true;
            rc = RC_FIRMWARE; /* once more */
            tries = 0;
        }
    }
    self.trouble.gone = log_file_gone();
    self.trouble.part = log_file_part(&name);
    if (rc == RC_OK) {
        self.trouble.mends += tries > 1 || self.trouble.failures > 0;
        self.trouble.failures = 0;
        self.written += length;
        return true;
    }
    if (rc == RC_NO_SPACE || ++self.trouble.failures == STICK_FLUSHES) {
        self.cut = rc == RC_NO_SPACE && !self.stick_alone;
        self.trouble.lost = !self.cut;
        self.stick = false;
    }
    return false;
}

static void write_stick(void)
{
    struct lines *lines = lines_of(self.stick_form);

    if (!self.stick || lines->length == self.on_stick || !append_to_stick(lines))
        return;
    self.on_stick = self.up ? 0 : lines->length;
    if (self.up)
        lines->length = 0;
}

/* A line that has no room waits until the stick takes those before it, or is given up. */
static void keep(struct lines *lines, const char *text, size_t length)
{
    while (self.up && self.stick && lines->length > 0 && length > lines->room - lines->length)
        write_stick();
    if (self.up && !self.stick)
        return;
    if (length > lines->room - lines->length) {
        lines->lost++;
        return;
    }
    memcpy(lines->text + lines->length, text, length);
    lines->length += length;
}

/* Whether nothing but the serial line keeps the log. */
static bool serial_is_alone(void)
{
    return !self.stick && !self.server;
}

static void send_serial(const char *line, size_t length)
{
    if (self.serial)
        serial_queue_send(line, length, serial_is_alone());
}

/* Whole lines. */
static void send_kept(const struct lines *lines)
{
    const char *line = lines->text, *stop = line + lines->length;

    while (line < stop) {
        const char *end = line;

        while (*end != '\n')
            end++;
        send_serial(line, (size_t)(end - line) + 1);
        line = end + 1;
    }
}

/* Which form each sink gets is known once they are up. */
static void send(enum log_form form, const char *line, size_t length)
{
    if (self.up && form == self.serial_form && !self.stick_alone)
        send_serial(line, length);
    if (self.up && form == self.stick_form && self.server)
        server_log_keep(line, length);
    if (!self.up || (form == self.stick_form && self.stick))
        keep(lines_of(form), line, length);
}

/* What is lost, if anything, is said on the serial line, and on the stick as soon as it takes it.
 */
static void say_trouble(void)
{
    const struct stick_trouble now = self.trouble, told = self.told;
    const char *name;

    self.told = now;
    if (now.dropped && !told.dropped)
        log_comment("the log of the run before is deleted: the stick has no room for both");
    if (now.part > told.part && now.part == log_file_part(&name) && now.part > 1)
        log_comment("the log file may not grow; the log goes on in %s, which belongs behind it",
                    name);
    if (now.lost && !told.lost)
        log_error("the log file cannot be written; it is incomplete on the stick", "\\slotscope",
                  "a writable file system with room");
    else if (now.failures > 0 && told.failures == 0)
        log_error("the log file cannot be written: what follows may be missing there",
                  "\\slotscope", "a stick that takes it; it is tried again");
    if (now.mends > told.mends)
        log_comment("the log file could not be written, and now is: nothing is missing there");
    if (now.gone > told.gone)
        log_error("the log file has lost lines that were written", "\\slotscope",
                  "a stick that keeps them");
}

/* A line that goes on is no error: what it did not take was kept. */
static void say_pauses(void)
{
    const struct serial_pauses now = serial_queue_pauses(), told = self.told_pauses;

    self.told_pauses = now;
    if (now.stuck && !told.stuck)
        log_error(serial_trouble(), "UART line status",
                  "room in the transmitter; it is tried again with each line");
    if (now.count > told.count)
        log_comment(
            "the serial line paused %llu times, up to %llu ms; what it did not take was sent "
            "afterwards",
            (unsigned long long)now.count, (unsigned long long)(now.longest_us / 1000));
    if (now.lost > told.lost)
        log_error("the serial line has lost lines: it took none for too long", "UART line status",
                  "room in the transmitter");
    self.told_pauses.lost = serial_queue_pauses().lost; /* that error may be lost, too */
}

/* Where the stick has all of the log, its log may be cut: no line is half built during a flush. */
static void mark_stick(void)
{
    if (!self.stick || self.stick_alone || lines_of(self.stick_form)->length != self.on_stick)
        return;
    log_mark();
    log_file_mark();
}

/* Writes the lines that are not on the stick yet, and logs which sink failed since the last call.
 * When it is not urgent it may do so later: a stick can take 20 ms for a flush. When it is, the
 * serial line's last character is out, too: a reset would take it from the transmitter. */
static void flush(bool urgent)
{
    const uint64_t began = clock_now();

    if (!urgent && !rate_limit_allows(&self.flushes, began, 0))
        return;
    write_stick();
    rate_limit_done(&self.flushes, began, clock_now());
    mark_stick();
    if (self.stick_alone) /* what failed is said where the log goes on */
        return;
    if (urgent && self.serial) {
        serial_queue_drain(serial_is_alone());
        say_pauses();
    }
    say_trouble();
}

void console_start(void)
{
    static char spare[3 * SPARE_SIZE];
    char *text = memory_alloc(3 * PENDING_SIZE);

    self.brief.room = self.full.room = text != NULL ? PENDING_SIZE : SPARE_SIZE;
    self.brief.text = text != NULL ? text : spare;
    self.full.text = self.brief.text + self.brief.room;
    serial_queue_start(self.full.text + self.full.room, self.full.room);
    log_set_sink(&(struct log_sink){.send = send, .flush = flush});
}

static void start_serial(const struct console_options *options, const struct acpi_tables *tables,
                         char *text, size_t size)
{
    const struct serial_line_request request = {
        .port_set = options->serial_port_set, .port = options->serial_port, .baud = options->baud};
    enum serial_line line;

    if (!options->serial) {
        format(text, size, "none: switched off");
        return;
    }
    line = serial_line_start(&request, tables, text, size);
    self.serial = line != SERIAL_LINE_NONE;
    self.serial_sure = line == SERIAL_LINE_SURE;
}

void console_stick_up(const char *name, enum log_form form)
{
    char older[LOG_FILE_OLDER];
    enum rc kept = RC_OK, rc = name != NULL ? log_file_open(name, older, &kept) : RC_ABSENT;

    self.stick = rc == RC_OK;
    self.stick_form = form;
    if (rc == RC_READ_ONLY)
        log_comment("no log file: what the image was started from cannot be written");
    else if (rc == RC_ABSENT && name != NULL && files_none() && netboot_there())
        self.server = true;
    else if (rc == RC_ABSENT && name != NULL)
        log_comment("no log file: what the image was started from has no file system");
    else if (rc != RC_OK && rc != RC_ABSENT)
        self.trouble.lost = true;
    if (rc == RC_OK && kept == RC_OK)
        log_comment("the log of the run before is kept as %s", older);
    else if (rc == RC_OK && kept != RC_ABSENT)
        log_error("the log of the run before could not be kept, and is lost", name,
                  "a file that can be renamed");
}

static void say_server(void)
{
    log_comment("no log file: what the image was started from has no file system%s",
                self.server ? "; the log is sent to the server at the end" : "");
}

/* Of the lines that were kept until now, those that the stick has yet to get. */
static void keep_rest(struct lines *lines)
{
    const size_t length = self.stick ? lines->length - self.on_stick : 0;

    if (length > 0)
        memmove(lines->text, lines->text + self.on_stick, length);
    lines->length = length;
    self.on_stick = 0;
}

void console_up(const struct console_options *options, const struct acpi_tables *tables,
                char *serial, size_t size)
{
    const bool could_send = self.server;
    uint64_t lost;

    start_serial(options, tables, serial, size);
    if (options->screen)
        screen_start(self.serial);
    screen_forget_keys();

    write_stick();
    self.up = true;
    self.serial_form = options->serial_form;
    self.server = could_send && !self.serial_sure;
    log_want(self.serial_form | (self.stick || self.server ? self.stick_form : 0));
    send_kept(lines_of(self.serial_form));
    if (self.server)
        server_log_keep(lines_of(self.stick_form)->text, lines_of(self.stick_form)->length);
    lost = lines_of(self.serial_form)->lost;
    self.brief.lost = self.full.lost = 0;
    lines_of(self.stick_form == LOG_BRIEF ? LOG_FULL : LOG_BRIEF)->length = 0;
    keep_rest(lines_of(self.stick_form));
    if (could_send)
        say_server();
    if (lost > 0)
        log_comment(
            "%llu earlier lines were lost: there was no console yet and no room to keep them",
            (unsigned long long)lost);
    flush(true);
}

bool console_has_serial(void)
{
    return self.serial && !serial_queue_pauses().stuck;
}

bool console_serial_is_sure(void)
{
    return console_has_serial() && self.serial_sure;
}

bool console_serial_has_all(void)
{
    return self.serial && serial_queue_end() && self.serial_sure && serial_queue_pauses().lost == 0;
}

bool console_has_stick(void)
{
    return self.stick;
}

bool console_stick_has_all(void)
{
    return self.stick && lines_of(self.stick_form)->length == 0;
}

uint64_t console_stick_bytes(void)
{
    return self.written + lines_of(self.stick_form)->length + server_log_bytes();
}

bool console_stick_room(uint64_t *bytes)
{
    return self.stick && log_file_room(bytes) == RC_OK;
}

bool console_stick_lacks(uint64_t bytes)
{
    uint64_t room;

    if (self.server)
        return server_log_lacks(bytes);
    return console_stick_room(&room) && room < bytes;
}

bool console_has_server(void)
{
    return self.server;
}

bool console_send_to_server(void)
{
    return self.server && server_log_send();
}

bool console_stick_is_cut(void)
{
    return self.cut;
}

bool console_stick_rewind(void)
{
    self.cut = false;
    self.stick = log_file_rewind();
    self.trouble.lost = !self.stick;
    if (!self.stick)
        return false;
    lines_of(self.stick_form)->length = self.on_stick = 0;
    self.stick_alone = true;
    log_aside_marked(self.stick_form);
    return true;
}

void console_before_end(void)
{
    if (self.serial)
        serial_queue_end();
    flush(true);
}

void console_give_end_room(void)
{
    log_file_give_end_room();
}

void console_stick_alone(void)
{
    self.stick_alone = true;
    log_aside(self.stick_form);
}

void console_close_stick(void)
{
    write_stick();
    log_file_close();
    self.stick = false;
    if (!self.stick_alone)
        return;
    self.stick_alone = false;
    log_back();
    log_want(self.serial_form);
}

void console_end(void)
{
    serial_line_end();
    self.serial = false;
}
