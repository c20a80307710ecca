#include "ports/carrier/switch.h"

#if KP_SWITCH == KP_SWITCH_BOOST

/* boost.context (Kowalke, Boost Software License). Its header is C++, but its functions are C. They
 * are declared here as in boost/context/detail/fcontext.hpp. */
struct transfer {
    void *context; /* the context of the flow that has jumped */
    void *data;
};

extern struct transfer jump_fcontext(void *to, void *data);
extern void *make_fcontext(void *top, size_t bytes, void (*enter)(struct transfer));

const char *kp_fibers(void)
{
    return "boost.context";
}

/* The flow that arrives learns where the other flow stopped, and stores that in the other flow's
 * context. */
static void note(struct transfer arrival)
{
    ((struct kp_context *)arrival.data)->at = arrival.context;
}

/* The function that a thread's new flows enter. A jump's data is the context for `note` instead. */
static _Thread_local void (*entering)(void);

/* On 32-bit x86 boost.context does not align the stack as that machine's calls do. */
#ifdef __i386__
__attribute__((force_align_arg_pointer))
#endif
static void
begin(struct transfer arrival)
{
    note(arrival);
    entering();
}

void kp_context_make(struct kp_context *context, void *top, size_t bytes, void (*enter)(void))
{
    entering = enter; /* the same for all flows of a thread */
    context->at = make_fcontext(top, bytes, begin);
}

#if defined(__x86_64__) && defined(__ELF__) && defined(__LP64__)

/* jump_fcontext is called, but it leaves with a jump, not with a return. So on the new stack the
 * processor's list of return addresses has one entry too many: the address behind the call. The
 * processor would mispredict every later return, up to the program. One return to that very address
 * takes the entry off the list, and the processor predicts this return right. rbx, which is part of
 * the context, is 0 at the first arrival and 1 at the second. The last instructions do what `note`
 * does. */
__asm__(".text\n"
        ".globl kp_switch\n"
        ".hidden kp_switch\n"
        ".type kp_switch, @function\n"
        "kp_switch:\n"
        "    .cfi_startproc\n"
        "    pushq %rbx\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    .cfi_rel_offset %rbx, 0\n"
        "    xorl %ebx, %ebx\n"
        "    movq %rdi, %rax\n"
        "    movq (%rsi), %rdi\n"
        "    movq %rax, %rsi\n"
        "    call jump_fcontext@PLT\n"
        "1:  testl %ebx, %ebx\n"
        "    jnz 2f\n"
        "    incl %ebx\n"
        "    leaq 1b(%rip), %rcx\n"
        "    pushq %rcx\n"
        "    ret\n"
        "2:  movq %rax, (%rdx)\n"
        "    popq %rbx\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    .cfi_restore %rbx\n"
        "    ret\n"
        "    .cfi_endproc\n"
        "    .size kp_switch, . - kp_switch\n");

#else

void kp_switch(struct kp_context *from, struct kp_context *to)
{
    note(jump_fcontext(to->at, from));
}

#endif

#elif KP_SWITCH == KP_SWITCH_UCONTEXT

const char *kp_fibers(void)
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

#else /* without a switch: a machine that asks for fibers is refused, so the rest is not reached   \
       */

const char *kp_fibers(void)
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

#endif
