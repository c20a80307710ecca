/* Errors: their sentences, and the end of a job. */
#include "lib/bsp/process.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct kp_bsp_job no_job;

static void tell(const struct kp_bsp_job *job, const struct kp_finding *finding)
{
    static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&one_at_a_time);
    if (job->tell)
        job->tell(job->argument, finding);
    else
        fprintf(stderr, "kport: %s\n", finding->sentence);
    pthread_mutex_unlock(&one_at_a_time);
}

/* Returns only to the first process that ends the job. */
static void begin_end(struct kp_bsp_world *world)
{
    if (!world || atomic_exchange_explicit(&world->ending, 1, memory_order_acq_rel) == 0)
        return;
    for (;;)
        pause();
}

static _Noreturn void leave(const struct kp_bsp_job *job, int exit_status)
{
    if (job->leave)
        job->leave(job->argument, exit_status);
    fflush(NULL);
    _exit(exit_status);
}

void kp_bsp_say_place(const struct kp_bsp_place *place, char text[KP_BSP_WHERE_BYTES])
{
    text[0] = '\0';
    if (place->file)
        snprintf(text, KP_BSP_WHERE_BYTES, " at %s:%d", place->file, place->line);
}

/* Writes "process 2: bsp_put at app.c:31: ...". */
static void write_sentence(const struct kp_bsp_process *self, const struct kp_bsp_place *place,
                           const char *format, va_list arguments, char *sentence, size_t size)
{
    char where[KP_BSP_WHERE_BYTES] = "";
    size_t length;
    sentence[0] = '\0';
    if (place)
        kp_bsp_say_place(place, where);
    if (self)
        snprintf(sentence, size, "process %d: ", self->number);
    length = strlen(sentence);
    if (place && place->function)
        snprintf(sentence + length, size - length, "%s%s: ", place->function, where);
    length = strlen(sentence);
    vsnprintf(sentence + length, size - length, format, arguments);
}

static struct kp_finding finding_of(const struct kp_bsp_process *self, const char *kind,
                                    const struct kp_bsp_place *place, const char *sentence)
{
    return (struct kp_finding){.kind = kind,
                               .rank = self ? self->number : -1,
                               .function = place ? place->function : NULL,
                               .file = place ? place->file : NULL,
                               .line = place ? place->line : 0,
                               .sentence = sentence};
}

void kp_bsp_tell(struct kp_bsp_process *self, const char *kind, const struct kp_bsp_place *place,
                 const char *format, ...)
{
    char sentence[KP_BSP_SENTENCE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    write_sentence(self, place, format, arguments, sentence, sizeof sentence);
    va_end(arguments);
    const struct kp_finding finding = finding_of(self, kind, place, sentence);
    tell(self->world->job, &finding);
}

static _Noreturn void end_job(struct kp_bsp_process *self, int exit_status, const char *kind,
                              const struct kp_bsp_place *place, const char *format,
                              va_list arguments)
{
    const struct kp_bsp_job *job = self ? self->world->job : &no_job;
    begin_end(self ? self->world : NULL);
    if (kind) {
        char sentence[KP_BSP_SENTENCE_BYTES];
        write_sentence(self, place, format, arguments, sentence, sizeof sentence);
        struct kp_finding finding = finding_of(self, kind, place, sentence);
        finding.ends = true;
        tell(job, &finding);
    }
    leave(job, exit_status);
}

void kp_bsp_end_job(struct kp_bsp_process *self, int exit_status, const char *kind,
                    const struct kp_bsp_place *place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    end_job(self, exit_status, kind, place, format, arguments);
}

void kp_bsp_fail(struct kp_bsp_process *self, const char *kind, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    end_job(self, EXIT_FAILURE, kind, &self->call, format, arguments);
}

void kp_bsp_no_memory(struct kp_bsp_process *self)
{
    kp_bsp_fail(self, "memory", "there is no memory");
}

void kp_bsp_refuse(const char *function, const char *file, int line)
{
    struct kp_bsp_process *self = kp_face_data();
    const struct kp_bsp_place place = {function, file, line};
    if (!self)
        kp_bsp_end_job(NULL, EXIT_FAILURE, "before-begin", &place,
                       "was called before bsp_begin, or by a thread that belongs to no process");
    kp_bsp_end_job(self, EXIT_FAILURE, "before-begin", &place, "was called %s",
                   self->phase == KP_BSP_BEFORE ? "before bsp_begin" : "after bsp_end");
}

/* --- What only kport knows --- */

static const struct kp_bsp_process *process_at(const struct kp_bsp_world *world, int number)
{
    /* acquire: pairs with the release of kp_bsp_process_make, which has filled in the process */
    return number < 0 || number >= world->size
               ? NULL
               : atomic_load_explicit(&world->processes[number], memory_order_acquire);
}

/* Members have come to a sync with different calls: names one that differs from the caller's. All
 * have arrived, and none goes on. */
static _Noreturn void fail_differing(struct kp_bsp_process *self)
{
    for (int i = 0; self->team && !self->remote && i < self->team->size; i++) {
        const struct kp_bsp_process *other = self->team->members[i];
        char where[KP_BSP_WHERE_BYTES];
        if (strcmp(other->call.function, self->call.function) == 0)
            continue;
        kp_bsp_say_place(&other->call, where);
        kp_bsp_fail(self, "mismatch", "process %d has called %s%s instead", i, other->call.function,
                    where);
    }
    kp_bsp_fail(self, "mismatch", "%s", kp_error(self->proc)->sentence);
}

void kp_bsp_fail_by(struct kp_bsp_process *self, int status)
{
    const kp_error_record *why = kp_error(self->proc);
    if (status == KP_EMISMATCH)
        fail_differing(self);
    if (status == KP_ELOST)
        kp_bsp_fail(self, "lost", "process %d has ended without calling it", why->processor);
    if (status == KP_EMEMORY)
        kp_bsp_no_memory(self);
    kp_bsp_fail(self, status == KP_EDEADLOCK ? "deadlock" : "other", "%s",
                why && why->status == status ? why->sentence : kp_strerror(status));
}

void kp_bsp_on_failure(const kp_diagnosis *diagnosis, void *argument)
{
    struct kp_bsp_world *world = argument;
    if (diagnosis->kind != KP_DIAGNOSIS_DEADLOCK && diagnosis->kind != KP_DIAGNOSIS_LATE)
        return;
    begin_end(world);
    const struct kp_bsp_process *process = process_at(world, diagnosis->error.processor);
    struct kp_finding finding =
        finding_of(process, diagnosis->kind == KP_DIAGNOSIS_LATE ? "timeout" : "deadlock",
                   process ? &process->call : NULL, diagnosis->error.sentence);
    finding.ends = true;
    tell(world->job, &finding);
    leave(world->job, EXIT_FAILURE);
}
