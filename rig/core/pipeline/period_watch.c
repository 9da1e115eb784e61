/* Every jump back ends a turn. When as many turns as lie between two equal ones have been like
 * those before them, they may be a period; it is taken so many times that it has UNIT_LEAST
 * instructions.
 */
#include "period_watch.h"

#include "period_inputs.h"

#define UNIT_LEAST 64u /* instructions */
/* Instructions of equal turns before a period is looked for, at first and at most: more after each
 * time that it was not worth it. */
#define PATIENCE_LEAST 200u
#define PATIENCE_MOST  (1u << 20)
#define WORTH          2000u /* instructions skipped */
/* Instructions that are watched before no period is expected soon, and that are not watched after
 * the first time that none was found, and after many times. */
#define WATCH_MOST 4096u
#define REST_LEAST 256u
#define REST_MOST  16384u

void watch_begin(struct watch *watch)
{
    watch->hash = 0;
    watch->instructions = 0;
    watch->distance = 0;
    watch->alike = watch->alike_instructions = 0;
}

/* What a turn is known by: where it jumps and what it accesses. */
static void add_instruction(struct watch *watch, const struct executed *executed)
{
    watch->hash = hash_mix(watch->hash, executed->next);
    for (unsigned i = 0; i < executed->accesses; i++)
        watch->hash = hash_mix(watch->hash, executed->access[i].address);
}

/* The current turn is over. */
static void end_turn(struct watch *watch)
{
    const uint64_t hash = watch->hash, turn = watch->turn++;
    uint64_t *last = &watch->last[hash % WATCHED];

    if (watch->distance > 0 && watch->hashes[(turn - watch->distance) % WATCHED] == hash) {
        watch->alike++;
        watch->alike_instructions += watch->instructions;
    } else {
        const bool again = turn - *last < WATCHED && watch->hashes[*last % WATCHED] == hash;

        watch->distance = again ? (unsigned)(turn - *last) : 0;
        watch->alike = watch->alike_instructions = 0;
    }
    watch->hashes[turn % WATCHED] = hash;
    *last = turn;
    watch->hash = 0;
    watch->instructions = 0;
}

/* Loops with one place forget each other. */
struct known *watch_known(struct watch *watch)
{
    struct known *known = &watch->known[(watch->head ^ watch->head >> 6) % LOOPS];

    if (known->head != watch->head || known->patience == 0)
        *known = (struct known){.head = watch->head, .patience = PATIENCE_LEAST};
    return known;
}

/* How many turns make a unit; 0: it is not known, or they are too many. */
static unsigned unit_of(struct watch *watch)
{
    uint64_t instructions;

    if (watch->distance == 0 || watch->alike < watch->distance ||
        watch->alike_instructions < watch_known(watch)->patience)
        return 0;
    instructions = watch->alike_instructions * watch->distance / watch->alike;
    if (instructions > INPUTS_MOST)
        return 0;
    if (instructions >= UNIT_LEAST)
        return watch->distance;
    return watch->distance * (unsigned)(UNIT_LEAST / (instructions ? instructions : 1) + 1);
}

/* Code without periods costs little time when most of it is not watched. */
static void take_rest(struct watch *watch)
{
    watch->watched = 0;
    watch->rest = watch->next_rest > REST_LEAST ? watch->next_rest : REST_LEAST;
    watch->next_rest = watch->rest < REST_MOST ? 2 * watch->rest : REST_MOST;
}

void watch_learn(struct watch *watch, uint64_t skipped)
{
    struct known *known = watch_known(watch);

    if (skipped >= WORTH) {
        known->patience = PATIENCE_LEAST;
        watch->next_rest = watch->watched = 0;
        return;
    }
    if (known->patience < PATIENCE_MOST)
        known->patience *= 2;
    take_rest(watch);
}

unsigned watch_turns(struct watch *watch, const struct executed *executed)
{
    if (watch->rest > 0) {
        watch->rest--;
        return 0;
    }
    watch->instructions++;
    if (++watch->watched > WATCH_MOST && watch->alike_instructions < watch->watched / 8) {
        watch_begin(watch);
        take_rest(watch);
        return 0;
    }
    if (executed->accesses == 0 && executed->next == executed->rip + executed->length)
        return 0;
    add_instruction(watch, executed);
    if (executed->next > executed->rip)
        return 0;
    end_turn(watch);
    watch->head = executed->next;
    return unit_of(watch);
}
