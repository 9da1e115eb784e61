#include "own_files.h"

#include "boot/log.h"
#include "sha256.h"

#define OWN_FILE_LOGGED 16384u /* bytes of the longest file that the log holds */
#define PART            1024u  /* bytes of a record */

static void make_digits(const char *bytes, size_t size, char digits[2 * PART + 1])
{
    static const char values[] = "0123456789abcdef";

    for (size_t i = 0; i < size; i++) {
        digits[2 * i] = values[(uint8_t)bytes[i] >> 4];
        digits[2 * i + 1] = values[bytes[i] & 15];
    }
    digits[2 * size] = '\0';
}

/* `data`: hexadecimal digits; null: the log does not hold the file's bytes. */
static void send(const struct own_kernel *own, const struct own_file *file, const char *hash,
                 unsigned part, const char *data)
{
    struct json_line *record = log_record("own_file");

    json_line_text(record, "kernel", own->kernel.name);
    json_line_text(record, "file", file->name);
    json_line_unsigned(record, "bytes", file->size);
    json_line_text(record, "sha256", hash);
    json_line_unsigned(record, "part", part);
    json_line_text(record, "data", data);
    log_send(record);
}

static void send_parts(const struct own_kernel *own, const struct own_file *file, const char *hash)
{
    char digits[2 * PART + 1];

    for (size_t at = 0; at < file->size; at += PART) {
        const size_t left = file->size - at;

        make_digits(file->bytes + at, left < PART ? left : PART, digits);
        send(own, file, hash, (unsigned)(at / PART) + 1, digits);
    }
}

static void send_file(const struct own_kernel *own, const struct own_file *file)
{
    const enum log_form before = log_into(LOG_BRIEF);
    char hash[SHA256_TEXT];

    sha256(file->bytes, file->size, hash);
    send(own, file, hash, 1, NULL);
    log_into(LOG_FULL);
    if (file->size > OWN_FILE_LOGGED)
        send(own, file, hash, 1, NULL);
    else
        send_parts(own, file, hash);
    log_into(before);
}

void own_files_log(const struct own_kernel *own)
{
    for (unsigned i = 0; i < OWN_FILES; i++)
        send_file(own, &own->files[i]);
}
