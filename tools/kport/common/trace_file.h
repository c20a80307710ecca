/* The option --trace FILE of a command that makes machines: two calls, around them. */
#ifndef KPORT_TOOLS_TRACE_FILE_H
#define KPORT_TOOLS_TRACE_FILE_H

#include "kport.h"

/* Makes machines of this configuration record into a trace, each processor its last `records` (as
 * kp_trace_create has them), if the file can be written, which is tried; with `path` NULL does
 * nothing. An exit status. */
int trace_file_begin(const char *path, size_t records, kp_config *config);

/* Writes the file and forgets the trace; what was recorded of a run that failed too. To be called
 * when all machines are gone, in any case. The status, or EXIT_FAILED if it was EXIT_DONE and the
 * file could not be written: then after a message on stderr. */
int trace_file_end(const char *path, kp_config *config, int status);

#endif
