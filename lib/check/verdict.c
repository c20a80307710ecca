#include "lib/check/verdict.h"

#include "kport/model.h"
#include "lib/problem/rows.h"
#include "lib/schedule/elements.h"
#include "ports/port.h"

static void keep(struct kp_verdict *verdict, int status)
{
    verdict->known = true;
    verdict->why = status ? *kp_error_slot() : (kp_error_record){.status = KP_OK};
}

void kp_verdict_unbuilt(struct kp_verdicts *verdicts)
{
    for (int i = 0; i < 2; i++)
        keep(&verdicts->of[i], kp_error_slot()->status);
}

/* Checks a copy of the schedule. The schedule itself has no operator and no `in_place`, because
 * calls share it. The copy gets these from `problem`. It uses the same arrays as the schedule. */
static int check(const struct kp_schedule *schedule, const kp_problem *problem)
{
    struct kp_schedule as_asked = *schedule;
    as_asked.problem.type = problem->type;
    as_asked.problem.op = problem->op;
    as_asked.problem.in_place = problem->in_place;
    return kp_schedule_check_bounded(&as_asked);
}

/* The check is made for each b, because a formula may be wrong for one b and right for another. For
 * b = 0 C2 says nothing, so the cost for blocks of one element is compared instead. But an
 * algorithm that splits blocks has another schedule for one element, so its cost is compared for b
 * = 0. */
int kp_schedule_check_cost(const struct kp_schedule *schedule, const kp_problem *problem)
{
    kp_problem p = *problem;
    uint64_t c1 = 0, c2 = 0;
    if (!p.algorithm->stated_cost || kp_row_is_library(p.algorithm))
        return KP_OK;
    if (p.b == 0 && !p.algorithm->splits)
        p.b = kp_element_bytes(&p);
    p.algorithm->stated_cost(&p, &c1, &c2);
    kp_cost counted = kp_schedule_cost(schedule, p.b);
    if (counted.c1 == c1 && counted.c2 == c2)
        return KP_OK;
    char text[256];
    kp_problem_format(&p, text, sizeof text);
    return kp_set_error(KP_ESCHEDULE,
                        "%s has C1 = %llu and C2 = %llu; its stated_cost says %llu and %llu", text,
                        (unsigned long long)counted.c1, (unsigned long long)counted.c2,
                        (unsigned long long)c1, (unsigned long long)c2);
}

int kp_verdict_find(struct kp_verdicts *verdicts, const struct kp_schedule *schedule,
                    const kp_problem *problem)
{
    struct kp_verdict *verdict = &verdicts->of[problem->in_place ? 1 : 0];
    if (!verdict->known) {
        int status = check(schedule, problem);
        if (status == KP_EMEMORY) /* this is not recorded, because the next call may have memory */
            return status;
        keep(verdict, status);
    }
    if (verdict->why.status) {
        *kp_error_slot() = verdict->why;
        return verdict->why.status;
    }
    return kp_schedule_check_cost(schedule, problem);
}
