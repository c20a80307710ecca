/* A persistent plan is a prepared call that keeps its schedule, its scratch, and the addresses of
 * its buffers. */
#include "kport/persistent.h"

#include "lib/call/call.h"
#include "lib/call/laid.h"
#include "lib/call/plan.h"
#include "lib/execute/blocks.h"
#include "lib/layout/layout.h"
#include "lib/problem/operation.h"
#include "lib/tune/trials.h"
#include "ports/member.h"

#include <stdlib.h>

struct kp_persistent {
    struct kp_owned owned; /* comes first, so the plan's address is also the address of `owned` */
    void *block;           /* the memory to free */
    kp_group *member;
    struct kp_prepared prepared;
    char *scratch;
    bool on_trial; /* the plan is executed as a plain call until the trials have decided */
    /* The tables if blocks have lengths of their own, else NULL. With tables, `prepared` is the
     * call that was prepared last. */
    struct kp_lengths *lengths;
    kp_arguments arguments;
    kp_hints hints;
    /* the call as each lane of the group carries it out (kp_plan_start), and its scratch */
    struct kp_prepared on_lane[KP_LANES];
    char *lane_scratch[KP_LANES];
    int under_way; /* the number of its requests that have not ended */
};

static kp_plan *make(kp_group *group, const kp_arguments *arguments)
{
    void *block;
    kp_plan *made = kp_handle_memory(1, sizeof *made, &block);
    if (!made)
        return NULL;
    made->block = block;
    made->member = group;
    made->arguments = *arguments;
    kp_layout_hold(kp_layout_or_byte(arguments->out_layout));
    kp_layout_hold(kp_layout_or_byte(arguments->in_layout));
    if (arguments->hints) {
        made->hints = *arguments->hints;
        made->arguments.hints = &made->hints;
    }
    return made;
}

static void unmake(kp_plan *plan)
{
    kp_prepared_end(&plan->prepared);
    free(plan->scratch);
    for (int i = 0; i < KP_LANES; i++) {
        kp_prepared_end(&plan->on_lane[i]);
        free(plan->lane_scratch[i]);
    }
    kp_lengths_free(plan->lengths);
    kp_layout_free((kp_layout *)plan->arguments.out_layout);
    kp_layout_free((kp_layout *)plan->arguments.in_layout);
    free(plan->block);
}

/* Returns code for the plan's call. The lanes use the same code if they can (kp_code_share). */
static struct kp_code *code_for(const kp_plan *plan, kp_group *member,
                                const struct kp_prepared *prepared)
{
    struct kp_code *code = NULL;
    for (int i = 0; i < KP_LANES && !code && prepared != &plan->prepared; i++) {
        if (plan->on_lane[i].serving && &plan->on_lane[i] != prepared)
            code = kp_code_share(&plan->on_lane[i], prepared);
    }
    return code ? code : kp_lower(member, prepared);
}

/* Prepares the plan's call as `member` carries it out, with scratch and code of its own. */
static int fill_prepared(const kp_plan *plan, kp_group *member, struct kp_prepared *prepared,
                         char **scratch)
{
    int status = KP_OK;
    const size_t bytes = prepared->scratch_bytes;
    free(*scratch);
    *scratch = bytes > 0 ? kp_lines_zeroed(1, bytes) : NULL;
    if (bytes > 0 && !*scratch)
        return kp_port_error(member, KP_EMEMORY, -1, -1, -1, "no memory for %zu bytes of scratch",
                             bytes);
    if (kp_has_layouts(&plan->arguments))
        status = kp_laid_prepare(member, &plan->arguments, prepared);
    if (!status)
        prepared->code = code_for(plan, member, prepared);
    return status;
}

/* Prepares the plan's call. After an error, nothing is prepared. */
static int fill(const kp_plan *plan, kp_group *member, const kp_problem *asked,
                struct kp_prepared *prepared, char **scratch)
{
    int status = kp_prepare(member, asked, plan->hints.trusted, prepared);
    if (status)
        return status;
    status = fill_prepared(plan, member, prepared, scratch);
    if (status)
        kp_prepared_end(prepared);
    return status;
}

static int execute(kp_plan *plan)
{
    return kp_call_carry_out(plan->member, &plan->prepared, plan->arguments.out, plan->arguments.in,
                             plan->scratch, false);
}

/* The preparation depends on the lengths that all members publish, which may change with every
 * execution. So each execution checks whether the last preparation still serves. */
static int make_tables(kp_plan *plan)
{
    struct kp_lengths *lengths = plan->lengths = kp_lengths_create(plan->member);
    if (!lengths)
        return kp_port_error(plan->member, KP_EMEMORY, -1, -1, -1, "no memory for a plan");
    lengths->kept = &plan->prepared;
    lengths->arena.keeps_all = true;
    return kp_lengths_check(plan->member, &plan->arguments, lengths);
}

static int make_plan(kp_group *group, const kp_arguments *arguments, kp_plan **plan)
{
    if (!arguments || !plan)
        return kp_port_error(group, KP_EARGUMENT, -1, -1, -1, "%s is NULL; it must be %s",
                             arguments ? "plan" : "arguments",
                             arguments ? "where the plan goes" : "those of a call");
    *plan = NULL;
    if ((unsigned)arguments->operation >= KP_OPERATIONS)
        return kp_port_error(group, KP_EARGUMENT, -1, -1, -1, "operation is %d; it may be 0 ... %d",
                             (int)arguments->operation, (int)KP_OPERATIONS - 1);
    kp_arguments completed;
    const struct kp_operation_row *row = kp_operation_row(arguments->operation);
    if (kp_has_layouts(arguments) && !row->lengths && !row->operands) {
        if (arguments->b != 0)
            return kp_port_error(group, KP_EARGUMENT, -1, -1, -1,
                                 "b is %zu; with layouts it may be 0", arguments->b);
        if (kp_laid_complete(group, arguments, &completed))
            return kp_error(kp_group_self(group))->status;
        arguments = &completed;
    }
    const bool lengths = row->lengths;
    kp_problem asked = kp_call_problem(group, arguments);
    int status = lengths ? kp_call_check_foreign(group, arguments, &asked)
                         : kp_call_check(group, arguments, &asked);
    if (status)
        return status;
    kp_plan *made = make(group, arguments);
    if (!made)
        return kp_port_error(group, KP_EMEMORY, -1, -1, -1, "no memory for a plan");
    made->on_trial = !lengths && !kp_trials_over(group, &asked);
    status =
        lengths ? make_tables(made) : fill(made, group, &asked, &made->prepared, &made->scratch);
    if (status) {
        unmake(made);
        return status;
    }
    kp_owned_add(&made->owned, group);
    *plan = made;
    return KP_OK;
}

int kp_plan_make(kp_group *group, const kp_arguments *arguments, kp_plan **plan)
{
    int status = kp_member_enter(group);
    if (status)
        return status;
    status = make_plan(group, arguments, plan);
    return kp_member_leave(group, status ? kp_port_say_caller(group) : KP_OK);
}

/* Executions count among the measured first calls. Once the trials have decided, the plan is
 * prepared. If there is no memory for that, the plan goes on as a plain call. */
static int execute_on_trial(kp_plan *plan)
{
    kp_problem asked = kp_call_problem(plan->member, &plan->arguments);
    if (!kp_trials_over(plan->member, &asked) ||
        fill(plan, plan->member, &asked, &plan->prepared, &plan->scratch))
        return kp_call_entered(plan->member, &plan->arguments);
    plan->on_trial = false;
    return execute(plan);
}

int kp_plan_look(const kp_plan *plan)
{
    return kp_owned_look_known((const struct kp_owned *)(const void *)plan);
}

kp_group *kp_plan_member(const kp_plan *plan)
{
    return plan->member;
}

const kp_arguments *kp_plan_arguments(const kp_plan *plan)
{
    return &plan->arguments;
}

void kp_plan_count(kp_plan *plan, int more)
{
    plan->under_way += more;
}

struct kp_prepared *kp_plan_prepared(kp_plan *plan, kp_group *lane, int index, char **scratch)
{
    struct kp_prepared *call = &plan->on_lane[index];
    if (!call->serving) {
        const kp_problem asked = kp_call_problem(lane, &plan->arguments);
        if (fill(plan, lane, &asked, call, &plan->lane_scratch[index]))
            return NULL;
    }
    *scratch = plan->lane_scratch[index];
    return call;
}

int kp_plan_execute(kp_plan *plan)
{
    int status = kp_plan_look(plan);
    status = status ? status : kp_member_enter(plan->member);
    if (status)
        return status;
    status = plan->lengths    ? kp_lengths_execute(plan->member, &plan->arguments, plan->lengths)
             : plan->on_trial ? execute_on_trial(plan)
                              : execute(plan);
    return kp_member_leave(plan->member, status);
}

/* Returns how many of the plan's requests have not ended. */
static int requests_of(kp_plan *plan)
{
    kp_port_take_requests(plan->member);
    const int under_way = plan->under_way;
    kp_port_lend_requests(plan->member);
    return under_way;
}

int kp_plan_free(kp_plan *plan)
{
    if (!plan)
        return KP_OK;
    bool owns;
    const kp_error_record kept = *kp_error_slot();
    if (!kp_plan_look(plan) && requests_of(plan) > 0)
        return kp_port_error(plan->member, KP_EBUSY, -1, -1, -1,
                             "a request of the plan has not ended; the plan may be freed when it "
                             "has");
    *kp_error_slot() = kept; /* any thread may free a plan after the run */
    int status = kp_owned_remove((struct kp_owned *)(void *)plan, &owns);
    if (status || !owns) /* after a fork, the child does not own the plan */
        return status;
    unmake(plan);
    return KP_OK;
}
