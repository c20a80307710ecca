#include "ports/carrier/switch.h"

#if KP_SWITCH == KP_SWITCH_BOOST

/* Declarations of boost.context's functions (Kowalke, Boost Software License). They are copied from
 * boost/context/detail/fcontext.hpp, because that header is C++, though the functions are C. */
struct transfer {
    void *context; /* the context of the flow that made the jump */
    void *data;
};

extern struct transfer jump_fcontext(void *to, void *data);
extern void *make_fcontext(void *top, size_t bytes, void (*enter)(struct transfer));

const char *kp_fibers(void)
{
    return "boost.context";
}

/* Called by the flow that goes on after a jump. The jump tells where the other flow stopped. This
 * function stores that address in the other flow's context. */
static void note(struct transfer arrival)
{
    ((struct kp_context *)arrival.data)->at = arrival.context;
}

/* The function that new flows of this thread call first. It cannot be the argument of a jump,
 * because `note` needs that argument. */
static _Thread_local void (*entering)(void);

/* On 32-bit x86 boost.context does not align the stack as the calling convention of 32-bit x86
 * requires. */
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
    entering = enter; /* `enter` is the same for all flows of a thread */
    context->at = make_fcontext(top, bytes, begin);
}

#if defined(__x86_64__) && defined(__ELF__) && defined(__LP64__)

/* The call of jump_fcontext ends with a jump, not with a return. So on the new stack the CPU's list
 * of predicted return addresses has one entry too many: the address behind the call. Without a
 * remedy, the CPU would mispredict every later return of the flow. The remedy is one return to
 * exactly that address, at label 1. The CPU predicts this return correctly and removes the entry.
 * So the flow passes label 1 twice: rbx, which belongs to the context, is 0 the first time and 1
 * the second time. The instructions from label 2 on do what `note` does. */
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
