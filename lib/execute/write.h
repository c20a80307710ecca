/* Writes the instructions that copy or combine lists of pieces. The comments below say what the
 * instructions do. */
#ifndef KPORT_LIB_EXECUTE_WRITE_H
#define KPORT_LIB_EXECUTE_WRITE_H

#include "lib/execute/cursor.h"

/* Copies pieces of this member's memory into the buffer. In the buffer the pieces lie one after the
 * other, from position `at` on. If `into` is false, copies from the buffer to the pieces. */
void kp_write_buffered(struct kp_writer *w, const kp_piece *pieces, size_t count, uint64_t at,
                       bool into);

/* Copies the first `bytes` bytes of space `from` to the beginning of space `to`. */
void kp_write_whole(struct kp_writer *w, kp_space to, kp_space from, size_t bytes);

/* Copies the bytes of `section` from one list of pieces to another. */
void kp_write_copies(struct kp_writer *w, struct kp_cursor to, struct kp_cursor from,
                     struct kp_section section);

/* Writes an instruction of `kind` for each pair of entries in the table of blocks. */
void kp_write_blocks(struct kp_writer *w, struct kp_cursor to, struct kp_cursor from, uint8_t kind);

/* Writes one instruction of `kind` that concerns all blocks of the table. */
void kp_write_all_blocks(struct kp_writer *w, uint8_t kind);

/* Writes the end of a message, or of a round, whose blocks have lengths of their own. */
void kp_write_end(struct kp_writer *w, uint8_t kind, int port, int peer);

/* Combines `operand` and `from` into `to`, element by element. */
void kp_write_combined(struct kp_writer *w, struct kp_cursor to, struct kp_cursor operand,
                       struct kp_cursor from, kp_combining side);

#endif
