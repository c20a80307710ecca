#include "ports/carrier/mpi/wires.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The longest time for which a failure waits for receives that MPI cannot cancel any more. */
#define CANCEL_US 1000000

/* --- Memory --- */

/* A count of MPI is an int. So a longer message is one element of a type made of BIG bytes each,
 * and of the rest. */
#define BIG ((size_t)1 << 30)

struct shape {
    MPI_Datatype type;
    int count;
};

static int shape_of(size_t length, struct shape *shape)
{
    *shape = (struct shape){MPI_BYTE, (int)length};
    if (length <= INT_MAX)
        return MPI_SUCCESS;
    const int blocks[2] = {(int)(length / BIG), (int)(length % BIG)};
    const MPI_Aint places[2] = {0, (MPI_Aint)(length - length % BIG)};
    MPI_Datatype big;
    shape->count = 1;
    int code = PMPI_Type_contiguous((int)BIG, MPI_BYTE, &big);
    if (!code) {
        code = PMPI_Type_create_struct(2, blocks, places, (MPI_Datatype[]){big, MPI_BYTE},
                                       &shape->type);
        (void)PMPI_Type_free(&big);
    }
    return code ? code : PMPI_Type_commit(&shape->type);
}

/* MPI keeps the type until the message is done. */
static void shape_free(struct shape *shape)
{
    if (shape->type != MPI_BYTE)
        (void)PMPI_Type_free(&shape->type);
}

/* Makes room for the two parts of a message. */
static bool has_room(struct wire *self)
{
    if (self->count + 2 <= self->room)
        return true;
    const size_t room = 2 * (size_t)self->room + 8;
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
static struct transfer *add(struct wire *self, struct transfer what)
{
    struct transfer *added = &self->transfers[self->count++];
    what.head = added->head;
    *added = what;
    self->left++;
    return added;
}

/* --- Beginning --- */

/* Of a tag of MPI the lowest bit says that the message is a tail. The indices of both processors
 * come next. */
static int tag_of(const struct process *process, uint64_t tag, int from, int to)
{
    const int t = process->per_process;
    return (((int)tag * t + from % t) * t + to % t) * 2;
}

/* Begins to send or to receive a message whose length both sides know. Returns a code of MPI. */
static int begin_exact(struct wire *self, const struct transfer *what, size_t length)
{
    const MPI_Comm comm = self->process->comm;
    MPI_Request *request = &self->requests[self->count];
    struct shape shape;
    int code = shape_of(length, &shape);
    if (code)
        return code;
    if (what->came)
        code =
            PMPI_Irecv(what->bytes, shape.count, shape.type, what->rank, what->tag, comm, request);
    else
        code =
            PMPI_Isend(what->bytes, shape.count, shape.type, what->rank, what->tag, comm, request);
    shape_free(&shape);
    if (!code)
        (void)add(self, *what);
    return code;
}

/* Returns a code of MPI. */
static int begin_send(struct wire *self, const struct transfer *what, size_t length)
{
    const MPI_Comm comm = self->process->comm;
    const size_t head = length < SHORT_BYTES ? length : SHORT_BYTES;
    struct shape tail;
    int code = PMPI_Isend(what->bytes, (int)head, MPI_BYTE, what->rank, what->tag, comm,
                          &self->requests[self->count]);
    if (code)
        return code;
    (void)add(self, *what);
    if (length < SHORT_BYTES)
        return MPI_SUCCESS;
    code = shape_of(length - head, &tail);
    if (code)
        return code;
    code = PMPI_Isend(what->bytes + head, tail.count, tail.type, what->rank, what->tag + 1, comm,
                      &self->requests[self->count]);
    shape_free(&tail);
    if (!code)
        (void)add(self, *what);
    return code;
}

int wires_remote_begin(struct wire *self, int peer, uint64_t tag, const void *bytes, size_t length,
                       size_t *came, bool exact)
{
    const struct process *process = self->process;
    const int own = self->wire.processor;
    const struct transfer what = {.stage = !came   ? SEND
                                           : exact ? TAIL
                                                   : HEAD,
                                  .peer = peer,
                                  .rank = peer / process->per_process,
                                  .tag = tag_of(process, tag, came ? peer : own, came ? own : peer),
                                  .bytes = (char *)bytes,
                                  .most = length,
                                  .came = came,
                                  .exact = exact};
    bool has_memory = has_room(self);
    if (has_memory && came && !exact && length < SHORT_BYTES &&
        !self->transfers[self->count].head) {
        self->transfers[self->count].head = malloc(SHORT_BYTES);
        has_memory = self->transfers[self->count].head != NULL;
    }
    if (!has_memory)
        return process->host.set_error(KP_EMEMORY,
                                       "no memory for a message to or from processor %d", peer);
    (void)wires_enter(process, true);
    int code;
    if (exact) {
        code = begin_exact(self, &what, length);
    } else if (came) {
        code = PMPI_Irecv(length < SHORT_BYTES ? self->transfers[self->count].head : what.bytes,
                          SHORT_BYTES, MPI_BYTE, what.rank, what.tag, process->comm,
                          &self->requests[self->count]);
        if (!code)
            (void)add(self, what);
    } else {
        code = begin_send(self, &what, length);
    }
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

/* A head has come. If it is full, a tail comes after it. */
static void take_head(struct wire *self, struct transfer *transfer, size_t came)
{
    if (transfer->most < SHORT_BYTES && came > 0)
        memcpy(transfer->bytes, transfer->head, came < transfer->most ? came : transfer->most);
    *transfer->came = came;
    if (came < SHORT_BYTES) {
        finish(self, transfer);
    } else {
        transfer->stage = WANTS_TAIL;
        self->tails++;
    }
}

static void take_tail(struct wire *self, struct transfer *transfer, size_t came)
{
    if (transfer->tail && transfer->most > SHORT_BYTES)
        memcpy(transfer->bytes + SHORT_BYTES, transfer->tail, transfer->most - SHORT_BYTES);
    *transfer->came = transfer->exact ? came : SHORT_BYTES + came;
    finish(self, transfer);
}

/* The request of a transfer is done, with an error of MPI if `code` is not 0. */
static int go_on(struct wire *self, struct transfer *transfer, const MPI_Status *status, int code,
                 kp_error_record *why)
{
    MPI_Count came = 0;
    if (code && transfer->stage != CANCELLED) {
        char text[MPI_MAX_ERROR_STRING] = "";
        int length;
        (void)PMPI_Error_string(code, text, &length);
        why->processor = transfer->peer;
        snprintf(why->sentence, sizeof why->sentence, "a message %s processor %d is lost: %.300s",
                 transfer->came ? "from" : "to", transfer->peer, text);
        finish(self, transfer);
        return KP_ELOST;
    }
    if (transfer->stage == SEND || transfer->stage == CANCELLED) {
        finish(self, transfer);
        return KP_OK;
    }
    (void)PMPI_Get_elements_x(status, MPI_BYTE, &came);
    if (transfer->stage == HEAD)
        take_head(self, transfer, (size_t)came);
    else
        take_tail(self, transfer, (size_t)came);
    return KP_OK;
}

/* Begins to receive a tail if it has come. */
static int begin_tail(struct wire *self, int i, kp_error_record *why)
{
    struct transfer *transfer = &self->transfers[i];
    MPI_Message message;
    MPI_Status status;
    MPI_Count length = 0;
    struct shape shape;
    int found = 0;
    int code = PMPI_Improbe(transfer->rank, transfer->tag + 1, self->process->comm, &found,
                            &message, &status);
    if (!code && !found)
        return KP_OK;
    if (!code)
        code = PMPI_Get_elements_x(&status, MPI_BYTE, &length);
    char *to = transfer->bytes + SHORT_BYTES;
    if (!code && SHORT_BYTES + (size_t)length > transfer->most) {
        to = transfer->tail = malloc((size_t)length + 1);
        if (!to) {
            why->processor = self->wire.processor;
            snprintf(why->sentence, sizeof why->sentence,
                     "no memory for a message of %zu bytes from processor %d",
                     SHORT_BYTES + (size_t)length, transfer->peer);
            return KP_EMEMORY;
        }
    }
    if (!code)
        code = shape_of((size_t)length, &shape);
    if (!code) {
        code = PMPI_Imrecv(to, shape.count, shape.type, &message, &self->requests[i]);
        shape_free(&shape);
    }
    transfer->stage = TAIL;
    self->tails--;
    return code ? go_on(self, transfer, &status, code, why) : KP_OK;
}

/* Tails between two processors with the same tag come in the order of their heads. So a tail is
 * received after those of the heads before it. */
static bool is_next(const struct wire *self, int i)
{
    const struct transfer *transfer = &self->transfers[i];
    for (const struct transfer *before = self->transfers; before < transfer; before++)
        if ((before->stage == HEAD || before->stage == WANTS_TAIL) &&
            before->rank == transfer->rank && before->tag == transfer->tag)
            return false;
    return true;
}

int wires_remote_test(struct wire *self, bool waits, kp_error_record *why)
{
    int done = 0, status = KP_OK;
    if (self->left == 0 || !wires_enter(self->process, waits))
        return KP_OK;
    const int code =
        PMPI_Testsome(self->count, self->requests, &done, self->indices, self->statuses);
    if (code && code != MPI_ERR_IN_STATUS) {
        status = wires_mpi_error(self->process, "MPI_Testsome", code);
        done = 0;
    }
    for (int i = 0; i < done && done != MPI_UNDEFINED; i++) {
        const MPI_Status *is = &self->statuses[i];
        const int error = go_on(self, &self->transfers[self->indices[i]], is,
                                code ? is->MPI_ERROR : MPI_SUCCESS, why);
        status = status ? status : error;
    }
    for (int i = 0; i < self->count && self->tails > 0 && !status; i++)
        if (self->transfers[i].stage == WANTS_TAIL && is_next(self, i))
            status = begin_tail(self, i, why);
    wires_leave(self->process);
    if (self->left == 0)
        self->count = 0;
    return status;
}

int wires_remote_awaited(const struct wire *self)
{
    int awaited = -1;
    for (int i = self->count - 1; i >= 0; i--) {
        const struct transfer *transfer = &self->transfers[i];
        if (transfer->stage == HEAD || transfer->stage == WANTS_TAIL || transfer->stage == TAIL ||
            (transfer->stage == SEND && awaited < 0))
            awaited = transfer->peer;
    }
    return awaited;
}

/* --- Cancelling --- */

void wires_remote_cancel(struct wire *self)
{
    kp_error_record ignored;
    (void)wires_enter(self->process, true);
    for (int i = 0; i < self->count; i++) {
        struct transfer *transfer = &self->transfers[i];
        if (transfer->stage == HEAD || (transfer->stage == TAIL && transfer->exact)) {
            transfer->stage = CANCELLED;
            (void)PMPI_Cancel(&self->requests[i]);
        } else if (transfer->stage == WANTS_TAIL) {
            self->tails--;
            finish(self, transfer);
        }
    }
    wires_leave(self->process);
    for (const uint64_t begun = wires_now_us(); wires_now_us() - begun < CANCEL_US;) {
        bool receives = false;
        (void)wires_remote_test(self, true, &ignored);
        for (int i = 0; i < self->count; i++)
            receives = receives || self->transfers[i].stage == CANCELLED ||
                       self->transfers[i].stage == TAIL;
        if (!receives)
            return;
        wires_sleep_us(50);
    }
    /* The caller may use its memory for something else now. */
    for (int i = 0; i < self->count; i++)
        if (self->transfers[i].stage == TAIL)
            self->transfers[i].stage = CANCELLED;
}
