/* Programs that attach threads wrongly, or that use a machine after its end. Most of them are
 * programs of the caller: they make the machine themselves. */
#include "wrong.h"

#include <pthread.h>
#include <stddef.h>

/* Returns a machine of the scene's configuration; NULL if the machine cannot be made. */
static kp_machine *machine_of(member *here)
{
    kp_machine *machine = NULL;
    if (heard(here, kp_machine_create(&here->scene->config, &machine)) != 0)
        return NULL;
    return machine;
}

/* Detaches the thread and destroys the machine, if they are given. If one of the two calls fails,
 * records its error, because they must succeed. Returns the first recorded error. */
static int tidy(member *here, kp_proc *self, kp_machine *machine)
{
    if (self)
        (void)heard(here, kp_machine_detach(self));
    if (machine)
        (void)heard(here, kp_machine_destroy(machine));
    return here->told;
}

PROGRAM(attached_twice, "A thread that carries processor 0 attaches as processor 1 too.",
        .caller = true, .without = ON_FIBERS, SAYS({"all", KP_EBUSY, "P0 | thread"}))
{
    kp_machine *machine = machine_of(here);
    kp_proc *self = NULL, *other = NULL;
    (void)heard(here, kp_machine_attach(machine, 0, &self));
    (void)heard(here, kp_machine_attach(machine, 1, &other));
    return tidy(here, self, machine);
}

static int attaches_as_0(kp_proc *self, void *arg)
{
    (void)self, (void)arg;
    return 0;
}

static void *attach_as_0(void *arg)
{
    member *here = arg;
    kp_proc *self = NULL;
    (void)heard(here, kp_machine_attach(here->scene->pointers[0], 0, &self));
    return NULL;
}

PROGRAM(member_is_taken, "Two threads attach as processor 0.", .caller = true, .without = ON_FIBERS,
        SAYS({"all", KP_EBUSY, "P0"}))
{
    kp_machine *machine = machine_of(here);
    kp_proc *self = NULL;
    pthread_t thread;
    here->scene->pointers[0] = machine;
    (void)heard(here, kp_machine_attach(machine, 0, &self));
    if (pthread_create(&thread, NULL, attach_as_0, here) == 0)
        pthread_join(thread, NULL);
    return tidy(here, self, machine);
}

PROGRAM(attached_out_of_range, "There is no processor 4 of 4.", .caller = true,
        .without = ON_FIBERS, SAYS({"all", KP_EARGUMENT, "4 | 0 | 3"}))
{
    kp_machine *machine = machine_of(here);
    kp_proc *self = NULL;
    (void)heard(here, kp_machine_attach(machine, here->scene->config.processors, &self));
    return tidy(here, NULL, machine);
}

PROGRAM(attached_to_fibers, "A machine of fibers carries its processors itself.", .caller = true,
        .without = ON_THREADS, SAYS({"all", KP_EARGUMENT, "fibers"}))
{
    kp_machine *machine = machine_of(here);
    kp_proc *self = NULL;
    (void)heard(here, kp_machine_attach(machine, 0, &self));
    return tidy(here, NULL, machine);
}

PROGRAM(run_beside_attached, "A machine is run while a thread is attached.", .caller = true,
        .without = ON_FIBERS, SAYS({"all", KP_EBUSY, "attached"}))
{
    kp_machine *machine = machine_of(here);
    kp_proc *self = NULL;
    (void)heard(here, kp_machine_attach(machine, 2, &self));
    (void)heard(here, kp_machine_run(machine, attaches_as_0, NULL, NULL));
    return tidy(here, self, machine);
}

PROGRAM(destroyed_while_attached, "A machine is destroyed while a thread is attached.",
        .caller = true, .without = ON_FIBERS, SAYS({"all", KP_EBUSY, "attached"}))
{
    kp_machine *machine = machine_of(here);
    kp_proc *self = NULL;
    (void)heard(here, kp_machine_attach(machine, 0, &self));
    (void)heard(here, kp_machine_destroy(machine));
    return tidy(here, self, machine);
}

PROGRAM(nobody_else_attaches, "One thread attaches and waits for others, who never come.",
        .caller = true, .without = ON_FIBERS, MACHINE(.processors = 3, .time_limit_ms = 50),
        SAYS({"all", KP_ETIMEOUT, "1/2 | 50"}))
{
    kp_machine *machine = machine_of(here);
    kp_proc *self = NULL;
    (void)heard(here, kp_machine_attach(machine, 0, &self));
    (void)heard(here, kp_barrier(kp_world(self)));
    return tidy(here, self, machine);
}

#define ATTACHED_ONLY .without = ON_THREADS | ON_FIBERS

/* Detaches the calling thread from the machine. */
static int detach(member *here)
{
    kp_proc *self = here->self;
    here->self = NULL;
    return kp_machine_detach(self);
}

PROGRAM(message_left_behind, "Processor 0 detaches, and nobody has taken its message.",
        ATTACHED_ONLY, SAYS({"0", KP_EUNTAKEN, "P0 | P1", GONE}, {"others", KP_OK, NULL, GONE}))
{
    kp_outgoing out = {.peer = 1, .data = &here->mine, .bytes = sizeof here->mine};
    int status = AT(A, kp_exchange(here->world, &out, here->me == 0, NULL, 0));
    if (here->me == 0) {
        await_flag(here, 0, here->n - 1);
        return status ? status : detach(here);
    }
    status = status ? status : detach(here); /* kport knows of the loss once no attached member can
                                                take the message any more */
    raise_flag(here, 0);
    return status;
}

PROGRAM(detached_too_early, "Processor 2 detaches before the last collective.", ATTACHED_ONLY,
        SAYS({"2", KP_OK, NULL, GONE}, {"others", KP_ELOST, "P2 | allreduce", FAILED}))
{
    int status = AT(A, kp_barrier(here->world));
    if (here->me == 2)
        return detach(here);
    return status
               ? status
               : AT(B, kp_allreduce(here->world, here->out, here->in, 1, KP_INT32, KP_SUM, NULL));
}

PROGRAM(detached_after_an_error, "A call of processor 2 fails, so it detaches.", ATTACHED_ONLY,
        SAYS({"2", KP_EARGUMENT, "P2 | {A}", GONE},
             {"others", KP_ELOST, "P2 | detached | barrier | its latest error | {A} | to is 4",
              FAILED}))
{
    if (here->me != 2)
        return AT(B, kp_barrier(here->world));
    (void)heard(here, AT(A, kp_send(here->world, &here->mine, sizeof here->mine, here->n, 0)));
    return detach(here);
}

PROGRAM(used_after_detaching, "Processor 1 calls by its handle after it has detached.",
        ATTACHED_ONLY,
        SAYS({"1", TELLING, "P1 | attached/detached/end/carries", GONE},
             {"others", KP_OK, NULL, GONE}))
{
    kp_group *world = here->world;
    int status = here->me == 1 ? detach(here) : 0;
    if (here->me == 1)
        status = status ? status : AT(A, kp_barrier(world));
    raise_flag(here, 0);
    await_flag(here, 0, here->n);
    return status;
}

PROGRAM(detached_twice, "Processor 3 detaches twice.", ATTACHED_ONLY,
        SAYS({"3", TELLING, "P3 | attached/detached/end/carries", GONE},
             {"others", KP_OK, NULL, GONE}))
{
    kp_proc *self = here->self;
    int status = here->me == 3 ? detach(here) : 0;
    if (here->me == 3)
        status = status ? status : AT(A, kp_machine_detach(self));
    raise_flag(here, 0);
    await_flag(here, 0, here->n);
    return status;
}

PROGRAM(back_too_early, "A member is taken again while others are still attached.", ATTACHED_ONLY,
        SAYS({"0", KP_EBUSY, "P0 | attached/left", GONE}, {"others", KP_OK, NULL, GONE}))
{
    int status = here->me == 0 ? detach(here) : 0;
    if (here->me == 0)
        status =
            status ? status : AT(A, kp_machine_attach(here->scene->pointers[3], 0, &here->self));
    raise_flag(here, 0);
    await_flag(here, 0, here->n);
    return status;
}

PROGRAM(detached_by_another, "Processor 1 detaches processor 0.", ATTACHED_ONLY,
        SAYS({"1", KP_EWRONGTHREAD, "P0", WORKS}, {"others", KP_OK, NULL, WORKS}))
{
    if (here->me == 0) {
        here->scene->pointers[0] = here->self;
        raise_flag(here, 0);
    }
    await_flag(here, 0, 1);
    return here->me == 1 ? AT(A, kp_machine_detach(here->scene->pointers[0])) : 0;
}

PROGRAM(destroyed_twice, "The machine is destroyed a second time.", .caller = true,
        SAYS({"all", ENDED, "machine | destroyed/end"}))
{
    kp_machine *machine = machine_of(here);
    (void)heard(here, kp_machine_destroy(machine));
    (void)heard(here, kp_machine_destroy(machine));
    return here->told;
}

PROGRAM(run_after_destroy, "The machine is run after it has been destroyed.", .caller = true,
        SAYS({"all", ENDED, "machine | destroyed/end"}))
{
    kp_machine *machine = machine_of(here);
    (void)heard(here, kp_machine_destroy(machine));
    return heard(here, kp_machine_run(machine, attaches_as_0, NULL, NULL));
}

PROGRAM(attached_after_destroy, "A thread attaches to a machine that has been destroyed.",
        .caller = true, SAYS({"all", ENDED, "machine | destroyed/end"}))
{
    kp_machine *machine = machine_of(here);
    kp_proc *self = NULL;
    (void)heard(here, kp_machine_destroy(machine));
    return heard(here, kp_machine_attach(machine, 0, &self));
}

PROGRAM(called_after_destroy, "A group's handle outlives its machine.", .caller = true,
        .without = ON_FIBERS,
        SAYS({"all", TELLING, "machine/processor/group | destroyed/detached/end"}))
{
    kp_machine *machine = machine_of(here);
    kp_proc *self = NULL;
    (void)heard(here, kp_machine_attach(machine, 0, &self));
    kp_group *world = kp_world(self);
    tidy(here, self, machine);
    return heard(here, kp_barrier(world));
}

static int keep_world(kp_proc *self, void *arg)
{
    if (kp_processor(self) == 1)
        ((member *)arg)->scene->pointers[0] = kp_world(self);
    return 0;
}

static int use_world(kp_proc *self, void *arg)
{
    if (kp_processor(self) != 0)
        return 0;
    member *here = arg;
    return heard(here, kp_barrier(here->scene->pointers[0]));
}

PROGRAM(handle_of_the_last_run,
        "Processor 0 calls by a handle that processor 1 kept in the last run.", .caller = true,
        SAYS({"all", KP_EWRONGTHREAD, "P1"}))
{
    kp_machine *machine = machine_of(here);
    (void)heard(here, kp_machine_run(machine, keep_world, here, NULL));
    (void)heard(here, kp_machine_run(machine, use_world, here, NULL));
    return tidy(here, NULL, machine);
}

PROGRAM(handle_after_the_run, "The caller uses a processor's handle when the run is over.",
        .caller = true, SAYS({"all", TELLING, "P1/thread"}))
{
    kp_machine *machine = machine_of(here);
    (void)heard(here, kp_machine_run(machine, keep_world, here, NULL));
    (void)heard(here, kp_barrier(here->scene->pointers[0]));
    return tidy(here, NULL, machine);
}

static void *run_in_a_thread(void *arg)
{
    member *here = arg;
    (void)heard(here, kp_machine_run(here->scene->pointers[0], attaches_as_0, NULL, NULL));
    return NULL;
}

static int run_beside(kp_proc *self, void *arg)
{
    member *here = arg;
    if (kp_processor(self) == 0) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, run_in_a_thread, here) != 0)
            return WRONG_DATA;
        pthread_join(thread, NULL);
    }
    return (kp_barrier)(kp_world(self));
}

PROGRAM(two_runs_at_once, "Another thread runs the machine while it runs.", .caller = true,
        SAYS({"all", KP_EBUSY, NULL}))
{
    kp_machine *machine = machine_of(here);
    here->scene->pointers[0] = machine;
    (void)heard(here, kp_machine_run(machine, run_beside, here, NULL));
    return tidy(here, NULL, machine);
}

const wrong_program *const wrong_attached[] = {
    &program_attached_twice,         &program_member_is_taken,
    &program_attached_out_of_range,  &program_attached_to_fibers,
    &program_run_beside_attached,    &program_destroyed_while_attached,
    &program_nobody_else_attaches,   &program_message_left_behind,
    &program_detached_too_early,     &program_detached_after_an_error,
    &program_used_after_detaching,   &program_detached_twice,
    &program_back_too_early,         &program_detached_by_another,
    &program_destroyed_twice,        &program_run_after_destroy,
    &program_attached_after_destroy, &program_called_after_destroy,
    &program_handle_of_the_last_run, &program_handle_after_the_run,
    &program_two_runs_at_once,       NULL};
