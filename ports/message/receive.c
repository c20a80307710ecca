#include "ports/carrier/carrier.h"
#include "ports/error.h"
#include "ports/message/pool.h"
#include "ports/message/postbox.h"
#include "ports/message/requests.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static struct kp_receive *receive_of(kp_request *request)
{
    return (struct kp_receive *)request;
}

static const struct kp_match *wanted_of(const kp_request *request)
{
    return &((const struct kp_receive *)request)->receiving.match;
}

void kp_message_store(kp_message_status *status, int source, int tag, size_t bytes)
{
    if (status)
        *status = (kp_message_status){source, tag, bytes};
}

static int no_memory(kp_group *member)
{
    return kp_port_error(member, KP_EMEMORY, -1, -1, -1,
                         "no memory to keep a message that has come and for which no receive is "
                         "started");
}

/* Returns the first kept message that matches. Gives back those whose senders have withdrawn
 * them. */
static struct kp_message *kept_message(struct kp_messages *own, int source, int tag)
{
    for (;;) {
        struct kp_match *match = kp_matching_message_for(&own->matching, source, tag);
        struct kp_message *message = (struct kp_message *)match;
        if (!match || !kp_offer_is_withdrawn(&message->offer))
            return message;
        kp_matching_drop(&own->matching, match);
        kp_message_give_back(own, message);
    }
}

/* Begins the search for a message that has come. Returns false if there is none for sure: if other
 * receives are posted and no message is kept, as those to come meet the posted receives first. */
static inline bool begin_search(struct kp_receive *receive)
{
    const struct kp_matching *matching = &receive->own->matching;
    struct kp_receiving *receiving = &receive->receiving;
    receiving->done = receiving->differs = receiving->memory_is_short = false;
    receiving->arrives = NULL;
    return matching->posted_count == 0 || matching->unexpected_count > 0;
}

__attribute__((noinline)) static bool search(struct kp_receive *receive, int looks)
{
    struct kp_messages *own = receive->own;
    struct kp_receiving *receiving = &receive->receiving;
    struct kp_message *kept;
    while (!receiving->done && !receiving->arrives &&
           (kept = kept_message(own, receiving->match.source, receiving->match.tag))) {
        kp_matching_drop(&own->matching, &kept->match);
        (void)kp_link_hand_over(own, kept, receiving);
        receiving->found->kept = true;
    }
    if (receiving->arrives || receiving->done || own->matching.posted_count > 0)
        return receiving->done;
    receiving->found->kept = kp_link_take_next(own, receiving, 0);
    return receiving->found->kept || (looks > 0 && kp_link_take_next(own, receiving, looks));
}

static inline bool try(struct kp_receive *receive, int looks)
{
    const bool has_come = begin_search(receive) && search(receive, looks);
    if (!has_come && !receive->receiving.arrives)
        kp_matching_post(&receive->own->matching, &receive->receiving.match);
    return has_come;
}

bool kp_receive_try(struct kp_receive *receive, int looks)
{
    return try(receive, looks);
}

static void where(const struct kp_site *site, char *text, size_t size)
{
    text[0] = '\0';
    if (site->file)
        snprintf(text, size, " (%.80s:%d)", site->file, site->line);
}

static void describe_elements(const struct kp_typed *typed, char *text, size_t size)
{
    if (typed->row)
        typed->row->describe(typed, text, size);
    else
        snprintf(text, size, "bytes");
}

bool kp_receive_is_right(const struct kp_receive *receive)
{
    const struct kp_receiving *receiving = &receive->receiving;
    return !receiving->memory_is_short && !receiving->differs &&
           receiving->found->bytes <= receiving->room;
}

static void store_found(const struct kp_receive *receive)
{
    const struct kp_envelope *found = receive->receiving.found;
    kp_message_store(receive->status, found->source, found->tag, found->bytes);
}

int kp_receive_end(struct kp_receive *receive)
{
    const struct kp_envelope *found = receive->receiving.found;
    kp_group *member = receive->request.member;
    char here[120], there[120];
    if (receive->receiving.memory_is_short)
        return no_memory(member);
    store_found(receive);
    if (kp_receive_is_right(receive))
        return KP_OK;
    const struct kp_site site = kp_site_of(member->self);
    where(&site, here, sizeof here);
    where(&found->site, there, sizeof there);
    const int peer = kp_member_processor(member, found->source), own = member->self->number;
    if (receive->receiving.differs) {
        char sent[160], wanted[160];
        describe_elements(&receive->receiving.sent, sent, sizeof sent);
        if (!receive->receiving.sent.row && receive->receiving.sent.count > 0)
            snprintf(sent, sizeof sent, "other elements"); /* of a layout beyond a wire */
        describe_elements(&receive->receiving.typed, wanted, sizeof wanted);
        kp_typed_let_go(&receive->receiving.sent);
        return kp_port_error(member, KP_EMISMATCH, -1, -1, found->source,
                             "processor %d sent a message of %zu bytes with tag %d%s, which are "
                             "%s, to processor %d, which receives %s%s: the elements differ",
                             peer, found->bytes, found->tag, there, sent, own, wanted, here);
    }
    (void)kp_port_error(member, KP_ELENGTH, -1, -1, found->source,
                        "processor %d sent a message of %zu bytes with tag %d%s to processor %d, "
                        "which receives at most %zu bytes%s",
                        peer, found->bytes, found->tag, there, own, receive->receiving.room, here);
    return KP_ELENGTH;
}

/* One of the posted receives polls for all of them, so that many of them take no more time than
 * one. It is the first one in the processor's list, and does so until it ends. The others rest,
 * until they get their messages, or a member ends. Over a wire they do not rest, because only a
 * look at their own sources says whether these have ended. */
static bool may_poll(const struct kp_receive *receive)
{
    return !receive->own->poller || receive->own->poller == receive;
}

static bool rests_for(const kp_request *request, const struct kp_messages *own)
{
    return request->rests && request->row == &kp_receive_row &&
           ((const struct kp_receive *)request)->own == own;
}

/* The next receive polls instead of this one. */
static void pass_on(struct kp_receive *receive)
{
    kp_request *next = receive->request.next;
    while (next && !rests_for(next, receive->own))
        next = next->next;
    if (next)
        kp_request_rouse(next);
    receive->own->poller = next ? receive_of(next) : NULL;
}

static int end(struct kp_receive *receive, int status)
{
    if (receive->own->poller == receive)
        pass_on(receive);
    return status;
}

void kp_receive_unpost(struct kp_receive *receive)
{
    kp_matching_unpost(&receive->own->matching, &receive->receiving.match);
    (void)end(receive, KP_OK);
}

void kp_receive_got(struct kp_receiving *receiving)
{
    struct kp_receive *receive =
        (struct kp_receive *)(void *)((char *)receiving - offsetof(struct kp_receive, receiving));
    if (!kp_receive_is_right(receive)) {
        kp_request_rouse(&receive->request);
        return;
    }
    store_found(receive);
    kp_request_end(&receive->request);
}

/* Takes what has come, perhaps for many receives. Of those that end one may have polled. */
static int poll(struct kp_messages *own, struct kp_receiving *until)
{
    const int status = kp_link_poll(own, until);
    if (own->poller && own->poller->request.ended)
        pass_on(own->poller);
    return status;
}

static inline void begin(struct kp_receive *receive, bool has_come)
{
    const struct kp_messages *own = receive->own;
    if (has_come && kp_receive_is_right(receive)) {
        store_found(receive);
        kp_request_add_ended(&receive->request);
        return;
    }
    kp_request_add(&receive->request);
    if (!has_come && own->poller && !own->box &&
        !kp_messages_end_of(own, receive->receiving.match.source))
        kp_request_rest(&receive->request);
    else
        kp_request_go(&receive->request);
}

void kp_receive_begin(struct kp_receive *receive, bool has_come)
{
    begin(receive, has_come);
}

int kp_receive_make(struct kp_messages *own, const struct kp_incoming_message *what, bool soon,
                    kp_request **request)
{
    kp_group *member = own->member;
    struct kp_receive *receive = (struct kp_receive *)kp_request_make(member, &kp_receive_row);
    if (!receive)
        return kp_message_no_request(member);
    kp_receive_fill(receive, own, what);
    kp_message_hold(&receive->request, &what->typed);
    const bool has_come = try(receive, 0);
    if (soon && has_come && kp_receive_is_right(receive) && !kp_member_is_traced(member)) {
        store_found(receive);
        kp_request_unmake(&receive->request);
        return KP_OK;
    }
    begin(receive, has_come);
    *request = &receive->request;
    return KP_OK;
}

/* Goes on with a receive that has found its message, whose contents are on their way. */
static int receive_contents(struct kp_receive *receive)
{
    const int status = kp_postbox_receive(receive->own, &receive->receiving);
    if (status == KP_WAITS)
        return KP_WAITS;
    return end(receive, status ? kp_request_meets_failure(&receive->request,
                                                          kp_messages_end_of(receive->own, KP_ANY))
                               : kp_receive_end(receive));
}

static uint32_t ends_of(const struct kp_messages *own)
{
    return atomic_load_explicit(&own->group->ends, KP_ORDER_OBSERVE);
}

/* Makes a receive the one that polls. If a member has ended, all look whether it was theirs. */
static void become_poller(struct kp_receive *receive)
{
    struct kp_messages *own = receive->own;
    const uint32_t ends = ends_of(own);
    own->poller = receive;
    if (ends == own->ends_known)
        return;
    own->ends_known = ends;
    for (kp_request *r = own->member->self->requests.first; r; r = r->next) {
        if (rests_for(r, own))
            kp_request_rouse(r);
    }
}

static int receive_go(kp_request *request)
{
    struct kp_receive *receive = receive_of(request);
    struct kp_receiving *receiving = &receive->receiving;
    struct kp_messages *own = receive->own;
    int status = KP_OK;
    if (receiving->done)
        return end(receive, kp_receive_end(receive));
    if (may_poll(receive))
        become_poller(receive);
    /* The look comes before the poll, which finds what a member has sent before its end. */
    const kp_error_record *why = kp_messages_end_of(own, receiving->match.source);
    if (why || own->poller == receive)
        status = poll(own, receiving);
    if (request->ended)
        return KP_WAITS;
    if (receiving->arrives)
        return receive_contents(receive);
    if (receiving->done)
        return end(receive, kp_receive_end(receive));
    if (!status && !why) {
        if (own->poller != receive && !own->box)
            kp_request_rest(request);
        return KP_WAITS;
    }
    kp_receive_unpost(receive);
    return why ? kp_request_meets_failure(request, why) : no_memory(request->member);
}

static bool receive_can_go(const kp_request *request)
{
    const struct kp_receive *receive = (const struct kp_receive *)request;
    struct kp_messages *own = receive->own;
    const int source = receive->receiving.match.source;
    return receive->receiving.done ||
           (may_poll(receive) &&
            (kp_link_has_come(own, source) || ends_of(own) != own->ends_known)) ||
           kp_messages_end_of(own, source);
}

/* Writes "from rank 3 with tag 5". */
static void describe_wanted(const kp_request *request, char *text, size_t size)
{
    const struct kp_match *wanted = wanted_of(request);
    const kp_group *own = ((const struct kp_receive *)request)->own->member;
    char source[32] = "any rank", tag[32] = "any tag";
    if (wanted->source != KP_ANY)
        snprintf(source, sizeof source, "rank %d", wanted->source - own->named_from);
    if (wanted->tag != KP_ANY)
        snprintf(tag, sizeof tag, "tag %d", wanted->tag);
    snprintf(text, size, "from %s with %s", source, tag);
}

static void receive_describe(const kp_request *request, char *text, size_t size)
{
    char wanted[80];
    describe_wanted(request, wanted, sizeof wanted);
    snprintf(text, size, "kp_receive of at most %zu bytes %s",
             ((const struct kp_receive *)request)->receiving.room, wanted);
}

static void receive_trace(const kp_request *request, struct kp_trace_request *what)
{
    const struct kp_receiving *receiving = &((const struct kp_receive *)request)->receiving;
    const struct kp_envelope *found = receiving->found;
    if (request->ended && receiving->done)
        *what = (struct kp_trace_request){"receive", found->source, found->tag, found->bytes};
    else
        *what = (struct kp_trace_request){"receive", receiving->match.source, receiving->match.tag,
                                          receiving->room};
}

static void probe_trace(const kp_request *request, struct kp_trace_request *what)
{
    const struct kp_match *wanted = wanted_of(request);
    *what = (struct kp_trace_request){"probe", wanted->source, wanted->tag, 0};
}

/* A rank, or -1, which is KP_ANY. */
static int receive_awaits(const kp_request *request)
{
    return wanted_of(request)->source;
}

static void receive_release(kp_request *request)
{
    kp_typed_let_go(&receive_of(request)->receiving.typed);
}

const struct kp_request_row kp_receive_row = {
    .go = receive_go,
    .can_go = receive_can_go,
    .describe = receive_describe,
    .awaits = receive_awaits,
    .trace = receive_trace,
    .release = receive_release,
    .size = KP_REQUEST_SIZE(struct kp_receive),
};

/* --- Probes --- */

int kp_message_find(struct kp_messages *own, int source, int tag, struct kp_message **message)
{
    int status = poll(own, NULL);
    *message = kept_message(own, source, tag);
    return *message || !status ? KP_OK : no_memory(own->member);
}

static int probe_go(kp_request *request)
{
    struct kp_receive *probe = receive_of(request);
    const struct kp_match *wanted = wanted_of(request);
    struct kp_message *message;
    const kp_error_record *why = kp_messages_end_of(probe->own, wanted->source);
    int status = kp_message_find(probe->own, wanted->source, wanted->tag, &message);
    if (message)
        kp_message_store(probe->status, message->match.source, message->match.tag, message->bytes);
    else if (!status)
        status = why ? kp_request_meets_failure(request, why) : KP_WAITS;
    return status;
}

static bool probe_can_go(const kp_request *request)
{
    const struct kp_match *wanted = wanted_of(request);
    struct kp_messages *own = ((const struct kp_receive *)request)->own;
    return kp_matching_message_for(&own->matching, wanted->source, wanted->tag) ||
           kp_link_has_come(own, wanted->source) || kp_messages_end_of(own, wanted->source);
}

static void probe_describe(const kp_request *request, char *text, size_t size)
{
    char wanted[80];
    describe_wanted(request, wanted, sizeof wanted);
    snprintf(text, size, "kp_probe of a message %s", wanted);
}

const struct kp_request_row kp_probe_row = {
    .go = probe_go,
    .can_go = probe_can_go,
    .describe = probe_describe,
    .awaits = receive_awaits,
    .trace = probe_trace,
    .size = KP_REQUEST_SIZE(struct kp_receive),
};
