/* The rows that members pack messages into, of each kind. */
#include "ports/machine_data.h"
#include "ports/sync/sync.h"
#include "ports/without.h"

#include <stdlib.h>

#define MAIL_ROW ((size_t)8192) /* there is one for each generation */
#define LONG_ROW ((size_t)256 << 10)

static size_t row_bytes_of(const struct kp_shared *shared)
{
    const struct kp_machine_config *config = &shared->machine->config;
    if (config->eager_bytes > 0)
        return config->eager_bytes;
    if (config->discipline != KP_ROUNDS_BY_BARRIER)
        return MAIL_ROW;
    if (shared->members[0].waiter.spins == 0)
        return config->eager[KP_EAGER_CROWDED];
    return config->eager[shared->sync[0]->quick ? KP_EAGER_OF_TWO : KP_EAGER_OF_MANY];
}

static size_t lines_of(size_t bytes)
{
    return bytes / KP_CACHE_LINE + (bytes % KP_CACHE_LINE > 0);
}

/* An odd number of lines, so that the same place of many rows does not fall into one cache set. */
static size_t stride_for(size_t row_bytes)
{
    return (lines_of(KP_GENERATIONS * row_bytes) | KP_HAS(ODD_ROWS)) * KP_CACHE_LINE;
}

bool kp_rows_make(struct kp_shared *shared)
{
    if (shared->machine->config.wire)
        return true; /* nobody else could read them */
    size_t count = (size_t)shared->size, bytes = row_bytes_of(shared);
    size_t longest = bytes < LONG_ROW / count ? bytes * count : LONG_ROW;
    longest = KP_HAS(LONG_ROW) ? longest : 0;
    kp_discipline rounds = shared->machine->config.discipline;
    shared->mail_long_bytes = rounds == KP_ROUNDS_BY_BARRIER ? 0 : longest;
    shared->row_bytes = bytes;
    shared->rows[KP_ROWS] =
        (struct kp_rows){kp_lines(count, stride_for(bytes)), stride_for(bytes), bytes};
    if (!shared->rows[KP_ROWS].first)
        return false;
    if (!KP_HAS(LONG_ROW) || !shared->sync[0]->long_row || rounds == KP_ROUNDS_BY_MAILBOXES)
        return true;
    shared->long_bytes = longest;
    size_t apart = lines_of(longest) * KP_CACHE_LINE;
    shared->rows[KP_LONG_ROW] = (struct kp_rows){kp_lines(KP_GENERATIONS, apart), 0, apart};
    return shared->rows[KP_LONG_ROW].first != NULL;
}

void kp_rows_free(struct kp_shared *shared)
{
    for (int kind = 0; kind < KP_ROW_KINDS; kind++)
        free(shared->rows[kind].first);
}
