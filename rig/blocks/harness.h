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
 * harness explains it. It was chosen from the blocks that it is used on: of those whose error is at
 * most 4 cycles of a row 38, 39 and 26 in 100 have just this one on Ivy Bridge, Haswell and
 * Skylake, more than any other, whether a chain, the ports or the decoders limit them; 25, 11 and
 * 14 have none. By the mean error a half of the blocks would choose 1, 2 and 3, and the other half
 * gains as much by it. The least of the runs is taken, and the README says that "small, spurious"
 * cycles occur. Against the guess: the least rows that the README prints (PUSH RAX) are 101 cycles
 * apart. */
#define HARNESS_SHORT 2u

/* Cycles of one copy: those of a row of `steps->copies` less those of one of half as many, by the
 * difference in copies; HARNESS_SHORT is not taken off. `code`: where the first copy lies. Below 0:
 * the host's memory ran out. */
double harness_cycles(const struct model_parameters *core, const struct block *block,
                      const struct steps *steps, uint64_t code);

#endif
