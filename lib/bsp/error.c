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
    end_job(self, EXIT_FAILURE, kind, &self->front.call, format, arguments);
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
        kp_bsp_end_job(
            NULL, EXIT_FAILURE, "before-begin", &place,
            "was called before bsp_begin, after bsp_end, or by a thread that belongs to no "
            "process");
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
        if (strcmp(other->front.call.function, self->front.call.function) == 0)
            continue;
        kp_bsp_say_place(&other->front.call, where);
        kp_bsp_fail(self, "mismatch", "process %d has called %s%s instead", i,
                    other->front.call.function, where);
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

/* Says what a process does, without its number. Its place is that of its latest sync. */
static void say_process(const kp_processor_report *report, struct kp_finding_rank *seen)
{
    char where[KP_BSP_WHERE_BYTES];
    const bool in =
        report->activity == KP_ACTIVITY_WAITING || report->activity == KP_ACTIVITY_INSIDE;
    const struct kp_bsp_place place = {in ? report->call : NULL, report->file, report->line};
    *seen = (struct kp_finding_rank){.rank = report->processor,
                                     .function = place.function,
                                     .file = place.file,
                                     .line = place.file ? place.line : 0,
                                     .waits_for = report->waits_for,
                                     .waits_for_count = report->waits_for_count};
    kp_bsp_say_place(&place, where);
    if (in)
        snprintf(seen->does, sizeof seen->does, "in %s%s", report->call ? report->call : "a sync",
                 where);
    else if (report->activity == KP_ACTIVITY_OUTSIDE)
        snprintf(seen->does, sizeof seen->does, "outside of a sync%s%s",
                 place.file ? ", after that" : "", where);
    else
        snprintf(seen->does, sizeof seen->does, "%s", kp_activity_name(report->activity));
    const size_t length = strlen(seen->does);
    if (report->activity == KP_ACTIVITY_WAITING && report->waits_for_count == 1)
        snprintf(seen->does + length, sizeof seen->does - length, ", waits for process %d",
                 report->waits_for[0]);
}

#define MOST_LINES 24

/* Adds to the finding what every process does, and, if `head` is not NULL, a sentence that says it.
 * The job ends then, so nobody frees this. */
static void say_processes(const kp_diagnosis *diagnosis, const char *head,
                          struct kp_finding *finding)
{
    const size_t size = 200 + 600 * MOST_LINES;
    struct kp_finding_rank *all = calloc((size_t)diagnosis->count + 1, sizeof *all);
    char *text = head ? calloc(1, size) : NULL;
    for (int i = 0; all && i < diagnosis->count; i++)
        say_process(&diagnosis->processors[i], &all[i]);
    finding->ranks = all;
    finding->rank_count = all ? diagnosis->count : 0;
    if (!text || !all)
        return;
    size_t length = (size_t)snprintf(text, size, "%s", head);
    for (int first = 0, last, lines = 0; first < diagnosis->count; first = last + 1) {
        for (last = first; last + 1 < diagnosis->count; last++) {
            if (strcmp(all[first].does, all[last + 1].does) != 0)
                break;
        }
        if (lines++ == MOST_LINES)
            break;
        if (last > first)
            length += (size_t)snprintf(text + length, size - length, "\n  processes %d-%d: %s",
                                       first, last, all[first].does);
        else
            length += (size_t)snprintf(text + length, size - length, "\n  process %d: %s", first,
                                       all[first].does);
    }
    finding->sentence = text;
}

struct late {
    struct kp_bsp_world *world;
    const char *head;
    int exit_status;
};

static void tell_late(const kp_diagnosis *diagnosis, void *argument)
{
    const struct late *late = argument;
    struct kp_finding finding = {
        .kind = "timeout", .rank = -1, .ends = true, .sentence = late->head};
    say_processes(diagnosis, late->head, &finding);
    tell(late->world->job, &finding);
    leave(late->world->job, late->exit_status);
}

void kp_bsp_end_late(struct kp_bsp_world *world, kp_machine *machine, const char *head,
                     int exit_status)
{
    struct late late = {world, head, exit_status};
    if (atomic_exchange_explicit(&world->ending, 1, memory_order_acq_rel) == 0)
        (void)kp_machine_dump(machine, tell_late, &late);
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
                   process ? &process->front.call : NULL, diagnosis->error.sentence);
    finding.ends = true;
    say_processes(diagnosis, NULL, &finding);
    tell(world->job, &finding);
    leave(world->job, EXIT_FAILURE);
}
