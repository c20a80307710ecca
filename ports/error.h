/* The calling thread's latest error: one record a thread, filled by whoever refuses something. */
#ifndef KPORT_PORTS_ERROR_H
#define KPORT_PORTS_ERROR_H

#include "kport/error.h"

#include <stdarg.h>

/* Fills the calling thread's record: status, sentence, every other field "does not apply". Returns
 * the status, so that a refusal is one statement. */
int kp_set_error(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

int kp_set_error_of(int status, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

/* A record of nothing but these. */
static inline kp_error_record kp_error_of(int status, int processor)
{
    return (kp_error_record){
        .status = status, .processor = processor, .round = -1, .port = -1, .peer = -1, .line = -1};
}

/* That record, for setting processor, round, port and peer after kp_set_error. */
kp_error_record *kp_error_slot(void);

#endif
