/* A chain of instructions that take one core cycle each, because each needs the result of the one
 * before: an address in it is a clock (chain.asm). */
#ifndef HARNESS_SAMPLER_CHAIN_H
#define HARNESS_SAMPLER_CHAIN_H

/* Runs the chain and returns; for struct window. Changes rax only. */
void chain_run(void);
/* The first instruction, and the one behind the last; CHAIN_STEP bytes each. */
#define CHAIN_STEP 2
extern const char chain_begin[], chain_end[];

/* The same with a jump in the middle, to the addition behind it: the jump retires with the addition
 * before it, since the core is far ahead of the chain by then. */
void chain_branch_run(void);
extern const char chain_branch_begin[], chain_branch_target[], chain_branch_end[];
/* The jump is this branch of a window: the first is the window's CALL. */
#define CHAIN_BRANCH 2u

#endif
