#include "ports/carrier/mpi/wires.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* The longest time for which a failure waits for messages that MPI cannot cancel any more: before
 * and after the others are told of it. */
#define CANCEL_US 200000
#define BROKEN_US 1000000

/* How often a processor looks whether another has given up, at least, while it begins long
 * messages: well before that one ends its waiting. */
#define LOOKS_MS (BROKEN_US / 1000 / 10)

/* After a failure it is over when no message has come for so long. */
#define QUIET_US 5000

/* --- Beginning --- */

bool wires_make_room(struct parts *parts)
{
    const size_t room = 2 * (size_t)parts->room + 8;
    MPI_Request *requests = realloc(parts->requests, room * sizeof *requests);
    parts->requests = requests ? requests : parts->requests;
    MPI_Status *statuses = realloc(parts->statuses, room * sizeof *statuses);
    parts->statuses = statuses ? statuses : parts->statuses;
    struct part *all = realloc(parts->all, room * sizeof *all);
    parts->all = all ? all : parts->all;
    if (!requests || !statuses || !all)
        return false;
    parts->room = (int)room;
    return true;
}

/* The functions that begin a short message are inline. Otherwise their calls take as many
 * instructions as their work. */
#define INLINE static inline __attribute__((always_inline))

/* A division takes long, and most processes have one processor. */
INLINE int rank_of(const struct process *process, int processor)
{
    const int t = process->per_process;
    return t == 1 ? processor : processor / t;
}

/* A tag of MPI also has the indices of both processors. */
INLINE int tag_of(const struct process *process, uint64_t tag, int from, int to)
{
    const int t = process->per_process;
    return t == 1 ? (int)tag : ((int)tag * t + from % t) * t + to % t;
}

INLINE int begin_part(struct wire *self, struct kp_wire_message *message, char *bytes,
                      size_t length, bool sends)
{
    const struct process *process = self->process;
    struct parts *parts = sends ? &self->sends : &self->receives;
    const int own = self->wire.processor, peer = message->peer, rank = rank_of(process, peer);
    const int tag = tag_of(process, message->tag, sends ? own : peer, sends ? peer : own);
    if (parts->count == parts->room && !wires_make_room(parts))
        return process->host.set_error(KP_EMEMORY,
                                       "no memory for a message to or from processor %d", peer);
    const int i = parts->count;
    MPI_Request *request = &parts->requests[i];
    const int code =
        sends ? PMPI_Isend(bytes, (int)length, MPI_BYTE, rank, tag, process->comm, request)
              : PMPI_Irecv(bytes, (int)length, MPI_BYTE, rank, tag, process->comm, request);
    if (code != MPI_SUCCESS)
        return wires_mpi_error(process, sends ? "MPI_Isend" : "MPI_Irecv", code);
    parts->all[i] = (struct part){sends || message->exact ? NULL : message, peer};
    parts->any_measured |= !sends && !message->exact;
    parts->count = i + 1;
    return KP_OK;
}

/* A process that has given up may free the long message that it was sending, though not before
 * BROKEN_US, and receives nothing. So a processor looks whether somebody has given up before it
 * begins to receive or to send a long message, unless it has looked a short time ago: each look
 * lets MPI go on, and yields the core if MPI does so. Returns whether somebody has given up. */
static bool has_given_up(struct wire *self)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    const int64_t ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
    if (ms - self->looked_ms < LOOKS_MS)
        return false;
    self->looked_ms = ms;
    wires_let_go(self);
    wires_look_for_farewell(self->process);
    self->holds = wires_enter(self->process, true);
    return wires_is_broken(self->process);
}

/* Begins the parts of a longer message. This is a function of its own, so that it saves no
 * registers for the others. */
__attribute__((noinline)) static int begin_parts(struct wire *self, struct kp_wire_message *message,
                                                 bool sends)
{
    const size_t length = message->length;
    int status = KP_OK;
    if (has_given_up(self))
        return KP_OK; /* the wait returns the error */
    for (size_t from = 0; from < length && !status; from += PART_BYTES)
        status = begin_part(self, message, message->bytes + from,
                            length - from < PART_BYTES ? length - from : PART_BYTES, sends);
    return status;
}

INLINE int begin(struct wire *self, struct kp_wire_message *message, bool sends)
{
    return message->length <= KP_WIRE_SHORT
               ? begin_part(self, message, message->bytes, message->length, sends)
               : begin_parts(self, message, sends);
}

INLINE int begin_all(struct wire *self, struct kp_wire_message *messages, int count, bool sends,
                     int *locals)
{
    int status = KP_OK;
    for (int i = 0; i < count && !status; i++)
        if (wires_is_local(self->process, messages[i].peer))
            ++*locals;
        else
            status = begin(self, &messages[i], sends);
    return status;
}

static int begin_local(struct wire *self, struct kp_wire_message *messages, int count, bool sends)
{
    int status = KP_OK;
    for (int i = 0; i < count && !status; i++)
        if (wires_is_local(self->process, messages[i].peer))
            status = wires_local_begin(self, &messages[i], sends);
    return status;
}

int wires_begin(struct kp_wire *wire, struct kp_wire_message *receives, int receive_count,
                struct kp_wire_message *sends, int send_count)
{
    struct wire *self = (struct wire *)wire;
    int locals = 0;
    if (wires_is_broken(self->process))
        return KP_OK; /* the wait returns the error */
    if (!self->holds)
        self->holds = wires_enter(self->process, true);
    /* The sends come first, so that a receiver waits for less work of the sender. */
    int status = begin_all(self, sends, send_count, true, &locals);
    status = status ? status : begin_all(self, receives, receive_count, false, &locals);
    /* What is begun on a branch need not be waited for next. */
    if (self->process->per_process > 1 || self->root != self)
        wires_let_go(self);
    if (status || locals == 0)
        return status;
    status = begin_local(self, receives, receive_count, false);
    return status ? status : begin_local(self, sends, send_count, true);
}

/* --- Going on --- */

static int lost_by(int code, int peer, kp_error_record *why)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    (void)PMPI_Error_string(code, text, &length);
    why->processor = peer;
    snprintf(why->sentence, sizeof why->sentence,
             "a message to or from processor %d is lost: %.300s", peer, text);
    return KP_ELOST;
}

/* Returns the first part that MPI has found an error in. */
static int failed_part(const struct parts *parts, int code)
{
    for (int i = 0; i < parts->count && code == MPI_ERR_IN_STATUS; i++) {
        const int error = parts->statuses[i].MPI_ERROR;
        if (error != MPI_SUCCESS && error != MPI_ERR_PENDING)
            return i;
    }
    return 0;
}

static int part_failed(const struct parts *parts, int code, kp_error_record *why)
{
    const int i = failed_part(parts, code);
    const int error = code == MPI_ERR_IN_STATUS ? parts->statuses[i].MPI_ERROR : code;
    return lost_by(error, parts->all[i].peer, why);
}

/* All parts are done. Stores the lengths that have come. */
__attribute__((noinline)) static void measure_all(struct parts *parts)
{
    for (int i = 0; i < parts->count; i++) {
        struct kp_wire_message *message = parts->all[i].message;
        int came = 0;
        if (message && !PMPI_Get_count(&parts->statuses[i], MPI_BYTE, &came))
            message->length = (size_t)came;
    }
    parts->any_measured = false;
}

/* If there is one part, MPI_Test looks again after it has gone on, which MPI_Testall does not. */
INLINE int test(struct parts *parts, kp_error_record *why)
{
    int done = 0, code;
    if (parts->count == 1)
        code = PMPI_Test(parts->requests, &done, parts->statuses);
    else
        code = PMPI_Testall(parts->count, parts->requests, &done, parts->statuses);
    if (code)
        return part_failed(parts, code, why);
    if (done && parts->any_measured)
        measure_all(parts);
    if (done)
        parts->count = 0;
    return KP_OK;
}

/* Short sends are done at once, so they are tested while the receives are on their way. */
INLINE int test_both(struct wire *self, enum kp_wire_what what, kp_error_record *why)
{
    int status = KP_OK;
    if (what == KP_WIRE_ALL && self->sends.count > 0)
        status = test(&self->sends, why);
    if (!status && self->receives.count > 0)
        status = test(&self->receives, why);
    return status;
}

/* Without a lock there is nothing to be taken first. */
int wires_remote_test(struct wire *self, enum kp_wire_what what, bool waits, kp_error_record *why)
{
    if (self->holds || !self->process->locks)
        return test_both(self, what, why);
    if (wires_remote_done(self, what) || !wires_enter(self->process, waits))
        return KP_OK;
    const int status = test_both(self, what, why);
    wires_leave(self->process);
    return status;
}

/* What is not done is waited for as if it had begun in the usual way. */
__attribute__((noinline)) static int swap_goes_on(struct wire *self, int code, int peer,
                                                  kp_error_record *why)
{
    self->sends.count = self->sends.requests[0] != MPI_REQUEST_NULL;
    self->receives.count = self->receives.requests[0] != MPI_REQUEST_NULL;
    return code ? lost_by(code, peer, why) : KP_WIRE_WAITS;
}

int wires_remote_swap(struct wire *self, const struct kp_wire_message *receive,
                      const struct kp_wire_message *send, kp_error_record *why)
{
    const MPI_Comm comm = self->process->comm;
    MPI_Request *const sent = self->sends.requests, *const came = self->receives.requests;
    int is_sent = 0, has_come = 0;
    self->holds = self->holds || wires_enter(self->process, true);
    *came = MPI_REQUEST_NULL;
    self->sends.all[0] = (struct part){NULL, send->peer};
    self->receives.all[0] = (struct part){NULL, receive->peer};
    int code = PMPI_Isend(send->bytes, (int)send->length, MPI_BYTE, send->peer, (int)send->tag,
                          comm, sent);
    if (code)
        *sent = MPI_REQUEST_NULL;
    if (!code)
        code = PMPI_Irecv(receive->bytes, (int)receive->length, MPI_BYTE, receive->peer,
                          (int)receive->tag, comm, came);
    if (!code)
        code = PMPI_Test(sent, &is_sent, MPI_STATUS_IGNORE);
    if (!code)
        code = PMPI_Test(came, &has_come, MPI_STATUS_IGNORE);
    if (code || !is_sent || !has_come)
        return swap_goes_on(self, code, receive->peer, why);
    wires_let_go(self);
    return KP_OK;
}

/* Returns the peer of the first part, from `*next` on, that is not done, or -1. If `lost`, only a
 * peer that has left counts. Stores in `next` the number of the part after it. */
static int next_awaited(const struct wire *self, const struct parts *parts, bool lost, int *next)
{
    int awaited = -1;
    (void)wires_enter(self->process, true);
    while (*next < parts->count && awaited < 0) {
        const int i = (*next)++, peer = parts->all[i].peer;
        int done = 0;
        (void)PMPI_Request_get_status(parts->requests[i], &done, MPI_STATUS_IGNORE);
        if (!done && (!lost || wires_has_left(self, peer)))
            awaited = peer;
    }
    wires_leave(self->process);
    return awaited;
}

static int awaited_of(const struct wire *self, const struct parts *parts, bool lost)
{
    int next = 0;
    return next_awaited(self, parts, lost, &next);
}

int wires_remote_list(const struct wire *self, int *processors, int most)
{
    int count = 0;
    for (int sends = 0; sends < 2; sends++) {
        const struct parts *parts = sends ? &self->sends : &self->receives;
        for (int next = 0, peer = 0; peer >= 0 && count < most;) {
            peer = next_awaited(self, parts, false, &next);
            if (peer >= 0)
                processors[count++] = peer;
        }
    }
    return count;
}

int wires_remote_awaited(const struct wire *self)
{
    const int awaited = awaited_of(self, &self->receives, false);
    return awaited >= 0 ? awaited : awaited_of(self, &self->sends, false);
}

int wires_remote_lost(const struct wire *self)
{
    const int lost = awaited_of(self, &self->receives, true);
    return lost >= 0 ? lost : awaited_of(self, &self->sends, true);
}

/* --- Cancelling --- */

void wires_remote_cancel(struct wire *self)
{
    const uint64_t begun = wires_now_us();
    kp_error_record ignored;
    (void)wires_enter(self->process, true);
    for (int i = 0; i < self->receives.count; i++) {
        self->receives.all[i].message = NULL;
        if (self->receives.requests[i] != MPI_REQUEST_NULL)
            (void)PMPI_Cancel(&self->receives.requests[i]);
    }
    wires_leave(self->process);
    for (uint64_t now = begun, dropped = begun;; now = wires_now_us(), wires_sleep_us(50)) {
        (void)wires_remote_test(self, KP_WIRE_ALL, true, &ignored);
        const bool is_broken = wires_is_broken(self->process);
        if (is_broken && self->root->broken_us == 0)
            self->root->broken_us = begun;
        if (is_broken ? now - self->root->broken_us >= BROKEN_US : now - begun >= CANCEL_US)
            break;
        /* Other processes wait as this one does, until what they have sent here is received. */
        if (is_broken && wires_drop(self->process))
            dropped = now;
        if (wires_remote_done(self, KP_WIRE_ALL) && (!is_broken || now - dropped >= QUIET_US))
            break;
    }
}
