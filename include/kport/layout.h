/* This header declares layouts: where the data of a block lie, if they are not contiguous, and the
 * collective operations on blocks with layouts.
 *
 * A layout (MPI calls it a datatype) is a sequence of elements, each at an offset from an origin.
 * An element is a byte or a kp_type. The data of a layout are its elements in this order, without
 * gaps. The origin of a block is the address that the caller passes. Where a function takes a
 * layout, NULL stands for a byte.
 *
 * A layout also has an extent: the distance in bytes between the origins of two successive blocks.
 * It is the upper bound minus the lower bound. By default these bounds are where the first element
 * begins and the last one ends, by offset. There is no padding for alignment: for an array of
 * structs of C, kp_layout_resized sets the extent to sizeof the struct.
 *
 * Offsets, strides and lower bounds may be negative. Extents are 0 or more. Elements may overlap if
 * they are only read. A call refuses a layout with overlapping elements as a destination.
 *
 * A layout never changes. Any thread may call the functions that make, free and describe layouts,
 * and any number of threads may use one layout at the same time. A layout that is part of another
 * layout, or that a call or a plan uses, may be freed: each of these keeps what it needs.
 *
 * The functions that make a layout store it in `made`. They return 0 or a status, and then `made`
 * is NULL and the sentence is in kp_last_error: KP_EARGUMENT if an argument is invalid, or if an
 * offset or a length is beyond what memory can hold; KP_EMEMORY. */
#ifndef KPORT_LAYOUT_H
#define KPORT_LAYOUT_H

#include "collective.h"
#include "message.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kp_layout kp_layout;

/* Returns the layout of one element of the type, whose extent is its length. It need not be freed.
 * KP_OPAQUE and numbers that are no type give NULL, and set the error KP_EARGUMENT. */
KP_API const kp_layout *kp_layout_of(kp_type type);

/* `count` blocks of the layout `of`, one extent apart (MPI_Type_contiguous). */
KP_API int kp_layout_contiguous(size_t count, const kp_layout *of, kp_layout **made) KP_MUST_CHECK;

/* `count` groups of `length` blocks (MPI_Type_vector). The blocks of a group are one extent apart,
 * and the groups begin `stride` extents apart. A column of a matrix of doubles with `width` columns
 * and `height` rows is kp_layout_vector(height, 1, width, kp_layout_of(KP_FLOAT64), &column). */
KP_API int kp_layout_vector(size_t count, size_t length, ptrdiff_t stride, const kp_layout *of,
                            kp_layout **made) KP_MUST_CHECK;

/* `count` groups (MPI_Type_indexed). Group i has lengths[i] blocks, one extent apart, and begins
 * displacements[i] extents after the origin. If `lengths` is NULL, each group has one block. */
KP_API int kp_layout_indexed(size_t count, const size_t *lengths, const ptrdiff_t *displacements,
                             const kp_layout *of, kp_layout **made) KP_MUST_CHECK;

/* `count` fields (MPI_Type_create_struct). Field i has lengths[i] blocks of fields[i], one extent
 * of fields[i] apart, and begins displacements[i] bytes after the origin. If `lengths` is NULL,
 * each field has one block. */
KP_API int kp_layout_struct(size_t count, const size_t *lengths, const ptrdiff_t *displacements,
                            const kp_layout *const *fields, kp_layout **made) KP_MUST_CHECK;

/* The same data with other bounds (MPI_Type_create_resized). */
KP_API int kp_layout_resized(const kp_layout *of, ptrdiff_t lower, size_t extent,
                             kp_layout **made) KP_MUST_CHECK;

/* Frees a layout, which may be NULL. */
KP_API void kp_layout_free(kp_layout *layout);

/* `kp_layout_bytes` returns the length of the data. `kp_layout_lower` returns the lower bound, and
 * `kp_layout_extent` the extent. */
KP_API size_t kp_layout_bytes(const kp_layout *layout);
KP_API ptrdiff_t kp_layout_lower(const kp_layout *layout);
KP_API size_t kp_layout_extent(const kp_layout *layout);

/* Writes a description of the layout in at most `size` bytes including the final zero, such as
 * "vector(2048, 1, 2048, float64): 16384 bytes, 1 run, extent 33538056". A run is a regular pattern
 * of pieces of memory: copying takes time for the runs, and for the pieces. Returns the full
 * length, as snprintf does. A layout within a layout is cut to some 100 bytes. */
KP_API int kp_layout_format(const kp_layout *layout, char *text, size_t size);

/* --- Collective operations on blocks with layouts --- */

/* These are the calls of collective.h, with a count and a layout in place of a number of bytes. A
 * block is `count` repetitions of the layout, one extent apart. Block j of a buffer of n blocks
 * begins j * count extents after the buffer's address. kport leaves the memory between the elements
 * of incoming blocks unchanged.
 *
 * The data of all blocks must agree in their sequences of elements (their signatures): a float64
 * matches a float64, wherever the two lie, and a byte matches a byte only. The layouts and counts
 * may differ from member to member, and between `out` and `in`. A member that has no buffer `out`
 * or `in` in the operation (collective.h says which has) may pass NULL and any layout for it. In
 * one to one, every member's `in_count` and `in_layout` must agree with the signature, because all
 * members take part. A call with layouts matches only calls with layouts, even if a layout is a
 * byte: a member whose data are contiguous passes their type, or NULL, as its layout.
 *
 * As in collective.h, with KP_IN_PLACE the block lies in the other buffer, and its layout is that
 * of the other buffer. Elements of `in` must not overlap each other or elements of `out`; the
 * elements of the two buffers may alternate. Reductions take no layouts.
 *
 * Errors are those of collective.h. In addition the error is KP_EARGUMENT if elements overlap in a
 * destination, or if the data of `out` and `in` of this member have different signatures, and
 * KP_EMISMATCH if members have different signatures. The sentence names two calls with their
 * layouts. */
KP_API int kp_index_layout(kp_group *group, const void *out, size_t out_count,
                           const kp_layout *out_layout, void *in, size_t in_count,
                           const kp_layout *in_layout, const kp_hints *hints) KP_MUST_CHECK;
KP_API int kp_concat_layout(kp_group *group, const void *out, size_t out_count,
                            const kp_layout *out_layout, void *in, size_t in_count,
                            const kp_layout *in_layout, const kp_hints *hints) KP_MUST_CHECK;
KP_API int kp_broadcast_layout(kp_group *group, void *data, size_t count, const kp_layout *layout,
                               int root, const kp_hints *hints) KP_MUST_CHECK;
KP_API int kp_scatter_layout(kp_group *group, const void *out, size_t out_count,
                             const kp_layout *out_layout, void *in, size_t in_count,
                             const kp_layout *in_layout, int root,
                             const kp_hints *hints) KP_MUST_CHECK;
KP_API int kp_gather_layout(kp_group *group, const void *out, size_t out_count,
                            const kp_layout *out_layout, void *in, size_t in_count,
                            const kp_layout *in_layout, int root,
                            const kp_hints *hints) KP_MUST_CHECK;
KP_API int kp_one_to_one_layout(kp_group *group, const void *out, size_t out_count,
                                const kp_layout *out_layout, void *in, size_t in_count,
                                const kp_layout *in_layout, int root, int to,
                                const kp_hints *hints) KP_MUST_CHECK;

/* --- Blocks with layouts and lengths of their own --- */

/* These are the calls of lengths.h, with layouts. Counts are in repetitions of the layout, and
 * displacements in its extents. What is said of layouts above and of lengths in lengths.h holds
 * here, too: in particular, each sender's block has the signature of its receiver's block. */
KP_API int kp_indexv_layout(kp_group *group, const void *out, const size_t *out_counts,
                            const size_t *out_displacements, const kp_layout *out_layout, void *in,
                            const size_t *in_counts, const size_t *in_displacements,
                            const kp_layout *in_layout, const kp_hints *hints) KP_MUST_CHECK;
KP_API int kp_concatv_layout(kp_group *group, const void *out, size_t out_count,
                             const kp_layout *out_layout, void *in, const size_t *in_counts,
                             const size_t *in_displacements, const kp_layout *in_layout,
                             const kp_hints *hints) KP_MUST_CHECK;
KP_API int kp_scatterv_layout(kp_group *group, const void *out, const size_t *out_counts,
                              const size_t *out_displacements, const kp_layout *out_layout,
                              void *in, size_t in_count, const kp_layout *in_layout, int root,
                              const kp_hints *hints) KP_MUST_CHECK;
KP_API int kp_gatherv_layout(kp_group *group, const void *out, size_t out_count,
                             const kp_layout *out_layout, void *in, const size_t *in_counts,
                             const size_t *in_displacements, const kp_layout *in_layout, int root,
                             const kp_hints *hints) KP_MUST_CHECK;

/* kp_indexv_layout with a layout for each block (MPI_Alltoallw). Displacements are in bytes. If
 * `displacements` is NULL, each block begins count extents of its layout after the block before it.
 * The arrays of layouts have n entries, which may be NULL. With KP_IN_PLACE, kport ignores
 * out_layouts, too. The call matches kp_indexv_layout. */
KP_API int kp_indexw(kp_group *group, const void *out, const size_t *out_counts,
                     const size_t *out_displacements, const kp_layout *const *out_layouts, void *in,
                     const size_t *in_counts, const size_t *in_displacements,
                     const kp_layout *const *in_layouts, const kp_hints *hints) KP_MUST_CHECK;

/* --- Messages with tags --- */

/* These are the calls of message.h, with a count and a layout in place of a number of bytes. What
 * is said there holds here, too: order, waiting, requests, errors. A message has as many bytes as
 * its data, and the status tells this number.
 *
 * Sender and receiver may have different layouts. The receive may have more data than the message;
 * then the message fills whole blocks of it. The elements of the message must be those with which
 * the receive begins. A message of kp_send has bytes as its elements, and kp_receive takes bytes.
 * Otherwise the receive ends with KP_EMISMATCH. The error names both ends with layout, file and
 * line, no byte is written, and the message is gone; its send ends without an error, and the group
 * stays usable.
 *
 * A long message is copied once, from the sender's memory to the receiver's. A layout may be freed
 * while a request uses it. A receive refuses a layout with overlapping elements (KP_EARGUMENT). */
KP_API int kp_send_layout(kp_group *group, const void *data, size_t count, const kp_layout *layout,
                          int to, int tag) KP_MUST_CHECK;
KP_API int kp_receive_layout(kp_group *group, void *data, size_t count, const kp_layout *layout,
                             int from, int tag, kp_message_status *status) KP_MUST_CHECK;
KP_API int kp_exchange_messages_layout(kp_group *group, const void *out, size_t out_count,
                                       const kp_layout *out_layout, int to, int out_tag, void *in,
                                       size_t in_count, const kp_layout *in_layout, int from,
                                       int in_tag, kp_message_status *status) KP_MUST_CHECK;
KP_API int kp_send_layout_start(kp_group *group, const void *data, size_t count,
                                const kp_layout *layout, int to, int tag,
                                kp_request **request) KP_MUST_CHECK;
KP_API int kp_receive_layout_start(kp_group *group, void *data, size_t count,
                                   const kp_layout *layout, int from, int tag,
                                   kp_message_status *status, kp_request **request) KP_MUST_CHECK;

#ifndef KP_NO_CALL_SITES
#define kp_send_layout(...)    (kp_here(__FILE__, __LINE__), kp_send_layout(__VA_ARGS__))
#define kp_receive_layout(...) (kp_here(__FILE__, __LINE__), kp_receive_layout(__VA_ARGS__))
#define kp_exchange_messages_layout(...)                                                           \
    (kp_here(__FILE__, __LINE__), kp_exchange_messages_layout(__VA_ARGS__))
#define kp_send_layout_start(...) (kp_here(__FILE__, __LINE__), kp_send_layout_start(__VA_ARGS__))
#define kp_receive_layout_start(...)                                                               \
    (kp_here(__FILE__, __LINE__), kp_receive_layout_start(__VA_ARGS__))
#define kp_indexv_layout(...)     (kp_here(__FILE__, __LINE__), kp_indexv_layout(__VA_ARGS__))
#define kp_concatv_layout(...)    (kp_here(__FILE__, __LINE__), kp_concatv_layout(__VA_ARGS__))
#define kp_scatterv_layout(...)   (kp_here(__FILE__, __LINE__), kp_scatterv_layout(__VA_ARGS__))
#define kp_gatherv_layout(...)    (kp_here(__FILE__, __LINE__), kp_gatherv_layout(__VA_ARGS__))
#define kp_indexw(...)            (kp_here(__FILE__, __LINE__), kp_indexw(__VA_ARGS__))
#define kp_index_layout(...)      (kp_here(__FILE__, __LINE__), kp_index_layout(__VA_ARGS__))
#define kp_concat_layout(...)     (kp_here(__FILE__, __LINE__), kp_concat_layout(__VA_ARGS__))
#define kp_broadcast_layout(...)  (kp_here(__FILE__, __LINE__), kp_broadcast_layout(__VA_ARGS__))
#define kp_scatter_layout(...)    (kp_here(__FILE__, __LINE__), kp_scatter_layout(__VA_ARGS__))
#define kp_gather_layout(...)     (kp_here(__FILE__, __LINE__), kp_gather_layout(__VA_ARGS__))
#define kp_one_to_one_layout(...) (kp_here(__FILE__, __LINE__), kp_one_to_one_layout(__VA_ARGS__))
#endif

/* MPI's name for this call. */
#define kp_alltoallw(...) (KP_HERE_BY_MPI_NAME, (kp_indexw)(__VA_ARGS__))

#ifdef __cplusplus
}
#endif

#endif
