/* These functions find out whether data with layouts overlap. */
#ifndef KPORT_LIB_LAYOUT_OVERLAP_H
#define KPORT_LIB_LAYOUT_OVERLAP_H

#include "lib/layout/layout.h"

/* `count` blocks of a layout, one extent apart, from the address `data` on. */
struct kp_laid_data {
    const char *data;
    const kp_layout *layout;
    size_t count;
};

enum kp_overlap {
    KP_APART,
    KP_OVERLAP,
    KP_OVERLAP_UNKNOWN /* there was no memory to find out */
};

/* Returns whether elements of `data` overlap each other. */
enum kp_overlap kp_layout_overlaps(const struct kp_laid_data *data);

/* Returns whether elements of `in` overlap each other, or elements of `out`. Elements of `out` may
 * overlap each other. All blocks are within reach (kp_layout_reach), and none of `in` overlaps
 * itself. */
enum kp_overlap kp_layouts_meet(const struct kp_laid_data *in, size_t in_count,
                                const struct kp_laid_data *out, size_t out_count);

/* Returns whether an element of `a` overlaps one of `b`; those of one may overlap each other, but
 * then some overlaps are not found. Without a layout, data are `count` bytes. */
enum kp_overlap kp_layouts_share(const struct kp_laid_data *a, const struct kp_laid_data *b);

#endif
