/* Runs all operations and algorithms over processes of an MPI, by the functions of `kport run`, and
 * verifies every byte. One mpirun starts it for many problems (under_mpi.sh), because a start takes
 * long.
 *
 * usage: mpi_matrix CARRIER.so PER_PROCESS SHARE [WORKERS]
 *
 * Of the problems it takes the first of each algorithm, and each SHARE-th; 1: all of them. */
#include "lib/problem/operation.h"
#include "lib/problem/problem.h"
#include "lib/tune/candidates.h"
#include "tools/kport/command.h"
#include "tools/kport/common/processes.h"
#include "tools/kport/run/measure.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ALGORITHMS 200

struct matrix {
    struct measure_settings settings;
    int share;
    unsigned number; /* of the next problem */
    int done, of_operation[KP_OPERATIONS], status;
    bool of_algorithm[MOST_ALGORITHMS];
};

static void run(struct matrix *matrix, const kp_problem *problem)
{
    struct measurement result = {.verified = false};
    if (matrix->status)
        return;
    matrix->status = measure(problem, &matrix->settings, &result);
    if (!matrix->status && (!result.verified || result.repeats != matrix->settings.repeats)) {
        fprintf(stderr, "a problem was not verified\n");
        matrix->status = EXIT_FAILED;
    }
    matrix->done++;
}

/* Returns whether this is the first candidate with its algorithm. */
static bool is_first(struct matrix *matrix, const kp_algorithm *algorithm)
{
    int i = 0;
    while (kp_algorithm_at(i) != algorithm)
        i++;
    const bool first = !matrix->of_algorithm[i];
    matrix->of_algorithm[i] = true;
    return first;
}

/* Adds a root, a target and "in place" to some of the candidates. All processes draw the same. */
static void take(const kp_problem *candidate, void *argument)
{
    struct matrix *matrix = argument;
    kp_problem p = *candidate, more;
    const unsigned number = matrix->number++;
    if (!is_first(matrix, p.algorithm) && number % (unsigned)matrix->share != 0)
        return;
    p.root = kp_operation_has_root(p.operation) ? (int)(number % (unsigned)p.n) : 0;
    p.target = kp_operation_has_target(p.operation) ? (int)(number / 3 % (unsigned)p.n) : 0;
    more = p;
    more.in_place = number / (unsigned)matrix->share % 3 == 0;
    if (more.in_place && kp_problem_check(&more) == KP_OK)
        p = more;
    run(matrix, &p);
    matrix->of_operation[p.operation]++;
}

static void run_all(struct matrix *matrix, int n, int k)
{
    const int here = processes_here(n);
    static const size_t lengths[] = {8, 0, 56, 5000, 66000};
    for (int o = 0; o < KP_OPERATIONS && !matrix->status; o++) {
        for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
            kp_problem p;
            char text[128];
            snprintf(text, sizeof text, "%s:n=%d,k=%d,b=%zu,per_process=%d",
                     kp_operation_name((kp_operation)o), n, k,
                     kp_block_bytes((kp_operation)o, lengths[i]), here);
            if (kp_problem_parse(text, &p)) {
                fprintf(stderr, "%s: %s\n", text, kp_last_error()->sentence);
                matrix->status = EXIT_FAILED;
                return;
            }
            kp_candidates(&p, KP_FEW_VALUES, take, matrix);
        }
    }
    const kp_problem barrier = {.operation = KP_BARRIER, .n = n, .k = k};
    matrix->settings.barrier = true;
    run(matrix, &barrier);
    matrix->settings.barrier = false;
}

static int run_matrix(struct matrix *matrix)
{
    matrix->status = processes_find(&matrix->settings.machine);
    const int n = processes_processors(), most = n > 2 ? n - 1 : 1;
    const int ports[] = {1, 2, most};
    for (int i = 0; i < 3 && !matrix->status; i++) {
        if ((i == 0 || ports[i] > ports[i - 1]) && ports[i] <= most)
            run_all(matrix, n, ports[i]);
    }
    for (int o = 0; o < KP_OPERATIONS && !matrix->status; o++) {
        if (matrix->of_operation[o] == 0) {
            fprintf(stderr, "%s was not run\n", kp_operation_name((kp_operation)o));
            matrix->status = EXIT_FAILED;
        }
    }
    printf("%d problems verified over ", matrix->done);
    processes_print(stdout);
    printf("\n");
    return matrix->status;
}

int main(int count, char **arguments)
{
    if (count < 4 || setenv("KPORT_CARRIERS", dirname(arguments[1]), 1)) {
        fprintf(stderr, "usage: mpi_matrix CARRIER.so PER_PROCESS SHARE [WORKERS]\n");
        return EXIT_IMPOSSIBLE;
    }
    struct matrix matrix = {.settings = {.seed = 5, .repeats = 1, .once = true},
                            .share = atoi(arguments[3])};
    matrix.settings.machine = (kp_config){.carrier = KP_CARRIER_MPI,
                                          .per_process = atoi(arguments[2]),
                                          .workers = count > 4 ? atoi(arguments[4]) : 0};
    return processes_end(run_matrix(&matrix));
}
