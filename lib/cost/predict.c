/* Predicts the times of candidates, and chooses the candidate with the least time.
 *
 * With a profile, the formula is T = gamma1 C1 beta + gamma2 C2 tau + gamma3 (Bruck et al. 1997,
 * section 3.5). The measured times of a candidate correct the formula. Only the few measured values
 * of a parameter are candidates then. For all other values there is only the formula, which can be
 * wrong by a factor of n if processors share one memory. Without a profile, the linear model
 * predicts the times of all values. */
#include "lib/cost/work.h"
#include "lib/problem/problem.h"
#include "lib/tune/candidates.h"
#include "lib/tune/profile.h"
#include "ports/port.h"

#include <math.h>

/* The three terms of the formula for a candidate. */
struct terms {
    double rounds_us, bytes_us, rest_us;
};

struct predictor {
    const struct kp_setting *setting; /* the measured setting; NULL: predict by `model` */
    kp_model model;
    double crowd; /* over processes: how many processors share a core; 0: predict by `model` */
    kp_discipline discipline;
    kp_on_prediction *visit;
    void *arg;
    kp_prediction best; /* the best candidate so far; `us` is negative if there is none */
};

static void stated(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    *c1 = *c2 = 0;
    if (p->algorithm->stated_cost)
        p->algorithm->stated_cost(p, c1, c2);
}

static struct terms fitted(const struct kp_setting *s, const kp_problem *p)
{
    const double *gamma = s->operations[p->operation]->gamma;
    uint64_t c1, c2;
    stated(p, &c1, &c2);
    return (struct terms){gamma[0] * (double)c1 * s->beta_us, gamma[1] * (double)c2 * s->tau_us,
                          gamma[2]};
}

static double sum(const struct terms *t)
{
    return t->rounds_us + t->bytes_us + t->rest_us;
}

/* Converts a time that was measured at length `from` to the problem's length. The formula gives the
 * ratio of the two times. */
static double in_proportion(const struct kp_setting *s, const kp_problem *p, size_t from, double us)
{
    kp_problem there = *p;
    there.b = from;
    struct terms here_terms = fitted(s, p), there_terms = fitted(s, &there);
    double here = sum(&here_terms), at = sum(&there_terms);
    return at > 0 && here > 0 ? us * here / at : us;
}

/* Returns a candidate's time, computed from its measured times. Returns 0 if it has none. */
static double measured(const struct kp_setting *s, const kp_problem *p)
{
    const struct kp_measured_operation *o = s->operations[p->operation];
    const struct kp_curve *curve = kp_profile_curve(o, p);
    int below = -1, above = -1;
    for (int i = 0; curve && i < o->sizes; i++) {
        if (curve->us[i] > 0 && o->b[i] <= p->b)
            below = i;
        if (curve->us[i] > 0 && o->b[i] >= p->b && above < 0)
            above = i;
    }
    if (below < 0 && above < 0)
        return 0;
    /* This candidate was not measured at the longest lengths, although others were. Its time is
     * taken to be proportional to the bytes, because nothing shows that it grows more slowly. */
    if (above < 0 && below < o->sizes - 1)
        return curve->us[below] * (double)p->b / (double)o->b[below];
    if (below < 0 || above < 0) {
        int end = below < 0 ? above : below;
        return in_proportion(s, p, o->b[end], curve->us[end]);
    }
    if (below == above)
        return curve->us[below];
    double part = (double)(p->b - o->b[below]) / (double)(o->b[above] - o->b[below]);
    return curve->us[below] + part * (curve->us[above] - curve->us[below]);
}

static void by_setting(const struct predictor *to, kp_prediction *prediction)
{
    struct terms terms = fitted(to->setting, &prediction->problem);
    double us = measured(to->setting, &prediction->problem), all = sum(&terms);
    prediction->rounds_us = terms.rounds_us;
    prediction->bytes_us = terms.bytes_us;
    prediction->rest_us = terms.rest_us;
    prediction->measured = us > 0;
    prediction->us = us > 0 ? us : all;
    prediction->measured_ratio = us > 0 && all > 0 ? us / all : 1;
}

static void by_model(const struct predictor *to, kp_prediction *prediction)
{
    const kp_problem *p = &prediction->problem;
    prediction->us =
        kp_model_predict(&to->model, p, prediction->c1, prediction->c2, &prediction->rounds_us);
    prediction->bytes_us = prediction->us - prediction->rounds_us;
    prediction->measured_ratio = 1;
}

/* A candidate that cannot be built is not chosen. */
static void by_work(const struct predictor *to, kp_prediction *prediction)
{
    const double most_us = to->visit ? -1 : to->best.us;
    const double us = kp_work_predict(&prediction->problem, to->crowd, prediction->c1, most_us,
                                      &prediction->rounds_us);
    prediction->us = us < 0 ? HUGE_VAL : us;
    prediction->bytes_us = prediction->us - prediction->rounds_us;
    prediction->measured_ratio = 1;
}

static bool is_better(const kp_prediction *a, const kp_prediction *b)
{
    if (b->us < 0 || a->measured != b->measured)
        return b->us < 0 || a->measured;
    return a->us < b->us;
}

static void predict(const kp_problem *candidate, void *arg)
{
    struct predictor *to = arg;
    kp_prediction prediction = {.problem = *candidate, .rounds = to->discipline};
    stated(candidate, &prediction.c1, &prediction.c2);
    (to->setting ? by_setting : to->crowd > 0 ? by_work : by_model)(to, &prediction);
    if (to->visit)
        to->visit(&prediction, to->arg);
    if (is_better(&prediction, &to->best))
        to->best = prediction;
}

static kp_config completed(const kp_config *config, const kp_problem *problem)
{
    kp_config c = config ? *config : (kp_config){0};
    int n = c.processors > 0 ? c.processors : problem->n, cores = kp_cores();
    if (c.carrier == KP_CARRIER_FIBERS && c.workers == 0)
        c.workers = n < cores ? n : cores;
    return c;
}

kp_model kp_model_of(const kp_config *config, int n, int k)
{
    kp_model model = kp_model_builtin(n, k);
    if (config->beta_us > 0)
        model.beta_us = config->beta_us;
    if (config->tau_us > 0)
        model = (kp_model){.beta_us = model.beta_us, .tau_us = config->tau_us};
    return model;
}

static bool has_own_model(const kp_config *config)
{
    return config->beta_us > 0 || config->tau_us > 0;
}

/* Returns the setting that was measured for the problem with this discipline. Returns NULL if the
 * machine may not use the discipline, or if its configuration has beta_us or tau_us. */
static const struct kp_setting *setting_of(const kp_profile *profile, const kp_config *config,
                                           kp_discipline discipline, const kp_problem *problem)
{
    bool allowed = config->discipline == discipline || config->discipline == KP_ROUNDS_BY_TUNER;
    return has_own_model(config) || !profile || !allowed
               ? NULL
               : kp_profile_setting(profile, config, discipline, problem);
}

/* Chooses among all values, because the model is equally exact for all of them. By the model, both
 * disciplines take the same time. */
static int choose_by_model(struct predictor *to, const kp_problem *problem, kp_prediction *choice)
{
    kp_prediction chosen = {.problem = *problem, .rounds = to->discipline};
    if (to->visit)
        kp_candidates(problem, KP_FEW_VALUES, predict, to);
    if (!choice)
        return KP_OK;
    int status = kp_tune(&chosen.problem, &to->model);
    if (status)
        return status;
    stated(&chosen.problem, &chosen.c1, &chosen.c2);
    by_model(to, &chosen);
    *choice = chosen;
    return KP_OK;
}

/* Returns how many processors share a core if the work of messages over a network counts, and
 * otherwise 0. KP_TUNING_BUILTIN chooses alike everywhere, and a model of the caller's own is the
 * linear one. */
static double crowd_of(const kp_config *config, const kp_problem *problem)
{
    const bool counts = config->carrier == KP_CARRIER_MPI && config->tuning != KP_TUNING_BUILTIN &&
                        !has_own_model(config);
    return counts ? kp_port_crowd(problem->n) : 0;
}

static const kp_discipline disciplines[] = {KP_ROUNDS_BY_BARRIER, KP_ROUNDS_BY_MAILBOXES};
#define DISCIPLINES (sizeof disciplines / sizeof disciplines[0])

int kp_predict(const kp_config *config, const kp_profile *profile, const kp_problem *problem,
               kp_on_prediction *visit, void *arg, kp_prediction *choice)
{
    int status = kp_problem_check(problem);
    if (status)
        return status;
    kp_config complete = completed(config, problem);
    struct predictor to = {.model = kp_model_of(&complete, problem->n, problem->k),
                           .visit = visit,
                           .arg = arg,
                           .best = {.us = -1}};
    bool any = false;
    for (size_t i = 0; i < DISCIPLINES; i++) {
        to.discipline = disciplines[i];
        to.setting = setting_of(profile, &complete, to.discipline, problem);
        if (to.setting)
            kp_candidates(problem, KP_FEW_VALUES, predict, &to);
        any = any || to.setting;
    }
    to.setting = NULL;
    to.discipline = complete.discipline == KP_ROUNDS_BY_MAILBOXES ? KP_ROUNDS_BY_MAILBOXES
                                                                  : KP_ROUNDS_BY_BARRIER;
    to.crowd = any ? 0 : crowd_of(&complete, problem);
    if (to.crowd > 0)
        kp_candidates(problem, KP_FEW_VALUES, predict, &to);
    else if (!any)
        return choose_by_model(&to, problem, choice);
    if (to.best.us < 0)
        return kp_set_error(KP_EUNSERVED, "no algorithm for %s serves n=%d, k=%d",
                            kp_operation_name(problem->operation), problem->n, problem->k);
    if (choice)
        *choice = to.best;
    return KP_OK;
}

const struct kp_setting *kp_predict_setting(const kp_profile *profile, const kp_config *config,
                                            const kp_problem *problem, kp_discipline discipline)
{
    kp_config complete = completed(config, problem);
    return setting_of(profile, &complete, discipline, problem);
}

int kp_profile_serves(const kp_profile *profile, const kp_config *config, const kp_problem *problem)
{
    if (kp_problem_check(problem))
        return 0;
    for (size_t i = 0; i < DISCIPLINES; i++) {
        if (kp_predict_setting(profile, config, problem, disciplines[i]))
            return 1;
    }
    return 0;
}
