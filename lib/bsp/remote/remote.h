/* Processes that share no memory: processors of a machine over a wire, as the processes of an MPI
 * are. Each of them has tables of its own (struct kp_bsp_team), in which only its own row is
 * written in a superstep. The sync moves what the row holds for the others. Then each process
 * writes what has come into its own column, as if the others had written it there. So whatever
 * reads the tables does not know how the data has come.
 *
 * A superstep with data begins with one kp_index. The block from each process to each other one is
 * a slot. It holds the lengths of what the one has for the other, and the first bytes of it. If
 * nobody has more than a slot holds, which the bits of the barrier say, this is all. Otherwise all
 * lengths are known now, and the rest moves by one of three ways. Another bit says whether the
 * pattern is irregular, and chooses the way. Gets are requests that travel like puts. The answers
 * follow, by the same way; their lengths are known. */
#ifndef KPORT_BSP_REMOTE_H
#define KPORT_BSP_REMOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kp_bsp_process;
struct kp_bsp_agreed;

/* What a process has for another one. The bytes of messages come first, then those of puts, then
 * the requests of gets; with the job's checks the files of the calls of the puts follow. */
struct kp_bsp_lengths {
    uint64_t message_bytes, put_bytes, get_bytes, file_bytes; /* in the stream */
    uint64_t messages, payload; /* of the messages: their number, their bytes */
};

#define KP_BSP_SLOT 128

struct kp_bsp_slot {
    struct kp_bsp_lengths lengths;
    char first[KP_BSP_SLOT - sizeof(struct kp_bsp_lengths)];
};

/* The streams for all processes, or from all processes, in one piece of memory. By process: where
 * a stream begins in it; what of the stream no slot has carried, and how long that is. */
struct kp_bsp_streams {
    char *memory;
    size_t room;
    size_t *at, *rest, *rest_bytes;
};

/* A way to move the rests of all streams. All processes call it. Returns 0 or a status. */
struct kp_bsp_way {
    const char *name;
    int (*move)(struct kp_bsp_process *self, const struct kp_bsp_streams *out,
                const struct kp_bsp_streams *in);
};

/* The way of a pattern in which every process has about as much for every other one; that of any
 * other pattern; and a third one, which only the user chooses. */
extern const struct kp_bsp_way kp_bsp_way_regular, kp_bsp_way_irregular, kp_bsp_way_route;

struct kp_bsp_remote {
    struct kp_bsp_slot *out_slots, *in_slots;
    struct kp_bsp_streams out, in[2]; /* `in` by generation, as messages stay there */
    struct kp_bsp_streams answers_out, answers_in;
    const struct kp_bsp_way *way; /* what KPORT_BSP_WAY names; NULL: the pattern decides */
    int *pushed, pushed_count, pushed_room; /* the registrations of this superstep */
    const char **files; /* in which this process has called bsp_put or bsp_hpput, with checks */
    int file_count, file_room;
    struct kp_bsp_agreed *agreed; /* what the others have sent to be compared */
    void *agreed_memory;
};

/* Makes self->remote; returns false if there is no memory. kp_bsp_remote_end frees it. */
bool kp_bsp_remote_begin(struct kp_bsp_process *self);
void kp_bsp_remote_end(struct kp_bsp_process *self);

/* Counts what this process has for the others, before the barrier that ends the superstep. Returns
 * bits of enum kp_bsp_bits for the barrier. */
unsigned kp_bsp_remote_bits(struct kp_bsp_process *self);

/* After the barrier: moves what all processes have for each other. The gets' `from` then are in
 * this process's memory. `all`: the bits of all processes. */
void kp_bsp_remote_exchange(struct kp_bsp_process *self, unsigned generation, unsigned all);

/* With the job's checks: notes a file in which this process has called bsp_put or bsp_hpput. */
void kp_bsp_remote_note_file(struct kp_bsp_process *self, const char *file);

/* Returns the name of the file that `file` points to in the memory of process `pid`, which has put
 * something here in this superstep; NULL if it is not known. */
const char *kp_bsp_remote_file(const struct kp_bsp_process *self, unsigned generation, int pid,
                               const char *file);

/* Brings what the others have to compare (sync.c) to `agreed`. */
void kp_bsp_remote_agreed(struct kp_bsp_process *self, unsigned generation);

/* Copies the name of a file or function, or its end if there is no room; `to` is all 0. */
void kp_bsp_copy_end(char *to, size_t room, const char *from);

/* Notes a registration of this superstep. Tells the others of all of them in the sync. */
void kp_bsp_remote_pushed(struct kp_bsp_process *self, int number);
void kp_bsp_remote_blocks(struct kp_bsp_process *self);

#endif
