/* Calls that combine operands: predefined operators on predefined types, and operators of the
 * program on types of the program. */
#include "differential.h"

#include <complex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How operands are made: so that no result depends on the order of the combinations. */
enum fill {
    FILL_BYTES,   /* any bytes */
    FILL_BOOLEAN, /* every byte is 0 or 1 */
    FILL_FLOAT,   /* small whole numbers */
    FILL_DOUBLE,
    FILL_FLOAT_INT, /* a small number, so that many are equal, and a place */
    FILL_DOUBLE_INT,
    FILL_SHORT_INT,
    FILL_LONG_INT,
    FILL_2INT
};

enum operators {
    ARITHMETIC = 1, /* sum, product, minimum, maximum */
    LOGICAL = 2,
    BITS = 4,
    PLACES = 8, /* minimum and maximum with their places */
    SUM = 16    /* (the sign of a product of complex zeros depends on the order) */
};

struct kind {
    MPI_Datatype type;
    enum fill fill;
    int operators;
};

static struct kind kinds[32];
static int kind_count;

/* The program's operators. */
enum {
    MATRICES,    /* not commutative; dense elements */
    GAPS,        /* commutative; an element with a gap */
    SHIFTED,     /* not commutative; a lower bound, and elements far apart */
    INTERLEAVED, /* commutative; an element begins before the end of the last */
    OWN
};
static MPI_Op own_ops[OWN];
static MPI_Datatype own_types[OWN];

static void times(void *left, void *right, int *count, MPI_Datatype *type)
{
    uint32_t *a = left, *b = right;
    (void)type;
    for (int i = 0; i < *count; i++, a += 4, b += 4) {
        const uint32_t c[] = {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3],
                              a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]};
        memcpy(b, c, sizeof c);
    }
}

static void add_gaps(void *left, void *right, int *count, MPI_Datatype *type)
{
    MPI_Aint lb, extent;
    MPI_Type_get_extent(*type, &lb, &extent);
    for (int i = 0; i < *count; i++) {
        uint32_t *a = (void *)((char *)left + i * extent),
                 *b = (void *)((char *)right + i * extent);
        b[0] += a[0];
        b[2] += a[2];
    }
}

/* (a, c) and then (b, d): x -> a x + c -> b (a x + c) + d. */
static void compose(void *left, void *right, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++) {
        uint32_t *a = (void *)((char *)left + 32 * i + 8),
                 *b = (void *)((char *)right + 32 * i + 8);
        b[2] = b[0] * a[2] + b[2];
        b[0] = b[0] * a[0];
    }
}

static void kind_add(MPI_Datatype type, enum fill fill, int operators)
{
    kinds[kind_count++] = (struct kind){type, fill, operators};
}

static void predefined_begin(void)
{
    const int all = ARITHMETIC | LOGICAL | BITS;
    kind_add(MPI_INT, FILL_BYTES, all);
    kind_add(MPI_LONG, FILL_BYTES, all);
    /* Sums of short types end at the largest number in Open MPI 4.1, and begin again in kport.
     * MPICH 4.0 compares large unsigned numbers as negative ones. */
    const MPI_Datatype small[] = {MPI_SHORT,    MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR,
                                  MPI_UINT16_T, MPI_UNSIGNED,    MPI_UNSIGNED_LONG_LONG};
    for (int i = 0; i < 6; i++) {
        kind_add(small[i], FILL_BYTES, LOGICAL | BITS);
        kind_add(small[i], FILL_BOOLEAN, ARITHMETIC);
    }
    kind_add(MPI_INT64_T, FILL_BYTES, all);
    kind_add(MPI_AINT, FILL_BYTES, ARITHMETIC);
    kind_add(MPI_BYTE, FILL_BYTES, BITS);
    kind_add(MPI_C_BOOL, FILL_BOOLEAN, LOGICAL);
    kind_add(MPI_FLOAT, FILL_FLOAT, ARITHMETIC);
    kind_add(MPI_DOUBLE, FILL_DOUBLE, ARITHMETIC);
    kind_add(MPI_C_DOUBLE_COMPLEX, FILL_DOUBLE, SUM);
    kind_add(MPI_FLOAT_INT, FILL_FLOAT_INT, PLACES);
    kind_add(MPI_DOUBLE_INT, FILL_DOUBLE_INT, PLACES);
    kind_add(MPI_SHORT_INT, FILL_SHORT_INT, PLACES);
    kind_add(MPI_LONG_INT, FILL_LONG_INT, PLACES);
    kind_add(MPI_2INT, FILL_2INT, PLACES);
}

void combining_begin(void)
{
    MPI_Datatype inner;
    predefined_begin();
    MPI_Op_create(times, 0, &own_ops[MATRICES]);
    MPI_Type_contiguous(4, MPI_UINT32_T, &own_types[MATRICES]);
    MPI_Op_create(add_gaps, 1, &own_ops[GAPS]);
    MPI_Type_vector(2, 1, 2, MPI_UINT32_T, &own_types[GAPS]);
    MPI_Op_create(compose, 0, &own_ops[SHIFTED]);
    MPI_Type_create_indexed_block(2, 1, (int[]){2, 4}, MPI_UINT32_T, &inner);
    MPI_Type_create_resized(inner, -4, 32, &own_types[SHIFTED]);
    MPI_Type_free(&inner);
    MPI_Op_create(add_gaps, 1, &own_ops[INTERLEAVED]);
    MPI_Type_create_resized(own_types[GAPS], 0, 4, &own_types[INTERLEAVED]);
    for (int i = 0; i < OWN; i++)
        MPI_Type_commit(&own_types[i]);
}

void combining_end(void)
{
    for (int i = 0; i < OWN; i++) {
        MPI_Op_free(&own_ops[i]);
        MPI_Type_free(&own_types[i]);
    }
}

static MPI_Op op_draw(struct dice *dice, int operators)
{
    const MPI_Op ops[] = {MPI_SUM,  MPI_PROD, MPI_MIN, MPI_MAX,  MPI_LAND,   MPI_LOR,
                          MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR, MPI_MINLOC, MPI_MAXLOC};
    const int classes[] = {SUM | ARITHMETIC, ARITHMETIC, ARITHMETIC, ARITHMETIC, LOGICAL, LOGICAL,
                           LOGICAL,          BITS,       BITS,       BITS,       PLACES,  PLACES};
    int i;
    do
        i = draw(&dice->common, 0, 11);
    while (!(classes[i] & operators));
    return ops[i];
}

static void put(char *to, const void *value, size_t bytes)
{
    memcpy(to, value, bytes);
}

static void fill_one(char *to, enum fill fill, struct dice *dice)
{
    const int number = draw(&dice->own, 1, 3), place = draw(&dice->own, 0, 99);
    const float f = (float)number;
    const double d = number;
    const short s = (short)number;
    const long l = number;
    if (fill == FILL_FLOAT || fill == FILL_FLOAT_INT)
        put(to, &f, sizeof f);
    else if (fill == FILL_DOUBLE || fill == FILL_DOUBLE_INT)
        put(to, &d, sizeof d);
    else if (fill == FILL_SHORT_INT)
        put(to, &s, sizeof s);
    else if (fill == FILL_LONG_INT)
        put(to, &l, sizeof l);
    else if (fill == FILL_2INT)
        put(to, &number, sizeof number);
    if (fill >= FILL_FLOAT_INT)
        put(to + (fill == FILL_DOUBLE_INT || fill == FILL_LONG_INT ? 8 : 4), &place, sizeof place);
}

static void fill(struct room *room, const struct kind *kind, struct dice *dice)
{
    const size_t each = kind->fill == FILL_FLOAT        ? 4
                        : kind->fill == FILL_DOUBLE     ? 8
                        : kind->fill <= FILL_BOOLEAN    ? 1
                        : kind->fill == FILL_DOUBLE_INT ? 16
                        : kind->fill == FILL_LONG_INT   ? 16
                                                        : 8;
    for (char *at = room->user; at + each <= room->memory + room->bytes; at += each) {
        if (kind->fill == FILL_BOOLEAN)
            *at = (char)draw(&dice->own, 0, 1);
        else if (kind->fill > FILL_BOOLEAN)
            fill_one(at, kind->fill, dice);
    }
}

/* Returns whether two buffers have the same elements, and the first is what it was around them. */
static bool same(MPI_Datatype type, int count, const struct room *got, const struct room *wanted,
                 const struct room *before)
{
    int size, position = 0;
    MPI_Type_size(type, &size);
    size *= count;
    char *one = malloc((size_t)size + 1), *two = malloc((size_t)size + 1);
    PMPI_Pack(got->user, count, type, one, size, &position, MPI_COMM_SELF);
    position = 0;
    PMPI_Pack(wanted->user, count, type, two, size, &position, MPI_COMM_SELF);
    bool equal = memcmp(one, two, (size_t)size) == 0;
    struct room around = room_copy(before);
    position = 0;
    PMPI_Unpack(one, size, &position, around.user, count, type, MPI_COMM_SELF);
    equal = equal && room_same(got, &around);
    room_free(&around);
    free(one);
    free(two);
    return equal;
}

static bool scatters(const struct call *call)
{
    return call->operation == REDUCE_SCATTER || call->operation == REDUCE_SCATTER_BLOCK;
}

static void arguments(struct call *call, struct dice *dice, const struct kind *kind, int own)
{
    const int most = own == INTERLEAVED                                        ? 2
                     : draw(&dice->common, 0, 9) || (own >= 0 && MPI_IS_MPICH) ? 20
                                                                               : 5000;
    const int equal = draw(&dice->common, 0, 2);
    call->recv_count = draw(&dice->common, 0, scatters(call) && own == INTERLEAVED ? 0 : most);
    for (int i = 0; i < call->n; i++)
        call->recv_counts[i] =
            equal == 0 || own == INTERLEAVED ? call->recv_count : draw(&dice->common, 0, 20);
    call->recv_type = kind->type;
    /* MPICH 4.0 reads from MPI_IN_PLACE if there are more than 2 KiB. */
    if (call->operation == REDUCE && call->in_place && MPI_IS_MPICH)
        call->recv_count %= 64;
}

bool try_combining(struct call *call, struct dice *dice)
{
    int own = draw(&dice->common, 0, 2) == 0 ? draw(&dice->common, 0, OWN - 1) : -1;
    /* MPICH 4.0 writes beyond its memory in MPI_Reduce_scatter if there is a lower bound. */
    if (own == SHIFTED && scatters(call) && MPI_IS_MPICH)
        own = MATRICES;
    struct kind kind = kinds[draw(&dice->common, 0, kind_count - 1)];
    call->op = op_draw(dice, kind.operators);
    if (own >= 0) {
        kind = (struct kind){own_types[own], FILL_BYTES, 0};
        call->op = own_ops[own];
    }
    arguments(call, dice, &kind, own);
    int sent = call->recv_count, got = call->recv_count;
    if (call->operation == REDUCE_SCATTER_BLOCK)
        sent *= call->n;
    if (call->operation == REDUCE_SCATTER) {
        sent = 0;
        got = call->recv_counts[call->rank];
        for (int i = 0; i < call->n; i++)
            sent += call->recv_counts[i];
    }
    struct room send = room_make(kind.type, sent, &dice->own),
                recv = room_make(kind.type, sent, &dice->own);
    fill(&send, &kind, dice);
    fill(&recv, &kind, dice);
    struct room kept = room_copy(&send), other = room_copy(&recv), before = room_copy(&recv);
    call->send = send.user;
    call->recv = recv.user;
    bool right = make_call(call, false) == MPI_SUCCESS;
    right = right && room_same(&send, &kept);
    call->recv = other.user;
    right = make_call(call, true) == MPI_SUCCESS && right;
    const bool gets = call->operation == REDUCE   ? call->rank == call->root
                      : call->operation == EXSCAN ? call->rank > 0
                                                  : true;
    right = right && same(kind.type, gets ? got : 0, &recv, &other, &before);
    room_free(&send);
    room_free(&recv);
    room_free(&kept);
    room_free(&other);
    room_free(&before);
    return right;
}
