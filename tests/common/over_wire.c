/* Runs a test over a wire instead of shared memory. Every processor is a thread with a machine of
 * its own. For kport these threads share only pairs of sockets and the bytes that pass through
 * them. The linker redirects the test's calls of kp_run to this file (--wrap). */
#include "lib/call/machine.h"
#include "ports/carrier/wire.h"
#include "ports/error.h"
#include "ports/machine_data.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

int __wrap_kp_run(const kp_config *config, kp_program *program, void *arg, kp_report *report);

#define TAG_OF_GIVING_UP UINT64_MAX
#define TAG_OF_NOTICES   (UINT64_MAX - 1)
#define LOOK_MS          10 /* how long a wait sleeps before it is watched */
#define LAST_WORDS_MS    1000

struct head {
    uint64_t tag, length;
};

/* A message on a socket: a head, and a body of `length` bytes. The frame has arrived or is being
 * sent. */
struct frame {
    struct frame *next;
    struct head head;
    /* The bytes sent so far, of head and body. In a frame that is arriving: the bytes of the body
     * received so far. */
    size_t done;
    const char *body;
    char memory[]; /* the body, if the frame has its own copy of it */
};

struct receive {
    struct kp_wire_message *message;
    bool done;
};

struct peer {
    int fd;
    bool gone;
    struct frame *coming; /* the frame whose body is arriving; NULL: none */
    struct head head;
    size_t head_done;
    struct frame *first, **last; /* the frames that have arrived and were not yet asked for */
    struct frame *first_out, **last_out; /* the frames that are still to be sent */
};

struct sockets {
    struct kp_wire wire;
    int n;
    struct peer *peers;
    struct pollfd *polled;
    struct receive *receives;
    int receive_count, receive_room;
    bool broken;
    kp_error_record why;
};

static void *need(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

/* --- Sending --- */

static void queue(struct peer *peer, uint64_t tag, const void *bytes, size_t length, bool copies)
{
    struct frame *frame = need(malloc(sizeof *frame + (copies ? length : 0)));
    *frame = (struct frame){.head = {tag, length}, .body = copies ? frame->memory : bytes};
    if (copies)
        memcpy(frame->memory, bytes, length);
    *peer->last_out = frame;
    peer->last_out = &frame->next;
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
        free(frame);
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
            *peer->last_out = kept;
            peer->last_out = &kept->next;
        }
        free(frame);
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

static bool match(struct peer *peer, struct kp_wire_message *message)
{
    struct frame **link = &peer->first;
    while (*link && (*link)->head.tag != message->tag)
        link = &(*link)->next;
    struct frame *frame = *link;
    if (!frame)
        return false;
    *link = frame->next;
    if (!*link)
        peer->last = link;
    if (frame->head.length > message->length ||
        (message->exact && frame->head.length < message->length))
        abort(); /* An MPI may write past the end of the receive. */
    message->length = frame->head.length;
    memcpy(message->bytes, frame->body, message->length);
    free(frame);
    return true;
}

/* --- The wire --- */

static int begin(struct kp_wire *wire, struct kp_wire_message *receives, int receive_count,
                 struct kp_wire_message *sends, int send_count)
{
    struct sockets *sockets = (struct sockets *)wire;
    for (int i = 0; i < receive_count; i++) {
        if (sockets->receive_count == sockets->receive_room) {
            sockets->receive_room = 2 * sockets->receive_room + 8;
            sockets->receives = need(realloc(sockets->receives, (size_t)sockets->receive_room *
                                                                    sizeof *sockets->receives));
        }
        sockets->receives[sockets->receive_count++] = (struct receive){.message = &receives[i]};
    }
    for (int i = 0; i < send_count; i++) {
        if (!sends[i].exact && sends[i].length >= KP_WIRE_SHORT)
            abort();
        queue(&sockets->peers[sends[i].peer], sends[i].tag, sends[i].bytes, sends[i].length, false);
        send_some(&sockets->peers[sends[i].peer]);
    }
    return KP_OK;
}

/* Sends and receives as much as is possible without waiting. Returns whether everything is
 * received, and also sent if `what` says so. If not, `*awaited` is a processor that this processor
 * waits for. */
static bool progress(struct sockets *sockets, enum kp_wire_what what, int *awaited)
{
    bool all = true;
    for (int i = 0; i < sockets->n; i++) {
        struct peer *peer = &sockets->peers[i];
        if (i == sockets->wire.processor)
            continue;
        send_some(peer);
        receive_some(sockets, peer);
        if (peer->first_out && what == KP_WIRE_ALL) {
            all = false;
            *awaited = i;
        }
    }
    for (int i = 0; i < sockets->receive_count; i++) {
        struct receive *receive = &sockets->receives[i];
        receive->done =
            receive->done || match(&sockets->peers[receive->message->peer], receive->message);
        if (!receive->done) {
            all = false;
            *awaited = receive->message->peer;
        }
    }
    return all;
}

static bool waits_in_vain(const struct sockets *sockets, int *whom)
{
    for (int i = 0; i < sockets->receive_count; i++) {
        const struct receive *receive = &sockets->receives[i];
        if (!receive->done && sockets->peers[receive->message->peer].gone) {
            *whom = receive->message->peer;
            return true;
        }
    }
    return false;
}

static bool look_out(struct sockets *sockets, int limit_ms)
{
    for (int i = 0; i < sockets->n; i++) {
        const struct peer *peer = &sockets->peers[i];
        sockets->polled[i] =
            (struct pollfd){.fd = i == sockets->wire.processor || peer->gone ? -1 : peer->fd,
                            .events = (short)(POLLIN | (peer->first_out ? POLLOUT : 0))};
    }
    return poll(sockets->polled, (nfds_t)sockets->n, limit_ms) != 0;
}

/* --- Notices. Each is a message with a tag of its own, of which at most one is not yet sent. ---
 */

static bool notify(struct kp_wire *wire, int to, const struct kp_wire_notice *notice)
{
    struct sockets *sockets = (struct sockets *)wire;
    struct peer *peer = &sockets->peers[to];
    if (peer->first_out)
        return false;
    queue(peer, TAG_OF_NOTICES, notice, sizeof *notice, true);
    send_some(peer);
    return true;
}

static bool hear_of(struct sockets *sockets, struct kp_wire_notice *notice)
{
    for (int i = 0; i < sockets->n; i++) {
        struct kp_wire_message message = {
            .tag = TAG_OF_NOTICES, .bytes = (char *)notice, .length = sizeof *notice};
        if (i != sockets->wire.processor && match(&sockets->peers[i], &message))
            return true;
    }
    return false;
}

static bool hear(struct kp_wire *wire, unsigned limit_us, struct kp_wire_notice *notice)
{
    struct sockets *sockets = (struct sockets *)wire;
    int ignored;
    (void)progress(sockets, KP_WIRE_ALL, &ignored);
    if (hear_of(sockets, notice))
        return true;
    if (limit_us == 0)
        return false;
    (void)look_out(sockets, 1 + (int)limit_us / 1000);
    (void)progress(sockets, KP_WIRE_ALL, &ignored);
    return hear_of(sockets, notice);
}

static int awaited(struct kp_wire *wire, int *processors, int most)
{
    const struct sockets *sockets = (struct sockets *)wire;
    int count = 0;
    for (int i = 0; i < sockets->receive_count && count < most; i++)
        if (!sockets->receives[i].done)
            processors[count++] = sockets->receives[i].message->peer;
    return count;
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
    struct sockets *sockets = (struct sockets *)wire;
    int missing = -1, status = KP_OK;
    const unsigned begun = now_ms();
    while (!progress(sockets, what, &missing) && !status) {
        why->processor = missing;
        if (sockets->broken) {
            *why = sockets->why;
            status = why->status;
        } else if (waits_in_vain(sockets, &why->processor)) {
            status = KP_ELOST;
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
    sockets->receive_count = 0;
    for (int i = 0; i < sockets->n && status; i++)
        keep_half_sent(&sockets->peers[i]);
    return status;
}

static void give_up(struct kp_wire *wire, const kp_error_record *why)
{
    struct sockets *sockets = (struct sockets *)wire;
    if (!sockets->broken)
        sockets->why = *why;
    sockets->broken = true;
    for (int i = 0; i < sockets->n; i++) {
        if (i == wire->processor)
            continue;
        queue(&sockets->peers[i], TAG_OF_GIVING_UP, why, sizeof *why, true);
        send_some(&sockets->peers[i]);
    }
}

static void open_sockets(struct sockets *all, int n)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &files);
    }
    for (int i = 0; i < n; i++) {
        all[i] = (struct sockets){
            .wire = {i, TAG_OF_NOTICES - 1, begin, wait_for, give_up, .notify = notify,
                     .hear = hear, .awaited = awaited},
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
}

static void free_frames(struct frame *frame)
{
    for (struct frame *next; frame; frame = next) {
        next = frame->next;
        free(frame);
    }
}

/* Tries for up to LAST_WORDS_MS milliseconds to send the remaining frames, then closes the
 * sockets. */
static void close_sockets(struct sockets *sockets)
{
    int awaited;
    for (int left = LAST_WORDS_MS / 10; left > 0 && !progress(sockets, KP_WIRE_ALL, &awaited);
         left--)
        (void)look_out(sockets, 10);
    for (int i = 0; i < sockets->n; i++) {
        struct peer *peer = &sockets->peers[i];
        if (peer->fd >= 0)
            close(peer->fd);
        free_frames(peer->first);
        free_frames(peer->first_out);
        free(peer->coming);
    }
    free(sockets->peers);
    free(sockets->polled);
    free(sockets->receives);
}

/* --- Runs --- */

struct participant {
    const kp_config *config;
    struct sockets *sockets;
    kp_program *program;
    void *arg;
    kp_error_record error;
    bool failed;
    uint64_t c1, c2;
    pthread_t thread;
};

static void *take_part(void *argument)
{
    struct participant *participant = argument;
    kp_machine *machine;
    kp_proc *self;
    int status = kp_machine_create_over(participant->config, &participant->sockets->wire, &machine);
    if (!status) {
        status = kp_machine_attach(machine, participant->sockets->wire.processor, &self);
        if (!status) {
            status = participant->program(self, participant->arg);
            if (status) {
                participant->error = *kp_error(self);
                if (participant->error.status != status)
                    kp_set_error(status, "the program returned %d", status);
                participant->error =
                    participant->error.status == status ? participant->error : *kp_error_slot();
                (void)kp_fail(self, participant->error.sentence);
            }
            participant->c1 = self->c1;
            participant->c2 = self->c2;
            int left = kp_machine_detach(self);
            status = status ? status : left;
        }
        (void)kp_machine_destroy(machine);
    }
    participant->failed = status != KP_OK;
    if (participant->failed && participant->error.status == KP_OK)
        participant->error = *kp_error_slot();
    close_sockets(participant->sockets);
    return NULL;
}

/* Returns whether the error of processor i was caused by processor i itself. The run reports such
 * an error rather than an error that another processor passed on. */
static bool is_own(const struct participant *participant, int i)
{
    return participant->failed && participant->error.status != KP_EPEER &&
           participant->error.status != KP_ELOST &&
           (participant->error.processor < 0 || participant->error.processor == i);
}

static int conclude(const struct participant *participants, int n, kp_report *report)
{
    kp_report found = {.started = n};
    int first = -1;
    for (int i = 0; i < n; i++) {
        const struct participant *participant = &participants[i];
        if (participant->failed &&
            (first < 0 || (is_own(participant, i) && !is_own(&participants[first], first))))
            first = i;
        if (participant->c1 > found.c1 ||
            (participant->c1 == found.c1 && participant->c2 > found.c2)) {
            found.c1 = participant->c1;
            found.c2 = participant->c2;
        }
    }
    if (first >= 0)
        found.error = participants[first].error;
    if (report)
        *report = found;
    if (first >= 0)
        *kp_error_slot() = found.error;
    return found.error.status;
}

int __wrap_kp_run(const kp_config *config, kp_program *program, void *arg, kp_report *report)
{
    const int n = config && config->processors > 0 ? config->processors : kp_cores();
    kp_config own = config ? *config : (kp_config){0};
    own.processors = n;
    own.discipline = KP_ROUNDS_BY_BARRIER; /* over a wire there is only the barrier */
    struct sockets *sockets = need(calloc((size_t)n, sizeof *sockets));
    struct participant *participants = need(calloc((size_t)n, sizeof *participants));
    open_sockets(sockets, n);
    for (int i = 0; i < n; i++) {
        participants[i] = (struct participant){
            .config = &own, .sockets = &sockets[i], .program = program, .arg = arg};
        if (pthread_create(&participants[i].thread, NULL, take_part, &participants[i]) != 0)
            abort();
    }
    for (int i = 0; i < n; i++)
        pthread_join(participants[i].thread, NULL);
    int status = conclude(participants, n, report);
    free(participants);
    free(sockets);
    return status;
}
