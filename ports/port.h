/* The interface of ports/ to the layer above: members, episodes, buffers, zero copy. (A member
 * lends memory for zero copy if it publishes the address instead of packing a copy.)
 *
 * A call is kp_port_open, then for each round {fill the buffer or lend memory; kp_port_episode;
 * read the messages}, then kp_port_close. Everything in the caller that can fail happens before the
 * first episode. If it fails, the caller uses kp_port_refuse, so that no member waits for it in
 * vain.
 *
 * A function with a member as argument is called by that member's own processor. The layer above
 * includes only this header and member.h. */
#ifndef KPORT_PORTS_PORT_H
#define KPORT_PORTS_PORT_H

#include "kport/group.h"
#include "kport/machine.h"
#include "ports/error.h"
#include "ports/mix.h"
#include "ports/order.h"
#include "ports/without.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The addresses that a member publishes: its three spaces, and what it tells the others
 * (kp_port_tell).
 */
#define KP_PORT_SPACES 4

/* The place of a call in the user's program; file NULL: not known. */
struct kp_site {
    const char *file;
    int line;
};

/* The fingerprint of a call that its member refuses. */
#define KP_REFUSED UINT64_C(0)

/* What reports and the comparison of calls need of a call. `subject` stays valid until the call is
 * closed. */
struct kp_call {
    uint64_t fingerprint; /* equal for equal calls, never KP_REFUSED; 44 bits count */
    void (*describe)(const void *subject, char *text, size_t size);
    const void *subject;
};

/* How to describe a call that may be over: from a copy of its subject, of at most 128 bytes. */
struct kp_past {
    size_t bytes;
    void (*describe)(const void *subject, char *text, size_t size);
};

/* Returns `count` zeroed items of `bytes` bytes each; the first lies at a multiple of
 * KP_LINES_APART (parking.h). NULL if there is no memory. */
void *kp_lines_zeroed(size_t count, size_t bytes);

/* Returns how many cores this process may use by its affinity and the container's quota of time. */
int kp_cores(void);

/* Data that the layer above attaches to a machine or a member, and the function that frees it. */
struct kp_attachment {
    void *data;
    void (*free)(void *data);
};
struct kp_attachment *kp_port_machine_attachment(kp_machine *machine);
struct kp_attachment *kp_port_member_attachment(kp_group *member);
kp_machine *kp_port_machine(const kp_group *member);

/* The kinds of groups with different default lengths of eager buffers. Packing costs one copy more;
 * zero copy costs one episode more at the end of the call, which is cheap for two members with a
 * core each and dear for many. */
enum kp_eager {
    KP_EAGER_OF_TWO,  /* two members with a core each */
    KP_EAGER_OF_MANY, /* more members with a core each */
    KP_EAGER_CROWDED, /* members that share cores */
    KP_EAGERS
};

/* The part of a kp_config that ports/ uses; fields mean what kp_config's fields of that name mean.
 */
struct kp_machine_config {
    int processors, ports;
    size_t stack_bytes;
    int pin;
    kp_wait_policy wait;
    unsigned time_limit_ms;
    size_t eager_bytes;
    size_t eager[KP_EAGERS]; /* by enum kp_eager: the length if eager_bytes is 0 */
    kp_discipline discipline;
    int generations;
    kp_carrier carrier;
    int workers;
    uint64_t seed;
    kp_on_failure *on_failure;
    void *on_failure_arg;
    kp_trace *trace;
    /* Writes in words how a member carries out its call; "" if that is not known. */
    void (*word_way)(const struct kp_call *call, const kp_group *member, char *text, size_t size);
    struct kp_wire *wire; /* the wire to the other processors; NULL: the machine carries all */
    bool once;            /* there is only one run, so threads end with their programs */
    int most_cores;       /* the most cores on which threads are kept; 0: no limit */
};

/* Makes a machine and fills in the defaults in `config`. Returns 0, or a status with its sentence.
 */
int kp_port_machine_create(struct kp_machine_config *config, kp_machine **made);

/* Handles the unusual cases of kp_member_enter. Returns 0, or KP_EWRONGTHREAD, KP_EARGUMENT for
 * NULL, KP_EENDED, or KP_EFAILED (after kp_fail, after a jump, or in the child of a fork). */
int kp_port_admit(kp_group *member);

/* Facts about a member whose call has entered. */
int kp_port_rank(const kp_group *member);
int kp_port_size(const kp_group *member);
int kp_port_ports(const kp_group *member);
int kp_port_processor(const kp_group *member, int rank);
struct kp_site kp_port_site(const kp_group *member); /* the current call's site */

/* For observers: `kp_port_member_at` returns a member of the world; `kp_port_sync_name` the name of
 * the kind of its group's episodes; `kp_port_buffer_place` where the bytes of a packed round lie
 * whose longest buffer has `bytes` bytes. */
enum kp_buffer_place {
    KP_BUFFER_BESIDE, /* beside the words of a pair */
    KP_BUFFER_USUAL,
    KP_BUFFER_LONG,
    KP_BUFFER_PLACES
};
kp_group *kp_port_member_at(kp_machine *machine, int rank);
const char *kp_port_sync_name(const kp_group *member);
enum kp_buffer_place kp_port_buffer_place(const kp_group *member, size_t bytes);

/* Ends a call that is part of another call, instead of kp_member_leave. The other call keeps its
 * site. */
void kp_port_hand_on(kp_group *member);

/* Begins a call. `describe` and `subject` are those of kp_call. */
void kp_port_open(kp_group *member, uint64_t fingerprint,
                  void (*describe)(const void *subject, char *text, size_t size),
                  const void *subject);

/* `within` true: this member's next calls are parts of a call in which all members already are.
 * They have no time limit, because other members may still read the memory that this one has lent.
 */
void kp_port_within(kp_group *member, bool within);

/* Begins and ends a call that this member refuses with the error set at its processor
 * (kp_port_error). Every member returns an error. Returns the status of that error. */
int kp_port_refuse(kp_group *member, void (*describe)(const void *subject, char *text, size_t size),
                   const void *subject);

/* Makes an episode of the barrier. Returns 0, or the status of an error set at the processor; after
 * an error the call is over and the caller must not call kp_port_close. The first episode of a call
 * compares the members' fingerprints. `round` appears in sentences. */
int kp_port_episode(kp_group *member, int round);

/* Does kp_port_episode for an episode that is no round; a trace shows only its waiting time. */
int kp_port_meet(kp_group *member, int round);

/* The header of what a member tells the others. `bytes` is the length with this header. If `each`
 * is not NULL, the member also tells member i the `each_bytes` bytes at each + i * stride. */
struct kp_telling {
    size_t bytes;
    const char *each;
    size_t stride, each_bytes;
};

/* `kp_port_tell` does kp_port_meet; then each member may read what the others tell. `kp_port_told`
 * returns what `rank` tells all (or a copy), `kp_port_told_beside` what it tells this member alone.
 * No member changes this data before the next episode. */
int kp_port_tell(kp_group *member, const struct kp_telling *own, int round);
struct kp_telling *kp_port_told(const kp_group *member, int rank);
const void *kp_port_told_beside(const kp_group *member, int rank);

/* The second half of an episode; kp_member_arrive is the first. */
int kp_port_await(kp_group *member, int round);

/* Announce, before an episode, that memory is lent for that round, so that an episode follows
 * at the end. `kp_port_lend` is for a member that lends memory without the others'
 * knowledge. `kp_port_lend_all` is for rounds in which all know that memory is lent; all call it.
 */
void kp_port_lend(kp_group *member);
void kp_port_lend_all(kp_group *member);

/* Ends a call. If any member lent memory in the last round, all members make one more episode,
 * so that no memory is read after its owner's call has returned. Returns 0 or a status. */
int kp_port_finish(kp_group *member);

/* Does kp_port_finish, then reports a message of an earlier exchange that nobody took
 * (KP_EUNTAKEN). */
int kp_port_close(kp_group *member);

/* Publishes the address of this member's memory; others may read it after the next episode. */
void kp_port_publish(kp_group *member, int space, const void *base);

/* Publishes the work that another thread of its core set (sync/core_sets.h) does for this member
 * after an episode of this call; NULL: none. Call it in every call that lends memory. */
void kp_port_publish_work(kp_group *member, const void *work);

/* The length for kp_member_buffer if not all members know the longest buffer of the round. */
#define KP_WHOLE_BUFFER SIZE_MAX

/* Returns whether a round is packed whose longest buffer has `longest` bytes and whose buffers have
 * `all` bytes in all. If one member alone packs (longest == all), the limit is higher. */
bool kp_port_packs(const kp_group *member, size_t longest, size_t all);

/* For rounds in which only senders know lengths. Before an episode `kp_port_offer_longest` offers
 * the length of this member's longest message. After the episode `kp_port_longest` stores the
 * longest of all members, and returns false if no member sent a message. */
void kp_port_offer_longest(kp_group *member, uint64_t bytes);
bool kp_port_longest(const kp_group *member, uint64_t *bytes);

/* Does both at the end of each of several rounds: offers the own length, unless it is 0, and
 * returns the longest of all members in the round before. Over a wire it returns the own length,
 * because members do not hear the others'. */
uint64_t kp_port_tell_longest(kp_group *member, uint64_t bytes);

/* Sets the processor's error and returns its status. The sentence is about the own call or message
 * (error.h) and gets no prefix. `round`, `port`, `peer` are -1 if they do not apply; `peer` is a
 * rank. */
int kp_port_error(kp_group *member, int status, int round, int port, int peer, const char *format,
                  ...) __attribute__((format(printf, 6, 7)));

/* The same for a sentence about the processor with that number in the machine. */
int kp_port_error_about(kp_group *member, int status, int processor, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Copies the calling thread's latest error to the processor, and returns its status. */
int kp_port_keep_error(kp_group *member);

/* --- For the command line --- */

/* Returns how the stacks of a machine's fibers are guarded; NULL: the machine has no fibers. */
const char *kp_machine_guard(const kp_machine *machine);

/* Returns a number that stands for the order of all switches in the last run of one worker with a
 * seed; 0 if no seed determines the order. */
uint64_t kp_machine_trace(const kp_machine *machine);

/* Writes a trace as kp_trace_write does, to a stream, whose state says whether writing succeeded.
 */
int kp_trace_write_to(kp_trace *trace, FILE *out);

#endif
