/* Messages are work for the processors at both ends. C1 and C2 do not see all of it: they count the
 * messages of all ports of a round as one, although a processor serves its ports one after another,
 * and they count only the busiest processor, although processors that share a core wait for each
 * other.
 *
 * The time of the messages is at least the sum, over the rounds, of the work of the busiest
 * processor of the round. It is also at least the work of all processors, divided by the number of
 * cores. The prediction takes the greater of the
 * two, and a wait for each of the C1 rounds, in which all processors of a core take turns. LogP
 * (Culler et al. 1993) has a processor's overhead of a message; C1 and C2 are those of Bruck et al.
 * 1997, section 1.2. */
#include "lib/cost/work.h"

#include "lib/schedule/schedule_data.h"
#include "ports/member.h"

/* The work in microseconds of a round's wait, of sending or receiving a message, and of a byte
 * sent, received, or copied within the processor. A long message is one whose contents do not go
 * with its head; its sender waits until the receiver takes them. A processor that shares its core
 * gives it up in each wait. Measured with Open MPI 4.1: `alone` between two processes on an AMD
 * EPYC (family 25), `crowded` with 4 and with 16 processes on two cores of an Intel Xeon (family 6,
 * model 207), fitted to the times of an index and a concatenation of 8 B to 32 KiB by every
 * algorithm. `hybrid` is for several processors in each process, whose processes have cores of
 * their own. Then MPI looks for each message among many from the same process. It is fitted to the
 * times of an index of 8 B to 16 KiB by three algorithms in 2 processes of 8 fibers, on an Intel
 * Xeon (family 6, model 167). Only the proportions count for the choice; with 4 processes and with
 * 16 they were the same. */
struct work_of {
    double round_us, long_round_us, message_us, long_us, byte_us;
};
static const struct work_of alone = {0.4, 3, 0.2, 1, 0.00008},
                            hybrid = {0.4, 1.5, 0.35, 0.5, 0.00005}, crowded = {4, 5, 1, 2, 0.0002};

/* A message within a process passes through memory that its processors share, so it costs less, and
 * its bytes are copied only once. So does the wait of a round in which no message leaves its
 * process. */
#define PART_WITHIN 0.1

/* What one processor does in a schedule. */
struct counted {
    double long_rounds, messages, longs, bytes;
    bool crosses; /* some message goes from one process to another */
};

static double starts_of(const struct work_of *work, const struct counted *c)
{
    return work->long_round_us * c->long_rounds + work->message_us * c->messages +
           work->long_us * c->longs;
}

static double sum_of(const struct work_of *work, const struct counted *c)
{
    return starts_of(work, c) + work->byte_us * c->bytes;
}

static void add(struct counted *to, const kp_schedule *s, int rank, const kp_message *message,
                double bytes_of_unit, bool received)
{
    const int t = s->problem.per_process > 1 ? s->problem.per_process : 1;
    const bool within = message->peer / t == rank / t;
    const double part = within ? PART_WITHIN : 1;
    const double bytes = bytes_of_unit * (double)message->units;
    const bool is_packed = message->piece_count != 1 || message->pieces[0].count != 1;
    const int copies = (received ? within ? 1 : 2 : 0) + is_packed;
    to->messages += part;
    to->longs += kp_wired_is_long((size_t)bytes) ? part : 0;
    to->bytes += bytes * copies;
    to->crosses |= !within;
}

static void add_all(struct counted *to, const struct counted *c)
{
    to->long_rounds += c->long_rounds;
    to->messages += c->messages;
    to->longs += c->longs;
    to->bytes += c->bytes;
    to->crosses |= c->crosses;
}

static double bytes_of_unit(const kp_schedule *s, size_t b)
{
    return (double)b / (double)s->units_of_block + s->problem.algorithm->length_bytes;
}

static void add_moves(struct counted *to, const kp_schedule *s, size_t b, int rank, int round)
{
    for (int i = 0; i < kp_schedule_moves(s, rank, round); i++) {
        const kp_piece from = kp_schedule_move(s, rank, round, i).from;
        to->bytes += bytes_of_unit(s, b) * (double)(from.count * from.run);
    }
}

/* Counts what a processor does in a round. The moves before round 0 count with round 0. */
static struct counted count(const kp_schedule *s, size_t b, int rank, int round)
{
    const double unit = bytes_of_unit(s, b);
    struct counted counted = {.long_rounds = 0};
    if (round == 0)
        add_moves(&counted, s, b, rank, -1);
    for (int i = 0; i < kp_schedule_sends(s, rank, round); i++) {
        const kp_message message = kp_schedule_send(s, rank, round, i);
        add(&counted, s, rank, &message, unit, false);
    }
    for (int i = 0; i < kp_schedule_receives(s, rank, round); i++) {
        const kp_message message = kp_schedule_receive(s, rank, round, i);
        add(&counted, s, rank, &message, unit, true);
    }
    counted.long_rounds = counted.longs == 0 ? 0 : counted.crosses ? 1 : PART_WITHIN;
    add_moves(&counted, s, b, rank, round);
    return counted;
}

double kp_work_predict(const kp_problem *problem, double crowd, uint64_t c1, double most_us,
                       double *rounds_us)
{
    const int t = problem->per_process > 1 ? problem->per_process : 1;
    const struct work_of *work = crowd > t ? &crowded : t > 1 ? &hybrid : &alone;
    const double wait_us = work->round_us * crowd, least = t > 1 ? PART_WITHIN : 1;
    kp_schedule *schedule;
    *rounds_us = least * wait_us * (double)c1;
    if (most_us >= 0 && *rounds_us >= most_us)
        return *rounds_us;
    if (kp_schedule_build(problem, &schedule))
        return -1;
    const int counted = t > 1 ? problem->n : schedule->stored;
    struct counted all = {.long_rounds = 0}, busiest = all;
    double waits_us = 0;
    for (int round = 0; round < schedule->rounds; round++) {
        struct counted most = {.long_rounds = 0};
        bool crosses = false;
        for (int rank = 0; rank < counted; rank++) {
            const struct counted own = count(schedule, problem->b, rank, round);
            add_all(&all, &own);
            most = sum_of(work, &own) > sum_of(work, &most) ? own : most;
            crosses |= own.crosses;
        }
        add_all(&busiest, &most);
        waits_us += wait_us * (crosses ? 1 : PART_WITHIN);
    }
    kp_schedule_free(schedule);
    /* Each of `counted` ranks stands for equally many processors. */
    const double share = crowd / counted;
    const bool take_turns = share * sum_of(work, &all) > sum_of(work, &busiest);
    const struct counted *longest = take_turns ? &all : &busiest;
    const double factor = take_turns ? share : 1;
    *rounds_us = waits_us + factor * starts_of(work, longest);
    return waits_us + factor * sum_of(work, longest);
}
