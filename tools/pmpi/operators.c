/* Operators of reductions. Where kport has the same operator on the same type, it is taken.
 * Otherwise the MPI combines (MPI_Reduce_local), on cells that kport moves as they are.
 *
 * A cell has the bytes of an element from its true lower bound on. Cells of an element without gaps
 * lie at the program's addresses. Elements with gaps are copied, because a gap of the program's
 * buffer may be memory of something else. */
#include "pmpi.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

/* --- What kport has --- */

#define INTEGER(bits_type, is_signed)                                                              \
    (sizeof(bits_type) == 1   ? ((is_signed) ? KP_INT8 : KP_UINT8)                                 \
     : sizeof(bits_type) == 2 ? ((is_signed) ? KP_INT16 : KP_UINT16)                               \
     : sizeof(bits_type) == 4 ? ((is_signed) ? KP_INT32 : KP_UINT32)                               \
                              : ((is_signed) ? KP_INT64 : KP_UINT64))

static const struct {
    MPI_Datatype mpi;
    kp_type kport;
} types[] = {
    {MPI_DOUBLE, KP_FLOAT64},
    {MPI_FLOAT, KP_FLOAT32},
    {MPI_INT, INTEGER(int, true)},
    {MPI_LONG, INTEGER(long, true)},
    {MPI_LONG_LONG, INTEGER(long long, true)},
    {MPI_SHORT, INTEGER(short, true)},
    {MPI_SIGNED_CHAR, KP_INT8},
    {MPI_UNSIGNED, INTEGER(unsigned, false)},
    {MPI_UNSIGNED_LONG, INTEGER(unsigned long, false)},
    {MPI_UNSIGNED_LONG_LONG, INTEGER(unsigned long long, false)},
    {MPI_UNSIGNED_SHORT, INTEGER(unsigned short, false)},
    {MPI_UNSIGNED_CHAR, KP_UINT8},
    {MPI_INT8_T, KP_INT8},
    {MPI_INT16_T, KP_INT16},
    {MPI_INT32_T, KP_INT32},
    {MPI_INT64_T, KP_INT64},
    {MPI_UINT8_T, KP_UINT8},
    {MPI_UINT16_T, KP_UINT16},
    {MPI_UINT32_T, KP_UINT32},
    {MPI_UINT64_T, KP_UINT64},
    {MPI_AINT, INTEGER(MPI_Aint, true)},
    {MPI_COUNT, INTEGER(MPI_Count, true)},
    {MPI_OFFSET, INTEGER(MPI_Offset, true)},
};

/* The predefined operators. `kport` is KP_BUILTINS where kport has none. */
static const struct {
    MPI_Op mpi;
    const char *name;
    kp_builtin kport;
    bool floats; /* MPI defines the operator for floating-point types */
} operators[] = {
    {MPI_SUM, "MPI_SUM", KP_BUILTIN_SUM, true},
    {MPI_MAX, "MPI_MAX", KP_BUILTIN_MAXIMUM, true},
    {MPI_MIN, "MPI_MIN", KP_BUILTIN_MINIMUM, true},
    {MPI_PROD, "MPI_PROD", KP_BUILTIN_PRODUCT, true},
    {MPI_LAND, "MPI_LAND", KP_BUILTIN_LOGICAL_AND, false},
    {MPI_LOR, "MPI_LOR", KP_BUILTIN_LOGICAL_OR, false},
    {MPI_LXOR, "MPI_LXOR", KP_BUILTIN_LOGICAL_XOR, false},
    {MPI_BAND, "MPI_BAND", KP_BUILTIN_BIT_AND, false},
    {MPI_BOR, "MPI_BOR", KP_BUILTIN_BIT_OR, false},
    {MPI_BXOR, "MPI_BXOR", KP_BUILTIN_BIT_XOR, false},
    {MPI_MAXLOC, "MPI_MAXLOC", KP_BUILTINS, false},
    {MPI_MINLOC, "MPI_MINLOC", KP_BUILTINS, false},
    {MPI_REPLACE, "MPI_REPLACE", KP_BUILTINS, false},
    {MPI_NO_OP, "MPI_NO_OP", KP_BUILTINS, false},
};
enum {
    TYPES = sizeof types / sizeof types[0],
    OPERATORS = sizeof operators / sizeof operators[0]
};

/* Returns the operator's row, or OPERATORS for one of the program. */
static int row_of(MPI_Op op)
{
    int i = 0;
    while (i < OPERATORS && operators[i].mpi != op)
        i++;
    return i;
}

/* Returns the type's row, or TYPES if kport has no such type. */
static int type_row_of(MPI_Datatype type)
{
    int i = 0;
    while (i < TYPES && types[i].mpi != type)
        i++;
    return i;
}

/* Takes the operator of kport, if there is the same one for the type. */
static bool take_builtin(struct pm_terms *terms, int row)
{
    const int i = type_row_of(terms->kind.type);
    if (i == TYPES || operators[row].kport == KP_BUILTINS)
        return false;
    const bool floats = types[i].kport == KP_FLOAT32 || types[i].kport == KP_FLOAT64;
    if (floats && !operators[row].floats)
        return false;
    terms->type = types[i].kport;
    terms->combiner = &kp_builtin_operators[operators[row].kport];
    return true;
}

/* --- What the MPI has --- */

/* Asks the MPI whether it applies a predefined operator to a predefined type, by applying it to one
 * element. MPI reports an error in that at MPI_COMM_WORLD or MPI_COMM_SELF. */
static bool ask(MPI_Op op, const struct pm_kind *kind)
{
    const MPI_Comm comms[] = {MPI_COMM_WORLD, MPI_COMM_SELF};
    MPI_Errhandler kept[2];
    _Alignas(64) char in[64] = {0}, inout[64] = {0};
    if (kind->true_lb != 0 || kind->extent > (MPI_Aint)sizeof in)
        return false;
    for (int i = 0; i < 2; i++) {
        (void)PMPI_Comm_get_errhandler(comms[i], &kept[i]);
        (void)PMPI_Comm_set_errhandler(comms[i], MPI_ERRORS_RETURN);
    }
    const bool applies = PMPI_Reduce_local(in, inout, 1, kind->type, op) == MPI_SUCCESS;
    for (int i = 0; i < 2; i++) {
        (void)PMPI_Comm_set_errhandler(comms[i], kept[i]);
        (void)PMPI_Errhandler_free(&kept[i]);
    }
    return applies;
}

/* Returns whether a predefined operator that kport has not applies to a type. MPI defines the rows
 * of `operators` for all types of `types` that take_builtin takes, and for no others of them; MPICH
 * ends the program if it is asked for a logical operator on a double. For the other types the MPI
 * is asked, once. */
static bool applies(int row, const struct pm_kind *kind)
{
    const MPI_Op op = operators[row].mpi;
    static struct {
        MPI_Op op;
        MPI_Datatype type;
        bool applies;
    } answers[64];
    static int known, next;
    if (!kind->named || type_row_of(kind->type) < TYPES)
        return false;
    for (int i = 0; i < known; i++) {
        if (answers[i].op == op && answers[i].type == kind->type)
            return answers[i].applies;
    }
    const int room = (int)(sizeof answers / sizeof answers[0]);
    const int place = next++ % room;
    known = known < room ? known + 1 : room;
    answers[place].op = op;
    answers[place].type = kind->type;
    answers[place].applies = ask(op, kind);
    return answers[place].applies;
}

/* --- Combining cells by the MPI --- */

#define SPARE_BYTES 16384

static struct {
    MPI_Op op;
    struct pm_kind kind;
    size_t cell;
    bool whole;
    char *spare;
    size_t spare_cells;
    int code;
} combining;

/* Computes inout[i] = in[i] op inout[i]. */
static void reduce_local(const char *in, char *inout, size_t count)
{
    const size_t most = combining.whole ? INT_MAX : 1;
    while (count > 0) {
        const size_t now = count < most ? count : most;
        int code = PMPI_Reduce_local((char *)((MPI_Aint)in - combining.kind.true_lb),
                                     (char *)((MPI_Aint)inout - combining.kind.true_lb), (int)now,
                                     combining.kind.type, combining.op);
        if (code != MPI_SUCCESS)
            combining.code = code;
        in += now * combining.cell;
        inout += now * combining.cell;
        count -= now;
    }
}

static void combine(void *to, const void *left, const void *right, size_t count, void *context)
{
    const size_t cell = combining.cell;
    (void)context;
    if (to == right || to != left) {
        if (to != right)
            memcpy(to, right, count * cell);
        reduce_local(left, to, count);
        return;
    }
    /* The result replaces the left operands, but the MPI replaces the right ones. */
    for (size_t done = 0; done < count;) {
        const size_t now =
            count - done < combining.spare_cells ? count - done : combining.spare_cells;
        char *place = (char *)to + done * cell;
        memcpy(combining.spare, (const char *)right + done * cell, now * cell);
        reduce_local(place, combining.spare, now);
        memcpy(place, combining.spare, now * cell);
        done += now;
    }
}

/* Members compare operators by name and commutativity. */
static const kp_operator *own_operator(const char *name, bool commutative, size_t cell)
{
    static kp_operator own;
    own = (kp_operator){
        .name = name, .combine = combine, .element_bytes = cell, .commutative = commutative};
    return &own;
}

bool pm_terms_is(const struct pm_call *call, struct pm_terms *terms, MPI_Op op, MPI_Datatype type)
{
    struct pm_kind *kind = &terms->kind;
    if (op == MPI_OP_NULL || !pm_kind_of(type, kind) || !pm_is_committed(kind))
        return pm_pass(call, PM_WRONG);
    const int row = row_of(op);
    const size_t size = kind->size, span = (size_t)kind->true_extent;
    const bool apart = kind->extent > 0 && kind->extent >= kind->true_extent;
    int commutative = 1;
    terms->op = op;
    terms->whole = apart;
    terms->cell = apart ? (size_t)kind->extent : (span + 63) / 64 * 64;
    terms->direct = apart && size == (size_t)kind->extent && size == span;
    if (row < OPERATORS && kind->named && take_builtin(terms, row))
        return true;
    if (row < OPERATORS && !applies(row, kind))
        return pm_pass(call, PM_OPERATOR);
    if (PMPI_Op_commutative(op, &commutative) != MPI_SUCCESS)
        return pm_pass(call, PM_WRONG);
    terms->type = KP_OPAQUE;
    terms->combiner = own_operator(row < OPERATORS ? operators[row].name : "of the program",
                                   commutative, terms->cell);
    return true;
}

const kp_operator *pm_terms_operator(struct pm_call *call, struct pm_terms *terms)
{
    if (terms->type != KP_OPAQUE)
        return terms->combiner;
    combining.op = terms->op;
    combining.kind = terms->kind;
    combining.cell = terms->cell;
    combining.whole = terms->whole;
    combining.spare_cells = terms->cell < SPARE_BYTES ? SPARE_BYTES / terms->cell : 1;
    combining.spare = pm_stage(call, PM_STAGE_SPARE, combining.spare_cells * terms->cell);
    combining.code = MPI_SUCCESS;
    return combining.spare ? terms->combiner : NULL;
}

void pm_terms_check(struct pm_call *call)
{
    if (combining.code != MPI_SUCCESS)
        pm_fail(call, combining.code, "the MPI cannot combine the operands of a reduction");
    combining.code = MPI_SUCCESS;
}

/* --- Elements and cells --- */

/* Cells that lie closer to each other, or further, than elements are copied one by one. */
static void copy(struct pm_call *call, const struct pm_terms *terms, char *elements, char *cells,
                 size_t count, bool loads)
{
    const struct pm_kind *kind = &terms->kind;
    const size_t step = terms->whole ? count : 1;
    char *packed = pm_stage(call, PM_STAGE_PACKED, step * kind->size);
    for (size_t done = 0; done < count && call->code == MPI_SUCCESS; done += step) {
        char *element = (char *)((MPI_Aint)elements + (MPI_Aint)done * kind->extent);
        char *cell = (char *)((MPI_Aint)cells + (MPI_Aint)(done * terms->cell) - kind->true_lb);
        pm_pack(call, kind, loads ? element : cell, step, packed);
        pm_unpack(call, kind, packed, loads ? cell : element, step);
    }
}

void pm_terms_load(struct pm_call *call, const struct pm_terms *terms, const void *from,
                   size_t count, char *to)
{
    if (call->code != MPI_SUCCESS || count == 0)
        return;
    if (terms->direct) {
        memcpy(to, (const char *)((MPI_Aint)from + terms->kind.true_lb), count * terms->cell);
        return;
    }
    memset(to, 0, count * terms->cell); /* gaps travel, too */
    copy(call, terms, (char *)from, to, count, true);
}

void pm_terms_store(struct pm_call *call, const struct pm_terms *terms, const char *from, void *to,
                    size_t count)
{
    if (call->code != MPI_SUCCESS || count == 0)
        return;
    if (terms->direct)
        memcpy((char *)((MPI_Aint)to + terms->kind.true_lb), from, count * terms->cell);
    else
        copy(call, terms, to, (char *)from, count, false);
}
