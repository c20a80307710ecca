/* This header declares what a prepared call keeps of its layouts. */
#ifndef KPORT_LIB_LAYOUT_KEPT_H
#define KPORT_LIB_LAYOUT_KEPT_H

#include "kport/persistent.h"
#include "lib/layout/layout.h"
#include "lib/layout/streams.h"

#define KP_LAID_WORDS 56

/* What a prepared call with layouts has beyond others. */
struct kp_laid {
    struct kp_streams streams;
    const kp_layout *given[2]; /* the layouts that the call was given, for KP_OUT and KP_IN */
    size_t count[2];           /* the counts that it was given */
    const kp_layout *block[2]; /* the layouts of blocks, or those that are given */
    /* The layouts in words, for sentences about a call that may be over: ", out 1 MPI_FLOAT" */
    char words[KP_LAID_WORDS];
    /* The addresses of the buffers that were checked last. Both NULL: none were. */
    const void *checked_out, *checked_in;
};

static inline bool kp_has_layouts(const kp_arguments *a)
{
    return a->out_layout || a->in_layout || a->out_layouts;
}

/* Returns what a call with these arguments keeps. Returns NULL if there is no memory. */
struct kp_laid *kp_laid_make(const kp_arguments *a);

/* Returns whether a kept call has these layouts and counts. */
bool kp_laid_serves(const struct kp_laid *laid, const kp_arguments *a);

/* Returns the bytes that `laid` takes, with its layouts. `laid` may be NULL. */
size_t kp_laid_bytes(const struct kp_laid *laid);
void kp_laid_free(struct kp_laid *laid);

#endif
