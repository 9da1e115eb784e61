#include "page_code.h"

#include <Zydis/Zydis.h>
#include <string.h>

#include "kernels/kernel.h"
#include "kernels/kernel_map.h"

#define TEXT 128 /* bytes: the longest instruction takes fewer */

struct disassembler {
    ZydisDecoder decoder;
    ZydisFormatter formatter;
};

/* "?": it cannot be decoded. Targets of branches are offsets from the kernel's first byte. */
static void text_of(const struct disassembler *with, const uint8_t *code, size_t size,
                    uint32_t offset, char text[TEXT])
{
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    ZydisDecodedInstruction instruction;

    if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&with->decoder, code, size, &instruction, operands)) ||
        !ZYAN_SUCCESS(ZydisFormatterFormatInstruction(&with->formatter, &instruction, operands,
                                                      instruction.operand_count_visible, text, TEXT,
                                                      offset, NULL)))
        strcpy(text, "?");
}

static json_t *instruction_of(const struct disassembler *with, const uint8_t *code,
                              const struct kernel_map *map, uint32_t i)
{
    const struct map_instruction instruction = map_instruction_at(map, i);
    const struct map_block *block = &map->blocks[instruction.block];
    char text[TEXT];

    text_of(with, code + instruction.offset, map->bytes - instruction.offset, instruction.offset,
            text);
    return json_made(json_pack("[iss?]", (int)instruction.offset, text,
                               block->first == i ? block->label : NULL));
}

/* NULL: there is no such kernel, or it has no map. */
static json_t *code_of(const struct disassembler *with, const char *name)
{
    const struct kernel *kernel = kernels_named(name);
    const struct kernel_map *map = kernel_map_of(name);
    json_t *code;

    if (kernel == NULL || map == NULL)
        return NULL;
    code = json_made(json_array());
    for (uint32_t i = 0; i < map->instruction_count; i++)
        json_array_append_new(
            code, instruction_of(with, (const uint8_t *)(uintptr_t)kernel->code, map, i));
    return code;
}

static void add_code(json_t *all, const struct disassembler *with, const json_t *cpi)
{
    const char *name = record_text(cpi, "kernel", "");
    json_t *code;

    if (json_object_get(cpi, "level") == NULL || json_object_get(all, name) != NULL)
        return;
    code = code_of(with, name);
    if (code != NULL)
        json_object_set_new(all, name, code);
}

json_t *page_code(const struct whole_log *logs, size_t count)
{
    json_t *all = json_made(json_object()), *record;
    struct disassembler with;
    size_t k;

    ZydisDecoderInit(&with.decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    ZydisFormatterInit(&with.formatter, ZYDIS_FORMATTER_STYLE_INTEL);
    ZydisFormatterSetProperty(&with.formatter, ZYDIS_FORMATTER_PROP_HEX_UPPERCASE, ZYAN_FALSE);
    ZydisFormatterSetProperty(&with.formatter, ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE, 2);
    for (size_t i = 0; i < count; i++)
        json_array_foreach (logs[i].records, k, record)
            if (strcmp(record_text(record, "type", ""), "cpi") == 0)
                add_code(all, &with, record);
    return all;
}
