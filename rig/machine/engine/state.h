/* The virtual machine: guest memory, processors that take turns on simulated time, and the devices
 * that they see. Data only; what each file does with them is in its own header.
 *
 * One emulator engine for each logical processor, all over the same guest memory. Every core counts
 * its own cycles (model_now); the turns keep the cores within a quantum of each other. */
#ifndef RIG_MACHINE_ENGINE_STATE_H
#define RIG_MACHINE_ENGINE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <unicorn/unicorn.h>

#include "core/model.h"
#include "device/apic.h"
#include "device/devices.h"
#include "device/guest_memory.h"
#include "fault.h"
#include "interrupt_way.h"
#include "vector/vector.h"

#define LINE_SHIFT 6 /* log2 of the bytes of a cache line */

struct code;
struct decoding;
struct firmware;
struct instruction;
struct machine;
struct pmu;
struct profile;
struct trace;
struct truth;

/* What the SDM calls the activity state of a logical processor, MWAIT, and --fault stuck. */
enum activity {
    ACTIVITY_RUNNING,
    ACTIVITY_HALTED,
    ACTIVITY_MWAIT,
    ACTIVITY_WAIT_SIPI,
    ACTIVITY_STUCK
};

/* What the processor does, for --processors (activity.h). */
enum stand {
    STAND_RUNS,
    STAND_HALTED,
    STAND_HALTED_OFF, /* with interrupts off */
    STAND_MWAIT,
    STAND_WAIT_SIPI,
    STAND_STUCK,
    STAND_COUNT
};

struct stands {
    uint64_t ticks[STAND_COUNT]; /* up to the last change */
    uint64_t since;              /* the tick of the last change */
    unsigned starts;
};

/* Why the emulator gave control back. */
enum stop {
    STOP_NONE,
    STOP_SLICE,
    STOP_SPECIAL,
    STOP_INTERRUPT,
    STOP_FAULT,
    STOP_UNDEFINED,
    STOP_UNMAPPED,
    STOP_CONTROL,
    STOP_BREAKPOINT, /* before an instruction that has one */
    STOP_WATCH,      /* behind an access that has one */
    STOP_RETURNED    /* before one that an interrupt threw away, and that is executed already */
};

/* What the code hook must look at before it lets the next instruction begin. */
enum attention {
    ATTENTION_INTERRUPT = 1, /* an interrupt or NMI may be pending for this core */
    ATTENTION_CONTROL = 2,   /* a control register was written, or a TLB entry dropped */
    ATTENTION_MODE = 4,      /* the code segment may have changed */
    ATTENTION_IRET = 8,
    ATTENTION_YIELD = 16,       /* the other cores get a turn, or the run is over */
    ATTENTION_EVENT = 32,       /* an exception or interrupt was delivered, which the PMU records */
    ATTENTION_WATCH = 64,       /* the last instruction made an access that has a breakpoint */
    ATTENTION_BREAKPOINT = 128, /* as long as DR7 enables a breakpoint on an instruction */
};

/* The instruction that the emulator executes now; the model gets it when it is complete. */
struct pending {
    bool live;
    bool wrote_code;
    /* A page-crossing read is reported once whole and then in pieces: how many pieces are still to
     * be ignored, and the next of them. */
    uint8_t pieces;
    struct access piece;
    uint64_t count; /* RCX before a REP iteration */
    const struct instruction *instruction;
    struct executed record;
};

/* A WRMSR that has retired. The write takes effect when the other thread of the core has come as
 * far. */
struct late_write {
    bool live;
    uint32_t msr;
    uint64_t value;
    uint64_t address; /* the address of the WRMSR */
};

/* When to look for a PMI again (pmi.c). */
struct foresight {
    uint64_t cycle;        /* when an instruction retires in this cycle or later, */
    uint64_t instructions; /* or after so many */
};

enum licence { LICENCE_NONE, LICENCE_ASKED, LICENCE_GRANTED };

/* What faults on demand did to one core so far. */
struct core_faults {
    uint64_t smi_due, smi_count;
    uint32_t smi_random;   /* 0: not begun */
    uint64_t stolen;       /* cycles in which the clock was stopped since IA32_MPERF was written */
    uint64_t stop_due;     /* when the clock is stopped next */
    bool throttled_before; /* the log bits of the thermal status registers */
    enum stuck_until stuck;
    enum licence licence; /* for instructions of 512 bits */
    uint64_t licence_due; /* when it is granted, or given back */
    /* A bit for each request that is to arrive when so many instructions are accounted for. */
    uint32_t waiting;
    uint64_t arrives;
    uint64_t window_begun, window_size; /* the instruction of the present one's begin; how many the
                                           last one had */
};

/* From `cycle`, which came `ticks` after the machine's start, the cores have `mhz`. */
struct tempo_step {
    uint64_t cycle, ticks;
    unsigned mhz;
};

struct tempo {
    struct tempo_step *step; /* in the order of time; NULL: the frequency never changed */
    size_t count, room;
};

/* The chance of --fault clock; `due` is when the clock changes next, 0 never. */
struct core_clock {
    uint32_t random;
    unsigned risen;    /* steps of the rise that are done */
    unsigned bins;     /* steps of 100 MHz that the turbo frequency lacks */
    unsigned licences; /* cores that have one for instructions of 512 bits */
    uint64_t due;
};

/* Control-flow enforcement (cet.c). */
struct cet {
    bool offered;                                  /* CPUID announces it */
    bool watched;                                  /* every instruction is looked at */
    bool waits;                                    /* the next instruction must be ENDBR64 */
    int error;                                     /* STOP_CONTROL: the error code of #CP */
    uint64_t user, supervisor, ring_ssp[4], table; /* its registers, */
    uint64_t ssp;                                  /* and the shadow stack pointer */
};

/* Debug registers (debug.c). DR6 is the emulator's; its DR7 never has a breakpoint. */
struct debug {
    uint64_t address[4], control; /* DR0 to DR3, DR7 */
    unsigned data;                /* breakpoints on data that DR7 enables, a bit each */
    unsigned ports;               /* likewise on ports */
    unsigned hits;                /* those that the last instruction met */
    uint64_t resumed; /* the instruction of that number has RF and meets no breakpoint */
};

/* What happened in a window so far, while one of its counters counted at the privilege level at
 * hand; and when that last began (truth.h). */
struct truth_seen {
    struct model_truth sum;
    uint64_t ticks, since;
};

struct core {
    struct machine *machine;
    unsigned index;
    uc_engine *uc;
    uc_context *scratch;
    struct model *model;
    struct pmu *pmu;
    struct apic apic;
    enum activity activity; /* written by activity_set */
    struct stands stands;
    uint64_t wake;      /* cycle at which an interrupt for a sleeping core was sent */
    uint64_t rip;       /* linear address of the next instruction */
    uint64_t accounted; /* instructions given to the model, for --stats */

    enum stop stop;
    unsigned attention; /* set of enum attention */
    int fuel;           /* instructions until the next look at the clock */
    int refill;         /* instructions between two looks at the clock */
    uint64_t limit;     /* the slice ends when the core's clock reaches this cycle */
    struct pending pending;
    struct code *code;          /* decoded code, by address (code.c) */
    uint8_t *code_lines;        /* one bit a line: code ran from here */
    struct decoding *decodings; /* of instructions that are played (special/decoding.h) */
    uint32_t fault_vector;
    uint64_t fault_address;
    struct late_write write;

    bool long_mode;     /* in 64-bit code; before that the model gets no instructions */
    unsigned cpl;       /* the privilege level that the PMU counts by */
    unsigned code_bits; /* 16 or 32 before long mode */
    uint64_t code_base;
    uint64_t boot_selector; /* CS after SIPI */
    unsigned inits;         /* INITs so far */
    bool yielding;          /* the slice ends although the core could go on */
    /* The next instruction follows STI, MOV SS or POP SS: interrupts wait for it, even when a slice
     * ends before it. */
    bool shadow;
    bool enables; /* the last STI began with interrupts off */
    bool nmi_pending, nmi_blocked;
    bool armed;          /* MONITOR */
    bool mwait_break;    /* an interrupt ends MWAIT even with interrupts off */
    uint64_t monitor;    /* the line that MONITOR named */
    uint64_t event_from; /* ATTENTION_EVENT: the address that the exception or interrupt saved */
    uint64_t cr3, cr0, cr4;
    uint64_t tsc_aux;
    uint64_t random;
    uint64_t window;        /* counting windows begun */
    struct truth_seen seen; /* of the last one */
    bool counting;          /* in a counting window */
    bool watched;           /* the PMU asks for every instruction boundary */
    bool foresees;          /* a PMI may come that can be foreseen */
    struct foresight foresight;
    uint64_t unwatched;    /* instructions to come of which none can make a record */
    uint64_t before;       /* while watched: when the newest instruction retires */
    bool pmi_waits;        /* for an instruction that retires in `pmi_accepted` or later */
    uint64_t pmi_accepted; /* a cycle of pmu_unhalted */
    struct thrown thrown;
    bool step; /* #DB of single-stepping is due when the WRMSR has taken effect */
    struct core_faults faults;
    size_t tempo_seen;         /* changes of the clock that the PMU has learnt of */
    struct vector_file vector; /* bits 127:0 of the first 16 are stale: the emulator has them */
    uint64_t xcr0;
    struct cet cet;
    struct debug debug;
};

struct machine {
    struct guest_memory memory;
    unsigned cores;
    struct core *core;
    struct shared_cache *shared;
    uint8_t *touched;           /* a byte a line: 0 no core, n core n-1 only, 255 several */
    unsigned armed;             /* cores with MONITOR armed */
    unsigned observing;         /* cores whose PMU observes; --full counts as one */
    enum observation observed;  /* now: at least one does */
    bool at_length;             /* the core models take no shortcuts */
    uint64_t contended;         /* until this cycle turns are short */
    uint64_t core_mhz, tsc_mhz; /* the ratio of cycles to ticks, exactly */
    struct tempo tempo;         /* the changes of core_mhz */
    struct core_clock clock;    /* of --fault clock */
    struct devices devices;
    struct firmware *firmware;
    uint64_t entries, entries_end; /* the entry points of the firmware */
    struct truth *truth;           /* NULL without --truth */
    struct trace *trace;           /* NULL without --trace */
    struct profile *profile;       /* NULL without --profile */
    struct faults *faults;
    enum interrupt_way interrupt;
    /* The offsets of hidden state in a saved context of the engine (engine_probe). */
    size_t old_exception, hidden_level, hidden_efer;
    struct timespec begun;
    unsigned seconds; /* of host time that the run may take */
    bool ended;
    int status;
    char message[512];
};

#endif
