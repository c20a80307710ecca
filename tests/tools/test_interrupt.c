/* Tests Ctrl-C: the first signal is only recorded, and the second one ends the program. Each case
 * runs in a child process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tools/kport/common/interrupt.h"

/* Runs `child` in a child process. Returns its status as waitpid gives it. */
static int ends_with(void (*child)(void))
{
    int status = 0;
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        signal(SIGINT, SIG_DFL);
        signal(SIGTERM, SIG_DFL);
        child();
        _exit(interrupt_status(0));
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

static void expect_exit(void (*child)(void), int exit_status)
{
    int status = ends_with(child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), exit_status);
}

static void nothing(void)
{
    interrupt_watch();
}

static void one(void)
{
    interrupt_watch();
    raise(SIGINT);
    _exit(interrupt_came() ? interrupt_status(0) : 1);
}

static void another(void)
{
    interrupt_watch();
    raise(SIGTERM);
}

static void failure(void)
{
    interrupt_watch();
    raise(SIGINT);
    _exit(interrupt_status(1));
}

static void ignored(void)
{
    signal(SIGINT, SIG_IGN);
    interrupt_watch();
    raise(SIGINT);
}

static void first_is_noted(void **state)
{
    (void)state;
    expect_exit(nothing, 0);
    expect_exit(one, 130);
    expect_exit(another, 143);
    expect_exit(failure, 1);
    expect_exit(ignored, 0);
}

static void second(void)
{
    struct timespec pause = {.tv_nsec = 400000000};
    interrupt_watch();
    raise(SIGINT);
    nanosleep(&pause, NULL);
    raise(SIGINT);
}

static void twice_at_once(void)
{
    interrupt_watch();
    raise(SIGINT);
    raise(SIGINT);
}

static void second_ends_it(void **state)
{
    (void)state;
    int status = ends_with(second);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGINT);
}

/* On a busy computer the two signals may arrive separately, so the test tries several times. */
static void twice_at_once_is_one(void **state)
{
    (void)state;
    int exits = 0;
    for (int i = 0; i < 20 && exits == 0; i++)
        exits += WIFEXITED(ends_with(twice_at_once));
    assert_true(exits > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_is_noted),
        cmocka_unit_test(second_ends_it),
        cmocka_unit_test(twice_at_once_is_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
