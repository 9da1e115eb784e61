/* Recorded CPUID answers: whatever the text is, each record is handed over whole or named with its
 * line and in printable text. */
#include <string.h>

#include "pc/cpuid_text.h"
#include "tests/fuzz/fuzz.h"

#define ROOM 1200

static const char *const texts[] = {
    CPUID_TABLE "\nm-1,n,s,0,00000000,00000000,00000002,756e6547,6c65746e,49656e69\n"
                "m-1,n,s,0,00000001,00000000,000506e3,00100800,00008000,10000000\n"
                "m-1,n,s,4,00000000,00000000,00000000,68747541,444d4163,69746e65\n",
    "CPU 0:\n   0x00000000 0x00: eax=0x00000001 ebx=0x756e6547 ecx=0x6c65746e edx=0x49656e69\n"
    "   0x00000001 0x00: eax=0x000506e3 ebx=0x00100800 ecx=0x00008000 edx=0x10000000\nCPU 1:\n"
    "   0x00000000 0x00: eax=0x00000000 ebx=0x756e6547 ecx=0x6c65746e edx=0x49656e69\n",
    "--[ Logical CPU #0 ]--\nCPUID 00000000: 00000001-756E6547-6C65746E-49656E69\n"
    "CPUID 00000001: 000506E3-00100800-00008000-10000000 [SL 00]\nCPU#001\n"
    "CPUID 00000000: 00000000-756E6547-6C65746E-49656E69\n",
};
static const char *const pieces[] = {"\n",       ",",    "0",    "ffffffff", "CPU 2:\n", "CPUID ",
                                     "[SL 00]",  "-",    " ",    "eax=0x",   "CPU #",    "0x",
                                     "80000000", "\x01", "m,\n", "\r",       "[SL 06]"};

static size_t make(uint64_t *state, char *text)
{
    const char *whole = texts[random_below(state, sizeof(texts) / sizeof(texts[0]))];
    size_t size = strlen(whole);

    memcpy(text, whole, size);
    if (random_below(state, 4) == 0)
        size = random_below(state, (unsigned)size + 1); /* cut */
    for (unsigned i = random_below(state, 6); i > 0; i--) {
        const char *piece = pieces[random_below(state, sizeof(pieces) / sizeof(pieces[0]))];
        size_t at = random_below(state, (unsigned)size + 1), length = strlen(piece);

        if (random_below(state, 3) == 0 && at < size) {
            memmove(text + at, text + at + 1, --size - at);
        } else if (size + length < ROOM) {
            memmove(text + at + length, text + at, size - at);
            memcpy(text + at, piece, length);
            size += length;
        }
    }
    return size;
}

const struct fuzz fuzz = {"records of CPUID", 100000, 20261123, ROOM, make};
unsigned fuzz_accepted;

static unsigned records, errors;
static uint32_t lines;

static void take(void *context, const struct cpuid_record *record)
{
    (void)context;
    records++;
    require(record->count > 0 && record->count <= CPUID_ROWS, "a record has rows");
    require(memchr(record->machine, '\0', CPUID_MACHINE) != NULL, "the machine's name ends");
    require(cpuid_record_row(record, 0, 0) != NULL, "a record has leaf 0");
    for (unsigned i = 0; i < record->count; i++)
        require(record->rows[i].line >= 1 && record->rows[i].line <= lines, "a row has its line");
}

static void complain(void *context, const struct cpuid_error *error)
{
    (void)context;
    errors++;
    require(error->line >= 1 && error->line <= lines, "an error has its line");
    require(error->text[0] != '\0' && memchr(error->text, '\0', CPUID_ERROR) != NULL,
            "the error is a text");
    for (const char *c = error->text; *c != '\0'; c++)
        require(*c >= ' ' && *c <= '~', "the error is printable");
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    const struct cpuid_sink sink = {NULL, take, complain};

    lines = 1;
    for (size_t i = 0; i < size; i++)
        lines += input[i] == '\n';
    records = errors = 0;
    require(cpuid_text_read((const char *)input, size, "fuzz", &sink) == records,
            "every good record is handed over");
    require(records + errors > 0, "a text gives a record or an error");
    fuzz_accepted += errors == 0;
    return 0;
}
