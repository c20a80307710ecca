/* Tests that a command does not say that more seconds are left than it may take, and that what it
 * has printed comes before the lines about its progress. */
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

/* Both go to one file, in which the row is buffered when progress is told. */
static void rows_come_before_what_is_told_later(void **state)
{
    const struct timespec pause = {.tv_sec = 2, .tv_nsec = 50000000};
    const int before[] = {dup(STDOUT_FILENO), dup(STDERR_FILENO)};
    char text[256] = "";
    FILE *file = tmpfile();
    (void)state;
    assert_non_null(file);
    fflush(stdout);
    dup2(fileno(file), STDOUT_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    progress_begin("bench", 2, "rows");
    nanosleep(&pause, NULL);
    printf("a row\n");
    progress_at(1, NULL);
    progress_end();
    fflush(stdout);
    dup2(before[0], STDOUT_FILENO);
    dup2(before[1], STDERR_FILENO);
    rewind(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    assert_ptr_equal(strstr(text, "a row\nkport bench: 1 of 2 rows"), text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_more_is_left_than_there_may_be),
        cmocka_unit_test(rows_come_before_what_is_told_later),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
