/* Executes a block's instructions on the host, one at a time, for the addresses that they access.
 * The block runs in a process of its own, under ptrace, as BHive's harness ran it: every eight
 * bytes of memory and every general register hold HOST_VALUE at the start, but RSP is 2048 and RBP
 * is 2032 above it; flush-to-zero and denormals-are-zero are on; and every page that is touched is
 * the same physical page. */
#ifndef RIG_BLOCKS_HOST_H
#define RIG_BLOCKS_HOST_H

#include "block.h"
#include "steps.h"

#define HOST_VALUE 0x2324000u

struct host;
/* Starts the process. NULL, and `why` says what the host refuses. */
struct host *host_new(char *why, size_t why_size);
void host_free(struct host *host);
/* Executes that many copies of the block behind one another, at most `most` instructions. `address`
 * is where the first copy lies for its RIP-relative addresses. On failure returns false, and `why`
 * says by which instruction the block cannot be played. */
bool host_run(struct host *host, const struct block *block, unsigned copies, size_t most,
              uint64_t address, struct steps *steps, char *why, size_t why_size);

#endif
