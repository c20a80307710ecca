/* By boost.context (Kowalke, Boost Software License). Its header is C++, its functions are C: they
 * are declared here as boost/context/detail/fcontext.hpp has them. */
#include "ports/switch.h"

struct transfer {
    void *context; /* of who has jumped */
    void *data;
};

extern struct transfer jump_fcontext(void *to, void *data);
extern void *make_fcontext(void *top, size_t bytes, void (*enter)(struct transfer));

const char *kp_switch_name(void)
{
    return "boost.context";
}

/* Who arrives knows where it came from, and notes it for who has left. */
static void note(struct transfer arrival)
{
    ((struct kp_context *)arrival.data)->at = arrival.context;
}

/* The way into a new flow; what is to be entered comes with the first jump's note. */
static _Thread_local void (*entering)(void);

static void begin(struct transfer arrival)
{
    note(arrival);
    entering();
}

void kp_context_make(struct kp_context *context, void *top, size_t bytes, void (*enter)(void))
{
    entering = enter; /* one for all flows of a thread */
    context->at = make_fcontext(top, bytes, begin);
}

void kp_switch(struct kp_context *from, struct kp_context *to)
{
    note(jump_fcontext(to->at, from));
}
