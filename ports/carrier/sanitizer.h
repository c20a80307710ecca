/* These functions tell the address and thread sanitizers that a thread switches from one stack to
 * another. Without a sanitizer they do nothing. A flow is whatever runs on one stack, that is, a
 * fiber or the thread's own program.
 *
 * A program may use a sanitizer although kport is compiled without one. So the sanitizers'
 * functions are weak, and the process tells whether they are there. */
#ifndef KPORT_PORTS_SANITIZER_H
#define KPORT_PORTS_SANITIZER_H

#include <stddef.h>

#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
#define KP_WATCHES_THREADS 1
#else
#define KP_WATCHES_THREADS 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define KP_WATCHES_MEMORY 1
#else
#define KP_WATCHES_MEMORY 0
#endif

/* These declarations are copies of those in the sanitizers' own headers, because only sanitizer
 * builds have the headers. */
#define KP_WEAK __attribute__((weak))
KP_WEAK void __asan_unpoison_memory_region(const volatile void *memory, size_t bytes);
KP_WEAK void __sanitizer_start_switch_fiber(void **frames, const void *bottom, size_t bytes);
KP_WEAK void __sanitizer_finish_switch_fiber(void *frames, const void **bottom, size_t *bytes);
KP_WEAK void *__tsan_get_current_fiber(void);
KP_WEAK void *__tsan_create_fiber(unsigned flags);
KP_WEAK void __tsan_destroy_fiber(void *fiber);
KP_WEAK void __tsan_switch_to_fiber(void *fiber, unsigned flags);

/* Whether this process has the sanitizer. */
static inline int kp_memory_is_watched(void)
{
    return __builtin_expect(__sanitizer_start_switch_fiber != NULL, KP_WATCHES_MEMORY);
}

static inline int kp_threads_are_watched(void)
{
    return __builtin_expect(__tsan_switch_to_fiber != NULL, KP_WATCHES_THREADS);
}

/* With a sanitizer, stacks are larger by this factor, because stack frames are larger and the
 * sanitizer's own functions need stack too. */
#define KP_STACK_FACTOR (KP_WATCHES_MEMORY || KP_WATCHES_THREADS ? 4 : 1)

/* The marks of a flow: the address and size of its stack, and the sanitizers' data about the flow
 * while another flow runs. */
struct kp_marks {
    const void *bottom;
    size_t bytes;
    void *frames;
    void *history;
};

/* Tells the address sanitizer that memory which held stack frames may now be used for anything. */
static inline void kp_marks_clear(const void *memory, size_t bytes)
{
    if (kp_memory_is_watched()) /* seldom taken: only with AddressSanitizer */
        __asan_unpoison_memory_region(memory, bytes);
}

/* Fills in the marks of a thread's own flow. */
static inline void kp_marks_of_thread(struct kp_marks *marks)
{
    if (kp_threads_are_watched()) /* seldom taken: only with ThreadSanitizer */
        marks->history = __tsan_get_current_fiber();
}

/* Fills in the marks of a flow that begins on the stack of `bytes` bytes below `top`. An earlier
 * flow may have left stack frames there, so this function first calls kp_marks_clear. */
static inline void kp_marks_make(struct kp_marks *marks, const char *top, size_t bytes)
{
    kp_marks_clear(top - bytes, bytes);
    if (kp_memory_is_watched() ||
        kp_threads_are_watched()) /* seldom taken: only with a sanitizer */
        *marks = (struct kp_marks){.bottom = top - bytes, .bytes = bytes};
    if (kp_threads_are_watched()) /* seldom taken: only with ThreadSanitizer */
        marks->history = __tsan_create_fiber(0);
}

/* Calls kp_marks_clear for the stack frames below the caller's frame, because these frames have
 * ended. Called when a thread is on its own stack again, although no flow has switched back to it.
 * `top` is the highest known frame of this stack. */
static inline void kp_marks_cut(const char *top, size_t bytes)
{
    const char *bottom = top - bytes, *here = __builtin_frame_address(0);
    if (here > bottom && here < top)
        kp_marks_clear(bottom, (size_t)(here - bottom));
}

static inline void kp_marks_free(struct kp_marks *marks)
{
    if (kp_threads_are_watched() && marks->history) { /* seldom taken: only with it */
        __tsan_destroy_fiber(marks->history);
        marks->history = NULL;
    }
}

/* Called just before a switch from the flow `from` to the flow `to`. `from` is NULL if the thread
 * will never switch back to the flow that it leaves. */
static inline void kp_marks_leave(struct kp_marks *from, const struct kp_marks *to)
{
    if (kp_memory_is_watched()) /* seldom taken: only with AddressSanitizer */
        __sanitizer_start_switch_fiber(from ? &from->frames : NULL, to->bottom, to->bytes);
    if (kp_threads_are_watched()) /* seldom taken: only with ThreadSanitizer */
        __tsan_switch_to_fiber(to->history, 0);
}

/* Called just after a switch, by the flow `self` to which the thread has switched. `from` is the
 * flow that was left. Stores the address and size of that flow's stack in `from`. */
static inline void kp_marks_arrive(const struct kp_marks *self, struct kp_marks *from)
{
    if (kp_memory_is_watched()) /* seldom taken: only with AddressSanitizer */
        __sanitizer_finish_switch_fiber(self->frames, &from->bottom, &from->bytes);
}

#endif
