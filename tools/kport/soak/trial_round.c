/* Rounds of kp_send_recv and kp_exchange. Senders and receivers compute the messages from the
 * step's seed. */
#include "tools/kport/common/random.h"
#include "tools/kport/soak/trial_run.h"

#include <stdlib.h>
#include <string.h>

#define MOST_MESSAGES 8
#define CANARY        0x5C
#define ROOM          16 /* bytes after a message, which must stay unchanged */

static uint64_t of_step(const struct trial_step *step, int what, int rank)
{
    return random_of(step->seed, (uint64_t)what + 1, (uint64_t)rank + 1);
}

/* Returns the most messages of a member. The j-th message goes distance(j) ranks on; in a small
 * group several may go to one member. */
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

/* Computes the j-th message of `sender`. Returns false if it is not sent. */
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

/* Computes the j-th message to `receiver`; its `peer` is the sender. */
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

/* --- Contents --- */

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

/* --- The call --- */

struct round {
    kp_outgoing out[MOST_MESSAGES];
    kp_incoming in[MOST_MESSAGES];
    struct trial_message expected[MOST_MESSAGES];
    int outs, ins;
    unsigned char *free; /* memory not yet used */
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

/* Lists the messages of a round. A fault concerns the first outgoing or incoming message. */
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

static int call(kp_group *group, const struct trial_step *step, struct round *round)
{
    if (step->kind == TRIAL_EXCHANGE)
        return kp_exchange(group, round->out, round->outs, round->in, round->ins);
    const kp_outgoing *out = round->out;
    const kp_incoming *in = round->in;
    return kp_send_recv(group, out->data, out->bytes, round->outs ? out->peer : -1, in->data,
                        in->bytes, round->ins ? in->peer : -1);
}

/* Overwrites the outgoing messages, which is allowed after the call, and verifies the incoming ones
 * unless the call failed. */
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
    int status = call(actor->members[step->group], step, &round);
    compare(actor, &round, status);
    free(actor->memory);
    actor->memory = NULL;
    return status;
}
