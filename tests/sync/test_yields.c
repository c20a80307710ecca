/* A thread whose yields take long because another program uses the cores parks instead of yielding,
 * for a while. It goes on yielding if the process itself uses the cores. This program makes up how
 * long a yield takes, and how much processor time the process has used. */
#include "ports/port.h"
#include "ports/sync/wait.h"
#include "ports/ticks.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <time.h>

#include <cmocka.h>

#define LONG_MS 6   /* so long a yield takes that takes long */
#define MOST    50  /* so many of them are seen through */
#define OVER_MS 120 /* after this a thread yields again */

static bool takes_long;
static double used_cores; /* how many cores the process uses */
static int yields;

static void sleep_ms(long ms)
{
    nanosleep(&(struct timespec){0, ms * 1000000}, NULL);
}

int __wrap_sched_yield(void);
int __wrap_sched_yield(void)
{
    int cancel;
    yields++;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    if (takes_long)
        sleep_ms(LONG_MS);
    pthread_setcancelstate(cancel, NULL);
    return 0;
}

clock_t __wrap_clock(void);
clock_t __wrap_clock(void)
{
    return (clock_t)((double)kp_nanoseconds() * 1e-9 * CLOCKS_PER_SEC * used_cores);
}

/* Yields until kp_yield refuses, at most MOST times. Returns how often it has yielded. */
static int yields_seen(void)
{
    int seen = 0;
    while (seen < MOST && kp_yield())
        seen++;
    return seen;
}

/* Of the first long yield the processor time is not known. */
static void others_use_the_cores(void **state)
{
    (void)state;
    takes_long = true;
    used_cores = 0;
    assert_int_equal(yields_seen(), 2);
    yields = 0;
    assert_false(kp_yield());
    assert_int_equal(yields, 0);
    sleep_ms(OVER_MS);
    /* The next long one says it at once. */
    assert_true(kp_yield());
    assert_int_equal(yields, 1);
    assert_false(kp_yield());
}

static void own_threads_use_the_cores(void **state)
{
    (void)state;
    sleep_ms(OVER_MS);
    takes_long = true;
    used_cores = 1; /* of several, as where all other threads sleep */
    assert_int_equal(yields_seen(), MOST);
}

static void yields_are_short(void **state)
{
    (void)state;
    sleep_ms(OVER_MS);
    takes_long = false;
    used_cores = 0;
    for (int i = 0; i < MOST; i++) {
        assert_true(kp_yield());
        sleep_ms(1);
    }
}

/* After short yields a long one is a first one again. */
static void a_long_yield_is_forgotten(void **state)
{
    (void)state;
    sleep_ms(OVER_MS);
    used_cores = 0;
    takes_long = true;
    assert_true(kp_yield());
    takes_long = false;
    assert_int_equal(yields_seen(), MOST);
    takes_long = true;
    assert_int_equal(yields_seen(), 2);
}

/* A wait that may yield parks at once while yields take long. */
static void a_wait_parks(void **state)
{
    (void)state;
    static struct kp_wait_word word;
    const struct kp_waiter waiter = {.early = 1, .yields = 8, .longer_us = 100, .limit_ms = 1};
    sleep_ms(OVER_MS);
    takes_long = true;
    used_cores = 0;
    (void)yields_seen();
    yields = 0;
    assert_int_equal(kp_wait_early(&word, 0, &waiter), 0);
    assert_int_equal(kp_wait_change(&word, 0, &waiter), 0);
    assert_int_equal(yields, 0);
}

/* A thread that is cancelled goes on while it yields. */
static void *is_cancelled(void *goes_on)
{
    int cancel;
    pthread_cancel(pthread_self());
    (void)yields_seen();
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    *(bool *)goes_on = true;
    return NULL;
}

static void a_yield_is_no_cancellation_point(void **state)
{
    (void)state;
    bool goes_on = false;
    pthread_t thread;
    sleep_ms(OVER_MS);
    takes_long = true;
    used_cores = 0;
    assert_int_equal(pthread_create(&thread, NULL, is_cancelled, &goes_on), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(goes_on);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(others_use_the_cores), cmocka_unit_test(own_threads_use_the_cores),
        cmocka_unit_test(yields_are_short),     cmocka_unit_test(a_long_yield_is_forgotten),
        cmocka_unit_test(a_wait_parks),         cmocka_unit_test(a_yield_is_no_cancellation_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
