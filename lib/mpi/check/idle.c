/* What a rank tests in a loop, in words, for the report of a deadlock. The rank says it itself,
 * because only the rank may look at its requests while it goes on. So when the ranks are asked,
 * each collects the calls of its loop until the first of them comes again. */
#include "lib/mpi/check/sentence.h"
#include "lib/mpi/request.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CALLS    4  /* that the report has of a rank */
#define MOST_LOOKS    64 /* calls until the loop is said to be known */
#define ROOM_FOR_MORE 40 /* bytes for what a report leaves out: "; and 3 more" */

struct call {
    struct kp_mpi_place place;
    MPI_Request first; /* of its handles; NULL: none */
    int source, tag;   /* of a probe */
    char text[400];
};

struct kp_mpi_idle {
    unsigned asked;
    int count, looks;
    struct call calls[MOST_CALLS];
    struct kp_finding_rank seen;
    int *waits_for; /* in the memory behind: the ranks for which it waits, in order */
    bool waits[];   /* for each rank of the job */
};

static bool make(struct kp_mpi_rank *self)
{
    const size_t size = (size_t)self->world->size;
    const size_t before = (sizeof(struct kp_mpi_idle) + size + sizeof(int) - 1) / sizeof(int);
    int *memory = self->idle ? (int *)self->idle : calloc(before + size, sizeof(int));
    if (!memory)
        return false;
    self->idle = (struct kp_mpi_idle *)memory;
    self->idle->waits_for = memory + before;
    return true;
}

/* --- What a call tests --- */

struct text {
    char *bytes;
    size_t size;
};

static void add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text->bytes, text->size, format, arguments);
    va_end(arguments);
    const size_t used = length > 0 ? strlen(text->bytes) : 0;
    text->bytes += used;
    text->size -= used;
}

/* Returns the rank in the communicator, of the side to which it sends, of a rank of the job; or -1.
 */
static int rank_in(const struct kp_mpi_comm *comm, int number)
{
    for (int i = 0; i < comm->peers; i++) {
        if (kp_group_processor(comm->group, comm->offset + i) == number)
            return i;
    }
    return -1;
}

/* Notes that the rank waits for this one of the job; or, if it is -1, for any member. */
static void note_awaited(struct kp_mpi_rank *self, const struct kp_mpi_comm *comm, int number)
{
    if (number >= 0)
        self->idle->waits[number] = true;
    for (int i = 0; number < 0 && i < comm->peers; i++) {
        const int member = kp_group_processor(comm->group, comm->offset + i);
        self->idle->waits[member] = self->idle->waits[member] || member != self->number;
    }
}

/* The words name a rank by its number in the communicator. */
static void add_comm(struct text *text, const struct kp_mpi_comm *comm, int number)
{
    const int rank = number < 0 ? -1 : rank_in(comm, number);
    if (comm->handle == MPI_COMM_WORLD)
        return;
    if (comm->name[0])
        add(text, ", on %s", comm->name);
    else
        add(text, ", on a communicator of %d rank%s", comm->size, comm->size == 1 ? "" : "s");
    if (rank >= 0)
        add(text, ", whose rank %d is rank %d of MPI_COMM_WORLD", rank, number);
}

static void add_probe(struct kp_mpi_rank *self, const struct kp_mpi_tested *what, struct text *text)
{
    const struct kp_mpi_comm *comm = what->comm;
    const bool any = what->source == MPI_ANY_SOURCE;
    const int number = any ? -1 : kp_group_processor(comm->group, comm->offset + what->source);
    char source[32] = "any rank", tag[32] = "any tag";
    if (!any)
        snprintf(source, sizeof source, "rank %d", what->source);
    if (what->tag != MPI_ANY_TAG)
        snprintf(tag, sizeof tag, "tag %d", what->tag);
    add(text, ": probe of a message from %s with %s", source, tag);
    add_comm(text, comm, number);
    note_awaited(self, comm, number);
}

/* Adds what the first part of a request waits for that has not ended. Returns false if all have. */
static bool add_request(struct kp_mpi_rank *self, struct kp_mpi_request *request, const char *comma,
                        struct text *text)
{
    char words[300], awaited[300];
    int i = 0;
    while (i < kp_mpi_parts(request) && !kp_mpi_part(request, i)->request)
        i++;
    if (i == kp_mpi_parts(request))
        return false;
    const int number = kp_face_describe(kp_mpi_part(request, i)->request, words, sizeof words);
    kp_mpi_say_awaited(self, words, awaited, sizeof awaited);
    add(text, "%s%s", comma, awaited + strspn(awaited, ": "));
    if (!request->general)
        add_comm(text, request->comm, request->is_message ? number : -1);
    note_awaited(self, request->comm, number);
    return true;
}

/* Of many requests, the first ones for which there is room. */
static void add_requests(struct kp_mpi_rank *self, const struct kp_mpi_tested *what,
                         struct text *text)
{
    int count = 0, more = 0;
    for (int i = 0; i < what->count; i++) {
        struct kp_mpi_request *request = kp_mpi_request_of(self, what->handles[i]);
        const struct text before = *text;
        if (!request || !request->active || !add_request(self, request, count ? "; " : ": ", text))
            continue;
        if (more == 0 && text->size > ROOM_FOR_MORE) {
            count++;
            continue;
        }
        more++;
        *text = before;
        *text->bytes = '\0';
    }
    if (more > 0)
        add(text, "%s%d more", count ? "; and " : ": ", more);
}

/* --- A loop --- */

static int by_place(const void *one, const void *other)
{
    const struct call *a = one, *b = other;
    if (a->place.line != b->place.line)
        return a->place.line < b->place.line ? -1 : 1;
    return strcmp(a->text, b->text);
}

/* Puts the calls together, in an order that does not depend on which one came first. `more` says
 * that there are others. */
static void answer(struct kp_mpi_rank *self, bool more)
{
    struct kp_mpi_idle *idle = self->idle;
    struct kp_finding_rank *seen = &idle->seen;
    struct text out = {seen->does, sizeof seen->does};
    qsort(idle->calls, (size_t)idle->count, sizeof idle->calls[0], by_place);
    const struct kp_mpi_place place = kp_mpi_place_found(&idle->calls[0].place);
    *seen = (struct kp_finding_rank){.rank = self->number,
                                     .function = place.function,
                                     .file = place.file,
                                     .line = place.file ? place.line : 0,
                                     .waits_for = idle->waits_for};
    for (int i = 0; i < idle->count; i++) {
        if (i > 0 && strlen(idle->calls[i].text) + ROOM_FOR_MORE > out.size)
            more = true;
        else
            add(&out, "%s%s", i > 0 ? "; and " : "", idle->calls[i].text);
    }
    add(&out, more ? "; and other calls" : "");
    for (int i = 0; i < self->world->size; i++) {
        if (idle->waits[i])
            idle->waits_for[seen->waits_for_count++] = i;
    }
    /* release: pairs with the acquire of kp_mpi_tested_by */
    atomic_store_explicit(&self->answered, idle->asked, memory_order_release);
}

static bool is_same(const struct call *one, const struct call *other)
{
    return one->first == other->first && one->source == other->source && one->tag == other->tag &&
           one->place.line == other->place.line && one->place.file == other->place.file &&
           one->place.caller == other->place.caller;
}

/* Writes what the call tests, and notes for whom the rank waits. */
static void describe(struct kp_mpi_rank *self, const struct kp_mpi_tested *what, struct call *call)
{
    struct text text = {call->text, sizeof call->text};
    char where[200] = "";
    kp_mpi_say_place(&self->call, where, sizeof where);
    add(&text, "%s%s", self->call.function, where);
    if (what->comm)
        add_probe(self, what, &text);
    else
        add_requests(self, what, &text);
}

void kp_mpi_say_tested(struct kp_mpi_rank *self, unsigned asked, const struct kp_mpi_tested *what)
{
    const struct call call = {.place = self->call,
                              .first = what->count > 0 ? what->handles[0] : NULL,
                              .source = what->source,
                              .tag = what->tag};
    if (atomic_load_explicit(&self->answered, memory_order_relaxed) == asked || !make(self))
        return;
    struct kp_mpi_idle *idle = self->idle;
    if (idle->asked != asked) {
        idle->asked = asked;
        idle->count = idle->looks = 0;
        memset(idle->waits, 0, (size_t)self->world->size * sizeof idle->waits[0]);
    }
    int known = 0;
    while (known < idle->count && !is_same(&idle->calls[known], &call))
        known++;
    if (known < idle->count && (known == 0 || ++idle->looks == MOST_LOOKS)) {
        answer(self, false);
    } else if (known == MOST_CALLS) {
        answer(self, true);
    } else if (known == idle->count) {
        idle->calls[idle->count++] = call;
        describe(self, what, &idle->calls[known]);
    }
}

const struct kp_finding_rank *kp_mpi_tested_by(const struct kp_mpi_rank *rank)
{
    const unsigned asked = atomic_load_explicit(&rank->world->asked, memory_order_relaxed);
    /* acquire: pairs with the release of `answer` */
    return asked % 2 == 1 && atomic_load_explicit(&rank->answered, memory_order_acquire) == asked
               ? &rank->idle->seen
               : NULL;
}
