/* Objects of kernel files with code of random instructions, random statements about it, and some
 * wrong bytes: nothing is read outside of the object (the sanitizer sees it), and a map that is
 * made has its blocks side by side and its edges between them. */
#include <elf.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tools/kernel_flow.h"

#define SECTIONS   4u /* none, names, code, statements */
#define NAMES      "\0.text\0kernel_map"
#define CODE_BYTES 40u
#define LONGEST    1024u

struct writer {
    char *at;
    size_t length;
};

static void put(struct writer *to, const void *bytes, size_t length)
{
    require(to->length + length <= LONGEST, "the object fits");
    memcpy(to->at + to->length, bytes, length);
    to->length += length;
}

static void put_number(struct writer *to, uint64_t number)
{
    uint32_t value = (uint32_t)number;

    put(to, &value, sizeof(value));
}

/* Short instructions and branches, a RET at the end; marks where blocks begin. */
static void put_code(struct writer *to, uint64_t *state, unsigned bytes, bool *begins)
{
    static const char *const instructions[] = {"\x90", "\x90", "\xff\xc0", "\x75",    "\x75",
                                               "\x75", "\xeb", "\xff\xd0", "\xff\xe0"};
    const size_t begin = to->length, end = begin + bytes;

    begins[0] = true;
    while (to->length + 2 < end) {
        const char *instruction = instructions[random_below(state, 9)];
        unsigned target = random_below(state, bytes);
        char distance = (char)(target - (to->length + 2 - begin));

        put(to, instruction, 1);
        if (instruction[0] == '\x90' || instruction[1] == '\xc0') {
            put(to, instruction + 1, instruction[1] != '\0');
            continue;
        }
        put(to, instruction[1] != '\0' ? instruction + 1 : &distance, 1);
        begins[to->length - begin] = true;
        begins[target] |= instruction[1] == '\0';
    }
    while (to->length < end)
        put(to, to->length + 1 < end ? "\x90" : "\xc3", 1);
}

static void put_statements(struct writer *to, uint64_t *state, unsigned bytes, const bool *begins)
{
    for (unsigned i = 0; i < bytes; i++)
        if (begins[i] != (random_below(state, 200) == 0)) {
            put(to, "B", 1);
            put_number(to, i);
            put(to, ".b\0n", 5);
        }
    for (unsigned i = random_below(state, 3); i > 0; i--) {
        put(to, "T", 1);
        put_number(to, random_below(state, bytes + 2));
        put_number(to, random_below(state, bytes + 2));
        put(to, ".b\0.t", 6);
    }
    put(to, "K", 1);
    put_number(to, 0);
    put_number(to, bytes + (random_below(state, 20) == 0));
    put(to, "name", 5);
}

static size_t make(uint64_t *state, char *object)
{
    struct writer to = {object, sizeof(Elf64_Ehdr) + SECTIONS * sizeof(Elf64_Shdr)};
    Elf64_Ehdr header = {
        .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64},
        .e_shoff = sizeof(header),
        .e_shentsize = sizeof(Elf64_Shdr),
        .e_shnum = SECTIONS,
        .e_shstrndx = 1,
    };
    Elf64_Shdr sections[SECTIONS] = {
        [1] = {.sh_type = SHT_STRTAB, .sh_size = sizeof(NAMES)},
        [2] = {.sh_name = 1, .sh_type = SHT_PROGBITS},
        [3] = {.sh_name = 7, .sh_type = SHT_PROGBITS},
    };
    unsigned bytes = 1 + random_below(state, CODE_BYTES);
    bool begins[CODE_BYTES + 1] = {false};

    sections[1].sh_offset = to.length;
    put(&to, NAMES, sizeof(NAMES));
    sections[2].sh_offset = to.length;
    put_code(&to, state, bytes, begins);
    sections[2].sh_size = bytes;
    sections[3].sh_offset = to.length;
    put_statements(&to, state, bytes, begins);
    sections[3].sh_size = to.length - sections[3].sh_offset;
    memcpy(object, &header, sizeof(header));
    memcpy(object + sizeof(header), sections, sizeof(sections));

    for (uint64_t wrong = random_below(state, 4) == 0 ? random_below(state, 6) : 0; wrong > 0;
         wrong--)
        object[random_below(state, (unsigned)to.length)] = (char)random_next(state);
    return random_below(state, 10) > 0 ? to.length : random_below(state, (unsigned)to.length);
}

const struct fuzz fuzz = {"objects of kernels", 50000, 20261122, LONGEST, make};
unsigned fuzz_accepted;

static void hold(const struct kernel_map *map)
{
    uint32_t instructions = 0, blocks = 0;

    for (uint32_t i = 0; i < map->function_count; i++) {
        require(map->functions[i].first == blocks, "functions lie side by side");
        blocks += map->functions[i].blocks;
    }
    require(blocks == map->block_count, "every block is in a function");
    for (uint32_t i = 0; i < blocks; i++) {
        require(map->blocks[i].first == instructions, "blocks lie side by side");
        require(map->blocks[i].offset + map->blocks[i].bytes <= map->bytes, "a block is code");
        instructions += map->blocks[i].instructions;
    }
    require(instructions == map->instruction_count, "every instruction is in a block");
    for (uint32_t i = 0; i < map->edge_count; i++) {
        require(map->edges[i].from < blocks || map->edges[i].from == MAP_OUTSIDE, "from a block");
        require(map->edges[i].to < blocks || map->edges[i].to == MAP_OUTSIDE, "to a block");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    struct kernel_object object;
    struct kernel_map map;
    char error[FLOW_ERROR_BYTES];
    const char *refusal;

    if (kernel_object_read(&object, input, size, &refusal) && object.name != NULL &&
        kernel_flow_make(&map, &object, error)) {
        fuzz_accepted++;
        hold(&map);
        kernel_flow_free(&map);
    }
    kernel_object_free(&object);
    return 0;
}
