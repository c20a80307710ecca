/* The table partition of the circulant concatenation's last round. It has a header of its own so
 * that a test can reproduce the paper's Table 1 from it. */
#ifndef KPORT_LIB_ALGORITHMS_CONCAT_CIRCULANT_H
#define KPORT_LIB_ALGORITHMS_CONCAT_CIRCULANT_H

#include <stdint.h>

/* A table of `columns` columns of b entries each. It is cut in column-major order into areas of at
 * most `length` entries and at most `span` columns. Column c is the block of processor
 * j - span - c, which processor j has not received yet. Entry e of the table is entry e mod b of
 * column e / b. */
struct kp_table {
    int64_t b, columns, span, length;
};

/* The entries first ... end - 1. Each processor sends them to the processor `offset` places on. */
struct kp_area {
    int64_t first, end, offset;
};

/* Returns the end of the area that begins at `first`. */
int64_t kp_area_end(const struct kp_table *table, int64_t first);

/* Returns 1 if k areas cover the whole table, else 0. */
int kp_table_fits(const struct kp_table *table, int64_t k);

/* Cuts a table that fits and returns the number of areas. The offsets of the areas are distinct.
 * They count columns as if the table's first column were column `first_column`. */
int64_t kp_table_cut(const struct kp_table *table, int64_t first_column, struct kp_area *areas);

#endif
