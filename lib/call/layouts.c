/* The public calls that move blocks with layouts. */
#include "kport/layout.h"

#include "lib/call/call.h"
#include "lib/layout/layout.h"

/* A buffer as the caller describes it. */
struct given {
    const void *data;
    size_t count;
    const kp_layout *layout;
};

static int call(kp_group *group, kp_operation operation, struct given out, struct given in,
                int root, int to, const kp_hints *hints)
{
    const kp_arguments a = {.operation = operation,
                            .out = out.data,
                            .in = (void *)in.data,
                            .out_layout = kp_layout_or_byte(out.layout),
                            .in_layout = kp_layout_or_byte(in.layout),
                            .out_count = out.count,
                            .in_count = in.count,
                            .root = root,
                            .to = to,
                            .hints = hints};
    return kp_call(group, &a);
}

int kp_index_layout(kp_group *group, const void *out, size_t out_count, const kp_layout *out_layout,
                    void *in, size_t in_count, const kp_layout *in_layout, const kp_hints *hints)
{
    return call(group, KP_INDEX, (struct given){out, out_count, out_layout},
                (struct given){in, in_count, in_layout}, 0, 0, hints);
}

int kp_concat_layout(kp_group *group, const void *out, size_t out_count,
                     const kp_layout *out_layout, void *in, size_t in_count,
                     const kp_layout *in_layout, const kp_hints *hints)
{
    return call(group, KP_CONCAT, (struct given){out, out_count, out_layout},
                (struct given){in, in_count, in_layout}, 0, 0, hints);
}

int kp_broadcast_layout(kp_group *group, void *data, size_t count, const kp_layout *layout,
                        int root, const kp_hints *hints)
{
    return call(group, KP_BROADCAST, (struct given){NULL, 0, NULL},
                (struct given){data, count, layout}, root, 0, hints);
}

int kp_scatter_layout(kp_group *group, const void *out, size_t out_count,
                      const kp_layout *out_layout, void *in, size_t in_count,
                      const kp_layout *in_layout, int root, const kp_hints *hints)
{
    return call(group, KP_SCATTER, (struct given){out, out_count, out_layout},
                (struct given){in, in_count, in_layout}, root, 0, hints);
}

int kp_gather_layout(kp_group *group, const void *out, size_t out_count,
                     const kp_layout *out_layout, void *in, size_t in_count,
                     const kp_layout *in_layout, int root, const kp_hints *hints)
{
    return call(group, KP_GATHER, (struct given){out, out_count, out_layout},
                (struct given){in, in_count, in_layout}, root, 0, hints);
}

int kp_one_to_one_layout(kp_group *group, const void *out, size_t out_count,
                         const kp_layout *out_layout, void *in, size_t in_count,
                         const kp_layout *in_layout, int root, int to, const kp_hints *hints)
{
    return call(group, KP_ONE_TO_ONE, (struct given){out, out_count, out_layout},
                (struct given){in, in_count, in_layout}, root, to, hints);
}

/* --- With lengths for every block --- */

/* A buffer as the caller describes it: with arrays, or with the count of one block. */
struct given_blocks {
    const void *data;
    size_t count;
    const size_t *counts, *displacements;
    const kp_layout *layout;
};

static int call_lengths(kp_group *group, kp_operation operation, struct given_blocks out,
                        struct given_blocks in, int root, const kp_hints *hints)
{
    const kp_arguments a = {.operation = operation,
                            .out = out.data,
                            .in = (void *)in.data,
                            .out_counts = out.counts,
                            .out_displacements = out.displacements,
                            .in_counts = in.counts,
                            .in_displacements = in.displacements,
                            .out_layout = kp_layout_or_byte(out.layout),
                            .in_layout = kp_layout_or_byte(in.layout),
                            .out_count = out.count,
                            .in_count = in.count,
                            .root = root,
                            .hints = hints};
    return kp_lengths_call(group, &a);
}

int kp_indexv_layout(kp_group *group, const void *out, const size_t *out_counts,
                     const size_t *out_displacements, const kp_layout *out_layout, void *in,
                     const size_t *in_counts, const size_t *in_displacements,
                     const kp_layout *in_layout, const kp_hints *hints)
{
    return call_lengths(
        group, KP_INDEXV, (struct given_blocks){out, 0, out_counts, out_displacements, out_layout},
        (struct given_blocks){in, 0, in_counts, in_displacements, in_layout}, 0, hints);
}

int kp_concatv_layout(kp_group *group, const void *out, size_t out_count,
                      const kp_layout *out_layout, void *in, const size_t *in_counts,
                      const size_t *in_displacements, const kp_layout *in_layout,
                      const kp_hints *hints)
{
    return call_lengths(
        group, KP_CONCATV, (struct given_blocks){out, out_count, NULL, NULL, out_layout},
        (struct given_blocks){in, 0, in_counts, in_displacements, in_layout}, 0, hints);
}

int kp_scatterv_layout(kp_group *group, const void *out, const size_t *out_counts,
                       const size_t *out_displacements, const kp_layout *out_layout, void *in,
                       size_t in_count, const kp_layout *in_layout, int root, const kp_hints *hints)
{
    return call_lengths(group, KP_SCATTERV,
                        (struct given_blocks){out, 0, out_counts, out_displacements, out_layout},
                        (struct given_blocks){in, in_count, NULL, NULL, in_layout}, root, hints);
}

int kp_gatherv_layout(kp_group *group, const void *out, size_t out_count,
                      const kp_layout *out_layout, void *in, const size_t *in_counts,
                      const size_t *in_displacements, const kp_layout *in_layout, int root,
                      const kp_hints *hints)
{
    return call_lengths(
        group, KP_GATHERV, (struct given_blocks){out, out_count, NULL, NULL, out_layout},
        (struct given_blocks){in, 0, in_counts, in_displacements, in_layout}, root, hints);
}

int kp_indexw(kp_group *group, const void *out, const size_t *out_counts,
              const size_t *out_displacements, const kp_layout *const *out_layouts, void *in,
              const size_t *in_counts, const size_t *in_displacements,
              const kp_layout *const *in_layouts, const kp_hints *hints)
{
    const kp_arguments a = {.operation = KP_INDEXV,
                            .out = out,
                            .in = in,
                            .out_counts = out_counts,
                            .out_displacements = out_displacements,
                            .in_counts = in_counts,
                            .in_displacements = in_displacements,
                            .out_layout = kp_layout_or_byte(NULL),
                            .out_layouts = out_layouts,
                            .in_layouts = in_layouts,
                            .hints = hints};
    return kp_lengths_call(group, &a);
}
