/* A network of conductors: potentials of its nodes from what flows into each node. Its matrix, the
 * Laplacian of the graph, is factorised by Cholesky, a row of which begins at its first number that
 * is not 0. One node of each connected part is grounded. Pure. */
#ifndef HARNESS_PROFILE_LAPLACIAN_H
#define HARNESS_PROFILE_LAPLACIAN_H

#include <stdbool.h>
#include <stdint.h>

#include "words.h"

struct laplacian {
    uint32_t nodes;
    double *rows;     /* lower triangle: row i begins at i (i + 1) / 2 */
    uint32_t *begins; /* for each row its first column that is not 0 */
    uint32_t *part;   /* union-find: the lowest node of the part is its root, and grounded */
};

uint64_t laplacian_words(uint32_t nodes);
/* False: too few words. */
bool laplacian_make(struct laplacian *laplacian, uint32_t nodes, struct words *words);
/* No conductor any more. */
void laplacian_clear(struct laplacian *laplacian);
/* Puts a conductor between two nodes. A conductor from a node to itself changes nothing. The
 * conductance is above 0. */
void laplacian_connect(struct laplacian *laplacian, uint32_t a, uint32_t b, double conductance);
/* The lowest node of the connected part that this node is in. */
uint32_t laplacian_root(const struct laplacian *laplacian, uint32_t node);
/* After the last conductor. False: the conductances differ too much for numbers of 53 bits. */
bool laplacian_factor(struct laplacian *laplacian);
/* In: what flows into each node, whose sum over each connected part is 0. Out: the potentials. */
void laplacian_solve(const struct laplacian *laplacian, double *values);

#endif
