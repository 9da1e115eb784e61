/* An engine with its hooks. */
#include <stdio.h>

#include "access.h"
#include "code.h"
#include "engine.h"
#include "exec.h"
#include "exec_inside.h"
#include "state.h"

static uint32_t on_in(uc_engine *uc, uint32_t port, int size, void *user)
{
    struct core *core = user;

    (void)uc;
    return port_read(&core->machine->devices, core, (uint16_t)port, (unsigned)size);
}

static void on_out(uc_engine *uc, uint32_t port, int size, uint32_t value, void *user)
{
    struct core *core = user;

    (void)uc;
    port_write(&core->machine->devices, core, (uint16_t)port, (unsigned)size, value);
}

static uc_err hook(struct core *core)
{
    static const struct {
        int type, instruction;
        void (*function)(void);
    } hooks[] = {
        {UC_HOOK_CODE, 0, (void (*)(void))exec_on_code},
        {UC_HOOK_MEM_READ | UC_HOOK_MEM_WRITE, 0, (void (*)(void))access_on_memory},
        {UC_HOOK_MEM_UNMAPPED, 0, (void (*)(void))exec_on_unmapped},
        {UC_HOOK_INTR, 0, (void (*)(void))exec_on_interrupt},
        {UC_HOOK_INSN_INVALID, 0, (void (*)(void))exec_on_undefined},
        {UC_HOOK_INSN, UC_X86_INS_IN, (void (*)(void))on_in},
        {UC_HOOK_INSN, UC_X86_INS_OUT, (void (*)(void))on_out},
    };
    uc_err error = UC_ERR_OK;
    uc_hook ignored;

    /* From address 1 to address 0: everywhere. */
    for (size_t i = 0; !error && i < sizeof(hooks) / sizeof(*hooks); i++)
        error = uc_hook_add(core->uc, &ignored, hooks[i].type, ENGINE_CALLBACK(hooks[i].function),
                            core, (uint64_t)1, (uint64_t)0, hooks[i].instruction);
    return error;
}

bool exec_new(struct core *core, char *why, size_t why_size)
{
    uc_err error;

    if (!engine_new(core, why, why_size))
        return false;
    error = hook(core);
    if (error || !code_new(core)) {
        snprintf(why, why_size, "no engine for processor %u: %s", core->index,
                 error ? uc_strerror(error) : "out of memory");
        return false;
    }
    return true;
}

void exec_free(struct core *core)
{
    engine_free(core);
    code_free(core);
}
