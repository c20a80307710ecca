/* A trace: what every processor of a machine did and when, round by round, for a picture.
 *
 * kp_trace_create, its result into kp_config.trace, machines made and run as ever, kp_trace_write:
 * a file in the Trace Event Format (JSON) that https://ui.perfetto.dev opens: a row a processor, in
 * it a bar for each call, in that one for each round, in that bars that tell copying from waiting;
 * and an arrow for each message from the round that sent it to the round that took it.
 *
 * What is kept: each processor keeps its last records, 64 bytes each, in memory of its own that is
 * made with the machine, so recording neither allocates nor locks nor shares anything; when that is
 * full the oldest are overwritten. A round is one record, of which schedule it was a part included,
 * so its messages cost nothing; one more for each wait by a mailbox; and one for each message where
 * no schedule says how long it is (kp_exchange, kp_send_recv, blocks with lengths of their own).
 * Two looks at the clock a round, three if messages were packed: at the processors' time stamp
 * counter where Linux counts by it, else at CLOCK_MONOTONIC. Without a trace
 * a call looks once whether there is one; bench/tracing.py measures both.
 *
 * What is not in it: rounds of calls that are still under way. An arrow is drawn if both its ends
 * are still kept, and only then. */
#ifndef KPORT_TRACE_H
#define KPORT_TRACE_H

#include <stddef.h>
#include <stdint.h>

#include "machine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Makes an empty trace for any number of machines, at the same time or one after another; each
 * becomes one process of the picture. Of those that are gone the last 8 are kept. `records` is how
 * many each of their processors keeps, 16 ... 2^24, rounded up to a power of two; 0: 1024, or
 * fewer, down to 16, where n processors with k ports each could send more than 2^19 messages in so
 * many rounds. A machine's memory is n times that, 64 bytes each. Any thread. Errors: KP_EARGUMENT,
 * KP_EMEMORY (a machine's memory is asked for by kp_machine_create). Freed by kp_trace_free. */
KP_API int kp_trace_create(size_t records, kp_trace **trace) KP_MUST_CHECK;

/* Writes all that is kept. The file is there in full when this returns 0; else it is as it was, for
 * a temporary one beside it is renamed at the end. A file of that name is replaced; one that is no
 * regular file (a device, a pipe, a link) is refused. It is written as it is made, so memory for it
 * does not grow with its length: about 200 bytes a bar and 250 a message. When nothing runs: after
 * kp_run or kp_machine_run has returned, or when the last attached thread has detached (KP_EBUSY
 * otherwise); a run that is begun meanwhile waits until it is written. Any thread; the machines may
 * be gone already. May be called again, also after further runs. Errors: KP_EARGUMENT, KP_EENDED,
 * KP_EBUSY, KP_EMEMORY, KP_EFILE (with what the system says), KP_EFAILED in the child of a fork. */
KP_API int kp_trace_write(kp_trace *trace, const char *path) KP_MUST_CHECK;

/* Records that were overwritten so far, of all processors, or were of machines not kept any more.
 * The file says the same, as otherData.dropped. Called as kp_trace_write is; 0 too where that would
 * be refused. */
KP_API uint64_t kp_trace_dropped(kp_trace *trace);

/* Frees it, after all machines that have it are destroyed (KP_EBUSY otherwise). NULL is allowed.
 * Any thread. Errors: KP_EBUSY, KP_EENDED. */
KP_API int kp_trace_free(kp_trace *trace);

#ifdef __cplusplus
}
#endif

#endif
