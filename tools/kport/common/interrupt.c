#include "tools/kport/common/interrupt.h"

#include "tools/kport/command.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

/* A second signal within this many milliseconds counts as a copy of the first. The command
 * `timeout` sends its signal to the program and again to the program's process group. */
#define ONE_MS 250

/* `came` is the number of the first signal, or 0. `came_ms` is the time of the first signal in
 * milliseconds. */
static atomic_int came;
static atomic_ulong came_ms;

/* With several processes a signal counts from the next agreement on. */
static bool held;
static int agreed;

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

/* `raise` marks the second signal as pending. The signal ends the program as soon as this handler
 * returns. */
static void handle(int number)
{
    if (!interrupt_pending()) {
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

int interrupt_pending(void)
{
    return atomic_load(&came);
}

void interrupt_hold(void)
{
    held = true;
}

void interrupt_agree(int number)
{
    agreed = number;
}

bool interrupt_came(void)
{
    return (held ? agreed : interrupt_pending()) != 0;
}

int interrupt_status(int status)
{
    int number = held ? agreed : interrupt_pending();
    return number && status == EXIT_DONE ? 128 + number : status;
}
