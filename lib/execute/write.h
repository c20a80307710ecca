/* These functions write the instructions that copy or combine lists of pieces (kp_piece). "Copies"
 * and "combinations" below are such instructions. */
#ifndef KPORT_LIB_EXECUTE_WRITE_H
#define KPORT_LIB_EXECUTE_WRITE_H

#include "lib/execute/cursor.h"

/* Writes copies from pieces of this member's memory to KP_BUFFER. In the buffer the pieces lie one
 * after the other, from position `at` on. If `into` is false, writes copies from the buffer to the
 * pieces. */
void kp_write_buffered(struct kp_writer *w, const kp_piece *pieces, size_t count, uint64_t at,
                       bool into);

/* Writes a copy of the first `bytes` bytes of space `from` to the beginning of space `to`. */
void kp_write_whole(struct kp_writer *w, kp_space to, kp_space from, size_t bytes);

/* Writes copies of the bytes of `section` from one list of pieces to another. */
void kp_write_copies(struct kp_writer *w, struct kp_cursor to, struct kp_cursor from,
                     struct kp_section section);

/* Writes an instruction of kind `kind` for each pair of entries of tables of blocks (blocks.h). One
 * entry is from the list `to`, the other from the list `from`. */
void kp_write_blocks(struct kp_writer *w, struct kp_cursor to, struct kp_cursor from, uint8_t kind);

/* Writes one instruction of kind `kind` that concerns all blocks of a table. */
void kp_write_all_blocks(struct kp_writer *w, uint8_t kind);

/* Writes an instruction of kind KP_MEET_LAYOUTS (code.h), for the member with rank `peer`. */
void kp_write_meeting(struct kp_writer *w, int peer);

/* Writes an instruction of kind KP_END_SENT, KP_END_TAKEN or KP_END_ROUND (code.h). */
void kp_write_end(struct kp_writer *w, uint8_t kind, int port, int peer);

/* Writes combinations of `operand` and `from` into `to`, element by element, or block by block if
 * blocks have lengths of their own. `kind` says whether `from` is the left or the right operand. */
void kp_write_combined(struct kp_writer *w, struct kp_cursor to, struct kp_cursor operand,
                       struct kp_cursor from, uint8_t kind);

#endif
