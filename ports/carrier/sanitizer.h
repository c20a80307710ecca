/* Tells sanitizers of a switch between stacks. Without a sanitizer this does nothing. */
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

/* Declared as in the sanitizers' own headers, which only sanitizer builds have. */
void __asan_unpoison_memory_region(const volatile void *memory, size_t bytes);
void __sanitizer_start_switch_fiber(void **frames, const void *bottom, size_t bytes);
void __sanitizer_finish_switch_fiber(void *frames, const void **bottom, size_t *bytes);
void *__tsan_get_current_fiber(void);
void *__tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void *fiber);
void __tsan_switch_to_fiber(void *fiber, unsigned flags);

/* With a sanitizer, stack frames are larger, and the sanitizer's own functions need stack too. */
#define KP_STACK_FACTOR (KP_WATCHES_MEMORY || KP_WATCHES_THREADS ? 4 : 1)

/* The stack of one flow, and what the sanitizers keep for the flow while another one runs. */
struct kp_marks {
    const void *bottom;
    size_t bytes;
    void *frames;
    void *history;
};

/* Clears the marks of old frames in memory that was stacks and may be used for anything. */
static inline void kp_marks_clear(const void *memory, size_t bytes)
{
    if (KP_WATCHES_MEMORY)
        __asan_unpoison_memory_region(memory, bytes);
}

/* Sets the marks of a thread's own flow. */
static inline void kp_marks_of_thread(struct kp_marks *marks)
{
    if (KP_WATCHES_THREADS)
        marks->history = __tsan_get_current_fiber();
}

/* Sets the marks of a flow that begins on this stack. An earlier flow may have left marks there. */
static inline void kp_marks_make(struct kp_marks *marks, const char *top, size_t bytes)
{
    kp_marks_clear(top - bytes, bytes);
    if (KP_WATCHES_MEMORY || KP_WATCHES_THREADS)
        *marks = (struct kp_marks){.bottom = top - bytes, .bytes = bytes};
    if (KP_WATCHES_THREADS)
        marks->history = __tsan_create_fiber(0);
}

/* Clears the marks of frames below the caller's, which are gone. To be called when a thread is on
 * its own stack again without having switched back. `top` is the highest known frame. */
static inline void kp_marks_cut(const char *top, size_t bytes)
{
    const char *bottom = top - bytes, *here = __builtin_frame_address(0);
    if (here > bottom && here < top)
        kp_marks_clear(bottom, (size_t)(here - bottom));
}

static inline void kp_marks_free(struct kp_marks *marks)
{
    if (KP_WATCHES_THREADS && marks->history) {
        __tsan_destroy_fiber(marks->history);
        marks->history = NULL;
    }
}

/* To be called just before the switch. `from` is NULL if no flow switches back to it. */
static inline void kp_marks_leave(struct kp_marks *from, const struct kp_marks *to)
{
    if (KP_WATCHES_MEMORY)
        __sanitizer_start_switch_fiber(from ? &from->frames : NULL, to->bottom, to->bytes);
    if (KP_WATCHES_THREADS)
        __tsan_switch_to_fiber(to->history, 0);
}

/* To be called just after the switch, on the new stack. Learns where the stack of `from` lies. */
static inline void kp_marks_arrive(const struct kp_marks *self, struct kp_marks *from)
{
    if (KP_WATCHES_MEMORY)
        __sanitizer_finish_switch_fiber(self->frames, &from->bottom, &from->bytes);
}

#endif
