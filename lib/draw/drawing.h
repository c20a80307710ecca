/* This header has the data and functions that draw.c, tree.c and memory.c share. */
#ifndef KPORT_LIB_DRAWING_H
#define KPORT_LIB_DRAWING_H

#include "lib/check/replay.h"
#include "lib/draw/draw.h"

struct kp_drawing {
    const struct kp_pen *pen;
    const kp_schedule *schedule;
    const kp_problem *problem;
    int rounds;                 /* the number of rounds that are drawn */
    const struct kp_mark *mark; /* what is wrong with the schedule; NULL: nothing */
    struct kp_replay replay;
    bool is_last; /* the last state of the memory is being drawn */
    /* For each processor, the cells (kp_cell) that this processor sends in the next round. */
    struct kp_vector *sent;
};

void kp_draw_line(const struct kp_drawing *d, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void kp_draw_word(const struct kp_drawing *d, const char *text);
void kp_draw_number(const struct kp_drawing *d, long long value);
void kp_draw_end_row(const struct kp_drawing *d);

/* Returns the number of bytes that C2 counts for one block of a message: b, plus the bytes of the
 * block's length if the length travels with the block. */
int64_t kp_draw_bytes_of_block(const struct kp_drawing *d);

/* If some rounds are not drawn, writes a line that says how many. */
void kp_draw_tell_rounds(const struct kp_drawing *d);

/* `kp_draw_tree` draws the messages with the root's data. `kp_draw_memory` draws the processors'
 * memory. Each of them replays the whole schedule (lib/check/replay.h). */
int kp_draw_tree(struct kp_drawing *d, int root);
int kp_draw_memory(struct kp_drawing *d);

#endif
