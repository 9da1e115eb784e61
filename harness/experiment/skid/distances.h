/* How far from its cause a recorded address is: in instructions, forward along the kernel's loop.
 * Pure.
 *
 * All ways through the loop are as long, so an instruction's place on its way is known, and the
 * distance modulo the loop; of samples by interrupts also the lap (laps.h). Distance 0 is the
 * cause itself; 1 is what follows it, which is what an interrupt that comes at once saves. */
#ifndef HARNESS_EXPERIMENT_SKID_DISTANCES_H
#define HARNESS_EXPERIMENT_SKID_DISTANCES_H

#include <stdbool.h>

#include "harness/profile/code_index.h"
#include "laps.h"

#define SKID_LOOP_MAX  512  /* instructions, on all ways */
#define SKID_DISTANCES 4096 /* those that are kept: from 0 */

struct skid_loop {
    uint32_t first;                /* of the map's instructions */
    uint32_t span;                 /* the loop's instructions, on all ways */
    uint32_t count;                /* those of a lap */
    uint32_t cause;                /* of the map's instructions */
    uint16_t place[SKID_LOOP_MAX]; /* [span]: place of each on its way, from 0 */
};

/* The only loop of the map, which has the cause (bytes from the kernel's code). Null, or what is
 * wrong: no loop or several, ways of different lengths through it, a cause that is not in it or on
 * one way only. */
const char *skid_loop_find(struct skid_loop *loop, const struct kernel_map *map, uint64_t cause);

struct skid_distances {
    struct skid_loop loop;
    uint64_t at[SKID_DISTANCES]; /* samples at each distance */
    uint64_t samples;            /* all of these */
    uint64_t unplaced;           /* addresses in the loop whose lap is not known, or is too far */
    uint64_t outside;            /* addresses that are not in the loop */
    uint64_t broken;             /* addresses in the kernel's code at which no instruction begins */
};

void skid_distances_begin(struct skid_distances *distances, const struct skid_loop *loop);
/* `count` samples of the map's instruction number `instruction`, in the cause's own lap. */
void skid_distances_add(struct skid_distances *distances, uint32_t instruction, uint64_t count);
/* One sample of an address, whose lap `laps` and the counter `since` tell; null: the cause's own.
 */
void skid_distances_address(struct skid_distances *distances, const struct code_index *index,
                            uint64_t address, const struct skid_laps *laps, uint64_t since);

/* In instructions. */
struct skid_figures {
    bool known;                        /* false: there is no sample, and the rest means nothing */
    uint32_t minimum, median, maximum; /* of an even number of samples the lower middle one */
    double mean;
};
struct skid_figures skid_figures_of(const struct skid_distances *distances);
/* The fewest and the most samples that an instruction of the loop has. */
void skid_extremes(const struct skid_distances *distances, uint64_t *fewest, uint64_t *most);

#endif
