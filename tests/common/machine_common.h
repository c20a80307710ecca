/* The tests that run machines share this header. It declares how much a test does (small, full or
 * stress), the alarm, seeded random numbers and bytes, and the outcomes of programs.
 *
 * cmocka's assertions work only in the main thread. So a processor's program asserts nothing. It
 * stores its status and error in its outcome (`keep`), or it fails by the macro NEED. The test
 * makes its assertions after the run. */
#ifndef KPORT_TESTS_MACHINE_COMMON_H
#define KPORT_TESTS_MACHINE_COMMON_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/common/sanitized.h"
#include "tools/kport/common/random.h"

#include <kport/error.h>
#include <kport/group.h>
#include <kport/machine.h>

/* Whether qemu emulates the computer (tools/verify/machines.sh). Under qemu some system calls
 * behave differently. */
#define EMULATED (getenv("KPORT_EMULATED") != NULL)

/* An attribute for functions whose frames disappear without a return when a thread is cancelled.
 * AddressSanitizer would keep its marks of such a frame, and would report an error when the stack
 * is used again. */
#define MAY_VANISH __attribute__((no_sanitize("address"), noinline))

/* With ON_FIBERS the processors of a test are fibers (on_fibers.c), and THREADS_ONLY skips the test
 * that calls it. A test calls THREADS_ONLY if it is about threads, or if one of its processors
 * waits for another one without calling kport. */
#ifdef ON_FIBERS
#define THREADS_ONLY()                                                                             \
    do {                                                                                           \
        skip();                                                                                    \
    } while (0)

int threads_for(int processors);
/* Whether a program may end its thread by pthread_exit. A program on a fiber may not do so under
 * ThreadSanitizer, which requires that a thread ends on the stack on which it began. */
#define MAY_EXIT (!WATCHES_THREADS)
#else
#define MAY_EXIT       true
#define THREADS_ONLY() ((void)0)
static inline int threads_for(int processors)
{
    return processors;
}
#endif

/* Whether messages go through sockets (over_wire.c), by several system calls each. */
#ifdef OVER_WIRE
#define OVER_SOCKETS true
#else
#define OVER_SOCKETS false
#endif

/* Whether processors share no memory for kport: over sockets, or over an MPI (over_mpi.c). */
#ifdef OVER_MPI
#define OVER_A_WIRE true
#else
#define OVER_A_WIRE OVER_SOCKETS
#endif

/* The size of the stacks in tests with hundreds of threads: 64 KiB, or the system's minimum if it
 * is larger. */
#define SMALL_STACK ((size_t)PTHREAD_STACK_MIN > 65536 ? (size_t)PTHREAD_STACK_MIN : (size_t)65536)

enum {
    SMALL,
    FULL,
    STRESS
};
#define MOST_PROCESSORS 64

/* Ends a test that hangs. A machine that does much else takes its time. */
#define ALARM_SECONDS 400

static int level = SMALL;

static inline int scaled(int small, int full, int stress)
{
    int number = level == SMALL ? small : level == FULL ? full : stress;
    return (SANITIZED || LINES_COUNTED) && number > 20 ? number / 4 : number;
}

static inline void read_level(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "small";
    level = strcmp(word, "stress") == 0 ? STRESS : strcmp(word, "full") == 0 ? FULL : SMALL;
}

/* The status and the error with which a processor's program ended. The test checks them after the
 * run. */
struct outcome {
    int status;
    kp_error_record error;
};

static struct outcome outcomes[MOST_PROCESSORS];

static inline int begin(void **state)
{
    (void)state;
    memset(outcomes, 0, sizeof outcomes);
    /* The alarm ends a test that hangs. Apart from the alarm no test depends on the time. */
    alarm(level == STRESS ? 9 * ALARM_SECONDS : ALARM_SECONDS);
    return 0;
}

static inline int end(void **state)
{
    (void)state;
    alarm(0);
    return 0;
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

static inline int keep(kp_proc *self, int status)
{
    struct outcome *mine = &outcomes[kp_processor(self)];
    mine->status = status;
    mine->error = *kp_error(self);
    return status;
}

#define TEXT_OF(x)   #x
#define LINE_TEXT(x) TEXT_OF(x)
#define NEED(self, condition)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            return kp_fail(self, __FILE__ ":" LINE_TEXT(__LINE__) ": " #condition);                \
        }                                                                                          \
    } while (0)

static inline unsigned char byte_of(uint64_t key, size_t i)
{
    return (unsigned char)((key >> (i % 7 * 8)) + i + (i >> 8) * 3);
}

static inline void fill(unsigned char *bytes, size_t count, uint64_t key)
{
    for (size_t i = 0; i < count; i++) {
        bytes[i] = byte_of(key, i);
    }
}

static inline bool holds(const unsigned char *bytes, size_t count, uint64_t key)
{
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] != byte_of(key, i)) {
            return false;
        }
    }
    return true;
}

static inline bool all_are(const unsigned char *bytes, size_t count, unsigned char value)
{
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] != value) {
            return false;
        }
    }
    return true;
}

/* Sleeps for `microseconds`, by a sleep until an absolute time. A loop of relative sleeps might
 * never end, because at each signal the kernel rounds the remaining time up. */
MAY_VANISH __attribute__((unused)) static void nap(long microseconds)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    int64_t ns = until.tv_nsec + (int64_t)microseconds * 1000;
    until.tv_sec += (time_t)(ns / 1000000000);
    until.tv_nsec = (long)(ns % 1000000000);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
        continue;
}

/* Varies the order of events. Of eight calls of this function, on average five return at once, two
 * yield, and one sleeps for up to `most` microseconds. */
static inline void random_delay(uint64_t *seed, int most)
{
    int kind = random_below(seed, 8);
    if (kind == 0) {
        nap(random_below(seed, most) + 1);
    } else if (kind < 3) {
        sched_yield();
    }
}

#define WRONG_BYTES 77

/* Makes one round in which every member sends `bytes` bytes to the next member, and verifies the
 * bytes that this member has received from the previous member. The function then overwrites the
 * sent data and frees the buffers, so that a later access by kport is detected. */
static inline int ring(kp_group *group, size_t bytes, uint64_t key)
{
    int n = kp_size(group), me = kp_rank(group), left = (me + n - 1) % n;
    if (n == 1) {
        return kp_exchange(group, NULL, 0, NULL, 0);
    }
    unsigned char *mine = malloc(bytes + 1), *theirs = malloc(bytes + 1);
    fill(mine, bytes, key + (uint64_t)me);
    memset(theirs, 0xee, bytes + 1);
    kp_outgoing out = {.port = 0, .peer = (me + 1) % n, .data = mine, .bytes = bytes};
    kp_incoming in = {.port = 0, .peer = left, .data = theirs, .bytes = bytes};
    int status = kp_exchange(group, &out, 1, &in, 1);
    memset(mine, 0xdd, bytes + 1);
    bool right = holds(theirs, bytes, key + (uint64_t)left) && theirs[bytes] == 0xee;
    free(mine);
    free(theirs);
    return status != 0 ? status : right ? 0 : WRONG_BYTES;
}

static inline bool names(const char *sentence, int number)
{
    char digits[16];
    size_t length = (size_t)snprintf(digits, sizeof digits, "%d", number);
    for (const char *at = strstr(sentence, digits); at; at = strstr(at + 1, digits)) {
        bool before = at > sentence && at[-1] >= '0' && at[-1] <= '9';
        if (!before && !(at[length] >= '0' && at[length] <= '9')) {
            return true;
        }
    }
    return false;
}

/* Asserts that the run succeeded. If it failed, the message of the assertion has the run's
 * error. */
static inline void assert_good(int status, const kp_report *report)
{
    if (status != 0 || report->error.status != 0) {
        fail_msg("status %d (%s): %s", status, kp_strerror(status), report->error.sentence);
    }
}

/* Asserts that processor `who` ended with `status`, and that its error record, including the
 * sentence, names processor `about`. */
static inline void assert_outcome(int who, int status, int about)
{
    const struct outcome *seen = &outcomes[who];
    bool named = seen->error.processor == about || seen->error.peer == about;
    if (seen->status != status || seen->error.status != status || !named) {
        fail_msg("processor %d: status %d (expected %d), record %d about %d and %d (expected %d): "
                 "%s",
                 who, seen->status, status, seen->error.status, seen->error.processor,
                 seen->error.peer, about, seen->error.sentence);
    }
    assert_true(names(seen->error.sentence, about));
}

#endif
