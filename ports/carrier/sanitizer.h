/* What the sanitizers have to be told of a switch from one stack to another; nothing elsewhere. */
#ifndef KPORT_PORTS_SANITIZER_H
#define KPORT_PORTS_SANITIZER_H

#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define KP_WATCHED_THREADS 1
#endif
#if __has_feature(address_sanitizer)
#define KP_WATCHED_MEMORY 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define KP_WATCHED_THREADS 1
#endif
#if defined(__SANITIZE_ADDRESS__)
#define KP_WATCHED_MEMORY 1
#endif

#ifdef KP_WATCHED_MEMORY
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef KP_WATCHED_THREADS
#include <sanitizer/tsan_interface.h>
#endif

/* Their frames are larger, and they call functions of their own. */
#if defined(KP_WATCHED_MEMORY) || defined(KP_WATCHED_THREADS)
#define KP_STACK_FACTOR 4
#else
#define KP_STACK_FACTOR 1
#endif

/* Of one flow: its stack, and what the sanitizers keep for it while another one runs. */
struct kp_marks {
    const void *bottom;
    size_t bytes;
    void *frames;
    void *history;
};

/* Memory that was stacks, and may become anything: the marks of frames that were left go. */
static inline void kp_marks_clear(void *memory, size_t bytes)
{
    (void)memory, (void)bytes;
#ifdef KP_WATCHED_MEMORY
    __asan_unpoison_memory_region(memory, bytes);
#endif
}

/* A flow that is the thread's own. */
static inline void kp_marks_of_thread(struct kp_marks *marks)
{
    (void)marks;
#ifdef KP_WATCHED_THREADS
    marks->history = __tsan_get_current_fiber();
#endif
}

/* A flow that is about to begin on this stack, which an earlier one may have left in disorder. */
static inline void kp_marks_make(struct kp_marks *marks, char *top, size_t bytes)
{
    (void)marks, (void)top, (void)bytes;
#ifdef KP_WATCHED_MEMORY
    marks->bottom = top - bytes;
    marks->bytes = bytes;
    marks->frames = NULL;
#endif
    kp_marks_clear(top - bytes, bytes);
#ifdef KP_WATCHED_THREADS
    marks->history = __tsan_create_fiber(0);
#endif
}

/* The thread is on its own stack again, of which `top` is the highest frame known, without having
 * switched back: what stood below is gone. */
static inline void kp_marks_cut(const char *top, size_t bytes)
{
    (void)top, (void)bytes;
#ifdef KP_WATCHED_MEMORY
    const char *bottom = top - bytes, *here = __builtin_frame_address(0);
    if (here > bottom && here < top)
        __asan_unpoison_memory_region(bottom, (size_t)(here - bottom));
#endif
}

static inline void kp_marks_free(struct kp_marks *marks)
{
    (void)marks;
#ifdef KP_WATCHED_THREADS
    if (marks->history)
        __tsan_destroy_fiber(marks->history);
    marks->history = NULL;
#endif
}

/* Just before the switch; `from` is NULL if nobody comes back to it. */
static inline void kp_marks_leave(struct kp_marks *from, const struct kp_marks *to)
{
    (void)from, (void)to;
#ifdef KP_WATCHED_MEMORY
    __sanitizer_start_switch_fiber(from ? &from->frames : NULL, to->bottom, to->bytes);
#endif
#ifdef KP_WATCHED_THREADS
    __tsan_switch_to_fiber(to->history, 0);
#endif
}

/* Just after it, on the new stack; learns where the stack of `from` lies. */
static inline void kp_marks_arrive(struct kp_marks *self, struct kp_marks *from)
{
    (void)self, (void)from;
#ifdef KP_WATCHED_MEMORY
    __sanitizer_finish_switch_fiber(self->frames, &from->bottom, &from->bytes);
#endif
}

#endif
