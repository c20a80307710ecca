/* The representation external32: big-endian, IEEE, with the standard's lengths of each type. */
#include "lib/mpi/datatype/external.h"
#include "lib/mpi/datatype/leaves.h"

#include <math.h>
#include <string.h>

/* Memory that is read or written in the external representation, beside elements in memory. */
struct external {
    char *data; /* the address of the first element */
    struct kp_mpi_rank *self;
    unsigned char *at; /* the next number of the external representation */
};

/* --- Integers --- */

/* An integer of 1, 2, 4 or 8 bytes in memory, widened to 64 bits. */
static uint64_t load_integer(const char *from, size_t bytes, bool is_signed)
{
    uint8_t of8;
    uint16_t of16;
    uint32_t of32;
    uint64_t of64;
    switch (bytes) {
    case 1:
        memcpy(&of8, from, 1);
        return is_signed ? (uint64_t)(int64_t)(int8_t)of8 : of8;
    case 2:
        memcpy(&of16, from, 2);
        return is_signed ? (uint64_t)(int64_t)(int16_t)of16 : of16;
    case 4:
        memcpy(&of32, from, 4);
        return is_signed ? (uint64_t)(int64_t)(int32_t)of32 : of32;
    default:
        memcpy(&of64, from, 8);
        return of64;
    }
}

static void store_integer(char *to, size_t bytes, uint64_t value)
{
    const uint8_t of8 = (uint8_t)value;
    const uint16_t of16 = (uint16_t)value;
    const uint32_t of32 = (uint32_t)value;
    switch (bytes) {
    case 1:
        memcpy(to, &of8, 1);
        break;
    case 2:
        memcpy(to, &of16, 2);
        break;
    case 4:
        memcpy(to, &of32, 4);
        break;
    default:
        memcpy(to, &value, 8);
    }
}

static void put(unsigned char *to, size_t bytes, uint64_t value)
{
    for (size_t i = bytes; i-- > 0; value >>= 8)
        to[i] = (unsigned char)value;
}

static uint64_t get(const unsigned char *from, size_t bytes)
{
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; i++)
        value = value << 8 | from[i];
    return value;
}

static int refuse_value(struct kp_mpi_rank *self, uint64_t value, bool is_signed, size_t bytes)
{
    return is_signed ? kp_mpi_fail(self, NULL, MPI_ERR_CONVERSION,
                                   "%lld does not fit into an integer of %zu bytes",
                                   (long long)value, bytes)
                     : kp_mpi_fail(self, NULL, MPI_ERR_CONVERSION,
                                   "%llu does not fit into an integer of %zu bytes",
                                   (unsigned long long)value, bytes);
}

/* Returns the lowest `bytes` bytes of a value, extended as an integer of that length is. */
static uint64_t cut(uint64_t value, size_t bytes, bool is_signed)
{
    const unsigned unused = (unsigned)(64 - 8 * bytes);
    return is_signed ? (uint64_t)((int64_t)(value << unused) >> unused) : value << unused >> unused;
}

/* --- long double: IEEE binary128 --- */

/* The sign and the exponent are 16 bits, the fraction 112 bits: 48 of `high`, and `low`. */
struct binary128 {
    uint64_t high, low;
};

#define LEAST_EXPONENT (-16382) /* of a normal number 1.f * 2^e */

static struct binary128 to_binary128(long double value)
{
    struct binary128 result = {signbit(value) ? UINT64_C(1) << 63 : 0, 0};
    int exponent = 0;
    long double rest = copysignl(value, 1);
    if (isnan(value) || isinf(value)) {
        result.high |= UINT64_C(0x7fff) << 48 | (isnan(value) ? UINT64_C(1) << 47 : 0);
        return result;
    }
    if (rest == 0)
        return result;
    rest = 2 * frexpl(rest, &exponent); /* 1 <= rest < 2 */
    exponent--;
    if (exponent < LEAST_EXPONENT)
        rest = ldexpl(rest, exponent - LEAST_EXPONENT);
    else
        result.high |= (uint64_t)(exponent - LEAST_EXPONENT + 1) << 48;
    rest = ldexpl(rest - (exponent < LEAST_EXPONENT ? 0 : 1), 48);
    const uint64_t top = (uint64_t)rest;
    result.high |= top;
    result.low = (uint64_t)ldexpl(rest - (long double)top, 64);
    return result;
}

static long double from_binary128(struct binary128 b)
{
    const int exponent = (int)(b.high >> 48 & 0x7fff);
    const long double sign = b.high >> 63 ? -1 : 1;
    const uint64_t top = b.high & ((UINT64_C(1) << 48) - 1);
    if (exponent == 0x7fff)
        return top || b.low ? copysignl(nanl(""), sign) : sign * (long double)INFINITY;
    const long double fraction = ldexpl((long double)top, -48) + ldexpl((long double)b.low, -112);
    return exponent == 0 ? sign * ldexpl(fraction, LEAST_EXPONENT)
                         : sign * ldexpl(1 + fraction, exponent - 1 + LEAST_EXPONENT);
}

/* --- Numbers --- */

static int pack_number(struct kp_mpi_rank *self, const struct kp_mpi_leaf *leaf, const char *from,
                       unsigned char *to)
{
    const bool is_signed = leaf->form == KP_MPI_SIGNED;
    if (leaf->form == KP_MPI_BYTES) {
        memcpy(to, from, leaf->bytes);
    } else if (leaf->external == 16) {
        long double value;
        memcpy(&value, from, sizeof value);
        const struct binary128 b = to_binary128(value);
        put(to, 8, b.high);
        put(to + 8, 8, b.low);
    } else {
        const uint64_t value = load_integer(from, leaf->bytes, is_signed);
        if (leaf->external < 8 && cut(value, leaf->external, is_signed) != value)
            return refuse_value(self, value, is_signed, leaf->external);
        put(to, leaf->external, value);
    }
    return MPI_SUCCESS;
}

static int unpack_number(struct kp_mpi_rank *self, const struct kp_mpi_leaf *leaf, char *to,
                         const unsigned char *from)
{
    const bool is_signed = leaf->form == KP_MPI_SIGNED;
    if (leaf->form == KP_MPI_BYTES) {
        memcpy(to, from, leaf->bytes);
    } else if (leaf->external == 16) {
        const long double value =
            from_binary128((struct binary128){get(from, 8), get(from + 8, 8)});
        memcpy(to, &value, sizeof value);
    } else {
        const uint64_t value = cut(get(from, leaf->external), leaf->external, is_signed);
        if (leaf->bytes < 8 && cut(value, leaf->bytes, is_signed) != value)
            return refuse_value(self, value, is_signed, leaf->bytes);
        store_integer(to, leaf->bytes, value);
    }
    return MPI_SUCCESS;
}

/* --- Leaves --- */

static int pack_leaf(const struct kp_mpi_leaf *leaf, ptrdiff_t place, void *context)
{
    struct external *e = context;
    int status = MPI_SUCCESS;
    for (size_t i = 0; i < leaf->numbers && !status; i++) {
        status = pack_number(e->self, leaf, e->data + place + (ptrdiff_t)(i * leaf->bytes), e->at);
        e->at += leaf->external;
    }
    return status;
}

static int unpack_leaf(const struct kp_mpi_leaf *leaf, ptrdiff_t place, void *context)
{
    struct external *e = context;
    int status = MPI_SUCCESS;
    for (size_t i = 0; i < leaf->numbers && !status; i++) {
        status =
            unpack_number(e->self, leaf, e->data + place + (ptrdiff_t)(i * leaf->bytes), e->at);
        e->at += leaf->external;
    }
    return status;
}

int kp_mpi_external_pack(struct kp_mpi_rank *self, const struct kp_mpi_type *type, const void *data,
                         size_t count, void *packed)
{
    struct external e = {.data = (char *)data, .self = self, .at = packed};
    return kp_mpi_type_visit(type, count, pack_leaf, &e);
}

int kp_mpi_external_unpack(struct kp_mpi_rank *self, const struct kp_mpi_type *type, void *data,
                           size_t count, const void *packed)
{
    struct external e = {.data = data, .self = self, .at = (unsigned char *)packed};
    return kp_mpi_type_visit(type, count, unpack_leaf, &e);
}
