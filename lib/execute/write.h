/* Writes the instructions for lists of pieces. */
#ifndef KPORT_LIB_EXECUTE_WRITE_H
#define KPORT_LIB_EXECUTE_WRITE_H

#include "lib/execute/cursor.h"

/* Copies pieces of this member's memory into the buffer, one after the other from `at` on, or out
 * of it. */
void kp_write_buffered(struct kp_writer *w, const kp_piece *pieces, size_t count, uint64_t at,
                       bool into);

/* The first bytes of a space to the beginning of another. */
void kp_write_whole(struct kp_writer *w, kp_space to, kp_space from, size_t bytes);

/* From pieces to pieces, of the bytes that belong to the section. */
void kp_write_copies(struct kp_writer *w, struct kp_cursor to, struct kp_cursor from,
                     struct kp_section section);

/* From places of the table to places, one by one. */
void kp_write_blocks(struct kp_writer *w, struct kp_cursor to, struct kp_cursor from, uint8_t kind);

/* One of the kinds that are for all blocks of the table. */
void kp_write_all_blocks(struct kp_writer *w, uint8_t kind);

/* The end of a message or round of blocks. */
void kp_write_end(struct kp_writer *w, uint8_t kind, int port, int peer);

/* Results, operands and what comes, side by side. */
void kp_write_combined(struct kp_writer *w, struct kp_cursor to, struct kp_cursor operand,
                       struct kp_cursor from, kp_combining side);

#endif
