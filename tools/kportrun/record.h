/* What one run of a program has written, rank by rank, for comparison with other runs. */
#ifndef KPORT_KPORTRUN_RECORD_H
#define KPORT_KPORTRUN_RECORD_H

#include "lib/mpi/job.h"

#include <stdbool.h>
#include <stddef.h>

struct record {
    int file;  /* in memory; the child writes it, the parent reads it */
    char *all; /* entries in the order of time */
    size_t bytes;
    /* What is compared: the output of each rank, and the kinds of the findings. */
    char *sorted, *kinds;
    size_t sorted_bytes, kinds_bytes;
};

/* Makes an empty record. Returns false, with errno, if that fails. */
bool record_make(struct record *record);
void record_free(struct record *record);

/* In the child: makes this record take all that the ranks write, the findings, and what is written
 * to the standard files past libc. */
void record_take(const struct record *record);

/* In the child: takes a decision (struct kp_mpi_job) into the record. */
void record_decision(void *argument, const struct kp_mpi_decision *decision);

/* In the parent, after the child has ended. */
bool record_read(struct record *record);

/* Writes the run's output and error output to the standard files, as the run would have done. */
void record_show(const struct record *record);

/* Writes only the run's findings to standard error. */
void record_show_findings(const struct record *record);

/* Returns whether two runs wrote the same, rank by rank. With `only_kinds` whether they had the
 * same kinds of findings. */
bool record_equal(const struct record *one, const struct record *other, bool only_kinds);

/* Finds the earliest decision of `other` that `one` does not have, and stores that of `one` in its
 * place; if `one` has none, that of `other`. `*there` is what `other` has decided. Returns false if
 * there is none. The texts of the decision live as long as the records. */
bool record_decided(const struct record *one, const struct record *other,
                    struct kp_mpi_decision *decision, int *there);

/* Writes a sentence about the first rank whose output differs, beginning with "; ". Writes an empty
 * text if none differs. */
void record_difference(const struct record *one, const struct record *other, char *text,
                       size_t bytes);

#endif
