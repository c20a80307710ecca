/* Tests long scatters and broadcasts among fibers. All members read the memory of one, the source.
 * Those that come after the source read at once, and may leave the call before the others come. */
#include "tests/common/machine_common.h"
#include "tests/common/profile_common.h"

#include "kport.h"
#include "lib/call/face.h"

#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>

/* In bytes: too long to be packed. */
#define LONG  40004
#define CALLS scaled(60, 300, 2000)

static kp_report report;

static kp_machine *fibers(int processors, int workers, uint64_t seed, const kp_profile *profile)
{
    kp_machine *machine;
    const kp_config config = {.processors = processors,
                              .carrier = KP_CARRIER_FIBERS,
                              .workers = workers,
                              .seed = seed,
                              .profile = profile};
    assert_int_equal(kp_machine_create(&config, &machine), 0);
    return machine;
}

/* Makes a call, from its second time on without its arguments, so that the member may leave it. */
static int make(kp_group *group, const kp_arguments *a, struct kp_face_kept *kept)
{
    int status = KP_FACE_FORGOTTEN;
    if (kept->call)
        status = kp_face_again(group, kept, a->out, a->in, true);
    if (status == KP_FACE_FORGOTTEN) {
        status = a->operation == KP_SCATTER ? kp_scatter(group, a->out, a->in, a->b, a->root, NULL)
                                            : kp_broadcast(group, a->in, a->b, a->root, NULL);
        status = status ? status : kp_face_come_back(group);
        *kept = kp_face_keep(group, a);
    }
    return status;
}

static kp_arguments scatter(void *out, void *in, size_t b, int root)
{
    return (kp_arguments){.operation = KP_SCATTER, .out = out, .in = in, .b = b, .root = root};
}

static kp_arguments broadcast(void *in, size_t b, int root)
{
    return (kp_arguments){.operation = KP_BROADCAST, .in = in, .b = b, .root = root};
}

/* --- Any order of calls --- */

struct order {
    uint64_t seed;
    int calls;
};

/* Tells the blocks of all calls apart. */
static uint64_t key_of(int call, int to)
{
    return (uint64_t)call * MOST_PROCESSORS + (uint64_t)to;
}

/* All members draw the same calls, and each has a delay of its own before some of them. The source
 * writes other data as soon as the call is over. */
static int any_order(kp_proc *self, void *arg)
{
    enum {
        LENGTHS = 3,
        MOST = 16
    };
    static const size_t lengths[LENGTHS] = {LONG, 8, 2 * LONG + 8};
    const struct order *order = arg;
    kp_group *world = kp_world(self);
    const int n = kp_size(world), me = kp_rank(world);
    struct kp_face_kept kept[2][LENGTHS][MOST] = {0};
    unsigned char *out = malloc((size_t)n * lengths[2]), *in = malloc(lengths[2]);
    uint64_t state = order->seed, own = order->seed + 1000 * (uint64_t)(me + 1);
    NEED(self, out && in);
    for (int call = 0; call < order->calls; call++) {
        const int kind = random_below(&state, 5), root = random_below(&state, n);
        const int length = random_below(&state, LENGTHS);
        const bool scatters = kind > 2;
        const size_t b = lengths[length];
        random_delay(&own, 50);
        if (kind == 0) {
            NEED(self, kp_barrier(world) == 0);
            continue;
        }
        for (int to = 0; me == root && to < (scatters ? n : 1); to++)
            fill((scatters ? out : in) + (size_t)to * b, b, key_of(call, to));
        const kp_arguments a = scatters ? scatter(out, in, b, root) : broadcast(in, b, root);
        NEED(self, make(world, &a, &kept[scatters][length][root]) == 0);
        NEED(self, holds(in, b, key_of(call, scatters ? me : 0)));
        memset(out, 0xee, (size_t)n * lengths[2]);
        memset(in, 0xee, lengths[2]);
    }
    NEED(self, kp_face_come_back(world) == 0);
    free(in);
    free(out);
    return 0;
}

static void run_any_order(int n, int workers, uint64_t seed, const kp_profile *profile)
{
    kp_machine *machine = fibers(n, workers, seed, profile);
    struct order order = {.seed = seed + (uint64_t)(n * 10 + workers), .calls = CALLS};
    assert_good(kp_machine_run(machine, any_order, &order, &report), &report);
    kp_machine_destroy(machine);
}

static void test_any_order(void **state)
{
    (void)state;
    if (!kp_fibers())
        skip();
    for (int n = 3; n <= 8; n++) {
        for (int workers = 1; workers <= 4 && workers <= n; workers++) {
            for (uint64_t seed = 0; seed < 3; seed++)
                run_any_order(n, workers, seed, NULL);
        }
    }
}

/* A broadcast is read early if it moves more than the caches hold, among many members. */
static void test_small_caches(void **state)
{
    (void)state;
    if (!kp_fibers())
        skip();
    kp_profile *profile = read_small_caches();
    for (uint64_t seed = 0; seed < 3; seed++) {
        run_any_order(8, 1, seed, profile);
        run_any_order(16, 2, seed, profile);
    }
    kp_profile_free(profile);
}

/* --- A reader leaves the call before another one comes --- */

enum {
    TRIES = 200
};

static _Atomic int left, comes; /* how many times the reader has left; the source comes */
static int waited;              /* how many times the last member saw that the reader had left */

static int leaves(kp_proc *self, void *arg)
{
    kp_group *world = kp_world(self);
    const int me = kp_rank(world);
    (void)arg;
    unsigned char *out = calloc(3, LONG), *in = calloc(1, LONG);
    struct kp_face_kept kept = {.call = NULL};
    NEED(self, out && in);
    for (int i = 0; i < TRIES; i++) {
        const kp_arguments a = scatter(out, in, LONG, 0);
        if (me == 0)
            atomic_store(&comes, i);
        while (me == 1 && atomic_load(&comes) < i)
            sched_yield();
        if (me == 1 && i > 1)
            nap(1);
        for (int looks = 0; me == 2 && i > 1 && looks < 40 && atomic_load(&left) < i; looks++)
            nap(1);
        if (me == 2 && i > 1 && atomic_load(&left) == i)
            waited++;
        NEED(self, make(world, &a, &kept) == 0);
        if (me == 1)
            atomic_store(&left, i);
        if (me == 2 && waited >= 5)
            atomic_store(&left, TRIES);
    }
    NEED(self, kp_face_come_back(world) == 0);
    free(in);
    free(out);
    return 0;
}

static void test_leaves(void **state)
{
    (void)state;
    if (!kp_fibers())
        skip();
    kp_machine *machine = fibers(3, 3, 0, NULL);
    atomic_store(&left, -1);
    atomic_store(&comes, -1);
    waited = 0;
    assert_good(kp_machine_run(machine, leaves, NULL, &report), &report);
    assert_true(waited >= 5);
    kp_machine_destroy(machine);
}

/* --- Failures --- */

static bool is_all(const unsigned char *in, size_t bytes, unsigned char value)
{
    return in[0] == value && memcmp(in, in + 1, bytes - 1) == 0;
}

/* In bytes: copying them takes some 0.1 ms. */
#define VERY_LONG ((size_t)24 * LONG)
#define FAILS     2 /* the call in which one fails; from call 1 on members leave early */

/* The source ends with an error, and overwrites its memory, while others may still read. */
static int fails(kp_proc *self, void *arg)
{
    kp_group *world = kp_world(self);
    const int n = kp_size(world), me = kp_rank(world);
    const size_t all = (size_t)n * VERY_LONG;
    uint64_t own = *(const uint64_t *)arg + 1000 * (uint64_t)(me + 1);
    struct kp_face_kept kept = {.call = NULL};
    unsigned char *in = malloc(VERY_LONG), *out = malloc(me == 0 ? all : 1);
    int status = 0;
    NEED(self, in && out);
    for (int i = 0; i <= FAILS && !status; i++) {
        if (me == 0)
            memset(out, i, all);
        const kp_arguments a = scatter(out, in, VERY_LONG, 0);
        /* When one fails, the source is there, and the others are about to come. */
        NEED(self, kp_barrier(world) == 0);
        nap(me > 0 ? random_below(&own, 300) : 0);
        status = me == n - 1 && i == FAILS ? kp_fail(self, "on purpose") : make(world, &a, &kept);
        if (!status && !is_all(in, VERY_LONG, (unsigned char)i))
            status = WRONG_BYTES;
        const size_t part = VERY_LONG / 4; /* the end first: others read from the beginning */
        for (size_t at = all; me == 0 && at > 0; at -= part)
            memset(out + at - part, 0xee, part);
    }
    if (!status)
        status = kp_face_come_back(world);
    free(out);
    free(in);
    return keep(self, status);
}

static void test_fails(void **state)
{
    (void)state;
    if (!kp_fibers())
        skip();
    for (uint64_t seed = 0; seed < (uint64_t)scaled(10, 40, 400); seed++) {
        kp_machine *machine = fibers(4, 4, 0, NULL);
        assert_int_not_equal(kp_machine_run(machine, fails, &seed, &report), 0);
        for (int i = 0; i < 4; i++)
            assert_int_equal(outcomes[i].status, KP_EFAILED);
        kp_machine_destroy(machine);
    }
}

/* A reader stops in the middle of the source's memory, at a page that cannot be read for a while.
 * Another member fails meanwhile. The source must not end before the reader goes on. */
#define PAGE ((size_t)4096)

static unsigned char *closed;         /* the page */
static _Atomic int stopped, returned; /* the reader has stopped there; the source's call is over */
static int too_early;                 /* `returned` when the reader goes on */

static void stop(int signal)
{
    (void)signal;
    atomic_store(&stopped, 1);
    nap(30000);
    too_early = atomic_load(&returned);
    (void)mprotect(closed, PAGE, PROT_READ | PROT_WRITE);
}

static int fails_meanwhile(kp_proc *self, void *arg)
{
    kp_group *world = kp_world(self);
    const int me = kp_rank(world);
    const size_t b = 12 * PAGE;
    struct kp_face_kept kept = {.call = NULL};
    unsigned char *out = arg, *in = malloc(b);
    NEED(self, in);
    const kp_arguments a = scatter(out, in, b, 0);
    NEED(self, make(world, &a, &kept) == 0);
    closed = out + b + 8 * PAGE;
    NEED(self, kp_barrier(world) == 0 && (me > 0 || mprotect(closed, PAGE, PROT_NONE) == 0));
    NEED(self, kp_barrier(world) == 0);
    nap(me == 1 ? 20000 : 0); /* the source comes first */
    for (int looks = 0; me == 2 && !atomic_load(&stopped) && looks < 3000; looks++)
        nap(1000);
    const int status = me == 2 ? kp_fail(self, "on purpose") : make(world, &a, &kept);
    if (me == 0)
        atomic_store(&returned, 1);
    free(in);
    return keep(self, status ? status : kp_face_come_back(world));
}

static void test_fails_meanwhile(void **state)
{
    const struct sigaction stops = {.sa_handler = stop};
    struct sigaction before;
    const size_t bytes = (size_t)3 * 12 * PAGE;
    (void)state;
    if (SANITIZED || !kp_fibers() || sysconf(_SC_PAGESIZE) != (long)PAGE)
        skip();
    unsigned char *out =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(out != MAP_FAILED);
    assert_int_equal(sigaction(SIGSEGV, &stops, &before), 0);
    for (int tries = 0; tries < 10 && !atomic_load(&stopped); tries++) {
        kp_machine *machine = fibers(3, 3, 0, NULL);
        assert_int_not_equal(kp_machine_run(machine, fails_meanwhile, out, &report), 0);
        kp_machine_destroy(machine);
        assert_int_equal(mprotect(out, bytes, PROT_READ | PROT_WRITE), 0);
    }
    assert_int_equal(sigaction(SIGSEGV, &before, NULL), 0);
    assert_int_equal(atomic_load(&stopped), 1);
    assert_int_equal(too_early, 0);
    assert_int_equal(munmap(out, bytes), 0);
}

/* In one call a member names another root, or another length. It reads nothing. Whoever has left
 * the call gets the error in a later one. The group goes on. */
static int differs(kp_proc *self, void *arg)
{
    const uint64_t drawn = *(const uint64_t *)arg;
    kp_group *world = kp_world(self);
    const int n = kp_size(world), me = kp_rank(world), other = (int)(drawn % (uint64_t)n);
    const bool shorter = drawn / 4 % 2;
    unsigned char *in = malloc(LONG), *out = malloc((size_t)n * LONG);
    const kp_arguments a[2] = {scatter(out, in, LONG, 0),
                               scatter(out, in, LONG - (shorter ? 4 : 0), shorter ? 0 : 1)};
    struct kp_face_kept kept[2] = {{.call = NULL}};
    uint64_t own = drawn + 1000 * (uint64_t)(me + 1);
    int errors = 0;
    NEED(self, in && out);
    for (int i = 0; i < 8; i++) {
        const bool wrong = i == 5 && me == other;
        const int which = wrong || i < 2;
        const size_t b = a[which].b;
        memset(in, 0xee, LONG);
        for (int to = 0; me == a[which].root && to < n; to++)
            fill(out + (size_t)to * b, b, key_of(i, to));
        random_delay(&own, 50);
        const int status = make(world, &a[which], &kept[which]);
        NEED(self, status == 0 || status == KP_EMISMATCH);
        errors += status != 0;
        if (wrong)
            NEED(self, status && (me == a[which].root || is_all(in, LONG, 0xee)));
        else if (!status)
            NEED(self, holds(in, b, key_of(i, me)));
    }
    errors += kp_face_come_back(world) != 0;
    NEED(self, errors == 1 && kp_barrier(world) == 0);
    free(out);
    free(in);
    return 0;
}

static void test_differs(void **state)
{
    (void)state;
    if (!kp_fibers())
        skip();
    for (uint64_t seed = 0; seed < (uint64_t)scaled(40, 200, 1000); seed++) {
        kp_machine *machine = fibers(4, 1 + (int)(seed / 8 % 4), seed / 32 * seed, NULL);
        assert_good(kp_machine_run(machine, differs, &seed, &report), &report);
        kp_machine_destroy(machine);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {TEST(test_any_order),       TEST(test_small_caches),
                                       TEST(test_leaves),          TEST(test_fails),
                                       TEST(test_fails_meanwhile), TEST(test_differs)};
    read_level(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
