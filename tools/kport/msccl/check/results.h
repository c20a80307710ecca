/* What a collective promises, compared with what the places hold in the end. */
#ifndef KPORT_TOOLS_MSCCL_RESULTS_H
#define KPORT_TOOLS_MSCCL_RESULTS_H

#include "tools/kport/msccl/check/values.h"

/* Whether all ranks make the sum of a chunk in the same order. */
enum msccl_order {
    MSCCL_ORDER_NONE, /* nothing is combined, or the sums are not known */
    MSCCL_ORDER_SAME,
    MSCCL_ORDER_OTHER,
};

/* Marks the places that hold the result in `result`, which has a byte for each place. Finds
 * v->root if the file does not name it: the root for which the result is right, if there is one. */
void msccl_results_mark(struct msccl_values *v, uint8_t *result);

/* Reports the chunks of the result that are missing or wrong. */
void msccl_results_check(const struct msccl_values *v, struct findings *f);

/* Compares how the ranks make their sums, also wrong ones. Reports the chunks that differ, unless
 * `f` is NULL. */
enum msccl_order msccl_results_order(const struct msccl_values *v, struct findings *f);

#endif
