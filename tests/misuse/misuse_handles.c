/* Misuse of handles: handles of another thread or of another machine, and handles of a group,
 * machine or plan that has ended. The library must refuse them without reading memory through
 * them. */
#include "tests/misuse/misuse.h"

#include <pthread.h>

/* --- Groups: creating them wrongly --- */

static int make(struct scene *s, const int *processors, int count)
{
    kp_group *group;
    if (!s->wrong)
        return KP_OK;
    return kp_group_create(s->self, processors, count, &group);
}

static int create_self_null(struct scene *s)
{
    kp_group *group;
    return s->wrong ? kp_group_create(NULL, (int[]){0}, 1, &group) : KP_OK;
}

static int create_null(struct scene *s)
{
    return make(s, NULL, 1);
}

static int create_nowhere(struct scene *s)
{
    return s->wrong ? kp_group_create(s->self, (int[]){0}, 1, NULL) : KP_OK;
}

static int create_none(struct scene *s)
{
    return make(s, (int[]){0}, 0);
}

static int create_many(struct scene *s)
{
    return make(s, (int[]){0, 1, 2, 3}, 4);
}

static int create_outside(struct scene *s)
{
    return make(s, (int[]){0, 3}, 2);
}

static int create_twice(struct scene *s)
{
    return make(s, (int[]){0, 1, 0}, 3);
}

static int create_without(struct scene *s)
{
    return make(s, (int[]){1, 2}, 2);
}

static int free_world(struct scene *s)
{
    return s->wrong ? kp_group_free(s->group) : KP_OK;
}

/* --- Groups: used after their end --- */

/* Returns the handle of a group that has ended. */
static kp_group *freed(struct scene *s)
{
    kp_group *group = NULL;
    if (kp_group_create(s->self, (int[]){0}, 1, &group) || kp_group_free(group))
        return NULL;
    return group;
}

static int use_freed(struct scene *s)
{
    return s->wrong ? kp_barrier(freed(s)) : KP_OK;
}

/* Uses the handle of an ended group while a new group exists that has the same size and members.
 * The new group must not get the same handle. */
static int use_replaced(struct scene *s)
{
    kp_group *old = s->wrong ? freed(s) : NULL, *group = NULL;
    int status = KP_OK;
    for (int i = 0; i < 12 && s->wrong; i++) {
        if (kp_group_create(s->self, (int[]){0}, 1, &group))
            return 1;
        status = kp_barrier(old);
        kp_error_record said = *kp_last_error();
        if (group == old || status != KP_EENDED || kp_group_free(group))
            return 1;
        *(kp_error_record *)kp_last_error() = said;
    }
    return status;
}

static int free_twice(struct scene *s)
{
    return s->wrong ? kp_group_free(freed(s)) : KP_OK;
}

static int ask_freed(struct scene *s)
{
    const kp_group *group = s->wrong ? freed(s) : NULL;
    if (!s->wrong)
        return KP_OK;
    return misuse_told(kp_rank(group) == -1 && kp_size(group) == -1 && kp_ports(group) == -1 &&
                       kp_group_processor(group, 0) == -1 && !kp_group_self(group));
}

static int ask_null(struct scene *s)
{
    if (!s->wrong)
        return KP_OK;
    return misuse_told(kp_rank(NULL) == -1 && kp_size(NULL) == -1 && kp_ports(NULL) == -1 &&
                       kp_group_processor(NULL, 0) == -1 && !kp_group_self(NULL));
}

/* Uses a group after this processor freed its handle, while the other members still have their
 * handles. */
static int free_before_others(struct scene *s)
{
    kp_group *group;
    if (kp_group_create(s->self, (int[]){0, 1, 2}, 3, &group) || kp_barrier(s->group))
        return 1;
    int status = s->wrong ? kp_group_free(group) : KP_OK;
    status = s->wrong && !status ? kp_barrier(group) : status;
    kp_error_record said = *kp_last_error();
    if (kp_barrier(s->group) || (!s->wrong && kp_group_free(group)))
        return 1;
    *(kp_error_record *)kp_last_error() = said;
    return status;
}

/* --- Handles of other threads and other machines --- */

struct shown {
    kp_proc *self;
    kp_group *group;
    kp_plan *plan;
};
static struct shown shown;

static int show(kp_proc *self, void *arg)
{
    double data[2];
    kp_arguments a = {.operation = KP_CONCAT, .out = data, .in = data + 1, .b = 8};
    (void)arg;
    shown.self = self;
    shown.group = kp_world(self);
    return kp_plan_make(shown.group, &a, &shown.plan);
}

/* Lets processor 0 use the handles of processor 1. */
static int with_another_s(struct scene *s, int (*use)(void))
{
    if (kp_processor(s->self) == 1 && show(s->self, NULL))
        return 1;
    if (kp_barrier(s->group))
        return 1;
    int status = s->wrong ? use() : KP_OK;
    kp_error_record said = *kp_last_error();
    if (kp_barrier(s->group) || (kp_processor(s->self) == 1 && kp_plan_free(shown.plan)))
        return 1;
    *(kp_error_record *)kp_last_error() = said;
    return status;
}

#define ANOTHERS(name, call)                                                                       \
    static int use_##name(void)                                                                    \
    {                                                                                              \
        return call;                                                                               \
    }                                                                                              \
    static int name(struct scene *s)                                                               \
    {                                                                                              \
        return with_another_s(s, use_##name);                                                      \
    }

ANOTHERS(anothers_group, kp_barrier(shown.group))
ANOTHERS(anothers_world, kp_barrier(kp_world(shown.self)))
ANOTHERS(anothers_self, kp_fail(shown.self, "not I"))
ANOTHERS(anothers_number,
         misuse_told(kp_processor(shown.self) == -1 && kp_error(shown.self) == kp_last_error()))
ANOTHERS(anothers_member, misuse_told(kp_rank(shown.group) == -1))
ANOTHERS(anothers_plan, kp_plan_execute(shown.plan))
ANOTHERS(anothers_plan_freed, kp_plan_free(shown.plan))

/* Lets a thread that carries a processor of one machine use the handles of another machine, whose
 * thread is idle. */
static int with_another_machine(int (*use)(void))
{
    kp_config config = {.processors = 1};
    kp_machine *ours, *other;
    kp_proc *self;
    if (kp_machine_create(&config, &other) || kp_machine_run(other, show, NULL, NULL) ||
        kp_machine_create(&config, &ours) || kp_machine_attach(ours, 0, &self))
        return 1;
    int status = use();
    kp_error_record said = *kp_last_error();
    if (kp_plan_free(shown.plan) || kp_machine_detach(self) || kp_machine_destroy(ours) ||
        kp_machine_destroy(other))
        return 1;
    *(kp_error_record *)kp_last_error() = said;
    return status;
}

/* Lets a thread that carries no processor use the handles of a machine whose run is over. */
static int after_run(int (*use)(void))
{
    kp_config config = {.processors = 1};
    kp_machine *machine;
    if (kp_machine_create(&config, &machine) || kp_machine_run(machine, show, NULL, NULL))
        return 1;
    int status = use();
    kp_error_record said = *kp_last_error();
    if (kp_plan_free(shown.plan) || kp_machine_destroy(machine))
        return 1;
    *(kp_error_record *)kp_last_error() = said;
    return status;
}

static int after_end(int (*use)(void))
{
    kp_config config = {.processors = 1};
    if (kp_run(&config, show, NULL, NULL))
        return 1;
    int status = use();
    kp_error_record said = *kp_last_error();
    if (kp_plan_free(shown.plan))
        return 1;
    *(kp_error_record *)kp_last_error() = said;
    return status;
}

#define WHEN(when, name)                                                                           \
    static int name##_##when(void)                                                                 \
    {                                                                                              \
        return when(use_##name);                                                                   \
    }

WHEN(with_another_machine, anothers_group)
WHEN(with_another_machine, anothers_self)
WHEN(with_another_machine, anothers_plan)
WHEN(after_run, anothers_group)
WHEN(after_run, anothers_self)
WHEN(after_run, anothers_plan)
WHEN(after_end, anothers_group)
WHEN(after_end, anothers_self)
WHEN(after_end, anothers_plan)

/* --- Plans --- */

static int use_plan_freed(void)
{
    int status = kp_plan_free(shown.plan);
    status = status ? 1 : kp_plan_execute(shown.plan);
    shown.plan = NULL;
    return status;
}

static int use_plan_freed_twice(void)
{
    int status = kp_plan_free(shown.plan);
    status = status ? 1 : kp_plan_free(shown.plan);
    shown.plan = NULL;
    return status;
}

static int with_own(struct scene *s, int (*use)(void))
{
    return s->wrong ? show(s->self, NULL) ? 1 : use() : KP_OK;
}

static int plan_freed(struct scene *s)
{
    return with_own(s, use_plan_freed);
}

static int plan_freed_twice(struct scene *s)
{
    return with_own(s, use_plan_freed_twice);
}

static int plan_of_freed(struct scene *s)
{
    double data[2];
    kp_arguments a = {.operation = KP_CONCAT, .out = data, .in = data + 1, .b = 8};
    kp_group *group;
    kp_plan *plan;
    if (!s->wrong)
        return KP_OK;
    if (kp_group_create(s->self, (int[]){0}, 1, &group) || kp_plan_make(group, &a, &plan) ||
        kp_plan_execute(plan) || kp_group_free(group))
        return 1;
    int status = kp_plan_execute(plan);
    kp_error_record said = *kp_last_error();
    if (kp_plan_free(plan))
        return 1;
    *(kp_error_record *)kp_last_error() = said;
    return status;
}

#define HANDLES "all calls with a `group`"
#define SELVES  "all calls with a `self`"

const struct misuse misuses_of_handles[] = {
    {"`kp_group_create`", "`self` is NULL", KP_EARGUMENT,
     "self is NULL; it must be what the program was given, or what kp_machine_attach made",
     .among = create_self_null},
    {"`kp_group_create`", "`processors` is NULL", KP_EARGUMENT,
     "processors is NULL; it must be the members' numbers", .among = create_null},
    {"`kp_group_create`", "`group` is NULL", KP_EARGUMENT,
     "group is NULL; it must be where the handle goes", .among = create_nowhere},
    {"`kp_group_create`", "`count` is 0 or negative", KP_EARGUMENT, "count is 0; it may be 1 ... 3",
     .among = create_none},
    {"`kp_group_create`", "`count` > n", KP_EARGUMENT, "count is 4; it may be 1 ... 3",
     .among = create_many},
    {"`kp_group_create`", "no processor", KP_EARGUMENT, "processors[1] is 3; it may be 0 ... 2",
     .among = create_outside},
    {"`kp_group_create`", "a processor twice", KP_EARGUMENT,
     "processors[2] is 0, which stands in the list already; each may stand there once",
     .among = create_twice},
    {"`kp_group_create`", "oneself is missing", KP_EARGUMENT,
     "the list of 2 processors lacks the caller, 0; it has to be one of them",
     .among = create_without},
    {"`kp_group_free`", "the world", KP_EARGUMENT,
     "the group is the world, which belongs to the machine; it may be one that kp_group_create "
     "made",
     .among = free_world},
    {"`kp_group_free`", "twice", KP_EENDED,
     "the group is none that there is: it has been freed, its machine has ended, or this never was "
     "one",
     .among = free_twice},
    {HANDLES, "the group has been freed", KP_EENDED,
     "the group is none that there is: it has been freed, its machine has ended, or this never was "
     "one",
     .among = use_freed},
    {HANDLES, "the same, and a new one of the same members has been made", KP_EENDED,
     "the group is none that there is: it has been freed, its machine has ended, or this never was "
     "one",
     .among = use_replaced},
    {HANDLES, "it has been freed by this member, others hold it", KP_EENDED,
     "the group has been freed by this member; it may be used until then",
     .among = free_before_others},
    {HANDLES, "the handle of another processor", KP_EWRONGTHREAD,
     "the group is processor 1's; the calling thread carries processor 0 and may use its own",
     .among = anothers_group},
    {HANDLES, "the handle of another machine's processor", KP_EWRONGTHREAD,
     "the group is of another machine (its processor 0's); the calling thread carries processor 0 "
     "of this one and may use its own",
     .alone = anothers_group_with_another_machine},
    {HANDLES, "by a thread that carries no processor (any more): its run is over, it has detached",
     KP_EWRONGTHREAD,
     "the group is processor 0's, and the calling thread carries none (any more); it may be used "
     "by the thread that carries that processor",
     .alone = anothers_group_after_run},
    {HANDLES, "the machine has ended", KP_EENDED,
     "the group is none that there is: it has been freed, its machine has ended, or this never was "
     "one",
     .alone = anothers_group_after_end},
    {"`kp_rank`, `kp_size`, `kp_ports`, `kp_group_processor`, `kp_group_self`, which return -1 or "
     "NULL",
     "`group` is NULL", KP_EARGUMENT,
     "the group is NULL; it must be kp_world's, or what kp_group_create made", .among = ask_null},
    {"the same", "the group has been freed", KP_EENDED,
     "the group is none that there is: it has been freed, its machine has ended, or this never was "
     "one",
     .among = ask_freed},
    {"the same", "the handle of another processor", KP_EWRONGTHREAD,
     "the group is processor 1's; the calling thread carries processor 0 and may use its own",
     .among = anothers_member},
    {SELVES, "another processor's", KP_EWRONGTHREAD,
     "self is processor 1's; the calling thread carries processor 0 and may use its own",
     .among = anothers_self},
    {SELVES, "another machine's", KP_EWRONGTHREAD,
     "self is of another machine (its processor 0's); the calling thread carries processor 0 of "
     "this one and may use its own",
     .alone = anothers_self_with_another_machine},
    {SELVES, "by a thread that carries no processor (any more)", KP_EWRONGTHREAD,
     "self is processor 0's, and the calling thread carries none (any more); it may be used by the "
     "thread that carries that processor",
     .alone = anothers_self_after_run},
    {SELVES, "the machine has ended", KP_EENDED,
     "self is no processor of a machine that there is: the machine has ended, or this never was "
     "one",
     .alone = anothers_self_after_end},
    {"`kp_processor`, `kp_error`, which return -1 and the thread's latest error",
     "another processor's", KP_EWRONGTHREAD,
     "self is processor 1's; the calling thread carries processor 0 and may use its own",
     .among = anothers_number},
    {"`kp_world`, whose group is refused where it is used", "another processor's", KP_EWRONGTHREAD,
     "the group is processor 1's; the calling thread carries processor 0 and may use its own",
     .among = anothers_world},
    {"`kp_plan_execute`", "the plan has been freed", KP_EENDED,
     "the plan is none that there is: it has been freed, or this never was one",
     .among = plan_freed},
    {"`kp_plan_execute`", "its group has been freed", KP_EENDED,
     "the plan belongs to a group that has been freed; it may only be freed too",
     .among = plan_of_freed},
    {"`kp_plan_execute`", "another processor's", KP_EWRONGTHREAD,
     "the plan is processor 1's; the calling thread carries processor 0 and may use its own",
     .among = anothers_plan},
    {"`kp_plan_execute`", "another machine's", KP_EWRONGTHREAD,
     "the plan is of another machine (its processor 0's); the calling thread carries processor 0 "
     "of this one and may use its own",
     .alone = anothers_plan_with_another_machine},
    {"`kp_plan_execute`", "by a thread that carries no processor", KP_EWRONGTHREAD,
     "the plan is processor 0's, and the calling thread carries none (any more); it may be used by "
     "the thread that carries that processor",
     .alone = anothers_plan_after_run},
    {"`kp_plan_execute`", "its machine has ended", KP_EENDED,
     "the plan belongs to a machine that has ended; it may only be freed",
     .alone = anothers_plan_after_end},
    {"`kp_plan_free`", "twice", KP_EENDED,
     "the plan is none that there is: it has been freed, or this never was one",
     .among = plan_freed_twice},
    {"`kp_plan_free`", "another processor's, which is running", KP_EWRONGTHREAD,
     "the plan is processor 1's; the calling thread carries processor 0 and may use its own",
     .among = anothers_plan_freed},
    {NULL}};
