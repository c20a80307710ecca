#include "ports/carrier/switch.h"

#if KP_SWITCH == KP_SWITCH_BOOST

/* By boost.context (Kowalke, Boost Software License). Its header is C++, its functions are C: they
 * are declared here as boost/context/detail/fcontext.hpp has them. */
struct transfer {
    void *context; /* of who has jumped */
    void *data;
};

extern struct transfer jump_fcontext(void *to, void *data);
extern void *make_fcontext(void *top, size_t bytes, void (*enter)(struct transfer));

const char *kp_fibers(void)
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

/* What boost.context enters with on 32-bit x86 is not aligned as that machine's calls are. */
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
    entering = enter; /* one for all flows of a thread */
    context->at = make_fcontext(top, bytes, begin);
}

#if defined(__x86_64__) && defined(__ELF__) && defined(__LP64__)

/* jump_fcontext is called, but it leaves with a jump: on the new stack the processor's list of
 * return addresses has one entry too many, the place behind the call, and guesses every return up
 * to the program wrong. One return to that very place takes the entry off the list, guessed right;
 * rbx, which comes with the context, tells the second arrival from the first. Then what `note`
 * does. A pass of 64 fibers takes half the time. */
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

#else /* a machine that asks for fibers is refused: the rest is not reached */

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
