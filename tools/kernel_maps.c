/* Writes the maps of all kernels that state their blocks, as C for the image to link.
 *   kernel-maps FILE.c OBJECT...
 * An OBJECT is BUILD/asm/kernels/NAME.o, made of kernels/NAME.asm. Status 1: a kernel file was
 * refused, status 2: an object cannot be read, or the
 * file not be written; standard error says which and why. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/kernel_flow.h"

/* ---- Files ---- */

static bool read_stream(FILE *file, uint8_t **bytes, size_t *length)
{
    size_t room = 1 << 16, got;

    *length = 0;
    *bytes = malloc(room);
    while (*bytes != NULL && (got = fread(*bytes + *length, 1, room - *length, file)) > 0) {
        *length += got;
        if (*length == room)
            *bytes = realloc(*bytes, room *= 2);
    }
    return *bytes != NULL && !ferror(file);
}

static bool read_file(const char *path, uint8_t **bytes, size_t *length)
{
    FILE *file = fopen(path, "rb");
    bool good = file != NULL && read_stream(file, bytes, length);

    if (!good)
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
    if (file != NULL)
        fclose(file);
    return good;
}

/* kernels/NAME.asm of BUILD/asm/kernels/NAME.o */
static void print_source(const char *object)
{
    const char *name = strrchr(object, '/');
    size_t length;

    name = name != NULL ? name + 1 : object;
    length = strlen(name);
    if (length > 2 && !strcmp(name + length - 2, ".o"))
        length -= 2;
    fprintf(stderr, "kernels/%.*s.asm", (int)length, name);
}

/* ---- C ---- */

/* A count is text of the kernel's file: a quotation mark in it would end the C string. */
static void print_text(const char *text)
{
    putchar('"');
    for (; *text != '\0'; text++)
        printf(*text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    putchar('"');
}

static void print_lengths(const struct kernel_map *map, unsigned number)
{
    printf("static const uint8_t lengths_%u[] = {", number);
    for (uint32_t i = 0; i < map->instruction_count; i++)
        printf("%s%u,", i % 32 == 0 ? "\n    " : " ", map->lengths[i]);
    printf("\n};\n");
}

static void print_blocks(const struct kernel_map *map, unsigned number)
{
    printf("static const struct map_block blocks_%u[] = {\n", number);
    for (uint32_t i = 0; i < map->block_count; i++) {
        const struct map_block *block = &map->blocks[i];

        printf("    {");
        print_text(block->label);
        printf(", ");
        print_text(block->count);
        printf(", %u, %u, %u, %u, %u},\n", block->offset, block->bytes, block->first,
               block->instructions, block->function);
    }
    printf("};\n");
}

static void print_block_number(uint32_t block)
{
    if (block == MAP_OUTSIDE)
        printf("MAP_OUTSIDE");
    else
        printf("%u", block);
}

static void print_edges(const struct kernel_map *map, unsigned number)
{
    static const char *const kinds[] = {
        [MAP_FALL_THROUGH] = "MAP_FALL_THROUGH",
        [MAP_CONDITIONAL] = "MAP_CONDITIONAL",
        [MAP_JUMP] = "MAP_JUMP",
        [MAP_JUMP_INDIRECT] = "MAP_JUMP_INDIRECT",
        [MAP_CALL] = "MAP_CALL",
        [MAP_CALL_INDIRECT] = "MAP_CALL_INDIRECT",
        [MAP_RETURN] = "MAP_RETURN",
    };

    printf("static const struct map_edge edges_%u[] = {\n", number);
    for (uint32_t i = 0; i < map->edge_count; i++) {
        printf("    {");
        print_block_number(map->edges[i].from);
        printf(", ");
        print_block_number(map->edges[i].to);
        printf(", %s},\n", kinds[map->edges[i].kind]);
    }
    printf("};\n");
}

static void print_functions(const struct kernel_map *map, unsigned number)
{
    printf("static const struct map_function functions_%u[] = {\n", number);
    for (uint32_t i = 0; i < map->function_count; i++) {
        printf("    {");
        print_text(map->functions[i].name);
        printf(", %u, %u},\n", map->functions[i].first, map->functions[i].blocks);
    }
    printf("};\n");
}

static void print_map(const struct kernel_map *map, unsigned number)
{
    print_lengths(map, number);
    print_blocks(map, number);
    print_edges(map, number);
    print_functions(map, number);
    printf("static const struct kernel_map map_%u = {\n    .kernel = ", number);
    print_text(map->kernel);
    printf(",\n");
    printf("    .lengths = lengths_%u,\n    .blocks = blocks_%u,\n", number, number);
    printf("    .edges = edges_%u,\n    .functions = functions_%u,\n", number, number);
    printf("    .instruction_count = %u,\n    .block_count = %u,\n", map->instruction_count,
           map->block_count);
    printf("    .edge_count = %u,\n    .function_count = %u,\n", map->edge_count,
           map->function_count);
    printf("    .bytes = %u,\n};\n\n", map->bytes);
}

static void print_table(unsigned count)
{
    printf("const struct kernel_map *const kernel_maps[] = {\n");
    for (unsigned i = 0; i < count; i++)
        printf("    &map_%u,\n", i);
    printf("    0,\n};\n");
}

/* ---- Objects ---- */

static bool print_map_of(const struct kernel_object *object, const char *path, unsigned *count)
{
    char error[FLOW_ERROR_BYTES];
    struct kernel_map map;

    if (object->name == NULL)
        return true;
    if (!kernel_flow_make(&map, object, error)) {
        print_source(path);
        fprintf(stderr, ": %s\n", error);
        return false;
    }
    print_map(&map, (*count)++);
    kernel_flow_free(&map);
    return true;
}

static int print_object(const char *path, unsigned *count)
{
    struct kernel_object object = {0};
    uint8_t *bytes = NULL;
    const char *error;
    size_t length;
    int status = 2;

    if (read_file(path, &bytes, &length)) {
        if (kernel_object_read(&object, bytes, length, &error))
            status = print_map_of(&object, path, count) ? 0 : 1;
        else
            fprintf(stderr, "%s: %s\n", path, error);
        kernel_object_free(&object);
    }
    free(bytes);
    return status;
}

static void print_head(void)
{
    printf("/* Made by tools/kernel_maps.c of the kernels' objects. */\n"
           "#include \"kernels/kernel_map.h\"\n\n"
           "extern const struct kernel_map *const kernel_maps[];\n\n");
}

int main(int count, char **arguments)
{
    unsigned maps = 0;
    int worst = 0;

    if (count < 2 || freopen(arguments[1], "w", stdout) == NULL) {
        fprintf(stderr, "%s: %s\n",
                count < 2 ? "usage: kernel-maps FILE.c OBJECT..." : arguments[1], strerror(errno));
        return 2;
    }
    print_head();
    for (int i = 2; i < count; i++) {
        int status = print_object(arguments[i], &maps);

        worst = status > worst ? status : worst;
    }
    print_table(maps);
    return fclose(stdout) != 0 ? 2 : worst;
}
