/* Implements the option --trace FILE of the commands that make machines. The command calls
 * `trace_file_begin` before it makes machines, and `trace_file_end` after it has ended them. */
#ifndef KPORT_TOOLS_TRACE_FILE_H
#define KPORT_TOOLS_TRACE_FILE_H

#include "kport.h"

/* Refuses the option if machines with this configuration record nothing. If `path` is NULL, does
 * nothing. Returns an exit status. */
int trace_file_refuse(const char *path, const kp_config *config);

/* Tests whether the file at `path` can be written. Then makes a new trace and stores it in
 * `config`, so that machines with this configuration record into the trace. The trace keeps the
 * latest `records` records of each processor (kp_trace_create). If `path` is NULL, does nothing.
 * Returns an exit status. */
int trace_file_begin(const char *path, size_t records, kp_config *config);

/* Writes the trace to the file, even if the run failed, and frees the trace. If `status` is
 * EXIT_IMPOSSIBLE, no machine has run, and nothing is written. The command must call this function
 * in any case, after all machines have ended. Returns `status`. If the file cannot be written, the
 * function prints an error message on stderr and returns EXIT_IMPOSSIBLE. */
int trace_file_end(const char *path, kp_config *config, int status);

#endif
