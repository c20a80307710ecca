/* Functions and data that draw.c, tree.c and memory.c share. */
#ifndef KPORT_LIB_DRAWING_H
#define KPORT_LIB_DRAWING_H

#include "lib/check/replay.h"
#include "lib/draw/draw.h"

struct kp_drawing {
    const struct kp_pen *pen;
    const kp_schedule *schedule;
    const kp_problem *problem;
    int rounds; /* number of rounds that are drawn */
    struct kp_replay replay;
    struct kp_vector *sent; /* by processor, kp_cell: the cells that it sends in the next round */
};

void kp_draw_line(const struct kp_drawing *d, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void kp_draw_word(const struct kp_drawing *d, const char *text);
void kp_draw_number(const struct kp_drawing *d, long long value);
void kp_draw_end_row(const struct kp_drawing *d);

/* Returns the bytes that a block takes in a message, as C2 counts them: b and its length, if sent.
 */
int64_t kp_draw_bytes_of_block(const struct kp_drawing *d);

/* Writes a line that says how many rounds are not drawn, if any. */
void kp_draw_tell_rounds(const struct kp_drawing *d);

/* The sections after the rounds. Both replay the whole schedule. */
int kp_draw_tree(struct kp_drawing *d, int root);
int kp_draw_memory(struct kp_drawing *d);

#endif
