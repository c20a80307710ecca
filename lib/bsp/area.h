/* Registered memory. Registrations have numbers, which are the same in all processes, as all push
 * and pop in the same order. So a process finds the block of another one by the number that its own
 * block has. */
#ifndef KPORT_BSP_AREA_H
#define KPORT_BSP_AREA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A registration. What the others need of it is a kp_bsp_block (process.h). */
struct kp_bsp_area {
    const void *block;
    int older;      /* the registration of the same block before it; -1: none */
    uint64_t since; /* the superstep from which on it counts */
    bool popped;    /* it is taken away at the end of this superstep */
};

#define KP_BSP_MOST_AREAS 65536

struct kp_bsp_name {
    const void *block;
    int newest; /* the last registration of the block; -1: none is left */
    bool used;
};

struct kp_bsp_areas {
    struct kp_bsp_area *list;               /* by number */
    int count, room;                        /* how many numbers have been used */
    int *free, free_count, free_room;       /* numbers that can be used again */
    int *popped, popped_count, popped_room; /* in this superstep */
    struct kp_bsp_name *names;              /* a hash table */
    size_t name_room, name_count;
};

/* Registers a block. Returns its number, or -1 if there is no memory, or -2 if there are too many.
 */
int kp_bsp_area_push(struct kp_bsp_areas *areas, const void *block, uint64_t since);

/* Takes away the last registration of the block. Returns its number, or -1 if it has none, or -2 if
 * there is no memory. */
int kp_bsp_area_pop(struct kp_bsp_areas *areas, const void *block);

/* Returns the number of the last registration of the block that counts in this superstep. -1: there
 * is none. -2: there is one from the next superstep on. */
int kp_bsp_area_find(const struct kp_bsp_areas *areas, const void *block, uint64_t superstep);

/* At the end of a superstep: forgets what has been taken away. Returns false if there is no memory.
 */
bool kp_bsp_areas_settle(struct kp_bsp_areas *areas);

void kp_bsp_areas_end(struct kp_bsp_areas *areas);

#endif
