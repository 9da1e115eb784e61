#include "debug.h"

#include "engine.h"
#include "instruction.h"
#include "registers.h"
#include "state.h"

#define DR6_INITIAL  UINT64_C(0xffff0ff0)
#define DR7_ONE      UINT64_C(0x400) /* always set */
#define DR7_BITS     UINT64_C(0xffff23ff)
#define BREAKPOINTS  4u
#define ON_EXECUTION 0u /* R/W in DR7 */
#define ON_WRITES    1u
#define ON_PORTS     2u
#define NEVER_BEGUN  UINT64_MAX

static bool is_enabled(const struct core *core, unsigned n)
{
    return core->debug.control >> 2 * n & 3;
}

static unsigned kind_of(const struct core *core, unsigned n)
{
    return core->debug.control >> (16 + 4 * n) & 3;
}

/* LEN is 1, 2, 8 or 4 bytes. */
static uint64_t length_of(const struct core *core, unsigned n)
{
    static const uint8_t lengths[4] = {1, 2, 8, 4};

    return lengths[core->debug.control >> (18 + 4 * n) & 3];
}

/* Debugging extensions: without them R/W of 10 is undefined. */
static bool has_ports(const struct core *core)
{
    return core_register(core, UC_X86_REG_CR4) & CR4_DE;
}

void debug_reset(struct core *core)
{
    core->debug = (struct debug){.control = DR7_ONE, .resumed = NEVER_BEGUN};
    core_set_register(core, UC_X86_REG_DR6, DR6_INITIAL);
}

/* The code hook looks at each instruction while a breakpoint on instructions is enabled. */
static void look_for_instructions(struct core *core)
{
    core->attention &= ~(unsigned)ATTENTION_BREAKPOINT;
    for (unsigned n = 0; n < BREAKPOINTS; n++)
        if (is_enabled(core, n) && kind_of(core, n) == ON_EXECUTION)
            core->attention |= ATTENTION_BREAKPOINT;
}

bool debug_control(struct core *core, uint64_t value)
{
    core->debug.control = (value & DR7_BITS) | DR7_ONE;
    core->debug.data = core->debug.ports = 0;
    core->debug.resumed = NEVER_BEGUN;
    for (unsigned n = 0; n < BREAKPOINTS; n++) {
        if (!is_enabled(core, n) || kind_of(core, n) == ON_EXECUTION)
            continue;
        if (kind_of(core, n) != ON_PORTS)
            core->debug.data |= 1u << n;
        else if (has_ports(core))
            core->debug.ports |= 1u << n;
        else
            return false;
    }
    look_for_instructions(core);
    return true;
}

/* The lowest bits of a breakpoint's address are ignored, as many as its length has. */
static bool covers(const struct core *core, unsigned n, uint64_t address, unsigned size)
{
    const uint64_t length = length_of(core, n), from = core->debug.address[n] & ~(length - 1);

    return address < from + length && from < address + size;
}

/* Of MOV SS the trap comes an instruction later: the look for breakpoints sees to that. */
static void hit(struct core *core, unsigned n)
{
    core->debug.hits |= 1u << n;
    core->attention |= core->pending.live && instruction_switches_stack(core->pending.instruction)
                           ? ATTENTION_BREAKPOINT
                           : ATTENTION_WATCH;
}

void debug_access(struct core *core, uint64_t address, unsigned size, bool write)
{
    for (unsigned n = 0; n < BREAKPOINTS; n++)
        if (core->debug.data >> n & 1 && (write || kind_of(core, n) != ON_WRITES) &&
            covers(core, n, address, size))
            hit(core, n);
}

void debug_port(struct core *core, uint16_t port, unsigned size)
{
    for (unsigned n = 0; n < BREAKPOINTS; n++)
        if (core->debug.ports >> n & 1 && has_ports(core) && covers(core, n, port, size))
            hit(core, n);
}

/* Whether the instruction at `address` comes behind MOV SS. */
static bool is_behind_switch(const struct core *core, uint64_t address)
{
    const struct instruction *last = core->pending.instruction;

    return core->shadow && last != NULL && instruction_switches_stack(last) &&
           last->address + last->length == address;
}

/* A repeated instruction meets its breakpoint once. */
bool debug_breaks(struct core *core, uint64_t address)
{
    const struct executed *last = &core->pending.record;
    unsigned met = 0;

    if (is_behind_switch(core, address)) {
        look_for_instructions(core);
        if (core->debug.hits)
            core->attention |= ATTENTION_WATCH;
        return false;
    }
    if (core->accounted == core->debug.resumed || (last->repeat && last->rip == address))
        return false;
    for (unsigned n = 0; n < BREAKPOINTS; n++)
        if (is_enabled(core, n) && kind_of(core, n) == ON_EXECUTION &&
            core->debug.address[n] == address)
            met |= 1u << n;
    core->debug.hits |= met;
    return met != 0;
}

void debug_report(struct core *core)
{
    const uint64_t dr6 = core_register(core, UC_X86_REG_DR6);

    core_set_register(core, UC_X86_REG_DR6, dr6 | core->debug.hits);
    debug_forget(core);
}

void debug_forget(struct core *core)
{
    core->debug.hits = 0;
    core->attention &= ~(unsigned)ATTENTION_WATCH;
}

void debug_resume(struct core *core)
{
    if (core_register(core, UC_X86_REG_EFLAGS) & RFLAGS_RF)
        core->debug.resumed = core->accounted;
}

void debug_resumed(struct core *core)
{
    const struct pending *pending = &core->pending;
    const uint64_t flags = core_register(core, UC_X86_REG_EFLAGS);

    if (!(core->attention & ATTENTION_BREAKPOINT) || !(flags & RFLAGS_RF) ||
        core->attention & ATTENTION_IRET)
        return;
    if (pending->live ? pending->instruction->flags & FLAG_IRET
                      : core->accounted == core->debug.resumed)
        return;
    core_set_register(core, UC_X86_REG_EFLAGS, flags & ~(uint64_t)RFLAGS_RF);
}
