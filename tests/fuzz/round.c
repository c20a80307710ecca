/* Fuzzes rounds written by hand. The input becomes a script of random messages for random n and k.
 * Some messages break the port rule. kp_exchange carries out the script on fibers, and a model in
 * this file computes the expected result of each message. Statuses, lengths and every byte must
 * agree. There is one worker, so equal input gives equal runs. */
#include "fuzz.h"

#include "kport/machine.h"

#include "kport/error.h"
#include "kport/group.h"

#include <stdbool.h>
#include <string.h>

#define MOST_N      6
#define MOST_ROUNDS 8
#define MOST_LIST   8 /* the most messages of a processor in a round; there may be fewer ports */
#define GUARD       8

static const size_t lengths[] = {0, 1, 27, 28, 29, 36, 37, 64, 65, 200, 700, 8192, 8193};
#define LENGTHS ((int)(sizeof lengths / sizeof lengths[0]))

struct sent {
    int port, peer;
    size_t bytes;
    bool taken;
};

struct wanted {
    int port, peer;
    size_t bytes;
    bool up_to;
    const struct sent *message; /* the message that must be received; NULL: none */
};

/* What one processor does in one round, and the result that it must get. If `may_be_told` is set,
 * the call may return KP_EUNTAKEN instead of 0, because a message that the processor sent in this
 * round is not taken, and kport may know that already. If `must_be_told` is set, the call must
 * return KP_EUNTAKEN, because an earlier message was not taken and not yet reported. */
struct turn {
    struct sent out[MOST_LIST];
    struct wanted in[MOST_LIST];
    int outs, ins, status;
    bool may_be_told;
    bool must_be_told;
};

static struct script {
    int n, k, rounds;
    struct turn turns[MOST_ROUNDS + 2][MOST_N];
} script;

/* --- From the input to the script --- */

/* Returns `right` in 31 of 32 cases, otherwise a number from `low` to `high`. */
static int askew(struct bytes *bytes, int right, int low, int high)
{
    return take(bytes, 0, 31) == 31 ? take(bytes, low, high) : right;
}

static void add_message(struct bytes *bytes, struct turn *turns)
{
    int from = take(bytes, 0, script.n - 1), to = (from + take(bytes, 1, script.n - 1)) % script.n;
    struct turn *sender = &turns[from], *receiver = &turns[to];
    int port = take(bytes, 0, 3) == 3 ? take(bytes, -1, script.k) : sender->outs % script.k;
    size_t length = lengths[take(bytes, 0, LENGTHS - 1)];
    int hints = take(bytes, 0, 31);
    if (hints != 31 && sender->outs < MOST_LIST)
        sender->out[sender->outs++] =
            (struct sent){port, askew(bytes, to, -1, script.n), length, false};
    if (hints == 30 || receiver->ins == MOST_LIST)
        return; /* the receiver does not ask for the message */
    struct wanted *in = &receiver->in[receiver->ins++];
    *in = (struct wanted){.port = askew(bytes, port, -1, script.k),
                          .peer = askew(bytes, from, -1, script.n),
                          .bytes = length};
    in->up_to = hints % 2 == 1;
    if (in->up_to)
        in->bytes += (size_t)take(bytes, 0, 9);
    if (hints == 28)
        in->bytes = lengths[take(bytes, 0, LENGTHS - 1)];
}

static void write_script(struct bytes *bytes)
{
    memset(&script, 0, sizeof script);
    script.n = take(bytes, 2, MOST_N);
    script.k = take(bytes, 1, script.n + 1);
    int rounds = take(bytes, 1, MOST_ROUNDS);
    for (int r = 0; r < rounds; r++) {
        int messages = take(bytes, 0, script.n * script.k);
        for (int i = 0; i < messages && bytes->left > 0; i++)
            add_message(bytes, script.turns[r]);
    }
    /* The two rounds at the end are empty. In them the remaining errors are reported. */
    script.rounds = rounds + 2;
}

/* --- The model --- */

/* Returns the status for one message's port and peer. The port is checked first, as in the
 * library. */
static int port_status(int port, int peer, int rank)
{
    if (port < 0 || port >= script.k)
        return KP_EPORT;
    return peer < 0 || peer >= script.n || peer == rank ? KP_EARGUMENT : KP_OK;
}

static int own_status(const struct turn *turn, int rank)
{
    if (turn->outs > script.k || turn->ins > script.k)
        return KP_EPORT;
    for (int i = 0; i < turn->outs; i++) {
        int status = port_status(turn->out[i].port, turn->out[i].peer, rank);
        for (int j = 0; j < i && !status; j++)
            status = turn->out[j].port == turn->out[i].port ? KP_EPORT : KP_OK;
        if (status)
            return status;
    }
    for (int i = 0; i < turn->ins; i++) {
        int status = port_status(turn->in[i].port, turn->in[i].peer, rank);
        for (int j = 0; j < i && !status; j++)
            status = turn->in[j].peer == turn->in[i].peer && turn->in[j].port == turn->in[i].port
                         ? KP_EPORT
                         : KP_OK;
        if (status)
            return status;
    }
    return KP_OK;
}

static struct sent *find(struct turn *turns, const struct wanted *in, int receiver)
{
    struct turn *sender = &turns[in->peer];
    for (int i = 0; i < sender->outs; i++) {
        if (sender->out[i].port == in->port && sender->out[i].peer == receiver)
            return &sender->out[i];
    }
    return NULL;
}

static void take_all(struct turn *turns, int rank)
{
    struct turn *turn = &turns[rank];
    for (int i = 0; i < turn->ins; i++) {
        struct wanted *in = &turn->in[i];
        struct sent *message = find(turns, in, rank);
        int status = !message ? KP_EMISSING : KP_OK;
        if (message) {
            message->taken = true;
            bool fits = in->up_to ? message->bytes <= in->bytes : message->bytes == in->bytes;
            status = fits ? KP_OK : KP_ELENGTH;
            in->message = fits ? message : NULL;
        }
        turn->status = turn->status ? turn->status : status;
    }
}

/* Decides whether this call reports a message that its receiver did not take. Only a call without
 * another error reports it. `*untold` says whether an unreported message is left. */
static void tell(struct turn *turn, bool *untold)
{
    bool before = *untold, untaken = false;
    for (int i = 0; i < turn->outs; i++)
        untaken = untaken || !turn->out[i].taken;
    turn->must_be_told = before && turn->status == KP_OK;
    turn->may_be_told = (before || untaken) && turn->status == KP_OK;
    *untold = untaken || (before && !turn->must_be_told);
}

static void work_out(void)
{
    bool untold[MOST_N] = {false};
    for (int r = 0; r < script.rounds; r++) {
        struct turn *turns = script.turns[r];
        bool refused = false;
        for (int p = 0; p < script.n; p++) {
            turns[p].status = own_status(&turns[p], p);
            refused = refused || turns[p].status;
        }
        for (int p = 0; p < script.n; p++) {
            if (refused && !turns[p].status)
                turns[p].status = KP_EPEER;
            else if (!refused)
                take_all(turns, p);
        }
        for (int p = 0; p < script.n && !refused; p++)
            tell(&turns[p], &untold[p]);
    }
}

/* --- The run --- */

static unsigned char byte_of(int round, int from, int to, size_t i)
{
    return (unsigned char)(i * 7 + (size_t)round * 131 + (size_t)from * 31 + (size_t)to * 17 + 1);
}

struct room {
    unsigned char *memory; /* the bytes, with a guard on both sides */
    size_t bytes;
};

static struct room make_room(size_t bytes)
{
    struct room room = {malloc(bytes + 2 * GUARD), bytes};
    if (!room.memory)
        wrong("no memory");
    memset(room.memory, 0xee, bytes + 2 * GUARD);
    return room;
}

static void fill(struct room *room, int round, int from, int to)
{
    for (size_t i = 0; i < room->bytes; i++)
        room->memory[GUARD + i] = byte_of(round, from, to, i);
}

/* Checks that the received bytes are right and that nothing else was written. */
static void look(const struct room *room, const struct wanted *in, int round, int rank)
{
    size_t bytes = in->message ? in->message->bytes : 0;
    for (size_t i = 0; i < room->bytes + 2 * GUARD; i++) {
        bool inside = i >= GUARD && i - GUARD < bytes;
        unsigned char right = inside ? byte_of(round, in->peer, rank, i - GUARD) : 0xee;
        if (room->memory[i] != right)
            wrong("round %d, processor %d: byte %zu of the message of %d is %d, not %d", round,
                  rank, i, in->peer, room->memory[i], right);
    }
}

static bool told_in_time(const struct turn *turn, int status, bool *told_before)
{
    if (turn->status != KP_OK)
        return status == turn->status;
    bool must = turn->must_be_told && !*told_before;
    /* One KP_EUNTAKEN reports all messages that were not taken until now. */
    *told_before = status == KP_EUNTAKEN;
    return status == KP_EUNTAKEN ? turn->may_be_told : status == KP_OK && !must;
}

static void play_turn(kp_group *world, int round, bool *told_before)
{
    int rank = kp_rank(world);
    const struct turn *turn = &script.turns[round][rank];
    kp_outgoing out[MOST_LIST];
    kp_incoming in[MOST_LIST];
    struct room sent[MOST_LIST], got[MOST_LIST];
    for (int i = 0; i < turn->outs; i++) {
        sent[i] = make_room(turn->out[i].bytes);
        fill(&sent[i], round, rank, turn->out[i].peer);
        out[i] = (kp_outgoing){turn->out[i].port, turn->out[i].peer, sent[i].memory + GUARD,
                               turn->out[i].bytes};
    }
    for (int i = 0; i < turn->ins; i++) {
        got[i] = make_room(turn->in[i].bytes);
        in[i] = (kp_incoming){turn->in[i].port, turn->in[i].peer, got[i].memory + GUARD,
                              turn->in[i].bytes, turn->in[i].up_to};
    }
    int status = kp_exchange(world, out, turn->outs, in, turn->ins);
    if (!told_in_time(turn, status, told_before))
        wrong("round %d, processor %d of %d with %d ports: status %d (%s), not %d", round, rank,
              script.n, script.k, status, kp_last_error()->sentence, turn->status);
    for (int i = 0; i < turn->ins; i++) {
        look(&got[i], &turn->in[i], round, rank);
        size_t length = turn->in[i].up_to && turn->in[i].message ? turn->in[i].message->bytes
                                                                 : turn->in[i].bytes;
        if (in[i].bytes != length)
            wrong("round %d, processor %d: in[%d].bytes is %zu, not %zu", round, rank, i,
                  in[i].bytes, length);
        free(got[i].memory);
    }
    for (int i = 0; i < turn->outs; i++)
        free(sent[i].memory);
}

static int play(kp_proc *self, void *argument)
{
    (void)argument;
    bool told_before = false;
    for (int r = 0; r < script.rounds; r++)
        play_turn(kp_world(self), r, &told_before);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes bytes = {data, size};
    static const size_t eager[] = {0, 64, 4096, 65536};
    write_script(&bytes);
    work_out();
    kp_config config = {
        .processors = script.n, .ports = script.k, .eager_bytes = eager[take(&bytes, 0, 3)]};
    if (kp_fibers()) {
        config.carrier = KP_CARRIER_FIBERS;
        config.workers = 1;
        config.seed = (uint64_t)take(&bytes, 0, 255);
    }
    kp_report report;
    if (kp_run(&config, play, NULL, &report))
        wrong("n=%d, k=%d: %s", script.n, script.k, report.error.sentence);
    return 0;
}
