/* The program's buffers as kport sees them: where they are, or packed. */
#include "pmpi.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Pieces of memory up to this size are kept from call to call. */
#define KEPT_BYTES ((size_t)4 << 20)

static struct {
    char *memory;
    size_t room;
} stages[PM_STAGES];

char *pm_stage(struct pm_call *call, enum pm_stage stage, size_t bytes)
{
    if (call->code != MPI_SUCCESS)
        return NULL;
    bytes = (bytes > 0 ? bytes + 63 : 64) / 64 * 64;
    if (stages[stage].room < bytes) {
        free(stages[stage].memory);
        stages[stage].memory = aligned_alloc(64, bytes);
        stages[stage].room = stages[stage].memory ? bytes : 0;
    }
    if (!stages[stage].memory)
        pm_fail(call, MPI_ERR_NO_MEM, "there is no memory for the packed data of a collective");
    return stages[stage].memory;
}

void pm_stages_trim(size_t most)
{
    for (int i = 0; i < PM_STAGES; i++) {
        if (stages[i].room <= most)
            continue;
        free(stages[i].memory);
        stages[i].memory = NULL;
        stages[i].room = 0;
    }
}

bool pm_part_is(const struct pm_call *call, struct pm_part *part, const void *buffer,
                MPI_Count count, MPI_Datatype type, int blocks)
{
    if (count < 0 || buffer == MPI_IN_PLACE || !pm_kind_of(type, &part->kind) ||
        !pm_is_committed(&part->kind))
        return pm_pass(call, PM_WRONG);
    part->user = (char *)buffer;
    part->count = (size_t)count * (size_t)blocks;
    part->bytes = part->count * part->kind.size;
    part->data = NULL;
    /* The addresses of a type of the program may be absolute. */
    if (!buffer && part->bytes > 0 && part->kind.named)
        return pm_pass(call, PM_WRONG);
    return true;
}

void pm_part_read(struct pm_call *call, struct pm_part *part)
{
    part->data = part->user;
    if (part->kind.dense)
        return;
    part->data = pm_stage(call, PM_STAGE_OUT, part->bytes);
    pm_pack(call, &part->kind, part->user, part->count, part->data);
}

void pm_part_place(struct pm_call *call, struct pm_part *part)
{
    part->data = part->kind.dense ? part->user : pm_stage(call, PM_STAGE_IN, part->bytes);
}

void pm_part_fill(struct pm_call *call, struct pm_part *part, size_t first, size_t count)
{
    if (call->code == MPI_SUCCESS && !part->kind.dense)
        pm_pack(call, &part->kind,
                (char *)((MPI_Aint)part->user + (MPI_Aint)first * part->kind.extent), count,
                part->data + first * part->kind.size);
}

void pm_part_store(struct pm_call *call, struct pm_part *part)
{
    if (call->code == MPI_SUCCESS && !part->kind.dense)
        pm_unpack(call, &part->kind, part->data, part->user, part->count);
}

bool pm_parts_overlap(const struct pm_part *a, const struct pm_part *b)
{
    const uintptr_t x = (uintptr_t)a->data, y = (uintptr_t)b->data;
    return a->bytes > 0 && b->bytes > 0 && (x < y ? y - x < a->bytes : x - y < b->bytes);
}

void pm_part_separate(struct pm_call *call, struct pm_part *out, const struct pm_part *in)
{
    if (call->code != MPI_SUCCESS || !pm_parts_overlap(out, in))
        return;
    char *apart = pm_stage(call, PM_STAGE_OUT, out->bytes);
    if (apart)
        out->data = memcpy(apart, out->data, out->bytes);
}

/* MPI forbids it. MPICH reports it; Open MPI does so in MPI_Reduce alone, and programs rely on
 * that. */
bool pm_is_same_buffer(const struct pm_call *call, const void *out, const void *in, size_t bytes)
{
#ifdef OPEN_MPI
    (void)bytes;
    return out == in && call->operation == PM_REDUCE;
#else
    (void)call;
    return out == in && bytes > 0;
#endif
}

bool pm_same_buffer(const struct pm_call *call, const void *out, const void *in, size_t bytes)
{
    return pm_is_same_buffer(call, out, in, bytes) && !pm_pass(call, PM_WRONG);
}
