/* Keeps the table of algorithms. The rows of an operation stand together, first those of the
 * library. */
#include "lib/problem/rows.h"

#include "lib/algorithms/table.h"
#include "lib/problem/holders.h"
#include "ports/port.h"

#include <pthread.h>
#include <stddef.h>
#include <string.h>

#define MOST (KP_LIBRARY_ALGORITHMS + KP_MOST_REGISTERED)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const kp_algorithm *table[MOST]; /* empty until the first use */
static int rows;

/* --- Under the lock --- */

static void open_table(void)
{
    pthread_mutex_lock(&lock);
    if (rows > 0)
        return;
    memcpy(table, kp_library_algorithms, sizeof kp_library_algorithms);
    rows = KP_LIBRARY_ALGORITHMS;
}

static const kp_algorithm *find(kp_operation operation, const char *name)
{
    for (int i = 0; i < rows; i++) {
        if (table[i]->operation == operation && strcmp(table[i]->name, name) == 0)
            return table[i];
    }
    return NULL;
}

/* Returns the place behind the last row of the operation. */
static int end_of(kp_operation operation)
{
    int end = rows;
    while (end > 0 && table[end - 1]->operation != operation)
        end--;
    return end > 0 ? end : rows;
}

static int insert(const kp_algorithm *row)
{
    if (find(row->operation, row->name))
        return kp_set_error(KP_EALGORITHM,
                            "the name of the algorithm is %s; %s has an algorithm of this name "
                            "already",
                            row->name, kp_operation_name(row->operation));
    if (rows == MOST)
        return kp_set_error(KP_EALGORITHM, "%d algorithms are registered, and there may be no more",
                            KP_MOST_REGISTERED);
    int at = end_of(row->operation);
    memmove(table + at + 1, table + at, (size_t)(rows - at) * sizeof table[0]);
    table[at] = row;
    rows++;
    return KP_OK;
}

static int take_out(const kp_algorithm *row)
{
    int at = 0;
    while (at < rows && table[at] != row)
        at++;
    if (at == rows || kp_row_is_library(row))
        return kp_set_error(KP_EALGORITHM, "the algorithm is not one that was registered");
    /* An object that is counted later finds the table without the row, because it asks for the lock
     * after it is counted. */
    const long holders = kp_holders();
    if (holders > 0)
        return kp_set_error(KP_EBUSY,
                            "algorithm %s of %s may be in use by what exists: machines, plans, "
                            "schedules and profiles, %ld in all; it may be unregistered when "
                            "there are none",
                            row->name, kp_operation_name(row->operation), holders);
    rows--;
    memmove(table + at, table + at + 1, (size_t)(rows - at) * sizeof table[0]);
    return KP_OK;
}

/* --- What takes the lock --- */

int kp_row_insert(const kp_algorithm *row)
{
    open_table();
    const int status = insert(row);
    pthread_mutex_unlock(&lock);
    return status;
}

int kp_row_remove(const kp_algorithm *row)
{
    open_table();
    const int status = take_out(row);
    pthread_mutex_unlock(&lock);
    return status;
}

const kp_algorithm *kp_algorithm_at(int i)
{
    open_table();
    const kp_algorithm *row = i >= 0 && i < rows ? table[i] : NULL;
    pthread_mutex_unlock(&lock);
    return row;
}

const kp_algorithm *kp_algorithm_find(kp_operation operation, const char *name)
{
    if (!name) {
        kp_set_error(KP_EALGORITHM, "name is NULL; it must be an algorithm's");
        return NULL;
    }
    open_table();
    const kp_algorithm *row = find(operation, name);
    pthread_mutex_unlock(&lock);
    return row;
}

bool kp_row_is_library(const kp_algorithm *row)
{
    for (int i = 0; i < KP_LIBRARY_ALGORITHMS; i++) {
        if (kp_library_algorithms[i] == row)
            return true;
    }
    return false;
}
