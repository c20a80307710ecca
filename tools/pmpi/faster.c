/* KPORT_PMPI_FASTER=1: which calls the MPI's own collectives carry out faster.
 *
 * Calls of a class are equal in communicator, operation, kind of operator and, up to a factor of
 * two, length. The first calls of a class are carried out in turns, by kport and by the MPI. Then
 * the members agree, and all later calls of the class go the way that was faster.
 *
 * All members must go the same way. So a class consists of values that MPI guarantees to be equal
 * at all members, and a call counts as soon as it begins, whether or not it fails. */
#include "pmpi.h"

#include <stdlib.h>

enum {
    TRIED = 8, /* calls of each way; the first prepares schedules and connections */
    LENGTHS = 32,
    CLASSES = PM_OPERATIONS * 2 * LENGTHS
};
struct pm_class {
    int calls;      /* that have begun, up to the decision */
    bool decided;   /* after it `passes` is true or false for all calls */
    bool passes;    /* the MPI carries out this call */
    double best[2]; /* the shortest time, in seconds, of kport's calls and of the MPI's */
};

bool pm_classes_make(struct pm_comm *members)
{
    if (!pm_settings_faster())
        return true;
    members->classes = calloc(CLASSES, sizeof *members->classes);
    return members->classes != NULL;
}

static struct pm_class *class_of(const struct pm_call *call, size_t bytes, bool of_program)
{
    int length = 0;
    while (length < LENGTHS - 1 && bytes >> length > 1)
        length++;
    return &call->members->classes[((int)call->operation * 2 + of_program) * LENGTHS + length];
}

/* The longest time of all members counts. Each member gets the same two numbers, so all decide
 * alike. */
static void decide(const struct pm_call *call, struct pm_class *class)
{
    double slowest[2];
    const bool agreed =
        PMPI_Allreduce(class->best, slowest, 2, MPI_DOUBLE, MPI_MAX, call->comm) == MPI_SUCCESS;
    class->passes = agreed && slowest[1] < slowest[0];
    class->decided = true;
}

bool pm_is_slower(struct pm_call *call, size_t bytes, bool of_program)
{
    if (!call->members->classes || bytes == 0)
        return false;
    struct pm_class *class = class_of(call, bytes, of_program);
    if (class->calls == 2 * TRIED && !class->decided)
        decide(call, class);
    if (class->decided)
        return class->passes && !pm_pass(call, PM_SLOWER);
    class->passes = class->calls % 2 == 1;
    call->class = class;
    call->begun = PMPI_Wtime();
    class->calls++;
    return class->passes && !pm_pass(call, PM_TRIED);
}

void pm_trial_end(const struct pm_call *call)
{
    struct pm_class *class = call->class;
    if (!class)
        return;
    const double time = PMPI_Wtime() - call->begun;
    double *best = &class->best[class->passes];
    if (*best == 0 || time < *best)
        *best = time;
}

int pm_passed(const struct pm_call *call, int code)
{
    pm_trial_end(call);
    return code;
}
