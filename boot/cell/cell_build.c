/* What a cell consists of: memory, descriptor tables, page tables. */
#include <stddef.h>

#include "boot/firmware/memory.h"
#include "boot/machine/descriptors.h"
#include "boot/machine/memory/paging.h"
#include "boot/machine/vector.h"
#include "boot/text.h"
#include "cell_inside.h"

_Static_assert(offsetof(struct cell_control, root) == 64 &&
                   offsetof(struct cell_control, handler) == 104 &&
                   offsetof(struct cell_control, gdt) == 128 &&
                   offsetof(struct cell_control, idt) == 144 &&
                   offsetof(struct cell_control, caller) == 160,
               "cell.asm uses these offsets");

/* SDM 3A, "Segment Descriptors", 64-bit mode: present, accessed. */
#define CODE_0 0x00af9b000000ffffull
#define DATA_0 0x00cf93000000ffffull
#define DATA_3 0x00cff3000000ffffull
#define CODE_3 0x00affb000000ffffull

#define INTERRUPT_GATE 0x8eu
#define OPEN_GATE      0xeeu /* which ring 3 may name in INT3 and INTO */

static const uint8_t ud2[] = {0x0f, 0x0b};

static uint64_t page_at(const struct cell *cell, unsigned page)
{
    return cell->pages + (uint64_t)page * CELL_PAGE;
}

static void fill_gdt(struct cell_control *control)
{
    static const uint64_t descriptors[] = {0, CODE_0, DATA_0, 0, DATA_3, CODE_3};

    memcpy(control->descriptors, descriptors, sizeof(descriptors));
    control->gdt = (struct table_pointer){sizeof(descriptors) - 1, (uintptr_t)control->descriptors};
}

/* Traps of the code use IST 6; what may come while one of those is handled, IST 7. */
static unsigned stack_of(unsigned vector)
{
    return vector == VECTOR_NMI || vector == VECTOR_DF || vector == VECTOR_MC ? 7 : 6;
}

static unsigned type_of(unsigned vector)
{
    return vector == VECTOR_BP || vector == VECTOR_OF ? OPEN_GATE : INTERRUPT_GATE;
}

static void fill_idt(struct cell *cell)
{
    uint64_t *gate = (uint64_t *)(uintptr_t)page_at(cell, CELL_IDT);

    for (unsigned vector = 0; vector < 256; vector++) {
        const uint64_t stub =
            page_at(cell, CELL_TEXT) + CELL_STUBS + (uint64_t)vector * CELL_STUB_STEP;

        gate[2 * vector] = (stub & 0xffff) | SELECTOR_CODE << 16 |
                           (uint64_t)stack_of(vector) << 32 | (uint64_t)type_of(vector) << 40 |
                           (stub >> 16 & 0xffff) << 48;
        gate[2 * vector + 1] = stub >> 32;
    }
    cell->control->idt = (struct table_pointer){256 * 16 - 1, page_at(cell, CELL_IDT)};
}

static void fill(struct cell *cell)
{
    struct cell_control *control = cell->control;

    memcpy((void *)(uintptr_t)page_at(cell, CELL_TEXT), cell_text, CELL_TEXT_SPAN);
    memcpy((void *)(uintptr_t)page_at(cell, CELL_GATE), ud2, sizeof(ud2));
    fill_gdt(control);
    fill_idt(cell);
    control->handler = (uintptr_t)cell_trap;
    control->full_root = paging_root();
    control->trap_stack = page_at(cell, CELL_NMI_STACK);
    control->kernel_stack = page_at(cell, CELL_PAGES - 1);
}

static bool map_pages(struct cell *cell, unsigned page, unsigned count, uint64_t rights)
{
    const uint64_t start = page_at(cell, page);

    return view_map(&cell->view, start, (uint64_t)count * CELL_PAGE, rights);
}

/* The processor reads the stacks of the IST in the TSS. */
static bool map_tss(struct cell *cell, unsigned core)
{
    unsigned bytes;
    const uint64_t tss = descriptors_tss(core, &bytes), start = tss / CELL_PAGE * CELL_PAGE;

    return view_map(&cell->view, start, tss + bytes - start, 0);
}

static bool build_view(struct cell *cell, unsigned core)
{
    const struct cell_code *code = &cell->code;
    struct cell_view *view = &cell->view;
    const uint64_t own = VIEW_WRITABLE | VIEW_USER;

    if (!view_begin(view) || !map_pages(cell, CELL_TEXT, 4, 0) || /* with control and IDT */
        !map_pages(cell, CELL_TRAP_STACK, 4, VIEW_WRITABLE) ||
        !map_pages(cell, CELL_GATE, 1, VIEW_USER) ||
        !map_pages(cell, CELL_STACK_PAGES, CELL_STACK_BYTES / CELL_PAGE, own) ||
        !map_tss(cell, core) || !view_map(view, cell->copy, code->bytes, own) ||
        !view_share(view, (uintptr_t)code->buffer, code->buffer_bytes))
        return false;
    view_finish(view);
    return true;
}

/* Room for the copy of the code. */
static bool take_copy(struct cell *cell)
{
    const uint64_t pages = (cell->code.bytes + CELL_PAGE - 1) / CELL_PAGE;

    if (pages <= cell->copy_pages)
        return true;
    cell->copy = memory_pages(pages, 0);
    cell->copy_pages = cell->copy != 0 ? pages : 0;
    return cell->copy != 0;
}

bool cell_build(struct cell *cell, unsigned core)
{
    if (cell->pages == 0)
        cell->pages = memory_pages(CELL_PAGES, 0);
    if (cell->pages == 0 || !take_copy(cell))
        return false;
    cell->control = (struct cell_control *)(uintptr_t)page_at(cell, CELL_CONTROL);
    fill(cell);
    if (!build_view(cell, core))
        return false;
    descriptors_cell_stacks(core, page_at(cell, CELL_NMI_STACK), page_at(cell, CELL_GATE));
    return true;
}
