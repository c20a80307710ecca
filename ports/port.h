/* This header is the interface of ports/ to the layer above (lib/), which contains the collectives.
 *
 * A member is a processor's part in a group. An episode is one use of the group's barrier. In a
 * round a member either packs a copy of its message into its eager buffer, or it lends its memory
 * (zero copy). A member lends memory by publishing its address, so that the receiver reads it in
 * place.
 *
 * A call is kp_port_open, then for each round {pack messages or lend memory; kp_port_episode; read
 * the other members' messages}, then kp_port_close. Before the first episode, the caller does
 * everything that can fail. If something fails, it calls kp_port_refuse, so that no other member
 * waits for this one in vain.
 *
 * A function with a member as argument is called by this member's own processor. The layer above
 * includes only this header and member.h. */
#ifndef KPORT_PORTS_PORT_H
#define KPORT_PORTS_PORT_H

#include "kport/group.h"
#include "kport/machine.h"
#include "kport/message.h"
#include "ports/error.h"
#include "ports/mix.h"
#include "ports/order.h"
#include "ports/without.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The number of addresses that a member publishes. Three of them are the addresses of the memory
 * that a schedule uses (its spaces). The last one is the address of the data that the member tells
 * the others (kp_port_tell). */
#define KP_PORT_SPACES  4
#define KP_PORT_TELLING (KP_PORT_SPACES - 1)

/* The site of a call, that is, its file and line in the user's program. If they are not known,
 * `file` is NULL. `line` is as kp_here has got it, so it may contain KP_BY_MPI_NAME; kp_site_line
 * returns the line alone. */
struct kp_site {
    const char *file;
    int line;
};

/* In the line of a call's site that its member publishes: it has left the call (member.h). */
#define KP_LEFT_EARLY (1 << 29)

/* Returns the line for error records and diagnoses: -1 if it is not known. */
static inline int kp_site_line(struct kp_site site)
{
    return site.file ? site.line & ~(KP_BY_MPI_NAME | KP_LEFT_EARLY) : -1;
}

/* The fingerprint that a member publishes if it refuses its own call. */
#define KP_REFUSED UINT64_C(0)

/* A call, as far as reports and the comparison of calls need it. Members compare their calls by
 * `fingerprint`, a hash of all arguments that must agree. `describe` writes the call in words, from
 * `subject`. `subject` stays valid until the call is closed. */
struct kp_call {
    uint64_t fingerprint; /* equal for equal calls, never KP_REFUSED; 44 bits are compared */
    void (*describe)(const void *subject, char *text, size_t size);
    const void *subject;
};

/* How to describe a call that may be over. `describe` writes the call in words, from a copy of the
 * call's subject with `bytes` bytes, at most KP_PAST_BYTES. `copy` makes this copy; NULL: it is the
 * subject's own bytes. */
#define KP_PAST_BYTES 184
struct kp_past {
    size_t bytes;
    void (*describe)(const void *subject, char *text, size_t size);
    void (*copy)(const void *subject, void *to);
};

/* Returns `count` zeroed items of `bytes` bytes each, or NULL if there is no memory. The address is
 * a multiple of KP_LINES_APART (sync/parking.h). */
void *kp_lines_zeroed(size_t count, size_t bytes);

/* Returns how many cores this process may use, by its affinity and its container's time quota. */
int kp_cores(void);

/* Returns how many processes mpirun has started, in the first of them; 0 in the others, and without
 * mpirun. */
int kp_port_started_by_mpirun(void);

/* Data that the layer above attaches to a machine or a member, and the function that frees it. */
struct kp_attachment {
    void *data;
    void (*free)(void *data);
};
struct kp_attachment *kp_port_machine_attachment(kp_machine *machine);
struct kp_attachment *kp_port_member_attachment(kp_group *member);
kp_machine *kp_port_machine(const kp_group *member);

/* The kinds of groups, which differ in the length of their eager buffers. A message is packed only
 * if it fits. Packing costs one more copy. Zero copy costs one more episode at the end of the call.
 * Such an episode is cheap for two members with a core each, and expensive for many members. */
enum kp_eager {
    KP_EAGER_OF_TWO,  /* two members with a core each */
    KP_EAGER_OF_MANY, /* more members with a core each */
    KP_EAGER_CROWDED, /* members that share cores */
    KP_EAGERS
};

struct kp_wire;
struct kp_wires;

/* The part of a kp_config that ports/ uses. Fields that also occur in kp_config have the same
 * meaning here. */
struct kp_machine_config {
    int processors, ports;
    size_t stack_bytes;
    int pin;
    const char *cpus;
    kp_wait_policy wait;
    unsigned time_limit_ms;
    size_t eager_bytes;
    size_t eager[KP_EAGERS]; /* by enum kp_eager: the length of eager buffers if eager_bytes is 0 */
    kp_discipline discipline;
    int generations;
    /* As in kp_config, but after the defaults are filled in, 0 means that nothing is buffered. */
    size_t message_eager_bytes, unreceived_bytes;
    int progress, check_buffers;
    kp_carrier carrier;
    int workers;
    uint64_t seed;
    kp_on_failure *on_failure;
    void *on_failure_arg;
    kp_trace *trace;
    /* Writes in words how a member carries out its call, for reports. Writes "" if that is not
     * known. */
    void (*word_way)(const struct kp_call *call, const kp_group *member, char *text, size_t size);
    /* Gives the operation at the beginning of a call's words its name in MPI, if it has another
     * one there. */
    void (*use_mpi_name)(char *text, size_t size);
    struct kp_wire *wire; /* the wire to other machines; NULL: this machine has all processors */
    /* Over a wire: its processor is a fiber of the thread of the process's first machine. */
    bool follows;
    bool once; /* there is only one run, so the machine's threads may end with their programs */
    int most_cores; /* the most cores to which threads are pinned; 0: no limit */
};

/* Makes a machine, and fills in the defaults in `config`. Returns 0 or the error's status. */
int kp_port_machine_create(struct kp_machine_config *config, kp_machine **made);

/* The wires of this process (carrier/wire.h). `open` loads the shared object that was built for the
 * MPI library of this process, and opens the wires with it. It returns 0 or the error's status.
 * `threads` is the number of threads that carry the processors of this process.
 * `agree` compares `what` with what all other processes pass, and tells them whether this one has
 * failed; it returns 0, or an error's status at all processes. `close` closes them. `count` returns
 * how many there are; it stores the number of processors of all processes, and what carries the
 * bytes. */
int kp_port_wires_open(const void *comm, int per_process, int threads, struct kp_wires **wires);
int kp_port_wires_agree(struct kp_wires *wires, int status, uint64_t what);
void kp_port_wires_close(struct kp_wires *wires);
int kp_port_wires_count(const struct kp_wires *wires, int *processors, const char **network);
struct kp_wire *kp_port_wire_at(const struct kp_wires *wires, int i);

/* A process can have several machines behind one public handle, which is the first of them. Adds
 * `next` to the machines behind `first`. `next` may be NULL. */
void kp_port_machine_join(kp_machine *first, kp_machine *next);

/* Writes what carries this process's messages to other processes, and its version. Writes "" if
 * this process has made no machine over processes yet. */
#define KP_NETWORK_BYTES 128
void kp_port_network(char text[KP_NETWORK_BYTES]);

/* Returns how many of n processors over processes share a core, or 1 if each has one. This is known
 * if this process has made such a machine. Otherwise it is taken that all run on this computer. */
double kp_port_crowd(int n);

/* Returns how many processors of the machine run in this process. Stores the number of the first of
 * them in `first`. Stores in `network` the name of what carries messages to other processes, or
 * NULL if there are no other processes. */
int kp_port_machine_here(const kp_machine *machine, int *first, const char **network);

/* Makes `first` the owner of the wires, which it closes at its end. */
void kp_port_machine_own(kp_machine *first, struct kp_wires *wires);

/* Checks a member at the beginning of a call, in the cases that kp_member_enter leaves to this
 * function. Returns 0, or KP_EWRONGTHREAD, KP_EARGUMENT for NULL, KP_EENDED, or KP_EFAILED.
 * KP_EFAILED comes after kp_fail, after a jump out of a call, and in the child of a fork. */
int kp_port_admit(kp_group *member);

/* Sets the error of a call that the member has left early, and returns its status (member.h). */
int kp_port_late(kp_group *member);

/* Returns whether the config asks to look at what requests send (check_buffers). */
bool kp_port_checks_buffers(const kp_group *member);

/* These two functions are for a look at what requests change outside of a call. In between, the
 * machine's progress thread uses no request of the processor. */
void kp_port_take_requests(kp_group *member);
void kp_port_lend_requests(kp_group *member);

/* Facts about a member. The caller is in a call of this member. */
int kp_port_rank(const kp_group *member);
int kp_port_size(const kp_group *member);
int kp_port_ports(const kp_group *member);
int kp_port_processor(const kp_group *member, int rank);
struct kp_site kp_port_site(const kp_group *member); /* the current call's site */

/* Adds ", app.c:31" to a sentence, the place of the call of the member with rank `rank`, which does
 * not go on now. Adds nothing if the place is not known, as of a member in another process. */
void kp_port_say_place(const kp_group *member, int rank, struct kp_words *words);

/* Where a member packs its messages of a round. */
enum kp_buffer_kind {
    KP_BUFFER_BESIDE, /* in the cache line of a barrier's word, in a group of two */
    KP_BUFFER_USUAL,  /* in the eager buffer that every member has */
    KP_BUFFER_LONG,   /* in the group's long buffer, if only one member packs in the round */
    KP_BUFFER_PLACES
};

/* These three functions serve reports and `kport explain`. `kp_port_member_at` returns a member of
 * the group of all processors. `kp_port_sync_name` returns the name of the group's kind of barrier.
 * `kp_port_buffer_kind` returns where the eager buffers of a round lie, if the longest of them has
 * `bytes` bytes. */
kp_group *kp_port_member_at(kp_machine *machine, int rank);
const char *kp_port_sync_name(const kp_group *member);
enum kp_buffer_kind kp_port_buffer_kind(const kp_group *member, size_t bytes);

/* If a public function ends by calling another public function, it first calls this function in
 * place of kp_member_leave. The site of the first call then counts as that of the second call. */
void kp_port_hand_on(kp_group *member);

/* Begins a call. `fingerprint`, `describe` and `subject` are the fields of kp_call. */
void kp_port_open(kp_group *member, uint64_t fingerprint,
                  void (*describe)(const void *subject, char *text, size_t size),
                  const void *subject);

/* If `within` is true, this member's next calls are parts of a larger call that all members have
 * entered. These parts have no time limit, because a member that gave up would return while other
 * members may still read the memory that it has lent. */
void kp_port_within(kp_group *member, bool within);

/* Begins and ends a call that this member refuses, with the error that is set at its processor
 * (kp_port_error). All other members' calls return an error, too. Returns the status of this
 * member's error. */
int kp_port_refuse(kp_group *member, void (*describe)(const void *subject, char *text, size_t size),
                   const void *subject);

/* With its fingerprint a member may bring a difference (kp_member_arrive_adding). The members go on
 * if their fingerprints are equal and all differences add up to 0. If only the sum is wrong, each
 * member calls this function after the episode. It sets the error of the member's processor, and
 * returns its status. Meanwhile the other members wait, so the function may read what they have
 * published. */
typedef int kp_tell_difference(kp_group *member);

/* Arrives at the barrier and waits until all members have arrived. In the first episode of a call,
 * the members compare their fingerprints. Returns 0, or the status of an error that is set at the
 * processor. After an error the call is over, and the caller does not call kp_port_close. `round`
 * is for error sentences. */
int kp_port_episode(kp_group *member, int round);

/* Makes an episode that belongs to no round. A trace shows only its waiting time. */
int kp_port_meet(kp_group *member, int round);

/* The header of the data that a member tells the others. The member tells all others the `bytes`
 * bytes that begin with this header. If `each` is not NULL, it also tells the member with rank i
 * the `each_bytes` bytes at each + i * stride. */
struct kp_telling {
    size_t bytes;
    const char *each;
    size_t stride, each_bytes;
};

/* Makes an episode, after which each member may read what the other members tell. No member changes
 * this data before the next episode. */
int kp_port_tell(kp_group *member, const struct kp_telling *own, int round);

/* Does the first half of kp_port_tell, up to the arrival at the episode. */
void kp_port_tell_begin(kp_group *member, const struct kp_telling *own);

/* Returns what the member with rank `rank` tells all others. */
struct kp_telling *kp_port_told(const kp_group *member, int rank);

/* Returns what the member with rank `rank` tells this member alone. */
const void *kp_port_told_beside(const kp_group *member, int rank);

/* Waits in an episode at which this member has already arrived (kp_member_arrive). */
int kp_port_await(kp_group *member, int round);

/* These two functions announce, before an episode, that memory is lent in this round. At the end of
 * the call, all members then make one more episode, so that no lent memory is read after its owner
 * has returned. `kp_port_lend` is for a member that lends memory while the others may not know
 * this. `kp_port_lend_all` is for rounds in which all members know that memory is lent. In such
 * rounds every member calls `kp_port_lend_all`. */
void kp_port_lend(kp_group *member);
void kp_port_lend_all(kp_group *member);

/* Ends a call. If memory was lent in the last round, all members first make one more episode.
 * Returns 0 or the error's status. */
int kp_port_finish(kp_group *member);

/* Does what kp_port_finish does, and then reports a message of kp_exchange that no receiver took
 * (KP_EUNTAKEN). */
int kp_port_close(kp_group *member);

/* Publishes the address `base` of this member's memory as the space number `space`. Other members
 * may read the memory after the next episode. */
void kp_port_publish(kp_group *member, int space, const void *base);

/* Publishes work that another thread on the same core may do for this member, after an episode of
 * this call (sync/core_sets.h). NULL: none. A member calls this in every call that lends memory. */
void kp_port_publish_work(kp_group *member, const void *work);

/* The length to pass to kp_member_buffer if not all members know the round's longest buffer. */
#define KP_WHOLE_BUFFER SIZE_MAX

/* Returns whether the messages of a round are packed into eager buffers. The longest buffer needs
 * `longest` bytes, and all buffers together `all` bytes. If longest == all, only one member packs.
 * This member may use the long buffer, so the limit is higher. */
bool kp_port_packs(const kp_group *member, size_t longest, size_t all);

/* C2 counts the longest message of each round. If only the senders know the lengths, each member
 * calls this function before the round's episode, to offer the length `bytes` of its longest
 * message. */
void kp_port_offer_longest(kp_group *member, uint64_t bytes);

/* Called after the episode. Stores the longest length that any member offered. Returns false if no
 * member offered a length. */
bool kp_port_longest(const kp_group *member, uint64_t *bytes);

/* This function does the work of the two functions above in one call, for several rounds in
 * succession. A member calls it at the end of each round. Offers `bytes`, unless `bytes` is 0.
 * Returns the longest length that any member offered in the round before. Over a wire it returns
 * `bytes`, because there members do not learn each other's lengths. */
uint64_t kp_port_tell_longest(kp_group *member, uint64_t bytes);

/* Sets the processor's error and returns its status. The error's sentence is about the processor's
 * own call or message. So reports have it as it is, without words before it. `peer` is a rank. A
 * round, port or peer may be -1 (none). */
int kp_port_error(kp_group *member, int status, int round, int port, int peer, const char *format,
                  ...) __attribute__((format(printf, 6, 7)));

/* Does what kp_port_error does, for a sentence about another processor. `processor` is that
 * processor's number in the machine. */
int kp_port_error_about(kp_group *member, int status, int processor, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Begins the sentence of the processor's latest error with the processor and the place of its call.
 * This is for errors that concern one processor alone. Returns the error's status. */
int kp_port_say_caller(kp_group *member);

/* Copies the calling thread's latest error to the processor, and returns the error's status. */
int kp_port_keep_error(kp_group *member);

/* Returns the status of the processor's latest error. */
int kp_port_status(const kp_group *member);

/* --- Messages with tags whose data have a layout (lib/layout/message.c) --- */

/* What is at an address: `count` blocks of a layout, for which the functions of `row` are. `row`
 * NULL: bytes in one piece. */
struct kp_typed {
    const struct kp_typed_row *row;
    const void *layout;
    size_t count;
};

struct kp_typed_row {
    /* Copies `bytes` bytes of data. */
    void (*copy)(const struct kp_typed *to, void *to_data, const struct kp_typed *from,
                 const void *from_data, size_t bytes);
    /* Returns whether `bytes` bytes of data have the same sequence of elements at both ends. One of
     * them has a layout. */
    bool (*agree)(const struct kp_typed *received, const struct kp_typed *sent, size_t bytes);
    /* Stores a number by which the sequence of elements is compared beyond a wire; 0: bytes.
     * Returns false if `bytes` bytes are not whole blocks. */
    bool (*number)(const struct kp_typed *typed, size_t bytes, uint64_t *number);
    void (*describe)(const struct kp_typed *typed, char *text, size_t size);
    /* Adds a holder of the layout, or takes one away. */
    void (*hold)(const struct kp_typed *typed);
    void (*let_go)(const struct kp_typed *typed);
};

/* What is sent, or where a message goes. */
struct kp_typed_data {
    void *data;
    size_t bytes;
    struct kp_typed typed;
};

/* These three functions do what kp_send, kp_receive and kp_exchange_messages do. The caller has
 * entered the member. If `request` is not NULL, the first two start this, and return at once. */
int kp_typed_send(kp_group *member, const struct kp_typed_data *out, int to, int tag,
                  kp_request **request);
int kp_typed_receive(kp_group *member, const struct kp_typed_data *in, int from, int tag,
                     kp_message_status *status, kp_request **request);
int kp_typed_exchange(kp_group *member, const struct kp_typed_data *out, int to, int out_tag,
                      const struct kp_typed_data *in, int from, int in_tag,
                      kp_message_status *status);

/* --- For the command line --- */

/* Returns a text that says how the stacks of fibers are guarded, or NULL if the machine has no
 * fibers. */
const char *kp_machine_guard(const kp_machine *machine);

/* Returns a hash of the order in which fibers took turns in the last run. Returns 0 unless a seed
 * determines this order, on one worker. */
uint64_t kp_machine_trace(const kp_machine *machine);

/* Does what kp_trace_write does, but to a stream, whose state says whether writing succeeded. */
int kp_trace_write_to(kp_trace *trace, FILE *out);

#endif
