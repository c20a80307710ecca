#include "lib/mpi/check/places.h"

#include <pthread.h>
#include <string.h>
#include <strings.h>

#define MOST_PLACES 4096 /* calls at other places keep the name of the operation */

static struct {
    const char *file;
    int line;
    const char *_Atomic function; /* NULL: free */
} places[MOST_PLACES];

static pthread_mutex_t adding = PTHREAD_MUTEX_INITIALIZER;

static size_t first_of(int line)
{
    return (size_t)line * 7 % MOST_PLACES;
}

/* acquire: pairs with the release of kp_mpi_remember, which has stored file and line before */
static const char *function_of(size_t at)
{
    return atomic_load_explicit(&places[at].function, memory_order_acquire);
}

static bool is_at(size_t at, const char *file, size_t length, int line)
{
    return places[at].line == line && strncmp(places[at].file, file, length) == 0 &&
           places[at].file[length] == '\0';
}

/* The same for a file as a sentence of kport names it: the beginning of a long path is cut. */
static bool is_named(size_t at, const char *file, size_t length, int line)
{
    static const char cut[] = "...";
    const size_t dots = sizeof cut - 1, whole = strlen(places[at].file);
    if (length < dots || strncmp(file, cut, dots) != 0)
        return is_at(at, file, length, line);
    const size_t left = length - dots;
    return places[at].line == line && whole >= left &&
           strncmp(places[at].file + whole - left, file + dots, left) == 0;
}

/* Returns whether the place is known; `*at` is then its number, else that of a free one, or
 * MOST_PLACES. */
static bool find(const struct kp_mpi_place *place, const char *function, size_t *at)
{
    const size_t length = strlen(place->file);
    *at = first_of(place->line);
    for (size_t looked = 0; looked < MOST_PLACES; looked++, *at = (*at + 1) % MOST_PLACES) {
        const char *there = function_of(*at);
        if (!there)
            return false;
        if (there == function && is_at(*at, place->file, length, place->line))
            return true;
    }
    *at = MOST_PLACES;
    return false;
}

void kp_mpi_remember(const struct kp_mpi_place *place, const char *function)
{
    size_t at;
    if (!place->file || find(place, function, &at))
        return;
    pthread_mutex_lock(&adding);
    if (!find(place, function, &at) && at < MOST_PLACES) {
        places[at].file = place->file;
        places[at].line = place->line;
        /* release: pairs with the acquire of function_of */
        atomic_store_explicit(&places[at].function, function, memory_order_release);
    }
    pthread_mutex_unlock(&adding);
}

static bool has_name(const char *function, const char *name, size_t length)
{
    return strncasecmp(function, name, length) == 0 &&
           (function[length] == '\0' || strcmp(function + length, "_init") == 0);
}

/* MPI_Alltoallw carries out the operation of MPI_Alltoallv. */
bool kp_mpi_carries_out(const char *function, const char *operation, size_t length)
{
    static const size_t prefix = sizeof "MPI_" - 1;
    if (length <= prefix || strncmp(operation, "MPI_", prefix) != 0)
        return false;
    operation += prefix;
    length -= prefix;
    const char *name = function + prefix;
    if (strncmp(operation, "Alltoallv", length) == 0 && strcasestr(name, "alltoallw"))
        return true;
    return has_name(name, operation, length) ||
           (name[0] == 'I' && has_name(name + 1, operation, length));
}

static bool is_part_of_any(const char *operation, size_t length)
{
    static const char *const parts[] = {"MPI_Barrier", "MPI_Ibarrier", "MPI_Allgather", "send",
                                        "receive"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (strlen(parts[i]) == length && strncmp(operation, parts[i], length) == 0)
            return true;
    }
    return false;
}

const char *kp_mpi_function_at(const char *file, size_t file_length, int line,
                               const char *operation, size_t operation_length)
{
    const char *one = NULL;
    int count = 0;
    size_t at = first_of(line);
    for (size_t looked = 0; looked < MOST_PLACES; looked++, at = (at + 1) % MOST_PLACES) {
        const char *function = function_of(at);
        if (!function)
            break;
        if (!is_named(at, file, file_length, line))
            continue;
        if (kp_mpi_carries_out(function, operation, operation_length))
            return function;
        count += !one || strcmp(one, function) != 0;
        one = function;
    }
    return count == 1 && is_part_of_any(operation, operation_length) ? one : NULL;
}
