/* A trace: a record of what every processor did and when, round by round, as a picture.
 *
 * Use: call kp_trace_create, put its result into kp_config.trace, run machines, call
 * kp_trace_write. The file has the Trace Event Format (JSON), which https://ui.perfetto.dev opens.
 * Each processor has a line of bars: a bar for each call, in it one for each round, and in that
 * bars for copying and for waiting. An arrow leads from the round that sends a message to the round
 * that receives it.
 *
 * Storage: each processor keeps its latest records, 64 bytes each, in memory of its own that the
 * machine allocates when it is made. Recording allocates nothing, takes no lock and shares nothing;
 * new records overwrite the oldest. A round takes one record, which also names the schedule, so its
 * messages need no records. Each wait at a mailbox takes one more, and so does each message whose
 * length no schedule tells (kp_exchange, kp_send_recv, v forms).
 * Time: a round reads the clock twice, or three times if messages were packed. The clock is the
 * time stamp counter if Linux uses it, else CLOCK_MONOTONIC. Without a trace a call only tests
 * whether there is one; bench/tracing.py measures both.
 *
 * A trace lacks rounds of unfinished calls, and arrows of which an end has been overwritten. */
#ifndef KPORT_TRACE_H
#define KPORT_TRACE_H

#include <stddef.h>
#include <stdint.h>

#include "machine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Makes an empty trace for any number of machines, simultaneous or in sequence. Each machine
 * becomes one process of the picture; of the destroyed machines the trace keeps the last 8.
 * `records` is the number of records that each processor keeps: 16 ... 2^24, rounded up to a power
 * of two. 0: 1024, or fewer (down to 16) if n processors with k ports could send more than 2^19
 * messages in that many rounds. kp_machine_create allocates 64 * n * records bytes. Free the trace
 * with kp_trace_free. Any thread may call it. Errors: KP_EARGUMENT, KP_EMEMORY. */
KP_API int kp_trace_create(size_t records, kp_trace **trace) KP_MUST_CHECK;

/* Writes all records to a file: about 200 bytes for a bar and 250 for a message. It streams the
 * file, so it needs little memory. It writes a temporary file beside `path` and renames it at the
 * end, so a failure leaves an old file unchanged. It refuses a `path` that is not a regular file (a
 * device, a pipe, a link). Any thread may call it while no machine of the trace runs: after kp_run
 * or kp_machine_run, or when the last attached thread has detached (KP_EBUSY otherwise). A run that
 * starts meanwhile waits for it. The machines may be destroyed already, and it may be called again
 * after further runs. Errors: KP_EARGUMENT, KP_EENDED, KP_EBUSY, KP_EMEMORY, KP_EFILE (with the
 * system's reason), KP_EFAILED in the child of a fork. */
KP_API int kp_trace_write(kp_trace *trace, const char *path) KP_MUST_CHECK;

/* Returns how many records of all processors are lost because they were overwritten or their
 * machine is no longer kept; the file has this number as otherData.dropped. Call it when
 * kp_trace_write is allowed; otherwise it returns 0. */
KP_API uint64_t kp_trace_dropped(kp_trace *trace);

/* Frees the trace after all its machines are destroyed. NULL is allowed. Any thread may call it.
 * Errors: KP_EBUSY while a machine uses it, KP_EENDED. */
KP_API int kp_trace_free(kp_trace *trace);

#ifdef __cplusplus
}
#endif

#endif
