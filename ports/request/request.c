#include "ports/request/request.h"

#include "ports/carrier/carrier.h"
#include "ports/error.h"
#include "ports/face.h"
#include "ports/fail/snapshot.h"
#include "ports/fail/watch.h"
#include "ports/member.h"
#include "ports/request/progress.h"
#include "ports/sync/wired_data.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* --- Memory and list --- */

#define LEAST_BYTES ((size_t)64)

kp_request *kp_request_memory(int size)
{
    return kp_lines(1, LEAST_BYTES << size);
}

/* The progress thread leaves `unusual` as it is, because the processor's own thread reads it at any
 * time. */
static void settle_unusual(kp_proc *self)
{
    if (self == kp_carried())
        self->unusual = self->failed || self->requests.under_way > 0;
}

void kp_request_unmake(kp_request *request)
{
    kp_request_give_back(request);
}

static inline void free_it(kp_request *request)
{
    if (request->why)
        free(request->why);
    kp_request_give_back(request);
}

/* --- Progress --- */

/* Records that a request has gone on since `begin`. */
static void trace(kp_request *request, uint64_t begin)
{
    struct kp_trace_request what = {.name = "request", .with = -1, .tag = -1};
    const int failed = request->ended && request->status ? KP_TRACE_FAILED : 0;
    request->row->trace(request, &what);
    request->traced = kp_trace_request(request->member, request->traced, &what, begin,
                                       failed | (request->ended ? KP_TRACE_LAST : 0));
}

void kp_request_end_as(kp_request *request, int status)
{
    kp_proc *self = request->self;
    request->status = status;
    request->ended = true;
    self->requests.under_way--;
    if (status && (request->why = malloc(sizeof *request->why)))
        *request->why = self->error;
    settle_unusual(self);
}

static void go_by(kp_request *request, int (*act)(kp_request *request))
{
    const bool traced = kp_member_is_traced(request->member);
    const uint64_t begin = traced ? kp_trace_now(request->member) : 0;
    /* A look that finds nothing is not recorded. */
    const bool tells = traced && (request->traced == 0 || request->row->can_go(request));
    const int status = kp_request_call(request, act);
    if (status == KP_WAITS) {
        if (tells && !request->ended) /* kp_request_end has recorded the end */
            trace(request, begin);
        return;
    }
    kp_request_end_as(request, status);
    if (traced)
        trace(request, begin);
}

void kp_request_go(kp_request *request)
{
    go_by(request, request->row->go);
}

/* The number of requests that go on by themselves. */
static int active(const struct kp_requests *all)
{
    return all->under_way - all->resting;
}

static bool is_active(const kp_request *request)
{
    return !request->ended && !request->rests;
}

/* A request that goes on may end or rouse others, so their number is asked for again. */
void kp_progress(kp_proc *self)
{
    int seen = 0;
    for (kp_request *r = self->requests.first; r && seen < active(&self->requests); r = r->next) {
        if (!is_active(r))
            continue;
        kp_request_go(r);
        seen += is_active(r);
    }
    settle_unusual(self);
}

void kp_requests_at_call(kp_proc *self)
{
    struct kp_requests *all = &self->requests;
    if (self->left) {
        kp_proc_do_rest(self); /* it had no requests, or it would not have left */
        return;
    }
    kp_progress_take(self);
    if (++all->passed_over < all->under_way / KP_GO_ON_ALWAYS)
        return;
    all->passed_over = 0;
    kp_progress(self);
}

bool kp_requests_can_go(const kp_proc *self)
{
    int left = active(&self->requests);
    for (const kp_request *r = self->requests.first; r && left > 0; r = r->next) {
        if (!is_active(r))
            continue;
        if (r->row->can_go(r))
            return true;
        left--;
    }
    return false;
}

static inline void add(kp_request *request, bool ended)
{
    request->self = request->member->self;
    request->site = kp_site_of(request->self);
    request->ended = ended;
    request->rests = false;
    request->why = NULL;
    request->traced = 0;
    kp_request_link(request);
}

void kp_request_add(kp_request *request)
{
    add(request, false);
    if (request->self->requests.under_way++ == 0)
        settle_unusual(request->self);
}

void kp_request_add_ended(kp_request *request)
{
    add(request, true);
    request->status = KP_OK;
    if (kp_member_is_traced(request->member))
        trace(request, kp_trace_now(request->member));
}

void kp_request_begin(kp_request *request)
{
    kp_request_add(request);
    kp_request_go(request);
}

void kp_request_rest(kp_request *request)
{
    request->rests = true;
    request->self->requests.resting++;
    if (kp_member_is_traced(request->member) && request->traced == 0) /* this is its start */
        trace(request, kp_trace_now(request->member));
}

void kp_request_rouse(kp_request *request)
{
    request->self->requests.resting -= request->rests;
    request->rests = false;
}

void kp_request_end(kp_request *request)
{
    struct kp_requests *all = &request->self->requests;
    all->resting -= request->rests;
    request->rests = false;
    request->status = KP_OK;
    request->ended = true;
    if (kp_member_is_traced(request->member))
        trace(request, kp_trace_now(request->member));
    if (--all->under_way == 0)
        settle_unusual(request->self);
}

/* --- Waiting --- */

void kp_request_wake(kp_proc *peer, uint32_t listening)
{
    if (listening % KP_PROGRESS_LISTENS != 0)
        kp_ring(&peer->bell);
    if (listening >= KP_PROGRESS_LISTENS)
        kp_progress_rouse(peer);
}

void kp_wake_listeners_of(struct kp_shared *shared)
{
    for (int i = 0; i < shared->size; i++)
        kp_request_notify(kp_member_carrier(&shared->members[i]));
}

/* What a processor waits for, beside its requests. */
struct kp_beside {
    kp_group *member;
    bool (*ready)(const void *context);
    const void *context;
    struct kp_wait_word *word;
};

static bool can_go_on(const void *context)
{
    const struct kp_beside *beside = context;
    return beside->ready(beside->context) || kp_requests_can_go(beside->member->self);
}

static void listen_to(struct kp_wait_word *word, uint32_t more)
{
    if (!word)
        return;
    atomic_fetch_add_explicit(&word->listeners, more, KP_ORDER_SLEEP);
    atomic_fetch_add_explicit(&word->sleepers, more, KP_ORDER_SLEEP);
}

bool kp_requests_listen_seldom(const struct kp_machine_config *config)
{
    return KP_HAS(ASYMMETRIC) && config->wait == KP_WAIT_SPIN && !kp_threads_are_shared(config) &&
           !config->progress && !config->wire;
}

void kp_requests_listen(kp_proc *self, uint32_t more)
{
    /* A word counts each listener as one. */
    const uint32_t one = more <= UINT32_MAX / 2 ? 1 : UINT32_MAX;
    for (const kp_request *r = self->requests.first; r; r = r->next) {
        if (!r->ended && r->row->word)
            listen_to(r->row->word(r), one);
    }
    kp_say_sleeper(&self->listening, more, one == 1 && self->asymmetric);
}

/* The listener's half of both handshakes (partners: kp_request_notify, kp_wake_listeners). The
 * caller looks once more before it sleeps. */
static void listen(void *waiting_member, bool begins)
{
    kp_group *member = waiting_member;
    const uint32_t more = begins ? 1 : UINT32_MAX;
    if (kp_mail_awaited(member) >= 0)
        kp_mail_sleeping(member, begins);
    listen_to(member->self->requests.beside->word, more);
    kp_requests_listen(member->self, more);
}

/* While a processor waits over a wire, its requests go on. Called as a wire's `go_on`. */
bool kp_requests_beside(struct kp_wire *wire)
{
    kp_proc *self = kp_carried();
    const struct kp_beside *beside = self->requests.beside;
    bool (*const hook)(struct kp_wire * wire) = wire->go_on;
    kp_group *const waiting = wire->waiting;
    wire->go_on = NULL; /* what fails may wait, too */
    kp_progress(self);
    wire->go_on = hook;
    wire->waiting = waiting;
    return beside && beside->ready(beside->context);
}

/* Over a wire a processor does not sleep on its bell, but looks again and again. */
static bool wait_over_wire(const struct kp_beside *beside, unsigned limit_ms)
{
    kp_group *member = beside->member;
    kp_proc *self = member->self;
    struct kp_wire *wire = self->machine->config.wire;
    kp_error_record why = KP_ERROR_OF(KP_OK, -1);
    if (kp_progress(self), beside->ready(beside->context))
        return true;
    self->requests.beside = beside;
    wire->waiting = member;
    wire->go_on = kp_requests_beside;
    int status = wire->wait(wire, KP_WIRE_UNTIL, limit_ms, &why);
    wire->go_on = NULL;
    self->requests.beside = NULL;
    if (wire->watched)
        kp_watch_over(self->machine);
    if (status && status != KP_ETIMEOUT) {
        (void)kp_wired_fails(self->world, status, &why);
        kp_progress(self);
    }
    return beside->ready(beside->context);
}

/* Processors that listen seldom look first, because the order that listening takes is dear: it also
 * interrupts the processor that is awaited, perhaps in a long copy. A thread does so in
 * kp_wait_until. A fiber does it here, as long as its worker has no other fiber. Returns whether
 * the wait may go on. */
static bool fiber_looks(const kp_proc *self, const struct kp_beside *beside)
{
    const struct kp_carrier_row *carrier = self->machine->carrier;
    return self->asymmetric && carrier->looks_for && carrier->looks_for(self, can_go_on, beside);
}

bool kp_request_wait_beside(kp_group *member, bool (*ready)(const void *context),
                            const void *context, struct kp_wait_word *word, unsigned limit_ms)
{
    kp_proc *self = member->self;
    const struct kp_beside beside = {member, ready, context, word};
    struct kp_waiter waiter = member->waiter;
    uint64_t begin = 0;
    if (self->machine->config.wire)
        return wait_over_wire(&beside, limit_ms);
    waiter.sleeping = listen;
    self->requests.beside = &beside;
    waiter.limit_ms = limit_ms;
    for (;;) {
        kp_progress(self);
        if (ready(context))
            return true;
        if (limit_ms > 0) {
            const uint64_t now = kp_deadlock_clock();
            begin = begin > 0 ? begin : now;
            waiter.limit_ms = now - begin < limit_ms ? (unsigned)(limit_ms - (now - begin)) : 1;
        }
        if (!fiber_looks(self, &beside) && !kp_wait_until(&self->bell, can_go_on, &beside, &waiter))
            return ready(context);
    }
}

bool kp_request_finish_alone(kp_request *request)
{
    if (!request->row->finish || request->self->requests.under_way > 1 ||
        kp_is_wired(request->member))
        return false;
    go_by(request, request->row->finish);
    return true;
}

bool kp_requests_go_on(const kp_group *member)
{
    const struct kp_requests *all = &member->self->requests;
    return all->under_way > 0 && !atomic_load_explicit(&member->self->in_request, KP_ORDER_NOTE);
}

/* --- Ends --- */

#define TESTS_OF_A_LOOP 1000

void kp_request_note_test(kp_request *request)
{
    kp_proc *self = request->self;
    struct kp_test_loop *loop;
    if (++request->tests % TESTS_OF_A_LOOP != 0 || !(loop = malloc(sizeof *loop)))
        return;
    kp_request_name(request, loop->text, sizeof loop->text);
    loop->awaited = kp_member_processor(request->member, request->row->awaits(request));
    pthread_mutex_lock(&self->machine->lock);
    free(self->requests.loop);
    self->requests.loop = loop;
    pthread_mutex_unlock(&self->machine->lock);
    self->requests.tested = request;
    request->plain = false;
}

static void end_loop(kp_proc *self)
{
    pthread_mutex_lock(&self->machine->lock);
    free(self->requests.loop);
    self->requests.loop = NULL;
    pthread_mutex_unlock(&self->machine->lock);
    self->requests.tested = NULL;
}

static uint64_t sum_of(const void *data, size_t bytes)
{
    const unsigned char *at = data;
    uint64_t sum = bytes, word;
    for (; bytes >= sizeof word; at += sizeof word, bytes -= sizeof word) {
        memcpy(&word, at, sizeof word);
        sum = kp_hash(sum, word);
    }
    word = 0;
    memcpy(&word, at, bytes);
    return kp_hash(sum, word);
}

void kp_request_watch(kp_request *request, const void *sent, size_t bytes)
{
    if (!request->member->self->machine->config.check_buffers || bytes == 0)
        return;
    request->sent = sent;
    request->sent_bytes = bytes;
    request->sum = sum_of(sent, bytes);
}

bool kp_request_is_intact(const kp_request *request)
{
    return !request->sent || sum_of(request->sent, request->sent_bytes) == request->sum;
}

static inline void finish(kp_request *request, bool tells)
{
    if (request->self->requests.tested == request)
        end_loop(request->self);
    if (request->why && tells)
        (void)kp_proc_set_error(request->self, request->why);
    kp_request_unlink(request);
    free_it(request);
}

void kp_request_finish(kp_request *request, bool tells)
{
    finish(request, tells);
}

bool kp_face_take_ended(kp_request **request)
{
    kp_request *one = *request;
    if (!one->ended || one->status)
        return false;
    finish(one, false);
    *request = NULL;
    return true;
}

void kp_request_drop(kp_request *request)
{
    kp_request_rouse(request);
    request->self->requests.under_way--;
    settle_unusual(request->self);
    kp_request_finish(request, false);
}

int kp_request_take_out(kp_request *request)
{
    const int status = request->status;
    if (request->why)
        (void)kp_proc_set_error(request->self, request->why);
    kp_request_unlink(request);
    if (request->holds)
        request->row->release(request);
    if (request->why)
        free(request->why);
    return status;
}

void kp_request_words(const kp_request *request, char *text, size_t size)
{
    request->row->describe(request, text, size);
    kp_call_as_written(request->self->machine, request->site, text, size);
}

/* Adds a part of the list in parentheses behind a request's words. */
static void add_part(struct kp_words *words, const char **before, const char *what,
                     const char *part)
{
    if (part[0])
        kp_say(words, "%s%s%s", *before, what, part);
    *before = part[0] ? ", " : *before;
}

void kp_request_name(const kp_request *request, char *text, size_t size)
{
    const kp_proc *self = request->self;
    const struct kp_site wait = kp_site_of_call(self);
    const bool awaited = self->requests.awaited == request;
    struct kp_words words = {.text = text, .size = size};
    char place[60] = "", started[KP_SITE_WORDS], waits[KP_SITE_WORDS];
    const char *before = " (";
    kp_site_name(request->site, started);
    kp_site_name(wait, waits);
    /* A blocking receive is a request that the same call starts and waits for. */
    const bool blocking = awaited && strcmp(started, waits) == 0;
    kp_request_words(request, text, size);
    words.length = strlen(text);
    if (request->row->place && !request->ended)
        request->row->place(request, place, sizeof place);
    add_part(&words, &before, "", place);
    add_part(&words, &before, blocking ? "" : "started at ", started);
    if (awaited && !blocking)
        add_part(&words, &before, "waited for at ", waits);
    if (before[0] == ',')
        kp_say(&words, ")");
}

int kp_face_describe(const kp_request *request, char *text, size_t size)
{
    kp_request_name(request, text, size);
    return kp_member_processor(request->member, request->row->awaits(request));
}

const kp_request *kp_request_awaited_by(const kp_group *member)
{
    const kp_request *request = kp_member_carrier(member)->requests.awaited;
    return request && request->member == member ? request : NULL;
}

void kp_request_or_call_name(const kp_group *member, char *text, size_t size)
{
    const kp_request *request = kp_request_awaited_by(member);
    if (request)
        kp_request_name(request, text, size);
    else
        kp_call_name(member, text, size);
}

int kp_requests_left(kp_proc *self)
{
    const kp_request *first = self->requests.first;
    char text[240];
    if (!first)
        return KP_OK;
    kp_request_name(first, text, sizeof text);
    kp_set_error(KP_EUNWAITED, "processor %d has not waited for its request: %s", self->number,
                 text);
    kp_error_slot()->processor = self->number;
    kp_error_at(kp_error_slot(), first->site);
    return KP_EUNWAITED;
}

void kp_requests_drop(kp_proc *self)
{
    while (self->requests.first) {
        kp_request *first = self->requests.first;
        kp_request_unlink(first);
        free_it(first);
    }
    self->requests.under_way = self->requests.resting = 0;
    self->requests.beside = NULL;
    self->requests.awaited = NULL;
    self->requests.tested = NULL;
    free(self->requests.loop);
    self->requests.loop = NULL;
    atomic_store_explicit(&self->in_request, false, KP_ORDER_NOTE);
    atomic_store_explicit(&self->listening, 0, KP_ORDER_RESET);
}

void kp_request_free_all(kp_request *first)
{
    for (kp_request *one = first, *next; one; one = next) {
        next = one->next;
        free(one);
    }
}

void kp_requests_free(kp_proc *self)
{
    kp_requests_drop(self);
    for (int i = 0; i < KP_REQUEST_SIZES; i++)
        kp_request_free_all(self->requests.spare[i]);
}
