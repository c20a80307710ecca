/* The tests of schedules share this header. Its functions build a schedule, draw seeded random
 * numbers, and go through all problems with given n and b. */
#ifndef KPORT_TESTS_SCHEDULE_COMMON_H
#define KPORT_TESTS_SCHEDULE_COMMON_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/problem/operation.h"
#include "tools/kport/common/random.h"

#include <kport/error.h>
#include <kport/model.h>
#include <kport/schedule.h>

/* Returns the problem string, for messages. The returned text stays valid during the next three
 * calls. */
static inline const char *text_of(const kp_problem *problem)
{
    static char texts[4][160];
    static int next;
    next = (next + 1) % 4;
    kp_problem_format(problem, texts[next], sizeof texts[next]);
    return texts[next];
}

/* Returns the schedule of a problem, which must be valid. The caller frees the schedule. */
static inline kp_schedule *build(const kp_problem *problem)
{
    kp_schedule *schedule = NULL;
    if (kp_schedule_build(problem, &schedule) != KP_OK)
        fail_msg("%s: %s", text_of(problem), kp_last_error()->sentence);
    return schedule;
}

static inline kp_problem parse(const char *text)
{
    kp_problem problem;
    if (kp_problem_parse(text, &problem) != KP_OK)
        fail_msg("%s: %s", text, kp_last_error()->sentence);
    return problem;
}

/* Returns the next random number of a seed (splitmix64). The numbers are the same on every
 * computer. */
static inline uint64_t draw_number(uint64_t *seed)
{
    return random_final(*seed += UINT64_C(0x9e3779b97f4a7c15));
}

/* Returns a random number from `low` to `high`. */
static inline int draw_between(uint64_t *seed, int low, int high)
{
    return low + (int)(draw_number(seed) % (uint64_t)(high - low + 1));
}

static inline int most_ports(int n)
{
    return n > 2 ? n - 1 : 1;
}

/* Sets the next number of processors of a process: a divisor of n from 2 to n / 2. Returns 0 if
 * there is none, or if the algorithm does not care which processors share a process. */
static inline int next_per_process(kp_problem *p)
{
    while (p->algorithm->stated_between && ++p->per_process <= p->n / 2) {
        if (p->per_process > 1 && p->n % p->per_process == 0)
            return 1;
    }
    return 0;
}

/* Calls `visit` for each problem with n processors and blocks of b bytes: for every algorithm,
 * every number of processors of a process, every k, and every value of the algorithm's first
 * parameter. Returns the number of calls. */
static inline long for_all_problems(int n, size_t b, void (*visit)(const kp_problem *))
{
    long count = 0;
    for (int i = 0; kp_algorithm_at(i); i++) {
        const kp_algorithm *algorithm = kp_algorithm_at(i);
        kp_problem p = {.operation = algorithm->operation, .n = n, .algorithm = algorithm};
        const kp_parameter *parameter = &algorithm->parameters[0];
        p.b = kp_block_bytes(p.operation, b);
        p.target = algorithm->operation == KP_ONE_TO_ONE ? n - 1 : 0;
        do {
            for (p.k = 1; p.k <= most_ports(n); p.k++) {
                if (algorithm->serves && algorithm->serves(&p))
                    continue;
                long high = !parameter->name ? 0 : parameter->words ? 2 : parameter->high(&p);
                long low = !parameter->name ? 0 : parameter->words ? 1 : parameter->low(&p);
                for (p.values[0] = low; p.values[0] <= high; p.values[0]++, count++)
                    visit(&p);
            }
        } while (next_per_process(&p));
    }
    return count;
}

/* The algorithm `halves` for two processors. It sends three bytes of each block in round 0, nothing
 * in round 1, and the remaining bytes in round 2. If `halves_stop_early` is set, it wrongly leaves
 * out the messages of round 2. */
static int halves_stop_early;

static inline int split_halves(const kp_problem *p)
{
    return p->b > 3;
}

static inline int build_halves(kp_builder *b, const kp_problem *p)
{
    int64_t block = (int64_t)p->b, own = p->rank * block, other = (1 - p->rank) * block;
    kp_build_move(b, kp_run_of(KP_OUT, 0, block), kp_run_of(KP_IN, own, block));
    for (int round = 0; round < 3; round++) {
        int64_t first = round == 0 ? 0 : 3, count = round == 0 ? 3 : block - 3;
        kp_build_round(b);
        if (round == 1 || (round == 2 && halves_stop_early))
            continue;
        kp_build_send(b, 0, 1 - p->rank);
        kp_build_piece(b, kp_run_of(KP_IN, own + first, count));
        kp_build_receive(b, 0, 1 - p->rank);
        kp_build_piece(b, kp_run_of(KP_IN, other + first, count));
    }
    return KP_OK;
}

static inline void cost_of_halves(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    *c1 = 2;
    *c2 = p->b;
}

static const kp_algorithm halves = {.operation = KP_CONCAT,
                                    .name = "halves",
                                    .symmetry = KP_CYCLIC,
                                    .splits = split_halves,
                                    .build = build_halves,
                                    .stated_cost = cost_of_halves};

/* Returns how long a test may run, as the program's first argument says: 0 without an argument, 1
 * for "full", 2 for "stress". Tests under sanitizers run with "full". With "stress" a test is
 * exhaustive. */
static inline int extent_of(int count, char **arguments)
{
    if (count > 1 && strcmp(arguments[1], "stress") == 0)
        return 2;
    return count > 1 && strcmp(arguments[1], "full") == 0;
}

#endif
