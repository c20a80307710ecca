/* Makes the calls of kp_send_recv and kp_exchange in a trial. Sender and receiver compute each
 * message from the seed of the step, so the receiver knows what must arrive. */
#include "tools/kport/common/random.h"
#include "tools/kport/soak/trial_run.h"

#include <stdlib.h>
#include <string.h>

#define MOST_MESSAGES 8
#define CANARY        0x5C
#define ROOM          16 /* the bytes after a received message, which the call must not change */

static uint64_t of_step(const struct trial_step *step, int what, int rank)
{
    return random_of(step->seed, (uint64_t)what + 1, (uint64_t)rank + 1);
}

/* Returns the largest number of messages that a member sends in this step. Message j goes to the
 * member whose rank is greater by distance(j), modulo n. In a small group several messages may go
 * to the same member. */
static int messages(const struct trial_step *step, int n, int k)
{
    int most = k < MOST_MESSAGES ? k : MOST_MESSAGES;
    if (step->kind == TRIAL_SEND_RECV)
        return 1;
    return n == 1 ? 0 : 1 + (int)(of_step(step, 0, 0) % (uint64_t)most);
}

static int distance(const struct trial_step *step, int n, int j)
{
    uint64_t first = of_step(step, 1, 0);
    if (step->kind == TRIAL_SEND_RECV)
        return (int)(first % (uint64_t)n);
    return (int)((first + (uint64_t)j) % (uint64_t)(n - 1)) + 1;
}

/* Computes message j of `sender`. Returns false if the sender does not send this message. */
static bool message_of(const struct trial *trial, const struct trial_step *step, int sender, int j,
                       struct trial_message *message)
{
    int n = trial_size(trial, step->group), k = trial->machine.ports;
    uint64_t random = of_step(step, 2 + j, sender);
    bool one_port = step->kind == TRIAL_SEND_RECV;
    *message = (struct trial_message){
        .port = one_port ? 0 : (int)((of_step(step, -1, 0) + (uint64_t)j) % (uint64_t)k),
        .peer = (sender + distance(step, n, j)) % n,
        .bytes = (size_t)((random >> 8) % ((uint64_t)step->bytes + 1)),
        .key = random,
    };
    return random % 5 != 0;
}

/* Computes message j to `receiver`. The `peer` of the result is the sender. Returns false if the
 * message is not sent. */
static bool message_to(const struct trial *trial, const struct trial_step *step, int receiver,
                       int j, struct trial_message *message)
{
    int n = trial_size(trial, step->group);
    int sender = (receiver + n - distance(step, n, j)) % n;
    bool sent = message_of(trial, step, sender, j, message);
    message->peer = sender;
    return sent;
}

bool trial_first_message(const struct trial *trial, const struct trial_step *step, int rank,
                         bool outgoing, struct trial_message *message)
{
    int n = trial_size(trial, step->group);
    int count = messages(step, n, trial->machine.ports);
    for (int j = 0; j < count && n > 1; j++) {
        if (distance(step, n, j) != 0 &&
            (outgoing ? message_of : message_to)(trial, step, rank, j, message))
            return true;
    }
    return false;
}

/* --- The contents of messages --- */

unsigned char trial_byte(uint64_t key, size_t i)
{
    return (unsigned char)((key >> i % 7 * 8) + i + (i >> 8) * 3);
}

void trial_fill(unsigned char *bytes, size_t count, uint64_t key)
{
    for (size_t i = 0; i < count; i++)
        bytes[i] = trial_byte(key, i);
}

static bool holds(const unsigned char *bytes, size_t count, uint64_t key)
{
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] != trial_byte(key, i))
            return false;
    }
    for (size_t i = count; i < count + ROOM; i++) {
        if (bytes[i] != CANARY)
            return false;
    }
    return true;
}

/* --- The call of a step --- */

struct round {
    kp_outgoing out[MOST_MESSAGES];
    kp_incoming in[MOST_MESSAGES];
    struct trial_message expected[MOST_MESSAGES];
    int outs, ins;
    unsigned char *free; /* the part of the actor's memory that has no message yet */
};

static void add_outgoing(struct round *round, const struct trial_message *message)
{
    round->out[round->outs++] = (kp_outgoing){
        .port = message->port, .peer = message->peer, .data = round->free, .bytes = message->bytes};
    trial_fill(round->free, message->bytes, message->key);
    round->free += message->bytes + ROOM;
}

static void add_incoming(struct round *round, const struct trial_message *message, bool up_to)
{
    round->expected[round->ins] = *message;
    round->in[round->ins++] = (kp_incoming){.port = message->port,
                                            .peer = message->peer,
                                            .data = round->free,
                                            .bytes = message->bytes + (up_to ? ROOM : 0),
                                            .up_to = up_to};
    memset(round->free, CANARY, message->bytes + ROOM);
    round->free += message->bytes + ROOM;
}

/* Lists the messages that the actor sends and receives in the round. A fault changes only the first
 * message. */
static void make(const struct actor *actor, const struct trial_step *step, int rank,
                 struct round *round)
{
    const struct trial *trial = actor->run->trial;
    int n = trial_size(trial, step->group), count;
    bool bad = step->fault && step->who == actor->number;
    enum trial_fault fault = bad ? step->fault : TRIAL_NO_FAULT;
    struct trial_message message;
    count = messages(step, n, trial->machine.ports);
    for (int j = 0; j < count; j++) {
        if (message_of(trial, step, rank, j, &message)) {
            message.bytes += fault == TRIAL_OTHER_LENGTH;
            if (fault != TRIAL_SENDS_NOTHING)
                add_outgoing(round, &message);
            fault = fault == TRIAL_TAKES_NOTHING ? fault : TRIAL_NO_FAULT;
        }
        bool up_to =
            step->kind == TRIAL_EXCHANGE && !step->fault && of_step(step, 99, rank) % 3 == 0;
        if (message_to(trial, step, rank, j, &message)) {
            if (fault != TRIAL_TAKES_NOTHING)
                add_incoming(round, &message, up_to);
            fault = fault == TRIAL_TAKES_NOTHING ? TRIAL_NO_FAULT : fault;
        }
    }
    if (bad && step->fault == TRIAL_BAD_PEER) {
        round->outs = round->outs > 0 ? round->outs : 1;
        round->out[0].peer = n;
    }
    if (bad && step->fault == TRIAL_BAD_PORT) {
        round->outs = round->outs > 0 ? round->outs : 1;
        round->out[0].port = trial->machine.ports;
    }
}

int trial_halves(size_t bytes, kp_layout **made)
{
    const size_t half = bytes / 2, lengths[] = {bytes - half, half};
    const ptrdiff_t displacements[] = {(ptrdiff_t)half, 0};
    return kp_layout_indexed(2, lengths, displacements, NULL, made);
}

/* Starts one message. With `elements` it has other elements than bytes. */
static int start(kp_group *group, const struct trial_step *step, const kp_outgoing *out,
                 const kp_incoming *in, int tag, bool elements, kp_request **request)
{
    const size_t bytes = out ? out->bytes : in->bytes;
    kp_layout *halves = NULL;
    if (elements)
        return kp_send_layout_start(group, out->data, bytes, kp_layout_of(KP_UINT8), out->peer, tag,
                                    request);
    if (!step->laid)
        return out ? kp_send_start(group, out->data, bytes, out->peer, tag, request)
                   : kp_receive_start(group, in->data, bytes, in->peer, tag, NULL, request);
    int status = trial_halves(bytes, &halves);
    if (!status)
        status =
            out ? kp_send_layout_start(group, out->data, 1, halves, out->peer, tag, request)
                : kp_receive_layout_start(group, in->data, 1, halves, in->peer, tag, NULL, request);
    kp_layout_free(halves);
    return status;
}

/* All messages of the step are under way at once. The tags of a step occur in no other step, so a
 * receive may be from any source. If a fault ends the trial, none is: such a receive waits for a
 * processor that is gone as long as others are there. */
static int call_messages(const struct actor *actor, const struct trial_step *step,
                         struct round *round)
{
    kp_group *group = actor->members[step->group];
    kp_request *requests[2 * MOST_MESSAGES];
    const bool elements = step->fault == TRIAL_OTHER_ELEMENTS && step->who == actor->number;
    const struct trial_under_way *run = actor->run;
    const int ports = run->trial->machine.ports, first = actor->step * ports;
    const bool may_be_any = run->ending == run->trial->steps;
    int count = 0, status = KP_OK;
    for (int i = 0; i < round->ins && !status; i++, count += !status) {
        kp_incoming in = round->in[i];
        if (may_be_any && of_step(step, 98, in.peer) % 3 == 0)
            in.peer = KP_ANY_SOURCE;
        status = start(group, step, NULL, &in, first + in.port, false, &requests[count]);
    }
    for (int i = 0; i < round->outs && !status; i++, count += !status)
        status = start(group, step, &round->out[i], NULL, first + round->out[i].port,
                       elements && i == 0, &requests[count]);
    const int waited = kp_wait_all(count, requests);
    return status ? status : waited;
}

static int call(kp_group *group, const struct trial_step *step, struct round *round)
{
    if (step->kind == TRIAL_EXCHANGE)
        return kp_exchange(group, round->out, round->outs, round->in, round->ins);
    const kp_outgoing *out = round->out;
    const kp_incoming *in = round->in;
    return kp_send_recv(group, out->data, out->bytes, round->outs ? out->peer : -1, in->data,
                        in->bytes, round->ins ? in->peer : -1);
}

/* Overwrites the outgoing messages, because a sender may do so after the call. If the call has
 * received the messages, verifies the incoming messages. */
static void compare(struct actor *actor, struct round *round, int status)
{
    for (int i = 0; i < round->outs; i++) {
        if (round->out[i].data)
            memset((void *)round->out[i].data, 0xEE, round->out[i].bytes);
    }
    for (int i = 0; i < round->ins && (status == KP_OK || status == KP_EUNTAKEN); i++) {
        const struct trial_message *message = &round->expected[i];
        if (round->in[i].bytes == message->bytes &&
            holds(round->in[i].data, message->bytes, message->key))
            continue;
        atomic_fetch_add(&actor->run->wrong_bytes, 1);
        trial_complain(actor, "the message from rank %d on port %d is wrong", message->peer,
                       message->port);
    }
}

int trial_round(struct actor *actor, const struct trial_step *step, int rank)
{
    const struct trial *trial = actor->run->trial;
    struct round round = {.outs = 0};
    int most = 2 * messages(step, trial_size(trial, step->group), trial->machine.ports);
    actor->memory = malloc(((size_t)most + 1) * (step->bytes + 1 + ROOM));
    round.free = actor->memory;
    if (!actor->memory) {
        trial_complain(actor, "no memory for the messages of a round");
        return kp_fail(actor->self, "no memory for the messages of a round");
    }
    make(actor, step, rank, &round);
    int status = step->kind == TRIAL_MESSAGES ? call_messages(actor, step, &round)
                                              : call(actor->members[step->group], step, &round);
    compare(actor, &round, status);
    free(actor->memory);
    actor->memory = NULL;
    return status;
}
