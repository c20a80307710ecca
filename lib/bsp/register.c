/* bsp_push_reg and bsp_pop_reg. */
#include "lib/bsp/process.h"

#include <stdlib.h>

/* --- What the others need: the blocks of all processes, by registration --- */

static struct kp_bsp_block *part_of(struct kp_bsp_team *team, int number)
{
    struct kp_bsp_block *_Atomic *place = &team->parts[number / KP_BSP_ROWS_OF_PART];
    /* acquire: pairs with the release below; the part is all 0 */
    struct kp_bsp_block *part = atomic_load_explicit(place, memory_order_acquire);
    if (part)
        return part;
    struct kp_bsp_block *made = calloc((size_t)team->size * KP_BSP_ROWS_OF_PART, sizeof *made);
    if (!made)
        return NULL;
    /* release: pairs with the acquire above */
    if (atomic_compare_exchange_strong_explicit(place, &part, made, memory_order_acq_rel,
                                                memory_order_acquire))
        return made;
    free(made);
    return part;
}

/* The place of the process's own block in a registration. Nobody reads it before the registration
 * counts. */
static struct kp_bsp_block *own_block(struct kp_bsp_process *self, int number)
{
    struct kp_bsp_team *team = self->team;
    struct kp_bsp_block *part = part_of(team, number);
    return part ? &part[(size_t)(number % KP_BSP_ROWS_OF_PART) * (size_t)team->size +
                        (size_t)self->pid]
                : NULL;
}

void kp_bsp_row_of(struct kp_bsp_process *self, const void *block)
{
    const int number = kp_bsp_area_find(&self->areas, block, self->superstep);
    if (!block && number == -1)
        kp_bsp_fail(self, "registration",
                    "the block is NULL, and this process has registered none");
    if (number == -2)
        kp_bsp_fail(
            self, "registration",
            "block %p is registered in this superstep, and can be used from the next one on",
            block);
    if (number < 0)
        kp_bsp_fail(self, "registration", "block %p is not registered", block);
    self->front.last_block = block;
    self->front.last_row = kp_bsp_row_at(self, number);
}

struct kp_bsp_block *kp_bsp_row_at(struct kp_bsp_process *self, int number)
{
    struct kp_bsp_block *part = part_of(self->team, number);
    return &part[(size_t)(number % KP_BSP_ROWS_OF_PART) * (size_t)self->team->size];
}

/* --- Pushing and popping --- */

static struct kp_bsp_agreed *agreed_of(struct kp_bsp_process *self)
{
    struct kp_bsp_agreed *agreed = &self->agreed[kp_bsp_generation(self)];
    agreed->area_place = self->front.call;
    kp_bsp_ask(self, KP_BSP_ALIKE);
    return agreed;
}

static void note(struct kp_bsp_agreed *agreed, uint64_t what)
{
    agreed->sequence = (agreed->sequence ^ what) * UINT64_C(0x9e3779b97f4a7c15) + what;
}

KP_BSP_EXPORT void kp_bsp_push_reg(const char *file, int line, const void *block, size_t size)
{
    struct kp_bsp_process *self = kp_bsp_enter("bsp_push_reg", file, line);
    if (size > PTRDIFF_MAX)
        kp_bsp_fail(self, "argument", "size is %td; it may not be negative", (ptrdiff_t)size);
    if (!block && size > 0)
        kp_bsp_fail(self, "argument", "the block is NULL with %zu bytes", size);
    const int number = kp_bsp_area_push(&self->areas, block, self->superstep + 1);
    if (number == -2)
        kp_bsp_fail(self, "registration", "there are more than %d registrations",
                    KP_BSP_MOST_AREAS);
    struct kp_bsp_block *own = number < 0 ? NULL : own_block(self, number);
    if (!own)
        kp_bsp_no_memory(self);
    *own = (struct kp_bsp_block){.base = (char *)(uintptr_t)block, .size = size};
    if (self->remote)
        kp_bsp_remote_pushed(self, number);
    struct kp_bsp_agreed *agreed = agreed_of(self);
    agreed->pushes++;
    note(agreed, 1);
}

KP_BSP_EXPORT void kp_bsp_pop_reg(const char *file, int line, const void *block)
{
    struct kp_bsp_process *self = kp_bsp_enter("bsp_pop_reg", file, line);
    const int number = kp_bsp_area_pop(&self->areas, block);
    if (number == -1)
        kp_bsp_fail(self, "registration", "block %p is not registered", block);
    if (number < 0)
        kp_bsp_no_memory(self);
    struct kp_bsp_agreed *agreed = agreed_of(self);
    agreed->pops++;
    note(agreed, (uint64_t)number + 2);
}
