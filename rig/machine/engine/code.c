#include "code.h"

#include <stdlib.h>
#include <string.h>

#include "instruction.h"
#include "pmu/pmu.h"
#include "identify.h"
#include "state.h"

/* More than the image and its largest kernels have. The host gives a page of it when that is used
 * first. */
#define INSTRUCTIONS 131072u
#define ADDRESS_BITS 18 /* direct-mapped */

/* Entries are used in turn, so code that runs together is stored together, and the instruction
 * behind one is most often in the next entry; `at` finds an entry by address. It finds every entry
 * whose length is not 0. */
struct code {
    /* The first and the last one stay empty: their length is 0. */
    struct instruction entry[INSTRUCTIONS + 1];
    unsigned last; /* the entry made last */
    uint32_t at[1u << ADDRESS_BITS];
};

static bool offers(void *core, const struct cpuid_bit *bit)
{
    return core_offers(core, bit);
}

bool code_new(struct core *core)
{
    core->code = calloc(1, sizeof(*core->code));
    core->code_lines = calloc(core->machine->memory.size / 64 / 8 + 1, 1);
    return core->code != NULL && core->code_lines != NULL;
}

void code_free(struct core *core)
{
    free(core->code);
    free(core->code_lines);
}

bool code_has_line(const struct core *core, uint64_t line)
{
    return core->code_lines[line / 8] >> line % 8 & 1;
}

static uint32_t *place_of(const struct core *core, uint64_t address)
{
    return &core->code->at[(address ^ address >> ADDRESS_BITS) % (1u << ADDRESS_BITS)];
}

static struct instruction *slot(const struct core *core, uint64_t address)
{
    return &core->code->entry[*place_of(core, address)];
}

/* The entry is used anew: `at` must not lead to it any more. */
static void forget_entry(struct core *core, const struct instruction *old)
{
    uint32_t *at = place_of(core, old->address);

    if (&core->code->entry[*at] == old)
        *at = 0;
}

/* An entry for the address: the one that it has, or else the oldest. */
static struct instruction *slot_new(struct core *core, uint64_t address)
{
    struct code *code = core->code;
    uint32_t *at = place_of(core, address);

    if (*at == 0 || code->entry[*at].address != address) {
        code->entry[*at].length = 0;
        code->last = code->last % (INSTRUCTIONS - 1) + 1;
        forget_entry(core, &code->entry[code->last]);
        *at = code->last;
    }
    return &code->entry[*at];
}

static unsigned current_mode(const struct core *core)
{
    return core->long_mode ? 64 : core->code_bits;
}

__attribute__((noinline)) static struct instruction *learn(struct core *core, uint64_t address)
{
    struct instruction *instruction = slot_new(core, address);
    const struct guest_memory *memory = &core->machine->memory;
    const uint8_t *bytes = NULL;
    uint64_t room = 0;

    instruction->address = address;
    if (address >= core->machine->entries && address < core->machine->entries_end) {
        memset(instruction, 0, sizeof(*instruction));
        instruction->address = address;
        instruction->kind = KIND_FIRMWARE;
        instruction->mode = 64;
        return instruction;
    }
    for (room = INSTRUCTION_BYTES; room > 0 && bytes == NULL; room--)
        bytes = memory_at(memory, address, room);
    if (bytes == NULL) {
        static const uint8_t nothing[1];

        instruction_decode(instruction, nothing, 0, current_mode(core), offers, core);
        instruction->kind = KIND_UNSUPPORTED;
        return instruction;
    }
    instruction_decode(instruction, bytes, (unsigned)room + 1, current_mode(core), offers, core);
    for (uint64_t line = address >> LINE_SHIFT;
         line <= (address + instruction->length - 1u) >> LINE_SHIFT; line++)
        core->code_lines[line / 8] |= (uint8_t)(1u << line % 8);
    return instruction;
}

static bool is_of(const struct core *core, const struct instruction *instruction, uint64_t address)
{
    return instruction->address == address && instruction->length != 0 && instruction->mode == 64 &&
           core->long_mode;
}

struct instruction *code_at(struct core *core, uint64_t address)
{
    struct instruction *instruction = slot(core, address);

    return is_of(core, instruction, address) ? instruction : learn(core, address);
}

struct instruction *code_behind(struct core *core, const struct instruction *before,
                                uint64_t address)
{
    struct instruction *next = core->code->entry + (before - core->code->entry) + 1;

    return is_of(core, next, address) ? next : code_at(core, address);
}

static void forget_code(struct core *core, uint64_t first_line, uint64_t last_line)
{
    uint64_t begin = first_line << LINE_SHIFT, end = (last_line + 1) << LINE_SHIFT;

    for (uint64_t line = first_line; line <= last_line; line++)
        core->code_lines[line / 8] &= (uint8_t) ~(1u << line % 8);
    begin = begin < INSTRUCTION_BYTES ? 0 : begin - INSTRUCTION_BYTES;
    for (uint64_t address = begin; address < end; address++)
        if (slot(core, address)->address == address)
            slot(core, address)->length = 0;
}

void code_written(struct core *writer, struct machine *machine, uint64_t address, uint64_t size)
{
    uint64_t first = address >> LINE_SHIFT, last = (address + size - 1) >> LINE_SHIFT;

    if (size == 0 || memory_at(&machine->memory, address, size) == NULL)
        return;
    for (unsigned i = 0; i < machine->cores; i++) {
        struct core *core = &machine->core[i];

        for (uint64_t line = first; line <= last; line++) {
            if (!code_has_line(core, line))
                continue;
            forget_code(core, line, line);
            /* An engine drops its own translations when its own instruction writes. */
            if (core == writer)
                core->pending.wrote_code = true;
            else
                uc_ctl_remove_cache(core->uc, line << LINE_SHIFT, (line + 1) << LINE_SHIFT);
        }
    }
}
