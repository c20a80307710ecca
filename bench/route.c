/* Compares kp_route with other ways to route random messages of eight bytes.
 *
 * All contestants have the same task. Every processor has a list of messages. Each message has a
 * random destination and the address of its eight bytes. At the end every processor has the
 * messages that were sent to it, ordered by source. The messages of one source are in the order in
 * which they were sent. The time is from the first processor's start to the last processor's end.
 * Every message of every repetition is verified; verifying is not timed.
 *
 *   kp_route    uses the named protocol; no processor knows beforehand what it will receive
 *   kp_indexv   is called once, and every processor knows all sizes beforehand; the time
 *               includes sorting the messages by destination
 *   exchange    is the same kp_indexv with messages that are already sorted
 *   queues      is written by hand; each pair of processors has a queue with a mutex; the
 *               sender appends to the queue, and the receiver empties it from time to time */
#include "kport.h"
#include "tools/kport/common/random.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_PROCESSORS 255
/* Each processor empties its queues every time it has sent this many messages. */
#define DRAIN_EVERY 4096

/* Returns the contents of a message. `number` counts the messages from `source` to `to`. */
static uint64_t message_of(int source, int to, uint64_t number)
{
    return (uint64_t)source << 56 | (uint64_t)to << 48 | number;
}

struct queue {
    _Alignas(64) pthread_mutex_t lock;
    uint64_t *words;
    size_t count, room;
};

struct bench {
    int n;
    size_t each; /* the number of messages that each processor sends */
    kp_parcel **parcels;
    uint64_t **words;
    size_t *counts; /* the element i * n + j is the number of messages from processor i to processor
                       j */
    const char *protocol;
    struct queue *queues;
    pthread_barrier_t meet;
    int64_t *start, *end;
    bool *wrong;
    uint64_t rounds;
};

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static uint64_t next_random(uint64_t *state)
{
    return random_final(*state += UINT64_C(0x9e3779b97f4a7c15));
}

static void *need(void *memory)
{
    if (!memory) {
        fprintf(stderr, "route: no memory\n");
        exit(1);
    }
    return memory;
}

static void make_messages(struct bench *b)
{
    size_t n = (size_t)b->n;
    b->parcels = need(calloc(n, sizeof *b->parcels));
    b->words = need(calloc(n, sizeof *b->words));
    b->counts = need(calloc(n * n, sizeof *b->counts));
    b->start = need(calloc(n, sizeof *b->start));
    b->end = need(calloc(n, sizeof *b->end));
    b->wrong = need(calloc(n, sizeof *b->wrong));
    for (int i = 0; i < b->n; i++) {
        uint64_t seed = (uint64_t)i;
        b->parcels[i] = need(malloc(b->each * sizeof(kp_parcel)));
        b->words[i] = need(malloc(b->each * sizeof(uint64_t)));
        for (size_t k = 0; k < b->each; k++) {
            int to = (int)((next_random(&seed) >> 32) * n >> 32);
            b->words[i][k] = message_of(i, to, b->counts[(size_t)i * n + (size_t)to]++);
            b->parcels[i][k] = (kp_parcel){.to = to, .data = &b->words[i][k], .bytes = 8};
        }
    }
}

static void free_messages(struct bench *b)
{
    for (int i = 0; i < b->n; i++) {
        free(b->parcels[i]);
        free(b->words[i]);
    }
    free(b->parcels);
    free(b->words);
    free(b->counts);
    free(b->start);
    free(b->end);
    free(b->wrong);
}

/* --- kp_route --- */

static int by_route(kp_proc *self, void *argument)
{
    struct bench *b = argument;
    int me = kp_processor(self);
    kp_arrivals arrivals;
    kp_arrival at = {0};
    kp_route_hints hints = {.protocol = b->protocol};
    int status = kp_barrier(kp_world(self));
    b->start[me] = now_ns();
    if (!status)
        status = kp_route(kp_world(self), b->parcels[me], b->each, &arrivals, &hints);
    b->end[me] = now_ns();
    /* No processor verifies while others still route. */
    status = status ? status : kp_barrier(kp_world(self));
    if (status)
        return status;
    for (int source = 0; source < b->n; source++) {
        size_t count = b->counts[source * b->n + me];
        for (uint64_t k = 0; k < count; k++) {
            uint64_t word = 0;
            if (kp_route_next(&arrivals, &at) && at.bytes == 8)
                memcpy(&word, at.data, 8);
            b->wrong[me] |= at.source != source || word != message_of(source, me, k);
        }
    }
    b->wrong[me] |= kp_route_next(&arrivals, &at) != 0;
    if (me == 0)
        b->rounds = arrivals.rounds; /* all processors have the same number of rounds */
    kp_route_free(&arrivals);
    return 0;
}

/* --- kp_indexv --- */

/* The buffers and tables that a processor passes to kp_indexv. */
struct sides {
    uint64_t *out, *in;
    size_t *out_bytes, *in_bytes, *at;
};

static struct sides make_sides(const struct bench *b, int me)
{
    size_t n = (size_t)b->n, total = 0;
    struct sides s = {.out = need(malloc(b->each * 8)),
                      .out_bytes = need(calloc(n, sizeof(size_t))),
                      .in_bytes = need(calloc(n, sizeof(size_t))),
                      .at = need(calloc(n, sizeof(size_t)))};
    for (size_t j = 0; j < n; j++) {
        s.out_bytes[j] = 8 * b->counts[(size_t)me * n + j];
        s.in_bytes[j] = 8 * b->counts[j * n + (size_t)me];
        total += s.in_bytes[j];
    }
    s.in = need(malloc(total + 8));
    memset(s.out, 1, b->each * 8);
    memset(s.in, 1, total);
    return s;
}

static void sort(const struct bench *b, int me, struct sides *s)
{
    size_t at = 0;
    for (int j = 0; j < b->n; j++) {
        s->at[j] = at;
        at += s->out_bytes[j] / 8;
    }
    for (size_t k = 0; k < b->each; k++) {
        const kp_parcel *parcel = &b->parcels[me][k];
        memcpy(&s->out[s->at[parcel->to]++], parcel->data, 8);
    }
}

static int by_indexv_of(kp_proc *self, struct bench *b, bool sorted)
{
    int me = kp_processor(self);
    struct sides s = make_sides(b, me);
    if (sorted)
        sort(b, me, &s);
    int status = kp_barrier(kp_world(self));
    b->start[me] = now_ns();
    if (!sorted)
        sort(b, me, &s);
    if (!status)
        status = kp_indexv(kp_world(self), s.out, s.out_bytes, NULL, s.in, s.in_bytes, NULL, NULL);
    b->end[me] = now_ns();
    status = status ? status : kp_barrier(kp_world(self));
    const uint64_t *at = s.in;
    for (int source = 0; source < b->n && !status; source++) {
        for (uint64_t k = 0; k < s.in_bytes[source] / 8; k++)
            b->wrong[me] |= *at++ != message_of(source, me, k);
    }
    free(s.out);
    free(s.in);
    free(s.out_bytes);
    free(s.in_bytes);
    free(s.at);
    return status;
}

static int by_indexv(kp_proc *self, void *argument)
{
    return by_indexv_of(self, argument, false);
}

static int by_exchange(kp_proc *self, void *argument)
{
    return by_indexv_of(self, argument, true);
}

/* --- Queues --- */

static void append(uint64_t **words, size_t *count, size_t *room, const uint64_t *from, size_t more)
{
    if (*count + more > *room) {
        *room = 2 * (*count + more);
        *words = need(realloc(*words, *room * sizeof **words));
    }
    memcpy(*words + *count, from, more * sizeof **words);
    *count += more;
}

/* The messages that a processor has received so far from one source. */
struct taken {
    uint64_t *words;
    size_t count, room;
};

static void drain(struct bench *b, int me, struct taken *taken)
{
    for (int source = 0; source < b->n; source++) {
        struct queue *queue = &b->queues[source * b->n + me];
        struct taken *t = &taken[source];
        pthread_mutex_lock(&queue->lock);
        append(&t->words, &t->count, &t->room, queue->words, queue->count);
        queue->count = 0;
        pthread_mutex_unlock(&queue->lock);
    }
}

static void send_all(struct bench *b, int me, struct taken *taken)
{
    for (size_t k = 0; k < b->each; k++) {
        const kp_parcel *parcel = &b->parcels[me][k];
        struct queue *queue = &b->queues[me * b->n + parcel->to];
        pthread_mutex_lock(&queue->lock);
        append(&queue->words, &queue->count, &queue->room, parcel->data, 1);
        pthread_mutex_unlock(&queue->lock);
        if (k % DRAIN_EVERY == DRAIN_EVERY - 1)
            drain(b, me, taken);
    }
}

struct one {
    struct bench *bench;
    int me;
};

static void *by_queues(void *argument)
{
    struct one *one = argument;
    struct bench *b = one->bench;
    int me = one->me;
    struct taken *taken = need(calloc((size_t)b->n, sizeof *taken));
    pthread_barrier_wait(&b->meet);
    b->start[me] = now_ns();
    send_all(b, me, taken);
    pthread_barrier_wait(&b->meet); /* after this barrier all messages are in the queues */
    drain(b, me, taken);
    b->end[me] = now_ns();
    pthread_barrier_wait(&b->meet);
    for (int source = 0; source < b->n; source++) {
        size_t count = b->counts[source * b->n + me];
        b->wrong[me] |= taken[source].count != count;
        for (uint64_t k = 0; k < count && k < taken[source].count; k++)
            b->wrong[me] |= taken[source].words[k] != message_of(source, me, k);
        free(taken[source].words);
    }
    free(taken);
    return NULL;
}

static int run_queues(struct bench *b)
{
    size_t pairs = (size_t)b->n * (size_t)b->n;
    struct one ones[MOST_PROCESSORS];
    pthread_t threads[MOST_PROCESSORS];
    b->queues = need(aligned_alloc(64, pairs * sizeof *b->queues));
    memset(b->queues, 0, pairs * sizeof *b->queues);
    for (size_t i = 0; i < pairs; i++)
        pthread_mutex_init(&b->queues[i].lock, NULL);
    pthread_barrier_init(&b->meet, NULL, (unsigned)b->n);
    for (int i = 0; i < b->n; i++) {
        ones[i] = (struct one){b, i};
        if (pthread_create(&threads[i], NULL, by_queues, &ones[i]) != 0)
            exit(1); /* the threads that have started wait for this thread and cannot be ended */
    }
    for (int i = 0; i < b->n; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&b->meet);
    for (size_t i = 0; i < pairs; i++) {
        pthread_mutex_destroy(&b->queues[i].lock);
        free(b->queues[i].words);
    }
    free(b->queues);
    return 0;
}

/* --- All contestants --- */

struct contestant {
    const char *name, *what;
    const char *protocol;
    kp_program *program; /* the program of each processor, or NULL for the contestant with queues */
};

/* The indexes of the two contestants whose ratio is printed. */
#define FULLEST 0
#define INDEXV  3

static const struct contestant contestants[] = {
    [FULLEST] = {"kp_route", "fullest", "fullest", by_route},
    {"kp_route", "balanced", "balanced", by_route},
    {"kp_route", "direct", "direct", by_route},
    [INDEXV] = {"kp_indexv", "sorting included", NULL, by_indexv},
    {"exchange", "kp_indexv without the sorting", NULL, by_exchange},
    {"queues", "a mutex a pair", NULL, NULL},
};

#define CONTESTANTS (sizeof contestants / sizeof contestants[0])

/* Runs the contestant once. Returns the nanoseconds from the first start to the last end. On an
 * error prints an error message and returns -1. */
static int64_t run_once(struct bench *b, const struct contestant *c, kp_machine *machine)
{
    kp_report report;
    b->protocol = c->protocol;
    b->rounds = 0;
    memset(b->wrong, 0, (size_t)b->n);
    if (c->program && kp_machine_run(machine, c->program, b, &report) != 0) {
        fprintf(stderr, "route: %s: %s\n", c->name, report.error.sentence);
        return -1;
    }
    if (!c->program)
        run_queues(b);
    int64_t first = b->start[0], last = b->end[0];
    for (int i = 0; i < b->n; i++) {
        first = b->start[i] < first ? b->start[i] : first;
        last = b->end[i] > last ? b->end[i] : last;
        if (b->wrong[i]) {
            fprintf(stderr, "route: %s: processor %d got something else\n", c->name, i);
            return -1;
        }
    }
    return last - first;
}

/* Times all contestants `repeats` times, in turns, so that a disturbance affects all of them.
 * `best` gets the shortest time of each contestant. */
static int compete(struct bench *b, int repeats, int64_t best[CONTESTANTS],
                   uint64_t rounds[CONTESTANTS])
{
    kp_machine *machine;
    if (kp_machine_create(&(kp_config){.processors = b->n}, &machine) != 0) {
        fprintf(stderr, "route: %s\n", kp_last_error()->sentence);
        return 1;
    }
    for (int repeat = 0; repeat < repeats; repeat++) {
        for (size_t i = 0; i < CONTESTANTS; i++) {
            int64_t ns = run_once(b, &contestants[i], machine);
            if (ns < 0)
                return 1;
            best[i] = repeat == 0 || ns < best[i] ? ns : best[i];
            rounds[i] = b->rounds;
        }
    }
    return kp_machine_destroy(machine);
}

static long number(const char *text, const char *name, long low, long high)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (*end || end == text || value < low || value > high) {
        fprintf(stderr, "route: %s is \"%s\"; it may be %ld ... %ld\n", name, text, low, high);
        exit(2);
    }
    return value;
}

int main(int count, char **arguments)
{
    struct bench b = {.n = 64};
    long messages = 10000000, repeats = 3;
    int64_t best[CONTESTANTS];
    uint64_t rounds[CONTESTANTS];
    if (count > 4) {
        fprintf(stderr, "usage: route [MESSAGES [PROCESSORS [REPEATS]]]\n");
        return 2;
    }
    if (count > 1)
        messages = number(arguments[1], "MESSAGES", 1, 1000000000);
    if (count > 2)
        b.n = (int)number(arguments[2], "PROCESSORS", 1, MOST_PROCESSORS);
    if (count > 3)
        repeats = number(arguments[3], "REPEATS", 1, 1000);
    b.each = ((size_t)messages + (size_t)b.n - 1) / (size_t)b.n;
    make_messages(&b);
    if (compete(&b, (int)repeats, best, rounds) != 0)
        return 1;
    printf("%zu messages of 8 bytes, %d processors, random destinations; best of %ld, verified\n",
           b.each * (size_t)b.n, b.n, repeats);
    for (size_t i = 0; i < CONTESTANTS; i++) {
        printf("  %-9s %-30s %9.2f ms %8.1f million messages/s", contestants[i].name,
               contestants[i].what, (double)best[i] / 1e6,
               (double)(b.each * (size_t)b.n) * 1e3 / (double)best[i]);
        printf(rounds[i] ? "  %" PRIu64 " rounds\n" : "\n", rounds[i]);
    }
    printf("kp_route (%s) has %.2f of the throughput of kp_indexv (%s); 0.50 is wanted\n",
           contestants[FULLEST].what, (double)best[INDEXV] / (double)best[FULLEST],
           contestants[INDEXV].what);
    free_messages(&b);
    return 0;
}
