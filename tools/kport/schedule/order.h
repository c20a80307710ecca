/* Prints the order certificate of a reduction (lib/check/order.h). */
#ifndef KPORT_TOOLS_ORDER_H
#define KPORT_TOOLS_ORDER_H

#include "kport.h"
#include "lib/check/order.h"

#include <stdbool.h>
#include <stdio.h>

/* Prints in which order the schedule combines, whether all processors get the same bits, and on
 * what the order depends. The schedule must be right (kp_schedule_check). Returns an exit status;
 * if it is not 0, an error message is on stderr. */
int order_print(const kp_schedule *schedule, FILE *out);

/* Finds out whether each element that several processors get is combined in the same order at all
 * of them. If not, writes two processors that differ to `sentence`. The schedule must be right, and
 * of a reduction. Returns KP_OK or KP_EMEMORY. */
int order_compare(const kp_schedule *schedule, bool *same, char *sentence, size_t size);

/* On what an order may depend. */
enum order_factor {
    ORDER_N,
    ORDER_K,
    ORDER_LENGTH,
    ORDER_ROOT,
    ORDER_PROCESSES,
    ORDER_PARAMETER, /* the algorithm's first parameter; the others follow */
    ORDER_FACTORS = ORDER_PARAMETER + KP_PARAMETERS
};

/* Finds out on what the order depends, by comparing certificates, and prints a line for each
 * factor. `order` is the certificate of `schedule`. Returns KP_OK or KP_EMEMORY. */
int order_print_factors(const kp_schedule *schedule, struct kp_trees *trees,
                        const struct kp_order *order, FILE *out);

#endif
