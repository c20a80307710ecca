/* This header is for calls whose blocks have layouts (kport/layout.h). Such a call is served as a
 * call with blocks of as many bytes as the data have. In addition it has streams
 * (lib/layout/streams.h), which say where these bytes lie. */
#ifndef KPORT_LIB_CALL_LAID_H
#define KPORT_LIB_CALL_LAID_H

#include "kport/persistent.h"
#include "lib/call/prepared.h"
#include "lib/layout/kept.h"

/* Completes the arguments of a call with layouts: sets b, replaces a layout that is NULL, and
 * clears the layout and the count of a buffer that this member does not use. Returns 0, or the
 * status of the error that is set at the processor. */
int kp_laid_complete(kp_group *member, const kp_arguments *given, kp_arguments *completed);

/* `kp_laid_check` checks the layouts, counts and buffers of completed arguments, as kp_call_check
 * does. `kp_laid_check_buffers` checks only what depends on the addresses of the buffers. */
int kp_laid_check(kp_group *member, const kp_arguments *a, const kp_problem *p);
int kp_laid_check_buffers(kp_group *member, const kp_arguments *a, const kp_problem *p);

/* Adds to a call that has just been prepared what follows from layouts. Returns 0, or the status of
 * the error that is set at the processor. */
int kp_laid_prepare(kp_group *member, const kp_arguments *a, struct kp_prepared *made);

/* Writes a prepared call with layouts in words. The subject is the problem of a kp_prepared. */
void kp_laid_describe(const void *subject, char *text, size_t size);

/* Describes a copy of such a call, which may be over. */
extern const struct kp_past kp_laid_past;

#endif
