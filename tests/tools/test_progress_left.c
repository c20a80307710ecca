/* Tests that a command does not say that more seconds are left than it may take. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tools/kport/common/progress.h"

/* Tells that 1 of 1000 rows is done after more than 2 seconds. `seconds` is given to
 * progress_until; 0: it is not called. Returns the number of seconds that are said to be left, or
 * -1 if none is told. */
static double told(double seconds)
{
    const struct timespec pause = {.tv_sec = 2, .tv_nsec = 50000000};
    int ends[2], before = dup(STDERR_FILENO);
    char text[256] = "";
    assert_int_equal(pipe(ends), 0);
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
    progress_begin("bench", 1000, "rows");
    if (seconds > 0)
        progress_until(seconds);
    nanosleep(&pause, NULL);
    progress_at(1, NULL);
    progress_end();
    dup2(before, STDERR_FILENO); /* the last writing end of the pipe is closed */
    close(before);
    for (ssize_t used = 0, more = 1; more > 0; used += more)
        more = read(ends[0], text + used, sizeof text - 1 - (size_t)used);
    close(ends[0]);
    assert_non_null(strstr(text, "kport bench: 1 of 1000 rows"));
    const char *left = strstr(text, "rows, ");
    return left ? strtod(left + strlen("rows, "), NULL) : -1;
}

static void no_more_is_left_than_there_may_be(void **state)
{
    (void)state;
    unsetenv("KPORT_QUIET");
    assert_true(told(0) > 2000);
    assert_true(told(60) <= 58);
    assert_true(told(1) < 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_more_is_left_than_there_may_be)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
