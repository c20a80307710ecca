/* Sentences of kport in the words of MPI: a processor is a rank, an operation has MPI's name. */
#include "lib/mpi/comm.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct word {
    const char *kport, *mpi;
    bool operation; /* only before the values of a problem string: "broadcast:n=4,k=3,b=8,root=1" */
} words[] = {
    {"processors ", "ranks ", false},
    {"processor ", "rank ", false},
    {"Processor ", "Rank ", false},
    {"kp_send of ", "send of ", false},
    {"kp_receive of ", "receive of ", false},
    {"kp_probe of ", "probe of ", false},
    {"kp_barrier_start", "MPI_Ibarrier", false},
    {"kp_barrier", "MPI_Barrier", false},
    {"kp_", "MPI_", false},
    {"KP_IN_PLACE", "MPI_IN_PLACE", false},
    {"out_counts", "sendcounts", false},
    {"in_counts", "recvcounts", false},
    {"out_count", "sendcount", false},
    {"in_count", "recvcount", false},
    {"out_displacements", "sdispls", false},
    {"in_displacements", "rdispls", false},
    {"counts[", "recvcounts[", false},
    {"out and in overlap", "sendbuf and recvbuf overlap", false},
    {"out is ", "sendbuf is ", false},
    {"in is ", "recvbuf is ", false},
    {"index", "MPI_Alltoall", true},
    {"concat", "MPI_Allgather", true},
    {"broadcast", "MPI_Bcast", true},
    {"scatter", "MPI_Scatter", true},
    {"gather", "MPI_Gather", true},
    {"indexv", "MPI_Alltoallv", true},
    {"concatv", "MPI_Allgatherv", true},
    {"scatterv", "MPI_Scatterv", true},
    {"gatherv", "MPI_Gatherv", true},
    {"reduce", "MPI_Reduce", true},
    {"allreduce", "MPI_Allreduce", true},
    {"reduce-scatter", "MPI_Reduce_scatter_block", true},
    {"reduce-scatterv", "MPI_Reduce_scatter", true},
    {"scan", "MPI_Scan", true},
    {"scan-exclusive", "MPI_Exscan", true},
};

struct target {
    char *text;
    size_t size, length;
};

static void put(struct target *to, const char *text, size_t length)
{
    for (size_t i = 0; i < length && to->length + 1 < to->size; i++)
        to->text[to->length++] = text[i];
    to->text[to->length] = '\0';
}

/* Values of problem strings that MPI has other words for. */
static const char *const values[][2] = {
    {"type=int8", "datatype=MPI_INT8_T"},
    {"type=uint8", "datatype=MPI_UINT8_T"},
    {"type=int16", "datatype=MPI_SHORT"},
    {"type=uint16", "datatype=MPI_UNSIGNED_SHORT"},
    {"type=int32", "datatype=MPI_INT"},
    {"type=uint32", "datatype=MPI_UNSIGNED"},
    {"type=int64", "datatype=MPI_LONG"},
    {"type=uint64", "datatype=MPI_UNSIGNED_LONG"},
    {"type=float32", "datatype=MPI_FLOAT"},
    {"type=float64", "datatype=MPI_DOUBLE"},
    {"op=sum", "op=MPI_SUM"},
    {"op=product", "op=MPI_PROD"},
    {"op=minimum", "op=MPI_MIN"},
    {"op=maximum", "op=MPI_MAX"},
    {"op=logical-and", "op=MPI_LAND"},
    {"op=logical-or", "op=MPI_LOR"},
    {"op=logical-xor", "op=MPI_LXOR"},
    {"op=bit-and", "op=MPI_BAND"},
    {"op=bit-or", "op=MPI_BOR"},
    {"op=bit-xor", "op=MPI_BXOR"},
    {"op=minloc", "op=MPI_MINLOC"},
    {"op=maxloc", "op=MPI_MAXLOC"},
};

/* The properties of a program's operator follow its name in brackets. */
static size_t value_length(const char *at)
{
    const size_t length = strcspn(at, ", )[");
    const char *end = at[length] == '[' ? strchr(at + length, ']') : NULL;
    return end ? (size_t)(end + 1 - at) : length;
}

static void put_value(struct target *to, const char *value, size_t length)
{
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        if (strlen(values[i][0]) == length && strncmp(values[i][0], value, length) == 0) {
            put(to, values[i][1], strlen(values[i][1]));
            return;
        }
    }
    const char *properties = memchr(value, '[', length);
    if (properties) {
        static const char in_order[] = "[in order,";
        const bool commutes = strncmp(properties, in_order, strlen(in_order)) != 0;
        put(to, value, (size_t)(properties - value));
        put(to, commutes ? ", commute=1" : ", commute=0", strlen(", commute=1"));
        return;
    }
    const bool bytes = strncmp(value, "b=", 2) == 0;
    if (bytes || strncmp(value, "type=", 5) == 0)
        put(to, bytes ? "bytes" : "data", bytes ? 5 : 4);
    put(to, value + bytes, length - bytes);
}

/* Copies what stands between brackets, and up to a blank or a comma outside of them. */
static const char *put_type(struct target *to, const char *at)
{
    int depth = 0;
    const char *end = at;
    while (*end && (depth > 0 || (*end != ' ' && *end != ',' && *end != ')'))) {
        depth += (*end == '(') - (*end == ')');
        end++;
    }
    put(to, at, (size_t)(end - at));
    return end;
}

/* Copies what a call says of its layouts, as in ", out 1 MPI_INT, in 2 MPI_INT", as arguments of
 * MPI. Returns where it ends. */
static const char *put_layouts(struct target *to, const char *at, bool one_buffer,
                               const char **between)
{
    static const char *const sides[][3] = {{", out ", "sendcount=", "sendtype="},
                                           {", in ", "recvcount=", "recvtype="}};
    for (int i = 0; i < 2; i++) {
        const size_t mark = strlen(sides[i][0]);
        if (strncmp(at, sides[i][0], mark) != 0 || !isdigit((unsigned char)at[mark]))
            continue;
        const char *count = one_buffer ? "count=" : sides[i][1];
        const char *type = one_buffer ? "datatype=" : sides[i][2];
        const size_t digits = strspn(at + mark, "0123456789");
        put(to, *between, strlen(*between));
        put(to, count, strlen(count));
        put(to, at + mark, digits);
        put(to, ", ", 2);
        put(to, type, strlen(type));
        at = put_type(to, at + mark + digits + 1);
        *between = ", ";
    }
    return at;
}

static const char *end_of_values(const char *at)
{
    for (;;) {
        at += value_length(at);
        if (*at != ',' || !isalpha((unsigned char)at[1]))
            return at;
        at++;
    }
}

/* Copies the values of a problem string, but for n, k and the algorithm, and what follows about
 * layouts. Returns where this ends. The algorithm comes last, with its parameters. The bytes of a
 * block are not copied where counts say as much. */
static const char *put_values(struct target *to, const char *at, bool one_buffer)
{
    const char *between = "(", *end = end_of_values(at);
    const char *after = put_layouts(to, end, one_buffer, &between);
    const bool counted = after > end;
    for (bool shown = true; at < end; at++) {
        const size_t length = value_length(at);
        const bool bytes = strncmp(at, "b=", 2) == 0;
        shown = shown && strncmp(at, "alg=", 4) != 0;
        if (shown && strncmp(at, "n=", 2) != 0 && strncmp(at, "k=", 2) != 0 &&
            !(bytes && (counted || strncmp(at, "b=0", length) == 0))) {
            put(to, between, strlen(between));
            put_value(to, at, length);
            between = ", ";
        }
        at += length;
    }
    if (*between == ',')
        put(to, ")", 1);
    return after;
}

static const struct word *word_at(const char *at)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const size_t length = strlen(words[i].kport);
        if (strncmp(at, words[i].kport, length) != 0)
            continue;
        if (!words[i].operation || (at[length] == ':' && isalpha((unsigned char)at[length + 1])))
            return &words[i];
    }
    return NULL;
}

/* Copies the tag of a message, if it is the program's or stands beside one of the program's.
 * Returns what follows; or NULL if there is no tag here. */
static const char *put_tag(struct target *to, const char *at)
{
    static const char with[] = " with tag ";
    char *end;
    if (strncmp(at, with, strlen(with)) != 0 || !isdigit((unsigned char)at[strlen(with)]))
        return NULL;
    const long tag = strtol(at + strlen(with), &end, 10);
    char text[40];
    snprintf(text, sizeof text, "%s%ld", with, tag & KP_MPI_TAG_UB);
    if (tag < KP_MPI_OWN_TAGS)
        put(to, text, strlen(text));
    return end;
}

void kp_mpi_reword(const char *sentence, char *text, size_t size)
{
    struct target to = {text, size, 0};
    bool begins = true; /* a word begins here */
    text[0] = '\0';
    for (const char *at = sentence; *at;) {
        const struct word *word = begins ? word_at(at) : NULL;
        const char *after_tag = put_tag(&to, at);
        if (after_tag) {
            at = after_tag;
            begins = false;
            continue;
        }
        if (word) {
            put(&to, word->mpi, strlen(word->mpi));
            at += strlen(word->kport);
            if (word->operation)
                at = put_values(&to, at + 1, strcmp(word->kport, "broadcast") == 0);
            begins = !word->operation;
            continue;
        }
        begins =
            !isalnum((unsigned char)*at) && *at != '_' && *at != '-' && *at != '/' && *at != '.';
        put(&to, at++, 1);
    }
}
