/* A request is something that a processor has started and that need not have ended: a collective
 * call, or the sending or receiving of a message. Each kind of request has a row of functions, and
 * a struct that begins with a kp_request.
 *
 * Requests go on in calls of their own processor, and only there (kp_progress), or in between by
 * the progress thread (progress.h). So no two threads use a request at the same time. A processor
 * that waits while it has requests looks at all of them and at what else it waits for. To sleep, it
 * listens: it sleeps on its own bell, which every processor rings that may have let a request go on
 * (kp_request_notify). If the processor also waits for a word, for example a barrier's, it
 * registers as a listener of this word (kp_wake_listeners). */
#ifndef KPORT_PORTS_REQUEST_REQUEST_H
#define KPORT_PORTS_REQUEST_REQUEST_H

#include "kport/request.h"
#include "ports/machine_data.h"
#include "ports/port.h"
#include "ports/request/handshake.h"
#include "ports/sync/parking.h"

#include <stdbool.h>

/* The result of a request's `go` if the request has to wait. */
#define KP_WAITS 1

struct kp_trace_request;

struct kp_request_row {
    /* Goes on as far as possible without waiting. Returns KP_WAITS, or the status with which the
     * request has ended. If this is an error, it is set at the processor (kp_port_error). Also
     * returns KP_WAITS if it has called kp_request_end. Not called again after the end. */
    int (*go)(kp_request *request);
    /* Returns whether `go` would get any further. If so, acquires what `go` is going to read. */
    bool (*can_go)(const kp_request *request);
    /* Writes the call in words, without its site. */
    void (*describe)(const kp_request *request, char *text, size_t size);
    /* Writes how far a request has come that has not ended, as in "in round 1 of 3", or nothing if
     * that goes without saying. May be NULL. */
    void (*place)(const kp_request *request, char *text, size_t size);
    /* Goes on to the end, and waits where it must. Called if the processor waits for this request
     * and has no other under way. NULL: the processor waits until `can_go` is true. */
    int (*finish)(kp_request *request);
    /* Returns a word whose change may let the request go on, or NULL if kp_request_notify is called
     * then. May be NULL itself. */
    struct kp_wait_word *(*word)(const kp_request *request);
    /* Returns the rank in the request's group of a member that the request waits for, or -1 if any
     * member may let it go on. */
    int (*awaits)(const kp_request *request);
    /* Frees what the request holds, except for the memory of the struct itself. May be NULL. */
    void (*release)(kp_request *request);
    /* Says what a trace says of the request. After its end, of a receive: what it has received. */
    void (*trace)(const kp_request *request, struct kp_trace_request *what);
    int size; /* KP_REQUEST_SIZE of the struct; not used if the struct lies on the caller's stack */
};

/* The number of the least size, 64 << size bytes, that suffices for a struct of this type. The
 * struct may have at most 8 KiB. */
#define KP_REQUEST_SIZE(type)                                                                      \
    ((sizeof(type) > 64) + (sizeof(type) > 128) + (sizeof(type) > 256) + (sizeof(type) > 512) +    \
     (sizeof(type) > 1024) + (sizeof(type) > 2048) + (sizeof(type) > 4096))

struct kp_request {
    const struct kp_request_row *row;
    kp_group *member; /* the member that carries the request out */
    kp_proc *self;
    struct kp_site site;       /* of the start */
    kp_request *next, *before; /* in the processor's list */
    kp_request **home;         /* the list to which its memory goes back */
    bool ended;
    bool rests; /* see kp_request_rest */
    bool holds; /* something that its row's `release` frees */
    /* It begins at once (kp_lane_begin_now). To wait for it, its row's `finish` is called, and then
     * nothing is to be done but to take it out. */
    bool plain;
    int status;      /* valid after the end */
    unsigned tests;  /* how often kp_test has found that it has not ended */
    uint64_t traced; /* its number in the trace (kp_trace_request) */
    /* With the config's check_buffers: what is sent, and its sum at the start. NULL: not known. */
    const void *sent;
    size_t sent_bytes;
    uint64_t sum;
    kp_error_record *why; /* the error with which it ended, or NULL if there was no memory */
};

/* Allocates memory of this size (KP_REQUEST_SIZE) for a request. */
kp_request *kp_request_memory(int size);

/* Returns a request of this kind that has not begun, or NULL if there is no memory. The memory
 * comes from earlier requests of the processor if there are any. */
static inline kp_request *kp_request_make(kp_group *member, const struct kp_request_row *row)
{
    kp_request **spare = &member->self->requests.spare[row->size], *made = *spare;
    if (made)
        *spare = made->next;
    else if (!(made = kp_request_memory(row->size)))
        return NULL;
    made->home = spare;
    made->row = row;
    made->member = member;
    made->holds = row->release;
    made->plain = false;
    made->tests = 0;
    made->sent = NULL;
    return made;
}

/* Puts the request at the end of the processor's list, or takes it out. */
static inline void kp_request_link(kp_request *request)
{
    struct kp_requests *all = &request->self->requests;
    request->before = all->last;
    request->next = NULL;
    *(all->last ? &all->last->next : &all->first) = request;
    all->last = request;
}

static inline void kp_request_unlink(kp_request *request)
{
    struct kp_requests *all = &request->self->requests;
    *(request->before ? &request->before->next : &all->first) = request->next;
    *(request->next ? &request->next->before : &all->last) = request->before;
}

/* Puts a request that kp_request_make has made, and that has ended already, at the end of the
 * processor's list. There is no trace. */
static inline void kp_request_add_made_ended(kp_request *request, struct kp_site site)
{
    request->self = request->member->self;
    request->site = site;
    request->ended = true;
    request->rests = request->holds = false;
    request->status = KP_OK;
    request->why = NULL;
    request->traced = 0;
    kp_request_link(request);
}

/* Gives back the memory of a request that is in no list. */
static inline void kp_request_give_back(kp_request *request)
{
    if (request->holds)
        request->row->release(request);
    request->next = *request->home;
    *request->home = request;
}

/* Calls `act`, a function of the request's row. Errors name the site of the start, not that of the
 * present call. No request goes on meanwhile, even if `act` waits. */
static inline int kp_request_call(kp_request *request, int (*act)(kp_request *request))
{
    kp_proc *self = request->self;
    atomic_store_explicit(&self->started_line, request->site.line, KP_ORDER_NOTE);
    atomic_store_explicit(&self->started_file, request->site.file, KP_ORDER_NOTE);
    atomic_store_explicit(&self->in_request, true, KP_ORDER_NOTE);
    const int status = act(request);
    atomic_store_explicit(&self->in_request, false, KP_ORDER_NOTE);
    return status;
}

/* Gives back the memory of a request that has not begun. */
void kp_request_unmake(kp_request *request);

/* Puts the request at the end of the processor's list and lets it go as far as it can. These are
 * two steps for a request that may rest. `add_ended` puts a request there that has ended already,
 * without an error. */
void kp_request_begin(kp_request *request);
void kp_request_add(kp_request *request);
void kp_request_go(kp_request *request);
void kp_request_add_ended(kp_request *request);

/* A request rests if another one goes on for both, and ends or rouses it. So many of them take no
 * more time than one. A roused request goes on by itself. */
void kp_request_rest(kp_request *request);
void kp_request_rouse(kp_request *request);

/* Ends a request without an error. The second function ends it with this status. If that is an
 * error, it is set at the processor. */
void kp_request_end(kp_request *request);
void kp_request_end_as(kp_request *request, int status);

/* Starts a request that lies on the caller's stack, waits until it has ended, and returns its
 * status. The caller has filled in `row` and `member`. `kp_request_await` does this for a request
 * that kp_request_begin has started. */
int kp_request_carry_out(kp_request *request);
int kp_request_await(kp_request *request);

/* Lets other processors run before the caller's processor looks again for what has not come. */
void kp_request_yield(kp_proc *self);

/* Lets every request of the processor go as far as it can. The caller may use the requests. The
 * second function returns whether this would get any further. */
void kp_progress(kp_proc *self);
bool kp_requests_can_go(const kp_proc *self);

/* Called when the processor begins a call: its requests are its own again, and go on. If many are
 * under way, they do so in some calls only, so that starting n requests takes time for n of them
 * and not for their square. */
void kp_requests_at_call(kp_proc *self);

#define KP_GO_ON_ALWAYS 4 /* so many requests go on in every call */
#define KP_PASSED_OVER  8 /* fewer need not do so in so many short calls */

/* Returns whether the requests need not go on in a call that has little to do. If not, the caller
 * calls kp_requests_at_call. */
static inline bool kp_requests_may_be_passed_over(kp_proc *self)
{
    struct kp_requests *all = &self->requests;
    const int calls = all->under_way / KP_GO_ON_ALWAYS;
    return ++all->passed_over < (calls > KP_PASSED_OVER ? calls : KP_PASSED_OVER);
}

/* Adds `more` to the processor's `listening`, and registers for the words of its requests, or ends
 * that if `more` is negative (as UINT32_MAX is). After the beginning, the caller looks once more
 * whether a request can go on. */
void kp_requests_listen(kp_proc *self, uint32_t more);

/* Returns whether the processors of such a machine listen seldom, before they sleep: threads with
 * cores of their own and fibers with workers of their own. Other fibers listen whenever they wait,
 * and the progress thread whenever a call ends. */
bool kp_requests_listen_seldom(const struct kp_machine_config *config);

/* Waits until `ready` is true, and lets requests go on meanwhile. `member` is the one in whose call
 * the processor waits. `word` is a word whose change may make `ready` true, or NULL. Returns false
 * if the time limit has passed; 0 is no limit. */
bool kp_request_wait_beside(kp_group *member, bool (*ready)(const void *context),
                            const void *context, struct kp_wait_word *word, unsigned limit_ms);

/* Lets the requests of the calling processor go on while it waits over a wire (carrier/wire.h,
 * `go_on`). Returns whether what it waits for in kp_request_wait_beside is ready. */
struct kp_wire;
bool kp_requests_beside(struct kp_wire *wire);

/* If the request is the only one under way and knows how to wait, lets it go on to its end, and
 * returns true. */
bool kp_request_finish_alone(kp_request *request);

/* Returns whether the member's processor has requests that must go on while it waits. */
bool kp_requests_go_on(const kp_group *member);

/* Called after something has been done that may let a request of `peer` go on. Wakes the processor
 * if it listens. The first function does so for what `listening` says, if that is not 0. */
void kp_request_wake(kp_proc *peer, uint32_t listening);

static inline void kp_request_notify(kp_proc *peer)
{
    /* The waker's half of the handshake (partner: kp_requests_listen). Either the listener sees
     * what the caller has done before, or the caller sees that the peer listens. */
    const uint32_t listening = kp_look_for_sleeper(&peer->listening, peer->asymmetric);
    if (listening != 0)
        kp_request_wake(peer, listening);
}

/* Wakes the listeners of a word that has changed. */
void kp_wake_listeners_of(struct kp_shared *shared);

static inline void kp_wake_listeners(struct kp_wait_word *word)
{
    /* The waker's half of the handshake (partner: listen in request.c). */
    if (atomic_load_explicit(&word->listeners, KP_ORDER_LOOK) > 0)
        kp_wake_listeners_of(word->of);
}

/* Called at the start of a request that sends these bytes. With the config's check_buffers, they
 * are compared with what they are when the program has waited. `is_intact` does this. */
void kp_request_watch(kp_request *request, const void *sent, size_t bytes);
bool kp_request_is_intact(const kp_request *request);

/* Called when kp_test has found that the request has not ended. After many such tests, reports say
 * that the processor tests it in a loop (kp_requests_looped), until the request is waited for. */
void kp_request_note_test(kp_request *request);

/* Takes an ended request out of the processor's list. `finish` also gives its memory back;
 * `take_out` is for a request on the stack, and returns the request's status. If the request has
 * ended with an error and `tells`, this becomes the processor's error. */
void kp_request_finish(kp_request *request, bool tells);
int kp_request_take_out(kp_request *request);

/* Ends a request that is under way and that its row has given up, and frees it. */
void kp_request_drop(kp_request *request);

/* `kp_request_words` writes the request's call in words. `kp_request_name` also writes in
 * parentheses how far it has come, where it was started, and where its processor waits for it. */
void kp_request_words(const kp_request *request, char *text, size_t size);
void kp_request_name(const kp_request *request, char *text, size_t size);

/* `kp_request_awaited_by` returns the request that this member carries out and for which its
 * processor waits, or NULL. `kp_request_or_call_name` names this request, or else the member's
 * call. */
const kp_request *kp_request_awaited_by(const kp_group *member);
void kp_request_or_call_name(const kp_group *member, char *text, size_t size);

/* Sets the error of a processor whose program has ended and has not waited for a request. Returns
 * KP_EUNWAITED, or KP_OK if there is no such request. */
int kp_requests_left(kp_proc *self);

/* Forgets all requests of a processor, before a new run. */
void kp_requests_drop(kp_proc *self);

/* Frees a list of memory that ended requests have given back. */
void kp_request_free_all(kp_request *first);

/* Frees the memory of the processor's requests. */
void kp_requests_free(kp_proc *self);

#endif
