/* The processes of a command. With the machine key carrier=mpi there are several: mpirun has
 * started each of them with the same arguments, and each carries some of the processors. They go
 * through the command alike, because machines over MPI are made, used and destroyed by all of them
 * in the same order. So they decide together (processes_agree) what depends on the clock, or on
 * what one of them has seen. The process of processor 0 prints.
 *
 * With any other carrier there is one process, and these functions cost nothing. */
#ifndef KPORT_TOOLS_PROCESSES_H
#define KPORT_TOOLS_PROCESSES_H

#include "kport.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define PROCESSES_VALUES 4    /* the most values in one agreement */
#define PROCESSES_EACH   4096 /* the most processors in a process */

/* Keeps the arguments of the program, for the command that processes_find suggests. */
void processes_note_arguments(int count, char **arguments);

/* Silences a process that is to be one of several, unless it is the one of rank 0: all processes
 * read the same arguments, so what one of them finds wrong there, or prints without an MPI, all
 * would. processes_find ends the silence. Does nothing if the arguments do not name carrier mpi, or
 * if mpirun has not started this process. */
void processes_silence(void);

/* Finds the processes of a machine with this configuration; `processors` may be 0. Does nothing if
 * its carrier is not KP_CARRIER_MPI. From then on, stdout leads nowhere in all processes but that
 * of processor 0. Returns an exit status; if it is not 0, an error message is on stderr, with the
 * command that would start the processes. */
int processes_find(const kp_config *config);

/* Reads the options --carrier and --per-process of a command without a problem string. A
 * `carrier` of NULL or a `per_process` of 0 is an option that is not given. Returns an exit status.
 */
int processes_read(const char *carrier, uint64_t per_process, kp_config *config);

/* Refuses an option that cannot be given over MPI, and says why. */
int processes_refuse(const kp_config *config, const char *option, const char *why);

/* Whether processes_find has found processes of an MPI. The functions below are for this case; the
 * values in parentheses are those without it. */
bool processes_several(void);

/* How many processors all processes have (0), the first processor of this process (0), and how many
 * of a machine's n processors this process has (n). */
int processes_processors(void);
int processes_first(void);
int processes_here(int n);

/* Whether this process prints what concerns all processes (true). */
bool processes_prints(void);

/* What carries the messages and its version (""). */
const char *processes_network(void);

/* Prints "Open MPI v4.1.4: processes 4, processors of each 2" (nothing). */
void processes_print(FILE *out);

/* Adds the network, the processes and the processors of each to a JSON object (nothing). */
void processes_json(json_t *object);

/* Replaces each of the `count` values by the greatest value of all processes (nothing changes). All
 * processes must call it. They also agree on the time (processes_now) and on an interrupt. Returns
 * an exit status: EXIT_FAILED if another process has ended its command with an error. */
int processes_agree(double *values, int count);

/* Returns the nanoseconds of the clock that never goes back. With several processes it is the time
 * of the latest agreement, which is the same for all of them. */
int64_t processes_now(void);

/* Ends the command. Returns the exit status of that process which has the worst. */
int processes_end(int status);

#endif
