/* These functions divide the missing blocks among the ports in the last round of the circulant
 * concatenation (concat_circulant.c). They stand in a header so that a test can compare their
 * result with the paper's Table 1. */
#ifndef KPORT_LIB_ALGORITHMS_CONCAT_CIRCULANT_H
#define KPORT_LIB_ALGORITHMS_CONCAT_CIRCULANT_H

#include <stdint.h>

/* The table of processor j stands for the blocks that this processor lacks before the last round.
 * It has `columns` columns of `b` entries each. Column c is the block of processor j - span - c.
 * Each entry stands for one unit of this block: a byte, or in a reduction an element. If `b` is 1,
 * the unit may be the whole block. Entry e of the table is entry e mod b of column floor(e / b).
 * The table is cut into areas of consecutive entries. An area has at most `length` entries and lies
 * in at most `span` columns. */
struct kp_table {
    int64_t b, columns, span, length;
};

/* An area of the table: the entries first ... end - 1. Every processor receives these entries of
 * its own table from the processor `offset` ranks below it. */
struct kp_area {
    int64_t first, end, offset;
};

/* Returns the end of the longest area that begins at entry `first`. */
int64_t kp_area_end(const struct kp_table *table, int64_t first);

/* Returns 1 if at most k areas cover the whole table, else 0. */
int kp_table_fits(const struct kp_table *table, int64_t k);

/* Cuts the table into `areas` and returns their number. The caller has checked with kp_table_fits
 * that `areas` has room for all of them. No two offsets are equal. `first_column` is 0, unless
 * `table` is the end of a larger table. In this case it is the number that column 0 of `table` has
 * in the larger table, and the offsets count columns of the larger table. */
int64_t kp_table_cut(const struct kp_table *table, int64_t first_column, struct kp_area *areas);

#endif
