#include "switches.h"

#include <stddef.h>

#include "boot/msr.h"

bool switches_are_set(const struct switches *switches)
{
    for (unsigned i = 0; i < switches->count; i++)
        if (switches->list[i].set)
            return true;
    return false;
}

void switches_find(struct switches *switches)
{
    for (unsigned i = 0; i < switches->count; i++) {
        struct switch_off *one = &switches->list[i];

        if (one->why == NULL && !msr_read(one->msr, &one->found))
            one->why = "reading its register faults";
    }
}

static void read_again(struct switch_off *one)
{
    one->readable = msr_read(one->msr, &one->is);
}

/* A thread that shares the register may have set the bits already. */
static void set(struct switch_off *one)
{
    read_again(one);
    one->set = one->readable && msr_write(one->msr, one->is | one->bits);
    if (one->set)
        read_again(one);
    if (!one->set || !one->readable)
        one->why = "writing its register faults";
}

void switches_set(struct switches *switches)
{
    for (unsigned i = 0; i < switches->count; i++)
        if (switches->list[i].why == NULL)
            set(&switches->list[i]);
}

void switches_read(struct switches *switches)
{
    for (unsigned i = 0; i < switches->count; i++)
        if (switches->list[i].set)
            read_again(&switches->list[i]);
}

void switch_put_back(struct switch_off *one)
{
    if (!one->set)
        return;
    (void)msr_write(one->msr, one->found); /* what is read then says whether it did */
    read_again(one);
    one->put_back = true;
}

bool switch_holds(const struct switch_off *one)
{
    return one->readable && (one->is & one->bits) == one->bits;
}
