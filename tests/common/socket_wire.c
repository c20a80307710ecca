#include "tests/common/socket_wire_data.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#define TAG_OF_GIVING_UP UINT64_MAX
#define TAG_OF_NOTICES   (UINT64_MAX - 1)
#define TAG_OF_PACKETS   (UINT64_MAX - 2)
#define MOST_TAG         ((uint64_t)1 << 48)
#define LOOK_MS          10   /* how long a wait sleeps before it is watched */
#define LAST_WORDS_MS    1000 /* how long a closing wire tries to send the remaining frames */

static struct sockets *sockets_of(struct kp_wire *wire)
{
    return ((struct branch *)wire)->sockets;
}

static void *need(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

/* --- Sending --- */

static void put_last(struct peer *peer, struct frame *frame)
{
    *peer->last_out = frame;
    peer->last_out = &frame->next;
}

static void queue(struct peer *peer, uint64_t tag, const void *bytes, size_t length)
{
    struct frame *frame = need(malloc(sizeof *frame + length));
    *frame = (struct frame){.head = {tag, length}, .body = frame->memory};
    memcpy(frame->memory, bytes, length);
    put_last(peer, frame);
}

static void free_frame(struct frame *frame)
{
    if (frame->unsent)
        --*frame->unsent;
    free(frame);
}

static bool is_sent(const struct frame *frame)
{
    return frame->done == sizeof frame->head + frame->head.length;
}

static void send_some(struct peer *peer)
{
    while (peer->first_out) {
        struct frame *frame = peer->first_out;
        while (!is_sent(frame) && !peer->gone) {
            bool in_head = frame->done < sizeof frame->head;
            const char *from = in_head ? (const char *)&frame->head + frame->done
                                       : frame->body + (frame->done - sizeof frame->head);
            size_t end = sizeof frame->head + (in_head ? 0 : frame->head.length);
            ssize_t sent = send(peer->fd, from, end - frame->done, MSG_DONTWAIT | MSG_NOSIGNAL);
            if (sent < 0 && errno != EINTR && errno != EAGAIN)
                break; /* the peer has closed its socket, so the frame is dropped */
            if (sent < 0)
                return;
            frame->done += (size_t)sent;
        }
        peer->first_out = frame->next;
        if (!peer->first_out)
            peer->last_out = &peer->first_out;
        free_frame(frame);
    }
}

/* Copies the bodies of the frames that are partly sent, and drops the frames that are not begun,
 * except those with their own copy of the body. A wait that fails calls this function, because
 * after the failure the caller may reuse the memory of the bodies. A partly sent frame must be
 * completed, because the peer could not read later frames otherwise. */
static void keep_half_sent(struct peer *peer)
{
    struct frame *frame = peer->first_out;
    peer->first_out = NULL;
    peer->last_out = &peer->first_out;
    for (struct frame *next; frame; frame = next) {
        next = frame->next;
        if (frame->done > 0 || frame->body == frame->memory) {
            struct frame *kept = need(malloc(sizeof *kept + (size_t)frame->head.length));
            *kept = (struct frame){.head = frame->head, .done = frame->done, .body = kept->memory};
            memcpy(kept->memory, frame->body, frame->head.length);
            put_last(peer, kept);
        }
        free_frame(frame);
    }
}

/* --- Receiving --- */

static void has_come(struct sockets *sockets, struct peer *peer, struct frame *frame)
{
    if (frame->head.tag == TAG_OF_GIVING_UP) {
        if (!sockets->broken)
            memcpy(&sockets->why, frame->body, sizeof sockets->why);
        sockets->why.file = NULL;
        sockets->broken = true;
        free(frame);
        return;
    }
    *peer->last = frame;
    peer->last = &frame->next;
    sockets->came++;
}

static ssize_t some(struct peer *peer, void *to, size_t most)
{
    ssize_t came;
    do
        came = recv(peer->fd, to, most, MSG_DONTWAIT);
    while (came < 0 && errno == EINTR);
    peer->gone = peer->gone || came == 0 || (came < 0 && errno != EAGAIN);
    return came > 0 ? came : 0;
}

static void receive_some(struct sockets *sockets, struct peer *peer)
{
    for (;;) {
        struct frame *frame = peer->coming;
        if (!frame) {
            peer->head_done += (size_t)some(peer, (char *)&peer->head + peer->head_done,
                                            sizeof peer->head - peer->head_done);
            if (peer->head_done < sizeof peer->head)
                return;
            frame = peer->coming = need(malloc(sizeof *frame + peer->head.length));
            *frame = (struct frame){.head = peer->head, .body = frame->memory};
            peer->head_done = 0;
        }
        while (frame->done < frame->head.length) {
            size_t came = (size_t)some(peer, frame->memory + frame->done,
                                       (size_t)frame->head.length - frame->done);
            if (came == 0)
                return;
            frame->done += came;
        }
        peer->coming = NULL;
        has_come(sockets, peer, frame);
    }
}

/* Returns where the first frame with this tag stands among those that have come, or the end. */
static struct frame **find(struct peer *peer, uint64_t tag)
{
    struct frame **link = &peer->first;
    while (*link && (*link)->head.tag != tag)
        link = &(*link)->next;
    return link;
}

/* Takes this frame out, or returns NULL. */
static struct frame *take_out(struct peer *peer, uint64_t tag)
{
    struct frame **link = find(peer, tag), *frame = *link;
    if (!frame)
        return NULL;
    *link = frame->next;
    if (!*link)
        peer->last = link;
    return frame;
}

static bool match(struct peer *peer, struct kp_wire_message *message)
{
    struct frame *frame = take_out(peer, message->tag);
    if (!frame)
        return false;
    if (frame->head.length > message->length ||
        (message->length != KP_WIRE_SHORT && frame->head.length < message->length))
        abort(); /* An MPI may write past the end of the receive. */
    memcpy(message->bytes, frame->body, frame->head.length);
    if (!message->exact)
        message->length = frame->head.length;
    free(frame);
    return true;
}

/* --- The wire --- */

static int begin(struct kp_wire *wire, struct kp_wire_message *receives, int receive_count,
                 struct kp_wire_message *sends, int send_count)
{
    struct branch *branch = (struct branch *)wire;
    for (int i = 0; i < receive_count; i++) {
        if (branch->receive_count == branch->receive_room) {
            branch->receive_room = 2 * branch->receive_room + 8;
            branch->receives = need(
                realloc(branch->receives, (size_t)branch->receive_room * sizeof *branch->receives));
        }
        branch->receives[branch->receive_count++] =
            (struct receive){.message = &receives[i], .order = branch->sockets->begun++};
    }
    for (int i = 0; i < send_count; i++) {
        struct peer *peer = &branch->sockets->peers[sends[i].peer];
        struct frame *frame = need(malloc(sizeof *frame));
        if (!sends[i].exact && sends[i].length >= KP_WIRE_SHORT)
            abort();
        *frame = (struct frame){.head = {sends[i].tag, sends[i].length},
                                .body = sends[i].bytes,
                                .unsent = &branch->unsent};
        branch->unsent++;
        put_last(peer, frame);
        send_some(peer);
    }
    return KP_OK;
}

/* Returns whether a receive on this branch was begun before `than`, and waits for the same. */
static bool has_earlier(const struct branch *branch, const struct receive *than)
{
    for (int i = 0; i < branch->receive_count; i++) {
        const struct receive *one = &branch->receives[i];
        if (!one->done && one->order < than->order && one->message->tag == than->message->tag &&
            one->message->peer == than->message->peer)
            return true;
    }
    return false;
}

/* Messages with the same tag go to their receives in the order in which these were begun. */
static bool has_turn(const struct sockets *sockets, const struct receive *receive)
{
    bool has = !has_earlier(&sockets->root, receive);
    for (const struct branch *branch = sockets->branches; branch && has; branch = branch->next)
        has = !has_earlier(branch, receive);
    return has;
}

/* Sends and receives as much as is possible without waiting. Returns the last processor to which
 * something is still to be sent, or -1. */
static int move(struct sockets *sockets)
{
    int awaited = -1;
    for (int i = 0; i < sockets->n; i++) {
        struct peer *peer = &sockets->peers[i];
        if (i == sockets->root.wire.processor)
            continue;
        send_some(peer);
        receive_some(sockets, peer);
        awaited = peer->first_out ? i : awaited;
    }
    return awaited;
}

/* Returns whether everything is received, and also sent if `what` says so. If not, `*awaited` is a
 * processor that this processor waits for. */
static bool progress(struct branch *branch, enum kp_wire_what what, int *awaited)
{
    struct sockets *sockets = branch->sockets;
    const int unsent = move(sockets);
    const bool is_sent = branch == &sockets->root ? unsent < 0 : branch->unsent == 0;
    bool all = what == KP_WIRE_RECEIVES || is_sent;
    if (!all)
        *awaited = unsent;
    for (int i = 0; i < branch->receive_count; i++) {
        struct receive *receive = &branch->receives[i];
        struct peer *peer = &sockets->peers[receive->message->peer];
        receive->done =
            receive->done || (has_turn(sockets, receive) && match(peer, receive->message));
        if (!receive->done) {
            all = false;
            *awaited = receive->message->peer;
        }
    }
    return all && what != KP_WIRE_UNTIL;
}

/* What a peer sent before it was gone may have come since this branch was tested. */
static bool waits_in_vain(const struct branch *branch, int *whom)
{
    for (int i = 0; i < branch->receive_count; i++) {
        const struct receive *receive = &branch->receives[i];
        struct peer *peer = &branch->sockets->peers[receive->message->peer];
        if (!receive->done && peer->gone && !*find(peer, receive->message->tag)) {
            *whom = receive->message->peer;
            return true;
        }
    }
    return false;
}

static bool any_waits_in_vain(const struct sockets *sockets, int *whom)
{
    bool vain = waits_in_vain(&sockets->root, whom);
    for (const struct branch *branch = sockets->branches; branch && !vain; branch = branch->next)
        vain = waits_in_vain(branch, whom);
    return vain;
}

static bool look_out(struct sockets *sockets, int limit_ms)
{
    for (int i = 0; i < sockets->n; i++) {
        const struct peer *peer = &sockets->peers[i];
        sockets->polled[i] =
            (struct pollfd){.fd = i == sockets->root.wire.processor || peer->gone ? -1 : peer->fd,
                            .events = (short)(POLLIN | (peer->first_out ? POLLOUT : 0))};
    }
    return poll(sockets->polled, (nfds_t)sockets->n, limit_ms) != 0;
}

static int test(struct kp_wire *wire, enum kp_wire_what what, kp_error_record *why)
{
    struct branch *branch = (struct branch *)wire;
    struct sockets *sockets = branch->sockets;
    int ignored;
    const bool done = progress(branch, what, &ignored);
    if (sockets->broken) {
        *why = sockets->why;
        for (int i = 0; i < sockets->n; i++)
            keep_half_sent(&sockets->peers[i]);
    }
    if (sockets->broken || done)
        branch->receive_count = 0;
    return sockets->broken ? why->status : done ? KP_OK : KP_WIRE_WAITS;
}

static int awaited(struct kp_wire *wire, int *processors, int most)
{
    const struct branch *branch = (struct branch *)wire;
    int count = 0;
    for (int i = 0; i < branch->receive_count && count < most; i++)
        if (!branch->receives[i].done)
            processors[count++] = branch->receives[i].message->peer;
    return count;
}

static struct kp_wire *make_branch(struct kp_wire *wire)
{
    struct sockets *sockets = sockets_of(wire);
    struct branch *made = need(calloc(1, sizeof *made));
    made->wire = (struct kp_wire){.processor = wire->processor,
                                  .most_tag = wire->most_tag,
                                  .begin = begin,
                                  .awaited = awaited,
                                  .test = test};
    made->sockets = sockets;
    made->next = sockets->branches;
    sockets->branches = made;
    return &made->wire;
}

static void join(struct kp_wire *wire, struct kp_wire *joined)
{
    struct branch **link = &sockets_of(wire)->branches, *branch = (struct branch *)joined;
    while (*link != branch)
        link = &(*link)->next;
    *link = branch->next;
    if (branch->unsent > 0)
        abort();
    free(branch->receives);
    free(branch);
}

/* --- Packets --- */

static int post(struct kp_wire *wire, int to, const struct kp_wire_packet *packet)
{
    struct peer *peer = &sockets_of(wire)->peers[to];
    const size_t bytes = packet->head_bytes + packet->body_bytes;
    char *both = need(malloc(bytes));
    memcpy(both, packet->head, packet->head_bytes);
    if (packet->body_bytes > 0)
        memcpy(both + packet->head_bytes, packet->body, packet->body_bytes);
    queue(peer, TAG_OF_PACKETS, both, bytes);
    free(both);
    send_some(peer);
    return KP_OK;
}

static int take(struct kp_wire *wire, struct kp_wire_packet *packet, kp_error_record *why)
{
    struct sockets *sockets = sockets_of(wire);
    free(sockets->taken);
    sockets->taken = NULL;
    *packet = (struct kp_wire_packet){.head = NULL};
    (void)move(sockets);
    for (int i = 0; i < sockets->n && !sockets->taken; i++)
        sockets->taken = take_out(&sockets->peers[i], TAG_OF_PACKETS);
    if (sockets->taken) {
        packet->head = sockets->taken->body;
        packet->head_bytes = sockets->taken->head.length;
    }
    if (sockets->broken)
        *why = sockets->why;
    return sockets->broken ? why->status : KP_OK;
}

static bool is_gone(struct kp_wire *wire, int processor)
{
    struct sockets *sockets = sockets_of(wire);
    (void)move(sockets);
    struct peer *peer = &sockets->peers[processor];
    return peer->gone && !*find(peer, TAG_OF_PACKETS) && !sockets->broken;
}

/* --- Notices. Each is a message with a tag of its own, of which at most one is not yet sent. ---
 */

static bool notify(struct kp_wire *wire, int to, const struct kp_wire_notice *notice)
{
    struct peer *peer = &sockets_of(wire)->peers[to];
    if (peer->first_out)
        return false;
    queue(peer, TAG_OF_NOTICES, notice, sizeof *notice);
    send_some(peer);
    return true;
}

static bool hear_of(struct sockets *sockets, struct kp_wire_notice *notice)
{
    for (int i = 0; i < sockets->n; i++) {
        struct kp_wire_message message = {
            .tag = TAG_OF_NOTICES, .bytes = (char *)notice, .length = sizeof *notice};
        if (i != sockets->root.wire.processor && match(&sockets->peers[i], &message))
            return true;
    }
    return false;
}

static bool hear(struct kp_wire *wire, unsigned limit_us, struct kp_wire_notice *notice)
{
    struct sockets *sockets = sockets_of(wire);
    (void)move(sockets);
    if (hear_of(sockets, notice))
        return true;
    if (limit_us == 0)
        return false;
    (void)look_out(sockets, 1 + (int)limit_us / 1000);
    (void)move(sockets);
    return hear_of(sockets, notice);
}

static unsigned now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (unsigned)(now.tv_sec * 1000 + now.tv_nsec / 1000000);
}

static int wait_for(struct kp_wire *wire, enum kp_wire_what what, unsigned limit_ms,
                    kp_error_record *why)
{
    struct branch *branch = (struct branch *)wire;
    struct sockets *sockets = branch->sockets;
    int missing = -1, status = KP_OK;
    const unsigned begun = now_ms();
    while (!progress(branch, what, &missing) && !status) {
        const unsigned came = sockets->came;
        if (wire->go_on && wire->go_on(wire) && what == KP_WIRE_UNTIL)
            break;
        why->processor = missing;
        if (sockets->broken) {
            *why = sockets->why;
            status = why->status;
        } else if (any_waits_in_vain(sockets, &why->processor)) {
            status = KP_ELOST;
        } else if (sockets->came != came) {
            continue;
        } else if (limit_ms > 0 && now_ms() - begun >= limit_ms) {
            status = KP_ETIMEOUT;
        } else if (!look_out(sockets, LOOK_MS)) {
            status = wire->watch(wire, now_ms() - begun, why);
        }
    }
    if (!status && sockets->broken) {
        *why = sockets->why;
        status = why->status;
    }
    if (status || what != KP_WIRE_UNTIL)
        branch->receive_count = 0;
    for (int i = 0; i < sockets->n && status; i++)
        keep_half_sent(&sockets->peers[i]);
    return status;
}

static int swap(struct kp_wire *wire, struct kp_wire_message *receive, struct kp_wire_message *send,
                unsigned limit_ms, kp_error_record *why)
{
    const int status = begin(wire, receive, 1, send, 1); /* it ends the program if it fails */
    return status ? status : wait_for(wire, KP_WIRE_ALL, limit_ms, why);
}

static void give_up(struct kp_wire *wire, const kp_error_record *why)
{
    struct sockets *sockets = sockets_of(wire);
    if (!sockets->broken)
        sockets->why = *why;
    sockets->broken = true;
    for (int i = 0; i < sockets->n; i++) {
        if (i == wire->processor)
            continue;
        queue(&sockets->peers[i], TAG_OF_GIVING_UP, why, sizeof *why);
        send_some(&sockets->peers[i]);
    }
}

struct sockets *sockets_open(int n)
{
    struct sockets *all = need(calloc((size_t)n, sizeof *all));
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &files);
    }
    for (int i = 0; i < n; i++) {
        all[i] = (struct sockets){
            .root = {.wire = {.processor = i,
                              .most_tag = MOST_TAG,
                              .lone_bits = KP_LEAST_LONE_BITS,
                              .begin = begin,
                              .wait = wait_for,
                              .swap = i % 2 ? swap : NULL,
                              .give_up = give_up,
                              .notify = notify,
                              .hear = hear,
                              .awaited = awaited,
                              .test = test,
                              .branch = make_branch,
                              .join = join,
                              .post = post,
                              .take = take,
                              .is_gone = is_gone},
                     .sockets = &all[i]},
            .n = n,
            .peers = need(calloc((size_t)n, sizeof *all[i].peers)),
            .polled = need(calloc((size_t)n, sizeof *all[i].polled)),
        };
        for (int j = 0; j < n; j++) {
            struct peer *peer = &all[i].peers[j];
            peer->fd = -1;
            peer->last = &peer->first;
            peer->last_out = &peer->first_out;
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            int pair[2];
            if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
                abort();
            all[i].peers[j].fd = pair[0];
            all[j].peers[i].fd = pair[1];
        }
    }
    return all;
}

struct kp_wire *sockets_wire(struct sockets *all, int i)
{
    return &all[i].root.wire;
}

static void free_frames(struct frame *frame)
{
    for (struct frame *next; frame; frame = next) {
        next = frame->next;
        free(frame);
    }
}

void sockets_close(struct sockets *all, int own)
{
    struct sockets *sockets = &all[own];
    for (int left = LAST_WORDS_MS / 10; left > 0 && move(sockets) >= 0; left--)
        (void)look_out(sockets, 10);
    for (int i = 0; i < sockets->n; i++) {
        struct peer *peer = &sockets->peers[i];
        if (peer->fd >= 0)
            close(peer->fd);
        free_frames(peer->first);
        free_frames(peer->first_out);
        free(peer->coming);
    }
    /* A processor that ends may have answered a message that nobody takes any more. */
    for (struct branch *next, *branch = sockets->branches; branch && branch != &sockets->root;
         branch = next) {
        next = branch->next;
        free(branch->receives);
        free(branch);
    }
    free(sockets->peers);
    free(sockets->polled);
    free(sockets->root.receives);
    free(sockets->taken);
}
