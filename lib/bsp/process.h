/* What a process has: its job, its call, its registrations, and what it has for the others. Its own
 * thread or fiber writes it. The others read some of it after a sync; each comment says what. */
#ifndef KPORT_BSP_PROCESS_H
#define KPORT_BSP_PROCESS_H

#define KP_NO_CALL_SITES
#include "kport-bsp/bsp.h"
#include "kport.h"
#include "lib/bsp/area.h"
#include "lib/bsp/job.h"
#include "lib/bsp/queue.h"
#include "lib/bsp/remote/remote.h"
#include "lib/call/face.h"
#include "ports/face.h"

#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KP_BSP_EXPORT __attribute__((visibility("default")))

/* Of a sentence, which may have two of kport's. */
#define KP_BSP_SENTENCE_BYTES (2 * KP_SENTENCE_BYTES)

struct kp_bsp_process;

enum kp_bsp_phase {
    KP_BSP_BEFORE,
    KP_BSP_RUNNING,
    KP_BSP_AFTER
};

/* What a member brings to a sync: KP_BSP_PUTS, puts that were captured, and these bits. They are
 * combined by OR. */
enum kp_bsp_bits {
    KP_BSP_GETS = 2,     /* gets that are still to be done */
    KP_BSP_MESSAGES = 4, /* messages */
    KP_BSP_ALIKE = 8,    /* what all have to do alike: registrations, another length of tags */
    /* Of processes that share no memory (remote.h): */
    KP_BSP_LONG = 16,      /* more for some process than a slot holds */
    KP_BSP_IRREGULAR = 32, /* not about as much for each process */
    /* Of more than two processes that share memory: not steady (struct kp_bsp_line). */
    KP_BSP_UNSTEADY = 16,
    /* In a pair: this process's note names a queue. */
    KP_BSP_LISTED = 16
};

/* In a pair (two threads, or two fibers of different workers) what one has put to the other travels
 * beside the barrier's word: the head of a put, as in a queue, and what its slot has; or the first
 * chunk of a queue, and the end of the last one. So the receiver reads no sheet. A put to the
 * sheet's place goes to the queue if there is one. */
enum {
    KP_BSP_NOTE_HEAD,
    KP_BSP_NOTE_WORD
};

/* What a process has for the others in a superstep. It writes a sheet, and its receivers read this
 * after the barrier. Programs often put a block of one length to the same place in many processes.
 * So the first put of a superstep decides on a place: a registration, an offset and a length. What
 * is put there lies in slots, by receiver. A receiver finds its address itself, so the words for
 * all receivers lie in few cache lines. Whatever else is put stands in a queue of the pair.
 *
 * A slot is a word. Blocks of more than 8 bytes lie in a room, a line for each receiver, and those
 * that are longer than a room lie where the word points to. Words follow the states. What is before
 * the states is written only if it changes, so it may stay in the caches of all. Rooms lie
 * apart, so that the sheets of all senders lie in few pages. Both generations use the same rooms:
 * in an odd superstep the room from one process to another is that which the other one used for it
 * in the even superstep before, and has read. */
struct kp_bsp_sheet {
    const struct kp_bsp_block *row; /* the blocks of the registration, by receiver */
    size_t offset, size;
    char *rooms;
    size_t room_stride;
    uint8_t states[]; /* enum kp_bsp_state, by receiver */
};

#define KP_BSP_ROOM KP_BSP_LINE

#define KP_BSP_ROWS_OF_PART 16
#define KP_BSP_PARTS        (KP_BSP_MOST_AREAS / KP_BSP_ROWS_OF_PART)

/* The processes between bsp_begin and bsp_end. */
struct kp_bsp_team {
    int size;
    struct kp_bsp_process **members;
    /* By generation and sender; where in a line a sheet begins, and where in a sheet the words. */
    char *sheets[2];
    size_t sheet_bytes, sheet_at, words_at;
    /* The last 8 states of a sheet before the first put. Those beyond the last receiver's are
     * KP_BSP_SAME for ever. */
    uint8_t no_states[8];
    char *rooms; /* of both generations */
    size_t room_bytes;
    /* By generation, sender and receiver. */
    struct kp_bsp_put_pair *puts[2];
    struct kp_bsp_message_pair *messages[2];
    void *memory[7]; /* of all these */
    /* By registration, in parts, and by process. Whoever needs a part first makes it. */
    struct kp_bsp_block *_Atomic parts[KP_BSP_PARTS];
};

/* All processes of a job. */
struct kp_bsp_world {
    const struct kp_bsp_job *job;
    int size;
    struct kp_bsp_process *_Atomic *processes; /* by number; NULL: not begun */
    struct kp_bsp_team *team; /* process 0 has made it before it sends its number */
    bool remote;              /* the processes share no memory, and each has a world of its own */
    _Atomic int ending;       /* 1: a process is ending the job */
    void (*spmd)(void);       /* in a process that kport has not started */
};

#define KP_BSP_SHORT 0xffff

/* Messages of one length that follow each other are a run. Its head has the length in its lower 48
 * bits, and above the number of messages less 1. The messages follow: each a tag and a payload,
 * both aligned. */
#define KP_BSP_LENGTH_BITS 48
#define KP_BSP_LONGEST_RUN 0xffff

struct kp_bsp_origin {
    const char *file;
    const char *source; /* of bsp_hpput; NULL: bsp_put */
    int line;
};

/* A get that is done in the sync. */
struct kp_bsp_get {
    int pid;
    const char *from; /* in the memory of this process */
    char *to;
    size_t bytes;
};

/* The messages that a process can take. The first one's tag is at kp_bsp_front.at. What bsp_move
 * has taken of a run of words is not counted yet. */
struct kp_bsp_inbox {
    uint64_t count; /* of messages left */
    size_t tag_size, tag_room;
    uint64_t bytes; /* of their payloads; not beside `count`, as in a line */
    unsigned generation;
    int sender; /* the first message's */
    const struct kp_bsp_chunk *chunk;
    const char *end;    /* the end of the chunk's messages */
    uint64_t run, size; /* how many messages of the run are left (0: none), and their length */
    size_t step;        /* from one of them to the next */
};

/* What members compare in a sync. There are two of them, for even and odd supersteps. */
struct kp_bsp_agreed {
    uint64_t pushes, pops, sequence; /* a hash of all pushes and pops */
    uint64_t tag_sizes;              /* how often the length of tags was set */
    size_t tag_size;
    struct kp_bsp_place tag_place, area_place; /* of the last such calls */
};

/* A superstep is steady if each process has put a block of one length to every process, all to the
 * sheet's place and none in a queue, and if nobody has decided on this place anew. If the blocks
 * from all processes then lie behind each other in the order of the senders, as in a total
 * exchange, this is known in the steady supersteps that follow, too. So the receiver reads nothing
 * but the blocks. After a superstep with puts, each process that does not find itself steady brings
 * KP_BSP_UNSTEADY to the sync. In other supersteps nobody brings this bit, and they are not steady.
 */
struct kp_bsp_line {
    char *to; /* where the first process's block goes */
    size_t size;
    uint64_t superstep; /* the one that followed the last steady one */
};

/* In a pair: the memory that the last note named, which is a block or the last chunk of a queue. In
 * the superstep after it the reader may use it, as in has_read (put.c). */
struct kp_bsp_lent {
    char *block; /* NULL: a chunk */
    size_t size;
    struct kp_bsp_chunk *chunk;
    uint64_t superstep;
};

/* KP_BSP_PUTS, KP_BSP_GETS, KP_BSP_MESSAGES and KP_BSP_ALIKE: what a program asks for. */
#define KP_BSP_ASKED 4

struct kp_bsp_process {
    struct kp_bsp_front front;
    struct kp_bsp_team *team;
    enum kp_bsp_phase phase;
    unsigned bits; /* of this superstep, but for front.same.bits */
    uint64_t superstep;
    /* The superstep before which some member has last written by puts or gets; UINT64_MAX if
     * members share no memory, so that kp_bsp_may_touch looks closer. */
    uint64_t written;
    /* The registration of which the shortest block is known, and the length of that; or NULL. */
    const struct kp_bsp_block *least_row;
    size_t least_size;
    uint64_t placed; /* the superstep in which it has decided on the sheet's place last */
    struct kp_bsp_line line;
    /* Of a pair: the head of a note that puts to the sheet's place; what has come. */
    uint64_t note_head;
    struct kp_face_met met;
    struct kp_bsp_lent lent;
    struct kp_bsp_areas areas;
    struct kp_bsp_out outs[2]; /* by generation */
    struct kp_bsp_get *gets;
    size_t get_count, get_room;
    char *fetched; /* what gets have read */
    size_t fetched_bytes, fetched_room;
    size_t tag_size, next_tag_size;
    struct kp_bsp_inbox inbox;
    struct kp_bsp_agreed agreed[2];
    unsigned before;            /* what all have asked for in the superstep before this one: bits */
    struct kp_bsp_tally *tally; /* what is counted for a report; NULL: nothing */
    struct kp_bsp_remote *remote; /* NULL: the processes share memory */
    bool careful;                 /* there are checks, a tally, or processes without this memory */
    kp_group *group;
    kp_proc *proc;
    int pid, number;
    /* With checks, by bit of `bits`: the first call of this superstep that asked for it. */
    struct kp_bsp_place asked[KP_BSP_ASKED];
    bool initialised; /* bsp_init was called */
    bool checks, traced;
    bool notes; /* the processes are a pair, and nothing is done carefully */
    struct kp_bsp_world *world;
    double begin; /* the clock at bsp_begin, in seconds */
    jmp_buf out;
    /* The superstep before which this member has written all that it got. The others read it at any
     * time (kp_bsp_may_touch). On a line of its own. */
    _Alignas(128) _Atomic uint64_t applied;
};

/* The current call asks for something that a bsp_sync has to do: one of the first bits. */
static inline void kp_bsp_ask(struct kp_bsp_process *self, unsigned bit)
{
    if (__builtin_expect(self->checks, 0) && !(self->bits & bit))
        self->asked[__builtin_ctz(bit)] = self->front.call;
    self->bits |= bit;
}

static inline unsigned kp_bsp_bits(const struct kp_bsp_process *self)
{
    return self->bits | self->front.same.bits;
}

static inline unsigned kp_bsp_generation(const struct kp_bsp_process *self)
{
    return self->superstep & 1;
}

/* --- error.c --- */

/* Begins a function of BSPlib. Returns the calling process, which is between bsp_begin and bsp_end;
 * otherwise ends the job. kp_bsp_enter_any is for functions that may be called at any time, and
 * returns NULL if the calling thread is no process. */
_Noreturn void kp_bsp_refuse(const char *function, const char *file, int line);

static inline struct kp_bsp_process *kp_bsp_enter(const char *function, const char *file, int line)
{
    struct kp_bsp_process *self = kp_face_data();
    if (!self || self->phase != KP_BSP_RUNNING)
        kp_bsp_refuse(function, file, line);
    self->front.call = (struct kp_bsp_place){function, file, line};
    return self;
}

static inline struct kp_bsp_process *kp_bsp_enter_any(const char *function, const char *file,
                                                      int line)
{
    struct kp_bsp_process *self = kp_face_data();
    if (self)
        self->front.call = (struct kp_bsp_place){function, file, line};
    return self;
}

/* Ends the job with a finding about the present call. The sentence gets the process, the function
 * and the place before it. */
_Noreturn void kp_bsp_fail(struct kp_bsp_process *self, const char *kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Does this for a status other than 0 that a function of kport has returned. */
_Noreturn void kp_bsp_fail_by(struct kp_bsp_process *self, int status);

_Noreturn void kp_bsp_no_memory(struct kp_bsp_process *self);

/* Tells a finding after which the job goes on. `place` may be NULL. */
void kp_bsp_tell(struct kp_bsp_process *self, const char *kind, const struct kp_bsp_place *place,
                 const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Ends the job, with a finding if `kind` is not NULL. `self` may be NULL. */
_Noreturn void kp_bsp_end_job(struct kp_bsp_process *self, int exit_status, const char *kind,
                              const struct kp_bsp_place *place, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Writes " at app.c:31", or nothing if the place is not known. */
#define KP_BSP_WHERE_BYTES 200
void kp_bsp_say_place(const struct kp_bsp_place *place, char text[KP_BSP_WHERE_BYTES]);

/* What kport reports at a failure of the machine (kp_config.on_failure). */
void kp_bsp_on_failure(const kp_diagnosis *diagnosis, void *world);

/* Ends the job, unless it ends already, and tells what every process does after `head`. Any thread
 * may call this while the machine is there. */
void kp_bsp_end_late(struct kp_bsp_world *world, kp_machine *machine, const char *head,
                     int exit_status);

/* --- begin.c --- */

/* Makes the state of the processor's process, and frees what it holds. The memory of the process
 * itself stays until the job's end. */
struct kp_bsp_process *kp_bsp_process_make(struct kp_bsp_world *world, kp_proc *proc);
void kp_bsp_process_end(struct kp_bsp_process *self);
void kp_bsp_team_free(struct kp_bsp_team *team);
double kp_bsp_clock(void);

/* Ends the job, as the process's program has ended between bsp_begin and bsp_end. */
_Noreturn void kp_bsp_fail_without_end(struct kp_bsp_process *self);

/* --- job.c --- */

/* Makes a world without processes; returns false if there is no memory. */
bool kp_bsp_world_begin(struct kp_bsp_world *world, const struct kp_bsp_job *job, int size);

/* Frees what the world has, when its processes have ended. */
void kp_bsp_world_end(struct kp_bsp_world *world);

/* --- tally.c: what a report counts --- */

bool kp_bsp_tally_begin(struct kp_bsp_process *self);
void kp_bsp_tally_end(struct kp_bsp_process *self);
/* `size` bytes go from this process to another, or come from there. */
void kp_bsp_tally_add(struct kp_bsp_process *self, int pid, size_t size, bool comes);
/* A superstep ends, or the next one begins. `all`: what the ended one has asked for. */
void kp_bsp_tally_stop(struct kp_bsp_process *self);
void kp_bsp_tally_resume(struct kp_bsp_process *self, unsigned all);

static inline void kp_bsp_count(struct kp_bsp_process *self, int pid, size_t size)
{
    if (__builtin_expect(self->tally != NULL, 0))
        kp_bsp_tally_add(self, pid, size, false);
}

static inline void kp_bsp_count_get(struct kp_bsp_process *self, int pid, size_t size)
{
    if (__builtin_expect(self->tally != NULL, 0))
        kp_bsp_tally_add(self, pid, size, true);
}

/* --- register.c --- */

/* Looks for the blocks of all processes that `block` names in this superstep, and notes them as
 * those that were looked for last. Otherwise ends the job. */
void kp_bsp_row_of(struct kp_bsp_process *self, const void *block);

/* Returns the blocks of all processes of a registration that has been made. */
struct kp_bsp_block *kp_bsp_row_at(struct kp_bsp_process *self, int number);

/* --- put.c --- */

/* The first superstep begins: makes ready what the process writes for the others. */
void kp_bsp_out_begin(struct kp_bsp_process *self);

static inline struct kp_bsp_sheet *kp_bsp_sheet(const struct kp_bsp_team *team, unsigned generation,
                                                int sender)
{
    return (void *)(team->sheets[generation] + (size_t)sender * team->sheet_bytes);
}

static inline uint8_t *kp_bsp_states(const struct kp_bsp_team *team, unsigned generation,
                                     int sender)
{
    return kp_bsp_sheet(team, generation, sender)->states;
}

static inline size_t kp_bsp_pair(const struct kp_bsp_team *team, int sender, int receiver)
{
    return (size_t)sender * (size_t)team->size + (size_t)receiver;
}

_Noreturn void kp_bsp_refuse_pid(struct kp_bsp_process *self, int pid);
_Noreturn void kp_bsp_refuse_range(struct kp_bsp_process *self, int pid, size_t registered,
                                   size_t offset, size_t size);

/* Ends the job unless there is such a process. */
static inline void kp_bsp_check_pid(struct kp_bsp_process *self, int pid)
{
    if ((unsigned)pid >= (unsigned)self->team->size)
        kp_bsp_refuse_pid(self, pid);
}

/* Returns the address in the memory of process `pid` that `offset` and `size` name in the block
 * that was looked for last. Otherwise ends the job. */
static inline char *kp_bsp_remote_of_row(struct kp_bsp_process *self, int pid, size_t offset,
                                         size_t size)
{
    kp_bsp_check_pid(self, pid);
    const struct kp_bsp_block *there = &self->front.last_row[pid];
    if (size > there->size || offset > there->size - size)
        kp_bsp_refuse_range(self, pid, there->size, offset, size);
    return there->base + offset;
}

/* Looks for this block, which calls for process `pid` name. Otherwise ends the job. */
static inline void kp_bsp_find_row(struct kp_bsp_process *self, int pid, const void *block)
{
    kp_bsp_check_pid(self, pid);
    if (block != self->front.last_block)
        kp_bsp_row_of(self, block);
}

static inline char *kp_bsp_remote(struct kp_bsp_process *self, int pid, const void *block,
                                  size_t offset, size_t size)
{
    kp_bsp_find_row(self, pid, block);
    return kp_bsp_remote_of_row(self, pid, offset, size);
}

/* Returns whether the memory of process `pid` may be used at this moment: it has written all that
 * it got in the last sync. */
static inline bool kp_bsp_may_touch(const struct kp_bsp_process *self, int pid)
{
    if (self->written < self->superstep)
        return true;
    if (self->remote)
        return false;
    /* acquire: pairs with the release of kp_bsp_sync, which follows the writing */
    return atomic_load_explicit(&self->team->members[pid]->applied, memory_order_acquire) >=
           self->superstep;
}

/* --- write.c --- */

/* Returns what these bits of the superstep become, as they lose KP_BSP_UNSTEADY if this process is
 * steady. */
unsigned kp_bsp_steady_bits(const struct kp_bsp_process *self, unsigned bits);

/* Writes what the others have put here. `steady`: the superstep is steady. */
void kp_bsp_puts_apply(struct kp_bsp_process *self, unsigned generation, bool steady);

/* In a pair: notes what this process has put to the other one, and returns these bits of the
 * superstep with what the other one has to know. After the barrier, writes what has come. */
unsigned kp_bsp_note_puts(const struct kp_bsp_process *self, unsigned bits,
                          struct kp_face_note *note);
void kp_bsp_puts_apply_noted(struct kp_bsp_process *self, unsigned generation);

/* --- get.c --- */

/* Reads what gets ask for, before anybody writes; writes it. */
void kp_bsp_gets_read(struct kp_bsp_process *self);
void kp_bsp_gets_write(struct kp_bsp_process *self);

/* --- message.c --- */

/* Makes the messages of the superstep that has just ended those that can be taken. */
void kp_bsp_inbox_open(struct kp_bsp_process *self, unsigned generation, bool some);

/* --- check.c --- */

/* Tells which puts to this process differ where they overlap, and which bsp_hpput's source has
 * changed. */
void kp_bsp_check_puts(struct kp_bsp_process *self, unsigned generation);

/* Does the second for the puts of this process to `pid`, which shares no memory with it, before the
 * superstep ends. Notes their files. */
void kp_bsp_check_sent(struct kp_bsp_process *self, int pid);

/* --- sync.c --- */

/* Names how the data of a superstep went, for which all members together have brought these bits.
 */
const char *kp_bsp_way_of(unsigned all);

/* The barriers of bsp_begin and bsp_end. */
void kp_bsp_meet_at_begin(struct kp_bsp_process *self);
void kp_bsp_meet_at_end(struct kp_bsp_process *self);

#endif
