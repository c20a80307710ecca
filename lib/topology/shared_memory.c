/* Shared memory: processors write data to one memory, and other processors read the data later.
 *
 * Source: Saad and Schultz 1986, section 2 (B). To move m words between a processor and the memory
 * takes one start-up and m words. At most `at_once` processors access the memory at the same time
 * (k* in the paper).
 *
 * In a schedule, the scratch of all processors stands for the memory. A local move to scratch
 * writes to the memory, and a local move from scratch to the incoming buffer reads from it. A
 * message also reads from the memory: it takes what its sender wrote there in an earlier round. All
 * data that a processor writes in a round, or all data that it reads, are one access. */
#include "lib/topology/rules.h"

struct access {
    /* The units that the processor writes and reads. */
    uint64_t written, read;
    int peer; /* the first processor whose data it reads by a message, or -1 */
};

static uint64_t units_of(const kp_piece *piece)
{
    return (uint64_t)(piece->count * piece->run);
}

static struct access access_of(const kp_schedule *schedule, int rank, int round)
{
    struct access access = {.peer = -1};
    for (int i = 0; i < kp_schedule_receives(schedule, rank, round); i++) {
        kp_message in = kp_schedule_receive(schedule, rank, round, i);
        access.read += (uint64_t)in.units;
        access.peer = i == 0 ? in.peer : access.peer;
    }
    for (int i = 0; i < kp_schedule_moves(schedule, rank, round); i++) {
        kp_move move = kp_schedule_move(schedule, rank, round, i);
        if (move.to.space == KP_SCRATCH)
            access.written += units_of(&move.to);
        else if (move.from.space == KP_SCRATCH)
            access.read += units_of(&move.from);
    }
    return access;
}

static int check_pieces(const kp_schedule *schedule, int rank, int round)
{
    for (int i = 0; i < kp_schedule_sends(schedule, rank, round); i++) {
        kp_message out = kp_schedule_send(schedule, rank, round, i);
        for (int j = 0; j < out.piece_count; j++) {
            if (out.pieces[j].space != KP_SCRATCH)
                return kp_topology_refuse(round, rank, out.peer,
                                          "sends to %d what it has not written to the memory; the "
                                          "link %d-%d goes through the memory, which is scratch",
                                          out.peer, rank, out.peer);
        }
    }
    for (int i = 0; i < kp_schedule_receives(schedule, rank, round); i++) {
        kp_message in = kp_schedule_receive(schedule, rank, round, i);
        for (int j = 0; j < in.piece_count; j++) {
            if (in.pieces[j].space == KP_SCRATCH)
                return kp_topology_refuse(round, rank, in.peer,
                                          "receives from %d into scratch, which is the memory that "
                                          "the link %d-%d goes through; to write there takes "
                                          "another access",
                                          in.peer, in.peer, rank);
        }
    }
    return KP_OK;
}

static int check_moves(const kp_schedule *schedule, int rank, int round)
{
    for (int i = 0; i < kp_schedule_moves(schedule, rank, round); i++) {
        kp_move move = kp_schedule_move(schedule, rank, round, i);
        if (move.to.space == KP_SCRATCH && (move.from.space == KP_SCRATCH || round < 0))
            return kp_topology_refuse(round, rank, -1, "%s",
                                      round < 0 ? "writes to the memory before the first round"
                                                : "copies within the memory in one access");
    }
    return KP_OK;
}

static int check_processor(const kp_schedule *schedule, int rank, int round, struct access access)
{
    int status = check_moves(schedule, rank, round);
    if (status)
        return status;
    if (access.written > 0 && access.read > 0)
        return kp_topology_refuse(round, rank, access.peer,
                                  "writes to the memory and reads from it, but has one access a "
                                  "round");
    return check_pieces(schedule, rank, round);
}

static int check_round(const kp_topology *t, const kp_schedule *schedule, int round)
{
    int n = kp_schedule_problem(schedule)->n, accesses = 0;
    for (int rank = 0; rank < n && round == 0; rank++) {
        int status = check_moves(schedule, rank, -1);
        if (status)
            return status;
    }
    for (int rank = 0; rank < n; rank++) {
        struct access access = access_of(schedule, rank, round);
        int status = check_processor(schedule, rank, round, access);
        if (status)
            return status;
        accesses += access.written > 0 || access.read > 0;
        if (accesses > t->at_once)
            return kp_topology_refuse(
                round, rank, access.peer,
                "%s the memory, access %d of the round over a link to it, but "
                "it serves at most %d at once",
                access.read > 0 ? "reads from" : "writes to", accesses, t->at_once);
    }
    return KP_OK;
}

static kp_transfer_cost round_cost(const kp_topology *t, const kp_schedule *schedule, int round)
{
    kp_transfer_cost cost = {0, 0};
    (void)t;
    for (int rank = 0; rank < kp_schedule_problem(schedule)->n; rank++) {
        struct access access = access_of(schedule, rank, round);
        uint64_t units = access.written + access.read;
        cost.startups |= units > 0;
        cost.words = units > cost.words ? units : cost.words;
    }
    return cost;
}

const kp_topology kp_topology_shared_memory = {
    .name = "shared-memory",
    .summary = "one memory, which the processors write to and read from",
    .port_rule =
        "a processor has one port; at_once (1) processors write or read; what is sent lies "
        "in scratch, and was moved there in a round before",
    .at_once = 1,
    .links = kp_links_all,
    .check_round = check_round,
    .round_cost = round_cost,
};
