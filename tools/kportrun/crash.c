#include "crash.h"

#include "lines.h"
#include "report/report.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define SIGNAL_STACK ((size_t)64 << 10)
/* An overflow strikes the page below the stack, or misses it by part of a large frame. */
#define NEAR_BOTTOM ((size_t)64 << 10)

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

static size_t stack_size;
static int (*rank_here)(void);
static void (*last_call_here)(char *text, size_t size);
static uintptr_t *tops; /* where each rank's stack begins; 0 before the rank has begun */

/* Returns whether the rank's stack has overflowed to this address. */
static bool overflows(int rank, uintptr_t address)
{
    uintptr_t bottom = tops[rank] - stack_size;
    return address < bottom + NEAR_BOTTOM / 2 && address + NEAR_BOTTOM > bottom;
}

static void say(int signal, const siginfo_t *info)
{
    char text[600], whose[32] = "", call[300] = "";
    bool has_address = signal == SIGSEGV || signal == SIGBUS;
    int rank = rank_here(), length;
    if (rank >= 0)
        (void)snprintf(whose, sizeof whose, "rank %d: ", rank);
    if (rank >= 0)
        last_call_here(call, sizeof call);
    if (rank >= 0 && has_address && overflows(rank, (uintptr_t)info->si_addr))
        length =
            snprintf(text, sizeof text,
                     "kportrun: %sits stack of %zu KiB is full%s%s; --stack SIZE makes it larger\n",
                     whose, stack_size >> 10, call[0] ? "; its last call was " : "", call);
    else
        length =
            snprintf(text, sizeof text,
                     "kportrun: %sended by signal %d (%s)%s%s; kportrun --gdb shows where\n", whose,
                     signal, strsignal(signal), call[0] ? "; its last call was " : "", call);
    report_sentence(text, (size_t)length);
}

/* The process has crashed, so what this function calls may find its data damaged. The system then
 * ends the process at once, because the signal is no longer taken. Of threads that crash at the
 * same moment the first speaks, and the others give it time to end the process. */
static void take(int number, siginfo_t *info, void *context)
{
    static atomic_flag taken = ATOMIC_FLAG_INIT;
    static const struct timespec most = {.tv_sec = 2};
    (void)context;
    if (atomic_flag_test_and_set_explicit(&taken, memory_order_relaxed)) {
        nanosleep(&most, NULL);
    } else {
        lines_end();
        report_all_of_crash();
        say(number, info);
    }
    (void)signal(number, SIG_DFL);
    raise(number);
}

int crash_begin(int ranks, size_t stack_bytes, int (*rank)(void),
                void (*last_call)(char *text, size_t size))
{
    last_call_here = last_call;
    stack_size = stack_bytes;
    rank_here = rank;
    tops = calloc((size_t)ranks, sizeof *tops);
    for (size_t i = 0; tops && i < sizeof signals / sizeof *signals; i++) {
        struct sigaction now, ours = {.sa_sigaction = take, .sa_flags = SA_SIGINFO | SA_ONSTACK};
        if (sigaction(signals[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            (void)sigaction(signals[i], &ours, NULL);
    }
    return tops ? 0 : -1;
}

void crash_rank(int rank)
{
    static _Thread_local bool has_stack;
    tops[rank] = (uintptr_t)__builtin_frame_address(0);
    if (has_stack)
        return;
    has_stack = true;
    /* Where a sanitizer has given the thread a stack for signals, that one stays. */
    stack_t stack;
    if (sigaltstack(NULL, &stack) != 0 || !(stack.ss_flags & SS_DISABLE))
        return;
    stack = (stack_t){.ss_size = SIGNAL_STACK};
    stack.ss_sp =
        mmap(NULL, SIGNAL_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack.ss_sp != MAP_FAILED)
        (void)sigaltstack(&stack, NULL);
}
