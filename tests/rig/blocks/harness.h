/* How BHive's harness measures (Y. Chen and others, IISWC 2019; github.com/ithemal/bhive,
 * timing-harness/run_test.nasm and test.c, and its README, "Throughput Calculation"): the cycles of
 * so many copies of a block, with the instructions behind them that read the counter.
 *
 * A process runs the row 16 times, of which the first run is left out; the least of the others
 * counts. What is published is the difference of two rows by the difference in copies. */
#ifndef RIG_BLOCKS_HARNESS_H
#define RIG_BLOCKS_HARNESS_H

#include "block.h"
#include "core/parameters.h"
#include "steps.h"

/* Where the first copy lay: 479 bytes of the harness lie before it, from the beginning of a page
 * (run_test.nasm, from test_end to code_end). */
#define HARNESS_CODE UINT64_C(0x400001df)

/* Cycles by which a measured difference of two rows is short. [guess]: no instruction of the
 * harness explains it, and it depends on nothing that is known of a block. It is the most frequent
 * error on Ivy Bridge, Haswell and Skylake: 37, 39 and 26 of 100 blocks have it, of those whose
 * error is at most 4 cycles of a row. The README says that the least of the runs is taken and that
 * "small, spurious" cycles occur. */
#define HARNESS_SHORT 2u

/* Cycles of one copy: those of a row of `steps->copies` less those of one of half as many, by the
 * difference in copies; HARNESS_SHORT is not taken off. `code`: where the first copy lies. Below 0:
 * the host's memory ran out. */
double harness_cycles(const struct model_parameters *core, const struct block *block,
                      const struct steps *steps, uint64_t code);

#endif
