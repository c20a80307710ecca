/* Loss: a processor returns, fails, exits, is cancelled or jumps out of a call while other
 * processors wait for it. */
#include "wrong.h"

#include <pthread.h>
#include <setjmp.h>
#include <stddef.h>

#define ONE sizeof here->mine

/* An attribute for functions whose frames disappear without a return when a thread exits or is
 * cancelled. AddressSanitizer would keep its marks of such a frame, and would report an error when
 * the stack is used again. */
#define MAY_VANISH __attribute__((no_sanitize("address"), noinline))

PROGRAM(early_return, "Processor 2 finds nothing to do and returns before the collective.",
        SAYS({"2", KP_OK, NULL, GONE}, {"others", KP_ELOST, "P2", FAILED}))
{
    if (here->me == 2)
        return 0;
    return AT(A, kp_index(here->world, here->out, here->in, ONE, NULL));
}

PROGRAM(return_in_a_loop, "Processor 0 leaves a loop of collectives one step early.",
        SAYS({"0", KP_OK, NULL, GONE}, {"others", KP_ELOST, "P0", FAILED}))
{
    int status = 0;
    for (int step = 0; step < 5 && status == 0; step++) {
        if (here->me == 0 && step == 4)
            return 0;
        status = AT(A, kp_allreduce(here->world, here->out, here->in, 1, KP_INT32, KP_SUM, NULL));
    }
    return status;
}

PROGRAM(returns_with_a_status, "Processor 1 cannot go on, and its program returns a status.",
        .without = ON_ATTACHED, /* kport does not see what an attached thread returns */
        SAYS({"1", KP_EMEMORY, NULL, GONE}, {"others", KP_EFAILED, "P1", FAILED}))
{
    if (here->me == 1)
        return KP_EMEMORY;
    return AT(A, kp_barrier(here->world));
}

PROGRAM(returns_with_a_number, "Processor 3 returns 42, which is no status.",
        .without = ON_ATTACHED, /* kport does not see what an attached thread returns */
        SAYS({"3", 42, NULL, GONE}, {"others", KP_EFAILED, "P3 | 42", FAILED}))
{
    if (here->me == 3)
        return 42;
    return AT(A, kp_concat(here->world, &here->mine, here->all, ONE, NULL));
}

PROGRAM(fails_with_a_reason, "Processor 2 ends its part with a reason.",
        SAYS({"2", KP_EFAILED, "no such file", GONE},
             {"others", KP_EFAILED, "P2 | no such file", FAILED}))
{
    if (here->me == 2)
        return kp_fail(here->self, "no such file: numbers.txt");
    return AT(A, kp_broadcast(here->world, here->in, ONE, 2, NULL));
}

PROGRAM(goes_on_after_failing, "Processor 1 fails, and calls the barrier all the same.",
        SAYS({"1", KP_EFAILED, "out of paper", FAILED},
             {"others", KP_EFAILED, "P1 | out of paper", FAILED}))
{
    if (here->me == 1)
        (void)kp_fail(here->self, "out of paper");
    return AT(A, kp_barrier(here->world));
}

PROGRAM(drops_an_error,
        "Processor 0 drops the error of a refused call and returns in the next one.",
        SAYS({"0", KP_EARGUMENT, "root | 5", GONE}, {"others", KP_EPEER, "P0 | root | 5", FAILED}))
{
    int root = here->me == 0 ? 5 : 1;
    return AT(A, kp_broadcast(here->world, here->in, ONE, root, NULL));
}

PROGRAM(lost_in_a_pair, "Only one of two pairs loses a member; the other one works on.",
        SAYS({"3", KP_OK, NULL, GONE}, {"2", KP_ELOST, "P3", FAILED}, {"0-1", KP_OK, NULL, FAILED}))
{
    kp_group *pair = here->me < 2 ? JOIN(0, 1) : JOIN(2, 3);
    if (here->me == 3)
        return 0;
    int status = 0;
    for (int i = 0; i < 3 && status == 0; i++)
        status = AT(A, kp_concat(pair, &here->mine, here->all, ONE, NULL));
    return status;
}

PROGRAM(two_are_lost, "Two of five end early.", MACHINE(.processors = 5),
        SAYS({"1,3", KP_OK, NULL, GONE}, {"others", KP_ELOST, "P1/P3", FAILED}))
{
    if (here->me % 2)
        return 0;
    return AT(A, kp_scan(here->world, here->out, here->in, 1, KP_INT32, KP_SUM, NULL));
}

PROGRAM(lost_between_rounds,
        "A processor ends after its last message; the others make one more round.",
        SAYS({"1", KP_OK, NULL, GONE}, {"others", KP_ELOST, "P1 | exchange", FAILED}))
{
    int right = (here->me + 1) % 4, left = (here->me + 3) % 4;
    int status = 0;
    for (int round = 0; round < (here->me == 1 ? 2 : 3) && status == 0; round++) {
        kp_outgoing out = {.peer = right, .data = &here->mine, .bytes = ONE};
        kp_incoming in = {.peer = left, .data = here->in, .bytes = ONE};
        status = AT(A, kp_exchange(here->world, &out, 1, &in, 1));
    }
    return status;
}

PROGRAM(root_of_a_plan_is_gone,
        "The others execute their plans of a broadcast whose root has ended.",
        SAYS({"0", KP_OK, NULL, GONE}, {"others", KP_ELOST, "P0", FAILED}))
{
    kp_plan *plan = NULL;
    if (here->me == 0)
        return 0;
    kp_arguments arguments = {.operation = KP_BROADCAST, .in = here->in, .b = ONE};
    int status = AT(A, kp_plan_make(here->world, &arguments, &plan));
    if (status == 0)
        status = AT(B, kp_plan_execute(plan));
    kp_plan_free(plan);
    return status;
}

static MAY_VANISH _Noreturn void leave_the_thread(void)
{
    pthread_exit(NULL);
}

PROGRAM(exits, "Processor 1 calls pthread_exit.",
        .not_under_tsan = ON_FIBERS, /* a thread must end on the stack on which it began */
        SAYS({"1", VANISHED, NULL, GONE}, {"others", KP_ELOST, "P1", FAILED}))
{
    if (here->me == 1)
        leave_the_thread();
    return AT(A, kp_index(here->world, here->out, here->in, ONE, NULL));
}

PROGRAM(exits_after_some_work, "Processor 3 calls pthread_exit between two collectives.",
        .not_under_tsan = ON_FIBERS, /* a thread must end on the stack on which it began */
        SAYS({"3", VANISHED, NULL, GONE}, {"others", KP_ELOST, "P3", FAILED}))
{
    int status = AT(A, kp_barrier(here->world));
    if (here->me == 3)
        leave_the_thread();
    return status ? status : AT(B, kp_barrier(here->world));
}

static MAY_VANISH _Noreturn void be_cancelled(void)
{
    pthread_cancel(pthread_self());
    for (;;)
        pthread_testcancel();
}

PROGRAM(cancelled, "Processor 0 is cancelled in its own computation.", .without = ON_FIBERS,
        SAYS({"0", VANISHED, NULL, GONE}, {"others", KP_ELOST, "P0", FAILED}))
{
    if (here->me == 0)
        be_cancelled();
    return AT(A, kp_barrier(here->world));
}

static MAY_VANISH _Noreturn void wait_to_be_cancelled(member *here, pthread_t *who)
{
    *who = pthread_self();
    here->scene->pointers[0] = who;
    raise_flag(here, 0);
    for (;;)
        pthread_testcancel(); /* no sleep: ThreadSanitizer would lose track of the thread */
}

PROGRAM(cancelled_by_another, "Processor 1 cancels processor 2, then counts on it.",
        .without = ON_FIBERS, SAYS({"2", VANISHED, NULL, GONE}, {"others", KP_ELOST, "P2", FAILED}))
{
    static pthread_t who;
    if (here->me == 2)
        wait_to_be_cancelled(here, &who);
    if (here->me == 1) {
        await_flag(here, 0, 1);
        pthread_cancel(*(pthread_t *)here->scene->pointers[0]);
    }
    return AT(A, kp_concat(here->world, &here->mine, here->all, ONE, NULL));
}

static MAY_VANISH void jump(void *to, const void *left, const void *right, size_t count,
                            void *context)
{
    (void)to, (void)left, (void)right, (void)count;
    longjmp(*(jmp_buf *)context, 1);
}

static int of_first(void *to, const void *left)
{
    *(int *)to = *(const int *)left;
    return 0;
}

static void keep(void *to, const void *left, const void *right, size_t count, void *context)
{
    (void)right, (void)context;
    for (size_t i = 0; i < count; i++)
        of_first((int *)to + i, (const int *)left + i);
}

/* Makes a scan with an operator that jumps out of the call on processor 3. Processor 3 is the last,
 * so it certainly combines. Returns 1 after the jump, otherwise the scan's status. */
static MAY_VANISH int jump_out(member *here)
{
    jmp_buf back;
    kp_operator op = {.name = "jumps", .combine = keep, .context = back, .element_bytes = ONE};
    if (here->me == 3)
        op.combine = jump;
    return setjmp(back) ? 1 : kp_scan(here->world, &here->mine, here->in, 1, KP_OPAQUE, &op, NULL);
}

PROGRAM(jumps_out_of_a_call,
        "An operator leaves the call of processor 3 by longjmp, which then ends.",
        SAYS({"3", TELLING, NULL, GONE}, {"others", TELLING, "P3", FAILED}))
{
    int jumped = jump_out(here);
    if (jumped == 1)
        return AT(B, kp_barrier(here->world));
    return jumped ? jumped : AT(A, kp_barrier(here->world));
}

const wrong_program *const wrong_loss[] = {&program_early_return,
                                           &program_return_in_a_loop,
                                           &program_returns_with_a_status,
                                           &program_returns_with_a_number,
                                           &program_fails_with_a_reason,
                                           &program_goes_on_after_failing,
                                           &program_drops_an_error,
                                           &program_lost_in_a_pair,
                                           &program_two_are_lost,
                                           &program_lost_between_rounds,
                                           &program_root_of_a_plan_is_gone,
                                           &program_exits,
                                           &program_exits_after_some_work,
                                           &program_cancelled,
                                           &program_cancelled_by_another,
                                           &program_jumps_out_of_a_call,
                                           NULL};
