/* The parameters of the BSP model: a superstep takes max(w) + h * g + l. */
#ifndef KPORT_BSP_MEASURE_H
#define KPORT_BSP_MEASURE_H

#include "kport/machine.h"

/* A word has 8 bytes. g depends on the mean length of the messages: short ones cost more for each
 * word. */
struct kp_bsp_parameters {
    double l;      /* the time of an empty superstep, in seconds */
    double g;      /* the time of a word that is a message of its own, in seconds */
    double g_long; /* the time of a word of a message of 4 KiB */
};

/* Measures them on a machine of its own, by h-relations in which every process puts h words to the
 * others in turn, as the benchmark of Bisseling's BSPedupack does. Takes about a tenth of a second.
 * Returns 0 or the status of kp_run. */
__attribute__((visibility("default"))) int kp_bsp_measure(const kp_config *config,
                                                          struct kp_bsp_parameters *parameters);

/* Returns g for messages of `bytes` bytes on average: g_long + (g - g_long) * 8 / bytes. */
__attribute__((visibility("default"))) double
kp_bsp_g_of(const struct kp_bsp_parameters *parameters, double bytes);

#endif
