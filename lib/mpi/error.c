/* Errors: their classes, their sentences, and the end of a job. */
#include "lib/mpi/check/sentence.h"
#include "lib/mpi/comm.h"
#include "lib/mpi/errhandler.h"
#include "lib/mpi/rank.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const struct class
{
    int class;
    const char *name, *text;
} classes[] = {
#define CLASS(name, value, text) {value, #name, text},
    KP_MPI_CLASSES(CLASS)
#undef CLASS
};

static const struct class *class_of(int class)
{
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        if (classes[i].class == class)
            return &classes[i];
    }
    return NULL;
}

const char *kp_mpi_class_name(int class)
{
    const struct class *found = class_of(class);
    return found ? found->name : "MPI_ERR_UNKNOWN";
}

const char *kp_mpi_class_text(int class)
{
    const struct class *found = class_of(class);
    return found ? found->text : "unknown error class";
}

/* --- Telling --- */

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static void tell_one(const struct kp_mpi_world *world, const struct kp_finding *finding)
{
    const struct kp_mpi_job *job = world->job;
    if (job->tell)
        job->tell(job->argument, finding);
    else
        fprintf(stderr, "kport: %s\n", finding->sentence);
}

static void tell(struct kp_mpi_world *world, const struct kp_finding *finding)
{
    atomic_fetch_add_explicit(&world->findings, 1, memory_order_relaxed);
    pthread_mutex_lock(&one_at_a_time);
    if (finding->ends || kp_mpi_is_new(world, finding))
        tell_one(world, finding);
    pthread_mutex_unlock(&one_at_a_time);
}

void kp_mpi_tell_counts(struct kp_mpi_world *world)
{
    pthread_mutex_lock(&one_at_a_time);
    kp_mpi_tell_repeated(world, tell_one);
    pthread_mutex_unlock(&one_at_a_time);
}

void kp_mpi_all_told(struct kp_mpi_world *world)
{
    const struct kp_mpi_job *job = world->job;
    if (!job->all_told)
        return;
    pthread_mutex_lock(&one_at_a_time);
    if (!world->all_told)
        job->all_told(job->argument);
    world->all_told = true;
    pthread_mutex_unlock(&one_at_a_time);
}

static struct kp_finding finding_of(const struct kp_mpi_rank *self, const char *kind,
                                    const struct kp_mpi_place *place, const char *sentence)
{
    const struct kp_mpi_place found = place ? kp_mpi_place_found(place) : (struct kp_mpi_place){0};
    return (struct kp_finding){.kind = kind,
                               .rank = self->number,
                               .function = found.function,
                               .file = found.file,
                               .line = found.file ? found.line : 0,
                               .of_end = self->ends,
                               .sentence = sentence};
}

/* Writes "rank 2: MPI_Send at app.c:31: ...". */
static void write_sentence(const struct kp_mpi_rank *self, const struct kp_mpi_place *place,
                           const char *format, va_list arguments, char *sentence, size_t size)
{
    char where[200] = "";
    size_t length;
    if (place)
        kp_mpi_say_place(place, where, sizeof where);
    snprintf(sentence, size, "rank %d: %s%s%s", self->number,
             place && place->function ? place->function : "", where,
             place && place->function ? ": " : "");
    length = strlen(sentence);
    vsnprintf(sentence + length, size - length, format, arguments);
}

void kp_mpi_tell(struct kp_mpi_rank *self, const char *kind, const struct kp_mpi_place *place,
                 const char *format, ...)
{
    char sentence[KP_MPI_SENTENCE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    write_sentence(self, place, format, arguments, sentence, sizeof sentence);
    va_end(arguments);
    const struct kp_finding finding = finding_of(self, kind, place, sentence);
    tell(self->world, &finding);
}

void kp_mpi_decided(const struct kp_mpi_rank *self, int what)
{
    const struct kp_mpi_job *job = self->world->job;
    const struct kp_mpi_place *place = self->awaited ? self->awaited : &self->call;
    if (job->decided)
        job->decided(job->argument, &(struct kp_mpi_decision){.rank = self->number,
                                                              .function = place->function,
                                                              .file = place->file,
                                                              .line = place->line,
                                                              .what = what});
}

void kp_mpi_tell_end(struct kp_mpi_world *world, const kp_error_record *why)
{
    char words[KP_MPI_SENTENCE_BYTES], sentence[KP_MPI_SENTENCE_BYTES];
    kp_mpi_reword(why->sentence, words, sizeof words);
    kp_mpi_name_calls(world, words, sentence, sizeof sentence);
    tell(world, &(struct kp_finding){.kind = why->status == KP_EMISMATCH ? "mismatch" : "unmatched",
                                     .rank = why->processor,
                                     .file = why->file,
                                     .line = why->line,
                                     .sentence = sentence});
}

/* --- Ends --- */

/* Returns only to the first rank that ends the job. */
static void begin_end(struct kp_mpi_world *world)
{
    if (atomic_exchange_explicit(&world->ending, 1, memory_order_acq_rel) == 0)
        return;
    for (;;)
        pause();
}

static _Noreturn void leave(struct kp_mpi_world *world, int exit_status)
{
    kp_mpi_tell_counts(world);
    if (world->job->leave)
        world->job->leave(world->job->argument, exit_status);
    fflush(NULL);
    _exit(exit_status);
}

void kp_mpi_end(struct kp_mpi_rank *self, int exit_status, const char *kind,
                const struct kp_mpi_place *place, const char *format, ...)
{
    begin_end(self->world);
    if (kind) {
        char sentence[KP_MPI_SENTENCE_BYTES];
        va_list arguments;
        va_start(arguments, format);
        write_sentence(self, place, format, arguments, sentence, sizeof sentence);
        va_end(arguments);
        struct kp_finding finding = finding_of(self, kind, place, sentence);
        finding.ends = true;
        tell(self->world, &finding);
    }
    leave(self->world, exit_status);
}

void kp_mpi_on_failure(const kp_diagnosis *diagnosis, void *argument)
{
    struct kp_mpi_world *world = argument;
    if (diagnosis->kind != KP_DIAGNOSIS_DEADLOCK && diagnosis->kind != KP_DIAGNOSIS_LATE)
        return;
    begin_end(world);
    atomic_store_explicit(&world->asked, 0, memory_order_relaxed); /* what ranks tested is past */
    const bool late = diagnosis->kind == KP_DIAGNOSIS_LATE;
    struct kp_finding finding = {.kind = late ? "timeout" : "deadlock",
                                 .rank = -1,
                                 .file = diagnosis->error.file,
                                 .line = diagnosis->error.line,
                                 .ends = true,
                                 .sentence = diagnosis->error.sentence};
    if (!late)
        kp_mpi_say_ranks(world, diagnosis, "deadlock: every rank waits", true, &finding);
    tell(world, &finding);
    leave(world, MPI_ERR_OTHER);
}

struct late {
    struct kp_mpi_world *world;
    const char *head;
    int exit_status;
};

static void tell_late(const kp_diagnosis *diagnosis, void *argument)
{
    const struct late *late = argument;
    struct kp_finding finding = {
        .kind = "timeout", .rank = -1, .ends = true, .sentence = late->head};
    kp_mpi_say_ranks(late->world, diagnosis, late->head, false, &finding);
    tell(late->world, &finding);
    leave(late->world, late->exit_status);
}

void kp_mpi_end_late(struct kp_mpi_world *world, const char *head, int exit_status)
{
    struct late late = {world, head, exit_status};
    if (atomic_exchange_explicit(&world->ending, 1, memory_order_acq_rel) == 0)
        (void)kp_machine_dump(world->machine, tell_late, &late);
}

/* The place is that of the lowest rank that tests. */
static void tell_idle(const kp_diagnosis *diagnosis, void *argument)
{
    static const char head[] =
        "deadlock: every rank waits, or tests in a loop and never finds anything";
    struct kp_mpi_world *world = argument;
    struct kp_finding finding = {.kind = "deadlock", .rank = -1, .ends = true, .sentence = head};
    for (int i = 0; i < world->size && !finding.file; i++) {
        const struct kp_mpi_rank *rank = kp_mpi_rank_of(world, i);
        const struct kp_finding_rank *tested = rank ? kp_mpi_tested_by(rank) : NULL;
        finding.file = tested ? tested->file : NULL;
        finding.line = tested ? tested->line : 0;
    }
    kp_mpi_say_ranks(world, diagnosis, head, true, &finding);
    tell(world, &finding);
    leave(world, MPI_ERR_OTHER);
}

void kp_mpi_end_idle(struct kp_mpi_world *world)
{
    begin_end(world);
    (void)kp_machine_dump(world->machine, tell_idle, world);
    leave(world, MPI_ERR_OTHER); /* not reached: the machine is there */
}

/* --- Errors of calls --- */

/* The handler of errors that belong to no communicator. That is the one of MPI_COMM_SELF; until
 * MPI 3.1 it was the one of MPI_COMM_WORLD, and programs that have set only that one expect it. */
static MPI_Errhandler handler_of_no_comm(const struct kp_mpi_rank *self)
{
    if (!self->comm_self)
        return MPI_ERRORS_ARE_FATAL;
    return self->comm_self->errhandler == MPI_ERRORS_ARE_FATAL ? self->comm_world->errhandler
                                                               : self->comm_self->errhandler;
}

static int fail(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, int class, const char *kind)
{
    self->last_error = class;
    const MPI_Errhandler handler = comm ? comm->errhandler : handler_of_no_comm(self);
    struct kp_finding finding = finding_of(self, kind, &self->call, self->sentence);
    if (handler == MPI_ERRORS_ARE_FATAL || handler == MPI_ERRORS_ABORT) {
        begin_end(self->world);
        finding.ends = true;
        tell(self->world, &finding);
        leave(self->world, class & 0xff);
    }
    finding.kind = "returned"; /* the program has asked for its errors */
    tell(self->world, &finding);
    return kp_mpi_errhandler_call(self, handler, comm, class);
}

int kp_mpi_fail(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, int class, const char *format,
                ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_sentence(self, &self->call, format, arguments, self->sentence, sizeof self->sentence);
    va_end(arguments);
    return fail(self, comm, class,
                class == MPI_ERR_REQUEST    ? "request"
                : class == MPI_ERR_NOT_SAME ? "mismatch"
                : class == MPI_ERR_TRUNCATE ? "truncation"
                                            : "argument");
}

static const struct {
    int status, class;
    const char *kind;
} statuses[] = {
    {KP_EARGUMENT, MPI_ERR_ARG, "argument"},      {KP_EMEMORY, MPI_ERR_NO_MEM, "memory"},
    {KP_EMISMATCH, MPI_ERR_NOT_SAME, "mismatch"}, {KP_EPEER, MPI_ERR_NOT_SAME, "peer"},
    {KP_ELENGTH, MPI_ERR_TRUNCATE, "truncation"}, {KP_ELOST, MPI_ERR_PROC_ABORTED, "lost"},
    {KP_EDEADLOCK, MPI_ERR_OTHER, "deadlock"},    {KP_ETIMEOUT, MPI_ERR_OTHER, "timeout"},
};

static void write_by(const struct kp_mpi_rank *self, char *sentence, size_t size,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));
static void write_by(const struct kp_mpi_rank *self, char *sentence, size_t size,
                     const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_sentence(self, &self->call, format, arguments, sentence, size);
    va_end(arguments);
}

/* The rank or worker that has found a deadlock is about to tell what all ranks do, and to end the
 * job. */
static void let_it_be_told(void)
{
    static const struct timespec most = {.tv_sec = 2};
    nanosleep(&most, NULL);
}

int kp_mpi_fail_by(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, int status)
{
    const kp_error_record *why = kp_error(self->proc);
    int class = MPI_ERR_OTHER;
    const char *kind = "other";
    char words[KP_MPI_SENTENCE_BYTES];
    if (status == KP_EDEADLOCK || status == KP_ETIMEOUT)
        let_it_be_told();
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        if (statuses[i].status == status) {
            class = statuses[i].class;
            kind = statuses[i].kind;
        }
    }
    kp_mpi_reword(why && why->status == status ? why->sentence : kp_strerror(status), words,
                  sizeof words);
    char named[KP_MPI_SENTENCE_BYTES];
    kp_mpi_name_calls(self->world, words, named, sizeof named);
    char where[200] = "";
    if (self->awaited)
        kp_mpi_say_place(self->awaited, where, sizeof where);
    const bool placed = strlen(where) > strlen(" at ") && strstr(named, where + strlen(" at "));
    write_by(self, self->sentence, sizeof self->sentence, "%s%s%s%s", named,
             self->awaited ? "; the request is of " : "",
             self->awaited ? self->awaited->function : "", placed ? "" : where);
    return fail(self, comm, class, kind);
}
