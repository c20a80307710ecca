/* Sentences of kport in the words of MPI: a processor is a rank, an operation has MPI's name. */
#include "lib/mpi/rank.h"

#include <ctype.h>
#include <stdio.h>
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

/* Copies the values of a problem string, but for n, k and the algorithm, and returns where they
 * end. The algorithm comes last, with its parameters. */
static const char *put_values(struct target *to, const char *at)
{
    const char *between = "(";
    bool shown = true;
    while (*at && *at != ' ' && *at != ')') {
        const size_t length = strcspn(at, ", )");
        shown = shown && strncmp(at, "alg=", 4) != 0;
        if (shown && strncmp(at, "n=", 2) != 0 && strncmp(at, "k=", 2) != 0) {
            put(to, between, strlen(between));
            put(to, at, length);
            between = ", ";
        }
        at += length;
        if (*at == ',' && isalpha((unsigned char)at[1]))
            at++;
        else
            break;
    }
    if (*between == ',')
        put(to, ")", 1);
    return at;
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

void kp_mpi_reword(const char *sentence, char *text, size_t size)
{
    struct target to = {text, size, 0};
    bool begins = true; /* a word begins here */
    text[0] = '\0';
    for (const char *at = sentence; *at;) {
        const struct word *word = begins ? word_at(at) : NULL;
        if (word) {
            put(&to, word->mpi, strlen(word->mpi));
            at += strlen(word->kport);
            if (word->operation)
                at = put_values(&to, at + 1);
            begins = !word->operation;
            continue;
        }
        begins =
            !isalnum((unsigned char)*at) && *at != '_' && *at != '-' && *at != '/' && *at != '.';
        put(&to, at++, 1);
    }
}
