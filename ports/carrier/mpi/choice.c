/* Chooses whether messages of middle length go in parts or in one (struct choice). */
#include "ports/carrier/mpi/wires.h"

#include <time.h>

/* How often each way is tried, and after how many exchanges again. The times contain waits for
 * other processors, so only the fastest of the tries counts. */
#define TRIES     6
#define EXCHANGES 512

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void wires_choice_begins(struct wire *self, size_t bytes)
{
    struct choice *choice = &self->choice;
    /* Nobody waits for a branch. Where processors share a core, the others decide the time. */
    if (self->root != self || !self->process->own_cores)
        return;
    if (choice->bytes == 0 && choice->exchanges < 2 * TRIES)
        choice->begun_ns = now_ns();
    choice->bytes += bytes;
}

/* Compares the exchange that is over with the other tries, if it has the same length. */
static void compare(struct wire *self)
{
    struct choice *choice = &self->choice;
    const uint64_t took = now_ns() - choice->begun_ns;
    if (choice->exchanges == 0) {
        choice->tried_bytes = choice->bytes;
        choice->fastest[0] = choice->fastest[1] = UINT64_MAX;
    }
    uint64_t *fastest = &choice->fastest[self->wire.in_one];
    if (choice->bytes == choice->tried_bytes && took < *fastest)
        *fastest = took;
}

void wires_choice_ends(struct wire *self)
{
    struct choice *choice = &self->choice;
    if (choice->exchanges < 2 * TRIES)
        compare(self);
    choice->bytes = 0;
    choice->exchanges = (choice->exchanges + 1) % EXCHANGES;
    if (choice->exchanges < 2 * TRIES)
        self->wire.in_one = choice->exchanges >= TRIES;
    else if (choice->exchanges == 2 * TRIES)
        self->wire.in_one = choice->fastest[1] < choice->fastest[0];
}
