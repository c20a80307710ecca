/* Packets, which a receiver does not expect (carrier/wire.h). Between processes a packet is a
 * message of MPI with a tag of its own. Any thread of a process receives the packets of all its
 * processors, one thread at a time, and puts them where their processors find them. So packets of
 * one processor to another keep their order. */
#include "ports/carrier/mpi/wires.h"

#include <stdlib.h>
#include <string.h>

/* The memory of shorter packets is used again. */
#define USUAL_ROOM ((size_t)4608)

/* So many looks in vain, and a look at what other processes have said. */
#define LOOKS_BESIDE 64

/* --- Memory --- */

static struct packet *take_spare(struct packets *packets)
{
    pthread_mutex_lock(&packets->spare_lock);
    struct packet *packet = packets->spare;
    if (packet)
        packets->spare = packet->next;
    pthread_mutex_unlock(&packets->spare_lock);
    return packet;
}

static struct packet *make(struct packets *packets, size_t bytes)
{
    struct packet *packet = bytes <= USUAL_ROOM ? take_spare(packets) : NULL;
    const size_t room = bytes <= USUAL_ROOM ? USUAL_ROOM : bytes;
    if (!packet && !(packet = malloc(sizeof *packet + room)))
        return NULL;
    packet->next = NULL;
    packet->request = MPI_REQUEST_NULL;
    packet->bytes = bytes;
    return packet;
}

static void give_back(struct packets *packets, struct packet *packet)
{
    if (packet->bytes > USUAL_ROOM) {
        free(packet);
        return;
    }
    pthread_mutex_lock(&packets->spare_lock);
    packet->next = packets->spare;
    packets->spare = packet;
    pthread_mutex_unlock(&packets->spare_lock);
}

static void free_list(struct packet *packet)
{
    for (struct packet *next; packet; packet = next) {
        next = packet->next;
        free(packet);
    }
}

void wires_packets_free(struct process *process)
{
    for (int i = 0; i < process->wires.count && process->own; i++) {
        free_list(process->own[i].come);
        free_list(process->own[i].taken);
        free_list(process->own[i].posted);
    }
    free_list(process->packets.spare);
}

/* --- Receiving --- */

static void put(struct wire *to, struct packet *packet)
{
    packet->next = NULL;
    pthread_mutex_lock(&to->lock);
    *(to->come ? &to->last_come->next : &to->come) = packet;
    to->last_come = packet;
    atomic_store_explicit(&to->has_come, true, KP_ORDER_UNLOCKED);
    pthread_mutex_unlock(&to->lock);
}

/* Receives a packet, under the lock of the process's packets. Returns NULL if none has come, or if
 * there is no memory for it yet. */
static struct packet *receive(struct process *process)
{
    struct packets *packets = &process->packets;
    struct packet *packet = NULL;
    MPI_Status status;
    int found = packets->message != MPI_MESSAGE_NULL, length = 0;
    if (!wires_enter(process, false))
        return NULL;
    if (found || (!PMPI_Improbe(MPI_ANY_SOURCE, process->packet_tag, process->comm, &found,
                                &packets->message, &status) &&
                  found && !PMPI_Get_count(&status, MPI_BYTE, &length))) {
        packets->length = length > 0 ? length : packets->length;
        packet = make(packets, (size_t)packets->length - sizeof packet->from_to);
        if (packet)
            (void)PMPI_Mrecv(packet->from_to, packets->length, MPI_BYTE, &packets->message,
                             MPI_STATUS_IGNORE);
    }
    wires_leave(process);
    return packet;
}

void wires_packets_receive(struct process *process)
{
    struct packets *packets = &process->packets;
    struct packet *packet;
    if (process->size == 1 || pthread_mutex_trylock(&packets->lock) != 0)
        return;
    while ((packet = receive(process))) {
        packets->in[packet->from_to[0]]++;
        put(&process->own[packet->from_to[1] % process->per_process], packet);
    }
    pthread_mutex_unlock(&packets->lock);
}

static struct packet *next_come(struct wire *self)
{
    if (!atomic_load_explicit(&self->has_come, KP_ORDER_UNLOCKED))
        return NULL;
    pthread_mutex_lock(&self->lock);
    struct packet *packet = self->come;
    self->come = packet->next;
    atomic_store_explicit(&self->has_come, self->come != NULL, KP_ORDER_UNLOCKED);
    pthread_mutex_unlock(&self->lock);
    packet->next = NULL;
    return packet;
}

int wires_take(struct kp_wire *wire, struct kp_wire_packet *packet, kp_error_record *why)
{
    struct wire *self = (struct wire *)wire;
    struct process *process = self->process;
    *packet = (struct kp_wire_packet){.head = NULL};
    if (self->taken)
        give_back(&process->packets, self->taken);
    self->taken = next_come(self);
    if (!self->taken) {
        wires_packets_receive(process);
        self->taken = next_come(self);
    }
    if (self->taken) {
        packet->head = self->taken->memory;
        packet->head_bytes = self->taken->bytes;
    } else if (++self->looks_in_vain % LOOKS_BESIDE == 0) {
        wires_look_for_farewell(process);
    }
    return wires_is_broken(process) ? wires_why_broken(process, why) : KP_OK;
}

bool wires_is_gone(struct kp_wire *wire, int processor)
{
    struct wire *self = (struct wire *)wire;
    struct process *process = self->process;
    if (!wires_has_left(self, processor))
        return false;
    wires_packets_receive(process);
    return !wires_is_broken(process) && wires_packets_are_in(process, processor);
}

bool wires_packets_are_in(struct process *process, int processor)
{
    struct packets *packets = &process->packets;
    pthread_mutex_lock(&packets->lock);
    pthread_mutex_lock(&process->lock);
    const bool in =
        wires_is_local(process, processor) || packets->in[processor] >= packets->due[processor];
    pthread_mutex_unlock(&process->lock);
    pthread_mutex_unlock(&packets->lock);
    return in;
}

/* --- Posting --- */

/* Takes back the memory of the packets that are sent. Returns whether all are. */
static bool reap(struct wire *self)
{
    int done = 1;
    while (self->posted && done) {
        struct packet *first = self->posted;
        done = 0;
        if (!PMPI_Test(&first->request, &done, MPI_STATUS_IGNORE) && done) {
            self->posted = first->next;
            give_back(&self->process->packets, first);
        }
    }
    return !self->posted;
}

bool wires_packets_sent(struct wire *self)
{
    (void)wires_enter(self->process, true);
    const bool sent = reap(self);
    wires_leave(self->process);
    return sent;
}

static int send(struct wire *self, struct packet *packet, int rank)
{
    struct process *process = self->process;
    (void)wires_enter(process, true);
    (void)reap(self);
    const int code =
        PMPI_Isend(packet->from_to, (int)(packet->bytes + sizeof packet->from_to), MPI_BYTE, rank,
                   process->packet_tag, process->comm, &packet->request);
    if (code == MPI_SUCCESS) {
        *(self->posted ? &self->last_posted->next : &self->posted) = packet;
        self->last_posted = packet;
        self->packets_out[rank]++;
    }
    wires_leave(process);
    if (code == MPI_SUCCESS)
        return KP_OK;
    give_back(&process->packets, packet);
    return wires_mpi_error(process, "MPI_Isend", code);
}

int wires_post(struct kp_wire *wire, int to, const struct kp_wire_packet *asked)
{
    struct wire *self = (struct wire *)wire;
    struct process *process = self->process;
    struct packet *packet = make(&process->packets, asked->head_bytes + asked->body_bytes);
    if (!packet)
        return process->host.set_error(KP_EMEMORY, "no memory for a message to processor %d", to);
    memcpy(packet->memory, asked->head, asked->head_bytes);
    if (asked->body_bytes > 0)
        memcpy(packet->memory + asked->head_bytes, asked->body, asked->body_bytes);
    packet->from_to[0] = self->wire.processor;
    packet->from_to[1] = to;
    if (!wires_is_local(process, to))
        return send(self, packet, to / process->per_process);
    put(&process->own[to % process->per_process], packet);
    return KP_OK;
}
