/* What put.c and write.c both need: where a put lies, and its head. */
#ifndef KPORT_BSP_SHEET_H
#define KPORT_BSP_SHEET_H

#include "lib/bsp/process.h"

#include <string.h>

static inline char *kp_bsp_word_of(const struct kp_bsp_team *team, const struct kp_bsp_sheet *sheet,
                                   int pid)
{
    return (char *)(uintptr_t)sheet + team->words_at + (size_t)pid * sizeof(uint64_t);
}

/* Returns the room for what goes from one process to another. In an odd superstep it is that for
 * what went the other way in the even superstep before. */
static inline char *kp_bsp_room_between(const struct kp_bsp_team *team, unsigned generation,
                                        int sender, int receiver)
{
    const int row = generation ? receiver : sender, column = generation ? sender : receiver;
    return team->rooms + (size_t)row * team->room_bytes + (size_t)column * KP_BSP_ROOM;
}

static inline char *kp_bsp_room_of(const struct kp_bsp_sheet *sheet, int pid)
{
    return sheet->rooms + (size_t)pid * sheet->room_stride;
}

/* Returns where the block for a receiver lies. */
static inline const char *kp_bsp_block_of(const struct kp_bsp_team *team,
                                          const struct kp_bsp_sheet *sheet, int pid)
{
    const char *slot = kp_bsp_word_of(team, sheet, pid);
    if (sheet->size <= sizeof(uint64_t))
        return slot;
    if (sheet->size <= KP_BSP_ROOM)
        return kp_bsp_room_of(sheet, pid);
    const char *address;
    memcpy(&address, slot, sizeof address);
    return address;
}

static const uint64_t kp_bsp_address_of_head = (UINT64_C(1) << KP_BSP_ADDRESS_BITS) - 1;

static inline uint64_t kp_bsp_short_head(const char *to, size_t size)
{
    return (uint64_t)(uintptr_t)to | (uint64_t)size << KP_BSP_ADDRESS_BITS;
}

static inline bool kp_bsp_is_short(const char *to, size_t size)
{
    return size <= KP_BSP_SHORT && (uint64_t)(uintptr_t)to >> KP_BSP_ADDRESS_BITS == 0;
}

static inline void kp_bsp_copy(char *to, const void *from, size_t size)
{
    if (size == 8)
        memcpy(to, from, 8);
    else
        memcpy(to, from, size);
}

/* Asks for the lines of a block, at most 1 KiB, to write them; the processor itself fetches what
 * follows. A process asks so for what it reads, too, if it will write there next: then the lines
 * come once. */
static inline __attribute__((always_inline)) void kp_bsp_fetch_to_write(const char *block,
                                                                        size_t size)
{
    kp_bsp_ask_to_write(block, size < 1024 ? size : 1024);
}

/* Takes the place of the superstep before this one, to which the puts of this one may go, too. It
 * is there already if it is older, and the others have this line in their caches. */
static inline void kp_bsp_keep_place(struct kp_bsp_process *self)
{
    const struct kp_bsp_sheet *before = self->outs[!kp_bsp_generation(self)].sheet;
    struct kp_bsp_sheet *sheet = self->front.now->sheet;
    if (self->placed + 1 == self->superstep) {
        sheet->row = before->row;
        sheet->offset = before->offset;
        sheet->size = before->size;
    }
    self->front.same.word_block = sheet->size == sizeof(uint64_t) ? self->front.same.block : self;
    self->front.same.states = sheet->states;
    self->front.same.words = kp_bsp_word_of(self->team, sheet, 0);
}

/* Makes ready what the process writes in the superstep that begins. */
static inline void kp_bsp_out_clear(struct kp_bsp_process *self)
{
    const size_t size = (size_t)self->team->size;
    uint8_t *states = self->front.now->states;
    const size_t last = (size - 1) / sizeof self->team->no_states * sizeof self->team->no_states;
    if (last > 0)
        memset(states, 0, last);
    memcpy(states + last, self->team->no_states, sizeof self->team->no_states);
    kp_bsp_arena_empty(&self->front.now->arena);
    kp_bsp_keep_place(self);
}

#endif
