/* Misuse of layouts, and of the collectives on blocks with layouts. */
#include "tests/misuse/misuse.h"

#include <stdint.h>

/* --- Making layouts --- */

/* Makes a layout that cannot be. A function that returned 0 or stored a layout is an error of this
 * test. */
#define MAKING(name, ...)                                                                          \
    static int name(void)                                                                          \
    {                                                                                              \
        const ptrdiff_t far[] = {PTRDIFF_MAX};                                                     \
        const kp_layout *const fields[] = {NULL};                                                  \
        kp_layout *made = NULL;                                                                    \
        (void)far, (void)fields;                                                                   \
        const int status = __VA_ARGS__;                                                            \
        return made ? 1 : status;                                                                  \
    }

MAKING(no_place, kp_layout_contiguous(1, NULL, NULL))
MAKING(too_long, kp_layout_contiguous(SIZE_MAX, NULL, &made))
MAKING(stride_far, kp_layout_vector(2, 1, PTRDIFF_MAX, NULL, &made))
MAKING(no_displacements, kp_layout_indexed(2, NULL, NULL, NULL, &made))
MAKING(displaced_far, kp_layout_indexed(1, NULL, far, NULL, &made))
MAKING(no_fields, kp_layout_struct(1, NULL, far, NULL, &made))
MAKING(struct_far, kp_layout_struct(1, NULL, far, fields, &made))
MAKING(lower_far, kp_layout_resized(NULL, PTRDIFF_MIN, 1, &made))

static int opaque(void)
{
    return misuse_told(!kp_layout_of(KP_OPAQUE));
}

/* --- Calls --- */

#define AMONG(name, ...)                                                                           \
    static int name(struct scene *s)                                                               \
    {                                                                                              \
        const bool wrong = s->wrong;                                                               \
        kp_layout *flat = NULL;                                                                    \
        const kp_layout *of = kp_layout_of(KP_FLOAT64);                                            \
        if (kp_layout_resized(of, 0, 0, &flat))                                                    \
            return 1;                                                                              \
        const int status = __VA_ARGS__;                                                            \
        kp_layout_free(flat);                                                                      \
        (void)wrong;                                                                               \
        return status;                                                                             \
    }

AMONG(out_null, kp_index_layout(s->group, wrong ? NULL : s->out, 1, of, s->in, 1, of, NULL))
AMONG(in_null, kp_concat_layout(s->group, s->out, 1, of, wrong ? NULL : s->in, 1, of, NULL))
AMONG(data_null, kp_broadcast_layout(s->group, wrong ? NULL : s->in, 1, of, 0, NULL))
AMONG(count_far,
      kp_gather_layout(s->group, s->out, wrong ? SIZE_MAX : 1, of, s->in, 1, of, 0, NULL))
AMONG(unlike, kp_scatter_layout(s->group, s->out, wrong ? 2 : 1, of, s->in, 1, of, 0, NULL))
AMONG(written_twice, kp_concat_layout(s->group, s->out, 2, of, s->in, 2, wrong ? flat : of, NULL))
AMONG(not_apart, kp_concat_layout(s->group, wrong ? s->in : s->out, 1, of, s->in, 1, of, NULL))
AMONG(no_such_target,
      kp_one_to_one_layout(s->group, s->out, 1, of, s->in, 1, of, 0, wrong ? 3 : 0, NULL))

/* --- With lengths for every block --- */

static const size_t ones[MEMBERS] = {1, 1, 1}, same[MEMBERS];

AMONG(no_counts, kp_indexv_layout(s->group, s->out, wrong ? NULL : ones, NULL, of, s->in, ones,
                                  NULL, of, NULL))
AMONG(v_null,
      kp_concatv_layout(s->group, wrong ? NULL : s->out, 1, of, s->in, ones, NULL, of, NULL))
AMONG(v_far, kp_scatterv_layout(s->group, s->out, ones, NULL, of, s->in, wrong ? SIZE_MAX : 1, of,
                                0, NULL))
AMONG(v_twice, kp_gatherv_layout(s->group, s->out, 1, of, s->in, ones, wrong ? same : NULL, of,
                                 wrong ? kp_rank(s->group) : 0, NULL))
AMONG(w_twice,
      kp_indexw(s->group, s->out, ones, NULL, NULL, s->in, ones, wrong ? same : NULL, NULL, NULL))

/* --- Plans --- */

static int make(struct scene *s, const kp_arguments *a)
{
    kp_plan *plan = NULL;
    if (!s->wrong)
        return KP_OK;
    const int status = kp_plan_make(s->group, a, &plan);
    return plan ? 1 : status;
}

#define PLAN(name, ...)                                                                            \
    static int name(struct scene *s)                                                               \
    {                                                                                              \
        return make(s, &(kp_arguments){.out = s->out, .in = s->in, __VA_ARGS__});                  \
    }

PLAN(both, .operation = KP_INDEX, .b = 8, .in_layout = kp_layout_of(KP_FLOAT64), .in_count = 1)
PLAN(reduced, .operation = KP_ALLREDUCE, .count = 1, .type = KP_FLOAT64, .op = KP_SUM,
     .in_layout = kp_layout_of(KP_FLOAT64))
PLAN(bare, .operation = KP_INDEX, .b = 8, .in_count = 1)

#define BEYOND                                                                                     \
    "the layout would have offsets or data beyond what memory can hold; 2305843009213693951 "      \
    "bytes from its origin they may be"
#define IN_TWICE                                                                                   \
    "elements of incoming blocks overlap each other, or elements of outgoing blocks "              \
    "(to use one buffer for both, pass KP_IN_PLACE)"

/* Messages: no other member learns of it. */
#define MESSAGE(name, ...)                                                                         \
    static int name(struct scene *s)                                                               \
    {                                                                                              \
        kp_layout *flat = NULL;                                                                    \
        const kp_layout *of = kp_layout_of(KP_FLOAT64);                                            \
        if (!s->wrong)                                                                             \
            return KP_OK;                                                                          \
        if (kp_layout_resized(of, 0, 0, &flat))                                                    \
            return 1;                                                                              \
        const int status = __VA_ARGS__;                                                            \
        kp_layout_free(flat);                                                                      \
        return status;                                                                             \
    }

MESSAGE(send_far, kp_send_layout(s->group, s->out, SIZE_MAX, of, 0, 1))
MESSAGE(receive_twice, kp_receive_layout(s->group, s->in, 2, flat, 0, 1, NULL))
MESSAGE(exchange_null,
        kp_exchange_messages_layout(s->group, NULL, 1, of, 0, 1, s->in, 1, of, 0, 1, NULL))
MESSAGE(send_start_no_place, kp_send_layout_start(s->group, s->out, 1, of, 0, 1, NULL))
MESSAGE(receive_start_no_place, kp_receive_layout_start(s->group, s->in, 1, of, 0, 1, NULL, NULL))

const struct misuse misuses_of_layouts[] = {
    {"`kp_layout_of`", "the type is opaque, or none", KP_EARGUMENT,
     "type is 10 (opaque); a layout may have elements of any other type", .alone = opaque},
    {"every `kp_layout_...` that makes one", "`made` is NULL", KP_EARGUMENT,
     "made is NULL; it must be where the layout goes", .alone = no_place},
    {"`kp_layout_contiguous`", "the data are too long", KP_EARGUMENT, BEYOND, .alone = too_long},
    {"`kp_layout_vector`", "an offset is too far away", KP_EARGUMENT, BEYOND, .alone = stride_far},
    {"`kp_layout_indexed`", "`displacements` is NULL", KP_EARGUMENT,
     "displacements is NULL; it must be an array of 2", .alone = no_displacements},
    {"`kp_layout_indexed`", "a displacement is too far away", KP_EARGUMENT, BEYOND,
     .alone = displaced_far},
    {"`kp_layout_struct`", "`fields` is NULL", KP_EARGUMENT,
     "fields is NULL; it must be an array of 1", .alone = no_fields},
    {"`kp_layout_struct`", "a displacement is too far away", KP_EARGUMENT, BEYOND,
     .alone = struct_far},
    {"`kp_layout_resized`", "a bound is too far away", KP_EARGUMENT, BEYOND, .alone = lower_far},
    {"`kp_index_layout`", "`out` is NULL", KP_EARGUMENT,
     "out is NULL; only with 0 bytes it may be NULL", .among = out_null, .others = KP_EPEER},
    {"`kp_concat_layout`", "`in` is NULL", KP_EARGUMENT,
     "in is NULL; only with 0 bytes it may be NULL", .among = in_null, .others = KP_EPEER},
    {"`kp_broadcast_layout`", "`data` is NULL", KP_EARGUMENT,
     "data is NULL; only with 0 bytes it may be NULL", .among = data_null, .others = KP_EPEER},
    {"`kp_gather_layout`", "a count is too large", KP_EARGUMENT,
     "out_count is 18446744073709551615; 1 block of so many float64 reach beyond what "
     "memory can hold",
     .among = count_far, .others = KP_EPEER},
    {"`kp_scatter_layout`", "the two buffers' data have different signatures", KP_EARGUMENT,
     "out is 2 float64 (16 bytes), but in is 1 float64 (8 bytes): their signatures differ",
     .among = unlike, .others = KP_EPEER},
    {"`kp_concat_layout`", "elements of `in` overlap", KP_EARGUMENT,
     "in is 3 blocks of 2 resized(0, 0, float64), extent 0: elements overlap, so they may be read "
     "but not written",
     .among = written_twice, .others = KP_EPEER},
    {"`kp_concat_layout`", "elements of `out` and `in` overlap", KP_EARGUMENT,
     "elements of out and in overlap (to use one buffer for both, pass KP_IN_PLACE)",
     .among = not_apart, .others = KP_EPEER},
    {"`kp_one_to_one_layout`", "`to` is no member", KP_EARGUMENT, "to is 3; it may be 0 ... 2",
     .among = no_such_target, .others = KP_EPEER},
    {"`kp_indexv_layout`", "an array of counts is NULL", KP_EARGUMENT,
     "out_counts is NULL; it must be an array with a count for every member", .among = no_counts,
     .others = KP_EPEER},
    {"`kp_concatv_layout`", "`out` is NULL", KP_EARGUMENT,
     "out is NULL; only with 0 bytes it may be NULL", .among = v_null, .others = KP_EPEER},
    {"`kp_scatterv_layout`", "a count is too large", KP_EARGUMENT,
     "block 0 of in (18446744073709551615 float64, displacement 0) reaches beyond what memory can "
     "hold",
     .among = v_far, .others = KP_EPEER},
    {"`kp_gatherv_layout`", "incoming blocks overlap", KP_EARGUMENT, IN_TWICE, .among = v_twice,
     .others = KP_EPEER},
    {"`kp_indexw`", "incoming blocks overlap", KP_EARGUMENT, IN_TWICE, .among = w_twice,
     .others = KP_EPEER},
    {"`kp_plan_make`", "`b` is given with layouts", KP_EARGUMENT,
     "b is 8; with layouts it may be 0", .among = both},
    {"`kp_plan_make`", "a reduction is given a layout", KP_EARGUMENT,
     "a layout is given, but allreduce has none", .among = reduced},
    {"`kp_plan_make`", "a count is given without a layout", KP_EARGUMENT,
     "out_count or in_count, without a layout, is given, but index has none", .among = bare},
    {"`kp_send_layout`", "a count is too large", KP_EARGUMENT,
     "count is 18446744073709551615; so many blocks float64 reach beyond what memory can hold",
     .among = send_far},
    {"`kp_receive_layout`", "elements of the layout overlap", KP_EARGUMENT,
     "elements of data overlap in 2 blocks resized(0, 0, float64); a message may be received where "
     "no two elements lie at one place",
     .among = receive_twice},
    {"`kp_exchange_messages_layout`", "`out` is NULL", KP_EARGUMENT,
     "out is NULL with 1 blocks float64; only with 0 blocks it may be NULL",
     .among = exchange_null},
    {"`kp_send_layout_start`", "`request` is NULL", KP_EARGUMENT,
     "request is NULL; it must be where the request goes", .among = send_start_no_place},
    {"`kp_receive_layout_start`", "`request` is NULL", KP_EARGUMENT,
     "request is NULL; it must be where the request goes", .among = receive_start_no_place},
    {NULL}};
