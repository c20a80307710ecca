/* The option --trace FILE of a command that makes machines. The command calls `trace_file_begin`
 * before it makes machines and `trace_file_end` after it has ended them. */
#ifndef KPORT_TOOLS_TRACE_FILE_H
#define KPORT_TOOLS_TRACE_FILE_H

#include "kport.h"

/* Makes machines of this configuration record into a new trace; each processor keeps its last
 * `records` records (kp_trace_create). First tests that the file can be written. Does nothing if
 * `path` is NULL. Returns an exit status. */
int trace_file_begin(const char *path, size_t records, kp_config *config);

/* Writes the file, also after a failed run, and frees the trace. Must be called in any case, after
 * all machines have ended. Returns `status`; or EXIT_FAILED after a message on stderr if `status`
 * is EXIT_DONE and the file cannot be written. */
int trace_file_end(const char *path, kp_config *config, int status);

#endif
