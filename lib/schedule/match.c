/* Pairs each send with its receive. The sends of a round and its receives are sorted by sender and
 * receiver. The two sorted lists must then be equal.
 *
 * With a symmetry only rank 0's rounds are stored, and they stand for the rounds of all ranks. Sums
 * of ranks are digit-wise, and -x is the rank whose sum with x is 0 (symmetry.h). If rank 0
 * receives from x, then -x receives from rank 0. So the receive from x belongs to rank 0's send to
 * -x. */
#include "lib/schedule/builder.h"
#include "lib/schedule/elements.h"
#include "lib/schedule/symmetry.h"
#include "ports/port.h"

struct side {
    int32_t sender, receiver;
    uint32_t index; /* the index in schedule->sends or schedule->receives */
};

struct sides {
    struct side *sends, *receives;
    size_t send_count, receive_count;
};

static int compare(const struct side *a, const struct side *b)
{
    if (a->sender != b->sender)
        return a->sender < b->sender ? -1 : 1;
    return (a->receiver > b->receiver) - (a->receiver < b->receiver);
}

static int compare_for_sort(const void *a, const void *b)
{
    return compare(a, b);
}

static void sort(struct side *sides, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (compare(&sides[i - 1], &sides[i]) > 0) {
            qsort(sides, count, sizeof *sides, compare_for_sort);
            return;
        }
    }
}

/* --- Errors. `side` is a send or a receive; it names the message's sender and receiver --- */

static int refuse(int round, int processor, int port, int peer)
{
    kp_error_record *error = kp_error_slot();
    error->round = round;
    error->processor = processor;
    error->port = port;
    error->peer = peer;
    return error->status;
}

static int refuse_send(int round, int sender, int receiver, int port)
{
    kp_set_error(KP_ESCHEDULE,
                 "round %d: processor %d sends to %d on port %d, but %d expects nothing from it",
                 round, sender, receiver, port, receiver);
    return refuse(round, sender, port, receiver);
}

static int refuse_receive(int round, int sender, int receiver, int port)
{
    kp_set_error(KP_ESCHEDULE,
                 "round %d: processor %d expects a message from %d on port %d, which sends it none",
                 round, receiver, sender, port);
    return refuse(round, receiver, port, sender);
}

static int refuse_length(const struct kp_schedule *s, int round, int sender, int receiver,
                         const struct kp_message_end *out, int64_t expected)
{
    if (out->units == 0)
        kp_set_error(KP_ESCHEDULE,
                     "round %d: the message of processor %d to %d on port %d carries no block; "
                     "every kp_build_send and kp_build_receive needs a kp_build_piece after it",
                     round, sender, receiver, out->port);
    else
        kp_set_error(KP_ESCHEDULE,
                     "round %d: processor %d sends %lld %s to %d on port %d, which expects %lld",
                     round, sender, (long long)out->units,
                     kp_units_word(&s->problem, s->units_of_block, out->units), receiver, out->port,
                     (long long)expected);
    return refuse(round, sender, out->port, receiver);
}

int kp_match_refuse(const struct kp_schedule *s, int round, int sender, int receiver,
                    const struct kp_message_end *out, const struct kp_message_end *in)
{
    return !in    ? refuse_send(round, sender, receiver, out->port)
           : !out ? refuse_receive(round, sender, receiver, in->port)
                  : refuse_length(s, round, sender, receiver, out, in->units);
}

static int refuse_pair(const struct kp_schedule *s, int round, const struct side *send,
                       const struct side *receive)
{
    const struct side *side = send ? send : receive;
    struct kp_message_end out = {.port = -1}, in = {.port = -1};
    if (send)
        out = (struct kp_message_end){s->sends[send->index].port, s->sends[send->index].units};
    if (receive)
        in = (struct kp_message_end){s->receives[receive->index].port,
                                     s->receives[receive->index].units};
    return kp_match_refuse(s, round, side->sender, side->receiver, send ? &out : NULL,
                           receive ? &in : NULL);
}

/* Reports an error if a sender has two messages for the same receiver in a round. */
static int refuse_second(const struct kp_schedule *s, int round, const struct sides *sides)
{
    for (size_t i = 1; i < sides->send_count; i++) {
        const struct side *side = &sides->sends[i];
        if (compare(side - 1, side) == 0) {
            int port = s->sends[side->index].port;
            kp_set_error(KP_ESCHEDULE,
                         "round %d: processor %d sends two messages to %d, the second on port %d",
                         round, side->sender, side->receiver, port);
            return refuse(round, side->sender, port, side->receiver);
        }
    }
    return KP_OK;
}

/* --- One round --- */

static int pair_up(struct kp_schedule *s, int round, const struct sides *sides)
{
    size_t i = 0, j = 0;
    int status = refuse_second(s, round, sides);
    if (status)
        return status;
    for (; i < sides->send_count && j < sides->receive_count; i++, j++) {
        const struct side *send = &sides->sends[i], *receive = &sides->receives[j];
        int order = compare(send, receive);
        if (order != 0)
            return refuse_pair(s, round, order < 0 ? send : NULL, order < 0 ? NULL : receive);
        struct stored_message *out = &s->sends[send->index], *in = &s->receives[receive->index];
        if (out->units != in->units || out->units == 0)
            return refuse_pair(s, round, send, receive);
        out->match = receive->index;
        in->match = send->index;
        in->buffer_place = out->buffer_place;
    }
    if (i < sides->send_count)
        return refuse_pair(s, round, &sides->sends[i], NULL);
    if (j < sides->receive_count)
        return refuse_pair(s, round, NULL, &sides->receives[j]);
    return KP_OK;
}

static int match_round(struct kp_schedule *s, int round, struct sides *sides)
{
    sides->send_count = sides->receive_count = 0;
    for (int processor = 0; processor < s->stored; processor++) {
        const struct stored_round *r = kp_schedule_round(s, processor, round);
        for (uint32_t i = r[0].send; i < r[1].send; i++)
            sides->sends[sides->send_count++] =
                (struct side){.sender = processor, .receiver = s->sends[i].peer, .index = i};
        for (uint32_t i = r[0].receive; i < r[1].receive; i++) {
            int32_t peer = s->receives[i].peer;
            struct side side = {.sender = peer, .receiver = processor, .index = i};
            if (s->symmetry != KP_NO_SYMMETRY)
                side = (struct side){.receiver = (int32_t)kp_digit_negative(peer, s->radix),
                                     .index = i};
            sides->receives[sides->receive_count++] = side;
        }
    }
    sort(sides->sends, sides->send_count);
    sort(sides->receives, sides->receive_count);
    return pair_up(s, round, sides);
}

/* Makes room for the sends and the receives of the round that has the most of them. */
static bool make_sides(const struct kp_schedule *s, struct sides *sides)
{
    size_t sends = 1, receives = 1;
    for (int t = 0; t < s->rounds; t++) {
        size_t out = 0, in = 0;
        for (int processor = 0; processor < s->stored; processor++) {
            const struct stored_round *r = kp_schedule_round(s, processor, t);
            out += r[1].send - r[0].send;
            in += r[1].receive - r[0].receive;
        }
        sends = out > sends ? out : sends;
        receives = in > receives ? in : receives;
    }
    sides->sends = malloc(sends * sizeof *sides->sends);
    sides->receives = malloc(receives * sizeof *sides->receives);
    return sides->sends && sides->receives;
}

int kp_match_messages(struct kp_schedule *s)
{
    struct sides sides = {.sends = NULL};
    int status = KP_OK;
    if (!make_sides(s, &sides))
        status = kp_set_error(KP_EMEMORY, "there is no memory for the schedule");
    for (int t = 0; t < s->rounds && !status; t++)
        status = match_round(s, t, &sides);
    free(sides.sends);
    free(sides.receives);
    return status;
}
