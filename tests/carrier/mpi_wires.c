/* Tests the wires over MPI, without a machine. mpirun starts this program (under_mpi.sh), and the
 * program opens the carrier of that MPI as libkport would.
 *
 * usage: mpi_wires CARRIER.so WHAT [PER_PROCESS [LEVEL]]
 *
 * LEVEL is the thread level with which this program initialises MPI: 0 (MPI_THREAD_SINGLE) ... 3
 * (MPI_THREAD_MULTIPLE). If LEVEL is missing, the carrier initialises MPI. WHAT is one of the tests
 * in main. */
#include "ports/carrier/wire.h"
#include "ports/error.h"
#include "tools/kport/common/random.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SHORT    300
#define MIDDLE   ((size_t)8 << 10)
#define MEDIUM   ((size_t)64 << 10)
#define LONG     ((size_t)5 << 20)
#define MESSAGES 40 /* of a round */
#define ROUNDS   40

#define NEED(condition)                                                                            \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail(__LINE__, #condition);                                                            \
    } while (0)

static void fail(int line, const char *condition)
{
    fprintf(stderr, "%s:%d: not so: %s; %s\n", __FILE__, line, condition,
            kp_error_slot()->sentence);
    _exit(1); /* mpirun ends the other processes */
}

static void *mpi; /* the carrier and its MPI */
static const struct kp_wires_host host = KP_WIRES_HOST(KP_VERSION, kp_set_error);

static int open_wires(int per_process, struct kp_wires **wires)
{
    kp_wires_open *open;
    *(void **)&open = dlsym(mpi, KP_WIRES_OPEN_NAME);
    NEED(open);
    return open(&host, NULL, per_process, per_process, wires);
}

/* --- Messages of a round, which all processors know from the same seed --- */

struct message {
    int from, to;
    uint64_t tag, seed;
    size_t length;
    bool exact, roomy; /* `roomy`: the receive has room for more than comes */
    unsigned char *sent, *received;
    struct kp_wire_message out, in; /* as the wire sees it at the sender and the receiver */
};

static unsigned char byte_of(const struct message *message, size_t i)
{
    return (unsigned char)(message->seed + i * 31 + (i >> 8) * 7);
}

static size_t draw_length(uint64_t *seed, int *longer)
{
    const int kind = random_below(seed, 10);
    if (kind >= 8 && *longer > 0) {
        --*longer;
        return kind == 8 ? (*longer % 2 ? MIDDLE : MEDIUM) : *longer < 3 ? MEDIUM : LONG;
    }
    return (size_t)(kind < 2 ? kind : random_below(seed, SHORT));
}

static int tags_of(const struct kp_wire *wire)
{
    return wire->lone_bits > 0 ? 4 : 3;
}

static uint64_t tag_at(const struct kp_wire *wire, int i)
{
    const uint64_t lone = i == 3 ? (uint64_t)1 << wire->lone_bits : 0;
    return i < 2 ? (uint64_t)i : wire->most_tag + lone;
}

static void draw_round(struct message *messages, int n, const struct kp_wire *wire, uint64_t seed)
{
    int longer = seed % 8 == 0 ? 4 : 1;
    for (int i = 0; i < MESSAGES; i++) {
        struct message *message = &messages[i];
        *message = (struct message){
            .from = random_below(&seed, n),
            .to = random_below(&seed, n),
            .tag = tag_at(wire, random_below(&seed, tags_of(wire))),
            .seed = random_next(&seed),
            .length = draw_length(&seed, &longer),
        };
        message->exact = message->length >= KP_WIRE_SHORT || random_below(&seed, 8) > 4;
        message->roomy = message->length < KP_WIRE_SHORT && random_below(&seed, 2);
    }
}

struct part {
    struct kp_wire *wire;
    int n;
    uint64_t seed;
    pthread_t thread;
};

/* How many bytes a receive has room for. */
static size_t room_of(const struct message *message)
{
    return message->exact && !message->roomy ? message->length : KP_WIRE_SHORT;
}

static void begin_one(struct kp_wire *wire, struct message *message, bool sends)
{
    if (sends) {
        message->sent = malloc(message->length + 1);
        NEED(message->sent);
        for (size_t i = 0; i < message->length; i++)
            message->sent[i] = byte_of(message, i);
        message->out = (struct kp_wire_message){.peer = message->to,
                                                .exact = message->exact,
                                                .tag = message->tag,
                                                .bytes = (char *)message->sent,
                                                .length = message->length};
        NEED(!wire->begin(wire, NULL, 0, &message->out, 1));
    } else {
        const size_t room = room_of(message);
        message->received = malloc(room + 8);
        NEED(message->received);
        memset(message->received, 0xee, room + 8);
        message->in = (struct kp_wire_message){.peer = message->from,
                                               .exact = message->exact,
                                               .tag = message->tag,
                                               .bytes = (char *)message->received,
                                               .length = room};
        NEED(!wire->begin(wire, &message->in, 1, NULL, 0));
    }
}

static void check_received(const struct message *message)
{
    for (size_t i = 0; i < 8; i++)
        NEED(message->received[room_of(message) + i] == 0xee);
    NEED(message->in.length == (message->exact ? room_of(message) : message->length));
    for (size_t i = 0; i < message->length; i++)
        NEED(message->received[i] == byte_of(message, i));
}

/* Begins the messages of one tag, which keep their order. */
static void begin_tag(struct kp_wire *wire, struct message *messages, uint64_t tag, bool sends,
                      bool receives)
{
    for (int i = 0; i < MESSAGES; i++) {
        if (messages[i].tag == tag && messages[i].from == wire->processor && sends)
            begin_one(wire, &messages[i], true);
        if (messages[i].tag == tag && messages[i].to == wire->processor && receives)
            begin_one(wire, &messages[i], false);
    }
}

/* Begins the sends and the receives of this processor in an order that is its own, and sometimes
 * late. */
static void exchange(struct part *part, struct message *messages, uint64_t *own_seed)
{
    const int me = part->wire->processor;
    const int order = random_below(own_seed, 4);
    const int passes = order < 2 ? 2 : 1;
    kp_error_record why = KP_ERROR_OF(KP_OK, -1);
    if (random_below(own_seed, 10) == 0)
        nanosleep(&(struct timespec){0, (long)random_below(own_seed, 2000000)}, NULL);
    for (int pass = 0; pass < passes; pass++) {
        const int tags = tags_of(part->wire), first = random_below(own_seed, tags);
        for (int i = 0; i < tags; i++)
            begin_tag(part->wire, messages, tag_at(part->wire, (first + i) % tags),
                      passes == 1 || pass == order, passes == 1 || pass != order);
    }
    if (random_below(own_seed, 2) == 0)
        NEED(part->wire->wait(part->wire, KP_WIRE_RECEIVES, 60000, &why) == KP_OK);
    else
        NEED(part->wire->wait(part->wire, KP_WIRE_ALL, 60000, &why) == KP_OK);
    for (int i = 0; i < MESSAGES; i++)
        if (messages[i].to == me)
            check_received(&messages[i]);
    NEED(part->wire->wait(part->wire, KP_WIRE_ALL, 60000, &why) == KP_OK);
    for (int i = 0; i < MESSAGES; i++) {
        if (messages[i].from == me) {
            memset(messages[i].sent, 0xdd, messages[i].length);
            free(messages[i].sent);
        }
        free(messages[i].received);
    }
}

static void *exchange_all(void *argument)
{
    struct part *part = argument;
    struct message messages[MESSAGES];
    uint64_t own_seed = part->seed + 1000 * (uint64_t)part->wire->processor;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        draw_round(messages, part->n, part->wire, part->seed + round);
        exchange(part, messages, &own_seed);
    }
    return NULL;
}

/* --- A time limit, and giving up --- */

/* Processor 0 waits in vain for the processor `n - 1`, until its time is over. The message comes
 * later, when nobody expects it any more. Then processor 0 gives up. The others wait for it, and
 * some of them have sent it what it does not receive. */
static void *lose_patience(void *argument)
{
    struct part *part = argument;
    struct kp_wire *wire = part->wire;
    const int last = part->n - 1;
    kp_error_record why = KP_ERROR_OF(KP_OK, -1), told = KP_ERROR_OF(KP_EFAILED, 0);
    static char sent[LONG];
    char received[KP_WIRE_SHORT] = "seven..";
    struct kp_wire_message in = {
        .peer = 0, .exact = false, .tag = 5, .bytes = received, .length = sizeof received};
    struct kp_wire_message
        out = {.peer = last, .exact = false, .tag = 7, .bytes = NULL, .length = 0},
        late = {.peer = 0, .exact = false, .tag = 5, .bytes = "too late", .length = 8};
    struct kp_wire_message longer = {
        .peer = 0, .exact = true, .tag = 6, .bytes = sent, .length = sizeof sent};
    snprintf(told.sentence, sizeof told.sentence, "processor 0 lost its patience");
    told.file = __FILE__;
    if (wire->processor == 0) {
        in.peer = last;
        NEED(!wire->begin(wire, &in, 1, NULL, 0));
        NEED(wire->wait(wire, KP_WIRE_ALL, 60, &why) == KP_ETIMEOUT && why.processor == last);
        NEED(!wire->begin(wire, NULL, 0, &out, 1));
        NEED(wire->wait(wire, KP_WIRE_ALL, 0, &why) == KP_OK);
        nanosleep(&(struct timespec){0, 50000000}, NULL);
        wire->give_up(wire, &told);
    } else {
        if (wire->processor == last) {
            char none[KP_WIRE_SHORT];
            struct kp_wire_message first = {
                .peer = 0, .exact = false, .tag = 7, .bytes = none, .length = sizeof none};
            NEED(!wire->begin(wire, &first, 1, NULL, 0));
            NEED(wire->wait(wire, KP_WIRE_ALL, 0, &why) == KP_OK && first.length == 0);
            NEED(!wire->begin(wire, NULL, 0, &late, 1));
        }
        NEED(!wire->begin(wire, &in, 1, &longer, wire->processor % 2));
    }
    for (int again = 0; again < 3; again++) {
        struct kp_wire_message echo = {
            .peer = 0, .exact = false, .tag = 5, .bytes = received, .length = 8};
        memset(&why, 0, sizeof why);
        NEED(wire->wait(wire, KP_WIRE_ALL, 50000, &why) == KP_EFAILED && why.processor == 0);
        NEED(strcmp(why.sentence, told.sentence) == 0);
        in.peer = 0;
        NEED(!wire->begin(wire, &in, 1, &echo, 1));
    }
    NEED(in.length == sizeof received && strcmp(received, "seven..") == 0);
    return NULL;
}

/* --- Messages of several parts; in a longer test also longer than an int can say --- */

static void *send_long(void *argument)
{
    struct part *part = argument;
    struct kp_wire *wire = part->wire;
    const size_t bytes = (size_t)1 << 26, most = (size_t)part->seed;
    struct message messages[] = {{.seed = 1, .length = most - 1},     {.seed = 8, .length = most},
                                 {.seed = 2, .length = 10},           {.seed = 3, .length = bytes},
                                 {.seed = 4, .length = 4000 + bytes}, {.seed = 5, .length = 4000},
                                 {.seed = 6, .length = 3999},         {.seed = 7, .length = 0},
                                 {.seed = 9, .length = 8192},         {.seed = 10, .length = 11904},
                                 {.seed = 11, .length = 11905}};
    const int count = sizeof messages / sizeof messages[0];
    for (int i = 0; i < count; i++) {
        messages[i].to = part->n - 1;
        messages[i].tag = 3;
        messages[i].exact = messages[i].length >= KP_WIRE_SHORT || i == 7;
        if (wire->processor == 0)
            begin_one(wire, &messages[i], true);
        if (wire->processor == part->n - 1)
            begin_one(wire, &messages[i], false);
    }
    kp_error_record why = KP_ERROR_OF(KP_OK, -1);
    NEED(wire->wait(wire, KP_WIRE_ALL, 0, &why) == KP_OK);
    for (int i = 0; i < count; i++) {
        if (wire->processor == part->n - 1)
            check_received(&messages[i]);
        free(messages[i].sent);
        free(messages[i].received);
    }
    return NULL;
}

/* --- Runs --- */

static void run(int per_process, void *program(void *), uint64_t seed)
{
    struct kp_wires *wires;
    NEED(open_wires(per_process, &wires) == KP_OK);
    NEED(wires->count == per_process && wires->processors % per_process == 0);
    NEED(strlen(wires->network) > 4 && strchr(wires->network, '.'));
    struct part *parts = calloc((size_t)wires->count, sizeof *parts);
    NEED(parts);
    for (int i = 0; i < wires->count; i++) {
        parts[i] = (struct part){.wire = wires->wire[i], .n = wires->processors, .seed = seed};
        NEED(parts[i].wire->processor == wires->first + i && parts[i].wire->most_tag >= 32767);
    }
    for (int i = 1; i < wires->count; i++)
        NEED(pthread_create(&parts[i].thread, NULL, program, &parts[i]) == 0);
    program(&parts[0]);
    for (int i = 1; i < wires->count; i++)
        pthread_join(parts[i].thread, NULL);
    free(parts);
    NEED(wires->settle(wires));
    wires->close(wires);
}

/* What is said when the wires cannot be opened. */
static void needs(int status, const char *words)
{
    NEED(kp_error_slot()->status == status && strstr(kp_error_slot()->sentence, words));
}

static bool is_first(void)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    rank = rank ? rank : getenv("PMI_RANK");
    NEED(rank);
    return strcmp(rank, "0") == 0;
}

static void refuse_numbers(int per_process)
{
    struct kp_wires *wires;
    const int own = per_process + is_first();
    NEED(open_wires(0, &wires) == KP_EARGUMENT);
    needs(KP_EARGUMENT, "per_process is 0;");
    NEED(open_wires(own, &wires) == KP_EARGUMENT);
    char words[100];
    snprintf(words, sizeof words, "per_process is %d at this process, and %d to %d at all", own,
             per_process, per_process + 1);
    needs(KP_EARGUMENT, words);
    NEED(open_wires(1000, &wires) == KP_EARGUMENT);
    needs(KP_EARGUMENT, "MPI_TAG_UB");
    NEED(open_wires(1 << 24, &wires) == KP_EARGUMENT);
    needs(KP_EARGUMENT, "there may be 1048575 processors");
}

static void refuse_level(int per_process)
{
    struct kp_wires *wires;
    NEED(open_wires(per_process, &wires) == KP_EARGUMENT);
    needs(KP_EARGUMENT, "with MPI_THREAD_SINGLE; several threads");
}

/* The first process has given MPI a lower level than the others. */
static void refuse_mixed(int level)
{
    struct kp_wires *wires;
    const int status = open_wires(2, &wires);
    NEED(status == (level == 0 ? KP_EARGUMENT : KP_EPEER));
    needs(status, level == 0 ? "with MPI_THREAD_SINGLE" : "another process could not open");
}

static void end(void)
{
    int (*finalize)(void);
    *(void **)&finalize = dlsym(mpi, "MPI_Finalize");
    NEED(finalize && finalize() == 0);
}

static void refuse_ended(void)
{
    struct kp_wires *wires;
    NEED(open_wires(1, &wires) == KP_EENDED);
    needs(KP_EENDED, "MPI has ended in this process");
}

static void initialise(int level)
{
    int (*begin)(int *, char ***, int, int *), given;
    *(void **)&begin = dlsym(mpi, "MPI_Init_thread");
    NEED(begin && begin(NULL, NULL, level, &given) == 0 && given >= level);
}

int main(int argc, char **argv)
{
    NEED(argc >= 3);
    alarm(strcmp(argv[2], "longest") == 0 ? 220 : 360);
    const char *what = argv[2];
    const int per_process = argc > 3 ? atoi(argv[3]) : 1;
    const int level = argc < 5 ? 0 : strcmp(argv[4], "mixed") ? atoi(argv[4]) : is_first() ? 0 : 2;
    struct kp_wires *wires;
    mpi = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!mpi)
        fprintf(stderr, "%s\n", dlerror());
    NEED(mpi);
    if (argc > 4)
        initialise(level);
    if (strcmp(what, "alone") == 0) {
        NEED(open_wires(1, &wires) == KP_EARGUMENT);
        needs(KP_EARGUMENT, "`mpirun -n N PROGRAM`");
    } else if (strcmp(what, "exchange") == 0) {
        for (uint64_t seed = 1; seed <= 2; seed++)
            run(per_process, exchange_all, seed * 1000000);
    } else if (strcmp(what, "patience") == 0) {
        run(per_process, lose_patience, 0);
        run(per_process, exchange_all, 7);
    } else if (strcmp(what, "long") == 0) {
        run(per_process, send_long, 150000000);
    } else if (strcmp(what, "longest") == 0) {
        run(per_process, send_long, ((uint64_t)1 << 31) + 123456);
    } else if (strcmp(what, "refused") == 0) {
        refuse_numbers(per_process);
        run(per_process, exchange_all, 8);
    } else if (strcmp(what, "level") == 0) {
        refuse_level(per_process);
        run(1, exchange_all, 9);
    } else if (strcmp(what, "mixed") == 0) {
        refuse_mixed(level);
    } else {
        NEED(!"a test of this name");
    }
    if (argc > 4) {
        end();
        refuse_ended();
    }
    return 0;
}
