/* bsp_push_reg and bsp_pop_reg. */
#include "lib/bsp/process.h"

static struct kp_bsp_agreed *agreed_of(struct kp_bsp_process *self)
{
    struct kp_bsp_agreed *agreed = &self->agreed[kp_bsp_generation(self)];
    agreed->area_place = self->call;
    self->bits |= KP_BSP_AREAS;
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
    const int number = kp_bsp_area_push(&self->areas, block, size, self->superstep + 1);
    if (number == -2)
        kp_bsp_fail(self, "registration", "there are more than %d registrations",
                    KP_BSP_PARTS * KP_BSP_AREAS_OF_PART);
    if (number < 0)
        kp_bsp_no_memory(self);
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
