#include "ports/carrier/mpi/wires.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The longest time for which a failure waits for messages that MPI cannot cancel any more. */
#define CANCEL_US 200000

/* --- Memory --- */

/* Makes room for `more` transfers. */
static bool has_room(struct wire *self, size_t more)
{
    if ((size_t)self->count + more <= (size_t)self->room)
        return true;
    const size_t room = 2 * (size_t)self->room + 6 + more;
    MPI_Request *requests = realloc(self->requests, room * sizeof *requests);
    self->requests = requests ? requests : self->requests;
    MPI_Status *statuses = realloc(self->statuses, room * sizeof *statuses);
    self->statuses = statuses ? statuses : self->statuses;
    int *indices = realloc(self->indices, room * sizeof *indices);
    self->indices = indices ? indices : self->indices;
    struct transfer *transfers = realloc(self->transfers, room * sizeof *transfers);
    self->transfers = transfers ? transfers : self->transfers;
    if (!requests || !statuses || !indices || !transfers)
        return false;
    memset(transfers + self->room, 0, (room - (size_t)self->room) * sizeof *transfers);
    self->room = (int)room;
    return true;
}

/* Adds a transfer, which keeps the memory for a head that an earlier one had. */
static void add(struct wire *self, struct transfer what)
{
    struct transfer *added = &self->transfers[self->count++];
    what.head = added->head;
    *added = what;
    self->left++;
}

/* --- Beginning --- */

/* Of a tag of MPI the lowest bit says that the message is a tail. The indices of both processors
 * come next. */
static int tag_of(const struct process *process, uint64_t tag, int from, int to)
{
    const int t = process->per_process;
    return (((int)tag * t + from % t) * t + to % t) * 2;
}

/* Begins to send or receive a message of MPI, a part of the message `what`. Returns a code of
 * MPI. */
static int begin_part(struct wire *self, const struct transfer *what, char *bytes, size_t length,
                      int tag)
{
    const MPI_Comm comm = self->process->comm;
    MPI_Request *request = &self->requests[self->count];
    const int code = what->stage == SEND
                         ? PMPI_Isend(bytes, (int)length, MPI_BYTE, what->rank, tag, comm, request)
                         : PMPI_Irecv(bytes, (int)length, MPI_BYTE, what->rank, tag, comm, request);
    if (!code)
        add(self, *what);
    return code;
}

/* Begins the parts from byte `from` on. If the length is not known to the receiver (`ends`), the
 * last part is shorter than the others. */
static int begin_parts(struct wire *self, const struct transfer *what, size_t from, int tag,
                       bool ends)
{
    size_t part = PART_BYTES;
    int code = MPI_SUCCESS;
    for (; !code && (ends ? part == PART_BYTES : from < what->most); from += part) {
        part = what->most - from < PART_BYTES ? what->most - from : PART_BYTES;
        code = begin_part(self, what, what->bytes + from, part, tag);
    }
    return code;
}

static int begin_exact(struct wire *self, const struct transfer *what)
{
    if (what->came)
        *what->came = what->most;
    return begin_parts(self, what, 0, what->tag, what->most == 0);
}

static int begin_send(struct wire *self, const struct transfer *what)
{
    if (what->most < KP_WIRE_SHORT)
        return begin_part(self, what, what->bytes, what->most, what->tag);
    const int code = begin_part(self, what, what->bytes, KP_WIRE_SHORT, what->tag);
    return code ? code : begin_parts(self, what, KP_WIRE_SHORT, what->tag + 1, true);
}

static int begin_receive(struct wire *self, const struct transfer *what)
{
    char *head = what->most < KP_WIRE_SHORT ? self->transfers[self->count].head : what->bytes;
    return begin_part(self, what, head, KP_WIRE_SHORT, what->tag);
}

/* Makes sure of memory for all parts of a message. */
static bool has_memory(struct wire *self, const struct transfer *what)
{
    if (!has_room(self, what->stage == HEAD ? 1 : 2 + what->most / PART_BYTES))
        return false;
    struct transfer *next = &self->transfers[self->count];
    if (what->stage == HEAD && what->most < KP_WIRE_SHORT && !next->head)
        next->head = malloc(KP_WIRE_SHORT);
    return what->stage != HEAD || what->most >= KP_WIRE_SHORT || next->head;
}

/* A process that has given up may soon free the long message that it was sending. So a receiver
 * looks whether somebody has given up before it begins to receive a long message. */
static bool is_broken_now(struct process *process)
{
    wires_look_for_farewell(process);
    return atomic_load_explicit(&process->broken, KP_ORDER_UNLOCKED);
}

int wires_remote_begin(struct wire *self, int peer, uint64_t tag, const void *bytes, size_t length,
                       size_t *came, bool exact)
{
    const struct process *process = self->process;
    const int own = self->wire.processor;
    const struct transfer what = {.stage = !came   ? SEND
                                           : exact ? RECEIVE
                                                   : HEAD,
                                  .peer = peer,
                                  .rank = peer / process->per_process,
                                  .tag = tag_of(process, tag, came ? peer : own, came ? own : peer),
                                  .bytes = (char *)bytes,
                                  .most = length,
                                  .came = came};
    if (exact && came && is_broken_now(self->process))
        return KP_OK;
    if (!has_memory(self, &what))
        return process->host.set_error(KP_EMEMORY,
                                       "no memory for a message to or from processor %d", peer);
    (void)wires_enter(process, true);
    const int code = exact  ? begin_exact(self, &what)
                     : came ? begin_receive(self, &what)
                            : begin_send(self, &what);
    wires_leave(process);
    return code ? wires_mpi_error(process, came ? "MPI_Irecv" : "MPI_Isend", code) : KP_OK;
}

/* --- Going on --- */

static void finish(struct wire *self, struct transfer *transfer)
{
    free(transfer->tail);
    transfer->tail = NULL;
    transfer->stage = DONE;
    self->left--;
}

/* A head or a tail of `length` bytes has come. `whole` is its length if another one follows. */
static void take(struct wire *self, struct transfer *transfer, const char *from, size_t length,
                 size_t whole)
{
    if (from && transfer->most > transfer->done) {
        const size_t left = transfer->most - transfer->done;
        memcpy(transfer->bytes + transfer->done, from, length < left ? length : left);
    }
    transfer->done += length;
    if (length < whole) {
        *transfer->came = transfer->done;
        finish(self, transfer);
    } else {
        transfer->stage = WANTS_TAIL;
        self->tails++;
    }
}

static void describe(kp_error_record *why, int peer, int code)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    (void)PMPI_Error_string(code, text, &length);
    why->processor = peer;
    snprintf(why->sentence, sizeof why->sentence,
             "a message to or from processor %d is lost: %.300s", peer, text);
}

/* The request of a transfer is done, with an error of MPI if `code` is not 0. */
static int go_on(struct wire *self, struct transfer *transfer, const MPI_Status *status, int code,
                 kp_error_record *why)
{
    int came = 0;
    if (code && transfer->stage != CANCELLED) {
        describe(why, transfer->peer, code);
        finish(self, transfer);
        return KP_ELOST;
    }
    if (transfer->stage == SEND || transfer->stage == RECEIVE || transfer->stage == CANCELLED) {
        finish(self, transfer);
        return KP_OK;
    }
    (void)PMPI_Get_count(status, MPI_BYTE, &came);
    if (transfer->stage == HEAD)
        take(self, transfer, transfer->most < KP_WIRE_SHORT ? transfer->head : NULL, (size_t)came,
             KP_WIRE_SHORT);
    else
        take(self, transfer, transfer->tail, (size_t)came, PART_BYTES);
    return KP_OK;
}

/* Begins to receive a tail if it has come. */
static int begin_tail(struct wire *self, int i, kp_error_record *why)
{
    struct transfer *transfer = &self->transfers[i];
    MPI_Message message;
    MPI_Status status;
    int found = 0, length = 0;
    int code = PMPI_Improbe(transfer->rank, transfer->tag + 1, self->process->comm, &found,
                            &message, &status);
    if (!code && !found)
        return KP_OK;
    if (!code)
        code = PMPI_Get_count(&status, MPI_BYTE, &length);
    free(transfer->tail);
    transfer->tail = NULL;
    if (!code && transfer->done + (size_t)length > transfer->most) {
        transfer->tail = malloc((size_t)length + 1);
        if (!transfer->tail) {
            why->processor = self->wire.processor;
            snprintf(why->sentence, sizeof why->sentence,
                     "no memory for %d bytes of a message from processor %d", length,
                     transfer->peer);
            return KP_EMEMORY;
        }
    }
    if (!code)
        code = PMPI_Imrecv(transfer->tail ? transfer->tail : transfer->bytes + transfer->done,
                           length, MPI_BYTE, &message, &self->requests[i]);
    transfer->stage = TAIL;
    self->tails--;
    return code ? go_on(self, transfer, &status, code, why) : KP_OK;
}

/* Tails between two processors with the same tag come in the order of their heads. So a tail is
 * received after those of the messages before it. */
static bool is_next(const struct wire *self, const struct transfer *transfer)
{
    if (transfer->stage != WANTS_TAIL)
        return false;
    for (const struct transfer *before = self->transfers; before < transfer; before++)
        if (before->stage >= HEAD && before->rank == transfer->rank && before->tag == transfer->tag)
            return false;
    return true;
}

/* Begins to receive the tails that have come. */
static int begin_tails(struct wire *self, kp_error_record *why)
{
    int status = KP_OK;
    if (is_broken_now(self->process))
        return KP_OK;
    (void)wires_enter(self->process, true);
    for (int i = 0; i < self->count && self->tails > 0 && !status; i++)
        if (is_next(self, &self->transfers[i]))
            status = begin_tail(self, i, why);
    wires_leave(self->process);
    return status;
}

int wires_remote_test(struct wire *self, bool waits, kp_error_record *why)
{
    int done = 0, status = KP_OK;
    if (self->left == 0 || !wires_enter(self->process, waits))
        return KP_OK;
    const int code =
        PMPI_Testsome(self->count, self->requests, &done, self->indices, self->statuses);
    if (code && code != MPI_ERR_IN_STATUS) {
        describe(why, wires_remote_awaited(self), code);
        status = KP_ELOST;
        done = 0;
    }
    for (int i = 0; i < done && done != MPI_UNDEFINED; i++) {
        const MPI_Status *is = &self->statuses[i];
        const int error = go_on(self, &self->transfers[self->indices[i]], is,
                                code ? is->MPI_ERROR : MPI_SUCCESS, why);
        status = status ? status : error;
    }
    wires_leave(self->process);
    if (self->tails > 0 && !status)
        status = begin_tails(self, why);
    if (self->left == 0)
        self->count = 0;
    return status;
}

int wires_remote_awaited(const struct wire *self)
{
    int awaited = -1;
    for (int i = self->count - 1; i >= 0; i--) {
        const struct transfer *transfer = &self->transfers[i];
        if ((transfer->stage != DONE && transfer->came) || (transfer->stage == SEND && awaited < 0))
            awaited = transfer->peer;
    }
    return awaited;
}

int wires_remote_lost(const struct wire *self)
{
    for (int i = 0; i < self->count; i++) {
        const struct transfer *transfer = &self->transfers[i];
        if (transfer->stage != DONE && wires_has_left(self, transfer->peer))
            return transfer->peer;
    }
    return -1;
}

/* --- Cancelling --- */

void wires_remote_cancel(struct wire *self)
{
    kp_error_record ignored;
    (void)wires_enter(self->process, true);
    for (int i = 0; i < self->count; i++) {
        struct transfer *transfer = &self->transfers[i];
        if (transfer->stage == HEAD || transfer->stage == RECEIVE)
            (void)PMPI_Cancel(&self->requests[i]);
        if (transfer->stage == WANTS_TAIL) {
            self->tails--;
            finish(self, transfer);
        } else if (transfer->stage != DONE && transfer->came) {
            transfer->stage = CANCELLED;
        }
    }
    wires_leave(self->process);
    for (const uint64_t begun = wires_now_us();; wires_sleep_us(50)) {
        (void)wires_remote_test(self, true, &ignored);
        if (self->left == 0 || wires_now_us() - begun >= CANCEL_US)
            return;
    }
}
