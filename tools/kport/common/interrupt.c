#include "tools/kport/common/interrupt.h"

#include "tools/kport/command.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

#define ONE_MS 250 /* `timeout` signals a program and its group, so it interrupts twice */

/* The number of the first signal, and the time at which it arrived. */
static atomic_int came;
static atomic_ulong came_ms;

static unsigned long now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (unsigned long)t.tv_sec * 1000 + (unsigned long)t.tv_nsec / 1000000;
}

void interrupt_note(int number)
{
    atomic_store(&came_ms, now_ms());
    atomic_store(&came, number);
}

/* The second signal has its default effect as soon as the handler returns. */
static void handle(int number)
{
    if (!interrupt_came()) {
        interrupt_note(number);
    } else if (now_ms() - atomic_load(&came_ms) > ONE_MS) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

void interrupt_watch(void)
{
    static const int watched[] = {SIGINT, SIGTERM};
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART}, before;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof watched / sizeof watched[0]; i++) {
        if (sigaction(watched[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(watched[i], &action, NULL);
    }
}

bool interrupt_came(void)
{
    return atomic_load(&came) != 0;
}

int interrupt_status(int status)
{
    int number = atomic_load(&came);
    return number && status == EXIT_DONE ? 128 + number : status;
}
