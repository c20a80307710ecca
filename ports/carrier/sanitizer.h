/* These functions tell the address and thread sanitizers, and valgrind, that a thread switches from
 * one stack to another. Without them they do nothing. A flow is whatever runs on one stack, that
 * is, a fiber or the thread's own program.
 *
 * A program may use a sanitizer although kport is compiled without one. So the sanitizers'
 * functions are weak, and the process tells whether they are there. */
#ifndef KPORT_PORTS_SANITIZER_H
#define KPORT_PORTS_SANITIZER_H

#include <stdbool.h>
#include <stddef.h>

#ifdef KP_HAS_VALGRIND_HEADER
#include <valgrind/valgrind.h>
#else
#define RUNNING_ON_VALGRIND                0
#define VALGRIND_STACK_REGISTER(low, high) ((void)(low), (void)(high), 0)
#define VALGRIND_STACK_DEREGISTER(number)  ((void)(number))
#endif

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
    unsigned number; /* valgrind's number of the stack */
    bool numbered;
};

/* Tells valgrind of a stack. Otherwise it takes a switch between stacks that lie close together for
 * a large frame, and calls the memory between them unused. */
static inline void kp_marks_number(struct kp_marks *marks, const char *low, const char *high)
{
    if (RUNNING_ON_VALGRIND && !marks->numbered) { /* seldom taken: only under valgrind */
        marks->number = (unsigned)VALGRIND_STACK_REGISTER(low, high);
        marks->numbered = true;
    }
}

/* Tells the address sanitizer that memory which held stack frames may now be used for anything. */
static inline void kp_marks_clear(const void *memory, size_t bytes)
{
    if (kp_memory_is_watched()) /* seldom taken: only with AddressSanitizer */
        __asan_unpoison_memory_region(memory, bytes);
}

#define KP_NEAR_BYTES 4096

/* Fills in the marks of a thread's own flow. Only the caller's frame and what lies close to it
 * takes part in switches. */
static inline void kp_marks_of_thread(struct kp_marks *marks)
{
    const char *here = __builtin_frame_address(0);
    kp_marks_number(marks, here - KP_NEAR_BYTES, here + sizeof(void *));
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
    kp_marks_number(marks, top - bytes, top - 1);
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

static inline void kp_marks_unnumber(struct kp_marks *marks)
{
    if (marks->numbered) { /* seldom taken: only under valgrind */
        VALGRIND_STACK_DEREGISTER(marks->number);
        marks->numbered = false;
    }
}

static inline void kp_marks_free(struct kp_marks *marks)
{
    if (kp_threads_are_watched() && marks->history) { /* seldom taken: only with it */
        __tsan_destroy_fiber(marks->history);
        marks->history = NULL;
    }
    kp_marks_unnumber(marks);
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
