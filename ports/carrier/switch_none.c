/* Without fibers: a machine that asks for them is refused, so nothing here is reached. */
#include "ports/carrier/switch.h"

const char *kp_switch_name(void)
{
    return NULL;
}

void kp_context_make(struct kp_context *context, void *top, size_t bytes, void (*enter)(void))
{
    (void)context, (void)top, (void)bytes, (void)enter;
}

void kp_switch(struct kp_context *from, struct kp_context *to)
{
    (void)from, (void)to;
}
