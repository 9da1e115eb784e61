/* libunicorn 2.0.1 reports a page-crossing read once whole and then again as two aligned reads, and
 * a 16-byte access as two of 8 bytes; here they become one access. */
#include "access.h"

#include "code.h"
#include "debug.h"
#include "device/platform.h"
#include "instruction.h"
#include "state.h"

#define SEVERAL 255u
/* Cycles of short turns after a line changed hands: more than a program takes from one measurement
 * to the next. Else a core that may run a turn ahead would go through a short measurement alone. */
#define CONTENDED 50000

static void code_check(struct core *core, uint64_t first, uint64_t last, uint64_t address,
                       unsigned size)
{
    struct machine *machine = core->machine;

    for (unsigned i = 0; i < machine->cores; i++) {
        if (code_has_line(&machine->core[i], first) || code_has_line(&machine->core[i], last)) {
            code_written(core, machine, address, size);
            return;
        }
    }
}

static void monitor_check(struct core *core, uint64_t first, uint64_t last)
{
    struct machine *machine = core->machine;

    for (unsigned i = 0; i < machine->cores; i++) {
        struct core *other = &machine->core[i];

        if (!other->armed || (other->monitor != first && other->monitor != last))
            continue;
        other->armed = false;
        machine->armed--;
        if (other->activity == ACTIVITY_MWAIT)
            core_wake(other, core_now(core));
    }
}

/* A line goes from core to core with this access. The other cores catch up before this one goes on,
 * and turns are short for a while: else a line that several cores want would change hands only once
 * a turn. */
static void end_turn(struct core *core)
{
    core->limit = 0;
    core->fuel = 1;
    core->machine->contended = core_now(core) + CONTENDED;
}

/* Keeps which cores may hold a line, so that a write snoops their caches only. */
static void share(struct core *core, uint64_t line, bool write)
{
    struct machine *machine = core->machine;
    uint8_t mine = core->index + 1 < SEVERAL ? (uint8_t)(core->index + 1) : SEVERAL;
    uint8_t holder = machine->touched[line];

    if (holder == mine && mine != SEVERAL)
        return;
    if (!write || holder == 0) {
        machine->touched[line] = holder == 0 ? mine : SEVERAL;
        if (holder != 0 && holder != SEVERAL)
            end_turn(core);
        return;
    }
    for (unsigned i = 0; i < machine->cores; i++) {
        struct model *other = machine->core[i].model;

        if (&machine->core[i] == core || (holder != SEVERAL && holder != i + 1))
            continue;
        if (model_is_sibling(other, core->model)) {
            model_snoop_sibling(other, line << LINE_SHIFT, 64);
            continue;
        }
        model_snoop_write(other, line << LINE_SHIFT, 64);
        end_turn(core);
    }
    machine->touched[line] = mine;
}

void access_touched(struct core *core, uint64_t address, unsigned size, bool write)
{
    uint64_t first = address >> LINE_SHIFT, last = (address + size - 1) >> LINE_SHIFT;

    if (core->debug.data)
        debug_access(core, address, size, write);
    if (memory_at(&core->machine->memory, address, size) == NULL)
        return;
    if (core->machine->cores > 1) {
        share(core, first, write);
        if (last != first)
            share(core, last, write);
    }
    if (!write)
        return;
    code_check(core, first, last, address, size);
    if (core->machine->armed)
        monitor_check(core, first, last);
}

void access_wrote(struct core *core, uint64_t address, unsigned size)
{
    bool code = memory_at(&core->machine->memory, address, size) != NULL &&
                (code_has_line(core, address >> LINE_SHIFT) ||
                 code_has_line(core, (address + size - 1) >> LINE_SHIFT));

    access_touched(core, address, size, true);
    /* The emulator did not see this write, so its own translations of the place go too. */
    if (code)
        uc_ctl_remove_cache(core->uc, address, address + size);
}

/* Whether the event is one of the two aligned pieces of a page-crossing read. */
static bool is_piece(struct pending *pending, uint64_t address, unsigned size, bool write)
{
    const struct access *piece = &pending->piece;

    if (pending->pieces == 0)
        return false;
    if (write || size != piece->size || address != piece->address) {
        pending->pieces = 0;
        return false;
    }
    pending->piece.address += size;
    pending->pieces--;
    return true;
}

static bool extends_last(const struct pending *pending, uint64_t address, unsigned size, bool write)
{
    const struct executed *record = &pending->record;
    const struct access *last = &record->access[record->accesses - 1];

    return record->accesses && write == last->write && address == last->address + last->size &&
           last->size + size <= pending->instruction->operand_bytes;
}

void access_on_memory(uc_engine *uc, uc_mem_type type, uint64_t address, int bytes, int64_t value,
                      void *user)
{
    struct core *core = user;
    struct pending *pending = &core->pending;
    struct executed *record = &pending->record;
    unsigned size = (unsigned)bytes;
    bool write = type == UC_MEM_WRITE;

    (void)uc;
    (void)value;
    access_touched(core, address, size, write);
    if (!pending->live || is_piece(pending, address, size, write))
        return;
    if (!write && (address ^ (address + size - 1)) >> 12) {
        pending->piece = (struct access){address & ~(uint64_t)(size - 1), (uint8_t)size, false};
        pending->pieces = 2;
    }
    if (extends_last(pending, address, size, write))
        record->access[record->accesses - 1].size =
            (uint8_t)(record->access[record->accesses - 1].size + size);
    else if (record->accesses < EXECUTED_ACCESSES)
        record->access[record->accesses++] = (struct access){address, (uint8_t)size, write};
}
