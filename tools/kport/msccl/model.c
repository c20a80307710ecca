#include "tools/kport/msccl/msccl.h"

#include <stdio.h>
#include <stdlib.h>

const char *msccl_collective_name(enum msccl_collective collective)
{
    static const char *const names[MSCCL_COLLECTIVES] = {
        [MSCCL_ALLREDUCE] = "allreduce",
        [MSCCL_ALLGATHER] = "allgather",
        [MSCCL_REDUCESCATTER] = "reducescatter",
        [MSCCL_ALLTOALL] = "alltoall",
        [MSCCL_BROADCAST] = "broadcast",
        [MSCCL_REDUCE] = "reduce",
        [MSCCL_CUSTOM] = "custom",
    };
    return names[collective];
}

bool msccl_reduces(enum msccl_collective collective)
{
    return collective == MSCCL_ALLREDUCE || collective == MSCCL_REDUCESCATTER ||
           collective == MSCCL_REDUCE;
}

int32_t msccl_input_chunks(const struct msccl *m, int32_t rank)
{
    if (m->collective == MSCCL_CUSTOM)
        return m->ranks[rank].chunks[MSCCL_INPUT];
    return m->collective == MSCCL_ALLGATHER ? m->chunks / m->n : m->chunks;
}

int32_t msccl_output_chunks(const struct msccl *m, int32_t rank)
{
    if (m->collective == MSCCL_CUSTOM)
        return m->ranks[rank].chunks[MSCCL_OUTPUT];
    return m->collective == MSCCL_REDUCESCATTER ? m->chunks / m->n : m->chunks;
}

char *msccl_step_name(const struct msccl *m, uint32_t step, char text[MSCCL_NAME])
{
    const struct msccl_step *s = &m->steps[step];
    const struct msccl_block *b = &m->blocks[s->block];
    snprintf(text, MSCCL_NAME, "rank %d tb %d step %d (%s)", b->rank, b->id, (int)(step - b->first),
             s->kind->name);
    return text;
}

void msccl_free(struct msccl *m)
{
    if (!m)
        return;
    free(m->ranks);
    free(m->blocks);
    free(m->steps);
    free(m);
}
