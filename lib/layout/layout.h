/* This header declares the contents of layouts. A layout is flattened when it is made: to runs,
 * which are regular patterns of pieces of memory. */
#ifndef KPORT_LIB_LAYOUT_H
#define KPORT_LIB_LAYOUT_H

#include "kport/layout.h"
#include "lib/layout/signature.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KP_LAYOUT_WORDS 100 /* the bytes of a layout's description within a sentence */

/* `rows` rows of `count` pieces of `bytes` bytes. Piece j of row i lies at offset + i * pitch + j *
 * stride. So a column of a matrix is one run, and so are its first ten columns. A run with one row
 * has pitch 0, and one with one piece has stride 0, too. */
struct kp_run {
    ptrdiff_t offset;
    size_t bytes;
    size_t count;
    ptrdiff_t stride;
    size_t rows;
    ptrdiff_t pitch;
    size_t before; /* the bytes of the layout's data before this run */
};

struct kp_layout {
    unsigned long holders;   /* 0: a layout that is never freed */
    size_t bytes;            /* the length of the data */
    ptrdiff_t lower, extent; /* kp_layout_bounded makes extents below 0, too */
    ptrdiff_t begin, end; /* the data lie at offsets begin ... end - 1; both 0 if there are none */
    struct kp_signature signature;
    struct kp_run *runs;
    size_t run_count;
    char text[KP_LAYOUT_WORDS];
};

/* Returns the layout of a byte if `layout` is NULL, otherwise `layout`. */
const kp_layout *kp_layout_or_byte(const kp_layout *layout);

/* Adds a holder. Each holder calls kp_layout_free. */
const kp_layout *kp_layout_hold(const kp_layout *layout);

/* Returns whether the layout's blocks lie like bytes: without gaps, in one piece. */
bool kp_layout_is_plain(const kp_layout *layout);

/* Computes where the data of `count` blocks of a layout lie, one extent apart: at the offsets
 * *begin ... *end - 1. Both are 0 if there are none. Returns false if an offset or the length of
 * the data is beyond what memory can hold. */
bool kp_layout_reach(const kp_layout *layout, size_t count, ptrdiff_t *begin, ptrdiff_t *end);

/* Stores in `made` `count` blocks of a layout as a layout of their own, with a holder. If this
 * would need more runs than the layout has, stores the layout itself. Returns 0 or a status. */
int kp_layout_block(const kp_layout *layout, size_t count, const kp_layout **made);

/* Makes a layout of the same data with other bounds, and with `text` as its description. The extent
 * may be negative: then each block begins before the block before it. Otherwise like
 * kp_layout_resized. */
int kp_layout_bounded(const kp_layout *of, ptrdiff_t lower, ptrdiff_t extent, const char *text,
                      kp_layout **made);

#endif
