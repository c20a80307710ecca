/* The rows that members pack messages into, of each kind. */
#ifndef KPORT_PORTS_ROWS_H
#define KPORT_PORTS_ROWS_H

#include <stdbool.h>
#include <stddef.h>

struct kp_shared;

/* What a member packs for the others goes into its row for that round. Rows of each kind have
 * memory of their own, and so has each member's row, so those who mean different calls do not write
 * the same places; but for the long row, which one member alone packs, for all. */
enum kp_row_kind {
    KP_ROWS,
    KP_LONG_ROW,
    KP_ROW_KINDS,
};

/* That of a rank and a generation begins at first + rank * stride + generation * apart. */
struct kp_rows {
    char *first;
    size_t stride, apart;
};

/* For a group whose barrier has its place. False: no memory. */
bool kp_rows_make(struct kp_shared *shared);
void kp_rows_free(struct kp_shared *shared);

#endif
