/* own-check FILE.bin FILE.exp: looks at a kernel of the user's own before it runs anywhere.
 *
 * Looked at are its .exp file, by the image's own reader, what the image would not measure of it,
 * and its code, instruction after instruction from the first byte on. Prints the kernel's name.
 * What is found in the code are warnings: data between instructions may look like an instruction,
 * and a jump into the middle of one is another. Exit status: 0, or 2 when a file cannot be read or
 * is malformed. */
#include <Zydis/Zydis.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/own/own_reader.h"
#include "own_declaration.h"

#define POOL_CHUNK 65536u

static void *allocate(size_t size)
{
    return calloc(1, size);
}

static char *read_file(const char *name, size_t limit, size_t *size)
{
    FILE *file = fopen(name, "rb");
    char *bytes = malloc(limit + 1);

    if (file == NULL || bytes == NULL) {
        fprintf(stderr, "own-check: %s: %s\n", name, strerror(errno));
        exit(2);
    }
    *size = fread(bytes, 1, limit + 1, file);
    if (ferror(file) || *size > limit || *size == 0) {
        fprintf(stderr, "own-check: %s: expected 1 to %zu bytes\n", name, limit);
        exit(2);
    }
    fclose(file);
    return bytes;
}

/* In ring 3, where the trial runs, these are general-protection faults. */
static bool is_refused(const ZydisDecodedInstruction *instruction)
{
    static const ZydisMnemonic by_level[] = {
        ZYDIS_MNEMONIC_CLI,   ZYDIS_MNEMONIC_STI,   ZYDIS_MNEMONIC_IN,    ZYDIS_MNEMONIC_INSB,
        ZYDIS_MNEMONIC_INSW,  ZYDIS_MNEMONIC_INSD,  ZYDIS_MNEMONIC_OUT,   ZYDIS_MNEMONIC_OUTSB,
        ZYDIS_MNEMONIC_OUTSW, ZYDIS_MNEMONIC_OUTSD, ZYDIS_MNEMONIC_RDPMC, ZYDIS_MNEMONIC_INT,
    };

    for (size_t i = 0; i < sizeof(by_level) / sizeof(*by_level); i++)
        if (instruction->mnemonic == by_level[i])
            return true;
    return (instruction->attributes & ZYDIS_ATTRIB_IS_PRIVILEGED) != 0;
}

static void look_at_code(const char *name, const char *code, size_t size)
{
    ZydisDecoder decoder;
    ZydisDecodedInstruction instruction;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    bool returns = false;

    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    for (size_t at = 0; at < size; at += instruction.length) {
        if (!ZYAN_SUCCESS(
                ZydisDecoderDecodeFull(&decoder, code + at, size - at, &instruction, operands))) {
            fprintf(stderr,
                    "%s: warning: byte %zu begins no instruction; nothing behind it was "
                    "looked at\n",
                    name, at);
            return;
        }
        returns |= instruction.mnemonic == ZYDIS_MNEMONIC_RET;
        if (is_refused(&instruction))
            fprintf(stderr, "%s: warning: byte %zu: %s ends the kernel in its trial\n", name, at,
                    ZydisMnemonicGetString(instruction.mnemonic));
    }
    if (!returns)
        fprintf(stderr, "%s: warning: no RET to end the kernel\n", name);
}

int main(int argc, char **argv)
{
    struct pool pool = {.allocate = allocate, .chunk = POOL_CHUNK};
    struct complaint complaint = {.line = 0};
    struct own_kernel own;
    size_t code_size, text_size;
    char *code, *text;
    enum rc rc;

    if (argc != 3) {
        fprintf(stderr, "usage: own-check FILE.bin FILE.exp\n");
        return 2;
    }
    code = read_file(argv[1], OWN_CODE_LIMIT, &code_size);
    text = read_file(argv[2], OWN_FILE_LIMIT, &text_size);
    rc = own_read(&own, argv[2], text, text_size, &pool, &complaint);
    if (rc == RC_OK)
        rc = own_declaration_check(&(struct own_declaration){&own, argv[2], text, text_size}, &pool,
                                   &complaint);
    if (rc == RC_BAD_INPUT)
        fprintf(stderr, "%s:%u:%u: %s, expected %s\n", argv[2], complaint.line, complaint.column,
                complaint.message, complaint.expected);
    else if (rc != RC_OK)
        fprintf(stderr, "own-check: no memory\n");
    if (rc == RC_OK) {
        look_at_code(argv[1], code, code_size);
        printf("%s\n", own.kernel.name);
    }
    free(code);
    free(text);
    return rc == RC_OK ? 0 : 2;
}
