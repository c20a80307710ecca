#include "ports/message/postbox.h"

#include "ports/carrier/wire.h"
#include "ports/message/messages.h"
#include "ports/message/pool.h"
#include "ports/sync/wired_data.h"

#include <stdlib.h>
#include <string.h>

#define MOST_NAME 96 /* of a file's name, its end */

enum kind {
    CONTENTS, /* a message */
    OFFER,    /* a message that its sender keeps */
    WANTED,   /* the receiver receives its contents */
    UNWANTED, /* the receiver has done without them */
    CREDIT,   /* the receiver has received so many bytes */
};

/* How a packet begins. The end of a file's name, and the message itself, follow. */
struct head {
    uint64_t birth;    /* names the group (struct kp_wired) */
    uint64_t bytes;    /* the length of the message */
    uint64_t object;   /* the sender's object of an offer */
    uint64_t elements; /* names their sequence; 0: bytes */
    uint64_t run;      /* the number of the sender's run */
    uint32_t note;
    int32_t kind, source, processor, tag, line, name_bytes; /* `source` is a rank */
};

/* A packet of a group that does not use messages yet. */
struct unclaimed {
    struct unclaimed *next;
    size_t bytes;
    char packet[];
};

/* The name of a file of another process. */
struct name {
    struct name *next;
    size_t length;
    char text[];
};

struct kp_postbox {
    struct kp_wire *wire;
    struct kp_messages *first; /* those of the processor's members that use messages */
    struct unclaimed *unclaimed, **last;
    struct name *names;
    uint64_t sent, received;    /* messages in buffers, to and from other processors */
    struct kp_wire_packet held; /* was taken, but there was no memory to keep it */
};

/* How much is under way to another member, and from it. */
struct kp_flow {
    size_t sent, credited; /* what the messages to the member have counted; what it has received */
    size_t owed;           /* what has been received from it, and not been told it yet */
};

static uint64_t run_of(const kp_machine *machine)
{
    return machine->world->members[machine->config.wire->processor].wired->runs;
}

/* --- Packets --- */

static struct head head_of(const struct kp_messages *own, enum kind kind)
{
    return (struct head){.birth = own->member->wired->birth,
                         .run = run_of(own->member->shared->machine),
                         .kind = (int32_t)kind,
                         .source = own->member->rank,
                         .processor = own->box->wire->processor};
}

/* Posts a packet to a member. Returns 0 or the status of the error that is set. */
static int post(const struct kp_messages *own, int rank, struct head head, const char *file,
                const void *body)
{
    struct {
        struct head head;
        char name[MOST_NAME];
    } both;
    const size_t length = file ? strlen(file) : 0, kept = length < MOST_NAME ? length : MOST_NAME;
    head.name_bytes = (int32_t)kept;
    both.head = head;
    if (kept > 0)
        memcpy(both.name, file + (length - kept), kept);
    const struct kp_wire_packet packet = {.head = &both,
                                          .head_bytes = sizeof head + kept,
                                          .body = body,
                                          .body_bytes = body ? (size_t)head.bytes : 0};
    struct kp_wire *wire = own->box->wire;
    return wire->post(wire, own->member->shared->processors[rank], &packet);
}

/* Returns the name of a file, which lasts as long as the postbox, or NULL. */
static const char *keep_name(struct kp_postbox *box, const char *text, size_t length)
{
    struct name *name = box->names;
    while (name && (name->length != length || memcmp(name->text, text, length) != 0))
        name = name->next;
    if (name)
        return name->text;
    if (length == 0 || !(name = malloc(sizeof *name + length + 1)))
        return NULL;
    name->next = box->names;
    name->length = length;
    memcpy(name->text, text, length);
    name->text[length] = '\0';
    box->names = name;
    return name->text;
}

static struct kp_envelope envelope_of(struct kp_postbox *box, const struct head *head,
                                      const char *name)
{
    const char *file = keep_name(box, name, (size_t)head->name_bytes);
    return (struct kp_envelope){.source = head->source,
                                .tag = head->tag,
                                .note = head->note,
                                .bytes = (size_t)head->bytes,
                                .site = {file, file ? head->line : 0}};
}

/* --- Sending --- */

/* Returns a number for the sequence of elements of a message's first bytes. */
static uint64_t elements_of(const struct kp_typed *typed, size_t bytes)
{
    uint64_t number = 0;
    return !kp_is_typed(typed) || typed->row->number(typed, bytes, &number) ? number : 1;
}

static int send_packed(struct kp_messages *own, struct kp_outgoing_message *send, const void *data)
{
    const struct kp_machine_config *config = &own->member->shared->machine->config;
    const size_t counted = send->bytes + KP_MESSAGE_OVERHEAD;
    struct kp_flow *flow = &own->flows[send->to];
    struct head head = head_of(own, CONTENTS);
    head.bytes = send->bytes;
    head.elements = elements_of(&send->typed, send->bytes);
    head.tag = send->tag;
    head.note = send->note;
    head.line = send->site.line;
    if (!send->synchronous && send->bytes <= config->message_eager_bytes &&
        flow->sent - flow->credited + counted <= config->unreceived_bytes) {
        if (post(own, send->to, head, send->site.file, data))
            return KP_EMEMORY;
        flow->sent += counted;
        own->box->sent++;
        return KP_OK;
    }
    struct kp_message *message = kp_message_take(own, 0);
    if (!message)
        return KP_EMEMORY;
    message->data = data;
    message->bytes = send->bytes;
    atomic_store_explicit(&message->offer, KP_OFFERED, KP_ORDER_RESET);
    head.kind = OFFER;
    head.object = (uint64_t)(uintptr_t)message;
    if (post(own, send->to, head, send->site.file, NULL)) {
        kp_message_give_back(own, message);
        return KP_EMEMORY;
    }
    send->offered = message;
    return KP_OK;
}

int kp_postbox_send(struct kp_messages *own, struct kp_outgoing_message *send)
{
    void *packed = kp_is_typed(&send->typed) ? malloc(send->bytes + 1) : NULL;
    if (kp_is_typed(&send->typed) && !packed)
        return KP_EMEMORY;
    if (packed)
        kp_typed_pack(&send->typed, send->data, packed, send->bytes);
    const int status = send_packed(own, send, packed ? packed : send->data);
    if (packed && send->offered)
        send->offered->packed = packed;
    else
        free(packed);
    return status;
}

/* Describes the contents of a message for a branch of the wire. Both ends know the length. */
static struct kp_wire_message contents_of(const struct kp_messages *own, int rank, void *data,
                                          size_t bytes)
{
    const kp_group *member = own->member;
    return (struct kp_wire_message){.peer = member->shared->processors[rank],
                                    .exact = true,
                                    .tag = kp_wired_contents_tag(member),
                                    .bytes = data,
                                    .length = bytes};
}

/* The receiver wants the contents of an offered message, or has done without them. */
static void answer(struct kp_messages *own, struct kp_message *message, int rank, bool wanted)
{
    struct kp_wire *wire = own->box->wire, *branch = NULL;
    struct kp_wire_message *contents = (struct kp_wire_message *)(void *)message->contents;
    if (wanted && message->bytes > 0)
        branch = wire->branch(wire);
    if (branch) {
        *contents = contents_of(own, rank, (void *)(uintptr_t)message->data, message->bytes);
        (void)branch->begin(branch, NULL, 0, contents, 1);
    }
    message->branch = branch;
    atomic_store_explicit(&message->offer, branch ? KP_OFFER_CLAIMED : KP_OFFER_TAKEN,
                          KP_ORDER_RESET);
}

void kp_postbox_go_on(struct kp_messages *own, struct kp_message *message)
{
    struct kp_wire *wire = own->box->wire, *branch = message->branch;
    kp_error_record why = KP_ERROR_OF(KP_OK, -1);
    const int status = branch ? branch->test(branch, KP_WIRE_ALL, &why) : KP_WIRE_WAITS;
    if (status == KP_WIRE_WAITS)
        return;
    wire->join(wire, branch);
    message->branch = NULL;
    if (status)
        (void)kp_wired_fails(own->member, status, &why);
    /* After a failure the message counts as offered, so that it can be withdrawn. */
    atomic_store_explicit(&message->offer, status ? KP_OFFERED : KP_OFFER_TAKEN, KP_ORDER_RESET);
}

/* --- Receiving --- */

/* Tells a member from time to time how much of its messages has been received. */
static void count_received(struct kp_messages *own, int rank, size_t bytes)
{
    struct kp_flow *flow = &own->flows[rank];
    own->box->received++;
    flow->owed += bytes + KP_MESSAGE_OVERHEAD;
    if (flow->owed < own->member->shared->machine->config.unreceived_bytes / 4)
        return;
    struct head head = head_of(own, CREDIT);
    head.bytes = flow->owed;
    if (!post(own, rank, head, NULL, NULL))
        flow->owed = 0;
}

/* A message that has come, or that its sender offers as `object`. */
struct come {
    const void *data; /* in one piece */
    uint64_t object, elements;
};

static const struct kp_typed contiguous;

/* Stores the data of a message where the receive wants them. */
static void store(struct kp_receiving *receive, const void *data, size_t bytes)
{
    const struct kp_typed *typed = &receive->typed;
    if (kp_is_typed(typed))
        typed->row->copy(typed, receive->data, &contiguous, data, bytes);
    else
        memcpy(receive->data, data, bytes);
}

/* Gives a message to a receive. */
static void accept(struct kp_messages *own, struct kp_receiving *receive,
                   const struct kp_envelope *envelope, const struct come *come)
{
    const uint64_t object = come->object;
    bool fits = envelope->bytes <= receive->room;
    struct kp_wire *wire = own->box->wire, *branch = NULL;
    *receive->found = *envelope;
    receive->differs = fits && elements_of(&receive->typed, envelope->bytes) != come->elements;
    receive->sent = (struct kp_typed){.count = come->elements != 0};
    fits = fits && !receive->differs;
    const bool wants = fits && envelope->bytes > 0;
    if (object == 0) {
        if (wants)
            store(receive, come->data, envelope->bytes);
        count_received(own, envelope->source, envelope->bytes);
        receive->done = true;
        return;
    }
    struct head head = head_of(own, fits ? WANTED : UNWANTED);
    head.object = object;
    receive->unpacked = wants && kp_is_typed(&receive->typed) ? malloc(envelope->bytes) : NULL;
    if (wants && kp_is_typed(&receive->typed) && !receive->unpacked)
        receive->memory_is_short = receive->done = true;
    if (wants && !receive->done && !(branch = wire->branch(wire)))
        receive->memory_is_short = receive->done = true;
    if (receive->done)
        return;
    if (branch) {
        void *to = receive->unpacked ? receive->unpacked : receive->data;
        receive->contents = contents_of(own, envelope->source, to, envelope->bytes);
        (void)branch->begin(branch, &receive->contents, 1, NULL, 0);
    }
    receive->memory_is_short = post(own, envelope->source, head, NULL, NULL) != KP_OK;
    receive->arrives = branch;
    receive->done = !branch;
}

int kp_postbox_receive(struct kp_messages *own, struct kp_receiving *receive)
{
    struct kp_wire *wire = own->box->wire, *branch = receive->arrives;
    kp_error_record why = KP_ERROR_OF(KP_OK, -1);
    const int status = branch->test(branch, KP_WIRE_ALL, &why);
    if (status == KP_WIRE_WAITS)
        return KP_WAITS;
    wire->join(wire, branch);
    receive->arrives = NULL;
    receive->done = !status;
    if (receive->unpacked && !status) {
        store(receive, receive->unpacked, receive->found->bytes);
        free(receive->unpacked); /* after a failure the wire may still write there */
    }
    receive->unpacked = NULL;
    return status ? kp_wired_fails(own->member, status, &why) : KP_OK;
}

void kp_postbox_hand_over(struct kp_messages *own, struct kp_message *message,
                          struct kp_receiving *receive)
{
    const struct kp_envelope envelope = {.source = message->match.source,
                                         .tag = message->match.tag,
                                         .note = message->note,
                                         .bytes = message->bytes,
                                         .site = message->site};
    const struct come come = {message->data, message->object, message->elements};
    accept(own, receive, &envelope, &come);
    kp_message_give_back(own, message);
}

/* Keeps a message for which no receive is posted. Returns false if there is no memory. */
static bool keep(struct kp_messages *own, const struct kp_envelope *envelope,
                 const struct come *come)
{
    const uint64_t object = come->object;
    struct kp_message *message = kp_message_take(own, object ? 0 : envelope->bytes);
    if (!message)
        return false;
    message->match.source = envelope->source;
    message->match.tag = envelope->tag;
    message->site = envelope->site;
    message->note = envelope->note;
    message->bytes = envelope->bytes;
    message->counted = 0;
    message->data = message->contents;
    message->object = object;
    message->elements = come->elements;
    message->by_packet = true;
    atomic_store_explicit(&message->offer, KP_OFFER_NONE, KP_ORDER_RESET);
    if (!object && envelope->bytes > 0)
        memcpy(message->contents, come->data, envelope->bytes);
    kp_matching_keep(&own->matching, &message->match);
    return true;
}

static bool arrive(struct kp_messages *own, const struct head *head, const char *rest)
{
    const struct kp_envelope envelope = envelope_of(own->box, head, rest);
    const struct come come = {rest + head->name_bytes, head->object, head->elements};
    struct kp_match *match = kp_matching_receive_for(&own->matching, envelope.source, envelope.tag);
    if (!match)
        return keep(own, &envelope, &come);
    kp_matching_unpost(&own->matching, match);
    accept(own, (struct kp_receiving *)match, &envelope, &come);
    return true;
}

/* Carries out a packet of this member's group. Returns false if there is no memory to keep it. */
static bool dispatch(struct kp_messages *own, const struct head *head, const char *rest)
{
    switch ((enum kind)head->kind) {
    case CONTENTS:
    case OFFER:
        return arrive(own, head, rest);
    case CREDIT:
        own->flows[head->source].credited += (size_t)head->bytes;
        return true;
    default:
        answer(own, (struct kp_message *)(uintptr_t)head->object, head->source,
               head->kind == WANTED);
        return true;
    }
}

/* Keeps a packet of a group that does not use messages yet. */
static bool leave_unclaimed(struct kp_postbox *box, const struct kp_wire_packet *packet)
{
    struct unclaimed *made = malloc(sizeof *made + packet->head_bytes);
    if (!made)
        return false;
    made->next = NULL;
    made->bytes = packet->head_bytes;
    memcpy(made->packet, packet->head, packet->head_bytes);
    *box->last = made;
    box->last = &made->next;
    return true;
}

static bool deliver(struct kp_postbox *box, const struct kp_wire_packet *packet)
{
    struct head head;
    memcpy(&head, packet->head, sizeof head);
    struct kp_messages *own = box->first;
    while (own && own->member->wired->birth != head.birth)
        own = own->next_in_box;
    if (own)
        return dispatch(own, &head, (const char *)packet->head + sizeof head);
    /* Of a group that has ended nothing matters but that messages are left. */
    return (head.kind != CONTENTS && head.kind != OFFER) || leave_unclaimed(box, packet);
}

static int poll(struct kp_postbox *box, kp_error_record *why)
{
    struct kp_wire *wire = box->wire;
    int status = KP_OK;
    do {
        if (!box->held.head)
            status = wire->take(wire, &box->held, why);
        if (box->held.head && !deliver(box, &box->held))
            return KP_EMEMORY;
        if (!box->held.head)
            break;
        box->held.head = NULL;
    } while (!status);
    return status;
}

int kp_postbox_poll(struct kp_messages *own)
{
    kp_error_record why = KP_ERROR_OF(KP_OK, -1);
    const int status = poll(own->box, &why);
    if (status && status != KP_EMEMORY)
        (void)kp_wired_fails(own->member, status, &why);
    return status == KP_EMEMORY ? KP_EMEMORY : KP_OK;
}

bool kp_postbox_is_gone(const struct kp_messages *own, int rank)
{
    struct kp_wire *wire = own->box->wire;
    const int processor = own->member->shared->processors[rank];
    return processor != wire->processor && wire->is_gone(wire, processor);
}

/* --- Opening and closing --- */

static struct kp_postbox *box_of(kp_machine *machine)
{
    struct kp_postbox *box = machine->postbox;
    if (box || !(box = calloc(1, sizeof *box)))
        return box;
    box->wire = machine->config.wire;
    box->last = &box->unclaimed;
    return machine->postbox = box;
}

static void forget_unclaimed(struct kp_postbox *box, struct unclaimed **link)
{
    struct unclaimed *unclaimed = *link;
    *link = unclaimed->next;
    if (box->last == &unclaimed->next)
        box->last = link;
    free(unclaimed);
}

int kp_postbox_open(struct kp_messages *own)
{
    const kp_group *member = own->member;
    struct kp_postbox *box = box_of(member->shared->machine);
    if (box && !own->flows)
        own->flows = calloc((size_t)member->shared->size, sizeof *own->flows);
    if (!box || !own->flows)
        return KP_EMEMORY;
    own->box = box;
    for (struct unclaimed **link = &box->unclaimed; *link;) {
        struct head head;
        memcpy(&head, (*link)->packet, sizeof head);
        if (head.birth != member->wired->birth) {
            link = &(*link)->next;
        } else if (dispatch(own, &head, (*link)->packet + sizeof head)) {
            forget_unclaimed(box, link);
        } else {
            own->box = NULL;
            return KP_EMEMORY;
        }
    }
    own->next_in_box = box->first;
    box->first = own;
    return KP_OK;
}

void kp_postbox_close(struct kp_messages *own)
{
    if (own->box) {
        struct kp_messages **link = &own->box->first;
        while (*link != own)
            link = &(*link)->next_in_box;
        *link = own->next_in_box;
    }
    free(own->flows);
}

void kp_postbox_free(kp_machine *machine)
{
    struct kp_postbox *box = machine->postbox;
    while (box && box->unclaimed)
        forget_unclaimed(box, &box->unclaimed);
    for (struct name *next, *name = box ? box->names : NULL; name; name = next) {
        next = name->next;
        free(name);
    }
    free(box);
    machine->postbox = NULL;
}

/* --- The end of a run --- */

bool kp_postbox_find_left(kp_machine *machine, struct kp_envelope *left)
{
    const struct kp_wire *wire = machine->config.wire;
    struct kp_postbox *box = wire && wire->take ? box_of(machine) : NULL;
    kp_error_record ignored;
    bool found = false;
    if (!box || poll(box, &ignored))
        return false;
    for (struct unclaimed **link = &box->unclaimed; *link;) {
        struct head head;
        memcpy(&head, (*link)->packet, sizeof head);
        if (head.run > run_of(machine)) { /* seldom taken: its sender has begun the next run */
            link = &(*link)->next;
            continue;
        }
        if (!found)
            *left = envelope_of(box, &head, (*link)->packet + sizeof head);
        left->source = head.processor;
        found = found || head.kind == CONTENTS;
        forget_unclaimed(box, link);
    }
    return found;
}

uint64_t kp_postbox_balance(const kp_machine *machine)
{
    const struct kp_postbox *box = machine->postbox;
    return box ? box->sent - box->received : 0;
}
