/* Judges the errors that processors get in a trial (trial.h). An error must have the right status,
 * arrive within a time limit and be about the right processor. If calls differ, the error's
 * sentence must have both calls.
 *
 * If a fault does not end the trial, each member judges its error at once. A fault that ends
 * the trial spreads: a processor that gets an error stops, and then other processors get errors
 * because they wait for that processor. So after such a fault an error may be about the processor
 * with the fault. The error may also be about another member of the same group that stopped
 * earlier. */
#include "tools/kport/soak/trial_run.h"

#include "lib/problem/operation.h"
#include "lib/problem/problem.h"

#include <stdio.h>
#include <string.h>

/* The error that a processor must get at a step. */
struct expected {
    int status;
    int about; /* the processor that the error must name; -1: any processor */
    bool both; /* the sentence must have both calls */
};

/* --- The status that each fault must cause --- */

static const struct {
    int own, others; /* the status at the processor with the fault, and the status at the other
                        members */
} statuses[TRIAL_FAULTS] = {
    [TRIAL_RETURNS] = {0, KP_ELOST},
    [TRIAL_RETURNS_NUMBER] = {0, KP_EFAILED},
    [TRIAL_FAILS] = {0, KP_EFAILED},
    [TRIAL_EXITS] = {0, KP_ELOST},
    [TRIAL_IS_CANCELLED] = {0, KP_ELOST},
    [TRIAL_IS_LATE] = {KP_ETIMEOUT, KP_ETIMEOUT},
    [TRIAL_CROSSES] = {KP_EDEADLOCK, KP_EDEADLOCK},
    [TRIAL_LEAVES_OUT] = {KP_EMISMATCH, KP_EMISMATCH},
    [TRIAL_OTHER_SIZE] = {KP_EMISMATCH, KP_EMISMATCH},
    [TRIAL_OTHER_ROOT] = {KP_EMISMATCH, KP_EMISMATCH},
    [TRIAL_OTHER_OPERATOR] = {KP_EMISMATCH, KP_EMISMATCH},
    [TRIAL_OTHER_OPERATION] = {KP_EMISMATCH, KP_EMISMATCH},
    [TRIAL_NULL] = {KP_EARGUMENT, KP_EPEER},
    [TRIAL_BAD_ROOT] = {KP_EARGUMENT, KP_EPEER},
    [TRIAL_BAD_HOW] = {KP_EALGORITHM, KP_EPEER},
    [TRIAL_BAD_OPERATOR] = {KP_EARGUMENT, KP_EPEER},
    [TRIAL_TOO_LARGE] = {KP_EARGUMENT, KP_EPEER},
    [TRIAL_BAD_PEER] = {KP_EARGUMENT, KP_EPEER},
    [TRIAL_BAD_PORT] = {KP_EPORT, KP_EPEER},
};

/* Returns whether the faulty message goes to or comes from this processor. The faulty message is
 * the first message that the faulty processor sends, or that it does not receive. */
static bool is_other_side(const struct actor *actor, const struct trial_step *step)
{
    const struct trial *trial = actor->run->trial;
    struct trial_message message;
    return trial_first_message(trial, step, trial_rank(trial, step->group, step->who),
                               step->fault != TRIAL_TAKES_NOTHING, &message) &&
           trial_member(trial, step->group, message.peer) == actor->number;
}

/* Returns the expected error if `step` has the fault TRIAL_TAKES_NOTHING. `next` is false for the
 * call of `step`, and true for the next call. Only the sender of the message gets an error. If the
 * call of `step` waits for its readers, the sender gets the error at the end of this call,
 * otherwise at the next call. */
static struct expected expected_untaken(struct actor *actor, const struct trial_step *step,
                                        bool next, int status)
{
    struct expected well = {.about = -1}, left = {KP_EUNTAKEN, step->who, false};
    bool before = next && actor->told_early;
    actor->told_early = !next && is_other_side(actor, step) && status != KP_OK;
    return is_other_side(actor, step) && !before && (next || status != KP_OK) ? left : well;
}

/* Returns the error that a call must have. `status` is the status that the call has returned. This
 * status matters for TRIAL_TAKES_NOTHING alone, where two statuses may be right. */
static struct expected expected_of(struct actor *actor, int step, int status)
{
    const struct trial *trial = actor->run->trial;
    const struct trial_step *s = &trial->step[step], *before = step > 0 ? s - 1 : NULL;
    struct expected well = {.about = -1};
    if (before && before->fault == TRIAL_TAKES_NOTHING && before->group == s->group)
        return expected_untaken(actor, before, true, status);
    if (s->fault == TRIAL_TAKES_NOTHING)
        return expected_untaken(actor, s, false, status);
    if (s->fault == TRIAL_NO_FAULT)
        return well;
    if (s->fault == TRIAL_OTHER_LENGTH || s->fault == TRIAL_SENDS_NOTHING ||
        s->fault == TRIAL_OTHER_ELEMENTS) {
        status = s->fault == TRIAL_OTHER_LENGTH    ? KP_ELENGTH
                 : s->fault == TRIAL_SENDS_NOTHING ? KP_EMISSING
                                                   : KP_EMISMATCH;
        return is_other_side(actor, s) ? (struct expected){status, s->who, false} : well;
    }
    bool own = s->who == actor->number;
    status = own ? statuses[s->fault].own : statuses[s->fault].others;
    bool differs = status == KP_EMISMATCH;
    return (struct expected){status, own && differs ? -1 : s->who, differs};
}

/* --- Searching an error's sentence --- */

static bool names(const char *sentence, int number)
{
    char digits[16];
    size_t length = (size_t)snprintf(digits, sizeof digits, "%d", number);
    for (const char *at = strstr(sentence, digits); at; at = strstr(at + 1, digits)) {
        bool before = at > sentence && at[-1] >= '0' && at[-1] <= '9';
        if (!before && !(at[length] >= '0' && at[length] <= '9'))
            return true;
    }
    return false;
}

/* An error's sentence has a text for each call. Writes the beginning of this text; the rest depends
 * on what the library chooses. */
static void call_text(const struct trial_step *step, const kp_problem *problem, char *text,
                      size_t size)
{
    kp_problem p = *problem;
    static const char *const others[TRIAL_KINDS] = {
        [TRIAL_BARRIER] = "kp_barrier", [TRIAL_SEND_RECV] = "exchange:",
        [TRIAL_EXCHANGE] = "exchange:", [TRIAL_ROUTE] = "route",
        [TRIAL_MESSAGES] = "kp_",
    };
    if (step->kind != TRIAL_COLLECTIVE) {
        snprintf(text, size, "%s", others[step->kind]);
        return;
    }
    p.in_place = 0;
    p.algorithm = NULL;
    kp_problem_describe(&p, text, size);
    char *end = kp_operation_row(p.operation)->lengths ? strchr(text, ':')
                : step->own_operator                   ? strstr(text, ",type=")
                                                       : NULL;
    if (end)
        *end = '\0';
}

static bool has_both_calls(const struct trial *trial, int step, const char *sentence)
{
    const struct trial_step *s = &trial->step[step];
    kp_problem other = trial_other_problem(s);
    char right[160], wrong[160];
    if (s->kind == TRIAL_ROUTE && s->fault == TRIAL_OTHER_SIZE)
        return strstr(sentence, "want messages routed differently");
    call_text(s, &s->problem, right, sizeof right);
    if (s->fault == TRIAL_LEAVES_OUT)
        call_text(s + 1, &s[1].problem, wrong, sizeof wrong);
    else
        call_text(s, &other, wrong, sizeof wrong);
    return strstr(sentence, right) && strstr(sentence, wrong);
}

/* Returns whether an error is about `processor`. If `processor` itself got the error, the error's
 * sentence need not name it. */
static bool is_about(const struct actor *actor, const kp_error_record *error, int processor)
{
    return !trial_sabotage.mistell && (error->processor == processor || error->peer == processor) &&
           (processor == actor->number || names(error->sentence, processor));
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* --- Judging faults that do not end the trial --- */

static bool is_told(struct actor *actor, int step, const struct expected *expected)
{
    const struct trial_under_way *run = actor->run;
    const kp_error_record *error = kp_error(actor->self);
    uint64_t planted = atomic_load(&run->seen[step].planted_at);
    if (error->status != expected->status)
        trial_complain(actor, "the call returned %s, the record says %s: %s",
                       kp_strerror(expected->status), kp_strerror(error->status), error->sentence);
    else if (expected->about >= 0 && !is_about(actor, error, expected->about))
        trial_complain(actor, "the error is not about processor %d: %s", expected->about,
                       error->sentence);
    else if (expected->both && !has_both_calls(run->trial, step, error->sentence))
        trial_complain(actor, "the error does not name both calls: %s", error->sentence);
    else if (trial_now() - later(actor->entered, planted) > TRIAL_LIMIT_NS)
        trial_complain(actor, "the error came after more than a second: %s", error->sentence);
    else
        return true;
    return false;
}

bool trial_judge_call(struct actor *actor, int step, int status)
{
    struct trial_under_way *run = actor->run;
    const struct trial_step *s = &run->trial->step[step];
    struct expected expected = expected_of(actor, step, status);
    bool overtaken =
        run->ending < run->trial->steps && status != KP_OK && trial_may_overtake(run->trial);
    if (status != expected.status) {
        if (!overtaken)
            trial_complain(actor, "%s instead of %s: %s", kp_strerror(status),
                           kp_strerror(expected.status),
                           status ? kp_error(actor->self)->sentence : "no error");
        return false;
    }
    if (status != KP_OK && !is_told(actor, step, &expected))
        return false;
    if (s->fault && s->fault != TRIAL_TAKES_NOTHING)
        atomic_fetch_add(&run->seen[step].told, 1);
    if (step > 0 && s[-1].fault == TRIAL_TAKES_NOTHING && s[-1].group == s->group)
        atomic_fetch_add(&run->seen[step - 1].told, 1);
    return true;
}

/* --- Judging the fault that ends the trial --- */

/* For calls that differ, with mailboxes: returns whether the processor's error is one of the three
 * that can follow. A message of one call may reach a member that makes another call (KP_EMISMATCH).
 * All members may wait for each other (KP_EDEADLOCK). A member may wait for a processor that has
 * ended its program (KP_ELOST). */
static bool is_told_difference(const struct trial_under_way *run, const struct actor *actor)
{
    const struct trial *trial = run->trial;
    const kp_error_record *error = &actor->error;
    int who = trial->step[run->ending].who, from = error->processor;
    /* With many processors, the sentence does not name all of them. */
    if (error->status == KP_EDEADLOCK)
        return names(error->sentence, who) || trial->machine.processors > 8;
    if (error->status == KP_ELOST)
        return from >= 0 && from < trial->machine.processors &&
               run->actors[from].end == ACTOR_FINISHED && names(error->sentence, from);
    return error->status == KP_EMISMATCH && (error->processor == who || error->peer == who);
}

/* Returns whether the processor's error is about the fault itself. */
static bool is_direct(const struct trial_under_way *run, const struct actor *actor)
{
    const struct trial *trial = run->trial;
    const struct trial_step *end = &trial->step[run->ending];
    const kp_error_record *error = &actor->error;
    bool own = end->who == actor->number;
    int status = own ? statuses[end->fault].own : statuses[end->fault].others;
    int group = trial->step[actor->step].group;
    if (status == KP_EMISMATCH && !trial_kept_by_barrier(trial, end))
        return is_told_difference(run, actor);
    if (error->status != status)
        return false;
    /* With many processors, the sentence does not name all of them. */
    if (end->fault == TRIAL_CROSSES)
        return names(error->sentence, end->who) || trial->machine.processors > 8;
    if (trial_rank(trial, group, end->who) < 0)
        return false;
    if (status == KP_EMISMATCH && !has_both_calls(trial, run->ending, error->sentence))
        return false;
    return (own && status == KP_EMISMATCH) || is_about(actor, error, end->who);
}

/* Returns whether the processor's error is about another processor, which stopped earlier because
 * it had got an error. Sets `*since` to the time from which the error was possible. */
static bool is_passed_on(const struct trial_under_way *run, const struct actor *actor,
                         uint64_t *since)
{
    const struct trial *trial = run->trial;
    const kp_error_record *error = &actor->error;
    int from = error->processor, group = trial->step[actor->step].group;
    if (from < 0 || from >= trial->machine.processors || from == actor->number ||
        trial_rank(trial, group, from) < 0)
        return false;
    const struct actor *other = &run->actors[from];
    bool late = error->status == KP_ETIMEOUT && trial->step[run->ending].fault == TRIAL_IS_LATE &&
                other->end == ACTOR_STOPPED;
    *since = late ? later(other->left, actor->left) : other->left;
    if (late)
        return names(error->sentence, from);
    return (error->status == KP_EFAILED || error->status == KP_ELOST) &&
           other->end == ACTOR_STOPPED && other->left <= actor->left &&
           names(error->sentence, from);
}

static const char *complaint_about(const struct trial_under_way *run, const struct actor *actor)
{
    const struct trial *trial = run->trial;
    uint64_t since =
        run->ending < trial->steps ? atomic_load(&run->seen[run->ending].planted_at) : 0;
    if (actor->end == ACTOR_UNDER_WAY)
        return "ended in the middle";
    if (actor->end != ACTOR_STOPPED)
        return NULL;
    if (run->ending == trial->steps)
        return "was told of a fault, and there is none";
    if (actor->status != actor->error.status)
        return "got another status than its record has";
    if (!is_direct(run, actor) && !is_passed_on(run, actor, &since))
        return "was told something else";
    if (actor->left > later(actor->entered, since) + TRIAL_LIMIT_NS)
        return "was told after more than a second";
    return NULL;
}

/* Returns a step that some but not all members have completed, although its rounds are synchronised
 * by the barrier. Returns -1 if there is no such step. */
static int torn_step(const struct trial_under_way *run)
{
    const struct trial *trial = run->trial;
    for (int i = 0; i < trial->steps; i++) {
        const struct trial_step *s = &trial->step[i];
        int done = atomic_load(&run->seen[i].done);
        bool judged = i < run->ending && (s->fault || (i > 0 && s[-1].fault));
        if (!judged && trial_kept_by_barrier(trial, s) && done != 0 &&
            done != trial_members_here(trial, s->group))
            return i;
    }
    return -1;
}

/* With mailboxes, members do not notice that their calls differ if no message of one call reaches a
 * member that makes the other call. Then the fault does not count as planted. */
static void forget_unnoticed(const struct trial_under_way *run)
{
    const struct trial *trial = run->trial;
    bool stopped = false;
    for (int i = 0; i < trial->machine.processors; i++)
        stopped = stopped || run->actors[i].end == ACTOR_STOPPED;
    if (run->ending < trial->steps && !stopped &&
        !trial_kept_by_barrier(trial, &trial->step[run->ending]) &&
        statuses[trial->step[run->ending].fault].others == KP_EMISMATCH)
        atomic_store(&run->seen[run->ending].planted_at, 0);
}

bool trial_judge_ends(const struct trial_under_way *run, const kp_report *report, char *text,
                      size_t size)
{
    const struct trial *trial = run->trial;
    bool stopped = false;
    forget_unnoticed(run);
    for (int i = 0; i < trial->machine.processors; i++) {
        const struct actor *actor = &run->actors[i];
        const char *complaint = complaint_about(run, actor);
        stopped = stopped || actor->end == ACTOR_STOPPED;
        if (!complaint)
            continue;
        snprintf(text, size, "step %d, processor %d %s: %s: %s", actor->step + 1, i, complaint,
                 kp_strerror(actor->status), actor->error.sentence);
        return false;
    }
    int torn = torn_step(run);
    if (torn >= 0)
        snprintf(text, size, "step %d was completed by %d of %d members", torn + 1,
                 atomic_load(&run->seen[torn].done), trial_size(trial, trial->step[torn].group));
    else if (!trial->attached && (stopped ? report->error.status == 0
                                          : run->ending == trial->steps && report->error.status))
        snprintf(text, size, "the run's report is %s: %s", kp_strerror(report->error.status),
                 report->error.sentence);
    else
        return true;
    return false;
}
