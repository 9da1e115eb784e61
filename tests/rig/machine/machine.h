/* The virtual machine: memory, processors that take turns on simulated time, and the devices they
 * see.
 *
 * One emulator engine for each logical processor, all over the same guest memory. Simulated time is
 * counted in core cycles (model_now); every core has its own, and the scheduler keeps them within a
 * quantum of each other. */
#ifndef RIG_MACHINE_H
#define RIG_MACHINE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unicorn/unicorn.h>

#include "device/apic.h"
#include "fault.h"
#include "device/hpet.h"
#include "device/ioapic.h"
#include "memory.h"
#include "core/model.h"
#include "device/pic.h"
#include "device/pit.h"
#include "device/pm.h"
#include "pmu/pmu.h"
#include "device/rtc.h"
#include "device/uart.h"
#include "vector/vector.h"

#define NEVER UINT64_MAX

struct machine;
struct instruction;
struct firmware;
struct truth;
struct trace;

enum core_state { CORE_RUNNING, CORE_HALTED, CORE_MWAIT, CORE_WAIT_SIPI };

/* Why the emulator gave control back. */
enum stop {
    STOP_NONE,
    STOP_SLICE,
    STOP_SPECIAL,
    STOP_INTERRUPT,
    STOP_FAULT,
    STOP_UNDEFINED,
    STOP_UNMAPPED
};

/* Things the code hook must look at before it lets the next instruction go. */
enum attention {
    ATTENTION_INTERRUPT = 1, /* the APIC or an NMI wants this core */
    ATTENTION_CONTROL = 2,   /* a control register was written, or a TLB entry dropped */
    ATTENTION_MODE = 4,      /* the code segment may have changed */
    ATTENTION_IRET = 8,
    ATTENTION_YIELD = 16, /* give the other cores a turn, or the run is over */
    ATTENTION_EVENT = 32, /* an exception or interrupt came, and the PMU wants to know */
};

/* The instruction that the emulator is executing now; it is handed to the model when it is known to
 * be complete. */
struct pending {
    bool live;
    bool wrote_code;
    uint8_t pieces; /* events of a page-crossing read still to be ignored, the next of them being
                       `piece` */
    struct access piece;
    uint64_t count; /* RCX before a REP iteration */
    const struct instruction *instruction;
    struct executed record;
};

/* A WRMSR that has retired and takes effect when the other thread of the core has come as far. */
struct late_write {
    bool live;
    uint32_t msr;
    uint64_t value;
    uint64_t address; /* of the instruction */
};

struct core {
    struct machine *machine;
    unsigned index;
    uint32_t apic_id;
    uc_engine *uc;
    uc_context *scratch;
    struct model *model;
    struct pmu *pmu;
    struct apic apic;
    enum core_state state;
    uint64_t wake;      /* cycle at which an interrupt for a sleeping core was sent */
    uint64_t rip;       /* linear address of the next instruction */
    uint64_t accounted; /* instructions given to the model, for --stats */

    enum stop stop;
    unsigned attention;
    int fuel;
    int refill;     /* instructions between two looks at the clock */
    uint64_t limit; /* the slice ends when the core's clock reaches this cycle */
    struct pending pending;
    struct instruction *instructions; /* what is known about code, by address */
    uint8_t *code_lines;              /* one bit a line: code ran from here */
    uint32_t fault_vector;
    uint64_t fault_address;
    struct late_write write;

    bool long_mode;     /* 64-bit code; before that nothing is accounted for */
    unsigned cpl;       /* as the PMU was told */
    unsigned code_bits; /* 16 or 32 before long mode */
    uint64_t code_base;
    uint64_t boot_selector; /* CS after SIPI */
    bool yielding;          /* the slice ends although the core could go on */
    bool nmi_pending, nmi_blocked;
    bool external;    /* the I/O APIC sent an ExtINT: the 8259A knows the vector */
    bool armed;       /* MONITOR */
    bool mwait_break; /* an interrupt ends MWAIT even with interrupts off */
    uint64_t monitor; /* the line MONITOR named */
    uint64_t cr3, cr0, cr4;
    uint64_t tsc_aux;
    uint64_t random;
    uint64_t window; /* counting windows begun */
    bool counting;   /* within one */
    bool watched;    /* the PMU wants to see every instruction boundary */
    bool step;       /* #DB of single-stepping, when the WRMSR has taken effect */
    struct core_faults faults;
    struct vector_state vector;
};

struct machine {
    struct guest_memory memory;
    unsigned cores;
    struct core *core;
    struct shared_cache *shared;
    uint8_t *touched;           /* a byte a line: 0 nobody, n core n-1 only, 255 several */
    unsigned armed;             /* cores with MONITOR armed */
    unsigned observing;         /* cores whose PMU observes */
    bool observed;              /* there are some */
    uint64_t contended;         /* until then turns are short */
    uint64_t core_mhz, tsc_mhz; /* the ratio of cycles to ticks, exactly */
    uint64_t apic_hz;
    struct uart uart, uart_2;
    struct hpet hpet;
    struct ioapic ioapic;
    struct pic pic;
    struct pit pit;
    struct rtc rtc;
    struct pm pm;
    bool intr; /* the level of the 8259A's INTR pin */
    uint8_t port61, reset_control;
    bool exit_by_port; /* `status` is what the debug exit port says */
    struct firmware *firmware;
    struct truth *truth;
    struct trace *trace;
    struct faults faults;
    /* Where the engine keeps them in a saved context. */
    size_t old_exception, hidden_level, hidden_efer;
    struct timespec begun;
    unsigned seconds;
    bool ended;
    int status;
    char message[512];
};

struct machine_options {
    const struct personality *personality;
    unsigned cores, threads; /* physical cores, threads per core */
    unsigned memory_mib, seconds;
    FILE *serial, *serial_2; /* what is sent on COM1, COM2 */
    const struct faults *faults;
};

/* machine.c */
bool machine_new(struct machine *machine, const struct machine_options *options, char *why,
                 size_t why_size);
void machine_free(struct machine *machine);
/* Ends the run; the first call wins. Status 0 is an end in order; the message goes to standard
 * error otherwise. */
void machine_end(struct machine *machine, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void machine_run(struct machine *machine);
/* Core cycles and ticks of the TSC rate (not of the TSC register, which can be written), converted
 * without drift. */
uint64_t machine_ticks(const struct machine *machine, uint64_t cycles);
uint64_t machine_cycles(const struct machine *machine, uint64_t ticks); /* rounded up */
uint64_t machine_ticks_of(const struct machine *machine, uint64_t count,
                          uint64_t hz); /* count/hz seconds, rounded up */
uint64_t machine_count_of(const struct machine *machine, uint64_t ticks, uint64_t hz);
uint64_t core_now(const struct core *core);
uint64_t core_ticks(const struct core *core);
/* The core's clock goes on to `cycle`, halted meanwhile. */
void core_idle_until(struct core *core, uint64_t cycle);
/* A halted or waiting core may go on; `now` is the waking core's clock. */
void core_wake(struct core *core, uint64_t now);
bool core_start(struct core *core, uint8_t vector, uint64_t now); /* SIPI */
void core_init(struct core *core, uint64_t now);                  /* INIT */
bool core_is_bsp(const struct core *core);

/* engine.c: an emulator engine for a core */
bool engine_new(struct core *core, char *why, size_t why_size);
void engine_free(struct core *core);
bool engine_find_old_exception(struct machine *machine);
void engine_forget_exception(struct core *core);
uint64_t core_register(const struct core *core, int id);
void core_set_register(struct core *core, int id, uint64_t value);

/* engine_hidden.c: what the engine does not let one set */
bool engine_find_hidden(struct machine *machine);
void engine_set_level(struct core *core, unsigned level); /* of privilege */
void engine_set_efer(struct core *core, uint64_t value);

/* exec.c: run until the slice ends, the core halts or the run ends */
void core_run(struct core *core);
void core_account(struct core *core, const struct instruction *instruction, uint64_t next,
                  enum executed_end end, const struct access *accesses, unsigned count);
void core_attend(struct core *core, unsigned what);
void core_code_written(struct core *writer, struct machine *machine, uint64_t address,
                       uint64_t size);
void core_finish_pending(struct core *core, uint64_t next, enum executed_end end);
RIG_RARE void core_stop(struct core *core, enum stop why, uint64_t rip);
void core_on_unmapped(struct core *core, uint64_t address);
void core_on_interrupt(uc_engine *uc, uint32_t vector, void *user);
bool core_on_undefined(uc_engine *uc, void *user);
void core_on_code(uc_engine *uc, uint64_t address, uint32_t size, void *user);
void core_on_memory(uc_engine *uc, uc_mem_type type, uint64_t address, int size, int64_t value,
                    void *user);

/* exec_watch.c: what event-based sampling asks of a core; `core_boundary` is called after every
 * instruction while the core is watched */
bool core_guest_read(void *core, uint64_t address, void *data, size_t size);
bool core_guest_write(void *core, uint64_t address, const void *data, size_t size);
void core_snapshot(void *core, struct pmu_registers *registers);
void core_watch(void *core, bool on);
void core_subscribe(void *core, struct pmu_subscription subscription);
RIG_RARE void core_boundary(struct core *core, const struct executed *executed);

/* special.c: the instructions the emulator must not run itself. core->rip is the instruction. */
void core_special(struct core *core, const struct instruction *instruction);
/* #DB behind the instruction that is complete; the next one is at core->rip. */
void core_step(struct core *core);
/* Goes on with a WRMSR that had to wait. */
void core_late_write(struct core *core);

/* machine_msr.c, the registers that are the machine's own */
enum access_result machine_rdmsr(struct core *core, uint32_t msr, uint64_t *value);
enum access_result machine_wrmsr(struct core *core, uint32_t msr, uint64_t value);

/* trap.c */
#define NO_ERROR_CODE (-1)
bool trap_interrupt_ready(struct core *core,
                          bool shadow); /* an NMI or interrupt can be taken at this boundary */
bool core_takes_interrupts(const struct core *core); /* RFLAGS.IF */
uint64_t trap_deliver_interrupt(struct core *core);  /* gives the handler's address */
/* `return_rip` goes into the frame; error_code is NO_ERROR_CODE or the code. Gives the handler's
 * address, 0 after a death. */
uint64_t trap_deliver(struct core *core, unsigned vector, int64_t error_code, uint64_t return_rip);
/* Whether INT may use the gate from the present level. */
bool trap_gate_is_open(const struct core *core, unsigned vector);
uint64_t trap_fault(struct core *core, unsigned vector, uint64_t rip); /* computes the error code */
unsigned trap_cpl(const struct core *core);
bool core_single_steps(const struct core *core); /* RFLAGS.TF */
bool paging_walk(const struct core *core, uint64_t address, unsigned *shift, uint64_t *entry);
unsigned core_page_shift(void *core, uint64_t address);

/* ports.c */
uint32_t port_read(struct core *core, uint16_t port, unsigned size);
void port_write(struct core *core, uint16_t port, unsigned size, uint32_t value);

#endif
