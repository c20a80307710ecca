/* The calling thread's latest error: one record a thread, filled by whoever refuses something. */
#ifndef KPORT_PORTS_ERROR_H
#define KPORT_PORTS_ERROR_H

#include "kport/error.h"

/* Fills the calling thread's record: status, sentence, every other field "does not apply". Returns
 * the status, so that a refusal is one statement. */
int kp_set_error(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* That record, for setting processor, round, port and peer after kp_set_error. */
kp_error_record *kp_error_slot(void);

#endif
