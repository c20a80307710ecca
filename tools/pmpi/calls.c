/* What all calls have in common: the communicator, its group of kport, and errors. */
#include "pmpi.h"

#include <stdio.h>
#include <stdlib.h>

/* The communicator of the latest call. */
static struct {
    MPI_Comm comm;
    struct pm_comm *members;
} recent;

/* --- Communicators --- */

static void free_members(struct pm_comm *members)
{
    if (recent.members == members)
        recent.members = NULL;
    free(members->processors);
    free(members->classes);
    free(members);
}

/* The MPI calls it when the communicator is freed. In MPI_Finalize the machine has ended before,
 * and with it all groups. */
static int forget(MPI_Comm comm, int keyval, void *value, void *extra)
{
    struct pm_comm *members = value;
    (void)comm, (void)keyval, (void)extra;
    if (members->group && pm_state.self && members->group != kp_world(pm_state.self))
        (void)kp_group_free(members->group);
    free_members(members);
    return MPI_SUCCESS;
}

int pm_comms_begin(void)
{
    return PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &pm_state.keyval, NULL);
}

void pm_comms_end(void)
{
    if (pm_state.keyval != MPI_KEYVAL_INVALID)
        (void)PMPI_Comm_free_keyval(&pm_state.keyval);
}

static bool is_whole_world(const struct pm_comm *members)
{
    int size;
    bool whole = PMPI_Comm_size(MPI_COMM_WORLD, &size) == MPI_SUCCESS && size == members->n;
    for (int i = 0; i < members->n && whole; i++)
        whole = members->processors[i] == i;
    return whole;
}

/* Writes the members' numbers in the machine, which are their ranks in MPI_COMM_WORLD. Returns
 * false if the MPI fails, or if there is no memory. */
static bool list_members(MPI_Comm comm, struct pm_comm *members)
{
    MPI_Group group;
    if (PMPI_Comm_group(comm, &group) != MPI_SUCCESS)
        return false;
    int *ranks = malloc(sizeof *ranks * (size_t)members->n);
    members->processors = malloc(sizeof *ranks * (size_t)members->n);
    bool done = ranks && members->processors;
    for (int i = 0; i < members->n && done; i++)
        ranks[i] = i;
    done = done && PMPI_Group_translate_ranks(group, members->n, ranks, pm_state.world,
                                              members->processors) == MPI_SUCCESS;
    for (int i = 0; i < members->n && done; i++) {
        if (members->processors[i] == MPI_UNDEFINED)
            members->reason = PM_OUTSIDE;
    }
    free(ranks);
    (void)PMPI_Group_free(&group);
    return done;
}

static struct pm_comm *look(MPI_Comm comm)
{
    struct pm_comm *members = calloc(1, sizeof *members);
    int inter;
    if (!members)
        return NULL;
    bool done = PMPI_Comm_test_inter(comm, &inter) == MPI_SUCCESS &&
                PMPI_Comm_size(comm, &members->n) == MPI_SUCCESS &&
                PMPI_Comm_rank(comm, &members->rank) == MPI_SUCCESS;
    if (done && inter)
        members->reason = PM_INTER;
    else if (done)
        done = list_members(comm, members);
    if (done && members->reason == PM_NONE && is_whole_world(members)) {
        free(members->processors);
        members->processors = NULL;
    }
    done = done && pm_classes_make(members);
    if (done && PMPI_Comm_set_attr(comm, pm_state.keyval, members) == MPI_SUCCESS)
        return members;
    free_members(members);
    return NULL;
}

static struct pm_comm *members_of(MPI_Comm comm)
{
    int found;
    struct pm_comm *members;
    if (recent.members && recent.comm == comm)
        return recent.members;
    if (PMPI_Comm_get_attr(comm, pm_state.keyval, &members, &found) != MPI_SUCCESS)
        return NULL;
    if (!found)
        members = look(comm);
    recent.comm = comm;
    recent.members = members;
    return members;
}

/* --- Calls --- */

bool pm_pass(const struct pm_call *call, enum pm_reason reason)
{
    pm_count_passed(call->operation, reason);
    return false;
}

/* Ends the program if another thread makes a call than the promised one. The call can neither be
 * taken nor passed on, because the other members take it. */
static void keep_promise(MPI_Comm comm)
{
    int is_main;
    if (!pm_settings_one_thread() || PMPI_Is_thread_main(&is_main) != MPI_SUCCESS || is_main)
        return;
    fprintf(stderr, "kport: KPORT_PMPI_ONE_THREAD is 1, but a thread that has not initialised the "
                    "MPI makes a collective call; without it, the calls are passed on\n");
    (void)PMPI_Abort(comm, 2);
}

bool pm_begin(struct pm_call *call, enum pm_operation operation, MPI_Comm comm)
{
    call->operation = operation;
    call->comm = comm;
    call->code = MPI_SUCCESS;
    call->class = NULL;
    if (pm_state.reason != PM_NONE)
        return pm_pass(call, pm_state.reason);
    keep_promise(comm);
    call->members = comm == MPI_COMM_NULL ? NULL : members_of(comm);
    if (!call->members)
        return pm_pass(call, PM_WRONG);
    if (call->members->reason != PM_NONE)
        return pm_pass(call, call->members->reason);
    call->n = call->members->n;
    call->rank = call->members->rank;
    return true;
}

bool pm_root_is(const struct pm_call *call, int root)
{
    return (root >= 0 && root < call->n) || pm_pass(call, PM_WRONG);
}

/* Calls the communicator's error handler. An error of no class of the MPI gets a class with the
 * sentence. */
static void raise_error(struct pm_call *call, int class, const char *sentence)
{
    static int own = MPI_SUCCESS;
    char text[MPI_MAX_ERROR_STRING];
    snprintf(text, sizeof text, "%.*s", (int)sizeof text - 1, sentence);
    call->code = class;
    if (class == MPI_ERR_OTHER && own == MPI_SUCCESS && PMPI_Add_error_class(&own) != MPI_SUCCESS)
        own = MPI_SUCCESS;
    if (class == MPI_ERR_OTHER && own != MPI_SUCCESS &&
        PMPI_Add_error_string(own, text) == MPI_SUCCESS)
        call->code = own;
    (void)PMPI_Comm_call_errhandler(call->comm, call->code);
}

void pm_fail(struct pm_call *call, int code, const char *sentence)
{
    if (call->code != MPI_SUCCESS)
        return;
    (void)kp_fail(pm_state.self, sentence);
    raise_error(call, code, sentence);
}

kp_group *pm_group(struct pm_call *call)
{
    struct pm_comm *members = call->members;
    if (call->code != MPI_SUCCESS)
        return NULL;
    if (!members->group && !members->processors)
        members->group = kp_world(pm_state.self);
    if (!members->group &&
        kp_group_create(pm_state.self, members->processors, members->n, &members->group))
        raise_error(call, MPI_ERR_OTHER, kp_last_error()->sentence);
    return members->group;
}

static int class_of(int status)
{
    switch (status) {
    case KP_EMEMORY:
        return MPI_ERR_NO_MEM;
    case KP_EARGUMENT:
        return MPI_ERR_ARG;
    default:
        return MPI_ERR_OTHER;
    }
}

int pm_end(struct pm_call *call, int status)
{
    /* The call that returns KP_EUNTAKEN is itself complete. */
    if (call->code == MPI_SUCCESS && status != KP_OK && status != KP_EUNTAKEN)
        raise_error(call, class_of(status), kp_last_error()->sentence);
    pm_stages_trim((size_t)4 << 20);
    pm_trial_end(call);
    return call->code;
}
