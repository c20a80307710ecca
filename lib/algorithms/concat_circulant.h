/* The table partition of the circulant concatenation's last round, on its own: so that the paper's
 * Table 1 can be reproduced from it. */
#ifndef KPORT_LIB_ALGORITHMS_CONCAT_CIRCULANT_H
#define KPORT_LIB_ALGORITHMS_CONCAT_CIRCULANT_H

#include <stdint.h>

/* A table of `columns` columns of b entries, cut in column-major order into areas of at most
 * `length` entries and at most `span` columns each. Column c is what processor j lacks of processor
 * j - span - c; entry e of the table is entry e mod b of column e / b. */
struct kp_table {
    int64_t b, columns, span, length;
};

/* Entries first ... end - 1; the processors `offset` places on get them. */
struct kp_area {
    int64_t first, end, offset;
};

/* Where the area that begins at `first` ends. */
int64_t kp_area_end(const struct kp_table *table, int64_t first);

/* Whether k areas reach the end of the table. */
int kp_table_fits(const struct kp_table *table, int64_t k);

/* Cuts a table that fits; returns how many areas there are. Column 0 is column `first_column` for
 * the offsets, which are distinct. */
int64_t kp_table_cut(const struct kp_table *table, int64_t first_column, struct kp_area *areas);

#endif
