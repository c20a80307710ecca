/* Handles are the pointers to machines, processors, members and plans that a program holds. A
 * member is a processor's part in one group, and a plan is a prepared call (kp_plan).
 *
 * A program may use a handle after its object has ended. kport must then return an error and not
 * crash. So kport reads no object before it has found the handle's address among the live objects.
 * It looks for a machine or a plan in a table of the whole process. It compares the address of a
 * processor with that of the processor which the calling thread carries. It looks for a member
 * among the members that this processor holds. Two objects made one after the other never get the
 * same address, so an old handle is not mistaken for that of a newer object. */
#ifndef KPORT_PORTS_HANDLE_H
#define KPORT_PORTS_HANDLE_H

#include "kport/group.h"
#include "kport/machine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kinds of objects in the table of live objects. */
enum kp_live_kind {
    KP_LIVE_MACHINE,
    KP_LIVE_PLAN,
    KP_LIVE_TRACE,
};

/* One entry of the table of live objects, which is a hash table of linked lists. */
struct kp_live {
    struct kp_live *next;
    const void *handle;
    enum kp_live_kind kind;
};

/* Takes the lock of the table. A thread that also needs a machine's lock takes the table's lock
 * first. A fork waits until the table's lock is free. */
void kp_live_lock(void);
void kp_live_unlock(void);

/* The callers of these three functions hold the table's lock. `kp_live_add` puts an object into the
 * table. `kp_live_has` returns whether a live object of this kind has this address.
 * `kp_live_remove` takes an object out of the table. */
void kp_live_add(struct kp_live *entry, const void *handle, enum kp_live_kind kind);
bool kp_live_has(const void *handle, enum kp_live_kind kind);
void kp_live_remove(struct kp_live *entry);

/* Returns zeroed memory for an array of `count` objects of `bytes` bytes, or NULL if memory is
 * short. The array begins at a cache line within `block`, and the caller frees `block`. */
void *kp_handle_memory(size_t count, size_t bytes, void **block);

/* Returns a number that no other machine, group or plan of this process has had. */
uint64_t kp_handle_number(void);

/* Each processor has two small tables of the handles that it used last, one of members and one of
 * plans. kport accepts these handles without a search. This function returns the entry of the table
 * `known` in which `handle` would stand. The entry's index is the handle's cache line number modulo
 * KP_KNOWN. An unused entry is NULL. */
#define KP_KNOWN 4
static inline const void **kp_known_slot(const void **known, const void *handle)
{
    return &known[(uintptr_t)handle / 64 % KP_KNOWN];
}

/* Who may use a plan. This struct is the first field of every plan. A program may free a plan's
 * member or machine before the plan. A later object may then lie at the same address, but it has
 * another number than `member_number` or `machine_number`. */
struct kp_owned {
    struct kp_live live;
    kp_group *member;
    uint64_t member_number, machine_number;
    kp_machine *machine;
    kp_proc *owner;
    int processor;
    uint32_t forks;
};

void kp_owned_add(struct kp_owned *owned, kp_group *member);

/* Checks that `handle` is a live plan and that the calling thread may execute it. Reads nothing at
 * the address before the table has shown that a plan is there. Returns 0 or the error's status. */
int kp_owned_look(const struct kp_owned *handle);

/* Takes a plan out of the table and sets `owns` to true, so that the caller may free the plan. In
 * the child of a fork, leaves a plan of the parent in the table and sets `owns` to false. Returns 0
 * or the error's status. */
int kp_owned_remove(struct kp_owned *handle, bool *owns);

/* These four functions set the error for a handle that may not be used. The calling thread and the
 * processor that it carries get the error. The functions return the error's status. The caller of
 * kp_refuse_machine holds the table's lock. The other three functions take this lock. `handle` is
 * the address that the program has passed. If a processor lies at this address, kp_refuse_world
 * also stores the world of this processor, that is, its member in the group of all processors.
 * Otherwise kp_refuse_world stores NULL. */
int kp_refuse_proc(const kp_proc *handle);
int kp_refuse_world(const kp_proc *handle, kp_group **world);
int kp_refuse_member(const kp_group *handle);
int kp_refuse_machine(void);

#endif
