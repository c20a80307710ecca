/* Builds the schedule of a problem. */
#include "kport/model.h"
#include "lib/algorithms/lengths.h"
#include "lib/problem/holders.h"
#include "lib/problem/operation.h"
#include "lib/problem/problem.h"
#include "lib/problem/rows.h"
#include "lib/schedule/builder.h"
#include "lib/schedule/elements.h"
#include "lib/schedule/schedule_data.h"
#include "ports/port.h"

#include <stdlib.h>

/* Sets the symmetry that the algorithm states, and its radix. Returns KP_ESCHEDULE if n must be a
 * power of the radix and is not. */
static int set_radix(struct kp_schedule *s, const kp_problem *problem)
{
    s->symmetry = problem->algorithm->symmetry;
    s->radix = s->symmetry == KP_CYCLIC   ? problem->n
               : s->symmetry == KP_DIGITS ? problem->k + 1
               : s->symmetry == KP_XOR    ? 2
                                          : 0;
    int64_t power = 1;
    while (kp_schedule_by_digits(s) && power < problem->n)
        power *= s->radix;
    if (kp_schedule_by_digits(s) && power != problem->n)
        return kp_set_error(KP_ESCHEDULE,
                            "a schedule that follows the digits in radix %lld needs n=%d to be a "
                            "power of it",
                            (long long)s->radix, problem->n);
    return KP_OK;
}

/* Sets all data of the schedule that follow from the problem alone: symmetry, units, and the sizes
 * of the caller's buffers. */
static int set_frame(struct kp_schedule *s, const kp_problem *problem)
{
    const kp_algorithm *algorithm = problem->algorithm;
    s->problem = *problem;
    s->problem.rank = 0;
    int status = set_radix(s, problem);
    if (status)
        return status;
    s->stored = s->symmetry == KP_NO_SYMMETRY ? problem->n : 1;
    s->units_of_block = 1;
    if (problem->b > 0 && algorithm->splits && algorithm->splits(problem))
        s->units_of_block = kp_elements(problem);
    s->counted_from = algorithm->own_root ? 0 : problem->root;
    for (int space = 0; space < KP_SCRATCH; space++) {
        s->per_processor[space] =
            kp_operation_blocks(problem->operation, (kp_space)space) == KP_BLOCK_EACH;
        s->units[space] = s->units_of_block * (s->per_processor[space] ? problem->n : 1);
    }
    return KP_OK;
}

static int check_exact(const kp_problem *problem)
{
    if (!problem->algorithm)
        return kp_set_error(KP_EPROBLEM, "the problem names no algorithm");
    int status = kp_problem_check(problem);
    int count = kp_parameter_count(problem->algorithm);
    for (int i = 0; i < count && !status; i++) {
        if (problem->values[i] == 0)
            status = kp_set_error(KP_EPROBLEM, "%s of algorithm %s is left open",
                                  problem->algorithm->parameters[i].name, problem->algorithm->name);
    }
    return status;
}

/* Checks the problem whose schedule another row uses. The library's algorithms know by which of the
 * library's rows, or copies of them, they are used, and which parameters are 0 then. They know no
 * other row, so another row must give all their parameters. */
static int check_lent(const kp_algorithm *user, const kp_problem *lent)
{
    const kp_algorithm *known = kp_algorithm_find(user->operation, user->name);
    if (known && kp_row_is_library(known) && known->same_schedule_as == user->same_schedule_as)
        return KP_OK;
    return kp_row_is_library(lent->algorithm) ? check_exact(lent) : kp_problem_check(lent);
}

/* Builds the schedule that will be run backwards. Its blocks have as many bytes as a block of the
 * reduction has elements. So if the schedule splits blocks into bytes, each byte stands for an
 * element. */
static int build_forwards(const kp_problem *problem, kp_algorithm *row,
                          struct kp_schedule **forwards)
{
    kp_problem other = *problem;
    *row = *problem->algorithm->mirror_of;
    /* The pieces of both schedules are then stored in the same way. */
    row->symmetry = problem->algorithm->symmetry;
    other.algorithm = row;
    other.operation = row->operation;
    other.root = row->own_root ? problem->root : 0;
    other.b = (size_t)kp_elements(problem);
    other.op = NULL;
    return kp_schedule_build_exact(&other, forwards);
}

static int mirror_processors(struct kp_builder *b, const kp_problem *problem)
{
    struct kp_schedule *forwards;
    kp_algorithm row;
    int status = build_forwards(problem, &row, &forwards);
    if (status)
        return status;
    for (int processor = 0; processor < b->schedule->stored && !b->status; processor++) {
        kp_builder_begin_processor(b, processor);
        if (kp_operation_reduces(problem->operation))
            kp_mirror_reduction(b, forwards);
        else
            kp_mirror_processor(b, forwards);
        kp_builder_end_processor(b);
    }
    kp_schedule_free(forwards);
    return b->status ? b->status : kp_builder_finish(b);
}

static int build_processors(struct kp_builder *b, const kp_problem *problem)
{
    if (problem->algorithm->same_schedule_as) {
        kp_problem lent = kp_problem_of_lender(problem);
        int status = check_lent(problem->algorithm, &lent);
        return status ? status : build_processors(b, &lent);
    }
    if (problem->algorithm->mirror_of)
        return mirror_processors(b, problem);
    for (int processor = 0; processor < b->schedule->stored; processor++) {
        kp_problem of_processor = *problem;
        of_processor.rank = processor;
        if (!problem->algorithm->own_root) {
            of_processor.target = kp_target_from_root(problem);
            of_processor.root = 0;
        }
        kp_builder_begin_processor(b, processor);
        int status = b->status ? b->status : problem->algorithm->build(b, &of_processor);
        if (b->status)
            return b->status;
        if (!kp_is_status(status))
            return kp_set_error(KP_ESCHEDULE,
                                "the build of algorithm %s returned %d for processor %d, which is "
                                "no status; it may return 0 or a negative status",
                                problem->algorithm->name, status, processor);
        if (status)
            return kp_set_error(status, "algorithm %s could not write the part of processor %d: %s",
                                problem->algorithm->name, processor, kp_strerror(status));
        kp_builder_end_processor(b);
    }
    return kp_builder_finish(b);
}

static int build_exact(const kp_problem *problem, bool unpaired, struct kp_schedule **schedule)
{
    *schedule = NULL;
    int status = check_exact(problem);
    if (status)
        return status;
    struct kp_schedule *s = calloc(1, sizeof *s);
    if (!s)
        return kp_set_error(KP_EMEMORY, "there is no memory for the schedule");
    kp_holders_enter();
    s->unpaired = unpaired;
    struct kp_builder b = {.schedule = s, .build = kp_schedule_build_exact};
    status = set_frame(s, problem);
    if (status == KP_OK)
        status = build_processors(&b, &s->problem);
    if (status == KP_OK && !unpaired)
        status = kp_find_places(s);
    kp_builder_free(&b);
    if (status) {
        kp_schedule_free(s);
        return status;
    }
    *schedule = s;
    return KP_OK;
}

int kp_schedule_build_exact(const kp_problem *problem, struct kp_schedule **schedule)
{
    return build_exact(problem, false, schedule);
}

int kp_schedule_build_unpaired(const kp_problem *problem, struct kp_schedule **schedule)
{
    return build_exact(problem, true, schedule);
}

int kp_schedule_build(const kp_problem *problem, kp_schedule **schedule)
{
    if (!problem || !schedule)
        return kp_set_error(KP_EPROBLEM, "%s is NULL; it must be %s",
                            problem ? "schedule" : "the problem",
                            problem ? "where the schedule goes" : "what kp_problem_parse read");
    kp_problem exact = *problem;
    *schedule = NULL;
    int status = kp_tune(&exact, NULL);
    return status ? status : kp_schedule_build_exact(&exact, schedule);
}
