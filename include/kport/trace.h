/* A trace records what every processor did and when, round by round. Its file can be viewed as a
 * picture.
 *
 * Use: call kp_trace_create, put its result into kp_config.trace, run machines, and call
 * kp_trace_write. The file has the Trace Event Format (JSON), which https://ui.perfetto.dev opens.
 * Each processor has a line of bars. A call is a bar that contains a bar for each round. A round's
 * bar contains bars for copying and for waiting. An arrow leads from the round that sends a message
 * to the round that receives it. A request (request.h) and a message with a tag (message.h) have a
 * line of their own from start to end, and in the processor's line a bar for each time that they
 * went on, with the other member, the tag and the bytes of a message.
 *
 * Storage: each processor keeps its latest records, 64 bytes each, in its own memory, which the
 * machine allocates when it is made. Recording allocates nothing, takes no lock and shares no data
 * between processors. New records overwrite the oldest records. A round takes one record. The
 * record names the schedule, so the round's messages need no records of their own. Each wait at a
 * mailbox takes one more record, and so does each time that a request goes on. So does each message
 * whose length is in no schedule (kp_exchange, kp_send_recv, v forms).
 *
 * Time: a round reads the clock twice, or three times if messages were packed. The clock is the
 * time stamp counter if Linux uses it, else CLOCK_MONOTONIC. Without a trace a call only tests
 * whether there is a trace. bench/tracing.py measures a call with a trace and without.
 *
 * A trace lacks the rounds of unfinished calls. It also lacks an arrow if the record at either end
 * of the arrow has been overwritten. */
#ifndef KPORT_TRACE_H
#define KPORT_TRACE_H

#include <stddef.h>
#include <stdint.h>

#include "machine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Makes an empty trace for any number of machines, which may run at the same time or one after the
 * other. Each machine is shown as one process of the picture. Of the machines that have been
 * destroyed, the trace keeps the records of the last 8 only. `records` is the number of records
 * that each processor keeps: 16 ... 2^24, rounded up to a power of two. 0 means min(1024, 2^19 / (n
 * k)), so that the recorded rounds have at most 2^19 messages. The number is never less than 16.
 * kp_machine_create allocates 64 * n * records bytes. Free the trace with kp_trace_free. Any thread
 * may call this function. Errors: KP_EARGUMENT, KP_EMEMORY. */
KP_API int kp_trace_create(size_t records, kp_trace **trace) KP_MUST_CHECK;

/* Writes all records to a file, about 200 bytes for a bar and 250 bytes for a message. The function
 * needs little memory, because it writes while it reads the records. It writes a temporary file
 * beside `path` and renames it at the end, so a failure leaves an old file unchanged. It refuses a
 * `path` that is not a regular file (a device, a pipe, a link).
 *
 * Any thread may call this function while no machine of the trace runs. This is so after kp_run and
 * kp_machine_run, and when the last attached thread has detached. Otherwise the function returns
 * KP_EBUSY. A run that starts meanwhile waits for the function to return. The machines may be
 * destroyed already. The function may be called again after further runs. Other errors:
 * KP_EARGUMENT, KP_EENDED, KP_EMEMORY, KP_EFILE with the system's reason, KP_EFAILED in the child
 * of a fork. */
KP_API int kp_trace_write(kp_trace *trace, const char *path) KP_MUST_CHECK;

/* Returns the number of lost records of all processors. A record is lost if it was overwritten, or
 * if the trace no longer keeps its machine. The file has this number as otherData.dropped. The
 * function returns 0 while kp_trace_write is not allowed. */
KP_API uint64_t kp_trace_dropped(kp_trace *trace);

/* Frees the trace, which may be NULL. All its machines must be destroyed before. Any thread may
 * call this function. Errors: KP_EENDED, and KP_EBUSY while a machine uses the trace. */
KP_API int kp_trace_free(kp_trace *trace);

#ifdef __cplusplus
}
#endif

#endif
