#include "host.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "accesses.h"

/* Far from what the system maps, so that an address relative to RIP meets nothing. Behind the code
 * is a SYSCALL with which pages are mapped. */
#define CODE_PLACE   UINT64_C(0x200000000000)
#define CODE_ROOM    (2 * BLOCK_BYTES)
#define SYSCALL_AT   (CODE_PLACE + CODE_ROOM - 2)
#define FTZ_DAZ      0x9fc0u /* MXCSR: all exceptions masked, flush-to-zero, denormals-are-zero */
#define XSTATE_BYTES 16384u
#define MXCSR_AT     24u /* in the area of FXSAVE and XSAVE (SDM 1, "FXSAVE Area") */

struct host {
    pid_t child;
    ZydisDecoder decoder;
    uint8_t *code, *page;          /* the child's code, and the page that all its data is in */
    int code_file, page_file;      /* -1: none */
    struct user_regs_struct begun; /* the child's registers as it stopped first */
    size_t xstate_size;
    uint8_t xstate[XSTATE_BYTES]; /* vector and x87 registers at the start of a block */
};

/* --- the process --- */

/* It has the parent's files under their numbers, and is stepped from here on. */
static void child_main(void)
{
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    raise(SIGSTOP);
    _exit(1);
}

static bool stopped(struct host *host, int *signal)
{
    int status;

    if (waitpid(host->child, &status, 0) != host->child || !WIFSTOPPED(status))
        return false;
    *signal = WSTOPSIG(status);
    return true;
}

static bool read_xstate(struct host *host)
{
    struct iovec state = {host->xstate, sizeof(host->xstate)};
    static const uint32_t mxcsr = FTZ_DAZ;

    if (ptrace(PTRACE_GETREGSET, host->child, (void *)NT_X86_XSTATE, &state) != 0)
        return false;
    host->xstate_size = state.iov_len;
    /* The registers are zero, and x87 is as after FNINIT: the components are in their initial
     * state. MXCSR is none of them. */
    memset(host->xstate, 0, 24);
    host->xstate[0] = 0x7f; /* FCW 37FH */
    host->xstate[1] = 0x03;
    memset(host->xstate + 32, 0, 416 - 32);
    memcpy(host->xstate + MXCSR_AT, &mxcsr, sizeof(mxcsr));
    memset(host->xstate + 512, 0, 8);
    host->xstate[512] = 3; /* XSTATE_BV: x87 and SSE are given, all else is initial */
    return true;
}

static void *shared_page(size_t size, int *file)
{
    void *page;

    *file = memfd_create("block", 0);
    if (*file < 0 || ftruncate(*file, (off_t)size) != 0)
        return NULL;
    page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, *file, 0);
    return page == MAP_FAILED ? NULL : page;
}

struct host *host_new(char *why, size_t why_size)
{
    struct host *host = calloc(1, sizeof(*host));
    int signal;
    void *place;

    if (host == NULL) {
        snprintf(why, why_size, "not enough memory on the host");
        return NULL;
    }
    host->code_file = host->page_file = -1;
    ZydisDecoderInit(&host->decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    host->code = shared_page(STEPS_PAGE, &host->code_file);
    host->page = shared_page(STEPS_PAGE, &host->page_file);
    place = host->code_file < 0 ? MAP_FAILED
                                : mmap((void *)CODE_PLACE, STEPS_PAGE, PROT_READ | PROT_EXEC,
                                       MAP_SHARED | MAP_FIXED_NOREPLACE, host->code_file, 0);
    if (host->code == NULL || host->page == NULL || place == MAP_FAILED) {
        snprintf(why, why_size, "no memory for the code: %s", strerror(errno));
        host_free(host);
        return NULL;
    }
    host->child = fork();
    if (host->child == 0)
        child_main();
    if (host->child < 0 || !stopped(host, &signal) ||
        ptrace(PTRACE_SETOPTIONS, host->child, NULL, PTRACE_O_EXITKILL) != 0 ||
        ptrace(PTRACE_GETREGS, host->child, NULL, &host->begun) != 0 || !read_xstate(host)) {
        snprintf(why, why_size, "no process can be stepped: %s", strerror(errno));
        host_free(host);
        return NULL;
    }
    munmap(place, STEPS_PAGE);
    return host;
}

static void give_back(void *page, int file)
{
    if (page != NULL)
        munmap(page, STEPS_PAGE);
    if (file >= 0)
        close(file);
}

void host_free(struct host *host)
{
    if (host == NULL)
        return;
    if (host->child > 0) {
        kill(host->child, SIGKILL);
        waitpid(host->child, NULL, 0);
    }
    give_back(host->code, host->code_file);
    give_back(host->page, host->page_file);
    free(host);
}

/* --- steps --- */

/* The page is mapped in the child. */
static bool map_page(struct host *host, uint64_t page)
{
    struct user_regs_struct saved, call;
    int signal;

    if (ptrace(PTRACE_GETREGS, host->child, NULL, &saved) != 0)
        return false;
    call = saved;
    call.rip = SYSCALL_AT;
    call.orig_rax = UINT64_MAX;
    call.rax = SYS_mmap;
    call.rdi = page;
    call.rsi = STEPS_PAGE;
    call.rdx = PROT_READ | PROT_WRITE;
    call.r10 = MAP_SHARED | MAP_FIXED_NOREPLACE;
    call.r8 = (unsigned long long)host->page_file;
    call.r9 = 0;
    if (ptrace(PTRACE_SETREGS, host->child, NULL, &call) != 0 ||
        ptrace(PTRACE_SINGLESTEP, host->child, NULL, NULL) != 0 || !stopped(host, &signal) ||
        ptrace(PTRACE_GETREGS, host->child, NULL, &call) != 0)
        return false;
    saved.orig_rax = UINT64_MAX;
    return ptrace(PTRACE_SETREGS, host->child, NULL, &saved) == 0 && call.rax == page;
}

/* Executes one instruction; pages that it lacks are mapped. Gives NULL or what it did instead. */
static const char *step_once(struct host *host)
{
    siginfo_t info;
    int signal;

    for (unsigned tries = 0; tries < 8; tries++) {
        if (ptrace(PTRACE_SINGLESTEP, host->child, NULL, NULL) != 0 || !stopped(host, &signal))
            return "ends the process";
        if (signal == SIGTRAP)
            return NULL;
        if (signal != SIGSEGV)
            return signal == SIGFPE   ? "divides by zero or overflows"
                   : signal == SIGILL ? "is not on this host"
                   : signal == SIGBUS ? "is not aligned"
                                      : "gets a signal";
        if (ptrace(PTRACE_GETSIGINFO, host->child, NULL, &info) != 0 ||
            info.si_code != SEGV_MAPERR ||
            !map_page(host, (uint64_t)(uintptr_t)info.si_addr & ~UINT64_C(0xfff)))
            return "accesses an address where no page can be";
    }
    return "accesses too many pages";
}

static void registers_of(struct address_registers *to, const struct user_regs_struct *from,
                         uint64_t rip)
{
    *to = (struct address_registers){.general = {from->rax, from->rcx, from->rdx, from->rbx,
                                                 from->rsp, from->rbp, from->rsi, from->rdi,
                                                 from->r8, from->r9, from->r10, from->r11,
                                                 from->r12, from->r13, from->r14, from->r15},
                                     .rip = rip,
                                     .fs = from->fs_base,
                                     .gs = from->gs_base};
}

/* Registers and memory as at the start of the measurement. */
static bool begin(struct host *host, const struct block *block)
{
    static const uint8_t syscall_code[] = {0x0f, 0x05};
    struct iovec state = {host->xstate, host->xstate_size};
    struct user_regs_struct registers = host->begun;
    const uint64_t value = HOST_VALUE;

    memset(host->code, 0xcc, CODE_ROOM);
    memcpy(host->code, block->code, block->length);
    memcpy(host->code + CODE_ROOM - 2, syscall_code, 2);
    for (unsigned at = 0; at < STEPS_PAGE; at += 8)
        memcpy(host->page + at, &value, 8);
    registers.rax = registers.rcx = registers.rdx = registers.rbx = registers.r8 = value;
    registers.rsi = registers.rdi = registers.r9 = value;
    registers.r10 = registers.r11 = registers.r12 = registers.r13 = value;
    registers.r14 = registers.r15 = registers.fs_base = registers.gs_base = value;
    registers.rsp = value + 2048;
    registers.rbp = value + 2048 - 16;
    registers.orig_rax = UINT64_MAX;
    registers.rip = CODE_PLACE;
    registers.eflags = 0x202;
    return ptrace(PTRACE_SETREGS, host->child, NULL, &registers) == 0 &&
           ptrace(PTRACE_SETREGSET, host->child, (void *)NT_X86_XSTATE, &state) == 0;
}

/* Executes the next instruction of a copy whose registers are `registers`, and reads them anew.
 * `copy_address`: where the copy is said to lie. */
static const char *take_step(struct host *host, const struct block *block, struct steps *steps,
                             struct user_regs_struct *registers, uint64_t copy_address,
                             ZydisDecodedInstruction *instruction)
{
    const uint64_t offset = registers->rip - CODE_PLACE;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    struct address_registers address;
    struct step *step;
    const char *wrong;

    instruction->mnemonic = ZYDIS_MNEMONIC_INVALID;
    if (offset >= block->length ||
        !ZYAN_SUCCESS(ZydisDecoderDecodeFull(&host->decoder, block->code + offset,
                                             block->length - offset, instruction, operands)))
        return "is no instruction, or leaves the block";
    if (instruction->meta.branch_type != ZYDIS_BRANCH_TYPE_NONE)
        return "is a branch";
    if (instruction->meta.category == ZYDIS_CATEGORY_SYSCALL ||
        instruction->meta.category == ZYDIS_CATEGORY_INTERRUPT)
        return "would call the host's system";
    step = steps_add(steps);
    if (step == NULL)
        return "finds no memory on the host";
    step->offset = (uint16_t)offset;
    registers_of(&address, registers, copy_address + offset);
    if (!accesses_of(step, instruction, operands, &address))
        return "accesses memory by an index vector";
    wrong = step_once(host);
    if (wrong == NULL && ptrace(PTRACE_GETREGS, host->child, NULL, registers) != 0)
        wrong = "ends the process";
    step->repeat = wrong == NULL && registers->rip == CODE_PLACE + offset;
    return wrong;
}

static bool go_back(struct host *host, struct user_regs_struct *registers)
{
    registers->rip = CODE_PLACE;
    registers->orig_rax = UINT64_MAX;
    return ptrace(PTRACE_SETREGS, host->child, NULL, registers) == 0;
}

static const char *run(struct host *host, const struct block *block, size_t most, uint64_t address,
                       struct steps *steps, ZydisDecodedInstruction *instruction)
{
    struct user_regs_struct registers;

    if (!begin(host, block) || ptrace(PTRACE_GETREGS, host->child, NULL, &registers) != 0)
        return "finds no process";
    for (unsigned copy = 0; copy < steps->copies; copy++) {
        while (registers.rip != CODE_PLACE + block->length) {
            const char *wrong = take_step(host, block, steps, &registers,
                                          address + (uint64_t)copy * block->length, instruction);

            if (wrong == NULL && steps->count > most)
                wrong = "repeats too often";
            if (wrong != NULL)
                return wrong;
        }
        steps->copy[copy + 1] = steps->count;
        if (steps_settled(steps, copy + 1))
            return steps_continue(steps, copy + 1) ? NULL : "finds no memory on the host";
        if (!go_back(host, &registers))
            return "ends the process";
    }
    return NULL;
}

bool host_run(struct host *host, const struct block *block, unsigned copies, size_t most,
              uint64_t address, struct steps *steps, char *why, size_t why_size)
{
    ZydisDecodedInstruction instruction = {.mnemonic = ZYDIS_MNEMONIC_INVALID};
    const char *wrong;

    wrong = steps_start(steps, copies) ? run(host, block, most, address, steps, &instruction)
                                       : "finds no memory on the host";
    if (wrong == NULL)
        return true;
    snprintf(why, why_size, "%s %s",
             instruction.mnemonic == ZYDIS_MNEMONIC_INVALID
                 ? "(none)"
                 : ZydisMnemonicGetString(instruction.mnemonic),
             wrong);
    return false;
}
