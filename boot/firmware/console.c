#include "console.h"

#include "boot/clock.h"
#include "boot/format.h"
#include "boot/log.h"
#include "boot/rate_limit.h"
#include "boot/serial/serial.h"
#include "boot/text.h"
#include "files.h"
#include "log_file.h"
#include "memory.h"
#include "netboot.h"
#include "screen.h"
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
};

static struct {
    /* All lines of either form until the sinks are up; then, of the stick's, those not on it yet.
     */
    struct lines brief, full;
    size_t on_stick; /* the part of them that the stick already has, before the sinks are up */
    bool up, serial, serial_sure, stick;
    bool stick_alone; /* the log's lines are for the stick only: its log ends */
    enum log_form serial_form, stick_form; /* what each of them gets */
    bool serial_failed;                    /* flush logs it */
    struct stick_trouble trouble, told;    /* what is, and what of it was logged */
    struct rate_limit flushes;
    uint64_t written; /* bytes, to the stick */
    struct {
        bool there, full; /* full: a line had no room */
        char *text;
        size_t length, room;
    } server; /* the log that is to be sent */
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
    unsigned tries = 0;

    while (rc == RC_FIRMWARE && tries++ < LOG_FILE_TRIES)
        rc = log_file_append(lines->text + self.on_stick, length);
    self.trouble.gone = log_file_gone();
    if (rc == RC_OK) {
        self.trouble.mends += tries > 1 || self.trouble.failures > 0;
        self.trouble.failures = 0;
        self.written += length;
        return true;
    }
    if (rc == RC_NO_SPACE || ++self.trouble.failures == STICK_FLUSHES) {
        self.trouble.lost = true;
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

#define FULL_TEXT "# the log is as long as a server takes it: what follows is not sent\n"

/* Makes room for a line and FULL_TEXT. The memory of a shorter text is not used again. */
static bool make_room(size_t length)
{
    const size_t wanted = self.server.length + length + sizeof(FULL_TEXT);
    size_t room = self.server.room > 0 ? self.server.room : PENDING_SIZE;
    char *text;

    while (room < wanted && room < NETBOOT_MOST)
        room *= 2;
    if (room < wanted)
        return false;
    if (room == self.server.room)
        return true;
    text = memory_alloc(room);
    if (text == NULL)
        return false;
    memcpy(text, self.server.text, self.server.length);
    self.server.text = text;
    self.server.room = room;
    return true;
}

static void keep_for_server(const char *text, size_t length)
{
    if (self.server.full)
        return;
    if (!make_room(length)) {
        self.server.full = true;
        text = FULL_TEXT;
        length = sizeof(FULL_TEXT) - 1;
    }
    if (self.server.length + length > self.server.room)
        return; /* there was never any memory */
    memcpy(self.server.text + self.server.length, text, length);
    self.server.length += length;
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

static void send_serial(const char *line, size_t length)
{
    if (self.serial && !serial_send(line, length - 1)) {
        self.serial = false;
        self.serial_failed = true;
    }
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
    if (self.up && form == self.stick_form && self.server.there)
        keep_for_server(line, length);
    if (!self.up || (form == self.stick_form && self.stick))
        keep(lines_of(form), line, length);
}

/* What is lost, if anything, is said on the serial line, and on the stick as soon as it takes it.
 */
static void say_trouble(void)
{
    const struct stick_trouble now = self.trouble, told = self.told;

    self.told = now;
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
    if (self.stick_alone) /* what failed is said where the log goes on */
        return;
    if (urgent && self.serial)
        serial_drain();
    if (self.serial_failed) {
        self.serial_failed = false;
        log_error("the serial line takes no more characters", "UART line status",
                  "room in the transmitter");
    }
    say_trouble();
}

void console_start(void)
{
    static char spare[2 * SPARE_SIZE];
    char *text = memory_alloc(2 * PENDING_SIZE);

    self.brief.room = self.full.room = text != NULL ? PENDING_SIZE : SPARE_SIZE;
    self.brief.text = text != NULL ? text : spare;
    self.full.text = self.brief.text + self.brief.room;
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
    char older[LOG_FILE_NAME + 4];
    enum rc kept = RC_OK, rc = name != NULL ? log_file_open(name, older, &kept) : RC_ABSENT;

    self.stick = rc == RC_OK;
    self.stick_form = form;
    if (rc == RC_READ_ONLY)
        log_comment("no log file: what the image was started from cannot be written");
    else if (rc == RC_ABSENT && name != NULL && files_none() && netboot_there())
        self.server.there = true;
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
                self.server.there ? "; the log is sent to the server at the end" : "");
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
    const bool could_send = self.server.there;
    uint64_t lost;

    start_serial(options, tables, serial, size);
    if (options->screen)
        screen_start(self.serial);

    write_stick();
    self.up = true;
    self.serial_form = options->serial_form;
    self.server.there = could_send && !self.serial_sure;
    log_want(self.serial_form | (self.stick || self.server.there ? self.stick_form : 0));
    send_kept(lines_of(self.serial_form));
    if (self.server.there)
        keep_for_server(lines_of(self.stick_form)->text, lines_of(self.stick_form)->length);
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
    return self.serial;
}

bool console_serial_is_sure(void)
{
    return self.serial && self.serial_sure;
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
    return self.written + lines_of(self.stick_form)->length + self.server.length;
}

bool console_stick_lacks(uint64_t bytes)
{
    uint64_t room;

    if (self.server.there)
        return self.server.full || NETBOOT_MOST - self.server.length < bytes;
    return self.stick && log_file_room(&room) == RC_OK && room < bytes;
}

bool console_has_server(void)
{
    return self.server.there;
}

bool console_send_to_server(void)
{
    return self.server.there && netboot_write_log(self.server.text, self.server.length) == RC_OK;
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
