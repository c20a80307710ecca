/* Misuse of machines: runs and attached threads at a wrong time, and
 * machines that are destroyed at a wrong time. */
#include "tests/misuse/misuse.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int nothing(kp_proc *self, void *arg)
{
    (void)self;
    (void)arg;
    return 0;
}

static int machine_null(void)
{
    return kp_machine_create(NULL, NULL);
}

/* --- Machines that exist, and machines that do not --- */

static kp_machine *machine_of(int processors)
{
    kp_config config = {.processors = processors};
    kp_machine *machine;
    return kp_machine_create(&config, &machine) ? NULL : machine;
}

static int run_null(void)
{
    return kp_machine_run(NULL, nothing, NULL, NULL);
}

/* Destroys the machine and returns `status`. The error about the machine must stay readable
 * afterwards. */
static int and_destroy(kp_machine *machine, int status)
{
    return kp_machine_destroy(machine) ? 1 : status;
}

static int program_null(void)
{
    kp_machine *machine = machine_of(2);
    return and_destroy(machine, kp_machine_run(machine, NULL, NULL, NULL));
}

static int run_destroyed(void)
{
    kp_machine *machine = machine_of(2);
    kp_machine_destroy(machine);
    return kp_machine_run(machine, nothing, NULL, NULL);
}

static int attach_destroyed(void)
{
    kp_proc *self;
    kp_machine *machine = machine_of(2);
    kp_machine_destroy(machine);
    /* The next machine may get the memory of the destroyed machine, but must not be mistaken for
     * it. */
    kp_machine *next = machine_of(2);
    return and_destroy(next, kp_machine_attach(machine, 0, &self));
}

static int destroy_twice(void)
{
    kp_machine *machine = machine_of(2);
    kp_machine_destroy(machine);
    return kp_machine_destroy(machine);
}

static int never_made(void)
{
    char text[64] = "no machine";
    return kp_machine_destroy((kp_machine *)(void *)text);
}

/* --- Machines in use --- */

static kp_machine *shared;
static int (*within)(void);

static int call_within(kp_proc *self, void *arg)
{
    kp_error_record *said = arg;
    if (kp_processor(self) == 0 && within() != KP_OK)
        *said = *kp_last_error();
    return 0;
}

/* Lets processor 0 make a call while a run is under way. Returns the status of the call's error. */
static int during_run(int (*call)(void))
{
    static kp_error_record said;
    said.status = 1;
    within = call;
    shared = machine_of(2);
    int status = kp_machine_run(shared, call_within, &said, NULL);
    status = kp_machine_destroy(shared) || status ? 1 : said.status;
    *(kp_error_record *)kp_last_error() = said;
    return status;
}

/* Makes a call while the calling thread carries processor 0 of two. */
static int attached(int (*call)(kp_machine *machine))
{
    kp_proc *self;
    kp_machine *machine = machine_of(2);
    if (kp_machine_attach(machine, 0, &self))
        return 1;
    int status = call(machine);
    kp_error_record said = *kp_last_error();
    if (kp_machine_detach(self) || kp_machine_destroy(machine))
        return 1;
    *(kp_error_record *)kp_last_error() = said;
    return status;
}

static int run_shared(void)
{
    return kp_machine_run(shared, nothing, NULL, NULL);
}

static int destroy_shared(void)
{
    return kp_machine_destroy(shared);
}

static int run_in_run(void)
{
    return during_run(run_shared);
}

static int destroy_in_run(void)
{
    return during_run(destroy_shared);
}

static int run_it(kp_machine *machine)
{
    return kp_machine_run(machine, nothing, NULL, NULL);
}

static int run_attached(void)
{
    return attached(run_it);
}

static int destroy_attached(void)
{
    return attached(kp_machine_destroy);
}

/* Runs and destroys an existing machine in the child of a fork. The child stores its error in
 * memory that it shares with its parent. */
static int in_child(void)
{
    int zeros = open("/dev/zero", O_RDWR);
    kp_error_record *said = mmap(NULL, sizeof *said, PROT_READ | PROT_WRITE, MAP_SHARED, zeros, 0);
    close(zeros);
    kp_machine *machine = machine_of(2);
    int status = kp_machine_run(machine, nothing, NULL, NULL), ended = 1;
    pid_t child = status ? -1 : fork();
    if (child == 0) {
        (void)!kp_machine_run(machine, nothing, NULL, NULL);
        *said = *kp_last_error();
        _exit(kp_machine_destroy(machine));
    }
    if (child < 0 || waitpid(child, &ended, 0) != child || ended != 0)
        return 1;
    *(kp_error_record *)kp_last_error() = *said;
    munmap(said, sizeof *said);
    return and_destroy(machine, kp_last_error()->status);
}

/* --- Attaching and detaching --- */

static int attach_null(void)
{
    kp_proc *self;
    return kp_machine_attach(NULL, 0, &self);
}

static int attach_nowhere(kp_machine *machine)
{
    return kp_machine_attach(machine, 1, NULL);
}

static int self_null(void)
{
    return attached(attach_nowhere);
}

static int attach_2(kp_machine *machine)
{
    kp_proc *self = NULL;
    int status = kp_machine_attach(machine, 2, &self);
    return self ? 1 : status;
}

static int no_processor(void)
{
    kp_machine *machine = machine_of(2);
    return and_destroy(machine, attach_2(machine));
}

static int attach_1(kp_machine *machine)
{
    kp_proc *self;
    return kp_machine_attach(machine, 1, &self);
}

static int attach_twice(void)
{
    return attached(attach_1);
}

static void *attach_beside(void *said)
{
    (void)attach_1(shared);
    *(kp_error_record *)said = *kp_last_error();
    return NULL;
}

/* Attaches as processor 1 in a new thread. Returns the status of that thread's error. */
static int attach_shared(void)
{
    kp_error_record said;
    pthread_t thread;
    if (pthread_create(&thread, NULL, attach_beside, &said) || pthread_join(thread, NULL))
        return 1;
    *(kp_error_record *)kp_last_error() = said;
    return said.status;
}

/* Attaches as processor 1 although another thread carries it. */
static int member_taken(void)
{
    kp_proc *self;
    shared = machine_of(2);
    if (kp_machine_attach(shared, 1, &self))
        return 1;
    int status = attach_shared();
    kp_error_record said = *kp_last_error();
    if (kp_machine_detach(self) || kp_machine_destroy(shared))
        return 1;
    *(kp_error_record *)kp_last_error() = said;
    return status;
}

static int attach_in_run(void)
{
    return during_run(attach_shared);
}

static int attach_fibers(void)
{
    kp_config config = {.processors = 2, .carrier = KP_CARRIER_FIBERS};
    kp_machine *machine;
    int status = kp_machine_create(&config, &machine);
    return status ? status : and_destroy(machine, attach_1(machine));
}

static int detach_null(void)
{
    return kp_machine_detach(NULL);
}

static int detach_twice(void)
{
    kp_proc *self;
    kp_machine *machine = machine_of(2);
    if (kp_machine_attach(machine, 1, &self) || kp_machine_detach(self))
        return 1;
    return and_destroy(machine, kp_machine_detach(self));
}

static int detach_own(struct scene *s)
{
    return s->wrong ? kp_machine_detach(s->self) : KP_OK;
}

/* A processor of an allreduce. On processor 0 the user's operator misuses an object that the
 * running call needs. */
struct combining {
    kp_machine *machine;
    int number;
    int (*use)(struct combining *c); /* the misuse; NULL: the operator only adds */
    kp_proc *self;
    kp_group *group;
    kp_plan *plan;
    kp_error_record said;
    int wrong;
};

static void use_and_add(void *to, const void *left, const void *right, size_t count, void *context)
{
    struct combining *c = context;
    for (size_t i = 0; i < count; i++)
        ((int64_t *)to)[i] = ((const int64_t *)left)[i] + ((const int64_t *)right)[i];
    if (c->use && c->said.status == KP_OK) {
        (void)c->use(c);
        c->said = *kp_last_error();
    }
}

static void *combine(void *argument)
{
    struct combining *c = argument;
    int64_t in = 0, out = 1;
    kp_operator op = {.name = "mine", .combine = use_and_add, .context = c, .commutative = 1};
    kp_arguments a = {
        .operation = KP_ALLREDUCE, .out = &out, .in = &in, .count = 1, .type = KP_INT64, .op = &op};
    c->wrong = kp_machine_attach(c->machine, c->number, &c->self) ||
               kp_group_create(c->self, (int[]){1, 0}, 2, &c->group) ||
               kp_plan_make(c->group, &a, &c->plan);
    if (!c->wrong)
        (void)!(kp_plan_execute)(c->plan); /* the misuse may make the call fail, or may not */
    c->wrong = kp_plan_free(c->plan) || kp_group_free(c->group) || c->wrong;
    kp_machine_detach(c->self);
    return NULL;
}

static int in_operator(int (*use)(struct combining *c))
{
    kp_machine *machine = machine_of(2);
    struct combining both[2] = {{.machine = machine, .number = 0, .use = use},
                                {.machine = machine, .number = 1}};
    pthread_t other;
    if (pthread_create(&other, NULL, combine, &both[1]))
        return 1;
    combine(&both[0]);
    if (pthread_join(other, NULL) || kp_machine_destroy(machine) || both[0].wrong || both[1].wrong)
        return 1;
    *(kp_error_record *)kp_last_error() = both[0].said;
    return both[0].said.status;
}

static int detaches(struct combining *c)
{
    return kp_machine_detach(c->self);
}

static int frees_group(struct combining *c)
{
    return kp_group_free(c->group);
}

static int frees_plan(struct combining *c)
{
    return kp_plan_free(c->plan);
}

static int calls(struct combining *c)
{
    return kp_barrier(kp_world(c->self));
}

static int detach_in_operation(void)
{
    return in_operator(detaches);
}

static int group_freed_in_operation(void)
{
    return in_operator(frees_group);
}

static int plan_freed_in_operation(void)
{
    return in_operator(frees_plan);
}

static int call_in_operation(void)
{
    return in_operator(calls);
}

/* The function that kp_machine_dump would call. In these tests the dump is refused, so the function
 * is never called. */
static void nobody(const kp_diagnosis *diagnosis, void *arg)
{
    (void)diagnosis;
    (void)arg;
}

static int dump_null(void)
{
    return kp_machine_dump(NULL, nobody, NULL);
}

static int dump_nowhere(void)
{
    kp_machine *machine = machine_of(2);
    return and_destroy(machine, kp_machine_dump(machine, NULL, NULL));
}

static int dump_destroyed(void)
{
    kp_machine *machine = machine_of(2);
    kp_machine_destroy(machine);
    return kp_machine_dump(machine, nobody, NULL);
}

static int told_null(void)
{
    char text[8];
    kp_diagnosis_print(NULL, NULL);
    kp_diagnosis_print_json(NULL, NULL);
    return misuse_told(kp_diagnosis_text(NULL, text, sizeof text) == 0 &&
                       kp_diagnosis_json(NULL, text, sizeof text) == 0);
}

static int fail_null(void)
{
    return kp_fail(NULL, "no reason");
}

static int world_null(void)
{
    return misuse_told(!kp_world(NULL) && kp_processor(NULL) == -1 &&
                       kp_error(NULL) == kp_last_error());
}

const struct misuse misuses_of_machines[] = {
    {"`kp_machine_create`", "`machine` is NULL", KP_EARGUMENT,
     "machine is NULL; it must be where the handle goes", .alone = machine_null},
    {"`kp_machine_run`", "`machine` is NULL", KP_EARGUMENT,
     "machine is NULL; it must be what kp_machine_create made", .alone = run_null},
    {"`kp_run`, `kp_machine_run`", "`program` is NULL", KP_EARGUMENT,
     "program is NULL; it must be a function", .alone = program_null},
    {"`kp_machine_run`", "the machine has been destroyed", KP_EENDED,
     "the machine is none that there is: it has been destroyed, or this never was one",
     .alone = run_destroyed},
    {"`kp_machine_run`", "from a program of the same machine", KP_EBUSY,
     "a run is under way on this machine; it may have one at a time", .alone = run_in_run},
    {"`kp_machine_run`", "a thread is attached", KP_EBUSY,
     "threads are attached to the machine; it may run when all have detached",
     .alone = run_attached},
    {"`kp_machine_run`, `kp_machine_attach`", "in the child of a fork, the parent's machine",
     KP_EFAILED,
     "the machine belongs to the parent of this process; after a fork the child may make its own",
     .alone = in_child},
    {"`kp_machine_destroy`", "a run is under way", KP_EBUSY,
     "a run is under way on this machine; it may be destroyed when that is over",
     .alone = destroy_in_run},
    {"`kp_machine_destroy`", "a thread is attached", KP_EBUSY,
     "a processor is still attached to this machine; it may be destroyed when all have detached",
     .alone = destroy_attached},
    {"`kp_machine_destroy`", "twice", KP_EENDED,
     "the machine is none that there is: it has been destroyed, or this never was one",
     .alone = destroy_twice},
    {"`kp_machine_destroy`", "no machine at all", KP_EENDED,
     "the machine is none that there is: it has been destroyed, or this never was one",
     .alone = never_made},
    {"`kp_machine_attach`", "`machine` is NULL", KP_EARGUMENT,
     "machine is NULL; it must be what kp_machine_create made", .alone = attach_null},
    {"`kp_machine_attach`", "`self` is NULL", KP_EARGUMENT,
     "self is NULL; it must be where the handle goes", .alone = self_null},
    {"`kp_machine_attach`", "`processor` is none", KP_EARGUMENT,
     "processor is 2; it may be 0 ... 1", .alone = no_processor},
    {"`kp_machine_attach`", "twice by one thread", KP_EBUSY,
     "the thread carries processor 0 already; it may carry one at a time", .alone = attach_twice},
    {"`kp_machine_attach`", "the processor has a thread", KP_EBUSY,
     "processor 1 has a thread already; it may have one", .alone = member_taken},
    {"`kp_machine_attach`", "a run is under way", KP_EBUSY,
     "a run is under way on this machine; a thread may attach when it is over",
     .alone = attach_in_run},
    {"`kp_machine_attach`", "a machine of fibers", KP_EARGUMENT,
     "the machine's processors are fibers, which it runs itself; a thread may attach to a machine "
     "whose carrier is 0 (threads)",
     .alone = attach_fibers, .fibers = true},
    {"`kp_machine_attach`", "the machine has been destroyed", KP_EENDED,
     "the machine is none that there is: it has been destroyed, or this never was one",
     .alone = attach_destroyed},
    {"`kp_machine_detach`", "`self` is NULL", KP_EARGUMENT,
     "self is NULL; it must be what the program was given, or what kp_machine_attach made",
     .alone = detach_null},
    {"`kp_machine_detach`", "twice", KP_EWRONGTHREAD,
     "self is processor 1's, and the calling thread carries none (any more); it may be used by the "
     "thread that carries that processor",
     .alone = detach_twice},
    {"`kp_machine_detach`", "by a program that kport runs", KP_EWRONGTHREAD,
     "the processor's thread is the machine's own, which ends its part by returning from the "
     "program; one that attached itself may detach",
     .among = detach_own},
    {"`kp_machine_detach`",
     "in mid-operation: by an operator, or after a jump out of a call; the next one detaches",
     KP_EFAILED,
     "processor 0 calls kport although its call is not over: it has left that by longjmp or by a "
     "C++ exception, or calls from an operator",
     .alone = detach_in_operation},
    {"`kp_group_free`", "the same", KP_EFAILED,
     "processor 0 calls kport although its call is not over: it has left that by longjmp or by a "
     "C++ exception, or calls from an operator",
     .alone = group_freed_in_operation},
    {"`kp_plan_free`", "the same", KP_EFAILED,
     "processor 0 calls kport although its call is not over: it has left that by longjmp or by a "
     "C++ exception, or calls from an operator",
     .alone = plan_freed_in_operation},
    {"all calls with a `group`", "the same", KP_EFAILED,
     "processor 0 calls kport although its call is not over: it has left that by longjmp or by a "
     "C++ exception, or calls from an operator",
     .alone = call_in_operation},
    {"`kp_machine_dump`", "`machine` is NULL", KP_EARGUMENT,
     "machine is NULL; it must be what kp_machine_create made", .alone = dump_null},
    {"`kp_machine_dump`", "`tell` is NULL", KP_EARGUMENT, "tell is NULL; it must be a function",
     .alone = dump_nowhere},
    {"`kp_machine_dump`", "the machine has been destroyed", KP_EENDED,
     "the machine is none that there is: it has been destroyed, or this never was one",
     .alone = dump_destroyed},
    {"`kp_diagnosis_text`, `kp_diagnosis_json`, `kp_diagnosis_print`, `kp_diagnosis_print_json`, "
     "which write nothing",
     "`diagnosis` is NULL, or `text` with a size above 0", KP_EARGUMENT,
     "diagnosis is NULL; it must be what a machine told", .alone = told_null},
    {"`kp_fail`", "`self` is NULL", KP_EARGUMENT,
     "self is NULL; it must be what the program was given, or what kp_machine_attach made",
     .alone = fail_null},
    {"`kp_world`, `kp_processor`, `kp_error`, which return NULL, -1 and the thread's latest error",
     "`self` is NULL", KP_EARGUMENT,
     "self is NULL; it must be what the program was given, or what kp_machine_attach made",
     .alone = world_null},
    {NULL}};
