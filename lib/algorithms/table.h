/* This header has the list of all algorithms. Tests, tuner, command line and documentation take the
 * algorithms from here. All algorithms of an operation stand together. If two algorithms have the
 * same predicted time, the tuner takes the one that stands first. */
#ifndef KPORT_LIB_ALGORITHMS_TABLE_H
#define KPORT_LIB_ALGORITHMS_TABLE_H

#include "kport/schedule.h"

#define KP_ALGORITHMS(X)                                                                           \
    X(kp_index_radix)                                                                              \
    X(kp_index_literal)                                                                            \
    X(kp_index_pairwise)                                                                           \
    X(kp_index_alternate_direction)                                                                \
    X(kp_index_sequential_multi_gather)                                                            \
    X(kp_index_alternate_halves)                                                                   \
    X(kp_index_ring)                                                                               \
    X(kp_index_torus)                                                                              \
    X(kp_index_in_turn)                                                                            \
    X(kp_index_shared_memory)                                                                      \
    X(kp_index_phases)                                                                             \
    X(kp_index_butterfly)                                                                          \
    X(kp_index_hierarchical)                                                                       \
    X(kp_index_hierarchical_parallel)                                                              \
    X(kp_concat_circulant)                                                                         \
    X(kp_concat_literal)                                                                           \
    X(kp_concat_recursive_doubling)                                                                \
    X(kp_concat_ring)                                                                              \
    X(kp_concat_gather_broadcast)                                                                  \
    X(kp_concat_alternate_direction)                                                               \
    X(kp_concat_tea2)                                                                              \
    X(kp_concat_tea2_grouped)                                                                      \
    X(kp_concat_tea1)                                                                              \
    X(kp_concat_gray_ring)                                                                         \
    X(kp_concat_sequential_broadcasts)                                                             \
    X(kp_concat_torus)                                                                             \
    X(kp_concat_in_turn)                                                                           \
    X(kp_concat_shared_memory)                                                                     \
    X(kp_concat_hierarchical)                                                                      \
    X(kp_concat_hierarchical_parallel)                                                             \
    X(kp_broadcast_tree)                                                                           \
    X(kp_broadcast_pipelined)                                                                      \
    X(kp_broadcast_scatter_concat)                                                                 \
    X(kp_broadcast_circulant)                                                                      \
    X(kp_broadcast_hypercube)                                                                      \
    X(kp_broadcast_ring)                                                                           \
    X(kp_broadcast_torus)                                                                          \
    X(kp_broadcast_shared_memory)                                                                  \
    X(kp_broadcast_hierarchical)                                                                   \
    X(kp_scatter_tree)                                                                             \
    X(kp_scatter_direct)                                                                           \
    X(kp_scatter_ring)                                                                             \
    X(kp_scatter_torus)                                                                            \
    X(kp_scatter_shared_memory)                                                                    \
    X(kp_scatter_hierarchical)                                                                     \
    X(kp_gather_tree)                                                                              \
    X(kp_gather_direct)                                                                            \
    X(kp_gather_ring)                                                                              \
    X(kp_gather_torus)                                                                             \
    X(kp_gather_hierarchical)                                                                      \
    X(kp_one_to_one_direct)                                                                        \
    X(kp_one_to_one_hypercube_paths)                                                               \
    X(kp_one_to_one_hypercube_path)                                                                \
    X(kp_one_to_one_torus)                                                                         \
    X(kp_one_to_one_ring)                                                                          \
    X(kp_one_to_one_shared_memory)                                                                 \
    X(kp_indexv_direct)                                                                            \
    X(kp_indexv_radix)                                                                             \
    X(kp_indexv_padded)                                                                            \
    X(kp_concatv_circulant)                                                                        \
    X(kp_concatv_ring)                                                                             \
    X(kp_scatterv_direct)                                                                          \
    X(kp_scatterv_tree)                                                                            \
    X(kp_gatherv_direct)                                                                           \
    X(kp_gatherv_tree)                                                                             \
    X(kp_reduce_tree)                                                                              \
    X(kp_reduce_pipelined)                                                                         \
    X(kp_reduce_scatter_gather)                                                                    \
    X(kp_reduce_circulant)                                                                         \
    X(kp_reduce_ordered_tree)                                                                      \
    X(kp_reduce_hierarchical)                                                                      \
    X(kp_allreduce_recursive_doubling)                                                             \
    X(kp_allreduce_scatter_concat)                                                                 \
    X(kp_allreduce_tree)                                                                           \
    X(kp_allreduce_hierarchical)                                                                   \
    X(kp_allreduce_hierarchical_parallel)                                                          \
    X(kp_reduce_scatter_circulant)                                                                 \
    X(kp_reduce_scatter_halving)                                                                   \
    X(kp_reduce_scatter_ring)                                                                      \
    X(kp_reduce_scatter_pairwise)                                                                  \
    X(kp_reduce_scatter_hierarchical)                                                              \
    X(kp_reduce_scatter_hierarchical_parallel)                                                     \
    X(kp_reduce_scatterv_pairwise)                                                                 \
    X(kp_reduce_scatterv_circulant)                                                                \
    X(kp_reduce_scatterv_ring)                                                                     \
    X(kp_scan_doubling)                                                                            \
    X(kp_scan_exclusive_doubling)                                                                  \
    X(kp_barrier_dissemination)

#define KP_ALGORITHM_DECLARED(name) extern const kp_algorithm name;
KP_ALGORITHMS(KP_ALGORITHM_DECLARED)
#undef KP_ALGORITHM_DECLARED

#define KP_ALGORITHM_COUNTED(name) +1
enum {
    KP_LIBRARY_ALGORITHMS = KP_ALGORITHMS(KP_ALGORITHM_COUNTED)
};
#undef KP_ALGORITHM_COUNTED

/* The library's rows, in the order of the list above. */
extern const kp_algorithm *const kp_library_algorithms[KP_LIBRARY_ALGORITHMS];

#endif
