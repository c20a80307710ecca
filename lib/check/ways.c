#include "lib/check/ways.h"

#include "lib/problem/operation.h"
#include "ports/port.h"

struct kp_spot kp_ways_origin(const struct kp_replay *replay, uint64_t symbol)
{
    struct kp_spot origin = {-1, KP_NOWHERE};
    if (symbol == KP_NOTHING)
        return origin;
    if (kp_operation_reduces(replay->problem->operation)) {
        struct kp_contribution sum = kp_contribution_of(&replay->contributions, symbol);
        return (struct kp_spot){sum.first, sum.cell};
    }
    kp_replay_origin(replay, symbol, &origin.rank, &origin.cell);
    return origin;
}

bool kp_way_carries(const struct kp_replay *r, const struct kp_way *way, uint64_t symbol)
{
    if (symbol == KP_NOTHING || way->origin.rank < 0)
        return false;
    if (!kp_operation_reduces(r->problem->operation))
        return symbol == kp_replay_symbol(r, way->origin.rank, way->origin.cell);
    return kp_contribution_of(&r->contributions, symbol).cell == way->origin.cell &&
           kp_contribution_has(&r->contributions, symbol, way->origin.rank);
}

static void add_hop(struct kp_ways *ways, struct kp_way *way, const struct kp_watched *w,
                    struct kp_spot from, struct kp_spot to)
{
    struct kp_hop *hop = kp_vector_add(&way->hops, sizeof *hop);
    ways->failed |= hop == NULL;
    if (hop)
        *hop = (struct kp_hop){w->round,
                               from.rank == to.rank ? -1 : w->out_port,
                               from.rank == to.rank ? -1 : w->in_port,
                               from,
                               to,
                               w->side != KP_COPY};
}

static void note_written(struct kp_ways *ways, int rank, kp_cell cell)
{
    const struct kp_replay *r = &ways->replay;
    kp_cell cells = r->begin[KP_SCRATCH] - r->begin[KP_IN];
    if (cell >= r->begin[KP_IN] && cell < r->begin[KP_SCRATCH])
        ways->written[rank * cells + cell - r->begin[KP_IN]] = ++ways->copies;
}

static void watch(struct kp_replay *r, const struct kp_watched *w)
{
    struct kp_ways *ways = r->watcher;
    const kp_cell *from = r->from.items, *to = r->to.items, *operand = r->operand.items;
    for (size_t i = 0; i < r->from.count; i++) {
        struct kp_spot target = {w->to, to[i]};
        for (int j = 0; j < KP_WAYS; j++) {
            struct kp_way *way = &ways->way[j];
            if (kp_way_carries(r, way, kp_replay_held(r, w->from, from[i])))
                add_hop(ways, way, w, (struct kp_spot){w->from, from[i]}, target);
            else if (w->side != KP_COPY && operand[i] != to[i] &&
                     kp_way_carries(r, way, kp_replay_held(r, w->to, operand[i])))
                add_hop(ways, way, w, (struct kp_spot){w->to, operand[i]}, target);
        }
        note_written(ways, w->to, to[i]);
    }
}

/* Carries out what the checker carried out of the round that it stopped in. */
static bool carry_out_part(struct kp_replay *r, const struct kp_finding *f)
{
    bool room = true, moves = f->stage == KP_STAGE_MOVES;
    int ranks = moves ? r->problem->n : f->processor + 1;
    for (int rank = 0; rank < ranks && f->stage != KP_STAGE_RULES && f->round >= 0; rank++) {
        int all = kp_schedule_receives(r->schedule, rank, f->round);
        int count = moves || rank < f->processor ? all : f->index;
        for (int i = 0; i < count && room; i++)
            room = kp_replay_receive(r, rank, f->round, i);
    }
    for (int rank = 0; rank <= f->processor && moves; rank++) {
        int all = kp_schedule_moves(r->schedule, rank, f->round);
        for (int i = 0; i < (rank < f->processor ? all : f->index) && room; i++)
            room = kp_replay_move(r, rank, f->round, i);
    }
    return room;
}

static int carry_out(struct kp_ways *ways, const struct kp_finding *finding)
{
    struct kp_replay *r = &ways->replay;
    bool over = finding->fault >= KP_FAULT_RESULT;
    int status = KP_OK, rounds = over ? kp_schedule_rounds(r->schedule) : finding->round;
    for (int round = -1; round < rounds && !status; round++)
        status = kp_replay_round(r, round);
    if (!status && !over && !carry_out_part(r, finding))
        status = KP_EMEMORY;
    return status;
}

int kp_ways_find(struct kp_ways *ways, const kp_schedule *schedule,
                 const struct kp_finding *finding, const struct kp_spot origins[KP_WAYS])
{
    struct kp_replay *r = &ways->replay;
    *ways = (struct kp_ways){.failed = false};
    int status = kp_replay_begin(r, schedule, false);
    if (status)
        return status;
    for (int i = 0; i < KP_WAYS; i++)
        ways->way[i].origin = origins[i];
    size_t cells = (size_t)(r->begin[KP_SCRATCH] - r->begin[KP_IN]);
    ways->written = calloc((size_t)r->problem->n * cells, sizeof *ways->written);
    if (!ways->written)
        return KP_EMEMORY;
    r->watch = watch;
    r->watcher = ways;
    status = carry_out(ways, finding);
    return ways->failed ? KP_EMEMORY : status;
}

void kp_ways_end(struct kp_ways *ways)
{
    kp_replay_end(&ways->replay);
    free(ways->written);
    for (int i = 0; i < KP_WAYS; i++)
        kp_vector_free(&ways->way[i].hops);
    *ways = (struct kp_ways){.failed = false};
}

int kp_way_to(const struct kp_way *way, int count, struct kp_spot spot)
{
    int i = count - 1;
    while (i >= 0 &&
           (kp_hop_at(way, i)->to.rank != spot.rank || kp_hop_at(way, i)->to.cell != spot.cell))
        i--;
    return i;
}
