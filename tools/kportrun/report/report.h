/* What the library has found wrong with the program, on standard error. */
#ifndef KPORT_KPORTRUN_REPORT_H
#define KPORT_KPORTRUN_REPORT_H

#include "lib/mpi/job.h"

/* As text each finding is a sentence, and those of ranks that tell the same are one (grouped.h). As
 * JSON each finding is an object on a line of its own. */
void report_begin(bool json);

/* Writes a finding; a function for struct kp_mpi_job. */
void report_finding(void *argument, const struct kp_finding *finding);

/* Writes the findings that wait for those of other ranks; a function for struct kp_mpi_job. */
void report_all(void *argument);

/* Does the same in a process that has crashed, unless a thread was just writing. */
void report_all_of_crash(void);

/* Writes a line that is no finding, where the findings go. */
void report_sentence(const char *text, size_t bytes);

/* Makes `put` take the findings instead of standard error. `kind` is NULL if the finding was told
 * before, or the line is none. */
void report_redirect(void (*put)(const char *kind, const char *text, size_t bytes));

#endif
