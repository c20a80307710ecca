/* What bsp.h compiles into a program, so that a word to another process costs no call: bsp_put,
 * bsp_hpput, bsp_send and bsp_move for the ordinary case. All other cases, and all errors, are
 * those of the library's functions. bsp.h includes this header; programs use nothing of it.
 *
 * What it declares may change with every version, and a program is compiled anew then. The layout
 * has a number, KP_BSP_LAYOUT. If a program was compiled with another one, the loader does not find
 * the name kp_bsp_layout_NUMBER in the library, and the program does not start. */
#ifndef KPORT_BSP_INLINE_H
#define KPORT_BSP_INLINE_H

#include "bsp.h"

#include <string.h>

#if defined(__GNUC__) && defined(__ELF__)

/* Whoever changes what this header declares, or what its functions mean by it, gives the layout
 * another number. This is the name of a variable of the library (lib/bsp/put.c), and all code that
 * has the layout compiled in needs it. */
#define KP_BSP_LAYOUT kp_bsp_layout_3
extern const char KP_BSP_LAYOUT;

/* C++ may warn of C's casts. */
#ifdef __cplusplus
#define KP_BSP_AS(type, value)  static_cast<type>(value)
#define KP_BSP_ADDRESS(pointer) reinterpret_cast<uintptr_t>(pointer)
#else
#define KP_BSP_AS(type, value)  ((type)(value))
#define KP_BSP_ADDRESS(pointer) ((uintptr_t)(pointer))
#endif

/* --- What a process has, as far as these functions use it (lib/bsp/process.h has the rest) --- */

#define KP_BSP_LINE 64

/* The place of a call in the program; `file` NULL: not known. */
struct kp_bsp_place {
    const char *function, *file;
    int line;
};

/* What there is for a receiver. */
enum kp_bsp_state {
    KP_BSP_SAME = 1,   /* a put to the sheet's place */
    KP_BSP_QUEUED = 2, /* there are puts in the queue */
    KP_BSP_SENT = 4,   /* there are messages */
    KP_BSP_WORDS = 8,  /* the last run of messages is one of words without tags */
    KP_BSP_ANY_PUT = KP_BSP_SAME | KP_BSP_QUEUED
};

/* What a superstep asks for; lib/bsp/process.h has the others. */
#define KP_BSP_PUTS 1

/* A queue is written by its sender, and read by its receiver after the sync. A receiver reads
 * `first` and `at`. The sender alone needs the rest. */
struct kp_bsp_queue {
    struct kp_bsp_chunk *first;
    char *at;        /* the records of the last chunk end here */
    char *end;       /* of the last chunk's room */
    char *begin;     /* its data */
    size_t finished; /* the bytes of the chunks before it */
};

/* A put in its queue begins with a head. It has the address in its lower 48 bits, and the length
 * above. Where one of them is too long for that, the head is 0, and two words follow. With the
 * job's checks a kp_bsp_origin follows. Then the payload follows. */
#define KP_BSP_ADDRESS_BITS 48

/* The puts of a process for another one. A receiver reads the queue alone. */
struct kp_bsp_put_pair {
    struct kp_bsp_queue queue;
    char *after;    /* the address that follows the last put, or NULL */
    uint64_t *last; /* the head of this put */
} __attribute__((aligned(KP_BSP_LINE)));

/* The messages of a process for another one. Words that bsp_send adds to a run of words move the
 * queue's end alone: they are not in `count`, `bytes` and the run's head (kp_bsp_uncounted). */
struct kp_bsp_message_pair {
    struct kp_bsp_queue queue;
    uint64_t count;
    uint64_t *run;  /* the head of the last run of messages, or NULL */
    uint64_t bytes; /* of all payloads */
} __attribute__((aligned(KP_BSP_LINE)));

/* The block that a process has registered. It writes this before the registration counts. */
struct kp_bsp_block {
    char *base;
    size_t size;
};

/* What the sender needs of its sheet to find out whether a put goes to the sheet's place. */
struct kp_bsp_same {
    const void *block; /* the registered block; the process: no place */
    /* `block`, if the place is that of a word, and no put of this superstep is in a queue;
     * otherwise the process. */
    const void *word_block;
    size_t offset, size;
    uint8_t *states;
    char *words;
    /* KP_BSP_PUTS: there is a put to the place in this superstep; otherwise 0. Not a bit of
     * kp_bsp_process.bits, so that each put writes it without reading it. */
    unsigned bits;
};

/* Memory that is taken piece by piece, and all given back at once. */
struct kp_bsp_arena {
    char *at, *end; /* what is left of the latest block */
    struct kp_bsp_memory *latest;
    size_t taken; /* bytes of the earlier blocks */
    size_t next;  /* the least length of the next block */
};

/* Where a process writes what it has for the others. There are two of them, for even and odd
 * supersteps. */
struct kp_bsp_out {
    uint8_t *states; /* the sheet's (enum kp_bsp_state); by receiver, like what follows */
    struct kp_bsp_put_pair *puts;
    struct kp_bsp_message_pair *messages;
    struct kp_bsp_sheet *sheet;
    struct kp_bsp_arena arena;
};

/* A process begins with this. */
struct kp_bsp_front {
    struct kp_bsp_place call; /* the present one, or the last one */
    /* The number of processes. 0: each call has to be looked at more closely, as something is
     * checked or counted, memory is not shared, or the parallel part does not run. */
    unsigned quick;
    unsigned direct;        /* the same for calls that write to the other process at once */
    const void *last_block; /* the block that was looked for last; this process itself: none */
    const struct kp_bsp_block *last_row; /* its registration: the blocks of all processes */
    struct kp_bsp_out *now;              /* that of this superstep */
    struct kp_bsp_same same;             /* of this superstep's sheet */
    /* The tag of the first message that can be taken. If the messages from there on are a run of
     * words without tags, `last_word` is the last one; otherwise NULL. bsp_move takes those before
     * the last one without counting them (kp_bsp_count_taken). */
    const char *at, *last_word;
};

/* --- The calling process --- */

/* kport's data of the calling thread begins with the processor that it carries, and a processor
 * begins with the pointer to its process. A fiber stays on its thread. So the address of this
 * variable is the same after every call. */
__extension__ extern __thread struct kp_bsp_front **kp_bsp_carried __asm__("kp_self")
    __attribute__((tls_model("initial-exec")));

#define KP_BSP_LIKELY(condition) __builtin_expect(!!(condition), 1)

/* Returns the calling process; NULL: the thread is none. */
static __inline__ struct kp_bsp_front *kp_bsp_own(void)
{
    struct kp_bsp_front **carried = kp_bsp_carried;
    if (KP_BSP_LIKELY(carried))
        return *carried;
    /* Needs the name of the layout, where it costs nothing. It is a variable's name, as the loader
     * may look for a function not before it is called. */
    __asm__("" : : "r"(&KP_BSP_LAYOUT));
    return NULL;
}

static __inline__ void kp_bsp_set_place(struct kp_bsp_front *own, const char *function,
                                        const char *file, int line)
{
    own->call.function = function;
    own->call.file = file;
    own->call.line = line;
}

/* --- The functions --- */

/* Returns whether the word at `offset` lies in the block. */
static __inline__ int kp_bsp_has(const struct kp_bsp_block *block, size_t offset, size_t size)
{
    return size <= block->size && offset <= block->size - size;
}

/* Appends a word to the queue, if it has one already, and room. */
static __inline__ int kp_bsp_append_word(struct kp_bsp_front *own, int pid, const void *from,
                                         size_t offset)
{
    const struct kp_bsp_block *block = &own->last_row[pid];
    struct kp_bsp_put_pair *pair = &own->now->puts[pid];
    const uint64_t address = KP_BSP_ADDRESS(block->base) + offset;
    const uint64_t head = address | UINT64_C(8) << KP_BSP_ADDRESS_BITS;
    char *at = pair->queue.at;
    if (!KP_BSP_LIKELY(own->now->states[pid] & KP_BSP_QUEUED) ||
        !KP_BSP_LIKELY(kp_bsp_has(block, offset, 8)) ||
        !KP_BSP_LIKELY(address >> KP_BSP_ADDRESS_BITS == 0) ||
        !KP_BSP_LIKELY(KP_BSP_ADDRESS(pair->after) != address) ||
        !KP_BSP_LIKELY(KP_BSP_AS(size_t, pair->queue.end - at) >= 2 * sizeof head))
        return 0;
    pair->queue.at = at + 2 * sizeof head;
    pair->last = KP_BSP_AS(uint64_t *, KP_BSP_AS(void *, at));
    pair->after = block->base + offset + 8;
    memcpy(at, &head, sizeof head);
    memcpy(at + sizeof head, from, 8);
    return 1;
}

/* Captures a word, if it goes to the sheet's place or to a queue. */
static __inline__ int kp_bsp_capture_word(struct kp_bsp_front *own, int pid, const void *from,
                                          const void *to, size_t offset)
{
    if (to == own->same.word_block && offset == own->same.offset) {
        own->same.states[pid] |= KP_BSP_SAME;
        own->same.bits = KP_BSP_PUTS;
        memcpy(own->same.words + KP_BSP_AS(size_t, pid) * 8, from, 8);
        return 1;
    }
    return to == own->last_block && kp_bsp_append_word(own, pid, from, offset);
}

static __inline__ void kp_bsp_put_inline(const char *file, int line, int pid, const void *from,
                                         void *to, size_t offset, size_t size)
{
    struct kp_bsp_front *own = size == 8 ? kp_bsp_own() : NULL;
    if (KP_BSP_LIKELY(own) && KP_BSP_LIKELY(KP_BSP_AS(unsigned, pid) < own->quick)) {
        kp_bsp_set_place(own, "bsp_put", file, line);
        if (kp_bsp_capture_word(own, pid, from, to, offset))
            return;
    }
    kp_bsp_put(file, line, pid, from, to, offset, size);
}

static __inline__ void kp_bsp_hpput_inline(const char *file, int line, int pid, const void *from,
                                           void *to, size_t offset, size_t size)
{
    struct kp_bsp_front *own = kp_bsp_own();
    /* Of two processes, a word travels beside the barrier's word. */
    if (size == 8 && KP_BSP_LIKELY(own) && own->quick == 2) {
        if (KP_BSP_LIKELY(KP_BSP_AS(unsigned, pid) < 2)) {
            kp_bsp_set_place(own, "bsp_hpput", file, line);
            if (kp_bsp_capture_word(own, pid, from, to, offset)) {
                own->direct = 0; /* those that follow look whether they may write */
                return;
            }
        }
    } else if (KP_BSP_LIKELY(own) && KP_BSP_LIKELY(KP_BSP_AS(unsigned, pid) < own->direct) &&
               KP_BSP_LIKELY(to == own->last_block) &&
               KP_BSP_LIKELY(kp_bsp_has(&own->last_row[pid], offset, size))) {
        char *there = own->last_row[pid].base + offset;
        kp_bsp_set_place(own, "bsp_hpput", file, line);
        if (size == 8)
            memcpy(there, from, 8);
        else if (size > 0)
            memmove(there, from, size);
        return;
    }
    kp_bsp_hpput(file, line, pid, from, to, offset, size);
}

static __inline__ void kp_bsp_send_inline(const char *file, int line, int pid, const void *tag,
                                          const void *payload, size_t size)
{
    struct kp_bsp_front *own = size == 8 && payload ? kp_bsp_own() : NULL;
    if (KP_BSP_LIKELY(own) && KP_BSP_LIKELY(KP_BSP_AS(unsigned, pid) < own->quick) &&
        KP_BSP_LIKELY(own->now->states[pid] & KP_BSP_WORDS)) {
        struct kp_bsp_queue *queue = &own->now->messages[pid].queue;
        char *at = queue->at;
        if (KP_BSP_LIKELY(KP_BSP_AS(size_t, queue->end - at) >= 8)) {
            kp_bsp_set_place(own, "bsp_send", file, line);
            queue->at = at + 8;
            memcpy(at, payload, 8);
            return;
        }
    }
    kp_bsp_send(file, line, pid, tag, payload, size);
}

static __inline__ void kp_bsp_move_inline(const char *file, int line, void *payload, size_t size)
{
    struct kp_bsp_front *own = size == 8 && payload ? kp_bsp_own() : NULL;
    if (KP_BSP_LIKELY(own) &&
        KP_BSP_LIKELY(KP_BSP_ADDRESS(own->at) < KP_BSP_ADDRESS(own->last_word))) {
        const char *from = own->at;
        kp_bsp_set_place(own, "bsp_move", file, line);
        own->at = from + 8;
        memcpy(payload, from, 8);
        return;
    }
    kp_bsp_move(file, line, payload, size);
}

#else
#define kp_bsp_put_inline   kp_bsp_put
#define kp_bsp_hpput_inline kp_bsp_hpput
#define kp_bsp_send_inline  kp_bsp_send
#define kp_bsp_move_inline  kp_bsp_move
#endif

#endif
