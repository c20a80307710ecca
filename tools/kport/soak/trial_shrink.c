/* Makes a failing trial (trial.h) smaller, as long as it still fails. First it removes steps,
 * beginning with halves (delta debugging, Zeller and Hildebrandt 2002). Then it removes processors,
 * groups and members. At last it gives simple values to the properties that remain, such as faults
 * and lengths. */
#include "tools/kport/soak/trial.h"

#include "lib/problem/operation.h"
#include "lib/schedule/elements.h"

#include <string.h>

struct shrinking {
    struct trial *best;
    bool (*fails)(const struct trial *trial, void *context);
    void *context;
    int attempts, left;
};

/* If `smaller` still fails, makes it the best trial so far. Otherwise frees it. Returns whether it
 * still fails. */
static bool try(struct shrinking *s, struct trial *smaller)
{
    trial_settle(smaller);
    bool better = s->left > 0 && s->fails(smaller, s->context);
    if (s->left > 0) {
        s->left--;
        s->attempts++;
    }
    if (!better) {
        trial_free(smaller);
        return false;
    }
    trial_free(s->best);
    *s->best = *smaller;
    return true;
}

/* --- Removing steps, processors and groups --- */

static bool without_steps(struct shrinking *s, int first, int count)
{
    struct trial smaller;
    if (!trial_copy(&smaller, s->best))
        return false;
    int rest = smaller.steps - first - count;
    memmove(&smaller.step[first], &smaller.step[first + count],
            (size_t)rest * sizeof *smaller.step);
    smaller.steps -= count;
    return try(s, &smaller);
}

static bool fewer_steps(struct shrinking *s)
{
    bool any = false;
    for (int count = s->best->steps / 2; count >= 1; count /= 2) {
        /* The removal begins at the end, because steps after the failure do not matter. */
        for (int first = s->best->steps - count; first >= 0; first -= count) {
            if (first + count <= s->best->steps && without_steps(s, first, count))
                any = true;
        }
    }
    return any;
}

/* Removes a processor from the machine and from all groups. Processors with greater numbers get the
 * next smaller number. */
static void remove_processor(struct trial *trial, int processor)
{
    for (int g = 1; g < trial->groups; g++) {
        struct trial_group *group = &trial->group[g];
        int kept = 0;
        for (int i = 0; i < group->size; i++) {
            int member = group->members[i];
            if (member != processor)
                group->members[kept++] = member - (member > processor);
        }
        group->size = kept;
    }
    for (int i = 0; i < trial->steps; i++)
        trial->step[i].who -= trial->step[i].who > processor;
    trial->machine.processors--;
}

static bool fewer_processors(struct shrinking *s)
{
    bool any = false;
    for (int n = s->best->machine.processors / 2; n >= 1; n /= 2) {
        struct trial smaller;
        while (s->best->machine.processors > n && trial_copy(&smaller, s->best)) {
            for (int i = 0; i < n; i++)
                remove_processor(&smaller, smaller.machine.processors - 1);
            if (!try(s, &smaller))
                break;
            any = true;
        }
    }
    for (int i = s->best->machine.processors - 1; i >= 0 && s->best->machine.processors > 1; i--) {
        struct trial smaller;
        if (i < s->best->machine.processors && trial_copy(&smaller, s->best)) {
            remove_processor(&smaller, i);
            any = try(s, &smaller) || any;
        }
    }
    return any;
}

/* Removes the groups that no step uses. */
static void drop_groups(struct trial *trial)
{
    for (int g = trial->groups - 1; g > 0; g--) {
        bool used = false;
        for (int i = 0; i < trial->steps; i++)
            used = used || trial->step[i].group == g;
        if (used)
            continue;
        memmove(&trial->group[g], &trial->group[g + 1],
                (size_t)(trial->groups - g - 1) * sizeof trial->group[0]);
        trial->groups--;
        for (int i = 0; i < trial->steps; i++)
            trial->step[i].group -= trial->step[i].group > g;
    }
}

static bool fewer_groups(struct shrinking *s)
{
    bool any = false;
    struct trial smaller;
    for (int g = s->best->groups - 1; g > 0; g--) {
        if (g >= s->best->groups || !trial_copy(&smaller, s->best))
            continue;
        for (int i = 0; i < smaller.steps; i++)
            smaller.step[i].group = smaller.step[i].group == g ? 0 : smaller.step[i].group;
        drop_groups(&smaller);
        any = try(s, &smaller) || any;
    }
    for (int g = 1; g < s->best->groups; g++) {
        for (int i = s->best->group[g].size - 1; i >= 0; i--) {
            if (!trial_copy(&smaller, s->best))
                continue;
            struct trial_group *group = &smaller.group[g];
            memmove(&group->members[i], &group->members[i + 1],
                    (size_t)(group->size - i - 1) * sizeof group->members[0]);
            group->size--;
            any = try(s, &smaller) || any;
        }
    }
    return any;
}

/* --- Setting properties to simple values --- */

/* Each of these functions sets one property of a machine or a step to its simplest value. The
 * function returns false if the property already has this value. */
typedef bool plainer_machine(struct trial *trial);
typedef bool plainer_step(struct trial_step *step);

#define PLAIN_MACHINE(name, field, plain)                                                          \
    static bool name(struct trial *trial)                                                          \
    {                                                                                              \
        bool was = trial->field != (plain);                                                        \
        trial->field = (plain);                                                                    \
        return was;                                                                                \
    }
PLAIN_MACHINE(no_fibers, machine.carrier, KP_CARRIER_THREADS)
PLAIN_MACHINE(one_worker, machine.workers, trial->machine.carrier == KP_CARRIER_FIBERS ? 1 : 0)
PLAIN_MACHINE(no_seed, machine.seed, 0)
PLAIN_MACHINE(by_barrier, machine.discipline, KP_ROUNDS_BY_BARRIER)
PLAIN_MACHINE(no_generations, machine.generations, 0)
PLAIN_MACHINE(one_port, machine.ports, 1)
PLAIN_MACHINE(no_wait, machine.wait, KP_WAIT_AUTO)
PLAIN_MACHINE(no_eager_bytes, machine.eager_bytes, 0)
PLAIN_MACHINE(no_plan_bytes, machine.plan_bytes, 0)
PLAIN_MACHINE(no_limit, machine.time_limit_ms, 0)
PLAIN_MACHINE(usual_messages, machine.message_eager_bytes, 0)
PLAIN_MACHINE(usual_buffers, machine.unreceived_bytes, 0)
PLAIN_MACHINE(no_progress, machine.progress, 0)
PLAIN_MACHINE(not_pinned, machine.pin, 0)
PLAIN_MACHINE(not_attached, attached, 0)
PLAIN_MACHINE(no_delays, delays, 0)
PLAIN_MACHINE(no_delay_seed, delay_seed, trial->delays > 0 ? trial->delay_seed : 0)

static plainer_machine *const machines[] = {
    no_fibers, one_worker,     no_seed,        by_barrier,    no_generations, one_port,
    no_wait,   no_eager_bytes, no_plan_bytes,  no_limit,      not_pinned,     not_attached,
    no_delays, no_delay_seed,  usual_messages, usual_buffers, no_progress,
};

#define PLAIN_STEP(name, field, plain)                                                             \
    static bool name(struct trial_step *step)                                                      \
    {                                                                                              \
        bool was = step->field != (plain);                                                         \
        step->field = (plain);                                                                     \
        return was;                                                                                \
    }
PLAIN_STEP(no_fault, fault, TRIAL_NO_FAULT)
PLAIN_STEP(one_call, repeats, 1)
PLAIN_STEP(not_persistent, persistent, 0)
PLAIN_STEP(not_started, started, 0)
PLAIN_STEP(not_laid, laid, 0)
PLAIN_STEP(library_operator, own_operator, 0)
PLAIN_STEP(not_in_place, problem.in_place, 0)
PLAIN_STEP(any_algorithm, problem.algorithm, NULL)
PLAIN_STEP(root_0, problem.root, 0)
PLAIN_STEP(target_0, problem.target, 0)
PLAIN_STEP(no_bytes, problem.b, 0)
PLAIN_STEP(half_the_bytes, problem.b, step->problem.b / 2)
PLAIN_STEP(empty_messages, bytes, 0)
PLAIN_STEP(half_the_messages, bytes, step->bytes / 2)
PLAIN_STEP(seed_0, seed, 0)

static bool any_values(struct trial_step *step)
{
    static const long none[KP_PARAMETERS];
    bool was = memcmp(step->problem.values, none, sizeof none) != 0;
    memset(step->problem.values, 0, sizeof none);
    return was;
}

/* Makes the block shorter by one element. So the smallest length that fails is found. */
static bool one_less(struct trial_step *step)
{
    size_t element = kp_element_bytes(&step->problem);
    bool was = step->problem.b >= element;
    step->problem.b -= was ? element : 0;
    return was;
}

static plainer_step *const steps[] = {
    no_fault,       one_call,   not_persistent, library_operator,  not_in_place,
    any_algorithm,  any_values, root_0,         target_0,          no_bytes,
    half_the_bytes, one_less,   empty_messages, half_the_messages, seed_0,
    not_started,    not_laid,
};

static bool plainer(struct shrinking *s)
{
    bool any = false;
    struct trial smaller;
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        if (trial_copy(&smaller, s->best)) {
            if (machines[i](&smaller))
                any = try(s, &smaller) || any;
            else
                trial_free(&smaller);
        }
    }
    for (int step = 0; step < s->best->steps; step++) {
        for (size_t i = 0; i < sizeof steps / sizeof steps[0] && step < s->best->steps; i++) {
            if (!trial_copy(&smaller, s->best))
                continue;
            if (steps[i](&smaller.step[step]))
                any = try(s, &smaller) || any;
            else
                trial_free(&smaller);
        }
    }
    return any;
}

int trial_shrink(struct trial *trial, bool (*fails)(const struct trial *trial, void *context),
                 void *context, int attempts)
{
    struct shrinking s = {trial, fails, context, 0, attempts};
    bool any = true;
    while (any && s.left > 0) {
        any = fewer_steps(&s);
        any = fewer_processors(&s) || any;
        any = fewer_groups(&s) || any;
        any = plainer(&s) || any;
    }
    return s.attempts;
}
