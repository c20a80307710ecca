/* The start and the end of a rank in its copy of the program. */
#include "host.h"
#include "interface.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#define WEAK __attribute__((weak))

int main(int argc, char **argv, char **environment);

kp_copy_function *kp_copy_hidden(const char *name)
{
    kp_copy_function *function;
    *(void **)&function = dlsym(RTLD_DEFAULT, name);
    return function;
}

static struct kp_copy_frame *frame_here(void)
{
    return &kp_copy_host ? kp_copy_host.frame() : NULL;
}

/* Ends the rank without any handler. `hidden` is libc's function for a program that was started by
 * itself. */
static _Noreturn void leave(int status, const char *hidden)
{
    struct kp_copy_frame *frame = frame_here();
    if (frame) {
        frame->status = status & 0xff;
        _longjmp(frame->out, 1);
    }
    /* A thread that the rank has started cannot leave the rank's main. */
    if (&kp_copy_host)
        kp_copy_host.end(status & 0xff);
    ((void (*)(int))kp_copy_hidden(hidden))(status);
    abort();
}

/* Handlers may register further handlers. */
static void call_handlers(struct kp_copy_frame *frame)
{
    struct kp_copy_handler *first;
    while ((first = frame->handlers)) {
        struct kp_copy_handler handler = *first;
        frame->handlers = first->next;
        free(first);
        if (handler.plain)
            handler.plain();
        else
            handler.function(handler.argument);
    }
}

WEAK void exit(int status)
{
    struct kp_copy_frame *frame = frame_here();
    if (frame) {
        call_handlers(frame);
        kp_copy_host.exiting(status & 0xff);
    }
    leave(status, "exit");
}

WEAK void _exit(int status)
{
    if (frame_here())
        kp_copy_host.exiting(status & 0xff);
    leave(status, "_exit");
}

WEAK void _Exit(int status)
{
    _exit(status);
}

static int keep(struct kp_copy_frame *frame, struct kp_copy_handler handler)
{
    struct kp_copy_handler *kept = malloc(sizeof *kept);
    if (!kept)
        return -1;
    *kept = handler;
    kept->next = frame->handlers;
    frame->handlers = kept;
    return 0;
}

typedef int register_function(void (*)(void *), void *, void *);

WEAK int atexit(void (*function)(void))
{
    struct kp_copy_frame *frame = frame_here();
    if (frame)
        return keep(frame, (struct kp_copy_handler){.plain = function});
    return ((register_function *)kp_copy_hidden("__cxa_atexit"))((void (*)(void *))function, NULL,
                                                                 NULL);
}

/* The compiler calls this for C++'s static objects. Where all ranks share the objects, they live as
 * long as the process. */
int __cxa_atexit(void (*function)(void *), void *argument, void *object);

WEAK int __cxa_atexit(void (*function)(void *), void *argument, void *object)
{
    struct kp_copy_frame *frame = &kp_copy_is_private ? frame_here() : NULL;
    if (frame)
        return keep(frame, (struct kp_copy_handler){.function = function, .argument = argument});
    return ((register_function *)kp_copy_hidden("__cxa_atexit"))(function, argument, object);
}

static int run(struct kp_copy_frame *frame, int argc, char **argv, char **environment)
{
    if (_setjmp(frame->out) == 0) {
        frame->status = main(argc, argv, environment) & 0xff;
        call_handlers(frame);
    }
    return frame->status;
}

__attribute__((visibility("default"))) const struct kp_copy kp_copy = {
    .version = KP_VERSION,
    .interface = KP_INTERFACE,
    .private_mark = &kp_copy_is_private,
    .bsp_mark = &kp_copy_is_bsp,
    .parallel_level = omp_get_level,
    .exit = exit,
    .run = run,
};
