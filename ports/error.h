/* The calling thread's latest error, of which each thread has one record; and sentences that are
 * composed piece by piece. */
#ifndef KPORT_PORTS_ERROR_H
#define KPORT_PORTS_ERROR_H

#include "kport/error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

/* A record with this status and processor; its other fields do not apply, and its sentence is
 * empty. */
#define KP_ERROR_OF(number, about)                                                                 \
    {                                                                                              \
        .status = (number), .processor = (about), .round = -1, .port = -1, .peer = -1, .line = -1  \
    }

/* Fills the calling thread's record: status and sentence; the other fields do not apply. Returns
 * the status, so that a refusal is one statement. */
int kp_set_error(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

int kp_set_error_of(int status, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

/* Returns that record, to set processor, round, port and peer after kp_set_error. */
kp_error_record *kp_error_slot(void);

bool kp_is_status(int status);

/* Text that kp_say appends to a file or to a buffer. If the buffer is too small, its text is cut
 * but still ends with 0, and `length` is the full length. */
struct kp_words {
    char *text;
    size_t size, length;
    FILE *file;
};

void kp_say(struct kp_words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
