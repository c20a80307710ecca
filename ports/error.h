/* This header has the functions by which kport's own code sets an error. Each thread, and each
 * fiber, has one record of its latest error. To set an error is to fill this record. A function
 * that fails sets an error and returns the error's status. kp_say composes a text piece by
 * piece. */
#ifndef KPORT_PORTS_ERROR_H
#define KPORT_PORTS_ERROR_H

#include "kport/error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

/* The initializer of an error record with the status `number` and the processor `about`. The
 * record's sentence is empty, and its other fields say that they do not apply. */
#define KP_ERROR_OF(number, about)                                                                 \
    {                                                                                              \
        .status = (number), .processor = (about), .round = -1, .port = -1, .peer = -1, .line = -1  \
    }

/* Sets an error: stores its status and sentence in the calling thread's record. The record's other
 * fields then say that they do not apply. Returns the status. */
int kp_set_error(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Does what kp_set_error does, with the sentence's arguments as a va_list. */
int kp_set_error_of(int status, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

/* Returns the calling thread's record. After kp_set_error a caller can set the record's other
 * fields. */
kp_error_record *kp_error_slot(void);

/* Empties the calling thread's record, so that an error of an earlier run is none of the next. */
void kp_clear_error(void);

bool kp_is_status(int status);

/* Empties a record. */
void kp_no_error(kp_error_record *error);

/* Stores the place of a call in the record. */
struct kp_site;
void kp_error_at(kp_error_record *error, struct kp_site site);

/* Where kp_say writes: to the stream `file`, or, if `file` is NULL, to a buffer of `size` bytes at
 * `text`. kp_say appends to the text that is already there. If the buffer is too small, kp_say cuts
 * the text and still ends it with a zero byte. `length` is the length of the uncut text. */
struct kp_words {
    char *text;
    size_t size, length;
    FILE *file;
};

void kp_say(struct kp_words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Ends a sentence that was too long for its text after a whole clause, with three dots. */
void kp_end_sentence(const struct kp_words *words);

#endif
