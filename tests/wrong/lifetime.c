/* Lifetime: wrong uses of handles. A handle does not exist, has ended, or belongs to another
 * thread. */
#include "wrong.h"

#include <stddef.h>

#define ONE sizeof here->mine

PROGRAM(world_is_freed, "The world belongs to the machine.",
        SAYS({"all", KP_EARGUMENT, "world", WORKS}))
{
    return AT(A, kp_group_free(here->world));
}

PROGRAM(processor_twice_in_a_group, "One processor stands twice in the list.",
        SAYS({"all", KP_EARGUMENT, "1 | twice/already", WORKS}))
{
    kp_group *group = NULL;
    return AT(A, kp_group_create(here->self, (int[]){0, 1, 2, 1}, 4, &group));
}

PROGRAM(processor_not_in_the_machine, "The list has a processor that the machine does not have.",
        SAYS({"all", KP_EARGUMENT, "4 | 0 | 3", WORKS}))
{
    kp_group *group = NULL;
    return AT(A, kp_group_create(here->self, (int[]){0, 1, 2, 4}, 4, &group));
}

PROGRAM(group_without_oneself, "Processor 2 makes a group of others.",
        SAYS({"2", KP_EARGUMENT, "caller/oneself/itself | 2", WORKS},
             {"others", KP_OK, NULL, WORKS}))
{
    kp_group *group = NULL;
    if (here->me != 2)
        return 0;
    return AT(A, kp_group_create(here->self, (int[]){0, 1}, 2, &group));
}

PROGRAM(group_of_nobody, "A group of no processors.",
        SAYS({"all", KP_EARGUMENT, "count | 0", WORKS}))
{
    kp_group *group = NULL;
    return AT(A, kp_group_create(here->self, (int[]){0}, 0, &group));
}

PROGRAM(group_without_a_list, "The list is NULL.", SAYS({"all", KP_EARGUMENT, "NULL/null", WORKS}))
{
    kp_group *group = NULL;
    return AT(A, kp_group_create(here->self, NULL, 2, &group));
}

PROGRAM(group_is_null, "A group that could not be made is used all the same.",
        SAYS({"1", KP_EARGUMENT, "NULL/null", WORKS}, {"others", KP_OK, NULL, WORKS}))
{
    if (here->me != 1)
        return 0;
    return AT(A, kp_concat(NULL, here->out, here->in, ONE, NULL));
}

PROGRAM(group_after_its_end, "Processor 0 frees its member and calls the group again.",
        SAYS({"0", ENDED, "group | freed/end", WORKS}, {"others", KP_OK, NULL, WORKS}))
{
    kp_group *group = NULL;
    int status = AT(A, kp_group_create(here->self, (int[]){0, 1, 2, 3}, 4, &group));
    if (status == 0)
        status = AT(B, kp_barrier(group));
    if (status == 0)
        status = AT(C, kp_group_free(group));
    if (status == 0 && here->me == 0)
        status = AT(D, kp_barrier(group));
    return status;
}

PROGRAM(group_freed_twice, "A member is given back twice.",
        SAYS({"all", ENDED, "group | freed/end", WORKS}))
{
    kp_group *group = NULL;
    int status = AT(A, kp_group_create(here->self, (int[]){3, 2, 1, 0}, 4, &group));
    if (status == 0)
        status = AT(B, kp_group_free(group));
    return status ? status : AT(C, kp_group_free(group));
}

PROGRAM(member_gives_its_member_back,
        "Processor 1 frees its member while the others still call the group.",
        SAYS({"all", KP_EDEADLOCK, "P1", FAILED}))
{
    kp_group *group = NULL;
    int status = AT(A, kp_group_create(here->self, (int[]){0, 1, 2, 3}, 4, &group));
    if (status == 0 && here->me == 1)
        status = kp_group_free(group);
    if (status == 0)
        status = heard(here, AT(B, kp_barrier(here->me == 1 ? here->world : group)));
    if (here->me != 1)
        (void)kp_group_free(group);
    return status;
}

/* Returns processor 0's pointer `mine` on every processor: processor 0 stores its pointer, and the
 * other processors wait for it. */
static void *shown(member *here, void *mine)
{
    if (here->me == 0) {
        here->scene->pointers[0] = mine;
        raise_flag(here, 0);
    } else
        await_flag(here, 0, 1);
    return here->scene->pointers[0];
}

PROGRAM(world_of_another, "Processor 3 calls by the handle of processor 0.", .without = ON_FIBERS,
        SAYS({"3", KP_EWRONGTHREAD, "P0", WORKS}, {"others", KP_OK, NULL, WORKS}))
{
    kp_group *first = shown(here, here->world);
    return here->me == 3 ? AT(A, kp_barrier(first)) : 0;
}

PROGRAM(all_by_one_handle, "One handle in a global variable is used by all.", .without = ON_FIBERS,
        SAYS({"0", TELLING, "P1/P2/P3", FAILED}, {"others", KP_EWRONGTHREAD, "P0", GONE}))
{
    kp_group *first = shown(here, here->world);
    return AT(A, kp_allreduce(first, here->out, here->in, 1, KP_INT32, KP_SUM, NULL));
}

PROGRAM(group_made_for_another, "Processor 1 makes a group with the handle of processor 0.",
        .without = ON_FIBERS,
        SAYS({"1", KP_EWRONGTHREAD, "P0", WORKS}, {"others", KP_OK, NULL, WORKS}))
{
    kp_proc *first = shown(here, here->self);
    kp_group *group = NULL;
    return here->me == 1 ? AT(A, kp_group_create(first, (int[]){0, 1}, 2, &group)) : 0;
}

PROGRAM(fails_for_another, "Processor 2 ends the part of processor 0.", .without = ON_FIBERS,
        SAYS({"2", KP_EWRONGTHREAD, "P0", WORKS}, {"others", KP_OK, NULL, WORKS}))
{
    kp_proc *first = shown(here, here->self);
    return here->me == 2 ? AT(A, kp_fail(first, "I do not like you")) : 0;
}

PROGRAM(destroyed_by_its_own, "A processor destroys the machine that carries it.",
        .without = ON_ATTACHED, SAYS({"1", KP_EBUSY, "run", WORKS}, {"others", KP_OK, NULL, WORKS}))
{
    return here->me == 1 ? AT(A, kp_machine_destroy(here->scene->pointers[3])) : 0;
}

static int nothing_at_all(kp_proc *self, void *arg)
{
    (void)self, (void)arg;
    return 0;
}

PROGRAM(run_within_a_run, "A processor runs the machine that carries it.", .without = ON_ATTACHED,
        SAYS({"0", KP_EBUSY, "run", WORKS}, {"others", KP_OK, NULL, WORKS}))
{
    return here->me == 0
               ? AT(A, kp_machine_run(here->scene->pointers[3], nothing_at_all, NULL, NULL))
               : 0;
}

PROGRAM(attached_within_a_run, "A processor attaches to the machine that carries it.",
        .without = ON_ATTACHED | ON_FIBERS,
        SAYS({"2", KP_EBUSY, "run/carries", WORKS}, {"others", KP_OK, NULL, WORKS}))
{
    kp_proc *self = NULL;
    return here->me == 2 ? AT(A, kp_machine_attach(here->scene->pointers[3], 0, &self)) : 0;
}

PROGRAM(detached_within_a_run, "A processor that was started detaches as if it had attached.",
        .without = ON_ATTACHED,
        SAYS({"2", TELLING, "attach", WORKS}, {"others", KP_OK, NULL, WORKS}))
{
    return here->me == 2 ? AT(A, kp_machine_detach(here->self)) : 0;
}

const wrong_program *const wrong_lifetime[] = {&program_world_is_freed,
                                               &program_processor_twice_in_a_group,
                                               &program_processor_not_in_the_machine,
                                               &program_group_without_oneself,
                                               &program_group_of_nobody,
                                               &program_group_without_a_list,
                                               &program_group_is_null,
                                               &program_group_after_its_end,
                                               &program_group_freed_twice,
                                               &program_member_gives_its_member_back,
                                               &program_world_of_another,
                                               &program_all_by_one_handle,
                                               &program_group_made_for_another,
                                               &program_fails_for_another,
                                               &program_destroyed_by_its_own,
                                               &program_run_within_a_run,
                                               &program_attached_within_a_run,
                                               &program_detached_within_a_run,
                                               NULL};
