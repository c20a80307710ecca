/* Compares the supersteps of bsp.h with kport's own calls, and with queues written by hand, on the
 * same processors. A batch of each contestant follows a batch of the next one, in turns.
 *
 *   sync    an empty superstep, beside kp_barrier
 *   hpput   a total exchange, each process a block for each, beside kp_index of these blocks
 *   put     the same by bsp_put
 *   puts    random messages of 8 bytes, h from each process, by bsp_put to scattered places, beside
 *           kp_route of the same messages
 *   sends   the same by bsp_send and bsp_move
 *
 * The third contestant is the way of MulticoreBSP, as it is described in public: each pair of
 * processes has a queue, the sender appends to it, and between two barriers the receiver empties
 * it. Before each exchange every contestant writes to each cache line that it sends, because a
 * program sends what it has just computed. `ratio` is the median of bsp.h's time divided by the
 * peer's, pair by pair, and `by hand` that of bsp.h's time divided by the third contestant's. Every
 * batch is verified.
 *
 * usage: bench_bsp [PROCESSES [threads|fibers [BATCHES [ROW [MOST_H]]]]] */
#include "lib/bsp/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_BATCHES 200
#define CONTESTANTS  3

enum kind {
    SYNC,
    HPPUT,
    PUT,
    PUTS,
    SENDS,
    KINDS
};

static const char *const names[KINDS] = {"sync", "hpput", "put", "puts", "sends"};
static const double limits[KINDS] = {1.3, 1.15, 2.1, 1 / 0.9, 1 / 0.9};

static const struct row {
    enum kind kind;
    size_t size; /* bytes of a block, or h */
} rows[] = {{SYNC, 0},      {HPPUT, 8},     {HPPUT, 64},   {HPPUT, 1024},  {HPPUT, 8192},
            {HPPUT, 65536}, {PUT, 8},       {PUT, 64},     {PUT, 1024},    {PUT, 8192},
            {PUT, 65536},   {PUTS, 1000},   {PUTS, 10000}, {PUTS, 100000}, {SENDS, 1000},
            {SENDS, 10000}, {SENDS, 100000}};

/* A queue of one pair, written by hand. */
struct hand_queue {
    _Alignas(64) char *data;
    size_t used, room;
};

struct hand_put {
    char *to;
    size_t bytes;
};

static struct bench {
    int n, batches;
    const struct row *row;
    size_t block; /* bytes of a block of the row, or of a message */
    size_t h;
    int repeats;
    size_t *counts; /* by sender and receiver: how many random messages */
    struct hand_queue *queues;
    char **blocks; /* what each process has registered */
    double us[CONTESTANTS][MOST_BATCHES];
} bench;

/* What one process has. */
struct member {
    kp_group *group;
    int me;
    char *out, *in;
    int *to;         /* of each random message */
    size_t *offsets; /* where bsp_put writes it */
    kp_parcel *parcels;
    uint64_t sum; /* of the random messages that came */
};

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void *need(void *memory)
{
    if (!memory) {
        fprintf(stderr, "bench_bsp: there is not enough memory\n");
        exit(1);
    }
    return memory;
}

static void must(int status)
{
    if (status) {
        fprintf(stderr, "bench_bsp: %s\n", kp_strerror(status));
        exit(1);
    }
}

static uint64_t next(uint64_t *state)
{
    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

#define AT __FILE__, __LINE__

/* --- Total exchanges --- */

/* Computes something new: a number in each cache line. */
static void compute(struct member *m)
{
    for (size_t i = 0; i < (size_t)bench.n * bench.block; i += 64)
        m->out[i]++;
}

static void exchange_by_bsp(struct member *m)
{
    const int n = bench.n;
    const size_t b = bench.block, offset = (size_t)m->me * b;
    const char *out = m->out;
    void *in = m->in;
    if (bench.row->kind == HPPUT) {
        for (int i = 0; i < n; i++)
            kp_bsp_hpput_inline(AT, i, out + (size_t)i * b, in, offset, b);
    } else {
        for (int i = 0; i < n; i++)
            kp_bsp_put_inline(AT, i, out + (size_t)i * b, in, offset, b);
    }
    kp_bsp_sync(AT);
}

static void append(const struct member *m, int to, char *address, const char *data, size_t bytes)
{
    struct hand_queue *queue = &bench.queues[m->me * bench.n + to];
    const size_t more = sizeof(struct hand_put) + ((bytes + 7) & ~(size_t)7);
    if (queue->room - queue->used < more) {
        queue->room = 2 * queue->room + more;
        queue->data = need(realloc(queue->data, queue->room));
    }
    struct hand_put *put = (void *)(queue->data + queue->used);
    *put = (struct hand_put){address, bytes};
    memcpy(put + 1, data, bytes);
    queue->used += more;
}

/* Between two barriers each process empties the queues to it. */
static void sync_by_hand(struct member *m)
{
    must(kp_barrier(m->group));
    for (int from = 0; from < bench.n; from++) {
        struct hand_queue *queue = &bench.queues[from * bench.n + m->me];
        for (size_t at = 0; at < queue->used;) {
            const struct hand_put *put = (const void *)(queue->data + at);
            memcpy(put->to, put + 1, put->bytes);
            at += sizeof *put + ((put->bytes + 7) & ~(size_t)7);
        }
        queue->used = 0;
    }
    must(kp_barrier(m->group));
}

static void exchange_by_hand(struct member *m)
{
    const size_t b = bench.block;
    for (int i = 0; i < bench.n; i++)
        append(m, i, bench.blocks[i] + (size_t)m->me * b, m->out + (size_t)i * b, b);
    sync_by_hand(m);
}

static void check_exchange(const struct member *m)
{
    for (int i = 0; i < bench.n; i++) {
        const char *block = m->in + (size_t)i * bench.block;
        const char expected = (char)(i * 31 + m->me * 7 + 1);
        if (block[1] != expected || block[bench.block - 1] != expected) {
            fprintf(stderr, "bench_bsp: a byte of a total exchange is wrong\n");
            exit(1);
        }
    }
    memset(m->in, 0, (size_t)bench.n * bench.block);
}

/* --- Random messages of 8 bytes --- */

static uint64_t add_up(const struct member *m)
{
    uint64_t sum = 0, count = 0;
    for (int i = 0; i < bench.n; i++)
        count += bench.counts[i * bench.n + m->me];
    for (size_t i = 0; i < count; i++)
        sum += ((const uint64_t *)(const void *)m->in)[i];
    return sum;
}

static void messages_by_bsp(struct member *m)
{
    const bool puts = bench.row->kind == PUTS;
    for (size_t i = 0; i < bench.h; i++) {
        if (puts)
            kp_bsp_put_inline(AT, m->to[i], m->out + 8 * i, m->in, m->offsets[i], 8);
        else
            kp_bsp_send_inline(AT, m->to[i], NULL, m->out + 8 * i, 8);
    }
    kp_bsp_sync(AT);
    size_t count = 0;
    m->sum = 0;
    if (puts) {
        m->sum = add_up(m);
        return;
    }
    kp_bsp_qsize(AT, &count, sizeof count, NULL, 0);
    for (size_t i = 0; i < count; i++) {
        uint64_t word;
        kp_bsp_move_inline(AT, &word, sizeof word);
        m->sum += word;
    }
}

static void messages_by_route(struct member *m)
{
    kp_arrivals arrivals;
    kp_arrival arrival = {0};
    must(kp_route(m->group, m->parcels, bench.h, &arrivals, NULL));
    m->sum = 0;
    while (kp_route_next(&arrivals, &arrival)) {
        uint64_t word;
        memcpy(&word, arrival.data, sizeof word);
        m->sum += word;
    }
    kp_route_free(&arrivals);
}

static void messages_by_hand(struct member *m)
{
    for (size_t i = 0; i < bench.h; i++)
        append(m, m->to[i], bench.blocks[m->to[i]] + m->offsets[i], m->out + 8 * i, 8);
    sync_by_hand(m);
    m->sum = add_up(m);
}

static void check_messages(const struct member *m, uint64_t expected)
{
    if (m->sum != expected) {
        fprintf(stderr, "bench_bsp: the sum of the messages is wrong\n");
        exit(1);
    }
}

/* --- A batch --- */

static void carry_out(struct member *m, int contestant)
{
    const enum kind kind = bench.row->kind;
    if (kind == HPPUT || kind == PUT)
        compute(m);
    if (kind == SYNC && contestant == 0)
        kp_bsp_sync(AT);
    else if (kind == SYNC && contestant == 1)
        must(kp_barrier(m->group));
    else if (kind == SYNC)
        sync_by_hand(m);
    else if (contestant == 0)
        (kind < PUTS ? exchange_by_bsp : messages_by_bsp)(m);
    else if (contestant == 2)
        (kind < PUTS ? exchange_by_hand : messages_by_hand)(m);
    else if (kind < PUTS)
        must(kp_index(m->group, m->out, m->in, bench.block, NULL));
    else
        messages_by_route(m);
}

/* What the random messages to this process add up to. */
static uint64_t expected_sum(int me)
{
    uint64_t sum = 0;
    for (int from = 0; from < bench.n; from++) {
        uint64_t state = (uint64_t)from;
        for (size_t i = 0; i < bench.h; i++) {
            const int to = (int)(next(&state) % (uint64_t)bench.n);
            sum += to == me ? ((uint64_t)from << 32) + i : 0;
        }
    }
    return sum;
}

static void draw_messages(struct member *m)
{
    const size_t n = (size_t)bench.n;
    uint64_t state = (uint64_t)m->me;
    size_t *sent = need(calloc(n, sizeof *sent)), *first = need(calloc(n, sizeof *first));
    for (size_t i = 0; i < bench.h; i++) {
        m->to[i] = (int)(next(&state) % (uint64_t)bench.n);
        bench.counts[(size_t)m->me * n + (size_t)m->to[i]]++;
        ((uint64_t *)(void *)m->out)[i] = ((uint64_t)m->me << 32) + i;
        m->parcels[i] = (kp_parcel){m->to[i], m->out + 8 * i, 8};
    }
    must(kp_barrier(m->group));
    for (size_t to = 0; to < n; to++) {
        for (size_t from = 0; from < (size_t)m->me; from++)
            first[to] += bench.counts[from * n + to];
    }
    /* Neighbours in the order of sending do not lie beside each other. */
    for (size_t i = 0; i < bench.h; i++) {
        const size_t to = (size_t)m->to[i], count = bench.counts[(size_t)m->me * n + to];
        const size_t k = sent[to]++, half = (count + 1) / 2;
        m->offsets[i] = 8 * (first[to] + (k % 2 ? half + k / 2 : k / 2));
    }
    free(sent);
    free(first);
}

static void time_contestant(struct member *m, int contestant, int batch)
{
    must(kp_barrier(m->group));
    const double begin = now_us();
    for (int i = 0; i < bench.repeats; i++)
        carry_out(m, contestant);
    must(kp_barrier(m->group));
    if (m->me == 0 && batch >= 0)
        bench.us[contestant][batch] = (now_us() - begin) / bench.repeats;
    must(kp_barrier(m->group));
}

static int process(int number, void *argument)
{
    (void)argument;
    kp_bsp_begin(AT, bench.n);
    struct kp_bsp_process *self = kp_face_data();
    const bool random = bench.row->kind >= PUTS;
    const size_t n = (size_t)bench.n;
    const size_t room = random ? 8 * (2 * bench.h + 1000) : n * bench.block + 8;
    struct member m = {.group = self->group, .me = number};
    m.out = need(malloc(room));
    bench.blocks[number] = m.in = need(calloc(room, 1));
    m.to = need(calloc(bench.h + 1, sizeof *m.to));
    m.offsets = need(calloc(bench.h + 1, sizeof *m.offsets));
    m.parcels = need(calloc(bench.h + 1, sizeof *m.parcels));
    for (size_t i = 0; i < n && !random; i++)
        memset(m.out + i * bench.block, (char)(number * 31 + (int)i * 7 + 1), bench.block);
    if (random)
        draw_messages(&m);
    const uint64_t expected = random ? expected_sum(number) : 0;
    kp_bsp_push_reg(AT, m.in, room);
    kp_bsp_sync(AT);
    for (int batch = -1; batch < bench.batches; batch++) {
        for (int contestant = 0; contestant < CONTESTANTS; contestant++) {
            time_contestant(&m, contestant, batch);
            if (random)
                check_messages(&m, expected);
            else if (bench.row->kind != SYNC)
                check_exchange(&m);
        }
    }
    kp_bsp_end(AT);
    free(m.out);
    free(m.in);
    free(m.to);
    free(m.offsets);
    free(m.parcels);
    return 0;
}

/* --- The table --- */

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static double median(double *values)
{
    qsort(values, (size_t)bench.batches, sizeof *values, ascending);
    return values[bench.batches / 2];
}

static double ratio_to(int contestant)
{
    static double ratios[MOST_BATCHES];
    for (int i = 0; i < bench.batches; i++)
        ratios[i] = bench.us[0][i] / bench.us[contestant][i];
    return median(ratios);
}

static void print_row(const char *carrier)
{
    const struct row *row = bench.row;
    const double ratio = ratio_to(1), by_hand = ratio_to(2);
    const double limit = row->kind == PUT && row->size <= 1024 ? 1.15 : limits[row->kind];
    printf("%-6s %7zu %4d %-8s %12.3f %12.3f %7.2f %6.2f %8.2f\n", names[row->kind], row->size,
           bench.n, carrier, median(bench.us[0]), median(bench.us[1]), ratio, limit, by_hand);
    fflush(stdout);
}

static void run_row(const struct row *row, bool threads, int batches)
{
    const size_t n = (size_t)bench.n;
    int status = 0;
    const size_t moved = n * n * (row->kind < PUTS ? row->size + 20 : row->size);
    bench.row = row;
    bench.block = row->kind < PUTS ? row->size : 8;
    bench.h = row->kind < PUTS ? 0 : row->size;
    bench.repeats = (int)(2000000 / (moved + 1000 * n));
    bench.repeats = bench.repeats < 1 ? 1 : bench.repeats;
    bench.batches = row->kind >= PUTS && row->size * n > 1000000 && batches > 15 ? 15 : batches;
    bench.counts = need(calloc(n * n, sizeof *bench.counts));
    bench.queues = need(aligned_alloc(64, n * n * sizeof *bench.queues));
    memset(bench.queues, 0, n * n * sizeof *bench.queues);
    bench.blocks = need(calloc(n, sizeof *bench.blocks));
    const struct kp_bsp_job job = {
        .config = {.processors = bench.n,
                   .carrier = threads ? KP_CARRIER_THREADS : KP_CARRIER_FIBERS}};
    must(kp_bsp_run(&job, process, NULL, NULL, &status));
    print_row(threads ? "threads" : "fibers");
    for (size_t i = 0; i < n * n; i++)
        free(bench.queues[i].data);
    free(bench.queues);
    free(bench.counts);
    free(bench.blocks);
}

int main(int argc, char **argv)
{
    bench.n = argc > 1 ? atoi(argv[1]) : 8;
    const bool threads = argc <= 2 || strcmp(argv[2], "fibers") != 0;
    const int batches = argc > 3 ? atoi(argv[3]) : 21;
    const char *only = argc > 4 ? argv[4] : "";
    const size_t most_h = argc > 5 ? strtoull(argv[5], NULL, 10) : 100000;
    if (bench.n < 1 || bench.n > 1024 || batches < 1 || batches > MOST_BATCHES) {
        fprintf(stderr, "usage: bench_bsp [PROCESSES [threads|fibers [BATCHES [ROW [MOST_H]]]]]\n");
        return 2;
    }
    if (!threads && !kp_fibers())
        return 0;
    printf("%-6s %7s %4s %-8s %12s %12s %7s %6s %8s\n", "row", "size", "n", "carrier", "bsp, us",
           "peer, us", "ratio", "limit", "by hand");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].size <= most_h && (!*only || strcmp(only, names[rows[i].kind]) == 0))
            run_row(&rows[i], threads, batches);
    }
    return 0;
}
