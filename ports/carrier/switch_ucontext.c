/* By ucontext: portable, and slow for the system calls in it. */
#include "ports/carrier/switch.h"

const char *kp_switch_name(void)
{
    return "ucontext";
}

void kp_context_make(struct kp_context *context, void *top, size_t bytes, void (*enter)(void))
{
    getcontext(&context->at);
    context->at.uc_stack.ss_sp = (char *)top - bytes;
    context->at.uc_stack.ss_size = bytes;
    context->at.uc_link = NULL;
    makecontext(&context->at, enter, 0);
}

void kp_switch(struct kp_context *from, struct kp_context *to)
{
    swapcontext(&from->at, &to->at);
}
