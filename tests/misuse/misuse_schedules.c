/* Misuse of schedules, and of the calls by which an algorithm writes a schedule. */
#include "tests/misuse/misuse.h"

#include <string.h>

/* Calls `use` with the schedule of an index among four processors with one port. */
static int with_schedule(int (*use)(const kp_schedule *schedule))
{
    kp_problem problem;
    kp_schedule *schedule = NULL;
    int status = kp_problem_parse("index:n=4,k=1,b=8,alg=radix,r=2", &problem);
    status = status ? status : kp_schedule_build(&problem, &schedule);
    status = status ? status : use(schedule);
    kp_error_record said = *kp_last_error();
    kp_schedule_free(schedule);
    kp_schedule_free(NULL);
    *(kp_error_record *)kp_last_error() = said;
    return status;
}

#define USE(name, condition)                                                                       \
    static int use_##name(const kp_schedule *s)                                                    \
    {                                                                                              \
        return misuse_told(condition);                                                             \
    }                                                                                              \
    static int name(void)                                                                          \
    {                                                                                              \
        return with_schedule(use_##name);                                                          \
    }

static int build_null(void)
{
    kp_schedule *schedule;
    return kp_schedule_build(NULL, &schedule);
}

static int build_nowhere(void)
{
    kp_problem problem = {.operation = KP_INDEX, .n = 4, .k = 1};
    return kp_schedule_build(&problem, NULL);
}

static int schedule_null(void)
{
    return misuse_told(
        !kp_schedule_problem(NULL) && kp_schedule_rounds(NULL) == -1 &&
        kp_schedule_units(NULL, KP_OUT) == -1 && kp_schedule_unit_of_block(NULL) == -1 &&
        kp_schedule_sends(NULL, 0, 0) == -1 && kp_schedule_receives(NULL, 0, 0) == -1 &&
        kp_schedule_moves(NULL, 0, 0) == -1 && kp_schedule_send(NULL, 0, 0, 0).peer == -1 &&
        kp_schedule_receive(NULL, 0, 0, 0).peer == -1 &&
        kp_schedule_move(NULL, 0, 0, 0).to.count == 0 &&
        kp_schedule_place(NULL, 0, KP_OUT, 0) == -1);
}

static int check_null(void)
{
    return kp_schedule_check(NULL, NULL);
}

USE(rank_outside, kp_schedule_sends(s, 4, 0) == -1 && kp_schedule_receives(s, 4, 0) == -1 &&
                      kp_schedule_moves(s, 4, 0) == -1 && kp_schedule_place(s, 4, KP_OUT, 0) == -1)
USE(round_outside, kp_schedule_sends(s, 0, -2) == -1 && kp_schedule_receives(s, 0, 2) == -1)
USE(no_message,
    kp_schedule_receive(s, 0, 0, 1).port == -1 && kp_schedule_send(s, 0, 0, 1).port == -1)
USE(no_move, kp_schedule_move(s, 0, 0, -1).from.count == 0)
USE(no_space,
    kp_schedule_units(s, KP_SPACES) == -1 && kp_schedule_place(s, 0, (kp_space)-1, 0) == -1)

/* --- An algorithm that calls the builder wrongly, so kp_schedule_build returns an error --- */

static void (*write_wrongly)(kp_builder *b);

static int build(kp_builder *b, const kp_problem *p)
{
    if (p->rank == 0)
        write_wrongly(b);
    return KP_OK;
}

static void costs_nothing(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    (void)p;
    *c1 = *c2 = 0;
}

static int built(kp_operation operation, void (*writer)(kp_builder *b))
{
    kp_algorithm row = {.operation = operation,
                        .name = "mine",
                        .symmetry = KP_NO_SYMMETRY,
                        .build = build,
                        .stated_cost = costs_nothing};
    kp_problem problem = {.operation = operation, .n = 4, .k = 1, .b = 8, .algorithm = &row};
    kp_schedule *schedule;
    write_wrongly = writer;
    int status = kp_schedule_build(&problem, &schedule);
    kp_schedule_free(schedule);
    return status;
}

#define BUILD(name, operation, ...)                                                                \
    static void write_##name(kp_builder *b)                                                        \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }                                                                                              \
    static int name(void)                                                                          \
    {                                                                                              \
        return built(operation, write_##name);                                                     \
    }

static const kp_piece piece = {KP_OUT, 0, 1, 0, 1};

static int builder_null(void)
{
    kp_build_scratch(NULL, 1);
    kp_build_round(NULL);
    kp_build_send(NULL, 0, 1);
    kp_build_receive(NULL, 0, 1);
    kp_build_combine(NULL, 0, 1, KP_LEFT);
    kp_build_operand(NULL, piece);
    kp_build_move(NULL, piece, piece);
    kp_build_fold(NULL, piece, piece, KP_LEFT);
    kp_build_piece(NULL, piece);
    return misuse_told(true);
}

BUILD(scratch_negative, KP_INDEX, kp_build_scratch(b, -1))
BUILD(before_rounds, KP_INDEX, kp_build_send(b, 0, 1))
BUILD(port_negative, KP_INDEX, kp_build_round(b); kp_build_send(b, -1, 1))
BUILD(peer_outside, KP_INDEX, kp_build_round(b); kp_build_receive(b, 0, 4))
BUILD(to_itself, KP_INDEX, kp_build_round(b); kp_build_send(b, 0, 0))
BUILD(no_reduction, KP_INDEX, kp_build_round(b); kp_build_combine(b, 0, 1, KP_LEFT))
BUILD(no_side, KP_ALLREDUCE, kp_build_round(b); kp_build_combine(b, 0, 1, KP_COPY))
BUILD(piece_alone, KP_INDEX, kp_build_round(b); kp_build_piece(b, piece))
BUILD(operand_alone, KP_ALLREDUCE, kp_build_round(b); kp_build_send(b, 0, 1);
      kp_build_operand(b, piece))
BUILD(count_negative, KP_INDEX, kp_build_round(b); kp_build_send(b, 0, 1);
      kp_build_piece(b, kp_every(KP_OUT, 0, -1, 1)))
BUILD(piece_outside, KP_CONCAT, kp_build_round(b); kp_build_send(b, 0, 1);
      kp_build_piece(b, kp_run_of(KP_OUT, 0, 2)))
BUILD(beyond_scratch, KP_INDEX, kp_build_round(b);
      kp_build_move(b, piece, kp_run_of(KP_SCRATCH, 5, 1)))
BUILD(unequal_move, KP_INDEX, kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, 0, 2)))
BUILD(unmatched, KP_INDEX, kp_build_round(b); kp_build_receive(b, 0, 3);
      kp_build_piece(b, kp_run_of(KP_IN, 0, 1)))

static int own_status(kp_builder *b, const kp_problem *p)
{
    (void)b;
    return p->rank == 2 ? KP_EPROBLEM : KP_OK;
}

static int build_fails(void)
{
    kp_algorithm row = {.operation = KP_INDEX,
                        .name = "mine",
                        .symmetry = KP_NO_SYMMETRY,
                        .build = own_status,
                        .stated_cost = costs_nothing};
    kp_problem problem = {.operation = KP_INDEX, .n = 4, .k = 1, .b = 8, .algorithm = &row};
    kp_schedule *schedule;
    int status = kp_schedule_build(&problem, &schedule);
    kp_schedule_free(schedule);
    return status;
}

#define LOOKED "`kp_schedule_...`, which return -1, NULL or an empty one"

const struct misuse misuses_of_schedules[] = {
    {"`kp_schedule_build`", "`problem` is NULL", KP_EPROBLEM,
     "the problem is NULL; it must be what kp_problem_parse read", .alone = build_null},
    {"`kp_schedule_build`", "`schedule` is NULL", KP_EPROBLEM,
     "schedule is NULL; it must be where the schedule goes", .alone = build_nowhere},
    {LOOKED, "`schedule` is NULL", KP_EARGUMENT,
     "the schedule is NULL; it must be what kp_schedule_build made", .alone = schedule_null},
    {"`kp_schedule_check`, `kp_schedule_check_on`", "`schedule` is NULL", KP_EARGUMENT,
     "the schedule is NULL; it must be what kp_schedule_build made", .alone = check_null},
    {LOOKED, "`rank` is none", KP_EARGUMENT, "rank is 4; it may be 0 ... 3", .alone = rank_outside},
    {LOOKED, "`round` is none", KP_EARGUMENT, "round is 2; it may be -1 ... 1",
     .alone = round_outside},
    {"`kp_schedule_send`, `kp_schedule_receive`", "there is no i-th message", KP_EARGUMENT,
     "message out 1 is asked for; in this round this processor has 1, from 0 on",
     .alone = no_message},
    {"`kp_schedule_move`", "there is no i-th move", KP_EARGUMENT,
     "move -1 is asked for; in this round this processor has 0, from 0 on", .alone = no_move},
    {"`kp_schedule_units`, `kp_schedule_place`", "`space` is none", KP_EARGUMENT,
     "space is -1; it may be 0 ... 2", .alone = no_space},
    {"`kp_build_...`, which do nothing", "the builder is NULL", KP_EARGUMENT,
     "the builder is NULL; it must be what build was given", .alone = builder_null},
    {"`kp_build_scratch`", "`units` is negative", KP_ESCHEDULE,
     "before the first round: processor 0 asks for scratch of -1 blocks; it may be 0 ... "
     "2305843009213693951",
     .alone = scratch_negative},
    {"`kp_build_send`, `kp_build_receive`, `kp_build_combine`", "before the first round",
     KP_ESCHEDULE,
     "before the first round: processor 0 sends, but kp_build_round has not begun a round",
     .alone = before_rounds},
    {"`kp_build_send`, `kp_build_receive`, `kp_build_combine`", "`port` is negative", KP_ESCHEDULE,
     "round 0: processor 0 sends on port -1; with k=1 it may be 0 ... 0", .alone = port_negative},
    {"`kp_build_send`, `kp_build_receive`, `kp_build_combine`", "`peer` is no rank", KP_ESCHEDULE,
     "round 0: processor 0 receives from processor 4; with n=4 it may be 0 ... 3",
     .alone = peer_outside},
    {"`kp_build_send`, `kp_build_receive`, `kp_build_combine`", "`peer` is oneself", KP_ESCHEDULE,
     "round 0: processor 0 sends to itself on port 0", .alone = to_itself},
    {"`kp_build_combine`, `kp_build_fold`", "the operation is no reduction", KP_ESCHEDULE,
     "round 0: processor 0 combines, but index is no reduction", .alone = no_reduction},
    {"`kp_build_combine`, `kp_build_fold`", "`side` is none", KP_ESCHEDULE,
     "round 0: processor 0 combines neither on the left nor on the right: side is 0; it may be 1 "
     "or 2",
     .alone = no_side},
    {"`kp_build_piece`", "outside a message", KP_ESCHEDULE,
     "round 0: processor 0 has a kp_build_piece without a kp_build_send or kp_build_receive before "
     "it in this round",
     .alone = piece_alone},
    {"`kp_build_operand`", "outside a message that combines", KP_ESCHEDULE,
     "round 0: processor 0 names operands outside a message that combines", .alone = operand_alone},
    {"`kp_build_piece` and all with pieces", "a negative count, or no space", KP_ESCHEDULE,
     "round 0: processor 0 uses a piece with a negative count, or in no space: space 0, count -1, "
     "run 1; there are 3 spaces",
     .alone = count_negative},
    {"`kp_build_piece` and all with pieces", "outside its space", KP_ESCHEDULE,
     "round 0: processor 0 uses places 0 ... 1 of out, which has only place 0",
     .alone = piece_outside},
    {"`kp_build_piece` and all with pieces", "beyond the scratch that was asked for", KP_ESCHEDULE,
     "place 5 of scratch is used, but kp_build_scratch has asked for 0 blocks",
     .alone = beyond_scratch},
    {"`kp_build_move`, `kp_build_fold`", "two lengths", KP_ESCHEDULE,
     "before the first round: processor 0 moves to a place of another length: 1 block to 2",
     .alone = unequal_move},
    {"the algorithm", "a message that nobody sends", KP_ESCHEDULE,
     "round 0: processor 0 expects a message from 3 on port 0, which sends it none",
     .alone = unmatched},
    {"the algorithm", "its `build` returns a status", KP_EPROBLEM,
     "algorithm mine could not write the part of processor 2: the problem cannot be",
     .alone = build_fails},
    {NULL}};
