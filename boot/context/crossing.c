#include "crossing.h"

#include "boot/cpu.h"

static struct {
    struct context saved, own; /* the firmware's and this program's */
    bool interrupts;           /* the firmware's interrupt flag */
    bool owned;                /* between crossing_own and crossing_release */
    unsigned depth;            /* of nested crossing_enter */
} self;

static void load_firmware(void)
{
    context_load(&self.saved);
    if (self.interrupts)
        interrupts_on();
}

bool crossing_enter(void)
{
    if (self.depth++)
        return false;
    if (self.owned)
        load_firmware();
    return true;
}

bool crossing_is_last(void)
{
    return self.depth == 1;
}

void crossing_leave(void)
{
    if (--self.depth || !self.owned)
        return;
    interrupts_off();
    context_load(&self.own);
}

void crossing_own(const struct context *own, bool interrupts)
{
    self.interrupts = interrupts && (read_rflags() & RFLAGS_IF);
    interrupts_off();
    context_save(&self.saved);
    self.own = *own;
    context_load(&self.own);
    self.owned = true;
}

void crossing_release(void)
{
    if (self.owned && self.depth == 0)
        load_firmware();
    self.owned = false;
}
