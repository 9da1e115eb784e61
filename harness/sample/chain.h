/* A chain of instructions that take one core cycle each, because each needs the result of the one
 * before: an address in it is a clock (chain.asm). */
#ifndef HARNESS_CHAIN_H
#define HARNESS_CHAIN_H

/* Runs the chain and returns; for struct window. Changes rax only. */
void chain_run(void);
/* The first instruction, and the one behind the last; CHAIN_STEP bytes each. */
#define CHAIN_STEP 2
extern const char chain_begin[], chain_end[];

#endif
