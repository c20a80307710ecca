/* Allocates and frees the eager buffers of a group, into which members pack their messages. */
#include "ports/carrier/carrier.h"
#include "ports/machine_data.h"
#include "ports/sync/sync.h"
#include "ports/without.h"

#include <stdlib.h>

#define MAIL_BUFFER ((size_t)8192) /* by mailboxes, the default length of each buffer */
#define LONG_BUFFER ((size_t)256 << 10)

static size_t buffer_bytes_of(const struct kp_shared *shared)
{
    const struct kp_machine_config *config = &shared->machine->config;
    if (config->eager_bytes > 0)
        return config->eager_bytes;
    if (config->discipline != KP_ROUNDS_BY_BARRIER)
        return MAIL_BUFFER;
    if (shared->machine->carrier->wait || shared->members[0].waiter.spins == 0)
        return config->eager[KP_EAGER_CROWDED];
    return config->eager[shared->sync[0]->quick ? KP_EAGER_OF_TWO : KP_EAGER_OF_MANY];
}

static size_t lines_of(size_t bytes)
{
    return bytes / KP_CACHE_LINE + (bytes % KP_CACHE_LINE > 0);
}

/* Returns the distance in bytes between the buffers of two neighbouring ranks. It is an odd number
 * of cache lines, so that the beginnings of many buffers lie in different sets of the cache. */
static size_t stride_for(size_t buffer_bytes)
{
    return (lines_of(KP_GENERATIONS * buffer_bytes) | KP_HAS(ODD_BUFFERS)) * KP_CACHE_LINE;
}

bool kp_eager_make(struct kp_shared *shared)
{
    if (shared->machine->config.wire)
        return true; /* over a wire, no other member could read a buffer */
    size_t count = (size_t)shared->size, bytes = buffer_bytes_of(shared);
    size_t longest = bytes < LONG_BUFFER / count ? bytes * count : LONG_BUFFER;
    longest = KP_HAS(LONG_BUFFER) ? longest : 0;
    kp_discipline discipline = shared->machine->config.discipline;
    shared->mail_long_bytes = discipline == KP_ROUNDS_BY_BARRIER ? 0 : longest;
    shared->buffer_bytes = bytes;
    shared->eager[KP_EAGER_EACH] =
        (struct kp_eager_buffers){kp_lines(count, stride_for(bytes)), stride_for(bytes), bytes};
    if (!shared->eager[KP_EAGER_EACH].first)
        return false;
    kp_rows_leave(shared->eager[KP_EAGER_EACH].first, count * stride_for(bytes));
    if (!KP_HAS(LONG_BUFFER) || !shared->sync[0]->long_buffer ||
        discipline == KP_ROUNDS_BY_MAILBOXES)
        return true;
    shared->long_bytes = longest;
    size_t apart = lines_of(longest) * KP_CACHE_LINE;
    shared->eager[KP_EAGER_LONG] =
        (struct kp_eager_buffers){kp_lines(KP_GENERATIONS, apart), 0, apart};
    return shared->eager[KP_EAGER_LONG].first != NULL;
}

void kp_eager_free(struct kp_shared *shared)
{
    for (int kind = 0; kind < KP_EAGER_KINDS; kind++)
        free(shared->eager[kind].first);
}
