/* Haswell: the pipeline of Ivy Bridge, except for these figures.
 *
 * Sources, all public. [O]: Intel 64 and IA-32 Architectures Optimization Reference Manual, "The
 * Haswell Microarchitecture". [F]: Agner Fog, "The microarchitecture of Intel, AMD and VIA CPUs"
 * and "Instruction tables", Haswell. [U]: uops.info, Haswell. [I]: InstLatx64,
 * GenuineIntel00306C3_Haswell_NewMemLat (measured). [C]: A. Abel, J. Reineke, "uiCA" (measured); of
 * loops its LSDUnrolling. The figures of ivybridge_core.inc that Haswell shares are in these
 * sources for Haswell too. */
#include "core/parameters.h"
#include "like.h"

#define HASWELL_ALU (PORT(0) | PORT(1) | PORT(5) | PORT(6))

/* clang-format off */
const struct model_parameters haswell_core = {
#include "ivybridge_core.inc"
    .name = "haswell",

    .loop_uops = 56,         /* [O] "Loop Stream Detector" */
    /* [C] a loop of one uop to loops of 28 */
    .loop_turns = {0, 8, 8, 8, 8, 6, 5, 4, 4, 3, 3, 3, 3, 2, 2, 2,
                   2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2},
    .resteer = 16,           /* [F] */
    .rob = 192,              /* [O] */
    .scheduler = 60,         /* [O] */
    .load_buffer = 72,       /* [O] */
    .store_buffer = 42,      /* [O] */
    .ports = 8,              /* [O] */
    .unlaminates = UNLAMINATES_UNLESS_UPDATED, /* [U] */
    .moves.cycles = 2,       /* [C] */
    .moves.until_all = true, /* [C] */
    .pmulld_uops = 0,        /* [U] two */

    /* [U] */
    .classes[CLASS_ALU] = {HASWELL_ALU, 1, 1},
    .classes[CLASS_SHIFT] = {PORT(0) | PORT(6), 1, 1},
    .classes[CLASS_MUL_HIGH] = {PORT(6), 1, 1},
    .classes[CLASS_DIV64] = {PORT(0), 36, 21},
    .classes[CLASS_IDIV64] = {PORT(0), 39, 24}, /* [F] */
    .classes[CLASS_BRANCH] = {PORT(0) | PORT(6), 1, 1},
    .classes[CLASS_BRANCH_TAKEN] = {PORT(6), 1, 1},
    .classes[CLASS_STORE_ADDRESS] = {PORT(2) | PORT(3) | PORT(7), 1, 1},
    .classes[CLASS_STORE_INDEXED] = {PORT(2) | PORT(3), 1, 1}, /* [O] */
    .classes[CLASS_VECTOR_SHUFFLE] = {PORT(5), 1, 1},
    .classes[CLASS_VECTOR_LANES] = {PORT(5), 3, 1},
    .classes[CLASS_FP_MUL] = {PORT(0) | PORT(1), 5, 1},
    .classes[CLASS_FMA] = {PORT(0) | PORT(1), 5, 1},
    .classes[CLASS_FROM_VECTOR] = {PORT(0), 1, 1}, /* [F] */
    .classes[CLASS_MICROCODE] = {HASWELL_ALU, 1, 1},

    .wide_accesses_twice = false, /* [O] 256 bits a cycle */
    .shift_cl_uops = 3,      /* [F] */
    .lzcnt_waits = true,     /* [U] */
    .lock_penalty = 4,       /* chosen so that a LOCK ADD after another takes 19 cycles [F] */
    .l3_slice = {2048 * 1024, 16, 36},         /* [O] 8 MiB for four cores; latency [F], 42 [I] */
    .l3_core_clock = false,  /* [O] the ring's clock is not the cores' */
    .memory_latency = 229,   /* [I] 61.9 ns at 3.4 GHz, here at 3.7 GHz */
    .stlb = {1024, 8, 0, 0},                   /* [O] both sizes */
};
/* clang-format on */
