#include "lib/algorithms/memory.h"

#include "lib/schedule/arithmetic.h"

#include <stdbool.h>

long kp_memory_low(const kp_problem *p)
{
    (void)p;
    return 1;
}

long kp_memory_readers(const kp_problem *p)
{
    return p->k;
}

long kp_memory_all(const kp_problem *p)
{
    return p->n;
}

int kp_memory_rounds(const kp_problem *p, int processors)
{
    return (int)kp_ceil_div((uint64_t)processors, (uint64_t)p->values[0]);
}

int kp_memory_turn(const kp_problem *p, int i, int round)
{
    return i / p->values[0] == round;
}

void kp_memory_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    bool all_read = p->operation == KP_INDEX || p->operation == KP_CONCAT;
    int readers = all_read && p->n > 1 ? p->n : p->n - 1;
    *c1 = (uint64_t)kp_memory_rounds(p, readers);
    *c2 = kp_times(p->b, *c1);
}

const char kp_memory_restriction[] = "k = n - 1";

const char *kp_memory_serves(const kp_problem *p)
{
    return p->k >= p->n - 1 ? NULL : kp_memory_restriction;
}

/* Returns true if each reader gets a block of its own, false if all readers get the same block. */
static bool is_each(const kp_problem *p)
{
    return p->operation == KP_INDEX || p->operation == KP_SCATTER;
}

/* Returns where in the scratch of processor `writer` the block for processor `reader` lies. */
static kp_piece stored(const kp_problem *p, int writer, int reader)
{
    return kp_run_of(KP_SCRATCH, is_each(p) ? kp_mod((int64_t)reader - writer - 1, p->n) : 0, 1);
}

static void read_all(kp_builder *b, const kp_problem *p, int round)
{
    for (int i = 1; i < p->n; i++) {
        int reader = (p->rank + i) % p->n, writer = (p->rank + p->n - i) % p->n;
        if (kp_memory_turn(p, reader, round)) {
            kp_build_send(b, i - 1, reader);
            kp_build_piece(b, stored(p, p->rank, reader));
        }
        if (kp_memory_turn(p, p->rank, round)) {
            kp_build_receive(b, i - 1, writer);
            kp_build_piece(b, kp_run_of(KP_IN, writer, 1));
        }
    }
}

int kp_memory_exchange(kp_builder *b, const kp_problem *p)
{
    bool each = is_each(p);
    int64_t blocks = each ? p->n - 1 : 1;
    int rounds = p->n > 1 ? kp_memory_rounds(p, p->n) : 0;
    kp_build_scratch(b, blocks);
    kp_build_move(b, kp_run_of(KP_OUT, each ? p->rank : 0, 1), kp_run_of(KP_IN, p->rank, 1));
    for (int round = 0; round < rounds; round++) {
        kp_build_round(b);
        if (kp_memory_turn(p, p->rank, round))
            kp_build_move(b, kp_run_of(KP_OUT, each ? p->rank + 1 : 0, blocks),
                          kp_run_of(KP_SCRATCH, 0, blocks));
    }
    for (int round = 0; round < rounds; round++) {
        kp_build_round(b);
        read_all(b, p, round);
    }
    return KP_OK;
}

static void read_one(kp_builder *b, const kp_problem *p, int reader)
{
    int port = (int)((reader - 1) % p->values[0]);
    if (p->rank == 0) {
        kp_build_send(b, port, reader);
        kp_build_piece(b, stored(p, 0, reader));
    } else if (p->rank == reader) {
        kp_build_receive(b, port, 0);
        kp_build_piece(b, kp_run_of(KP_IN, 0, 1));
    }
}

int kp_memory_from_root(kp_builder *b, const kp_problem *p)
{
    bool each = is_each(p);
    int64_t blocks = each ? p->n - 1 : 1;
    if (p->rank == 0 && each)
        kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, 0, 1));
    if (p->n == 1)
        return KP_OK;
    kp_build_scratch(b, blocks);
    kp_build_round(b);
    if (p->rank == 0)
        kp_build_move(b, each ? kp_run_of(KP_OUT, 1, blocks) : kp_run_of(KP_IN, 0, 1),
                      kp_run_of(KP_SCRATCH, 0, blocks));
    for (int reader = 1; reader < p->n; reader++) {
        if ((reader - 1) % p->values[0] == 0)
            kp_build_round(b);
        read_one(b, p, reader);
    }
    return KP_OK;
}
