/* Episodes over a wire in steps, for lanes (request/lane.h). A step goes on until it would wait. */
#include "ports/member.h"
#include "ports/sync/wired_data.h"

void kp_wired_begin_steps(kp_group *member)
{
    struct kp_wired *wired = member->wired;
    struct kp_wired_episode *episode = &wired->episode;
    episode->stage = KP_WIRED_SPREADS;
    episode->step = 1;
    episode->begun = false;
    episode->all = wired->own;
    episode->telling = NULL;
}

void kp_wired_tell_then(kp_group *member, const struct kp_telling *own, int space)
{
    member->wired->episode.telling = own;
    member->wired->episode.space = space;
}

static void over(struct kp_wired_episode *episode, enum kp_episode_result result)
{
    episode->stage = KP_WIRED_OVER;
    episode->result = result;
}

/* Makes the group fail with what the wire has found. */
static int failed(kp_group *member, int status)
{
    return kp_wired_fails(member, status, &member->wired->why);
}

static int begin_step(kp_group *member)
{
    struct kp_wired *wired = member->wired;
    struct kp_wired_episode *e = &wired->episode;
    e->count = kp_wired_step(member, e->step, &e->all, sizeof e->all, e->in, e->out);
    e->begun = true;
    int status = kp_wired_may_begin(member);
    return status ? status : wired->wire->begin(wired->wire, e->in, e->count, e->out, e->count);
}

/* The dissemination is over. Begins what follows it. */
static int spread(kp_group *member)
{
    struct kp_wired_episode *episode = &member->wired->episode;
    kp_wired_spread_over(member, &episode->all);
    if (episode->all.agree && !episode->telling)
        return over(episode, KP_EPISODE_AGREED), KP_OK;
    episode->stage = episode->all.agree ? KP_WIRED_TELLS : KP_WIRED_STATES;
    int status = episode->all.agree ? kp_wired_tell_pack(member, episode->telling)
                                    : kp_wired_state_pack(member);
    return status ? status : kp_wired_begin(member, member->round);
}

/* Goes on with the dissemination. Returns KP_WAITS, or 0, or the status of an error. */
static int go_on(kp_group *member)
{
    struct kp_wired *wired = member->wired;
    struct kp_wired_episode *episode = &wired->episode;
    int status = KP_OK;
    if (episode->stage != KP_WIRED_SPREADS) {
        status = kp_wired_test(member, member->round);
        if (!status && episode->stage == KP_WIRED_TELLS)
            kp_wired_tell_take(member, episode->telling, episode->space);
        if (!status)
            over(episode, episode->stage == KP_WIRED_TELLS ? KP_EPISODE_AGREED
                                                           : kp_wired_state_take(member));
        return status;
    }
    if (episode->step >= member->shared->size)
        return spread(member);
    if (!episode->begun && (status = begin_step(member)))
        return failed(member, status);
    status = wired->wire->test(wired->wire, KP_WIRE_ALL, &wired->why);
    if (status)
        return status == KP_WIRE_WAITS ? KP_WAITS : failed(member, status);
    status = kp_wired_step_came(member, episode->in, episode->count, sizeof episode->all);
    for (int i = 0; i < episode->count && !status; i++)
        kp_wired_add_news(&episode->all, wired->news[i]);
    episode->step *= wired->ports + 1;
    episode->begun = false;
    return status;
}

bool kp_wired_has_come(kp_group *member)
{
    struct kp_wired_episode *episode = &member->wired->episode;
    int status = KP_OK;
    while (!status && episode->stage != KP_WIRED_OVER)
        status = go_on(member);
    if (status && status != KP_WAITS)
        over(episode, KP_EPISODE_FAILED);
    return episode->stage == KP_WIRED_OVER;
}

int kp_wired_awaits(const kp_group *member)
{
    struct kp_wire *wire = member->wired->wire;
    int processor;
    return wire->awaited(wire, &processor, 1) > 0 ? kp_rank_of(member->shared, processor) : -1;
}
