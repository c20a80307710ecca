/* The table of the benchmark's rows, with the limits that kport must keep in each row. */
#include "row.h"

#include "apps/whole.h"

#include <stdio.h>

#define KIB 1024u
#define MIB (1024u * 1024u)

static struct row table[160];
static size_t used;

static const char *const names[OPERATIONS] = {
    [BARRIER] = "barrier",       [INDEX] = "index",           [CONCAT] = "concat",
    [BROADCAST] = "broadcast",   [SCATTER] = "scatter",       [GATHER] = "gather",
    [ROUND_TRIP] = "round-trip", [THROUGHPUT] = "throughput", [CREATE] = "create",
    [FIBERS] = "fibers",         [PROGRAM] = "programs",      [WHOLE] = "apps",
    [PING_PONG] = "ping-pong",   [WINDOW] = "window",
};

static const char *const thresholds[] = {
    [EAGER] = "eager", [SHARED] = "shared", [PAST] = "past-cache"};

static struct row *add(struct job job)
{
    struct row *row = &table[used++];
    row->job = job;
    const char *list = job.operation == WHOLE     ? wholes[job.list]->name
                       : job.operation == PROGRAM ? list_name(job.list)
                       : job.threshold            ? thresholds[job.threshold]
                                                  : "";
    int length = snprintf(row->name, sizeof row->name, "%s:%s%sn=%d",
                          job.threshold ? "thresholds" : names[job.operation], list,
                          list[0] ? "," : "", job.n);
    const struct {
        const char *key;
        long value;
    } keys[] = {{"k", job.k}, {"r", job.radix}, {"b", job.operation == WHOLE ? 0 : (long)job.b}};
    for (int i = 0; i < 3; i++) {
        if (keys[i].value)
            length += snprintf(row->name + length, sizeof row->name - (size_t)length, ",%s=%ld",
                               keys[i].key, keys[i].value);
    }
    snprintf(row->name + length, sizeof row->name - (size_t)length, "%s%s%s%s%s%s",
             job.pin ? ",pinned" : "", job.fibers ? ",fibers" : "", job.batch ? ",batch" : "",
             job.halves ? ",halves" : "", job.before ? ",after-send-recv" : "",
             job.started ? ",started" : "");
    return row;
}

static void add_limit(struct row *row, struct limit limit)
{
    for (int i = 0; i < MOST_LIMITS; i++) {
        if (row->limits[i].at_most == 0) {
            row->limits[i] = limit;
            return;
        }
    }
}

static void limit(struct row *row, unsigned against, double at_most, const char *name)
{
    add_limit(row, (struct limit){against, at_most, name, .upper = false});
}

static void limit_bound(struct row *row, unsigned against, double at_most, const char *name)
{
    add_limit(row, (struct limit){against, at_most, name, .upper = true});
}

static void add_barriers(void)
{
    static const int sizes[] = {2, 64, 1024};
    for (int i = 0; i < 3; i++)
        limit(add((struct job){.operation = BARRIER, .n = sizes[i], .pin = sizes[i] == 2}), HAND,
              1.15, "best by hand");
}

static void add_small_indexes(void)
{
    struct row *row = add((struct job){.operation = INDEX, .n = 2, .b = 8, .pin = 1});
    row->repetitions = 31;
    limit(row, ONE_BARRIER, 1.5, "one best barrier");
    limit(row, OPENMPI, 0.6, "Open MPI");
    row = add((struct job){.operation = INDEX, .n = 64, .k = 63, .b = 8});
    limit(row, HAND, 1.15, "best by hand");
    limit(row, OPENMPI, 0.10, "Open MPI");
    limit(row, PTHREAD, 0.25, "pthread_barrier_t");
    row = add((struct job){.operation = INDEX, .n = 64, .k = 63, .b = 8, .fibers = 1});
    limit(row, LOOPS, 1.5, "the schedule as loops");
    limit(row, OPENMPI, 0.03, "Open MPI");
    row = add((struct job){.operation = INDEX, .n = 64, .k = 1, .radix = 2, .b = 8, .fibers = 1});
    limit(row, KPORT_THREADS, 0.15, "threads");
}

static void add_large(void)
{
    static const struct {
        struct job job;
        double hand, mpi;
    } large[] = {
        {{.operation = INDEX, .n = 8, .b = 64 * KIB}, 1.1, 0.4},
        {{.operation = CONCAT, .n = 8, .b = 64 * KIB}, 1.1, 0.4},
        {{.operation = INDEX, .n = 64, .b = 64 * KIB}, 0.9, 0.6},
        {{.operation = INDEX, .n = 8, .b = MIB}, 0.9, 0.6},
    };
    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++) {
        struct row *row = add(large[i].job);
        limit(row, HAND, large[i].hand, "best by hand");
        limit(row, OPENMPI, large[i].mpi, "Open MPI");
    }
}

static void add_rooted(int batch)
{
    static const int operations[] = {BROADCAST, SCATTER, GATHER}, sizes[] = {2, 8, 64};
    static const uint64_t blocks[] = {8, 4 * KIB, MIB};
    for (int o = 0; o < 3; o++) {
        for (int s = 0; s < 3; s++) {
            for (int b = 0; b < 3; b++) {
                struct row *row = add((struct job){.operation = operations[o],
                                                   .n = sizes[s],
                                                   .b = blocks[b],
                                                   .pin = sizes[s] == 2,
                                                   .batch = batch});
                limit(row, PEERS, 1, "best peer");
                if (!batch)
                    continue;
                limit(row, OPENMPI | MPICH, 1, "best MPI");
                limit(row, AHEAD, 1, "a ring for this alone");
            }
        }
    }
}

static void add_basics(void)
{
    limit(add((struct job){.operation = ROUND_TRIP, .n = 2, .pin = 1, .b = 8}), BOOST | CK, 1,
          "boost, ck");
    limit(add((struct job){.operation = THROUGHPUT, .n = 2, .pin = 1, .b = 8}), BOOST | CK, 1,
          "boost, ck");
    limit(add((struct job){.operation = CREATE, .n = 4096}), PTHREAD, 1.2, "bare pthread_create");
    struct row *row = add((struct job){.operation = BARRIER, .n = 4096, .fibers = 1});
    row->per_processor = true;
    limit(row, KPORT_SMALLER, 3, "n = 64, a processor");
    row = add((struct job){.operation = FIBERS, .n = 100000, .k = 8, .fibers = 1});
    row->seconds = 10;
    row->gib = 4;
}

/* Adds rows about messages with tags, and about calls that do not block. */
static void add_requests(void)
{
    for (int fibers = 0; fibers < 2; fibers++) {
        const struct job two = {.n = 2, .b = 8, .pin = !fibers, .fibers = fibers};
        struct job job = two;
        job.operation = PING_PONG;
        struct row *row = add(job);
        limit(row, MAILBOX_WORDS, 1.3, "a round trip by mailboxes");
        limit(row, OPENMPI, 0.6, "Open MPI");
        job.operation = WINDOW;
        limit(add(job), OPENMPI, 1, "Open MPI");
        job.operation = INDEX;
        job.started = 1;
        row = add(job);
        row->repetitions = 31;
        limit(row, KPORT_BLOCKING, 1.25, "the blocking call");
        job.n = 8;
        job.pin = 0;
        row = add(job);
        row->repetitions = 31;
        limit(row, KPORT_BLOCKING, 1.25, "the blocking call");
    }
}

#define REPETITIONS_OF_PROGRAMS 31

static void add_program(struct job job)
{
    job.operation = PROGRAM;
    struct row *row = add(job);
    row->repetitions = REPETITIONS_OF_PROGRAMS;
    if (job.before) {
        limit_bound(row, KPORT_WITHOUT, 1.02, "without it");
        return;
    }
    limit_bound(row, KPORT_ALONE, 1.08, "each call alone");
    limit_bound(row, HAND, 1.15, "the same by hand");
}

static void add_programs(void)
{
    static const struct job machines[] = {{.n = 2}, {.n = 8}, {.n = 64}, {.n = 64, .fibers = 1}};
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        struct job job = machines[i];
        for (job.list = 0; job.list < LISTS; job.list++)
            add_program(job);
        job.list = LIST_FIVE;
        job.before = 1;
        add_program(job);
    }
    add_program((struct job){.n = 8, .list = LIST_FIVE, .halves = 1});
    add_program((struct job){.n = 64, .list = LIST_FIVE, .halves = 1});
}

/* Adds rows that show whether kport's thresholds are right. For each threshold there are lengths
 * below and above the values that the threshold has on different processors. */
static void add_thresholds(void)
{
    static const struct job jobs[] = {
        {.operation = INDEX, .threshold = EAGER, .n = 2, .b = 512},
        {.operation = INDEX, .threshold = EAGER, .n = 2, .b = KIB},
        {.operation = INDEX, .threshold = EAGER, .n = 2, .b = 2 * KIB},
        {.operation = INDEX, .threshold = EAGER, .n = 2, .b = 4 * KIB},
        {.operation = INDEX, .threshold = EAGER, .n = 2, .b = 8 * KIB},
        {.operation = INDEX, .threshold = EAGER, .n = 8, .b = 512},
        {.operation = INDEX, .threshold = EAGER, .n = 8, .b = 2 * KIB},
        {.operation = INDEX, .threshold = EAGER, .n = 8, .b = 4 * KIB},
        {.operation = INDEX, .threshold = EAGER, .n = 64, .b = 64},
        {.operation = INDEX, .threshold = EAGER, .n = 64, .b = 256},
        {.operation = INDEX, .threshold = EAGER, .n = 64, .b = KIB},
        {.operation = BROADCAST, .threshold = SHARED, .n = 2, .b = 16 * KIB},
        {.operation = BROADCAST, .threshold = SHARED, .n = 2, .b = 32 * KIB},
        {.operation = BROADCAST, .threshold = SHARED, .n = 2, .b = 64 * KIB},
        {.operation = BROADCAST, .threshold = SHARED, .n = 2, .b = 256 * KIB},
        {.operation = BROADCAST, .threshold = PAST, .n = 2, .b = 4 * MIB},
        {.operation = BROADCAST, .threshold = PAST, .n = 2, .b = 64 * MIB},
    };
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++) {
        struct job job = jobs[i];
        job.pin = job.n == 2;
        limit(add(job), KPORT_SET, 1.1, "the better way");
    }
}

/* Adds the whole programs, with limits against the same programs written with threads by hand, and
 * with MPI. */
static void add_wholes(bool tiny)
{
    static const int sizes[] = {2, 8, 64};
    for (int i = 0; i < WHOLES; i++) {
        for (int s = 0; s < 3; s++) {
            uint64_t size = tiny ? wholes[i]->tiny : wholes[i]->size;
            struct row *row =
                add((struct job){.operation = WHOLE, .n = sizes[s], .list = i, .b = size});
            if (tiny)
                strncat(row->name, ",tiny", sizeof row->name - strlen(row->name) - 1);
            limit_bound(row, OPENMP | PTHREAD | STD | OPENMPI, 1.03, "the best of the others");
        }
    }
}

const struct row *rows(bool tiny, size_t *count)
{
    if (used == 0) {
        add_barriers();
        add_small_indexes();
        add_large();
        add_rooted(0);
        add_rooted(1);
        add_basics();
        add_requests();
        add_programs();
        add_thresholds();
        add_wholes(tiny);
    }
    *count = used;
    return table;
}
